"""Carterette (2015): the best of equal systems, and which means could have given the best that is seen."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import ndtri

from analysis.best import (
    BestResult,
    ExtremeValueAnalysis,
    analyse_best,
    analyse_summary,
    confidence_set_for_best,
    corrected_best,
    estimate_winner,
    gumbel_approximation,
    maximum_distribution,
    minimum_distribution,
    range_probability,
    scores_maximum_cdf,
    winner_from_means,
)
from analysis.figures import Cell, Panel, Rule, columns_of, series
from analysis.papers.paper import (
    LEAST_SYSTEMS,
    LEAST_TOPICS,
    Drawing,
    Figure,
    Given,
    Reproduction,
    Shipped,
    Undrawable,
    Words,
    values_of,
)
from analysis.ranks import verified_leader
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
    """Return figure 1: where one system's score would lie, and where the largest of ``n`` equal ones."""
    largest, single = maximum_distribution(n, mean=mean, sd=sd), maximum_distribution(1, mean=mean, sd=sd)
    xs = np.linspace(mean - 3 * sd, mean + 5.5 * sd, 120)
    return Panel(
        data=data,
        series=(
            series("one", xs, _peaked(single.pdf(xs)), mark="curve"),
            series(f"largest of {n}", xs, _peaked(largest.pdf(xs)), mark="curve", is_highlighted=True),
        ),
        rules=(Rule(name=f"{largest.mean():.3f}", at=largest.mean(), axis="x"),),
    )


def _peaked(heights: Sequence[float]) -> list[float]:
    top = max(heights)
    return [float(height / top) for height in heights]


def growth_panel(mean: float, sd: float, data: str, *, seen: tuple[int, float] | None = None) -> Panel:
    """Return figure 2: the largest score to be expected of more and more equal systems; ``seen`` is N, and the best."""
    times = sorted({*_TIMES_TRIED, seen[0]} if seen else _TIMES_TRIED)
    largest = [maximum_distribution(n, mean=mean, sd=sd) for n in times]
    curve = series(
        "expected", times, [extreme.mean() for extreme in largest], low=[extreme.ppf(0.05) for extreme in largest],
        high=[extreme.ppf(0.95) for extreme in largest], mark="curve", is_highlighted=True,
    )  # fmt: skip
    best = (series("best on record", [seen[0]], [seen[1]], mark="points", style="other"),) if seen else ()
    return Panel(data=data, series=(curve, *best))


def range_panel(result: ExtremeValueAnalysis, data: str) -> Panel:
    """Return figure 3: the distribution that could have given the best, with its largest and smallest of as many."""
    mean, sd, n = result.adjusted_mean, result.standard_error, result.n_results
    largest, smallest = (extreme(n, mean=mean, sd=sd) for extreme in (maximum_distribution, minimum_distribution))
    single = maximum_distribution(1, mean=mean, sd=sd)
    xs = np.linspace(mean - 5 * sd, mean + 5 * sd, 140)
    ends = [result.lower, result.best]
    return Panel(
        data=data,
        series=(
            series("one", xs, _peaked(single.pdf(xs)), mark="curve", is_highlighted=True),
            series("smallest", xs, _peaked(smallest.pdf(xs)), mark="curve"),
            series("largest", xs, _peaked(largest.pdf(xs)), mark="curve"),
            series("", [single.ppf(0.025), single.ppf(0.975)], [0.03, 0.03], mark="curve", is_highlighted=True),
        ),
        rules=tuple(Rule(name=f"{end:.4f}", at=end, axis="x") for end in ends),
    )


def runs_panel(means: Sequence[float], result: BestResult, data: str) -> Panel:
    """Return section 3.1: how many results have which mean, in bars of 0.02 (of a fiftieth of the best where that is
    above 1), and what the largest and the smallest of as many equal ones would reach."""
    width = 0.02 * max(*means, 1.0)
    edges = width * np.arange(min(0, np.floor(min(means) / width)), np.floor(max(means) / width) + 2)
    counts, _ = np.histogram(means, edges)
    return Panel(
        data=data,
        series=(series("results", edges, counts, mark="bars"),),
        rules=tuple(Rule(name=f"{end:.4f}", at=end, axis="x") for end in (result.chance_lower, result.chance_upper)),
    )


