"""Cormack & Lynam (2006): how precise a measured average precision is."""

from collections.abc import Iterator, Mapping
from statistics import median

from analysis.documents import agreement_probability, lead_balloon_limit, silver_bullet_limit, unseen_proportion
from analysis.figures import Axis, Panel, Rule, series
from analysis.papers.cormack_lynam import PAPER, RUNS, panels_of
from analysis.papers.paper import Figure, Line, Reproduction, Shipped

_PRECISION, _MEANS, _SPLITS = "precision-of-ap", "precision-of-map", "split-collection-validation"
_OTHER = (
    "Other runs: 17 that ship, on seven collections and cut at 100 to 1,000 documents, stand in for 74 of TREC-6 ad"
    " hoc, which NIST keeps for participants."
)
_SPLIT = (
    "Documents are split in two by a hash of their names, as in the paper and in four ways more; each split halves the"
    " relevant documents. Topics that a half can’t measure are left out."
)
#: What the paper prints: below, within, above, per cent.
_TABLE_1 = {
    "linear": ("3.7", "77.8", "11.1", "2.8", "82.0", "15.1"),
    "logit": ("11.1", "76.5", "12.5", "9.4", "81.4", "9.1"),
    "BCa": ("7.4", "77.1", "15.5", "6.7", "80.8", "12.5"),
}
_TABLE_2 = {
    "linear": ("2.1", "82.8", "15.0", "2.4", "83.9", "13.6"),
    "logit": ("8.5", "83.6", "7.9", "8.7", "82.7", "8.7"),
}
_TABLE_3 = {
    "MAP": ("27.0", "68.9", "4.0", "21.6", "75.6", "2.7"),
    "L-MAP": ("1.3", "83.7", "14.8", "16.2", "82.4", "1.3"),
}
_TABLE_4 = {
    "MAP": ("1.3", "78.3", "20.2", "16.2", "81.0", "2.7"),
    "L-MAP": ("2.7", "74.3", "22.9", "22.9", "74.3", "2.7"),
}
_POSITION = Axis(label="AP of the other half; the interval is from −1 to 1", low=-4, high=4)
_CASES = Axis(label="lists, %", low=0)
_WITHIN = Axis(label="in the interval of the other half, %", low=0, high=100)
_MEAN = Axis(label="mean over topics, as a score", low=0)


def reproduce_cormack_lynam(shipped: Shipped) -> Reproduction:
    """Tables 1 to 4 and figures 1 to 4 on the runs that ship, all pooled, and what follows from formulas."""
    panels = panels_of(list(shipped.rankings()), "All collections of which runs ship, pooled")
    return Reproduction(
        slug=PAPER,
        authors="G. V. Cormack, T. R. Lynam",
        title="Statistical precision of information retrieval evaluation",
        venue="SIGIR 2006, 533–540",
        doi="10.1145/1148170.1148262",
        short="Cormack and Lynam, SIGIR 2006",
        summary="How often a second collection agrees with an interval, and what few relevant documents can say.",
        methods=(_PRECISION, _MEANS, _SPLITS, "meta-analysis"),
        figures=(
            _agreement(),
            *_pilot(panels),
            _limits(),
            *_corrected(panels),
            *_tables_of_means(panels),
            *_drawn_means(panels),
        ),
    )


def _agreement() -> Figure:
    levels = [*range(50, 100), 99.5, 99.9]
    shares = [100 * agreement_probability(level / 100) for level in levels]
    agreement = 100 * agreement_probability()
    exact = "The exact value is 2 Φ(1.96 / √2) − 1."
    return Figure(
        slug="section-4",
        name="Section 4: how often the other half lies in the interval of one",
        title=f"A 95 % interval holds the score on a second collection {agreement:.1f} % of the time",
        caption="Both halves vary, so an interval holds the score of the other half less often than the true value."
        " Against this, and not 95 %, the tables below are to be read.",
        panel=Panel(
            data="No data: both collections vary",
            series=(
                series("second", levels, shares, mark="curve", is_highlighted=True),
                series("true value", levels, levels, mark="curve", style="projected"),
            ),
            rules=(Rule(name="95 %", at=95.0, axis="x"),),
        ),
        x=Axis(label="level of the interval, %", low=50, high=100),
        y=Axis(label="holds the value of a second collection, %", low=0, high=100),
        methods=(_SPLITS,),
        lines=(
            Line("In the interval", "83.5", agreement, 2, unit="%", why=exact),
            Line("Above it, and below", "8.25", (100 - agreement) / 2, 2, unit="%", why=exact),
        ),
    )


