"""Pictures of the pages on what is recorded, and on progress over the years."""

from decimal import Decimal

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def reachable_values(example: Example) -> Chart:
    """How far every printed score is from the nearest mean that exists."""
    found = example["found"]
    chart = Chart(
        "Six printed scores are no mean over 249 topics",
        Axis("printed P@10", 0.34, 0.56, [0.35, 0.4, 0.45, 0.5, 0.55], "{:.2f}"),
        Axis("nearest mean − printed, in units of the last digit", -2.2, 2.4, [-2, -1, 0, 1, 2]),
    )
    chart.area([0.34, 0.56], [-0.5, -0.5], [1, 1], "blue")
    chart.text(0.345, -0.5, "rounding or cutting off explains this", "blue", dy=18)
    for printed, one in found.items():
        unit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
        distances = [float((Decimal(float(mean)) - Decimal(printed)) / unit) for mean in (one.below, one.above)]
        distance = min(distances, key=abs)
        chart.points([float(printed)], [distance], "blue" if one.is_reachable else "orange")
        if not one.is_reachable and printed not in ("0.4163", "0.4183"):
            words = "0.4163, 0.4183, 0.4211" if printed == "0.4211" else printed
            chart.text(float(printed), distance, words, "orange", dx=7, dy=0)
    return chart


@picture
def records(example: Example) -> Chart:
    """Records set, against those that chance would set."""
    test = example["test"]
    places = np.arange(1, test.n_results + 1)
    expected = np.cumsum(1 / places)
    spread = np.sqrt(np.cumsum(1 / places - 1 / places**2))
    counts = np.searchsorted(sorted(test.record_positions), places - 1, side="right")
    chart = Chart(
        "Four records in 109 papers, where chance sets five",
        Axis("papers on Robust04 in the order of publication", 0, 112, [1, 25, 50, 75, 109]),
        Axis("records set so far", 0, 8, [0, 2, 4, 6, 8]),
    )
    chart.area(places, expected - spread, expected + spread, "orange")
    chart.line(places, expected, "orange", dashed=True)
    chart.line(np.repeat(places, 2)[1:], np.repeat(counts, 2)[:-1], "blue")
    chart.points([place + 1 for place in test.record_positions], range(1, test.n_records + 1), "blue", size=10)
    chart.text(
        109,
        expected[-1],
        f"by chance {test.expected:.2f} ± {test.standard_deviation:.2f}",
        "orange",
        anchor="end",
        dy=-10,
    )
    chart.text(
        109,
        4,
        f"set: {test.n_records}, the last in {example['years'][test.record_positions[-1]]}",
        "blue",
        anchor="end",
        dy=22,
    )
    return chart


@picture
def trends(example: Example) -> Chart:
    """Baselines and improved scores over the years, with two trends."""
    years, trend, frontier = example["years"], example["trend"], example["frontier"]
    chart = Chart(
        "Fourteen years of papers, and no rise",
        Axis("year of the paper (Robust04)", 2004, 2020, [2005, 2010, 2015, 2019], "{:.0f}"),
        Axis("AP: rings baselines, dots the paper's own best", 0.15, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4], "{:.2f}"),
    )
    chart.points([year - 0.12 for year in years], example["baselines"], "orange", hollow=True, size=7)
    chart.points([year + 0.12 for year in years], example["improved"], "blue", size=6)
    ends = np.array([2004.5, 2019.5])
    chart.line(ends, trend.intercept + trend.slope * ends, "blue")
    chart.line(ends, frontier.intercept + frontier.slope * ends, "blue", dashed=True)
    top = max(example["runs"])
    chart.rule(y=top, colour="muted")
    chart.text(2019.8, top, f"best run of 2004: {top:.3f}", "muted", anchor="end", dy=-6)
    chart.text(2019.8, 0.17, f"median slope {trend.slope:+.4f} a year; dashed: best tenth", "blue", anchor="end")
    return chart