def estimates_of(matrix: ScoreMatrix, measure: str) -> tuple[float, list[tuple[str, float | None]]]:
    """Return the mean of the best system, and what it is truly worth by each method that can say it."""
    families = near_copies(matrix).families
    residual = family_weighted_variance(matrix, families)
    corrected = corrected_best(matrix, kind=measure_nature(measure).kind, families=families, residual_variance=residual)
    report = estimate_winner(matrix, rng=1, measure_name=measure)
    by_means = winner_from_means(matrix.means, n_topics=matrix.n_topics, residual_variance=residual)
    return report.raw_mean, [
        ("drawn towards the mean of all", corrected.estimate),
        ("James-Stein, from topic scores", report.estimate),
        ("James-Stein, from means", by_means.estimate),
        *(
            (alternative.method, alternative.estimate)
            for alternative in report.alternatives
            if alternative.method in ("bootstrap optimism", "hybrid")
        ),
    ]


def estimates_panel(matrix: ScoreMatrix, measure: str, data: str) -> Panel:
    """Return the abstract's claim: by how many percent the best is above what it is worth."""
    best, estimates = estimates_of(matrix, measure)
    rows = [(name, 100 * (best / worth - 1)) for name, worth in estimates if worth is not None and worth > 0]
    return Panel(data=data, columns=ABOVE, rows=tuple(rows))


def summary_row(name: str, result: BestResult) -> tuple[Cell, ...]:
    """Return a row of table 2."""
    return name, result.n_results, result.mean, result.sd, result.best


def range_row(name: str, result: BestResult) -> tuple[Cell, ...]:
    """Return a row of table 3."""
    above = 100 * (result.best / result.lower - 1)
    return name, result.adjusted_mean, result.lower, result.best, result.n_plausible, above


def panels_of(name: str, means: Sequence[float], n_topics: int, *, of: str) -> dict[str, Panel]:
    """Return figures 1 to 3, and rows of tables 2 and 3, of the means of one collection's systems, which ``of``
    names."""
    result = analyse_best(means, n_topics=n_topics)
    data = f"{name}: {result.n_results} {of} on {n_topics} topics; mean {result.mean:.4f}, SD {result.sd or 0:.4f}"
    return {
        "figure-1": maximum_panel(result.n_results, result.mean, result.standard_error, data),
        "figure-2": growth_panel(result.mean, result.standard_error, data, seen=(result.n_results, result.best)),
        "figure-3": range_panel(result, data),
        "section-3-1": runs_panel(means, result, data),
        "table-2": Panel(data=data, columns=SUMMARY, rows=(summary_row(name, result),)),
        "table-3": Panel(data=data, columns=RANGES, rows=(range_row(name, result),)),
    }


def _draw_tries(given: Given) -> dict[str, Panel]:
    """Return section 5: how many results of each measure of a collection are on record, and of how many systems."""
    panel = Panel(
        data=f"{given.name}: {sum(n for _, n, _ in given.counted()):,} results on record today",
        columns=TRIED_COLUMNS,
        rows=tuple((measure, n, n_systems, maximum_distribution(n).mean()) for measure, n, n_systems in given.counts),
        note="What was tried and never printed comes on top.",
    )
    return {"section-5": panel}


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
    Drawing(
        paper=PAPER, figures=frozenset({"section-5"}), key="carterette tries 1", needs="tries", draw=_draw_tries,
        is_quick=True,
    ),
)  # fmt: skip