def _limits() -> Figure:
    silver, counts, depth = unseen_proportion(4), range(1, 51), 1000
    lowest = [lead_balloon_limit(one) for one in counts]
    highest = [silver_bullet_limit(one, depth) for one in counts]
    return Figure(
        slug="section-5",
        name="Section 5: few relevant documents",
        title=f"Four relevant documents, none found, allow that {100 * silver:.0f} % of all would be",
        caption="An AP of 0 or 1 has no variance to resample. Where nothing was found, AP may be up to the orange line"
        " on another collection like this one (silver bullets); where everything leads the list, down to the teal one"
        " (lead balloons). The paper prints one example.",
        panel=Panel(
            data=f"No data: exact limits for lists of {depth:,} documents",
            series=(
                series("all lead", counts, lowest, mark="curve", is_highlighted=True),
                series("none found", counts, highest, mark="curve", style="other"),
            ),
        ),
        x=Axis(label="relevant documents", low=0, high=50),
        y=Axis(label="AP", low=0, high=1),
        methods=(_PRECISION,),
        lines=(
            Line("Largest share of silver bullets that 4 relevant documents allow", "0.53", silver, 4),
            *(
                Line(what, None, found, 4, why="The paper prints no example.")
                for what, found in (
                    ("Upper limit of AP where none of 4 is found in 1,000", silver_bullet_limit(4, 1000)),
                    ("Lower limit of AP where all 4 lead the list", lead_balloon_limit(4)),
                )
            ),
        ),
    )


def _pilot(panels: dict[str, Panel]) -> Iterator[Figure]:
    """Table 1, figure 1, and where intervals fail."""
    table = panels["table-1"]
    within = {str(name): (of_all, of_many) for name, _, of_all, _, _, of_many, _ in table.rows}
    yield Figure(
        slug="table-1",
        name="Table 1: AP of the other half against three intervals",
        title=f"Of more than five relevant documents, intervals hold the other half {within['linear'][1]:.0f} to"
        f" {within['logit'][1]:.0f} % of the time, and should {within['model'][1]:.0f} %",
        caption="Where AP in the second half lies against the 95 % interval from the first: of all lists, and of those"
        f" with more than five relevant documents (R) there. {_SPLIT} A list without an interval (AP of 0 or 1, BCa"
        f" also with one relevant document) holds its own AP alone. {_OTHER}",
        panel=table,
        methods=(_SPLITS, _PRECISION),
        lines=tuple(_lines(table, _TABLE_1, ("all lists", "R > 5"))),
    )
    histogram = panels["figure-1"]
    (bars,) = histogram.series
    beyond = {"below": bars.y[0] or 0.0, "above": bars.y[-1] or 0.0}
    yield Figure(
        slug="figure-1",
        name="Figure 1: where AP of the other half lies, by BCa",
        title=f"{beyond['above']:.1f} % of the lists lie far above their interval, {beyond['below']:.2f} % far below",
        caption="Each list’s AP in the second half on the scale of its BCa interval from the first, which reaches from"
        " −1 to 1 (dashed); the last bars hold all that lie beyond. As in the paper, the outliers are at the high end."
        f" {_OTHER}",
        panel=histogram,
        x=_POSITION,
        y=_CASES,
        methods=(_SPLITS, _PRECISION),
        lines=tuple(
            Line(
                f"{side.capitalize()} the middle by 3.75 half-widths or more", None, share, 2, unit="%",
                why="The paper draws it and prints no number.",
            )
            for side, share in beyond.items()
        ),
    )  # fmt: skip
    coverage = panels["coverage-by-relevant"]
    linear, logit = (coverage.series[place].y for place in (0, 1))
    yield Figure(
        slug="coverage-by-relevant",
        name="Section 4: which lists miss",
        title=f"One relevant document in a half: the linear interval holds {linear[0]:.0f} %, the logit {logit[0]:.0f}"
        " %",
        caption="How often the interval of one half holds AP of the other, by the number of relevant documents in the"
        " first; the dashed line is what the model expects. The paper finds that most misses “arise when R ≤ 5”, and"
        f" corrects for it. {_OTHER}",
        panel=coverage,
        x=Axis(label="relevant documents in the half", is_log=True, low=1),
        y=_WITHIN,
        methods=(_SPLITS, _PRECISION),
    )


