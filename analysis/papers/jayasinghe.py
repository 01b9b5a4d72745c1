"""What Jayasinghe et al. (2014) draw: executions that differ, against a system that doesn't, and what may be said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.comparisons import equivalence_of_difference, interval_against_margin, noninferiority_of_difference
from analysis.figures import Axis, Cell, Panel, Rule, Series, columns_of, series
from analysis.instances import AlgorithmComparison, compare_algorithms, compare_instances, posterior_difference
from analysis.papers import sampling
from analysis.papers.paper import Drawing, Given, JudgedRanking, Undrawable
from analysis.results import Interval
from analysis.scores import InstanceScores, ScoreMatrix

PAPER = "jayasinghe-2014"

#: Shares of the documents that an execution leaves out; executions are compared with those of ``USUAL``, too.
LEFT_OUT = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
USUAL = 0.05
#: What the paper regards as a difference that matters.
MARGIN = 0.01
_LEVELS = (0.05, 0.1)
_N_TOPICS = 25
_SIZES = (2, 3, 5, 10)
_N_DRAWS = 200
_GROUPED: tuple[tuple[str, Literal["repeats", "instances"]], ...] = (("model 2", "repeats"), ("model 3", "instances"))
_SEED = 1

RATES = Axis(
    label="documents left out", low=-0.5, high=len(LEFT_OUT) - 0.5,
    ticks=tuple((float(place), f"{100 * rate:g} %") for place, rate in enumerate(LEFT_OUT)),
)  # fmt: skip
TOPICS = Axis(label="the last topics of the collection, in their order", low=0, high=_N_TOPICS + 1)

MODELS = (
    *columns_of("Executions significant at 0.05, %", "At 0.1, %"),
    *columns_of("Model 1, one execution: smallest p", "Largest p", "Model 2, repeats: p", kind="pvalue"),
    *columns_of("Model 3, executions: p", kind="pvalue"),
)
_BY_RATE = (
    *columns_of("Left out"),
    *columns_of("Mean nDCG@10", digits=4),
    *MODELS,
    *columns_of("Against 5 % left out, model 2: p", "Model 3: p", kind="pvalue"),
)
_INTERVAL = columns_of("95 % HPD interval, from", "to", digits=4)
_EQUIVALENCE = (
    *columns_of("Left out"),
    *columns_of("Difference", digits=4),
    *columns_of(f"p of {MARGIN} or more, either way", f"p of being worse by {MARGIN} or more", kind="pvalue"),
    *_INTERVAL,
    *columns_of("By the interval", kind="text"),
)
_RIVALS = (*columns_of("Against"), *columns_of("Mean difference", digits=4), *MODELS, *_INTERVAL)
#: What an interval says of the sampled system, which stands first.
_SAYS = {
    "equivalent": "equivalent",
    "first higher beyond the margin": "better",
    "second higher beyond the margin": "worse",
    "first not lower beyond the margin": "not worse by as much",
    "second not lower beyond the margin": "not better by as much",
    "inconclusive": "undecided",
}


@dataclass(frozen=True, slots=True, eq=False)
class Rate:
    """Executions that leave out a share of the documents, against the whole ranking; ``row`` is that of table 1, which
    has them against those of ``USUAL``, too."""

    row: tuple[Cell, ...]
    found: AlgorithmComparison
    posterior: Interval


def rate_of(left_out: float, whole_ranking: ScoreMatrix, sampled: ScoreMatrix, usual: ScoreMatrix) -> Rate:
    """What each model says of this share."""
    scores, others = (
        sampling.against_whole(sampled, whole_ranking),
        InstanceScores.from_matrices({sampling.SAMPLED: sampled, sampling.RIVAL: usual}),
    )
    against_usual = [
        compare_algorithms(others, sampling.SAMPLED, sampling.RIVAL, model=model).pvalue for _, model in _GROUPED
    ]
    mean, cells = float(sampled.means.mean()), model_cells(scores, sampling.SAMPLED, sampling.WHOLE)
    return Rate(
        (f"{100 * left_out:g} %", mean, *cells, *against_usual),
        compare_algorithms(scores, sampling.SAMPLED, sampling.WHOLE),
        posterior_difference(scores, sampling.SAMPLED, sampling.WHOLE, _SEED).interval,
    )


def model_cells(scores: InstanceScores, first: str, second: str) -> tuple[Cell, ...]:
    """The cells of :data:`MODELS`: how many single executions are significant, and p by models 1 to 3."""
    tests = compare_instances(scores, first, second)
    return (
        *(100 * float(np.mean(tests.pvalues <= level)) for level in _LEVELS),
        float(tests.pvalues.min()),
        float(tests.pvalues.max()),
        compare_algorithms(scores, first, second, model="repeats").pvalue,
        compare_algorithms(scores, first, second).pvalue,
    )


def panels_of(run: JudgedRanking, name: str) -> dict[str, Panel]:
    """Every panel of one run."""
    ranking = sampling.ranking_of(run)
    everything = sampling.whole(ranking)
    sampled = {rate: sampling.executions(ranking, rate) for rate in LEFT_OUT}
    usual = sampling.executions(ranking, USUAL, seed=1)
    rates = [rate_of(left_out, everything, of, usual) for left_out, of in sampled.items()]
    data = (
        f"{name}, {run.system}: {len(ranking.topics)} topics, {run.depth:,} documents each; {sampling.N_EXECUTIONS}"
        " executions of each share"
    )
    return {
        "table-1": Panel(data=data, columns=_BY_RATE, rows=tuple(one.row for one in rates)),
        "figure-1": topics_panel(sampled[USUAL], everything, f"{data}; drawn is that of 5 %"),
        "figure-2": intervals_panel(rates, data),
        "table-2": Panel(data=data, columns=_EQUIVALENCE, rows=tuple(_equivalence_row(one) for one in rates)),
        "models": models_panel(sampled[USUAL], data),
    }


def _equivalence_row(one: Rate) -> tuple[Cell, ...]:
    return (
        one.row[0],
        one.found.estimate,
        equivalence_of_difference(one.found, margin=MARGIN).pvalue,
        noninferiority_of_difference(one.found, margin=MARGIN).pvalue,
        one.posterior.low,
        one.posterior.high,
        _SAYS[interval_against_margin(one.posterior, margin=MARGIN).conclusion],
    )


def topics_panel(sampled: ScoreMatrix, everything: ScoreMatrix, data: str) -> Panel:
    """Figure 1: how far executions lie apart on each of the last topics."""
    last = sampled.scores[:, -_N_TOPICS:]
    xs = range(1, last.shape[1] + 1)
    return Panel(
        data=data,
        series=(
            _spread("executions", xs, last),
            series("whole ranking", xs, everything.scores[0, -_N_TOPICS:], mark="points", style="other"),
        ),
    )


def _spread(name: str, xs: Sequence[int], scores: np.ndarray) -> Series:
    """Medians of executions with the range that nine in ten lie in; scores are executions x topics."""
    low, middle, high = np.quantile(scores, (0.05, 0.5, 0.95), axis=0)
    return series(name, xs, middle, low=low, high=high, mark="points", is_highlighted=True)


def intervals_panel(rates: Sequence[Rate], data: str) -> Panel:
    """Figure 2: highest-density intervals of the difference from the whole ranking."""
    return Panel(
        data=data,
        series=(
            series(
                "difference", range(len(rates)), [one.found.estimate for one in rates],
                low=[one.posterior.low for one in rates], high=[one.posterior.high for one in rates], mark="points",
                is_highlighted=True,
            ),
        ),
        rules=tuple(Rule(name=f"{at:+.2f}".replace("-", "−"), at=at) for at in (-MARGIN, MARGIN)),
    )  # fmt: skip


def models_panel(pool: ScoreMatrix, data: str) -> Panel:
    """How often each model calls two groups of executions of one system different."""
    return Panel(
        data=f"{data}; {_N_DRAWS} pairs of groups of those that leave out 5 %",
        series=tuple(_false_alarms(pool)),
        rules=(Rule(name="5 %", at=5.0),),
    )


def _false_alarms(pool: ScoreMatrix) -> Iterator[Series]:
    drawn = {size: sampling.groups(pool, size, _N_DRAWS, _SEED) for size in _SIZES}
    single = [compare_instances(one, sampling.SAMPLED, sampling.RIVAL).pvalues[0, 0] for one in drawn[_SIZES[0]]]
    first = 100 * float(np.mean(np.array(single) <= _LEVELS[0]))
    yield series("model 1", (1, _SIZES[0]), (first, first), style="other")
    for name, model in _GROUPED:
        shares = [
            np.mean(
                [
                    compare_algorithms(one, sampling.SAMPLED, sampling.RIVAL, model=model).pvalue <= _LEVELS[0]
                    for one in of_size
                ]
            )
            for of_size in drawn.values()
        ]
        yield series(name, _SIZES, [100 * float(one) for one in shares], is_highlighted=model == "instances")


def reranker_panel(executed: ScoreMatrix, rivals: Mapping[str, ScoreMatrix], data: str) -> Panel:
    """Executions of a real system: how far they lie apart by topic, and what each model says against rivals.

    ``rivals`` have one execution each, on the same topics; one that differs by the same amount everywhere is left out.
    """
    order = np.argsort(executed.scores.mean(axis=0), kind="stable")
    low, middle, high = (found[order] for found in (
        executed.scores.min(axis=0), executed.scores.mean(axis=0), executed.scores.max(axis=0)
    ))  # fmt: skip
    xs = range(1, executed.n_topics + 1)
    rows = [
        _rival_row(name, executed, rival)
        for name, rival in rivals.items()
        if np.ptp(executed.scores.mean(axis=0) - rival.scores[0]) > 0
    ]
    return Panel(
        data=data,
        series=(series("executions", xs, middle, low=low, high=high, mark="points", is_highlighted=True),),
        columns=_RIVALS,
        rows=tuple(sorted(rows, key=lambda row: abs(float(row[1] or 0.0)))),
    )


def _rival_row(name: str, executed: ScoreMatrix, rival: ScoreMatrix) -> tuple[Cell, ...]:
    scores = sampling.against_whole(executed, rival)
    posterior = posterior_difference(scores, sampling.SAMPLED, sampling.WHOLE, _SEED).interval
    difference = compare_algorithms(scores, sampling.SAMPLED, sampling.WHOLE).estimate
    return name, difference, *model_cells(scores, sampling.SAMPLED, sampling.WHOLE), posterior.low, posterior.high


def _of_deepest(runs: Sequence[JudgedRanking], name: str) -> dict[str, Panel]:
    """Panels of the run with the most documents a topic, the first of several."""
    return panels_of(max(runs, key=lambda one: one.depth), name)


def _draw_executions(given: Given) -> dict[str, Panel]:
    if not given.executions:
        raise Undrawable("it needs a table whose columns are executions of one system, and baselines")
    matrix = given.scores()
    executed = matrix.select(list(given.executions))
    rivals = {name: matrix.select([name]) for name in matrix.systems if name not in given.executions}
    data = (
        f"{given.name}: {executed.n_systems} executions on {executed.n_topics} topics, against {len(rivals)}"
        f" system{'s' if len(rivals) != 1 else ''} executed once"
    )
    return {"reranker": reranker_panel(executed, rivals, data)}


RERANKERS = Drawing(
    paper=PAPER,
    figures=frozenset({"reranker"}),
    key="jayasinghe rerankers 3",
    needs="executions",
    draw=_draw_executions,
    collections=("trec-dl-2019-passage",),
    measures=("AP(rel=2)@100",),
)
SAMPLES = Drawing(
    paper=PAPER,
    figures=frozenset({"table-1", "figure-1", "figure-2", "table-2", "models"}),
    key="jayasinghe samples 3",
    needs="runs",
    draw=lambda given: _of_deepest(given.rankings(), given.name),
    collections=("trec-dl-2019-passage", "trec-2018-core"),
)
DRAWINGS = (SAMPLES, RERANKERS)