#: What the paper simulates from.
_MEAN, _SD = 0.20, 0.027
#: The paper’s collections whose original runs ship, and topics of each.
_RUNS = (
    ("WT10g, runs of TREC-9", "trec-2000-web", 50),
    ("WT10g, runs of TREC 2001", "trec-2001-web-adhoc", 50),
    ("GOV2, runs of 2004", "trec-2004-terabyte-adhoc", 49),
    ("GOV2, runs of 2005", "trec-2005-terabyte-adhoc", 50),
    ("GOV2, runs of 2006", "trec-2006-terabyte-adhoc", 50),
    ("Robust04, runs of 2004", "trec-2004-robust", 249),
)
#: Collections with scores by topic under AP.
_SCORED = (
    ("TREC-5 ad hoc, topic scores", "trec-5-adhoc"),
    ("TREC-7 ad hoc, topic scores", "trec-7-adhoc"),
    ("TREC-8 ad hoc, topic scores", "trec-8-adhoc"),
    ("Robust 2003, topic scores", "trec-2003-robust"),
    ("Robust04, topic scores of 99 topics", "trec-2004-robust"),
    ("Web 2010, topic scores", "trec-2010-web"),
)
_VENUES = (("SIGIR", 1995), ("ECIR", 2005), ("CIKM", 2005))


def reproduce(shipped: Shipped) -> Reproduction:
    """Return figures 1 to 3, tables 1 to 3, and what of the text needs no transcription of the author's."""
    words = Words("carterette")
    return words.reproduction(
        (
            _claim(words, shipped),
            _largest(words),
            _growth(words),
            _runs_of_trec_7(words, shipped),
            _range(words),
            _searched(words, shipped),
            *_literature(words, shipped),
            _most_tried(words, shipped),
        )
    )


def _claim(words: Words, shipped: Shipped) -> Figure:
    """Return the claim of the abstract against what scores by topic say of the same collection."""
    matrix = shipped.unnamed("trec-7-adhoc__AP")
    best, estimates = estimates_of(matrix, "AP")
    best_set = confidence_set_for_best(matrix, rng=1)
    is_alone = verified_leader(best_set.members, n_topics=best_set.n_topics).is_verified
    equal = scores_maximum_cdf(0.2375, matrix.scores, 1, means=[float(matrix.means.mean())] * matrix.n_systems)
    data = "AP of the 103 runs on 50 topics, without their names (trec-7-adhoc__AP.csv); the best is a manual run"
    panel = estimates_panel(matrix, "AP", data)
    above = [None if worth is None else 100 * (best / worth - 1) for _, worth in estimates]
    known = [float(row[1] or 0.0) for row in panel.rows]
    return words.figure(
        "abstract", panel, (*above, 100 * (1 - equal.estimate), best_set.n_members),
        lowest=min(known), highest=max(known), n=len(known), alone="" if is_alone else "not ",
    )  # fmt: skip


def _largest(words: Words) -> Figure:
    largest, single = (maximum_distribution(n, mean=_MEAN, sd=_SD) for n in (100, 1))
    beyond = [100 * float(largest.sf(_MEAN + _SD * ndtri(level))) for level in (0.95, 0.975)]
    above = 100 * (largest.mean() / _MEAN - 1)
    data = f"No data: 100 systems with mean {_MEAN:.2f} and standard deviation {_SD}"
    numbers = (largest.mean(), above, 100 * float(single.sf(0.267)), *beyond)
    return words.figure("figure-1", maximum_panel(100, _MEAN, _SD, data), numbers)


def _growth(words: Words) -> Figure:
    means = [maximum_distribution(n, mean=_MEAN, sd=_SD).mean() for n in (10, 1000)]
    location = gumbel_approximation(100, mean=_MEAN, sd=_SD).location
    data = f"No data: systems with mean {_MEAN:.2f} and standard deviation {_SD}"
    return words.figure("figure-2", growth_panel(_MEAN, _SD, data), (*means, location))


def _range(words: Words) -> Figure:
    result = analyse_summary(mean=0.2, sd=0.08, best=0.303, n_results=103, n_topics=50)
    equal = {"mean": result.adjusted_mean, "sd": result.standard_error}
    data = "103 results on 50 topics with mean 0.2 and standard deviation 0.08, as the paper rounds them"
    numbers = (
        result.chance_upper,
        result.chance_lower,
        result.adjusted_mean,
        100 * (result.inflation or 0.0),
        float(minimum_distribution(103, **equal).ppf(0.2)),
        100 * range_probability(result.lower, result.best, 103, **equal),
        100 * (result.best / result.lower - 1),
    )
    return words.figure("figure-3", range_panel(result, data), numbers)


