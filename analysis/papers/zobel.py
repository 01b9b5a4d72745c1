"""Zobel, with Moffat, Sanderson and Webber: systems on a scale that stays, papers over the years, what a talk asks.

The history is of runs of four years of TREC, against systems of today, topic by topic.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.documents import average_precision, judge_run
from analysis.figures import Cell, Panel, Rule, columns_of, series
from analysis.papers.paper import LEAST_SYSTEMS, Drawing, Figure, Given, Reproduction, Shipped, Words, values_of
from analysis.scales import percentile_among, reference_factors, standardize
from analysis.scores import ScoreMatrix
from analysis.trends import baselines_against_known_best, standing_of_papers, trend_over_time

#: Ad hoc and robust tracks, all on the same documents, whose runs have scores by topic here.
YEARS = {1998: "trec-7-adhoc", 1999: "trec-8-adhoc", 2003: "trec-2003-robust", 2004: "trec-2004-robust"}
MODERN = "RM3 (Yang 2019)"
#: Robust04's scores by topic are of its 99 topics from here on.
_FIRST_OF_2004 = 601
_N_NAMED = 3
_GRIDS = ("trec-7-adhoc", "trec-8-adhoc")
_TITLES = {"trec-7-adhoc": "TREC-7", "trec-8-adhoc": "TREC-8", "trec-2003-robust": "Robust",
           "trec-2004-robust": "Robust"}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Scores by topic of the runs of each year, of the modern run, and of the reference systems, by topic number."""

    runs: Mapping[int, ScoreMatrix]
    modern: Mapping[str, float]
    grid: ScoreMatrix


def read_history(shipped: Shipped) -> History:
    """Return all that is needed; topics of runs are labelled by their numbers."""
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
    """Return the same reference systems on the topics of TREC-7 and of TREC-8."""
    first, second = (shipped.unnamed(f"{collection}__AP__grid-of-points") for collection in _GRIDS)
    scores = np.hstack([first.scores, second.select(first.systems).scores])
    return ScoreMatrix(first.systems, (*first.topics, *second.topics), scores)


def beaten(runs: ScoreMatrix, modern: Mapping[str, float]) -> list[float]:
    """Return per cent of the topics on which each run has more than the modern one; the same counts half."""
    rival = np.array([modern[topic] for topic in runs.topics])
    wins = (runs.scores > rival) + 0.5 * (runs.scores == rival)
    return [float(share) for share in 100 * wins.mean(axis=1)]


def on_grid(runs: ScoreMatrix, grid: ScoreMatrix) -> tuple[list[float], int]:
    """Return standardized means of runs by the reference systems, from 0 to 1, over the topics of both; and how
    many."""
    topics = [topic for topic in runs.topics if topic in grid.topics]
    own, reference = _on_topics(runs, topics), _on_topics(grid, topics)
    return standardize(own, reference_factors(reference), transform="normal").means.tolist(), len(topics)


def spread_panel(matrix: ScoreMatrix, data: str) -> Panel:
    """Return the problem: the mean score of the same systems on each topic, with a standard deviation on either
    side."""
    factors = reference_factors(matrix)
    order = np.argsort(factors.means, kind="stable")
    means, sds = factors.means[order], factors.sds[order]
    low = np.maximum(means - sds, 0.0) if np.min(matrix.scores) >= 0 else means - sds
    topics = series(
        "mean", range(1, len(order) + 1), means, low=low, high=means + sds, mark="points", is_highlighted=True
    )
    return Panel(data=data, series=(topics,))


def history_figures(words: Words, shipped: Shipped) -> Iterator[Figure]:
    """Yield the problem of raw scores, the historical plot by two yardsticks, and runs with public names."""
    history = read_history(shipped)
    yield _spread(words, history.grid)
    yield _against_modern(words, history)
    yield _against_grid(words, history)
    yield _named(words, shipped, history)


def _spread(words: Words, grid: ScoreMatrix) -> Figure:
    of_trec_8 = _on_topics(grid, [topic for topic in grid.topics if int(topic) > 400])
    n, n_topics = of_trec_8.n_systems, of_trec_8.n_topics
    data = f"AP of {n} configurations of toolkits on {n_topics} topics (gridofpoints/trec-sigir2016)"
    means = of_trec_8.scores.mean(axis=0)
    return words.figure("standardization", spread_panel(of_trec_8, data), lowest=means.min(), highest=means.max())


def _on_topics(matrix: ScoreMatrix, topics: Sequence[str]) -> ScoreMatrix:
    places = [matrix.topics.index(topic) for topic in topics]
    return ScoreMatrix(matrix.systems, topics, matrix.scores[:, places])