def _corrected(panels: dict[str, Panel]) -> Iterator[Figure]:
    """Table 2 and figure 2, and the variance that the intervals rest on."""
    table = panels["table-2"]
    of = {str(name): cells for name, *cells in table.rows}
    linear, logit = ([float(of[name][place] or 0.0) for place in (0, 2, 3, 5)] for name in ("linear", "logit"))
    yield Figure(
        slug="table-2",
        name="Table 2: the same, with limits for few relevant documents",
        title=f"Above the linear interval lie {linear[1]:.0f} % of the lists, below it {linear[0]:.0f} %; of the logit"
        f" interval {logit[1]:.0f} and {logit[0]:.0f} %",
        caption="As table 1, with the limits of section 5 where AP can’t be told from 0 or 1, and in both directions."
        f" The paper finds six times as many above as below the linear interval, and no bias of the logit. {_OTHER}",
        panel=table,
        methods=(_SPLITS, _PRECISION),
        lines=tuple(_lines(table, _TABLE_2, ("A to B", "B to A"))),
    )
    drawn = panels["figure-2"]
    far = {one.name: (one.y[0] or 0.0, one.y[-1] or 0.0) for one in drawn.series}
    yield Figure(
        slug="figure-2",
        name="Figure 2: where AP of the other half lies, linear and logit",
        title=f"Far above their interval lie {far['linear'][1]:.1f} % of the lists on the linear scale, and"
        f" {far['logit'][1]:.1f} % on the logit",
        caption="As figure 1, with limits for few relevant documents; teal is the logit interval, orange the linear"
        f" one. The last bars hold all beyond. The paper draws it and prints no number. {_OTHER}",
        panel=drawn,
        x=_POSITION,
        y=_CASES,
        methods=(_SPLITS, _PRECISION),
    )
    variance = panels["variance"]
    ratios = [
        median((measured or 0.0) / predicted for predicted, measured in zip(one.x, one.y, strict=True))
        for one in variance.series[:2]
    ]
    yield Figure(
        slug="variance",
        name="Section 4: predicted and measured variance",
        title=f"Halves differ by {ratios[0]:.2f} times what the bootstrap predicts for AP, {ratios[1]:.2f} times for"
        " logit AP",
        caption="Ten classes of lists by the standard deviation that the bootstrap predicts for the difference of AP"
        " between the halves, of both scales; up, the root mean square of the differences. Dashed: as predicted. The"
        " lowest class holds lists with AP near 0, where there is little to resample. The title has the median class."
        f" The paper doesn’t draw it. {_OTHER}",
        panel=variance,
        x=Axis(label="predicted standard deviation of the difference between halves", is_log=True),
        y=Axis(label="measured: root mean square of the difference", is_log=True),
        methods=(_PRECISION, _SPLITS),
    )


