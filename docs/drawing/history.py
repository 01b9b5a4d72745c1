"""Pictures of the pages on what is recorded, and on progress over the years."""

from decimal import Decimal

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def reachable_values(example: Example) -> Chart:
    """Return how far every reported score is from the nearest mean that exists."""
    reachable = example["reachable"]
    chart = Chart(
        "Six reported scores are no mean over 249 topics",
        Axis("reported P@10", 0.34, 0.56, [0.35, 0.4, 0.45, 0.5, 0.55], "{:.2f}"),
        Axis("nearest mean − reported, in units of the last digit", -2.2, 2.4, [-2, -1, 0, 1, 2]),
    )
    chart.area([0.34, 0.56], [-0.5, -0.5], [1, 1], "blue")
    chart.text(0.345, -0.5, "rounding or cutting off explains this", "blue", dy=18)
    for reported, value in reachable.items():
        unit = Decimal(1).scaleb(Decimal(reported).as_tuple().exponent)
        distances = [float((Decimal(float(mean)) - Decimal(reported)) / unit) for mean in (value.below, value.above)]
        distance = min(distances, key=abs)
        chart.points([float(reported)], [distance], "blue" if value.is_reachable else "orange")
        if not value.is_reachable and reported not in ("0.4163", "0.4183"):
            words = "0.4163, 0.4183, 0.4211" if reported == "0.4211" else reported
            chart.text(float(reported), distance, words, "orange", dx=7, dy=0)
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
    """Improved scores over the years, with the median and the upper trend."""
    years, trend, frontier = example["years"], example["trend"], example["frontier"]
    chart = Chart(
        "Fourteen years of papers, and no rise",
        Axis("year of the paper (Robust04)", 2004, 2020, [2005, 2010, 2015, 2019], "{:.0f}"),
        Axis("best AP that the paper reports for its own method", 0.2, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4], "{:.2f}"),
    )
    chart.points(years, example["improved"], "grey", size=7)
    ends = np.array([2004.5, 2019.5])
    for fit, colour, name in ((frontier, "orange", "best tenth"), (trend, "blue", "median")):
        chart.line(ends, fit.intercept + fit.slope * ends, colour, width=2.5)
        words = f"{name} {fit.slope:+.4f} a year"
        chart.text(2019.8, 0.214 if name == "median" else 0.365, words, colour, anchor="end")
    return chart


@picture
def baselines(example: Example) -> Chart:
    """Baselines against what was known a year before."""
    known, years = example["known"], example["years"]
    chart = Chart(
        "One of 109 baselines reaches what was known",
        Axis("year of the paper (Robust04)", 2004, 2020, [2005, 2010, 2015, 2019], "{:.0f}"),
        Axis("best baseline that the paper compares with, AP", 0.2, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4], "{:.2f}"),
    )
    chart.points(years, example["baselines"], "orange", hollow=True, size=9)
    times = [row.time + side for row in known.times for side in (-0.5, 0.5)]
    chart.line(times, np.repeat([row.best_before for row in known.times], 2), "blue", width=2.5)
    chart.text(
        2019.8,
        known.times[-1].best_before,
        f"best known a year before: {known.times[-1].best_before:.4f}",
        "blue",
        anchor="end",
        dy=-9,
    )
    middle = float(np.median(example["runs"]))
    chart.rule(y=middle)
    chart.text(2004.1, 0.21, f"dashed: median run of 2004, {middle:.3f}", "muted")
    return chart
