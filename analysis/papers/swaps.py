"""What Sanderson and Zobel (2005) draw of swap rates: by difference, significance, test, and how sets are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.figures import Panel, Rule, Series, Style, series
from analysis.reliability import (
    Design,
    SignificantPairs,
    SizeProfile,
    SwapRates,
    SwapTest,
    collection_resolution,
    precision_of_means,
    project_error_rate,
    swap_rates,
)
from analysis.scores import ScoreMatrix

#: Rates of fewer comparisons are not drawn.
LEAST_COMPARED = 100

N_SPLITS, SEED = 50, 2005
#: Up to which size the paper measures, and to which it projects.
MEASURED, PROJECTED = 25, 50
EVERY, BARELY, JUST = (0.0, 1.0), (0.01, 0.05), (0.04, 0.05)
TESTS: tuple[tuple[SwapTest, str], ...] = (("t", "t"), ("wilcoxon", "Wilcoxon"), ("sign", "sign"))

_ABSOLUTE = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, np.inf)
_RELATIVE = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.40, 0.50)
#: In which the paper sets its rules: “more than 5 %” absolute, 25 % relative.
_RULED = ((0.05, 0.06), (0.25, 0.30))
_RULE = (Rule(name="5 %", at=5.0),)


@dataclass(frozen=True, slots=True, eq=False)
class Swaps:
    """Every experiment that the figures of one measure show: of one collection, or of several pooled."""

    disjoint: SwapRates
    replacement: SwapRates
    by_test: tuple[SwapRates, ...]
    shares: tuple[tuple[SignificantPairs, ...], ...]
    profiles: tuple[SizeProfile, ...]


def measure_swaps(matrix: ScoreMatrix, *, higher_is_better: bool = True, sizes: Sequence[int] | None = None) -> Swaps:
    """All experiments of one matrix; ``sizes`` are those of sets with replacement, else up to all topics.

    Raises
    ------
    ArgumentError
        If there are too few systems or topics for them.
    """

    def rates(design: Design = "disjoint", test: SwapTest = "t", of: Sequence[int] | None = None) -> SwapRates:
        return swap_rates(
            matrix.scores, SEED, test=test, design=design, sizes=of, n_splits=N_SPLITS,
            higher_is_better=higher_is_better,
        )  # fmt: skip

    resolution = collection_resolution(matrix, higher_is_better=higher_is_better)
    return Swaps(
        disjoint=rates(),
        replacement=rates("replacement", of=sizes),
        by_test=tuple(rates(test=one.test, of=[one.n_topics]) for one in resolution.tests),
        shares=tuple(one.significant_pairs for one in resolution.tests),
        profiles=tuple(one for one in resolution.designs[0].profiles if one.n_topics <= MEASURED),
    )


def pooled(every: Sequence[Swaps]) -> Swaps:
    """The experiments over several collections, as if a pair were drawn from all of them."""
    weights = [one.disjoint.n_pairs for one in every]

    def together(parts: Sequence[SwapRates]) -> SwapRates:
        return parts[0].pooled_with(parts[1:])

    return Swaps(
        disjoint=together([one.disjoint for one in every]),
        replacement=together([one.replacement for one in every]),
        by_test=tuple(map(together, zip(*(one.by_test for one in every), strict=True))),
        shares=tuple(
            tuple(map(_added, zip(*of_test, strict=True)))
            for of_test in zip(*(one.shares for one in every), strict=True)
        ),
        profiles=tuple(
            SizeProfile(
                parts[0].n_topics, tuple(np.average([one.rates for one in parts], axis=0, weights=weights).tolist())
            )
            for parts in zip(*(one.profiles for one in every), strict=True)
        ),
    )


def _added(parts: Sequence[SignificantPairs]) -> SignificantPairs:
    n_pairs, n_significant = sum(one.n_pairs for one in parts), sum(one.n_significant for one in parts)
    return SignificantPairs(parts[0].low, parts[0].high, n_pairs, n_significant)


def swap_panels(found: Swaps, data: str) -> dict[str, Panel]:
    """A panel for every way of looking at one measure; of a figure's panels, those with anything to show."""
    of = f"{data}; the best {found.disjoint.n_systems} compared, {N_SPLITS} pairs of sets of each size"
    drawn = {
        "absolute": _classes(found.disjoint, EVERY, "absolute"),
        "relative": _classes(found.disjoint, EVERY, "relative"),
        "barely": _classes(found.disjoint, BARELY, "relative"),
        "just": _classes(found.disjoint, JUST, "relative"),
        "replaced": _classes(found.replacement, EVERY, "relative"),
        "replaced-barely": _classes(found.replacement, BARELY, "relative"),
        "tests": _by_test(found),
    }
    panels = {name: Panel(data=of, series=tuple(lines), rules=_RULE) for name, lines in drawn.items()}
    panels["profiles"] = Panel(data=of, series=tuple(_profiles(found)))
    panels["shares"] = Panel(data=data, series=tuple(_shares(found)))
    return {name: panel for name, panel in panels.items() if panel.series}