@dataclass(frozen=True, slots=True, eq=False)
class _OfYear:
    """The runs of a year, each with its level and its mean: ``n_topics`` are those that the level is on."""

    year: int
    levels: Sequence[float]
    n_topics: int
    means: Sequence[float]

    def by_mean(self, share: float) -> float:
        """Return the level of the run that so large a share of runs is better than, by their means: 0 of the best."""
        order = np.argsort(-np.array(self.means), kind="stable")
        return self.levels[int(order[int(share * len(order))])]


def _history_panel(years: Sequence[_OfYear], data: str, *, level: Rule) -> Panel:
    """Return the historical plot: of each year the median and the best run by their means, and quartiles of all."""
    xs = [year.year for year in years]
    low, high = np.array([np.quantile(year.levels, (0.25, 0.75)) for year in years]).T
    middle, best = ([year.by_mean(share) for year in years] for share in (0.5, 0.0))
    return Panel(
        data=data,
        series=(
            series("median", xs, middle, low=low, high=high, mark="points", is_highlighted=True),
            series("best", xs, best, mark="points", style="other"),
        ),
        rules=(level,),
    )


def _against_modern(words: Words, history: History) -> Figure:
    years = [
        _OfYear(year, beaten(runs, history.modern), runs.n_topics, runs.means.tolist())
        for year, runs in history.runs.items()
    ]
    medians = {of.year: of.by_mean(0.5) for of in years}
    # How far topics on which runs do well are those on which the modern one does.
    alike = [
        float(np.corrcoef(runs.scores.mean(axis=0), [history.modern[topic] for topic in runs.topics])[0, 1])
        for runs in history.runs.values()
    ]
    data = f"AP of {sum(runs.n_systems for runs in history.runs.values())} runs without names; {_topics_of(years)}"
    return words.figure(
        "history", _history_panel(years, data, level=Rule(name="even", at=50.0)),
        (*medians.values(), *(of.by_mean(0.0) for of in years)),
        first=medians[1998], last=medians[2004], least=min(alike), most=max(alike),
    )  # fmt: skip


def _against_grid(words: Words, history: History) -> Figure:
    years = [
        _OfYear(year, *on_grid(runs, history.grid), runs.means.tolist())
        for year, runs in history.runs.items()
        if not set(runs.topics).isdisjoint(history.grid.topics)
    ]
    medians = {of.year: of.by_mean(0.5) for of in years}
    n_runs = sum(len(of.levels) for of in years)
    data = f"AP of {n_runs} runs without names by 560 combinations of stop list, stemmer and model; {_topics_of(years)}"
    panel = _history_panel(years, data, level=Rule(name="mean of the toolkits", at=0.5))
    return words.figure("history-standardized", panel, medians.values(), first=medians[1998], last=medians[2003])


def _topics_of(years: Sequence[_OfYear]) -> str:
    return f"topics: {', '.join(f'{of.n_topics} in {of.year}' for of in years)}"


_NAMED = (
    *columns_of("Run"),
    *columns_of("Team", "Track", "Kind", kind="text"),
    *columns_of("MAP as published", "RM3 of 2019 on the same topics", digits=4),
    *columns_of("Configurations of toolkits that are worse, %", digits=1),
)