def _tables_of_means(panels: dict[str, Panel]) -> Iterator[Figure]:
    """Tables 3 and 4, and the same by the number of topics."""
    bootstrap, parametric = panels["table-3"], panels["table-4"]
    of_three, of_four = (_held(one) for one in (bootstrap, parametric))
    few = (
        "17 runs in five splits are 85 cases, which aren’t independent: a share of 83 % has an error of 4 points at"
        " least."
    )
    yield Figure(
        slug="table-3",
        name="Table 3: means over topics by the bootstrap",
        title=f"Bootstrap intervals of MAP hold the other half {of_three['MAP']:.0f} % of the time, of L-MAP"
        f" {of_three['L-MAP']:.0f} %",
        caption="MAP and the mean of logit AP (L-MAP) of a run in one half against the interval from the other. The"
        f" paper finds MAP’s too narrow (69 and 76 %). {few} {_OTHER}",
        panel=bootstrap,
        methods=(_MEANS, _SPLITS),
        lines=tuple(_lines(bootstrap, _TABLE_3, ("A to B", "B to A"), few)),
    )
    yield Figure(
        slug="table-4",
        name="Table 4: means over topics by parameters",
        title=f"Adding up the variances of topics, intervals of MAP hold {of_four['MAP']:.0f} %, of L-MAP"
        f" {of_four['L-MAP']:.0f} %",
        caption="As table 3, by the topics’ logit variances, which for MAP weigh AP − AP² each. They are wide here:"
        " halves of 43 to 249 topics with few relevant documents take their variance from limits for few, as the paper"
        f" says of L-MAP. {few} {_OTHER}",
        panel=parametric,
        methods=(_MEANS, _SPLITS),
        lines=tuple(_lines(parametric, _TABLE_4, ("A to B", "B to A"), few)),
    )
    by_topics = panels["coverage-by-topics"]
    lowest = min(y for one in by_topics.series for y in one.y if y is not None)
    yield Figure(
        slug="coverage-by-topics",
        name="Section 6: means over how many topics",
        title=f"However many topics a mean has, at least {lowest:.0f} % of the other halves lie in its interval",
        caption="Fifty topic sets of each size, drawn from each run in each half: how often the interval of a mean"
        " holds that of the other half on the same topics, from standard errors of lists added up. Runs with fewer"
        f" topics drop out to the right. The paper has 50 topics alone. {_OTHER}",
        panel=by_topics,
        x=Axis(label="topics of a mean", is_log=True, low=1),
        y=_WITHIN,
        methods=(_MEANS, _SPLITS),
    )


def _held(table: Panel) -> dict[str, float]:
    """Per cent within, the mean of both directions, by row."""
    return {str(row[0]): (float(row[2] or 0.0) + float(row[5] or 0.0)) / 2 for row in table.rows}


def _drawn_means(panels: dict[str, Panel]) -> Iterator[Figure]:
    """Figures 3 and 4."""
    halves, whole = panels["figure-3"], panels["figure-4"]
    held = [
        sum(float(row[low] or 0.0) <= float(row[other] or 0.0) <= float(row[high] or 0.0) for row in halves.rows)
        for low, high, other in ((3, 4, 8), (6, 7, 9))
    ]
    wide = [(high or 0.0) - (low or 0.0) for low, high in zip(whole.series[0].low, whole.series[0].high, strict=True)]
    narrow = [float(row[4] or 0.0) - float(row[3] or 0.0) for row in halves.rows]
    yield Figure(
        slug="figure-3",
        name="Figure 3: intervals of MAP and L-MAP from half the documents",
        title=f"In the paper’s split {held[0]} of {len(halves.rows)} MAP and {held[1]} L-MAP of the other half lie in"
        " their interval",
        caption="Left MAP by parameters, right L-MAP by the bootstrap, as in the paper: the first half with its"
        f" interval in teal, the second half in orange; runs by MAP, one after the other. {_OTHER}",
        panel=halves,
        x=RUNS,
        y=_MEAN,
        methods=(_MEANS, _SPLITS),
    )
    yield Figure(
        slug="figure-4",
        name="Figure 4: intervals of MAP and L-MAP from all documents",
        title=f"With all documents an interval of MAP is {median(wide):.3f} wide, with half of them"
        f" {median(narrow):.3f} (medians)",
        caption=f"As figure 3, of whole collections. {_OTHER}",
        panel=whole,
        x=RUNS,
        y=_MEAN,
        methods=(_MEANS,),
        lines=(Line("Width of an interval of MAP, median", "0.05", median(wide), 3, why=_OTHER),),
    )


def _lines(
    table: Panel, printed: Mapping[str, tuple[str, ...]], groups: tuple[str, str], says: str = ""
) -> Iterator[Line]:
    """A line for each number of a table."""
    places = [(group, where) for group in groups for where in ("below", "within", "above")]
    for name, *cells in table.rows:
        for (group, where), number, found in zip(places, printed.get(str(name), ()), cells, strict=False):
            whole = (
                "The paper’s three add up to 92.6. " if (name, group, where) == ("linear", "all lists", "above") else ""
            )
            yield Line(
                f"{name}, {group}: {where}", number, float(found or 0.0), 1, unit="%",
                why=f"{whole}{says} {_OTHER}".strip(),
            )  # fmt: skip
