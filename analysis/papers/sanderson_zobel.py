"""Which panels of swap rates the figures of Sanderson and Zobel (2005) are, and what judging costs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.figures import Panel, columns_of, series
from analysis.papers.paper import LEAST_SYSTEMS, LEAST_TOPICS, Drawing, Given, Undrawable
from analysis.papers.swaps import deviation_panel, measure_swaps, swap_panels
from analysis.reliability import EffortComparison, compare_effort
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


def effort_panel(found: Sequence[tuple[int, EffortComparison]], names: tuple[str, str], data: str) -> Panel:
    """Figure 7: rates of two measures on the same sets by what these cost; pooled by the pairs of each collection."""
    weights = [weight for weight, _ in found]
    lines = []
    for name, points in zip(
        names, ([one.first_points for _, one in found], [one.second_points for _, one in found]), strict=True
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
    """Two measures on the same topic sets, with the number of pairs that were compared."""
    found = compare_effort(*matrices, 1, first_effort=1.0, second_effort=_SHARE)
    return found.n_systems * (found.n_systems - 1) // 2, found


def survey_panel(name: str, years: Sequence[tuple[str, int, int, int]]) -> Panel:
    """Section 3: how many papers with results on a collection test differences for significance, by year."""
    n, n_read, n_tested = (sum(int(row[place]) for row in years) for place in (1, 2, 3))
    return Panel(
        data=f"{name}: {n:,} papers with results on record today",
        columns=SURVEY,
        rows=(*years, ("all", n, n_read, n_tested)),
        note="Whoever has read one of them can say so on its page.",
    )


def _draw_swaps(given: Given, measures: Sequence[str] = ()) -> dict[str, Panel]:
    """Return panels under the first of ``measures`` that there is, else under the one that is asked for."""
    measure = next((name for name in measures if name in given.matrices), given.measure)
    matrix = given.scores(LEAST_SYSTEMS, LEAST_TOPICS, measure=measure)
    if matrix.n_systems**2 * matrix.n_topics > _MOST_COMPARED:
        raise Undrawable(f"{matrix.n_systems:,} systems on {matrix.n_topics:,} topics take too long to compare")
    data = given.describe(matrix, measure)
    panels = swap_panels(measure_swaps(matrix, higher_is_better=given.higher_is_better), data)
    panels["deviation"] = deviation_panel(matrix, data)
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
    paper=PAPER, figures=frozenset(DEEP), key="sanderson-zobel swaps 2", needs="scores", draw=_draw_swaps
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
)
