"""Sanderson & Zobel (2005): how far a significance test can be trusted on other topics."""

from collections.abc import Iterator

from analysis.figures import Axis, Factor, Panel, Series
from analysis.papers import swaps
from analysis.papers.paper import Figure, Line, Reproduction, Shipped
from analysis.papers.pools import pools_figure
from analysis.papers.sanderson_zobel import DEEP, PAPER, SHALLOW, compared, effort_panel

_COLLECTIONS = ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
_FEWER = "Three of the paper’s ten collections ship, TREC-5, 7 and 8."
#: Sets with replacement as in the paper, and of all topics, where the paper projects.
_SIZES = (5, 10, 15, 20, 25, 50)
_LINES = "Each line is a class of differences on the first set, and its height the share of pairs that another set of"
_DASHED = "as many topics puts in the other order. Dashed: the paper’s exponential trend, from what 25 topics show."
#: How sets of topics are drawn.
_DISJOINT = "Sets have no topic in common"
_SIGNIFICANT = f"{_DISJOINT}; a class with fewer than 100 comparisons is left out"
_REPLACED = (
    "Topics are drawn with replacement, as in the paper, which measures up to 25; here 50 are measured, too. A set so"
    " drawn holds some topics twice, which makes p too small"
)
_BY_TREND = "Relative difference, by the trend"
_REPEATED = "that the effect “was repeated when P@10 was examined”"
_WHO = "Those of the other seven years would have to be made from the runs that NIST keeps for participants."
_DIFFERENCE = Axis(label="difference of the means, % of the worse", low=0)
_REVERSED = Axis(label="other topics reverse the order, %", low=0)
#: What judging a topic to depth 10 costs of judging it to depth 100: the middle of the paper's 11 to 14 %.
_PRICE = Factor(label="A topic to depth 10 costs, of one to depth 100", default=0.125, low=0.01, high=1.0)


def reproduce_sanderson_zobel(shipped: Shipped) -> Reproduction:
    """Figures 1 to 12, and the numbers of the text, on the collections that ship."""
    deep, shallow = (
        swaps.pooled([swaps.measure_swaps(shipped.unnamed(f"{one}__{measure}"), sizes=_SIZES) for one in _COLLECTIONS])
        for measure in ("AP", "P-at-10")
    )
    ap, at_ten = _panels(deep, "AP", DEEP), _panels(shallow, "P@10", SHALLOW)
    return Reproduction(
        slug=PAPER,
        authors="M. Sanderson, J. Zobel",
        title="Information retrieval system evaluation: effort, sensitivity, and reliability",
        venue="SIGIR 2005, 162–169",
        doi="10.1145/1076034.1076064",
        short="Sanderson and Zobel, SIGIR 2005",
        summary="How often other topics reverse an order, or a significant one, and what a shallow measure costs.",
        methods=("test-reliability", "assessor-effort", "paired-tests", "topic-set-size"),
        figures=(
            _absolute(ap["figure-1"]),
            *_relative(ap, 2, 3, 4),
            _tests(ap["section-3-tests"], deep),
            _shares(ap["section-3-shares"], deep),
            _survey(),
            *_relative(at_ten, 5, 6),
            _effort(shipped),
            pools_figure(shipped),
            _deviation(shipped),
            _profiles(ap["figure-8"]),
            *_relative(ap | at_ten, 9, 10, 11, 12),
        ),
    )


def _panels(found: swaps.Swaps, measure: str, kinds: dict[str, str]) -> dict[str, Panel]:
    drawn = swaps.swap_panels(found, f"{measure} of TREC-5, 7 and 8, three of the paper’s ten: 293 runs")
    return {figure: drawn[kind] for figure, kind in kinds.items() if kind in drawn}


def _needed(panel: Panel) -> float | None:
    """The lowest class such that it and all above it stay below 5 % on 50 topics, by the lines of a panel."""
    needed = None
    for line in reversed(list(_at_end(panel))):
        if (line.y[-1] or 0.0) > 5:
            break
        needed = float(line.name.replace(" or more", "").split("–")[0])
    return needed


