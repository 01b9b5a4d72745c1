"""What Carterette (2015) draws: the best of equal systems, and which means could have given the best that is seen."""

from collections.abc import Sequence

import numpy as np

from analysis.best import (
    BestResult,
    ExtremeValueAnalysis,
    analyse_best,
    corrected_best,
    estimate_winner,
    maximum_distribution,
    minimum_distribution,
    winner_from_means,
)
from analysis.figures import Cell, Panel, Rule, columns_of, series
from analysis.papers.paper import LEAST_SYSTEMS, LEAST_TOPICS, Drawing, Given, Undrawable
from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import ScoreMatrix, measure_nature

PAPER = "carterette-2015"
ABOVE = (*columns_of("Method"), *columns_of("Best above its true level, %", digits=1))

_TIMES_TRIED = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)

SUMMARY = (*columns_of("Collection, results of", "N"), *columns_of("Mean", "SD", "Maximum", digits=4))
RANGES = (
    *columns_of("Collection, results of"),
    *columns_of("Mean that explains the maximum", "20th percentile", "80th percentile", digits=4),
    *columns_of("At or above the 20th"),
    *columns_of("How far the 80th is above it, %", digits=1),
)
TRIED_COLUMNS = (
    *columns_of("Measure", "Results on record", "Systems"),
    *columns_of("Largest of so many equal ones, standard errors above their mean", digits=2),
)


def maximum_panel(n: int, mean: float, sd: float, data: str) -> Panel:
    """Figure 1: where one system's score would lie, and where the largest of ``n`` equal ones."""
    largest, one = maximum_distribution(n, mean=mean, sd=sd), maximum_distribution(1, mean=mean, sd=sd)
    xs = np.linspace(mean - 3 * sd, mean + 5.5 * sd, 120)
    return Panel(
        data=data,
        series=(
            series("one", xs, _peaked(one.pdf(xs)), mark="curve"),
            series(f"largest of {n}", xs, _peaked(largest.pdf(xs)), mark="curve", is_highlighted=True),
        ),
        rules=(Rule(name=f"{largest.mean():.3f}", at=largest.mean(), axis="x"),),
    )


def _peaked(heights: Sequence[float]) -> list[float]:
    top = max(heights)
    return [float(height / top) for height in heights]


def growth_panel(mean: float, sd: float, data: str, *, seen: tuple[int, float] | None = None) -> Panel:
    """Figure 2: the largest score to be expected of more and more equal systems; ``seen`` is N, and the best."""
    times = sorted({*_TIMES_TRIED, seen[0]} if seen else _TIMES_TRIED)
    largest = [maximum_distribution(n, mean=mean, sd=sd) for n in times]
    curve = series(
        "expected", times, [one.mean() for one in largest], low=[one.ppf(0.05) for one in largest],
        high=[one.ppf(0.95) for one in largest], mark="curve", is_highlighted=True,
    )  # fmt: skip
    best = (series("best on record", [seen[0]], [seen[1]], mark="points", style="other"),) if seen else ()
    return Panel(data=data, series=(curve, *best))


def range_panel(found: ExtremeValueAnalysis, data: str) -> Panel:
    """Figure 3: the distribution that could have given the best, with its largest and smallest of as many."""
    mean, sd, n = found.adjusted_mean, found.standard_error, found.n_results
    largest, smallest = (extreme(n, mean=mean, sd=sd) for extreme in (maximum_distribution, minimum_distribution))
    one = maximum_distribution(1, mean=mean, sd=sd)
    xs = np.linspace(mean - 5 * sd, mean + 5 * sd, 140)
    ends = [found.lower, found.best]
    return Panel(
        data=data,
        series=(
            series("one", xs, _peaked(one.pdf(xs)), mark="curve", is_highlighted=True),
            series("smallest", xs, _peaked(smallest.pdf(xs)), mark="curve"),
            series("largest", xs, _peaked(largest.pdf(xs)), mark="curve"),
            series("", [one.ppf(0.025), one.ppf(0.975)], [0.03, 0.03], mark="curve", is_highlighted=True),
        ),
        rules=tuple(Rule(name=f"{end:.4f}", at=end, axis="x") for end in ends),
    )


def runs_panel(means: Sequence[float], found: BestResult, data: str) -> Panel:
    """Section 3.1: how many results have which mean, in bars of 0.02 (of a fiftieth of the best where that is above 1),
    and what the largest and the smallest of as many equal ones would reach."""
    width = 0.02 * max(*means, 1.0)
    edges = width * np.arange(min(0, np.floor(min(means) / width)), np.floor(max(means) / width) + 2)
    counts, _ = np.histogram(means, edges)
    return Panel(
        data=data,
        series=(series("results", edges, counts, mark="bars"),),
        rules=tuple(Rule(name=f"{end:.4f}", at=end, axis="x") for end in (found.chance_lower, found.chance_upper)),
    )


