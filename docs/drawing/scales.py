"""Pictures of the pages that put scores on one scale."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture, short


@picture
def standardization(example: Example) -> Chart:
    """Raw means against standardized ones."""
    matrix = example["matrix"]
    means = example["standardize"](matrix, example["factors"], transform="normal").means
    chart = Chart(
        "Once topics count alike, SPLADE++ is ahead of RepLLaMA",
        Axis("raw mean of nDCG@10 over 43 topics", 0.47, 0.79, [0.5, 0.55, 0.6, 0.65, 0.7, 0.75], "{:.2f}"),
        Axis(
            "standardized mean (N, all eleven runs as reference)", 0.2, 0.72, [0.2, 0.3, 0.4, 0.5, 0.6, 0.7], "{:.1f}"
        ),
    )
    names = [short(system) for system in matrix.systems]
    marked = [name in ("SPLADE++", "RepLLaMA") for name in names]
    rest = np.logical_not(marked)
    chart.points(matrix.means[rest], means[rest], "grey")
    chart.points(matrix.means[marked], means[marked], "blue", size=10)
    for name, raw, mean in zip(names, matrix.means, means, strict=True):
        if name == "SPLADE++":
            chart.text(raw, mean, f"{name} {raw:.3f} → {mean:.3f}", "blue", anchor="end", dx=-9, dy=0)
        elif name == "RepLLaMA":
            chart.line([raw, raw], [mean - 0.012, mean - 0.18], "blue", width=1)
            chart.text(0.79, mean - 0.2, f"{name} {raw:.3f} → {mean:.3f}", "blue", anchor="end", dy=12)
        elif raw < 0.6:
            chart.text(raw, mean, name, "muted", dx=9)
    return chart


@picture
def historical_standardization(example: Example) -> Chart:
    """Standardized means of the reranked runs, with what other reference systems would change."""
    reranked, reference = example["reranked"], example["reference"]
    uncertainty = example["standardized_mean_uncertainty"](reranked, reference, 1, transform="normal")
    chart = Chart(
        "Six reference systems can't tell the reranked runs apart",
        Axis("standardized mean (N), 95% intervals", 0.35, 0.9, [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ["", *(short(system) for system in uncertainty.systems)],
        left=174,
    )
    chart.rule(x=0.5)
    chart.text(0.5, 0, "the six themselves", "muted", dx=7)
    for row, (estimate, interval) in enumerate(zip(uncertainty.estimates, uncertainty.intervals, strict=True), 1):
        chart.interval(interval.low, interval.high, row, at=estimate)
    return chart


@picture
def standing_among_reference_means(example: Example) -> Chart:
    """The distribution of the reference means, and where two means stand in it."""
    runs = np.sort(example["runs"])
    standing = example["standing"]
    shares = np.arange(1, runs.size + 1) / runs.size * 100
    chart = Chart(
        "The average baseline is a median run of 2004",
        Axis("mean AP (Robust 2004)", 0.05, 0.42, [0.1, 0.2, 0.3, 0.4], "{:.1f}"),
        Axis("runs below, per cent", 0, 106, [0, 25, 50, 75, 100]),
    )
    chart.line(np.repeat(runs, 2), np.column_stack([shares - 100 / runs.size, shares]).ravel(), "grey")
    chart.points([0.3686, 0.2732], standing.percentile, "blue", size=11)
    places = zip(
        ("best paper .3686", "mean baseline .2732"), standing.z, standing.percentile, (0.06, 0.285), strict=True
    )
    for name, z, percentile, x in places:
        chart.text(x, percentile, name, "blue", dy=8)
        chart.text(x, percentile, f"z {z:.2f}, percentile {percentile:.0f}", "blue", dy=27)
    return chart
