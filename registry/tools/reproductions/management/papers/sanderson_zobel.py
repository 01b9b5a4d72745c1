"""Sanderson & Zobel (2005): how far a significance test can be trusted on other topics."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from analysis.reliability import SignificantShares, SwapRates, compare_effort, significant_shares, swap_rates
from registry.tools.reproductions.lines import Line, Part
from registry.tools.reproductions.management.papers.sources import unnamed_matrix
from registry.tools.reproductions.reproduction import Reproduction

Test = Literal["t", "wilcoxon", "sign"]
Design = Literal["disjoint", "replacement"]

_COLLECTIONS = ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
_N_SPLITS = 40
_BARELY = (0.01, 0.05)
_FEWER = "Three of the paper’s ten collections ship, TREC-5, 7 and 8."
_TESTS: tuple[tuple[Test, str, str, str], ...] = (
    ("t", "the t test", "13", "7"),
    ("wilcoxon", "Wilcoxon’s test", "16", "10"),
    ("sign", "the sign test", "17", "8"),
)


def reproduce_sanderson_zobel(data: Path) -> Reproduction:
    """Swap rates, the differences needed, shares of significant pairs, and effort, on the collections that ship."""
    disjoint = {test: _pooled(data, "AP", "disjoint", test) for test, *_ in _TESTS}
    return Reproduction(
        slug="sanderson-zobel-2005",
        authors="M. Sanderson, J. Zobel",
        title="Information retrieval system evaluation: effort, sensitivity, and reliability",
        venue="SIGIR 2005, 162–169",
        doi="10.1145/1076034.1076064",
        summary="How often other topics reverse an order, or a significant one, and what a shallow measure costs.",
        methods=("test-reliability", "assessor-effort"),
        parts=(
            _differences_needed(data, disjoint["t"]),
            _barely_significant(disjoint),
            _shares(data),
            _effort(data),
        ),
    )


def _pooled(data: Path, measure: str, design: Design, test: Test) -> SwapRates:
    matrices = (unnamed_matrix(data, f"{one}__{measure}") for one in _COLLECTIONS)
    first, *others = (swap_rates(one.scores, rng=1, test=test, design=design, n_splits=_N_SPLITS) for one in matrices)
    return first.pooled_with(others)


def _differences_needed(data: Path, disjoint: SwapRates) -> Part:
    replacement, at_ten = _pooled(data, "AP", "replacement", "t"), _pooled(data, "P-at-10", "disjoint", "t")
    needed = disjoint.difference_needed(50).difference
    return Part(
        name="Figures 1, 2 and 3, sections 4 and 7: differences to rely on with 50 topics",
        data=f"AP and P@10 of the runs of TREC-5, 7 and 8 ad hoc, without their names; {_N_SPLITS} splits each,"
        " projected from 25 topics to 50 by the paper’s exponential trend.",
        lines=(
            _percent("Absolute difference of AP", "5", _needed(disjoint, scale="absolute"), "“More than 5 %”", 1),
            _percent("Relative difference of AP", "25", needed),
            _percent(
                "The same among pairs with 0.01 < p ≤ 0.05 (t test)",
                None,
                disjoint.difference_needed(50, pvalues=_BARELY).difference,
                "“Less than 10 %”",
            ),
            _percent("Relative difference of P@10", None, at_ten.difference_needed(50).difference, "“25 %–30 %”"),
            _percent(
                "Relative difference of AP, topics drawn with replacement",
                None,
                replacement.difference_needed(50).difference,
                "“Between 15 % and 20 %”",
            ),
        ),
    )


def _needed(rates: SwapRates, scale: Literal["absolute", "relative"]) -> float | None:
    return rates.difference_needed(50, scale=scale).difference


def _percent(what: str, printed: str | None, share: float | None, says: str = "", digits: int = 0) -> Line:
    said = f"The paper says {says[0].lower()}{says[1:]}. " if says else ""
    found = None if share is None else 100 * float(share)
    return Line(what, printed, found, digits, unit="%", why=f"{said}{_FEWER}")


def _barely_significant(rates: dict[Test, SwapRates]) -> Part:
    lines = []
    for test, name, *printed in _TESTS:
        for (low, high), number in zip(((0.10, 0.15), (0.25, 0.30)), printed, strict=True):
            found = rates[test].error_rate(25, pvalues=_BARELY, difference=(low, high)).estimate
            lines.append(
                _percent(
                    f"Reversed by other topics, {name}, differences of {low:.0%} to {high:.0%}", number, found, "", 1
                )
            )
    return Part(
        name="Section 3: barely significant differences on 25 topics",
        data="Pairs with 0.01 < p ≤ 0.05 on 25 topics of TREC-5, 7 and 8, and their order on 25 others.",
        lines=tuple(lines),
    )


def _shares(data: Path) -> Part:
    lines = []
    asked: Iterable[tuple[Test, str, str, str]] = (
        ("t", "the t test", "1.3", "57.3"),
        ("wilcoxon", "Wilcoxon’s test", "6.6", "78.0"),
        ("sign", "the sign test", "8.6", ""),
    )
    for test, name, small, large in asked:
        found = [significant_shares(unnamed_matrix(data, f"{one}__AP").scores, test=test) for one in _COLLECTIONS]
        for place, low, printed in ((0, 0, small), (2, 20, large)):
            if printed:
                n, n_pairs = (sum(getattr(one, of)[place] for one in found) for of in ("n_significant", "n_pairs"))
                line = _percent(
                    f"Significant by {name} where means differ by {low} to {low + 10} %", printed, n / n_pairs, "", 1
                )
                lines.append(replace(line, why=f"{line.why} {_each(found, place)}"))
    return Part(
        name="Section 3: how many pairs are significant on all topics",
        data="AP of TREC-5, 7 and 8 on 50 topics; p at most 0.05.",
        lines=tuple(lines),
    )


def _each(found: Sequence[SignificantShares], place: int) -> str:
    shares = (100 * one.n_significant[place] / one.n_pairs[place] for one in found)
    return "They differ among themselves: {:.0f}, {:.0f} and {:.0f} %.".format(*shares)


def _effort(data: Path) -> Part:
    lines = []
    for name in _COLLECTIONS:
        ap, at_ten = (unnamed_matrix(data, f"{name}__{measure}") for measure in ("AP", "P-at-10"))
        found = compare_effort(ap, at_ten, rng=1, first_effort=1.0, second_effort=0.125)
        for end in (min, max):
            ratio = end((point.effort_ratio for point in found.equal_error), default=None)
            which = "least" if end is min else "most"
            lines.append(
                Line(
                    f"{name}: effort for AP over that for P@10 at the same error, {which}",
                    None,
                    ratio,
                    1,
                    why="The paper draws it (figure 7) and prints no number.",
                )
            )
    return Part(
        name="Section 4: P@10 against AP for the same effort",
        data="The same topic sets under both measures; a pool of depth 10 is taken to cost an eighth of one of"
        " depth 100.",
        lines=tuple(lines),
    )
