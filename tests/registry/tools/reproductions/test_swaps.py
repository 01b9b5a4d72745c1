"""Swap rates of a few runs as they are drawn, against pairs counted one by one on the same topic sets."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from math import log

import numpy as np
import pytest
from scipy import stats

from analysis.figures import Panel
from analysis.papers.shipped import ShippedFolder
from analysis.papers.swaps import Swaps, measure_swaps, pooled, swap_panels
from analysis.reliability import SizeProfile
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


@pytest.mark.parametrize("kind", ["relative", "barely", "replaced"])
def test_a_trend_takes_three_sizes_up_to_25_topics_at_which_some_pairs_are_reversed(kind):
    drawn = panels()[kind].series
    trends = {plot.name for plot in drawn if plot.style == "projected"}
    for plot in drawn:
        if plot.style == "measured":
            fitted = [size for size, share in zip(plot.x, plot.y, strict=True) if size <= 25 and share > 0]
            assert (plot.name in trends) is (len(fitted) >= 3), plot.name
