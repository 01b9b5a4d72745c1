"""Runs of four years of TREC on a scale that stays: against systems of today, topic by topic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.documents import average_precision, judge_run
from analysis.figures import Axis, Cell, Panel, Rule, columns_of, series
from analysis.papers.paper import Figure, Line, Shipped
from analysis.papers.zobel import spread_panel
from analysis.scales import percentile_among, reference_factors, standardize
from analysis.scores import ScoreMatrix

#: Ad hoc and robust tracks, all on the same documents, whose runs have scores by topic here.
YEARS = {1998: "trec-7-adhoc", 1999: "trec-8-adhoc", 2003: "trec-2003-robust", 2004: "trec-2004-robust"}
MODERN = "RM3 (Yang 2019)"
_AP = Axis(label="AP", low=0)
_TREC_YEAR = Axis(
    label="year of TREC", low=1997, high=2005, ticks=tuple((float(year), str(year)) for year in range(1998, 2005, 2))
)  # fmt: skip
#: Robust04's scores by topic are of its 99 topics from here on.
_FIRST_OF_2004 = 601
_N_NAMED = 3
_GRIDS = ("trec-7-adhoc", "trec-8-adhoc")
_TITLES = {"trec-7-adhoc": "TREC-7", "trec-8-adhoc": "TREC-8", "trec-2003-robust": "Robust",
           "trec-2004-robust": "Robust"}  # fmt: skip

_METHODS = ("historical-standardization", "standardization")
_BY_PLACE = (
    "The publisher of the runs’ scores withheld names of runs and of topics. Topics are taken in the order of their"
    " numbers; runs are never matched with names."
)
_OTHERS = (
    "Other years can’t be had: runs of TREC-3 to 6 are NIST’s, for participants, and no system of today has scores here"
    " on the topics of TREC-5 or Web 2010 and 2011."
)
_PRINTED = "They draw it, and say “no overall improvement, perhaps since TREC 3 (1994)”, without a number."


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Scores by topic of the runs of each year, of the modern run, and of the reference systems, by topic number."""

    runs: Mapping[int, ScoreMatrix]
    modern: Mapping[str, float]
    grid: ScoreMatrix


def read_history(shipped: Shipped) -> History:
    """All that is needed; topics of runs are labelled by their numbers."""
    (modern,) = shipped.rankings("trec-2004-robust", MODERN)
    judged = judge_run(modern.run, modern.judgements)
    return History(
        {year: _numbered(shipped, collection) for year, collection in YEARS.items()},
        dict(zip(judged.topics, map(average_precision, judged.lists), strict=True)),
        _grid(shipped),
    )


def _numbered(shipped: Shipped, collection: str) -> ScoreMatrix:
    matrix = shipped.unnamed(f"{collection}__AP")
    topics = sorted(shipped.judgements(collection).topics, key=int)
    if collection == "trec-2004-robust":
        relevant = shipped.judgements(collection).relevant
        topics = [topic for topic in topics if int(topic) >= _FIRST_OF_2004 and relevant(topic)]
    return ScoreMatrix(matrix.systems, topics, matrix.scores)


def _grid(shipped: Shipped) -> ScoreMatrix:
    """The same reference systems on the topics of TREC-7 and of TREC-8."""
    first, second = (shipped.unnamed(f"{collection}__AP__grid-of-points") for collection in _GRIDS)
    scores = np.hstack([first.scores, second.select(first.systems).scores])
    return ScoreMatrix(first.systems, (*first.topics, *second.topics), scores)


def beaten(runs: ScoreMatrix, modern: Mapping[str, float]) -> list[float]:
    """Per cent of the topics on which each run has more than the modern one; the same counts half."""
    rival = np.array([modern[topic] for topic in runs.topics])
    wins = (runs.scores > rival) + 0.5 * (runs.scores == rival)
    return [float(one) for one in 100 * wins.mean(axis=1)]