def _at_end(panel: Panel, *, projected: bool = True) -> Iterator[Series]:
    """Lines that reach 50 topics: trends, or what was measured."""
    for line in panel.series:
        if line.x[-1] == swaps.PROJECTED and (line.style == "projected") == projected:
            yield line


def _value(panel: Panel, name: str, x: float, *, projected: bool = False) -> float:
    lines = [one for one in panel.series if one.name == name and (one.style == "projected") == projected]
    return next(y for line in lines for at, y in zip(line.x, line.y, strict=True) if at == x and y is not None)


def _percent(what: str, printed: str | None, found: float | None, says: str = "", digits: int = 0) -> Line:
    said = f"The paper says {says}. " if says else ""
    return Line(what, printed, found, digits, unit="%", why=f"{said}{_FEWER}")


def _by_class(slug: str, name: str, title: str, panel: Panel, sets: str, line: Line, *, more: str = "") -> Figure:
    """A figure with a line for each class of differences, and the difference that is needed as its number."""
    return Figure(
        slug=slug,
        name=name,
        title=title,
        caption=f"{_LINES} {_DASHED} {sets}. {_FEWER}{more}",
        panel=panel,
        x=Axis(label="topics in a set", low=0),
        y=_REVERSED,
        methods=("test-reliability",) if sets == _DISJOINT else ("test-reliability", "paired-tests"),
        lines=(line,),
    )


def _absolute(panel: Panel) -> Figure:
    needed = _needed(panel) or 0.0
    return _by_class(
        "figure-1", "Figure 1: projected trends of error rates for absolute differences in MAP",
        f"By the paper’s trend {needed + 0.01:.2f} AP or more is safe on 50 topics; where that many are measured, the"
        " trend proves a little hopeful", panel, _DISJOINT,
        _percent("Absolute difference of AP from which on 50 topics can be relied on", "5", 100 * needed,
                 "“more than 5 %”", 1), more=f" {_WHO}",
    )  # fmt: skip


#: Figures of relative differences: name; finding, with the difference that is needed, or blank for what was measured
#: against the trend; how sets are drawn; of that difference what it is, what the paper prints, and what it says.
_RELATIVE = {
    "figure-2": (
        "Figure 2: error rates for relative differences in MAP",
        "It takes {:.0f} % between two systems before 50 other topics keep their order 19 times in 20",
        _DISJOINT, "Relative difference of AP", "25", "",
    ),
    "figure-3": (
        "Figure 3: the same among pairs with 0.01 < p ≤ 0.05 in a t test",
        "Once a t test finds a difference less of it is needed: by the trend {:.0f} %",
        _SIGNIFICANT, "Relative difference of AP, with 0.01 < p ≤ 0.05", None, "“less than 10 %”",
    ),
    "figure-4": (
        "Figure 4: the same among pairs with 0.04 < p ≤ 0.05",
        "Just below 0.05 a difference errs a little more often, in most classes: by the trend {:.0f} % are needed",
        _SIGNIFICANT, "Relative difference of AP, with 0.04 < p ≤ 0.05", None,
        "it “increases, but is still much less than the 25 %”",
    ),
    "figure-5": (
        "Figure 5: error rates for relative differences in P@10",
        "P@10 errs more than AP on 10 to 25 topics; by the trend {:.0f} % are needed on 50",
        _DISJOINT, "Relative difference of P@10", "25", "“25 %–30 %”",
    ),
    "figure-6": (
        "Figure 6: the same for P@10 among pairs with 0.01 < p ≤ 0.05",
        "Significance helps P@10 less than AP: {:.0f} % are still needed",
        _SIGNIFICANT, "Relative difference of P@10, with 0.01 < p ≤ 0.05", None,
        "significance does “not reduce it as much as for MAP”",
    ),
    "figure-9": (
        "Figure 9: error rates for relative differences in MAP, topics drawn with replacement",
        "", _REPLACED, _BY_TREND, None, "“between 15 % and 20 %”",
    ),
    "figure-10": (
        "Figure 10: the same among pairs with 0.01 < p ≤ 0.05",
        "", _REPLACED, _BY_TREND, None, "that with “any percentage difference” one “can be highly confident”",
    ),
    "figure-11": ("Figure 11: as figure 9, for P@10", "", _REPLACED, _BY_TREND, None, _REPEATED),
    "figure-12": ("Figure 12: as figure 10, for P@10", "", _REPLACED, _BY_TREND, None, _REPEATED),
}  # fmt: skip


