"""Sanderson & Zobel (2005): how far a significance test can be trusted on other topics, and what judging costs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis.figures import Cell, Panel, Series, columns_of, series
from analysis.papers import swaps
from analysis.papers.paper import (
    LEAST_SYSTEMS,
    LEAST_TOPICS,
    Drawing,
    Figure,
    Given,
    JudgedRanking,
    Reproduction,
    Shipped,
    Undrawable,
    Words,
)
from analysis.reliability import EffortComparison, compare_effort, equal_effort_topics, pool_sizes
from analysis.scores import ScoreMatrix

PAPER = "sanderson-zobel-2005"

#: Which panel of a measure each figure shows, of average precision and of precision at 10.
DEEP = {
    "figure-1": "absolute",
    "figure-2": "relative",
    "figure-3": "barely",
    "figure-4": "just",
    "figure-8": "profiles",
    "figure-9": "replaced",
    "figure-10": "replaced-barely",
    "section-3-tests": "tests",
    "section-3-shares": "shares",
    "section-5": "deviation",
}
SHALLOW = {"figure-5": "relative", "figure-6": "barely", "figure-11": "replaced", "figure-12": "replaced-barely"}

#: Pairs times topics, twice: 300 systems on 250 topics take a worker some 40 seconds.
_MOST_COMPARED = 25_000_000
SURVEY = columns_of(
    "Year of the paper", "Papers with results", "Of which readers said it", "Of these, with a significance test"
)
#: What a pool of depth 10 has at most of the documents of one of depth 100 (section 4).
_SHARE = 0.14
#: Average precision counts on every relevant document; the others look at the first ten.
_DEEP_MEASURES, _SHALLOW_MEASURES = ("AP", "AP@100", "AP@1000"), ("P@10", "nDCG@10", "RR@10")


def effort_panel(pairs: Sequence[tuple[int, EffortComparison]], names: tuple[str, str], data: str) -> Panel:
    """Return figure 7: rates of two measures on the same sets by what these cost; pooled by the pairs of each
    collection."""
    weights = [weight for weight, _ in pairs]
    lines = []
    for name, points in zip(
        names,
        ([comparison.first_points for _, comparison in pairs], [comparison.second_points for _, comparison in pairs]),
        strict=True,
    ):
        sizes = [point.n_topics for point in points[0]]
        rates = [[point.error_rate or 0.0 for point in of_one] for of_one in points]
        lines.append((name, sizes, 100 * np.average(rates, axis=0, weights=weights)))
    (deep, n_deep, of_deep), (shallow, n_shallow, of_shallow) = lines
    return Panel(
        data=data,
        series=(
            series(deep, n_deep, of_deep),
            series(shallow, n_shallow, of_shallow, is_highlighted=True, is_scaled=True),
        ),
    )


def compared(matrices: tuple[ScoreMatrix, ScoreMatrix]) -> tuple[int, EffortComparison]:
    """Return two measures on the same topic sets, with the number of pairs that were compared."""
    comparison = compare_effort(*matrices, 1, first_effort=1.0, second_effort=_SHARE)
    return comparison.n_systems * (comparison.n_systems - 1) // 2, comparison


def _draw_tests(given: Given) -> dict[str, Panel]:
    """Return section 3: how many papers with results on a collection test differences for significance, by year."""
    n, n_read, n_tested = (sum(int(row[place]) for row in given.counted()) for place in (1, 2, 3))
    panel = Panel(
        data=f"{given.name}: {n:,} papers with results on record today",
        columns=SURVEY,
        rows=(*given.counts, ("all", n, n_read, n_tested)),
        note="Whoever has read one of them can say so on its page.",
    )
    return {"section-3-survey": panel}


def _draw_swaps(given: Given, measures: Sequence[str] = ()) -> dict[str, Panel]:
    """Return panels under the first of ``measures`` that there is, else under the one that is asked for."""
    measure = next((name for name in measures if name in given.matrices), given.measure)
    matrix = given.scores(LEAST_SYSTEMS, LEAST_TOPICS, measure=measure)
    if matrix.n_systems**2 * matrix.n_topics > _MOST_COMPARED:
        raise Undrawable(f"{matrix.n_systems:,} systems on {matrix.n_topics:,} topics take too long to compare")
    data = given.describe(matrix, measure)
    panels = swaps.swap_panels(swaps.measure_swaps(matrix, higher_is_better=given.higher_is_better), data)
    panels["deviation"] = swaps.deviation_panel(matrix, data)
    both = {**DEEP, **SHALLOW}
    return {figure: panels[kind] for figure, kind in both.items() if kind in panels}


def _draw_efforts(given: Given) -> dict[str, Panel]:
    deep, shallow = (
        next((name for name in given.matrices if name.partition("(")[0] + name.partition(")")[2] in kind), "")
        for kind in (_DEEP_MEASURES, _SHALLOW_MEASURES)
    )
    if not (deep and shallow):
        raise Undrawable("it needs average precision and a measure of the first ten documents of the same systems")
    first, second = (given.scores(LEAST_SYSTEMS, LEAST_TOPICS, measure=name) for name in (deep, shallow))
    if (first.systems, first.topics) != (second.systems, second.topics):
        raise Undrawable(f"{deep} and {shallow} are not of the same systems and topics")
    data = f"{given.name}: {first.n_systems} systems on {first.n_topics} topics"
    return {"figure-7": effort_panel([compared((first, second))], (deep, shallow), data)}


_AT_10 = ("P@10", "P@20")
_SWAPS = Drawing(
    paper=PAPER, figures=frozenset(DEEP), key="sanderson-zobel swaps 3", needs="scores", draw=_draw_swaps
)  # fmt: skip
DRAWINGS = (
    _SWAPS,
    replace(
        _SWAPS,
        figures=frozenset(SHALLOW),
        key="sanderson-zobel swaps at ten 2",
        draw=lambda given: _draw_swaps(given, _AT_10),
        collections=("trec-8-adhoc",),
        measures=_AT_10,
    ),
    Drawing(
        paper=PAPER,
        figures=frozenset({"figure-7"}),
        key="sanderson-zobel effort 2",
        needs="two measures",
        draw=_draw_efforts,
        collections=("trec-8-adhoc",),
        measures=("P@10",),
    ),
    Drawing(
        paper=PAPER, figures=frozenset({"section-3-survey"}), key="sanderson-zobel survey 1", needs="tests",
        draw=_draw_tests, is_quick=True,
    ),
)  # fmt: skip

_COLLECTIONS = ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
#: Sets with replacement as in the paper, and of all topics, where the paper projects.
_SIZES = (5, 10, 15, 20, 25, 50)
#: What a topic costs to depth 10 of what it costs to depth 100, in the middle of what the paper measures.
_PRICE = 0.125


def reproduce(shipped: Shipped) -> Reproduction:
    """Return figures 1 to 12, and the numbers of the text, on the collections that ship."""
    words = Words("sanderson_zobel")
    deep, shallow = (
        swaps.pooled(
            [swaps.measure_swaps(shipped.unnamed(f"{name}__{measure}"), sizes=_SIZES) for name in _COLLECTIONS]
        )
        for measure in ("AP", "P-at-10")
    )
    panels = _panels(deep, "AP", DEEP) | _panels(shallow, "P@10", SHALLOW)
    return words.reproduction(
        (
            *_relative(words, panels),
            *_significance(words, panels, deep),
            words.figure("section-3-survey", None, (None, None)),
            _effort(words, shipped),
            _pools(words, shipped),
            _deviation(words, shipped),
            _profiles(words, panels["figure-8"]),
        )
    )


def _panels(measured: swaps.Swaps, measure: str, kinds: dict[str, str]) -> dict[str, Panel]:
    drawn = swaps.swap_panels(measured, f"293 runs of TREC-5, 7 and 8, three of the paper’s ten ({measure})")
    return {figure: drawn[kind] for figure, kind in kinds.items() if kind in drawn}


def _relative(words: Words, panels: dict[str, Panel]) -> Iterator[Figure]:
    """Yield figures with a line for each class of differences, and the difference that is needed as their number."""
    for slug in (f"figure-{number}" for number in (1, 2, 3, 4, 5, 6, 9, 10, 11, 12)):
        needed = _needed(panels[slug])
        number = 100 * (needed or 0.0) if slug == "figure-1" else needed
        safe, measured = (needed or 0.0) + 0.01, _measured_at_the_end(panels[slug])
        yield words.figure(slug, panels[slug], (number,), needed=needed, safe=safe, measured=measured)


def _needed(panel: Panel) -> float | None:
    """Return the lowest class such that it and all above it stay below 5 % on 50 topics, by the lines of a panel."""
    needed = None
    for line in reversed(list(_at_end(panel, projected=True))):
        if (line.y[-1] or 0.0) > 5:
            break
        needed = float(line.name.replace(" or more", "").split("–")[0])
    return needed


def _at_end(panel: Panel, *, projected: bool) -> Iterator[Series]:
    """Yield lines that reach 50 topics: trends, or what was measured."""
    for line in panel.series:
        if line.x[-1] == swaps.PROJECTED and (line.style == "projected") == projected:
            yield line


def _measured_at_the_end(panel: Panel) -> str:
    """Return what was measured on 50 topics, against the trend; blank where that many were not."""
    trends, seen = (
        {line.name: line.y[-1] or 0.0 for line in _at_end(panel, projected=is_trend)} for is_trend in (True, False)
    )
    if not seen:
        return ""
    if min(seen.values()) > 5:
        return "every class of these errs more than 5 % of the time"
    return f"25 to 30 % err {seen['25–30']:.1f} % of the time and not {trends['25–30']:.1f} %"


def _significance(words: Words, panels: dict[str, Panel], measured: swaps.Swaps) -> Iterator[Figure]:
    reversed_ = [
        100 * (rates.error_rate(25, pvalues=swaps.BARELY, difference=difference).estimate or 0.0)
        for rates in measured.by_test
        for difference in ((0.10, 0.15), (0.25, 0.30))
    ]
    ends = {"lowest": min(reversed_), "highest": max(reversed_)}
    yield words.figure("section-3-tests", panels["section-3-tests"], reversed_, **ends)
    shares = [
        100 * classes[place].n_significant / classes[place].n_pairs for classes in measured.shares for place in (0, 2)
    ]
    yield words.figure("section-3-shares", panels["section-3-shares"], shares)


def _effort(words: Words, shipped: Shipped) -> Figure:
    pairs = [compared((shipped.unnamed(f"{name}__AP"), shipped.unnamed(f"{name}__P-at-10"))) for name in _COLLECTIONS]
    panel = effort_panel(pairs, ("AP", "P@10"), "TREC-5, 7 and 8: the best 75 % of the runs, pairs on the same sets")
    ratios = [[point.effort_ratio * _SHARE / _PRICE for point in comparison.equal_error] for _, comparison in pairs]
    return words.figure("figure-7", panel, [end(of_pair, default=None) for of_pair in ratios for end in (min, max)])


def _deviation(words: Words, shipped: Shipped) -> Figure:
    matrix = shipped.unnamed("trec-2004-robust__AP")
    panel = swaps.deviation_panel(matrix, "AP of the 110 runs of Robust04 on 99 of its topics, averaged over runs")
    (line,) = panel.series
    sds = dict(zip(line.x, line.y, strict=True))
    return words.figure("section-5", panel, (sds[5], sds[25], sds[200]), at_25=sds[25], at_200=sds[200])


def _profiles(words: Words, panel: Panel) -> Figure:
    first, last = (panel.series[place].y[-1] or 0.0 for place in (0, -1))
    return words.figure("figure-8", panel, first=first, last=last)


#: Depths of the pools that are compared.
_SHALLOW_POOL, _DEEP_POOL = 10, 100
_POOL_COLUMNS = (
    *columns_of("Collection", "Runs"),
    *columns_of(
        "Documents a topic, top 10", "Top 100", "Share, %", "Relevant in the top 10", "In the top 100", digits=1
    ),
    *columns_of("Relevant found for the same effort, times", digits=1),
)


def _pools(words: Words, shipped: Shipped) -> Figure:
    """Return section 4: what a pool of depth 10 has of one of depth 100, and what it finds."""
    rows = tuple(_pool_rows(shipped))
    shares, gains = ([float(row[place] or 0.0) for row in rows] for place in (4, 7))
    least, most, least_found, most_found = min(shares), max(shares), min(gains), max(gains)
    topics = [equal_effort_topics(50, share) for share in (0.14, 0.11)]
    return words.figure(
        "section-4-pools",
        Panel(data="Runs and judgements that ship (data/runs, data/judgements)", columns=_POOL_COLUMNS, rows=rows),
        (least, most, *topics, least_found, most_found),
        least=least, most=most, least_found=least_found, most_found=most_found,
    )  # fmt: skip


def _pool_rows(shipped: Shipped) -> Iterator[tuple[Cell, ...]]:
    runs = [run for run in shipped.rankings() if run.depth >= _DEEP_POOL]
    for collection in sorted({run.collection for run in runs}):
        of_one = [run for run in runs if run.collection == collection]
        if len(of_one) < 2:
            continue
        judged = [{topic: run.rankings[topic] for topic in run.rankings if topic in run.grades} for run in of_one]
        pools = pool_sizes(judged, [_SHALLOW_POOL, _DEEP_POOL])
        n_relevant = [_n_relevant(of_one, judged, depth) / pools.n_topics for depth in (_SHALLOW_POOL, _DEEP_POOL)]
        share = pools.shares[0]
        yield (collection, len(of_one), *pools.means, 100 * share, *n_relevant, n_relevant[0] / share / n_relevant[1])


def _n_relevant(runs: list[JudgedRanking], judged: list[dict[str, tuple[str, ...]]], depth: int) -> int:
    topics = {topic for rankings in judged for topic in rankings}
    pools = {topic: {document for run in judged for document in run.get(topic, ())[:depth]} for topic in topics}
    return sum(len(runs[0].relevant(topic) & pool) for topic, pool in pools.items())