def _classes(rates: SwapRates, pvalues: tuple[float, float], scale: str) -> Iterator[Series]:
    """A line for each class of differences, and where the paper's trend leads from what 25 topics show."""
    edges, unit = (_ABSOLUTE, 1.0) if scale == "absolute" else (_RELATIVE, 100.0)
    for low, high in pairwise(edges):
        curve = rates.curve(
            pvalues=pvalues, difference=(low, high), scale="absolute" if scale == "absolute" else "relative"
        )
        seen = [(one.n_topics, one.estimate) for one in curve if one.n_compared >= LEAST_COMPARED]
        points = [(size, rate) for size, rate in seen if rate is not None]
        if not points:
            continue
        name = f"{unit * low:g} or more" if high == np.inf else f"{unit * low:g}–{unit * high:g}"
        is_ruled = (low, high) in _RULED
        yield series(name, [x for x, _ in points], [100 * y for _, y in points], is_highlighted=is_ruled)
        fitted = [(size, rate) for size, rate in points if size <= MEASURED and rate > 0]
        if len(fitted) >= 3:
            yield _trend(name, fitted, is_highlighted=is_ruled)


def _trend(name: str, fitted: Sequence[tuple[int, float]], *, is_highlighted: bool) -> Series:
    sizes, rates = zip(*fitted, strict=True)
    xs = list(range(max(sizes), PROJECTED + 1, 5))
    ys = [100 * project_error_rate(sizes, rates, x).rate for x in xs]
    return series(name, xs, ys, mark="curve", style="projected", is_highlighted=is_highlighted)


def _by_test(found: Swaps) -> Iterator[Series]:
    """Barely significant pairs by their difference, on the largest sets that the paper has."""
    for (test, name), rates in zip(TESTS, found.by_test, strict=True):
        middles, values = [], []
        for low, high in pairwise(edge for edge in _RELATIVE if edge <= 0.40):
            rate = rates.error_rate(rates.sizes[-1], pvalues=BARELY, difference=(low, high))
            if rate.n_compared >= LEAST_COMPARED and rate.estimate is not None:
                middles.append(50 * (low + high))
                values.append(100 * rate.estimate)
        if middles:
            yield series(name, middles, values, style=_style(test), is_highlighted=test == "t")


def _style(test: str) -> Style:
    return "other" if test == "sign" else "measured"


def _profiles(found: Swaps) -> Iterator[Series]:
    for one in found.profiles:
        places = range(1, len(one.rates) + 1)
        shares = [100 * rate for rate in one.rates]
        yield series(f"{one.n_topics} topics", places, shares, is_highlighted=one.n_topics == MEASURED)


def _shares(found: Swaps) -> Iterator[Series]:
    for (test, name), classes in zip(TESTS, found.shares, strict=True):
        seen = [one for one in classes if one.n_pairs and one.high is not None]
        middles = [50 * (one.low + (one.high or 0.0)) for one in seen]
        shares = [100 * one.n_significant / one.n_pairs for one in seen]
        if seen:
            yield series(name, middles, shares, style=_style(test), is_highlighted=test == "t")


def deviation_panel(matrix: ScoreMatrix, data: str) -> Panel:
    """Section 5: how far a system's mean varies with the topics, by how many there are."""
    sizes = [5, 10, 15, 20, 25, 50, 75, 100, 150, 200]
    found = precision_of_means(matrix.scores, sizes)
    return Panel(
        data=data, series=(series("", sizes, found.sds, is_highlighted=True),), rules=(Rule(name="0.01", at=0.01),)
    )