def _relative(panels: dict[str, Panel], *numbers: int) -> Iterator[Figure]:
    for slug in (f"figure-{number}" for number in numbers):
        panel = panels[slug]
        name, title, sets, what, printed, says = _RELATIVE[slug]
        needed = _needed(panel)
        found = title.format(needed) if title else _measured_at_the_end(panel)
        yield _by_class(slug, name, found, panel, sets, _percent(what, printed, needed, says))


_PRINTED = {"t": ("13", "7"), "Wilcoxon": ("16", "10"), "sign": ("17", "8")}


def _tests(panel: Panel, found: swaps.Swaps) -> Figure:
    lines = []
    for rates, (name, printed) in zip(found.by_test, _PRINTED.items(), strict=True):
        for (low, high), number in zip(((0.10, 0.15), (0.25, 0.30)), printed, strict=True):
            rate = rates.error_rate(25, pvalues=swaps.BARELY, difference=(low, high)).estimate
            what = f"Reversed by other topics, {name}, differences of {low:.0%} to {high:.0%}"
            lines.append(_percent(what, number, 100 * (rate or 0.0), "", 1))
    reversed_ = [line.recomputed or 0.0 for line in lines]
    seen = f"{min(reversed_):.0f} to {max(reversed_):.0f}"
    return Figure(
        slug="section-3-tests",
        name="Section 3: t, Wilcoxon’s and the sign test on 25 topics",
        title="Whichever test finds a difference of 10 to 30 % barely significant on 25 topics, others reverse"
        f" {seen} % of them",
        caption="Pairs with 0.01 < p ≤ 0.05 on 25 topics, by their difference, and how many 25 other topics reverse."
        f" The paper finds t the most reliable of the three; on these three years they differ by less. {_FEWER}",
        panel=panel,
        x=_DIFFERENCE,
        y=_REVERSED,
        methods=("test-reliability", "paired-tests"),
        lines=tuple(lines),
    )


def _shares(panel: Panel, found: swaps.Swaps) -> Figure:
    asked = (("t", "1.3", "57.3"), ("Wilcoxon", "6.6", "78.0"), ("sign", "8.6", None))
    lines = []
    for classes, (name, small, large) in zip(found.shares, asked, strict=True):
        for place, printed in ((0, small), (2, large)):
            one = classes[place]
            what = f"Significant by {name} where means differ by {100 * one.low:.0f} to {100 * (one.high or 0):.0f} %"
            lines.append(_percent(what, printed, 100 * one.n_significant / one.n_pairs, "", 1))
    return Figure(
        slug="section-3-shares",
        name="Section 3: how many pairs are significant on all topics",
        title="Small differences are hardly ever significant, and the t test is the last to call them so",
        caption="Pairs with p ≤ 0.05 on all 50 topics, by the difference of their means. More of the larger differences"
        f" are significant here than in the paper. {_FEWER}",
        panel=panel,
        x=_DIFFERENCE,
        y=Axis(label="significant on all topics, %", low=0, high=100),
        methods=("test-reliability", "paired-tests"),
        lines=tuple(lines),
    )


def _effort(shipped: Shipped) -> Figure:
    found = [compared((shipped.unnamed(f"{one}__AP"), shipped.unnamed(f"{one}__P-at-10"))) for one in _COLLECTIONS]
    panel = effort_panel(found, ("AP", "P@10"), "TREC-5, 7 and 8: the best 75 % of the runs, pairs on the same sets")
    lines = []
    for name, (_, one) in zip(_COLLECTIONS, found, strict=True):
        ratios = [point.effort_ratio * 0.14 / _PRICE.default for point in one.equal_error]
        for which, ratio in (("least", min(ratios, default=None)), ("most", max(ratios, default=None))):
            what = f"{name}: effort for AP over that for P@10 at the same error, {which}"
            lines.append(Line(what, None, ratio, 1, why="The paper draws it (figure 7) and prints no number."))
    return Figure(
        slug="figure-7",
        name="Figure 7: error rates of MAP and P@10 by topics, and by effort",
        title="For what it costs to judge, P@10 errs far less than AP",
        caption="The same topic sets under both measures; sets of topics from 5 to 25, as long as what they cost."
        " Change what a topic judged to depth 10 costs: with 1, effort is the number of topics, the paper’s upper"
        f" graph. The paper measures 11 to 14 %. {_FEWER}",
        panel=panel,
        x=Axis(label="effort, in topics judged to depth 100", low=0),
        y=_REVERSED,
        factor=_PRICE,
        methods=("assessor-effort",),
        lines=tuple(lines),
    )


