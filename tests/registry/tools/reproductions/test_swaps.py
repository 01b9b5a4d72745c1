"""Swap rates of a few runs as they are drawn, against pairs counted one by one on the same topic sets."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from math import inf, log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.figures import Panel
from analysis.papers.shipped import ShippedFolder
from analysis.papers.swaps import Swaps, measure_swaps, pooled, swap_panels
from analysis.reliability import SignificantPairs, SizeProfile
from analysis.scores import ScoreMatrix
from registry.core.loading import SHIPPED
from tests.registry.tools.reproductions.test_sanderson_zobel import (
    BARELY,
    EVERY,
    Compared,
    _against_later_runs,
    _together,
    reversed_share,
    sets_of,
)

N_RUNS = 24
#: Three quarters of them are compared.
N_BEST = 18


@cache
def matrix() -> ScoreMatrix:
    every = ShippedFolder(SHIPPED).unnamed("trec-5-adhoc__AP")
    return every.select(every.systems[:N_RUNS])


@cache
def swaps() -> Swaps:
    return measure_swaps(matrix(), sizes=(5, 10, 15, 20, 25, 50))


@cache
def panels() -> dict[str, Panel]:
    return swap_panels(swaps(), "AP of 24 runs")


@cache
def best() -> np.ndarray:
    scores = matrix().scores
    return scores[sorted(sorted(range(N_RUNS), key=lambda run: -scores[run].mean())[:N_BEST])]


@cache
def compared(size: int, *, disjoint: bool = True) -> Compared:
    sizes = (5, 10, 15, 20, 25) if disjoint else (5, 10, 15, 20, 25, 50)
    parts = [
        _against_later_runs(best(), run, first, second)
        for first, second in sets_of(size, disjoint=disjoint, sizes=sizes)
        for run in range(N_BEST - 1)
    ]
    return _together(parts, size)


def line(kind: str, name: str, style: str = "measured"):
    (plot,) = (plot for plot in panels()[kind].series if (plot.name, plot.style) == (name, style))
    return plot


class Rates:
    """Rates of a class that fall by half with five topics more, from 64 % on; of what was asked for there are notes."""

    n_systems, sizes = 7, (5, 10, 15, 20, 25, 50)

    def __init__(self, n_compared: dict[float, int], zeros: dict[float, tuple[int, ...]] | None = None) -> None:
        self.n_compared, self.zeros, self.asked = n_compared, zeros or {}, []

    def curve(self, *, pvalues: tuple[float, float], difference: tuple[float, float], scale: str) -> list[Any]:
        self.asked.append((pvalues, difference, scale))
        n = self.n_compared.get(difference[0], 0)
        return [
            SimpleNamespace(
                n_topics=size,
                n_compared=n,
                estimate=0.0 if size in self.zeros.get(difference[0], ()) else 0.64 * 2 ** (1 - size / 5),
            )
            for size in self.sizes
        ]

    def error_rate(self, size: int, *, pvalues: tuple[float, float], difference: tuple[float, float]) -> Any:
        assert (size, pvalues) == (50, (0.01, 0.05))
        n = self.n_compared.get(difference[0], 0)
        return SimpleNamespace(n_compared=n, estimate=difference[0] if n < 500 else None)


def test_lines_of_classes_are_named_drawn_and_projected_by_what_was_compared():
    rates = Rates({0.0: 99, 0.05: 100, 0.07: 100, 0.25: 100})
    few = Rates({0.05: 100, 0.25: 100}, zeros={0.05: (5, 10, 15, 50), 0.25: (5, 10, 50)})
    tests = tuple(Rates(n) for n in ({0.1: 99, 0.15: 100, 0.3: 101, 0.4: 100}, {0.0: 500}, {0.2: 100}))
    shares = (SignificantPairs(0.0, 0.1, 200, 50), SignificantPairs(0.1, 0.2, 0, 0), SignificantPairs(0.2, None, 9, 9))
    counted = Swaps(
        disjoint=rates, replacement=few, by_test=tests, shares=(shares, (), shares[1:]),
        profiles=(SizeProfile(5, (0.5, 0.25)), SizeProfile(25, (0.1, 0.2))),
    )  # fmt: skip
    panels = swap_panels(counted, "ours")
    assert set(panels) == {
        "absolute", "relative", "barely", "just", "replaced", "replaced-barely", "tests", "profiles", "shares",
    }  # fmt: skip
    assert panels["absolute"].data == "7 systems compared, the best of ours; 50 pairs of sets of each size"
    assert panels["shares"].data == "7 systems compared, the best of ours"

    def looks(kind: str) -> list[tuple[str, str, str, bool]]:
        return [(plot.name, plot.mark, plot.style, plot.is_highlighted) for plot in panels[kind].series]

    measured, projected = ("line", "measured"), ("curve", "projected")
    assert looks("absolute") == [
        ("0.05–0.06", *measured, True), ("0.05–0.06", *projected, True),
        ("0.07 or more", *measured, False), ("0.07 or more", *projected, False),
    ]  # fmt: skip
    assert looks("relative")[:4] == [
        ("5–10", *measured, False), ("5–10", *projected, False),
        ("25–30", *measured, True), ("25–30", *projected, True),
    ]  # fmt: skip
    line, trend = panels["relative"].series[:2]
    assert (line.x, line.y) == ((5, 10, 15, 20, 25, 50), pytest.approx([64, 32, 16, 8, 4, 0.125]))
    assert trend.x == (25, 30, 35, 40, 45, 50)
    assert trend.y == pytest.approx([4, 2, 1, 0.5, 0.25, 0.125])
    assert [plot.x for plot in panels["replaced"].series] == [(5, 10, 15, 20, 25, 50)] * 2 + [(25, 30, 35, 40, 45, 50)]
    # Two points that are not nought have no trend, and three have one.
    assert looks("replaced") == [
        ("5–10", *measured, False), ("25–30", *measured, True), ("25–30", *projected, True),
    ]  # fmt: skip
    scales = {(pvalues, scale) for pvalues, _, scale in rates.asked}
    assert scales == {
        ((0.0, 1.0), "absolute"), ((0.0, 1.0), "relative"), ((0.01, 0.05), "relative"), ((0.04, 0.05), "relative"),
    }  # fmt: skip
    assert {pvalues for pvalues, _, _ in few.asked} == {(0.0, 1.0), (0.01, 0.05)}
    edges = [difference for pvalues, difference, scale in rates.asked if scale == "absolute"]
    assert (edges[0], edges[-1]) == ((0.0, 0.01), (0.07, inf))
    assert [(plot.name, plot.x, plot.y, plot.style, plot.is_highlighted) for plot in panels["tests"].series] == [
        ("t", (17.5, 35), (15, 30), "measured", True), ("sign", (22.5,), (20,), "other", False),
    ]  # fmt: skip
    assert [(plot.name, plot.x, plot.y, plot.is_highlighted) for plot in panels["profiles"].series] == [
        ("5 topics", (1, 2), (50, 25), False), ("25 topics", (1, 2), (10, 20), True),
    ]  # fmt: skip
    assert [(plot.name, plot.x, plot.y) for plot in panels["shares"].series] == [("t", (5,), (25,))]


@pytest.mark.parametrize(("low", "high", "name"), [(0, 0.05, "0–5"), (0.25, 0.3, "25–30"), (0.4, 0.5, "40–50")])
def test_a_line_is_the_share_of_pairs_in_its_class_that_other_topics_reverse(low, high, name):
    drawn = line("relative", name)
    assert drawn.x == (5, 10, 15, 20, 25)
    of = [compared(size) for size in (5, 25)]
    expected = [reversed_share(pairs, pairs.relative, low, high, EVERY) for pairs in of]
    assert [drawn.y[0], drawn.y[-1]] == pytest.approx(expected, abs=0.01)
    replaced = compared(50, disjoint=False)
    drawn = line("replaced", name)
    assert drawn.x == (5, 10, 15, 20, 25, 50)
    assert drawn.y[-1] == pytest.approx(reversed_share(replaced, replaced.relative, low, high, EVERY), abs=0.01)


def test_barely_significant_pairs_are_drawn_where_a_hundred_were_compared():
    (at_25,) = (y for x, y in zip(line("barely", "40–50").x, line("barely", "40–50").y, strict=True) if x == 25)
    pairs = compared(25)
    assert at_25 == pytest.approx(reversed_share(pairs, pairs.relative, 0.4, 0.5, BARELY), abs=0.01)
    barely = panels()["barely"].series
    for name, low, high in (("25–30", 0.25, 0.3), ("30–40", 0.3, 0.4), ("40–50", 0.4, 0.5)):
        for size in (5, 10, 15, 20, 25):
            of = compared(size)
            is_in = (of.relative + 1e-12 >= low) & (of.relative + 1e-12 < high) & (of.p > 0.01) & (of.p <= 0.05)
            drawn = [x for plot in barely if plot.name == name and plot.mark == "line" for x in plot.x]
            assert (size in drawn) is bool(is_in.sum() >= 100), (name, size)


def test_the_trend_is_a_line_through_logarithms_from_25_topics_to_50():
    measured, trend = line("relative", "5–10"), line("relative", "5–10", "projected")
    slope, level = np.polyfit(measured.x, [log(y) for y in measured.y], 1)
    assert trend.x == (25, 30, 35, 40, 45, 50)
    assert trend.y == pytest.approx(np.exp(level + slope * np.array(trend.x)).tolist(), rel=2e-3)
    assert trend.mark == "curve"
    replaced = line("replaced", "5–10")
    slope, level = np.polyfit(replaced.x[:-1], [log(y) for y in replaced.y[:-1]], 1)
    assert line("replaced", "5–10", "projected").y[-1] == pytest.approx(np.exp(level + 50 * slope), rel=2e-3)


def test_shares_of_significant_pairs_stand_at_the_middle_of_their_class():
    n_pairs = n_significant = 0
    for first, other in combinations(best(), 2):
        low, high = sorted((first.mean(), other.mean()))
        if 0.10 <= (high - low) / low + 1e-12 < 0.20:
            n_pairs += 1
            n_significant += stats.ttest_rel(first, other).pvalue <= 0.05
    of_t = line("shares", "t")
    assert of_t.y[of_t.x.index(15)] == pytest.approx(100 * n_significant / n_pairs, abs=0.01)
    assert [(plot.name, plot.style, plot.is_highlighted) for plot in panels()["shares"].series] == [
        ("t", "measured", True), ("Wilcoxon", "measured", False), ("sign", "other", False),
    ]  # fmt: skip
    assert len(of_t.x) == sum(bool(share.n_pairs and share.high) for share in swaps().shares[0])


def test_profiles_have_ten_tenths_of_each_size_up_to_25_topics():
    drawn = panels()["profiles"].series
    assert [plot.name for plot in drawn] == [f"{size} topics" for size in (5, 10, 15, 20, 25)]
    assert all(plot.x == tuple(range(1, 11)) for plot in drawn)
    assert [plot.name for plot in drawn if plot.is_highlighted] == ["25 topics"]
    for curve, profile in zip(drawn, swaps().profiles, strict=False):
        assert curve.y == pytest.approx([100 * rate for rate in profile.rates], abs=0.001)
    # A small difference on few topics says next to nothing.
    assert 35 <= drawn[0].y[0] <= 50


def test_profiles_are_pooled_by_the_pairs_of_each_collection():
    """153 pairs of 18 runs here and, where half as many pairs were compared, other rates."""
    others = tuple(SizeProfile(profile.n_topics, tuple(0.0 for _ in profile.rates)) for profile in swaps().profiles)
    other = replace(swaps(), profiles=others)
    (first, *_) = pooled([swaps(), swaps(), other]).profiles
    assert first.rates == pytest.approx([2 / 3 * rate for rate in swaps().profiles[0].rates])


def test_less_is_better_turns_the_order_of_the_best():
    turned = measure_swaps(ScoreMatrix(matrix().systems, matrix().topics, 1 - matrix().scores), higher_is_better=False,
                           sizes=(5,))  # fmt: skip
    rate, other = (of.disjoint.error_rate(25, difference=(0.0, 0.02), scale="absolute") for of in (swaps(), turned))
    assert (rate.n_compared, rate.estimate) == pytest.approx((other.n_compared, other.estimate))
