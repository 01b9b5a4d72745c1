"""Jayasinghe et al. (2014): executions that differ, against a system that doesn't, and what may be said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.comparisons import equivalence_of_difference, interval_against_margin, noninferiority_of_difference
from analysis.figures import Cell, Panel, Rule, Series, columns_of, series
from analysis.instances import AlgorithmComparison, compare_algorithms, compare_instances, posterior_difference
from analysis.papers import sampling
from analysis.papers.paper import Drawing, Figure, Given, JudgedRanking, Reproduction, Shipped, Undrawable, Words
from analysis.results import Interval
from analysis.scores import InstanceScores, ScoreMatrix

PAPER = "jayasinghe-2014"

#: Shares of the shards that an execution leaves out; executions are compared with those of ``USUAL``, too.
LEFT_OUT = (0.02, 0.04, 0.1, 0.2, 0.5)
USUAL = 0.04
#: What the paper regards as a difference that matters.
MARGIN = 0.01
_LEVELS = (0.05, 0.1)
_N_TOPICS = 25
_SIZES = (2, 3, 5, 10)
_N_DRAWS = 200
_GROUPED: tuple[tuple[str, Literal["repeats", "instances"]], ...] = (("model 2", "repeats"), ("model 3", "instances"))
_SEED = 1

MODELS = (
    *columns_of("Executions significant at 0.05, %", "At 0.1, %"),
    *columns_of("Model 1, one execution: smallest p", "Largest p", "Model 2, repeats: p", kind="pvalue"),
    *columns_of("Model 3, executions: p", kind="pvalue"),
)
_BY_RATE = (
    *columns_of("Left out"),
    *columns_of("Mean nDCG@10", digits=4),
    *MODELS,
    *columns_of("Against 4 % left out, model 2: p", "Model 3: p", kind="pvalue"),
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
    """Executions that leave out a share of the shards, against the whole ranking; ``row`` is that of table 1, which
    has them against those of ``USUAL``, too."""

    row: tuple[Cell, ...]
    comparison: AlgorithmComparison
    posterior: Interval


def rate_of(left_out: float, whole_ranking: ScoreMatrix, sampled: ScoreMatrix, usual: ScoreMatrix) -> Rate:
    """Return what each model says of this share."""
    scores = sampling.against_whole(sampled, whole_ranking)
    others = InstanceScores.from_matrices({sampling.SAMPLED: sampled, sampling.RIVAL: usual})
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
    """Return the cells of :data:`MODELS`: how many single executions are significant, and p by models 1 to 3."""
    tests = compare_instances(scores, first, second)
    return (
        *(100 * float(np.mean(tests.pvalues <= level)) for level in _LEVELS),
        float(tests.pvalues.min()),
        float(tests.pvalues.max()),
        compare_algorithms(scores, first, second, model="repeats").pvalue,
        compare_algorithms(scores, first, second).pvalue,
    )


def panels_of(run: JudgedRanking, name: str) -> dict[str, Panel]:
    """Return every panel of one run."""
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
        "table-1": Panel(data=data, columns=_BY_RATE, rows=tuple(rate.row for rate in rates)),
        "figure-1": topics_panel(sampled[USUAL], everything, f"{data}; drawn is that of 4 %"),
        "figure-2": intervals_panel(rates, data),
        "table-2": Panel(data=data, columns=_EQUIVALENCE, rows=tuple(_equivalence_row(rate) for rate in rates)),
        "models": models_panel(sampled[USUAL], data),
    }


def _equivalence_row(rate: Rate) -> tuple[Cell, ...]:
    return (
        rate.row[0],
        rate.comparison.estimate,
        equivalence_of_difference(rate.comparison, margin=MARGIN).pvalue,
        noninferiority_of_difference(rate.comparison, margin=MARGIN).pvalue,
        rate.posterior.low,
        rate.posterior.high,
        _SAYS[interval_against_margin(rate.posterior, margin=MARGIN).conclusion],
    )


def topics_panel(sampled: ScoreMatrix, everything: ScoreMatrix, data: str) -> Panel:
    """Return figure 1: how far executions lie apart on each of the last topics."""
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
    """Return medians of executions with the range that nine in ten lie in; scores are executions x topics."""
    low, middle, high = np.quantile(scores, (0.05, 0.5, 0.95), axis=0)
    return series(name, xs, middle, low=low, high=high, mark="points", is_highlighted=True)


def intervals_panel(rates: Sequence[Rate], data: str) -> Panel:
    """Return figure 2: highest-density intervals of the difference from the whole ranking."""
    return Panel(
        data=data,
        series=(
            series(
                "difference", range(len(rates)), [rate.comparison.estimate for rate in rates],
                low=[rate.posterior.low for rate in rates], high=[rate.posterior.high for rate in rates], mark="points",
                is_highlighted=True,
            ),
        ),
        rules=tuple(Rule(name=f"{at:+.2f}".replace("-", "−"), at=at) for at in (-MARGIN, MARGIN)),
    )  # fmt: skip


def models_panel(pool: ScoreMatrix, data: str) -> Panel:
    """Return how often each model calls two groups of executions of one system different."""
    return Panel(
        data=f"{data}; {_N_DRAWS} pairs of groups of those that leave out 4 %",
        series=tuple(_false_alarms(pool)),
        rules=(Rule(name="5 %", at=5.0),),
    )


def _false_alarms(pool: ScoreMatrix) -> Iterator[Series]:
    drawn = {size: sampling.groups(pool, size, _N_DRAWS, _SEED) for size in _SIZES}
    single = [compare_instances(pair, sampling.SAMPLED, sampling.RIVAL).pvalues[0, 0] for pair in drawn[_SIZES[0]]]
    first = 100 * float(np.mean(np.array(single) <= _LEVELS[0]))
    yield series("model 1", (1, _SIZES[0]), (first, first), style="other")
    for name, model in _GROUPED:
        shares = [
            np.mean(
                [
                    compare_algorithms(pair, sampling.SAMPLED, sampling.RIVAL, model=model).pvalue <= _LEVELS[0]
                    for pair in of_size
                ]
            )
            for of_size in drawn.values()
        ]
        yield series(name, _SIZES, [100 * float(share) for share in shares], is_highlighted=model == "instances")


def reranker_panel(executed: ScoreMatrix, rivals: Mapping[str, ScoreMatrix], data: str) -> Panel:
    """Return executions of a real system: how far they lie apart by topic, and what each model says against rivals.

    ``rivals`` have one execution each, on the same topics; one that differs by the same amount everywhere is left out.
    """
    order = np.argsort(executed.scores.mean(axis=0), kind="stable")
    low, middle, high = (values[order] for values in (
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
    key="jayasinghe samples 4",
    needs="runs",
    draw=lambda given: panels_of(max(given.rankings(), key=lambda run: run.depth), given.name),
    collections=("trec-dl-2019-passage", "trec-2018-core"),
)
DRAWINGS = (SAMPLES, RERANKERS)

_RIVAL = "rank_llm BM25+RankVicuna7B"


def reproduce(shipped: Shipped) -> Reproduction:
    """Return tables 1 and 2 and figures 1 and 2 on a ranking that is sampled, and on a reranker that was executed."""
    words = Words("jayasinghe")
    (run,) = shipped.rankings("trec-2004-robust", "RM3 (Yang 2019)")
    panels = panels_of(run, "Robust04")
    return words.reproduction((*_sampled_figures(words, panels), _reranker(words, shipped)))


def _sampled_figures(words: Words, panels: Mapping[str, Panel]) -> Iterator[Figure]:
    by_rate, spread = panels["table-1"], panels["figure-1"].series[0]
    shares = {str(row[0]): float(row[2] or 0.0) for row in by_rate.rows}
    low, *_, high = (rate for rate, share in shares.items() if 0 < share < 100)
    yield words.figure(
        "table-1", by_rate, (None, None, *shares.values()),
        low=low, of_low=shares[low], high=high, of_high=shares[high],
    )  # fmt: skip
    widths = [(top or 0.0) - (bottom or 0.0) for bottom, top in zip(spread.low, spread.high, strict=True)]
    widest, same = max(widths), sum(width == 0 for width in widths)
    yield words.figure("figure-1", panels["figure-1"], (widest,), same=same, n=len(widths), widest=widest)
    alarms = {line.name: line.y[0] for line in panels["models"].series}
    yield words.figure("models", panels["models"], model_2=alarms["model 2"], model_3=alarms["model 3"])
    says = {str(row[0]): str(row[-1]) for row in panels["table-2"].rows}
    equivalent, worse, safe = (
        [rate for rate, conclusion in says.items() if conclusion in wanted]
        for wanted in (("equivalent",), ("worse",), ("equivalent", "not worse by as much"))
    )
    yield words.figure("table-2", panels["table-2"], rate=equivalent[-1], margin=MARGIN)
    (intervals,) = panels["figure-2"].series
    ends = [end for both in zip(intervals.low, intervals.high, strict=True) for end in both]
    yield words.figure("figure-2", panels["figure-2"], (None, *ends), safe=safe[-1], worse=worse[0], margin=MARGIN)


def _reranker(words: Words, shipped: Shipped) -> Figure:
    name = "trec-dl-2019-passage__nDCG-at-10"
    executed, others = shipped.named(f"{name}__gpt-3-5"), shipped.named(name)
    rivals = {label: others.select([label]) for label in others.systems}
    data = (
        f"nDCG@10 on {executed.n_topics} topics of TREC 2019 Deep Learning: {executed.n_systems} executions of"
        f" GPT-3.5-turbo over BM25’s top 100, against {len(rivals)} systems that were executed once"
    )
    numbers = list(_against(executed, rivals[_RIVAL]))
    return words.figure(
        "reranker", reranker_panel(executed, rivals, data), numbers, lowest=executed.means.min(),
        highest=executed.means.max(), alone=numbers[1], n=executed.n_systems,
    )  # fmt: skip


def _against(executed: ScoreMatrix, rival: ScoreMatrix) -> Iterator[float]:
    scores = sampling.against_whole(executed, rival)
    comparison = compare_algorithms(scores, sampling.SAMPLED, sampling.WHOLE)
    posterior = posterior_difference(scores, sampling.SAMPLED, sampling.WHOLE, rng=1).interval
    cells = model_cells(scores, sampling.SAMPLED, sampling.WHOLE)
    share, _, smallest, largest, repeats, _ = (float(cell or 0.0) for cell in cells)
    yield from (executed.n_systems, round(share * executed.n_systems / 100), smallest, largest)
    yield from (comparison.estimate, repeats, comparison.pvalue, posterior.low, posterior.high)
    yield equivalence_of_difference(comparison, margin=MARGIN).pvalue
    yield noninferiority_of_difference(comparison, margin=MARGIN).pvalue
