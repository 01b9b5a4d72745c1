"""Titles, captions and lines of the papers that take minutes say what their panels show.

The panels are those that ship; tests of each paper hold them against a second route. All of a paper must come out as
it ships.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

from django.conf import settings

from analysis.reliability import SignificantPairs
from registry.tools.reproductions.figures import Panel
from registry.tools.reproductions.management.papers import cormack_lynam, jayasinghe, pools, sanderson_zobel
from registry.tools.reproductions.ranked import shipped_rankings
from registry.tools.reproductions.redraws.sanderson_zobel import DEEP, SHALLOW
from registry.tools.reproductions.reproduction import Reproduction, reproductions
from tests.registry.tools.reproductions.sameness import assert_same

DATA = settings.BASE_DIR / "data"


@cache
def kept(slug: str) -> Reproduction:
    return reproductions()[slug]


def panels_of(slug: str) -> dict[str, Panel]:
    return {one.slug: one.panel for one in kept(slug).figures if one.panel}


def test_cormack_and_lynam(monkeypatch):
    def drawn(runs: list[Any], name: str) -> dict[str, Panel]:
        assert (runs, name) == (["all runs"], "All collections of which runs ship, pooled")
        return panels_of("cormack-lynam-2006")

    monkeypatch.setattr(cormack_lynam, "shipped_rankings", lambda data: ["all runs"])
    monkeypatch.setattr(cormack_lynam, "panels_of", drawn)
    assert_same(cormack_lynam.reproduce_cormack_lynam(DATA), kept("cormack-lynam-2006"))


def test_jayasinghe_and_others(monkeypatch):
    def drawn(run: Any, name: str) -> dict[str, Panel]:
        assert (run.collection, run.system, run.depth, name) == (
            "trec-2004-robust", "RM3 (Yang 2019)", 1000, "Robust04",
        )  # fmt: skip
        return panels_of("jayasinghe-2014")

    monkeypatch.setattr(jayasinghe, "panels_of", drawn)
    assert_same(jayasinghe.reproduce_jayasinghe(DATA), kept("jayasinghe-2014"))


def height(panel: Panel, name: str, x: float) -> float:
    (line,) = (one for one in panel.series if one.name == name)
    return line.y[line.x.index(round(x, 6))]


def rates_of(name: str) -> SimpleNamespace:
    """The shares of barely significant pairs that a panel shows of a test, as rates of 25 topics."""

    def error_rate(n_topics: int, *, pvalues: tuple[float, float], difference: tuple[float, float]) -> Any:
        assert (n_topics, pvalues) == (25, (0.01, 0.05))
        middle = 50 * sum(difference)
        return SimpleNamespace(
            estimate=height(panels_of("sanderson-zobel-2005")["section-3-tests"], name, middle) / 100
        )

    return SimpleNamespace(error_rate=error_rate)


def classes_of(name: str) -> tuple[SignificantPairs, ...]:
    """The shares of significant pairs that a panel shows of a test, of a million in each class of ten per cent."""
    (line,) = (one for one in panels_of("sanderson-zobel-2005")["section-3-shares"].series if one.name == name)
    ends = [((x - 5) / 100, (x + 5) / 100) for x in line.x[:3]]
    return tuple(SignificantPairs(*end, 10**6, round(1e4 * y)) for end, y in zip(ends, line.y, strict=False))


def test_sanderson_and_zobel(monkeypatch):
    """Of three years under two measures; what costs little is computed."""
    asked = []
    panels = panels_of("sanderson-zobel-2005")
    by_kind = {"AP": DEEP, "P@10": SHALLOW}
    found = SimpleNamespace(
        by_test=tuple(map(rates_of, ("t", "Wilcoxon", "sign"))),
        shares=tuple(map(classes_of, ("t", "Wilcoxon", "sign"))),
    )

    def measured(matrix: Any, *, sizes: tuple[int, ...]) -> Any:
        asked.append((matrix.n_systems, sizes))
        return matrix

    def drawn(swaps: Any, data: str) -> dict[str, Panel]:
        measure, _, rest = data.partition(" of ")
        assert rest == "TREC-5, 7 and 8, three of the paper’s ten: 293 runs"
        return {kind: panels[figure] for figure, kind in by_kind[measure].items()}

    monkeypatch.setattr(sanderson_zobel, "measure_swaps", measured)
    monkeypatch.setattr(sanderson_zobel, "pooled", lambda every: found)
    monkeypatch.setattr(sanderson_zobel, "swap_panels", drawn)
    monkeypatch.setattr(
        sanderson_zobel, "pools_figure", lambda data: next(
            one for one in kept("sanderson-zobel-2005").figures if one.slug == "section-4-pools"
        )
    )  # fmt: skip
    assert_same(sanderson_zobel.reproduce_sanderson_zobel(DATA), kept("sanderson-zobel-2005"))
    assert sum(n for n, _ in asked) == 2 * 293
    assert {sizes for _, sizes in asked} == {(5, 10, 15, 20, 25, 50)}


def test_pools_of_one_collection(monkeypatch):
    """The row is that of the file; a collection with one run of a hundred documents has none."""
    monkeypatch.setattr(
        pools, "shipped_rankings",
        lambda data: [*shipped_rankings(data, "trec-2018-core"), next(shipped_rankings(data, "trec-dl-2021-passage"))],
    )  # fmt: skip
    found = pools.pools_figure(DATA)
    figure = next(one for one in kept("sanderson-zobel-2005").figures if one.slug == "section-4-pools")
    (row,) = found.panel.rows
    assert row == next(tuple(one) for one in figure.panel.rows if one[0] == "trec-2018-core")
    assert [(line.what, line.printed, line.digits, line.unit) for line in found.lines] == [
        (line.what, line.printed, line.digits, line.unit) for line in figure.lines
    ]
    share, gain = row[4], row[7]
    assert [line.recomputed for line in found.lines] == [share, share, *(one.recomputed for one in figure.lines[2:4]),
                                                         gain, gain]  # fmt: skip
    assert found.panel.columns == figure.panel.columns
    assert (found.caption, found.methods, found.panel.data) == (figure.caption, figure.methods, figure.panel.data)