def _runs_of_trec_7(words: Words, shipped: Shipped) -> Figure:
    rows = shipped.results("trec_adhoc.csv", "trec-7-adhoc")
    means = values_of(rows)
    result = analyse_best(means, n_topics=50, contenders=[row["run_type"] == "automatic" for row in rows])
    above, below = int((means > 0.2375).sum()), int((means < 0.1625).sum())
    data = f"The means of the {len(means)} runs of TREC-7 ad hoc that ship (trec_adhoc.csv), to four digits"
    numbers = (
        result.n_results, result.mean, result.sd, result.chance_upper, result.chance_lower,
        above, below, len(means) - above - below, above - 103 * (1 - 0.95 ** (1 / 103)),
        result.best, result.adjusted_mean, result.n_plausible,
    )  # fmt: skip
    return words.figure("section-3-1", runs_panel(means.tolist(), result, data), numbers)


def _searched(words: Words, shipped: Shipped) -> Figure:
    rows = tuple((f"{venue} {since}–2014", shipped.n_papers(venue, since, 2014)) for venue, since in _VENUES)
    counts = [n for _, n in rows]
    panel = Panel(data="Papers on record (papers.csv)", columns=columns_of("Venue and years", "Papers"), rows=rows)
    return words.figure("table-1", panel, counts, n=sum(counts))


def _literature(words: Words, shipped: Shipped) -> Iterator[Figure]:
    """Yield tables 2 and 3, of papers on Robust04 and of runs."""
    results = dict(_results_of(shipped))
    papers = next(iter(results.values()))
    above = {name: 100 * (result.best / result.lower - 1) for name, result in results.items()}
    widest = max(above, key=lambda name: above[name])
    data = (
        "AP: papers on Robust04 (robust04_papers.csv), original runs (trec_adhoc.csv), means of topic scores that ship"
    )
    yield words.figure(
        "table-2",
        Panel(data=data, columns=SUMMARY, rows=tuple(summary_row(*item) for item in results.items())),
        (papers.n_results, papers.mean, papers.sd, papers.best, None),
        n=papers.n_results, mean=papers.mean, best=papers.best,
    )  # fmt: skip
    gov2 = max(share for name, share in above.items() if name.startswith("GOV2"))
    yield words.figure(
        "table-3",
        Panel(data=data, columns=RANGES, rows=tuple(range_row(*item) for item in results.items())),
        (papers.adjusted_mean, papers.lower, papers.n_plausible, gov2, None),
        name=widest, width=above[widest],
    )  # fmt: skip


def _results_of(shipped: Shipped) -> Iterator[tuple[str, BestResult]]:
    proposed = shipped.results("robust04_papers.csv", "trec-2004-robust", "proposed")
    yield "Robust04, papers of 2005 to 2019", analyse_best(values_of(proposed), n_topics=249)
    for name, collection, n_topics in _RUNS:
        runs = shipped.results("trec_adhoc.csv", collection, "trec_run")
        yield name, analyse_best(values_of(runs), n_topics=n_topics)
    for name, collection in _SCORED:
        matrix = shipped.unnamed(f"{collection}__AP")
        yield name, analyse_best(matrix.scores.mean(axis=1), n_topics=matrix.n_topics)


def _most_tried(words: Words, shipped: Shipped) -> Figure:
    counts = shipped.most_tried(10)
    panel = Panel(
        data="Results that ship, the ten collections and measures with the most",
        columns=(*columns_of("Collection and measure"), TRIED_COLUMNS[1], TRIED_COLUMNS[3]),
        rows=tuple((name, n, maximum_distribution(n).mean()) for name, n in counts),
    )
    return words.figure("section-5", panel, name=counts[0][0], n=counts[0][1])