def estimates_of(matrix: ScoreMatrix, measure: str) -> tuple[float, list[tuple[str, float | None]]]:
    """The mean of the best system, and what it is truly worth by each method that can say it."""
    families = near_copies(matrix).families
    residual = family_weighted_variance(matrix, families)
    corrected = corrected_best(matrix, kind=measure_nature(measure).kind, families=families, residual_variance=residual)
    report = estimate_winner(matrix, rng=1, measure_name=measure)
    by_means = winner_from_means(matrix.means, n_topics=matrix.n_topics, residual_variance=residual)
    return report.raw_mean, [
        ("drawn towards the mean of all", corrected.estimate),
        ("James-Stein, from topic scores", report.estimate),
        ("James-Stein, from means", by_means.estimate),
        *((one.method, one.estimate) for one in report.alternatives if one.method in ("bootstrap optimism", "hybrid")),
    ]


def estimates_panel(matrix: ScoreMatrix, measure: str, data: str) -> Panel:
    """The abstract's claim: by how many percent the best is above what it is worth."""
    best, estimates = estimates_of(matrix, measure)
    rows = [(name, 100 * (best / worth - 1)) for name, worth in estimates if worth is not None and worth > 0]
    return Panel(data=data, columns=ABOVE, rows=tuple(rows))


def summary_row(name: str, found: BestResult) -> tuple[Cell, ...]:
    """A row of table 2."""
    return name, found.n_results, found.mean, found.sd, found.best


def range_row(name: str, found: BestResult) -> tuple[Cell, ...]:
    """A row of table 3."""
    return (
        name, found.adjusted_mean, found.lower, found.best, found.n_plausible, 100 * (found.best / found.lower - 1),
    )  # fmt: skip


def panels_of(name: str, means: Sequence[float], n_topics: int, *, of: str) -> dict[str, Panel]:
    """Figures 1 to 3, and rows of tables 2 and 3, of the means of one collection's systems, which ``of`` names."""
    found = analyse_best(means, n_topics=n_topics)
    data = f"{name}: {found.n_results} {of} on {n_topics} topics; mean {found.mean:.4f}, SD {found.sd or 0:.4f}"
    return {
        "figure-1": maximum_panel(found.n_results, found.mean, found.standard_error, data),
        "figure-2": growth_panel(found.mean, found.standard_error, data, seen=(found.n_results, found.best)),
        "figure-3": range_panel(found, data),
        "section-3-1": runs_panel(means, found, data),
        "table-2": Panel(data=data, columns=SUMMARY, rows=(summary_row(name, found),)),
        "table-3": Panel(data=data, columns=RANGES, rows=(range_row(name, found),)),
    }


def tries_panel(name: str, tried: Sequence[tuple[str, int, int]]) -> Panel:
    """Section 5: how many results of each measure of a collection are on record, and of how many systems."""
    return Panel(
        data=f"{name}: {sum(n for _, n, _ in tried):,} results on record today",
        columns=TRIED_COLUMNS,
        rows=tuple((measure, n, n_systems, maximum_distribution(n).mean()) for measure, n, n_systems in tried),
        note="What was tried and never printed comes on top.",
    )


def _draw_means(given: Given) -> dict[str, Panel]:
    if given.means:
        return panels_of(given.name, given.means, given.n_topics, of="counted results")
    matrix = _more_is_better(given, 2, 2)
    return panels_of(given.name, matrix.means.tolist(), matrix.n_topics, of="systems")


def _draw_estimates(given: Given) -> dict[str, Panel]:
    matrix = _more_is_better(given, LEAST_SYSTEMS, LEAST_TOPICS)
    return {"abstract": estimates_panel(matrix, given.measure, given.describe(matrix))}


def _more_is_better(given: Given, least_systems: int, least_topics: int) -> ScoreMatrix:
    matrix = given.scores(least_systems, least_topics)
    if not given.higher_is_better:
        raise Undrawable(f"the paper draws measures of which more is better, and of {given.measure} less is")
    return matrix


_COLLECTIONS = ("trec-8-adhoc", "trec-2004-robust")
DRAWINGS = (
    Drawing(
        paper=PAPER, figures=frozenset({"abstract"}), key="carterette estimates 2", needs="scores",
        draw=_draw_estimates, collections=_COLLECTIONS,
    ),
    Drawing(
        paper=PAPER,
        figures=frozenset({"figure-1", "figure-2", "figure-3", "section-3-1", "table-2", "table-3"}),
        key="carterette means 2", needs="means", draw=_draw_means, is_quick=True, collections=_COLLECTIONS,
    ),
)  # fmt: skip
