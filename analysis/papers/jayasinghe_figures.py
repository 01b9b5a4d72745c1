"""Jayasinghe et al. (2014): systems that answer differently each time."""

from collections.abc import Iterator

from analysis.comparisons import equivalence_of_difference, noninferiority_of_difference
from analysis.figures import Axis, Panel
from analysis.instances import compare_algorithms, posterior_difference
from analysis.papers import jayasinghe as drawn
from analysis.papers.paper import Figure, Line, Reproduction, Shipped
from analysis.papers.sampling import SAMPLED, WHOLE, against_whole
from analysis.scores import ScoreMatrix

_COLLECTION, _SYSTEM = "trec-2004-robust", "RM3 (Yang 2019)"
_RIVAL = "rank_llm BM25+RankVicuna7B"
_ALONE = "Executions that are significant on their own (paired t test, 0.05)"
_METHOD = "non-deterministic-systems"
_STANDS_IN = (
    "Executions are made: each leaves every document of one ranking that ships out with the same probability, by fixed"
    " seeds. That stands in for sampling an index, where shards are chosen by the sample, too; rates of the one are no"
    " rates of the other."
)
_NEEDED = (
    "Not recomputed here: needs the scores of 100 instances on sharded indexes of GOV2 at each rate, which are the"
    " authors’; the documents of GOV2 are given out by the University of Glasgow under an agreement."
)
_OTHER = "Another system: the paper’s numbers are of sharded indexes of GOV2."


def reproduce_jayasinghe(shipped: Shipped) -> Reproduction:
    """Tables 1 and 2 and figures 1 and 2 on a ranking that is sampled, and on a reranker that was executed."""
    (run,) = shipped.rankings(_COLLECTION, _SYSTEM)
    panels = drawn.panels_of(run, "Robust04")
    return Reproduction(
        slug=drawn.PAPER,
        authors="G. K. Jayasinghe, W. Webber, M. Sanderson, L. S. Dharmasena, J. S. Culpepper",
        title="Evaluating non-deterministic retrieval systems",
        venue="SIGIR 2014, 911–914",
        doi="10.1145/2600428.2609472",
        short="Jayasinghe et al., SIGIR 2014",
        summary="Whether a difference holds for other executions as well as for other topics.",
        methods=(_METHOD, "equivalence", "instances-and-topics"),
        figures=(
            _by_rate(panels["table-1"]),
            _by_topic(panels["figure-1"]),
            _models(panels["models"]),
            _equivalence(panels["table-2"]),
            _intervals(panels["figure-2"], panels["table-2"]),
            _reranker(shipped),
        ),
    )


def _by_rate(panel: Panel) -> Figure:
    shares = {str(row[0]): float(row[2] or 0.0) for row in panel.rows}
    some = {rate: share for rate, share in shares.items() if 0 < share < 100}
    lowest, highest = next(iter(some)), list(some)[-1]
    return Figure(
        slug="table-1",
        name="Table 1: executions that are significant, and p values",
        title=f"With {lowest} of the documents left out {some[lowest]:.0f} % of the executions differ significantly,"
        f" with {highest} {some[highest]:.0f} %: whoever has one may say either",
        caption="Each execution against the whole ranking by a paired t test (model 1), all together by model 2, which"
        " takes them for repeats, and by the paper’s model 3, and against as many others that leave out 5 %: on the row"
        f" of 5 % nothing is there to be found. {_STANDS_IN}",
        panel=panel,
        methods=(_METHOD,),
        lines=(
            Line("Instances at a sampling rate of 0.5 % that differ significantly at 0.05", "3", None, 0, unit="%",
                 why=_NEEDED),
            Line("The same at 0.1", "10", None, 0, unit="%", why=_NEEDED),
            *(
                Line(f"Executions significant at 0.05 with {rate} left out", None, share, 0, unit="%", why=_OTHER)
                for rate, share in shares.items()
            ),
        ),
    )  # fmt: skip


def _by_topic(panel: Panel) -> Figure:
    (spread, _) = panel.series
    wide = [(high or 0.0) - (low or 0.0) for low, high in zip(spread.low, spread.high, strict=True)]
    return Figure(
        slug="figure-1",
        name="Figure 1: how executions vary by topic",
        title=f"On {sum(one == 0 for one in wide)} of {len(wide)} topics executions agree; on one they lie"
        f" {max(wide):.2f} apart",
        caption="The last 25 topics: medians of 100 executions that leave out 5 % of the documents, with the range of"
        f" nine in ten, in teal; the whole ranking in orange. The paper draws topics 826 to 850 of GOV2. {_STANDS_IN}",
        panel=panel,
        x=drawn.TOPICS,
        y=Axis(label="nDCG@10", low=0, high=1),
        methods=(_METHOD,),
        lines=(
            Line("Widest range of nine in ten executions on one topic", None, max(wide), 3,
                 why="The paper draws it and prints no number."),
        ),
    )  # fmt: skip


def _models(panel: Panel) -> Figure:
    alarms = {one.name: [y or 0.0 for y in one.y] for one in panel.series}
    return Figure(
        slug="models",
        name="Section 3: three models of what differs",
        title=f"With two executions each, model 2 tells one system from itself {alarms['model 2'][0]:.1f} % of the"
        f" time, model 3 {alarms['model 3'][0]:.1f} %",
        caption="Two groups of executions of the same system, drawn at random: how often they are called different at"
        " 0.05, by model 1 (one execution each, orange), model 2 (repeats) and model 3 (teal). More than 5 % is too"
        " much. Documents that are left out move each topic by itself, so that executions have next to no effect of"
        " their own and model 2 does no harm; where they have one it errs up to 13 % of the time (see the method’s"
        f" page). The paper argues this and prints no such numbers. {_STANDS_IN}",
        panel=panel,
        x=Axis(label="executions in each of two groups of one system", is_log=True, low=1),
        y=Axis(label="groups called different at 0.05, %", low=0),
        methods=(_METHOD, "instances-and-topics"),
    )


