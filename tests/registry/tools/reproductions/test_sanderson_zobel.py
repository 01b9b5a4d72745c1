"""The figures of Sanderson and Zobel: their numbers by a second, slow route, pair by pair on the same topic sets."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from analysis.figures import Panel
from analysis.papers.shipped import ShippedFolder
from registry.core.loading import SHIPPED
from registry.tools.reproductions.documents import reproductions

COLLECTIONS = ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
SIZES = (5, 10, 15, 20, 25, 50)
EVERY, BARELY, JUST = (-1.0, 1.0), (0.01, 0.05), (0.04, 0.05)
#: Means that differ by rounding alone are equal, and those on the edge of a class but for it are on it.
TINY = 1e-12


def panel_of(slug: str) -> Panel:
    figures = reproductions()["sanderson-zobel-2005"].figures
    return next(figure.panel for figure in figures if figure.slug == slug)


def drawn(slug: str, name: str, x: float, *, style: str = "measured") -> float:
    """Return the height of a line at a place."""
    (line,) = (line for line in panel_of(slug).series if (line.name, line.style) == (name, style))
    return line.y[line.x.index(x)]


@cache
def best(collection: str, measure: str) -> np.ndarray:
    """Return the best three quarters of the runs by topic, less than one run more than that."""
    scores = ShippedFolder(SHIPPED).unnamed(f"{collection}__{measure}").scores
    n_kept = len(scores) - len(scores) // 4
    by_mean = sorted(range(len(scores)), key=lambda run: -scores[run].mean())[:n_kept]
    return scores[sorted(by_mean)]


def sets_of(size: int, *, disjoint: bool, seed: int = 2005, sizes: tuple[int, ...] = SIZES) -> np.ndarray:
    """Draw fifty pairs of sets of the 50 topics, (pair, first or second, topic), as the smaller ones before them."""
    rng = np.random.default_rng(seed)
    for current in sizes:
        if disjoint:
            orders = np.array([range(50)] * 50)
            orders = rng.permuted(orders, axis=1)
            sets = np.stack([orders[:, :current], orders[:, current : 2 * current]], axis=1)
        else:
            first, second = rng.integers(0, 50, (2, 50, current))
            sets = np.stack([first, second], axis=1)
        if current == size:
            return sets
    raise AssertionError(size)


@dataclass
class Compared:
    """Pairs that the first set orders: how far apart, as a share of the worse, p of a t test, whether reversed."""

    absolute: np.ndarray
    relative: np.ndarray
    p: np.ndarray
    is_reversed: np.ndarray


@cache
def compared(measure: str, size: int, *, disjoint: bool) -> Compared:
    parts = []
    for collection in COLLECTIONS:
        scores = best(collection, measure)
        for first, second in sets_of(size, disjoint=disjoint):
            for run in range(len(scores) - 1):
                parts.append(_against_later_runs(scores, run, first, second))
    return _together(parts, size)


def _together(parts: list[tuple[np.ndarray, ...]], size: int) -> Compared:
    absolute, relative, t, is_reversed = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Compared(absolute, relative, 2 * stats.t.sf(np.abs(t), size - 1), is_reversed)


def _against_later_runs(
    scores: np.ndarray, run: int, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    own, others = scores[run], scores[run + 1 :]
    differences = own[first] - others[:, first]
    seen = differences.mean(axis=1)
    again = own[second].mean() - others[:, second].mean(axis=1)
    worse = np.minimum(own[first].mean(), others[:, first].mean(axis=1))
    is_ordered = np.abs(seen) > TINY
    with np.errstate(divide="ignore", invalid="ignore"):
        t = seen / (differences.std(axis=1, ddof=1) / sqrt(first.size))
        relative = np.where(worse > 0, np.abs(seen) / worse, inf)
    is_reversed = (seen * again < 0) & (np.abs(again) > TINY)
    return np.abs(seen)[is_ordered], relative[is_ordered], t[is_ordered], is_reversed[is_ordered]


def reversed_share(pairs: Compared, by: np.ndarray, low: float, high: float, band: tuple[float, float]) -> float:
    inside = (by + TINY >= low) & (by + TINY < high) & (pairs.p > band[0]) & (pairs.p <= band[1])
    return 100 * pairs.is_reversed[inside].mean()


@pytest.mark.parametrize(
    ("slug", "measure", "size", "disjoint", "band"),
    [
        ("figure-2", "AP", 25, True, EVERY),
        pytest.param("figure-2", "AP", 5, True, EVERY, marks=pytest.mark.slow),
        ("figure-3", "AP", 25, True, BARELY),
        pytest.param("figure-4", "AP", 25, True, JUST, marks=pytest.mark.slow),
        pytest.param("figure-5", "P-at-10", 25, True, EVERY, marks=pytest.mark.slow),
        pytest.param("figure-6", "P-at-10", 25, True, BARELY, marks=pytest.mark.slow),
        pytest.param("figure-9", "AP", 50, False, EVERY, marks=pytest.mark.slow),
        pytest.param("figure-10", "AP", 50, False, BARELY, marks=pytest.mark.slow),
        pytest.param("figure-11", "P-at-10", 50, False, EVERY, marks=pytest.mark.slow),
        pytest.param("figure-12", "P-at-10", 50, False, BARELY, marks=pytest.mark.slow),
    ],
)
def test_lines_are_shares_of_pairs_that_other_topics_reverse(slug, measure, size, disjoint, band):
    pairs = compared(measure, size, disjoint=disjoint)
    n_compared = sum(len(best(collection, measure)) for collection in COLLECTIONS)
    assert panel_of(slug).data.startswith(f"{n_compared} systems compared, the best of 293 runs")
    for low, high in ((0.10, 0.15), (0.25, 0.30), (0.40, 0.50)):
        share = reversed_share(pairs, pairs.relative, low, high, band)
        assert drawn(slug, f"{100 * low:g}–{100 * high:g}", size) == pytest.approx(share, abs=0.01)


def test_figure_1_has_differences_in_the_unit_of_the_measure_and_the_trend_of_a_line_through_logarithms():
    pairs = compared("AP", 25, disjoint=True)
    for low, high, name in ((0.0, 0.01, "0–0.01"), (0.05, 0.06, "0.05–0.06"), (0.07, inf, "0.07 or more")):
        share = reversed_share(pairs, pairs.absolute, low, high, EVERY)
        assert drawn("figure-1", name, 25) == pytest.approx(share, abs=0.01)
        heights = [drawn("figure-1", name, size) for size in SIZES[:-1]]
        slope, level = np.polyfit(SIZES[:-1], np.log(heights), 1)
        assert drawn("figure-1", name, 50, style="projected") == pytest.approx(np.exp(level + 50 * slope), rel=1e-3)


@pytest.mark.parametrize(("test", "style"), [("t", "measured"), ("Wilcoxon", "measured"), ("sign", "other")])
def test_shares_of_significant_pairs_are_counted_by_tests_of_scipy(test, style):
    sign = cache(lambda n_above, n: stats.binomtest(n_above, n).pvalue)
    pvalues = {
        "t": lambda pairs: stats.ttest_1samp(pairs, 0, axis=1).pvalue,
        "Wilcoxon": lambda pairs: stats.wilcoxon(np.round(pairs, 10), correction=True, method="approx", axis=1).pvalue,
        "sign": lambda pairs: [sign(int((d > TINY).sum()), int((np.abs(d) > TINY).sum())) for d in pairs],
    }[test]
    differences = []
    for collection in COLLECTIONS:
        for own, other in combinations(best(collection, "AP"), 2):
            low, high = sorted((own.mean(), other.mean()))
            if 0.10 <= (high - low) / low + TINY < 0.20:
                differences.append(own - other)
    share = 100 * np.mean(np.array(pvalues(np.array(differences))) <= 0.05)
    assert drawn("section-3-shares", test, 15, style=style) == pytest.approx(share, abs=0.3)


@pytest.mark.slow
def test_barely_significant_pairs_on_25_topics_are_those_of_a_set_drawn_first():
    """The three tests of section 3 have the same sets, of 25 topics alone."""
    parts = []
    for collection in COLLECTIONS:
        scores = best(collection, "AP")
        for first, second in sets_of(25, disjoint=True, sizes=(25,)):
            parts += [_against_later_runs(scores, run, first, second) for run in range(len(scores) - 1)]
    pairs = _together(parts, 25)
    for low, high, middle in ((0.10, 0.15, 12.5), (0.25, 0.30, 27.5)):
        share = reversed_share(pairs, pairs.relative, low, high, BARELY)
        assert drawn("section-3-tests", "t", middle) == pytest.approx(share, abs=0.01)


@pytest.mark.slow
def test_figure_7_compares_all_pairs_of_the_best_by_ap_under_both_measures():
    shares, weights = {"AP": [], "P@10": []}, []
    for collection in COLLECTIONS:
        deep = ShippedFolder(SHIPPED).unnamed(f"{collection}__AP").scores
        best_runs = sorted(range(len(deep)), key=lambda run: -deep[run].mean())[: len(deep) - len(deep) // 4]
        weights.append(len(best_runs) * (len(best_runs) - 1) / 2)
        for name, file in (("AP", "AP"), ("P@10", "P-at-10")):
            scores = ShippedFolder(SHIPPED).unnamed(f"{collection}__{file}").scores[sorted(best_runs)]
            sets = sets_of(25, disjoint=True, seed=1, sizes=SIZES[:-1])
            parts = [
                _against_later_runs(scores, run, first, second)[3]
                for first, second in sets
                for run in range(len(scores) - 1)
            ]
            shares[name].append(np.concatenate(parts).mean())
    for name, of_collections in shares.items():
        assert drawn("figure-7", name, 25) == pytest.approx(100 * np.average(of_collections, weights=weights), abs=0.01)


def test_figure_8_sorts_the_sets_of_each_pair_by_what_the_first_shows():
    tenths, weights = [], []
    for collection in COLLECTIONS:
        scores = best(collection, "AP")
        sets = sets_of(25, disjoint=True, sizes=(25,))
        means = np.array([[scores[:, part].mean(axis=1) for part in pair] for pair in sets])
        by_place = []
        for first, other in combinations(range(len(scores)), 2):
            seen, again = (means[:, part, first] - means[:, part, other] for part in (0, 1))
            order = np.argsort(np.abs(seen), kind="stable")
            by_place.append((seen * again < 0)[order].reshape(10, 5).mean(axis=1))
        tenths.append(np.mean(by_place, axis=0))
        weights.append(len(by_place))
    expected = 100 * np.average(tenths, axis=0, weights=weights)
    for place in (1, 10):
        assert drawn("figure-8", "25 topics", place) == pytest.approx(expected[place - 1], abs=0.02)


def test_pools_are_counted_document_by_document():
    rows = {row[0]: row for row in panel_of("section-4-pools").rows}
    runs = list(ShippedFolder(SHIPPED).rankings("trec-2018-core"))
    pools = {depth: [] for depth in (10, 100)}
    n_relevant = {depth: [] for depth in (10, 100)}
    for topic, grades in runs[0].grades.items():
        for depth in pools:
            pool = {document for run in runs for document in run.rankings.get(topic, ())[:depth]}
            pools[depth].append(len(pool))
            n_relevant[depth].append(sum(grades.get(document, 0) > 0 for document in pool))
    shallow, deep = (np.mean(pools[depth]) for depth in (10, 100))
    relevant, all_relevant = (np.mean(n_relevant[depth]) for depth in (10, 100))
    share = shallow / deep
    expected = (2, shallow, deep, 100 * share, relevant, all_relevant, relevant / share / all_relevant)
    assert rows["trec-2018-core"][1:] == pytest.approx(expected)