def _deviation(shipped: Shipped) -> Figure:
    matrix = shipped.unnamed("trec-2004-robust__AP")
    panel = swaps.deviation_panel(matrix, "AP of the 110 runs of Robust04 on 99 of its topics, averaged over runs")
    (line,) = panel.series
    found = dict(zip(line.x, line.y, strict=True))
    why = "Other systems: the paper has ten settings of Zettair on some 400 topics of ten years."
    return Figure(
        slug="section-5",
        name="Section 5: how far a mean moves with the topics",
        title=f"The means of these runs move by {found[25]:.3f} with 25 topics, and by {found[200]:.3f} with 200",
        caption="The standard deviation of one system’s mean over sets of so many topics, from the variation of its"
        f" scores, averaged over systems. {why}",
        panel=panel,
        x=Axis(label="topics in a set", low=0),
        y=Axis(label="standard deviation of a mean", low=0),
        methods=("mean-score", "topic-set-size"),
        lines=(
            Line("Standard deviation on 5 topics", "0.056", found[5], 3, why=why),
            Line("On 25 topics", "0.025", found[25], 3, why=why),
            Line("On 200 topics", None, found[200], 3, why=f"The paper says “below 0.01 at about 150–200”. {why}"),
        ),
    )


def _profiles(panel: Panel) -> Figure:
    first, last = (f"{line.y[-1] or 0.0:.0f}" for line in (panel.series[0], panel.series[-1]))
    return Figure(
        slug="figure-8",
        name="Figure 8: error rates of pairs of sets, sorted by the difference on the first",
        title="On 25 disjoint topics the largest differences err the most: an artefact of sets that leave nothing over",
        caption="Of the 50 pairs of sets of every two runs, the tenth with the smallest difference on the first set"
        f" stands left, that with the largest right. On 5 topics the last tenth errs {first} %, on 25 {last} %."
        f" The paper draws all 50 one by one and prints no number. {_FEWER}",
        panel=panel,
        x=Axis(label="tenth of the trials of a pair, by the difference on the first set", low=1, high=10),
        y=_REVERSED,
        methods=("test-reliability",),
    )


def _measured_at_the_end(panel: Panel) -> str:
    """What was measured on 50 topics, against the trend."""
    least = min(line.y[-1] or 0.0 for line in _at_end(panel, projected=False))
    needed = f"By the trend {_needed(panel):.0f} % are enough on 50 topics; measured,"
    if least > 5:
        return f"{needed} every class of these errs more than 5 % of the time"
    trend, seen = (_value(panel, "25–30", swaps.PROJECTED, projected=which) for which in (True, False))
    return f"{needed} 25 to 30 % err {seen:.1f} % of the time and not {trend:.1f} %"


def _survey() -> Figure:
    """Section 3: how many of 26 papers test for significance; the same is asked of the readers of papers here."""
    unnamed = "Not recomputed here: needs the names of the papers that were read, which are not printed."
    return Figure(
        slug="section-3-survey",
        name="Section 3: how many papers test for significance",
        title="Whether papers test their differences is counted here as their readers say it",
        caption="The paper read 26 papers of SIGIR 2003 and 2004 for which MAP was a natural choice, and found at least"
        " six with small improvements and no test. Here whoever has read a paper says on its page whether it tests, and"
        " which test; what nobody has said is not counted as either.",
        missing=unnamed,
        methods=("paired-tests", "baselines"),
        lines=(
            Line("Papers that were read", "26", None, 0, why=unnamed),
            Line("With small improvements and no test, at least", "23", None, 0, unit="%", why=unnamed),
        ),
    )
