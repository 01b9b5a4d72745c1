"""Swap rates as Sanderson and Zobel (2005) draw them: by difference, significance, test, and how sets are drawn."""

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
    """Return all experiments of one matrix; ``sizes`` are those of sets with replacement, else up to all topics.

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
        by_test=tuple(rates(test=test.test, of=[test.n_topics]) for test in resolution.tests),
        shares=tuple(test.significant_pairs for test in resolution.tests),
        profiles=tuple(profile for profile in resolution.designs[0].profiles if profile.n_topics <= MEASURED),
    )


def pooled(every: Sequence[Swaps]) -> Swaps:
    """Return the experiments over several collections, as if a pair were drawn from all of them."""
    weights = [swaps.disjoint.n_pairs for swaps in every]

    def together(parts: Sequence[SwapRates]) -> SwapRates:
        return parts[0].pooled_with(parts[1:])

    return Swaps(
        disjoint=together([swaps.disjoint for swaps in every]),
        replacement=together([swaps.replacement for swaps in every]),
        by_test=tuple(map(together, zip(*(swaps.by_test for swaps in every), strict=True))),
        shares=tuple(
            tuple(map(_added, zip(*of_test, strict=True)))
            for of_test in zip(*(swaps.shares for swaps in every), strict=True)
        ),
        profiles=tuple(
            SizeProfile(
                parts[0].n_topics, tuple(np.average([part.rates for part in parts], axis=0, weights=weights).tolist())
            )
            for parts in zip(*(swaps.profiles for swaps in every), strict=True)
        ),
    )


def _added(parts: Sequence[SignificantPairs]) -> SignificantPairs:
    n_pairs, n_significant = sum(part.n_pairs for part in parts), sum(part.n_significant for part in parts)
    return SignificantPairs(parts[0].low, parts[0].high, n_pairs, n_significant)


def swap_panels(swaps: Swaps, data: str) -> dict[str, Panel]:
    """Return a panel for every way of looking at one measure; of a figure's panels, those with anything to show."""
    compared = f"{swaps.disjoint.n_systems} systems compared, the best of {data}"
    of = f"{compared}; {N_SPLITS} pairs of sets of each size"
    drawn = {
        "absolute": _classes(swaps.disjoint, EVERY, "absolute"),
        "relative": _classes(swaps.disjoint, EVERY, "relative"),
        "barely": _classes(swaps.disjoint, BARELY, "relative"),
        "just": _classes(swaps.disjoint, JUST, "relative"),
        "replaced": _classes(swaps.replacement, EVERY, "relative"),
        "replaced-barely": _classes(swaps.replacement, BARELY, "relative"),
        "tests": _by_test(swaps),
    }
    panels = {name: Panel(data=of, series=tuple(lines), rules=_RULE) for name, lines in drawn.items()}
    panels["profiles"] = Panel(data=of, series=tuple(_profiles(swaps)))
    panels["shares"] = Panel(data=compared, series=tuple(_shares(swaps)))
    return {name: panel for name, panel in panels.items() if panel.series}


def _classes(rates: SwapRates, pvalues: tuple[float, float], scale: str) -> Iterator[Series]:
    """Yield a line for each class of differences, and where the paper's trend leads from what 25 topics show."""
    edges, unit = (_ABSOLUTE, 1.0) if scale == "absolute" else (_RELATIVE, 100.0)
    for low, high in pairwise(edges):
        curve = rates.curve(
            pvalues=pvalues, difference=(low, high), scale="absolute" if scale == "absolute" else "relative"
        )
        seen = [(rate.n_topics, rate.estimate) for rate in curve if rate.n_compared >= LEAST_COMPARED]
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


def _by_test(swaps: Swaps) -> Iterator[Series]:
    """Yield barely significant pairs by their difference, on the largest sets that the paper has."""
    for (test, name), rates in zip(TESTS, swaps.by_test, strict=True):
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


def _profiles(swaps: Swaps) -> Iterator[Series]:
    for profile in swaps.profiles:
        places = range(1, len(profile.rates) + 1)
        shares = [100 * rate for rate in profile.rates]
        yield series(f"{profile.n_topics} topics", places, shares, is_highlighted=profile.n_topics == MEASURED)


def _shares(swaps: Swaps) -> Iterator[Series]:
    for (test, name), classes in zip(TESTS, swaps.shares, strict=True):
        seen = [group for group in classes if group.n_pairs and group.high is not None]
        middles = [50 * (share.low + (share.high or 0.0)) for share in seen]
        shares = [100 * share.n_significant / share.n_pairs for share in seen]
        if seen:
            yield series(name, middles, shares, style=_style(test), is_highlighted=test == "t")


def deviation_panel(matrix: ScoreMatrix, data: str) -> Panel:
    """Return section 5: how far a system's mean varies with the topics, by how many there are."""
    sizes = [5, 10, 15, 20, 25, 50, 75, 100, 150, 200]
    sds = [row.sd for row in precision_of_means(matrix.scores, sizes)]
    return Panel(data=data, series=(series("", sizes, sds, is_highlighted=True),), rules=(Rule(name="0.01", at=0.01),))