def _equivalence(panel: Panel) -> Figure:
    within = [str(row[0]) for row in panel.rows if row[-1] == "equivalent"]
    return Figure(
        slug="table-2",
        name="Table 2 and section 5: two ways to test for equivalence",
        title=f"Up to {within[-1]} left out the sampled ranking is equivalent within {drawn.MARGIN}",
        caption="The paper’s table weighs, in words, two tests against a smallest difference that matters, 0.01 nDCG:"
        " two one-sided t tests, and a highest-posterior-density (HPD) interval that lies within it. Here is what both"
        f" say. {_STANDS_IN}",
        panel=panel,
        methods=("equivalence", _METHOD),
    )


def _intervals(panel: Panel, table: Panel) -> Figure:
    says = {str(row[0]): str(row[-1]) for row in table.rows}
    worse = [rate for rate, one in says.items() if one == "worse"]
    safe = [rate for rate, one in says.items() if one in ("equivalent", "not worse by as much")]
    return Figure(
        slug="figure-2",
        name="Figure 2: 95 % highest-posterior-density intervals by rate",
        title=f"Up to {safe[-1]} left out is not worse by {drawn.MARGIN}, {worse[0]} or more is",
        caption="The difference from the whole ranking with its interval over topics and executions; dashed, the"
        " smallest difference that matters. The paper finds rates below 0.05 % clearly worse, and from 1 % on “not"
        f" consequentially worse”. {_STANDS_IN}",
        panel=panel,
        x=drawn.RATES,
        y=Axis(label="difference of the means, sampled less whole"),
        methods=("equivalence", _METHOD),
        lines=(
            Line("Lowest sampling rate that is not consequentially worse", "1", None, 0, unit="%", why=_NEEDED),
            *_drawn(panel, table),
        ),
    )


def _drawn(panel: Panel, table: Panel) -> Iterator[Line]:
    (one,) = panel.series
    for row, low, high in zip(table.rows, one.low, one.high, strict=True):
        for end, value in (("lower", low), ("upper", high)):
            yield Line(f"{row[0]} left out: {end} end of the interval", None, value, 4, why=_OTHER)


def _reranker(shipped: Shipped) -> Figure:
    name = "trec-dl-2019-passage__nDCG-at-10"
    executed, others = shipped.named(f"{name}__gpt-3-5"), shipped.named(name)
    rivals = {one: others.select([one]) for one in others.systems}
    panel = drawn.reranker_panel(
        executed,
        rivals,
        f"nDCG@10 on {executed.n_topics} topics of TREC 2019 Deep Learning: {executed.n_systems} executions of"
        f" GPT-3.5-turbo over BM25’s top 100, against {len(rivals)} systems that were executed once",
    )
    lines = tuple(_lines_of(executed, rivals[_RIVAL]))
    values = {line.what: line.recomputed for line in lines}
    return Figure(
        slug="reranker",
        name="The same on a system of today: a language model that reranks",
        title=f"Executions of one reranker score {executed.means.min():.3f} to {executed.means.max():.3f}; on their own"
        f" {values[_ALONE]:.0f} of {executed.n_systems} differ significantly from RankVicuna",
        caption="Each topic with the mean and the whole range of five executions; below, what the three models say"
        " against every system with scores by topic. The numbers below are against RankVicuna over the same candidates."
        f" {_OTHER}",
        panel=panel,
        x=Axis(label="topics, by the mean of the executions", low=0),
        y=Axis(label="nDCG@10, or the measure that is chosen", low=0, high=1),
        methods=(_METHOD, "equivalence", "instances-and-topics"),
        lines=lines,
    )


def _lines_of(executed: ScoreMatrix, rival: ScoreMatrix) -> Iterator[Line]:
    scores = against_whole(executed, rival)
    found = compare_algorithms(scores, SAMPLED, WHOLE)
    posterior = posterior_difference(scores, SAMPLED, WHOLE, rng=1).interval
    share, _, smallest, largest, repeats, _ = (float(one or 0.0) for one in drawn.model_cells(scores, SAMPLED, WHOLE))
    numbers = (
        ("Executions", executed.n_systems, 0),
        (_ALONE, round(share * executed.n_systems / 100), 0),
        ("p of one execution, smallest (model 1)", smallest, 4),
        ("p of one execution, largest (model 1)", largest, 4),
        ("Mean difference", found.estimate, 4),
        ("p with executions as repeats (model 2)", repeats, 4),
        ("p by topics and executions together (model 3)", found.pvalue, 4),
        ("Lower end of the 95 % HPD interval", posterior.low, 4),
        ("Upper end", posterior.high, 4),
        (f"p of equivalence within {drawn.MARGIN}", equivalence_of_difference(found, margin=drawn.MARGIN).pvalue, 4),
        (f"p of being no worse by {drawn.MARGIN}", noninferiority_of_difference(found, margin=drawn.MARGIN).pvalue, 4),
    )
    for what, value, digits in numbers:
        yield Line(what, None, float(value), digits, why=_OTHER)
