"""Pictures of the pages on the precision of AP over documents."""

import numpy as np

from analysis.documents import average_precision_interval, bootstrap_average_precision
from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def precision_of_ap(example: Example) -> Chart:
    """AP on resampled collections, and the intervals on three scales."""
    ranked = example["ranked"]
    counts, edges = np.histogram(bootstrap_average_precision(ranked, 1, n_resamples=20_000), bins=50, range=(0, 0.5))
    chart = Chart(
        "An AP of .150 could as well have come out as .05 or .35",
        Axis(
            "AP of BM25 on topic 87452, on 20,000 resampled collections", 0, 0.5, [0, 0.1, 0.2, 0.3, 0.4, 0.5], "{:.1f}"
        ),
        Axis("", 0, counts.max() * 1.75, []),
        left=18,
    )
    chart.area(np.repeat(edges, 2)[1:-1], [0] * 100, np.repeat(counts, 2), "grey")
    for place, method in enumerate(("logit", "linear", "bca")):
        precision = average_precision_interval(ranked, rng=1, method=method)
        colour = "grey" if place else "blue"
        chart.interval(
            precision.interval.low,
            precision.interval.high,
            counts.max() * (1.6 - 0.2 * place),
            colour,
            at=precision.estimate,
        )
        chart.text(0.5, counts.max() * (1.6 - 0.2 * place), {"bca": "BCa"}.get(method, method), colour, anchor="end")
    return chart


@picture
def precision_of_map(example: Example) -> Chart:
    """The interval of every topic and that of their mean."""
    precision = example["precision"]
    topics = list(zip(example["topics"], example["lists"], strict=True))
    chart = Chart(
        "Single topics are known badly, their mean much better",
        Axis("AP of BM25, 95% intervals over documents", 0, 1, [0, 0.25, 0.5, 0.75, 1], "{:.2f}"),
        [*(f"{topic}: {ranked.n_relevant} relevant" for topic, ranked in topics), "MAP of the nine"],
        left=190,
    )
    for row, (_, ranked) in enumerate(topics):
        one = average_precision_interval(ranked, rng=1)
        chart.interval(one.interval.low, one.interval.high, row, "grey", at=one.estimate)
    chart.interval(precision.interval.low, precision.interval.high, len(topics), "blue", width=5, at=precision.estimate)
    return chart


@picture
def split_collection_validation(example: Example) -> Chart:
    """Intervals from one half, with what the other half measured."""
    split = example["split"]
    rows = []
    for topic, first, second in zip(split.topics, split.first, split.second, strict=True):
        rows += [(f"{topic}, half A", first, second), (f"{topic}, half B", second, first)]
    chart = Chart(
        "Every interval holds the AP of the other half",
        Axis("AP of BM25: bar and dot one half, ring the other", 0, 1, [0, 0.25, 0.5, 0.75, 1], "{:.2f}"),
        [name for name, _, _ in rows],
        left=150,
    )
    for row, (_, own, other) in enumerate(rows):
        here, there = (average_precision_interval(ranked, rng=1) for ranked in (own, other))
        chart.interval(here.interval.low, here.interval.high, row, at=here.estimate)
        chart.points([there.estimate], [row], "orange", hollow=True, size=14)
    return chart