def _named(words: Words, shipped: Shipped, history: History) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for year, collection in YEARS.items():
        runs = shipped.results("trec_adhoc.csv", collection, "trec_run")
        runs.sort(key=lambda run: (-float(run["value"]), run["system"]))
        modern = float(np.mean([history.modern[topic] for topic in _topics(shipped, collection)]))
        grid = _means_on(history.grid, _topics(shipped, collection))
        for run in (*runs[:_N_NAMED], runs[len(runs) // 2]):
            value = float(run["value"])
            among = None if grid is None else float(percentile_among([value], grid)[0])
            rows.append(
                (run["system"], run["team"], f"{_TITLES[collection]} ({year})", run["run_type"], value, modern, among)
            )
    best = rows[:: _N_NAMED + 1]
    n_above = sum(float(row[4] or 0.0) > float(row[5] or 0.0) for row in best)
    data = "Means of original runs with names (trec_adhoc.csv, from NIST’s pages)"
    return words.figure("names", Panel(data=data, columns=_NAMED, rows=tuple(rows)), n_above=n_above, n=len(best))


def _topics(shipped: Shipped, collection: str) -> list[str]:
    judgements = shipped.judgements(collection)
    return [topic for topic in judgements.topics if judgements.relevant(topic)]


def _means_on(grid: ScoreMatrix, topics: list[str]) -> list[float] | None:
    """Return means of the reference systems over these topics; None where they lack a topic."""
    if not set(topics) <= set(grid.topics):
        return None
    return [float(mean) for mean in _on_topics(grid, topics).scores.mean(axis=1)]


PAPER = "zobel-principles"
_LEAST_RUNS = 5


def _draw_papers(given: Given) -> dict[str, Panel]:
    """Return own scores of papers over the years, and their baselines against the best known before.

    Each of the counts is a year, the best baseline and the best own score of a paper; the means are of original runs.
    """
    years, baselines, improved = zip(*given.counted(), strict=True)
    runs = given.means
    rules: tuple[Rule, ...] = ()
    if len(runs) >= _LEAST_RUNS:
        rules = Rule(name="best original run", at=max(runs)), Rule(name="median run", at=float(np.median(runs)))
    known = baselines_against_known_best(years, baselines, improved, known_before=given.means)
    return {
        "survey": Panel(
            data=given.name,
            series=(series("improved", years, improved, mark="points", is_highlighted=True),),
            rules=rules,
        ),
        "baselines": Panel(
            data=given.name,
            series=(
                series("baselines", years, baselines, mark="points", style="other"),
                series("best before", [at.time for at in known.times], [at.best_before for at in known.times]),
            ),
            rules=rules[1:],
        ),
    }


def _draw_spread(given: Given) -> dict[str, Panel]:
    matrix = given.scores(LEAST_SYSTEMS)
    return {"standardization": spread_panel(matrix, given.describe(matrix))}


DRAWINGS = (
    Drawing(
        paper=PAPER, figures=frozenset({"standardization"}), key="zobel spread 2", needs="scores", draw=_draw_spread,
        is_quick=True, collections=("trec-7-adhoc",),
    ),
    Drawing(
        paper=PAPER, figures=frozenset({"survey", "baselines"}), key="zobel surveys 1", needs="papers",
        draw=_draw_papers, is_quick=True, collections=("trec-2004-robust",),
    ),
)  # fmt: skip

_COLLECTION = "trec-2004-robust"
_ASKED = (
    *columns_of("What the talk asks for"),
    *columns_of("Here", "What there is", kind="text"),
    *columns_of("Where", kind="address"),
)


def reproduce(shipped: Shipped) -> Reproduction:
    """Return the historical plot, the survey of papers, and what the talk asks for."""
    words = Words("zobel")
    return words.reproduction((*history_figures(words, shipped), *_surveyed(words, shipped), _checklist(words)))


def _surveyed(words: Words, shipped: Shipped) -> Iterator[Figure]:
    of_baselines, own = (
        {row["paper_url"]: row for row in shipped.results("robust04_papers.csv", _COLLECTION, role)}
        for role in ("baseline", "proposed")
    )
    papers = [paper for paper in own if paper in of_baselines]
    baselines, improved = (values_of([rows[paper] for paper in papers]) for rows in (of_baselines, own))
    years = [int(own[paper]["year"]) for paper in papers]
    runs = values_of(shipped.results("trec_adhoc.csv", _COLLECTION, "trec_run"))
    standing = standing_of_papers(baselines, improved, runs)
    trend = trend_over_time(years, improved)
    known = baselines_against_known_best(years, baselines, improved, known_before=runs)
    data = (
        f"AP on Robust04: baseline and own best of {len(papers)} papers (robust04_papers.csv), among the {len(runs)}"
        " original runs of TREC 2004"
    )
    counts = list(zip(years, baselines.tolist(), improved.tolist(), strict=True))
    panels = _draw_papers(Given(name=data, matrices={}, counts=counts, means=runs.tolist()))
    n, n_above = len(papers), round(standing.fraction_improved_above_best * len(papers))
    numbers = (n, standing.median_improved_percentile, n_above, trend.slope, trend.pvalue)
    yield words.figure("survey", panels["survey"], numbers, slope=trend.slope, p=trend.pvalue, n_above=n_above, n=n)
    reaching = known.n_reaching
    numbers_of_baselines = (standing.median_baseline_percentile, reaching)
    yield words.figure(
        "baselines", panels["baselines"], numbers_of_baselines, n_reaching=reaching, n=known.n_baselines
    )  # fmt: skip


def _checklist(words: Words) -> Figure:
    rows = words.table("answers")
    panel = Panel(data="The slides headed “Position”, “Survey” and “Use of baselines”", columns=_ASKED, rows=rows)
    return words.figure("checklist", panel, n=len(rows), n_met=sum(row[1] == "yes" for row in rows))