def on_grid(runs: ScoreMatrix, grid: ScoreMatrix) -> tuple[list[float], int]:
    """Standardized means of runs by the reference systems, from 0 to 1, over the topics of both; and how many."""
    topics = [topic for topic in runs.topics if topic in grid.topics]
    own = ScoreMatrix(runs.systems, topics, runs.scores[:, [runs.topics.index(topic) for topic in topics]])
    reference = ScoreMatrix(grid.systems, topics, grid.scores[:, [grid.topics.index(topic) for topic in topics]])
    found = standardize(own, reference_factors(reference), transform="normal")
    return [float(one) for one in found.means], len(topics)


def history_figures(shipped: Shipped) -> Iterator[Figure]:
    """The problem of raw scores, the historical plot by two yardsticks, and runs with public names."""
    history = read_history(shipped)
    yield _spread(history.grid)
    yield _against_modern(history)
    yield _against_grid(history)
    yield _named(shipped, history)


def _spread(grid: ScoreMatrix) -> Figure:
    places = [place for place, topic in enumerate(grid.topics) if int(topic) > 400]
    of_trec_8 = ScoreMatrix(grid.systems, [grid.topics[one] for one in places], grid.scores[:, places])
    panel = spread_panel(
        of_trec_8,
        f"AP of {grid.n_systems} configurations of toolkits on {len(places)} topics (gridofpoints/trec-sigir2016)",
    )
    means = sorted(of_trec_8.scores.mean(axis=0))
    return Figure(
        slug="standardization",
        name="Score standardization: the problem",
        title=f"The mean score of one set of systems runs from {means[0]:.3f} on one topic to {means[-1]:.3f} on"
        " another",
        caption="Each topic of TREC-8 with the mean AP of the 560 reference systems and one standard deviation on"
        " either side. A standardized score is how many of these a system is above the mean of its topic, so that each"
        " topic has mean 0 and standard deviation 1. The slides give the formula, and no numbers.",
        panel=panel,
        x=Axis(label="topics, by the mean of the systems", low=0),
        y=_AP,
        methods=("standardization",),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _OfYear:
    """The runs of a year, each with its level: ``n_topics`` are those that it is on."""

    year: int
    levels: Sequence[float]
    n_topics: int


def _history_panel(years: Sequence[_OfYear], data: str, *, level: Rule) -> Panel:
    """The historical plot: median runs of each year with quartiles, and the best."""
    xs = [one.year for one in years]
    low, middle, high = np.array([np.quantile(one.levels, (0.25, 0.5, 0.75)) for one in years]).T
    best = [max(one.levels) for one in years]
    return Panel(
        data=data,
        series=(
            series("median", xs, middle, low=low, high=high, mark="points", is_highlighted=True),
            series("best", xs, best, mark="points", style="other"),
        ),
        rules=(level,),
    )


def _against_modern(history: History) -> Figure:
    years = [_OfYear(year, beaten(runs, history.modern), runs.n_topics) for year, runs in history.runs.items()]
    medians = {one.year: float(np.median(one.levels)) for one in years}
    tops = {one.year: max(one.levels) for one in years}
    n_topics = ", ".join(f"{one.n_topics} in {one.year}" for one in years)
    # How far topics on which runs do well are those on which the modern one does.
    alike = [
        float(np.corrcoef(runs.scores.mean(axis=0), [history.modern[topic] for topic in runs.topics])[0, 1])
        for runs in history.runs.values()
    ]
    return Figure(
        slug="history",
        name="Historical standardization: four years against one run of today",
        title=f"The median run of 1998 beats a run of 2019 on {medians[1998]:.0f} % of the topics, that of 2004 on"
        f" {medians[2004]:.0f} %",
        caption="Each run against one shared reference, Anserini’s BM25 with RM3 as Yang et al. (2019) have it, topic"
        f" by topic: on how many it has the higher AP. Teal, the median run with quartiles; orange, the best."
        f" {_BY_PLACE} That order is borne out: mean scores by topic go with those of the reference (correlation"
        f" {min(alike):.2f} to {max(alike):.2f}). {_OTHERS}",
        panel=_history_panel(
            years,
            f"AP of {sum(runs.n_systems for runs in history.runs.values())} runs without names; topics: {n_topics}",
            level=Rule(name="even", at=50.0),
        ),
        x=_TREC_YEAR,
        y=Axis(label="topics on which a run beats RM3 of 2019, %", low=0, high=100),
        methods=_METHODS,
        lines=tuple(
            Line(f"Topics on which the {which} run of {year} beats RM3 of 2019", None, found[year], 0, unit="%",
                 why=_PRINTED)
            for which, found in (("median", medians), ("best", tops))
            for year in found
        ),
    )  # fmt: skip


def _against_grid(history: History) -> Figure:
    years = []
    for year, runs in history.runs.items():
        if any(topic in history.grid.topics for topic in runs.topics):
            years.append(_OfYear(year, *on_grid(runs, history.grid)))
    medians = {one.year: float(np.median(one.levels)) for one in years}
    n_topics = ", ".join(f"{one.n_topics} in {one.year}" for one in years)
    return Figure(
        slug="history-standardized",
        name="Historical standardization: three years on the scale of toolkits",
        title="On the scale of 560 configurations of toolkits the median run moves from"
        f" {medians[1998]:.2f} (1998) to {medians[2003]:.2f} (2003)",
        caption="Means over topics of each run’s z by the reference systems’ mean and standard deviation on the topic,"
        " turned into a share of the normal distribution: 0.5 is their average. Robust 2003 asked old topics again,"
        " which were chosen because runs had failed on them; those of them that TREC-7 and 8 have are here. Robust"
        f" 2004’s scores are of newer topics. Teal, the median run with quartiles; orange, the best. {_BY_PLACE}",
        panel=_history_panel(
            years,
            f"AP of runs without names by 560 combinations of stop list, stemmer and model; topics: {n_topics}",
            level=Rule(name="mean of the toolkits", at=0.5),
        ),
        x=_TREC_YEAR,
        y=Axis(label="standardized score, from 0 to 1", low=0, high=1),
        methods=_METHODS,
        lines=tuple(
            Line(f"Standardized mean of the median run of {year}", None, value, 2, why=_PRINTED)
            for year, value in medians.items()
        ),
    )


_NAMED = (
    *columns_of("Run"),
    *columns_of("Team", "Track", "Kind", kind="text"),
    *columns_of("MAP as published", "RM3 of 2019 on the same topics", digits=4),
    *columns_of("Configurations of toolkits that are worse, %", digits=1),
)


def _named(shipped: Shipped, history: History) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for year, collection in YEARS.items():
        runs = shipped.results("trec_adhoc.csv", collection, "trec_run")
        runs.sort(key=lambda one: (-float(one["value"]), one["system"]))
        modern = float(np.mean([history.modern[topic] for topic in _topics(shipped, collection)]))
        grid = _means_on(history.grid, _topics(shipped, collection))
        for one in (*runs[:_N_NAMED], runs[len(runs) // 2]):
            value = float(one["value"])
            among = None if grid is None else float(percentile_among([value], grid)[0])
            rows.append(
                (one["system"], one["team"], f"{_TITLES[collection]} ({year})", one["run_type"], value, modern, among)
            )
    best = [rows[place] for place in range(0, len(rows), _N_NAMED + 1)]
    n_above = sum(float(row[4] or 0.0) > float(row[5] or 0.0) for row in best)
    return Figure(
        slug="names",
        name="Historical standardization: runs that have names",
        title=f"In {n_above} of {len(best)} years the best run has a higher MAP than a run of 2019",
        caption="The three best runs of each year and the one in the middle, by the means that TREC published under"
        " their names, beside RM3 of 2019 on all topics of the track, and among the means of the toolkits where these"
        " ran on all of them. Names and scores by topic are not matched.",
        panel=Panel(
            data="Means of original runs with names (trec_adhoc.csv, from NIST’s pages)",
            columns=_NAMED,
            rows=tuple(rows),
        ),
        methods=("standing-among-reference-means", "historical-standardization"),
    )


def _topics(shipped: Shipped, collection: str) -> list[str]:
    judgements = shipped.judgements(collection)
    return [topic for topic in judgements.topics if judgements.relevant(topic)]


def _means_on(grid: ScoreMatrix, topics: list[str]) -> list[float] | None:
    """Means of the reference systems over these topics; None where they lack one."""
    if not set(topics) <= set(grid.topics):
        return None
    return [float(one) for one in grid.scores[:, [grid.topics.index(topic) for topic in topics]].mean(axis=1)]
