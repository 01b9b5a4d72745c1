"""Pictures of the pages on what a collection can tell: variances, error rates, numbers of topics, effort."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def variance_components(example: Example) -> Chart:
    """All scores by topic: topics differ more than systems do."""
    matrix, parts = example["matrix"], example["parts"]
    order = np.argsort(-matrix.scores.mean(axis=0))
    scores = matrix.scores[:, order]
    topics = np.arange(1, matrix.n_topics + 1)
    chart = Chart(
        "Topics differ more than systems do",
        Axis("31 topics of CLEF TAR 2019, the easiest first", 0, 32, []),
        Axis("AP of each of 31 runs", 0, 1, [0, 0.25, 0.5, 0.75, 1], "{:.2f}"),
    )
    chart.points(np.tile(topics, matrix.n_systems), scores.ravel(), "grey", size=3)
    chart.line(topics, scores.mean(axis=0), "blue")
    shares = (
        ("topics", parts.topic_variance),
        ("systems", parts.system_variance),
        ("the rest", parts.residual_variance),
    )
    for row, (name, variance) in enumerate(shares):
        chart.text(
            31.5,
            0.97,
            f"variance of {name} {variance:.4f}",
            "blue" if row == 0 else "ink",
            anchor="end",
            dy=20 * row + 5,
        )
    return chart


@picture
def families_of_systems(example: Example) -> Chart:
    """Every run by its mean, in the row of its group."""
    matrix, families = example["matrix"], example["copies"].families
    order = sorted(set(families), key=lambda family: -max(matrix.means[[one == family for one in families]]))
    sizes = {family: families.count(family) for family in order}
    chart = Chart(
        f"{matrix.n_systems} runs are {len(order)} groups",
        Axis("mean AP on 31 topics", 0.1, 0.6, [0.1, 0.2, 0.3, 0.4, 0.5], "{:.1f}"),
        [f"{family} ({sizes[family]})" if sizes[family] > 1 else family for family in order],
        left=300,
    )
    for family, mean in zip(families, matrix.means, strict=True):
        chart.points([mean], [order.index(family)], "blue" if sizes[family] > 1 else "ink", size=9)
    return chart


@picture
def test_reliability(example: Example) -> Chart:
    """Error rates by the number of topics, measured and projected."""
    rates = example["rates"]
    sizes, measured = list(rates.sizes), example["measured"]
    significant = [rates.error_rate(size, pvalues=(0, 0.05)).estimate for size in sizes]
    chart = Chart(
        "One order in five reverses, one significant one in 25",
        Axis("topics in each of two disjoint sets (DL 2019, nDCG@10)", 3, 50, [5, 10, 15, 20, 43]),
        Axis("share of orders that the other set reverses", 0, 0.36, [0, 0.1, 0.2, 0.3], "{:.1f}"),
    )
    ahead = np.arange(5, 47, 2.0)
    for trend, colour in (("exponential", "orange"), ("power", "blue")):
        projected = [example["project_error_rate"](sizes, measured, int(n), trend=trend).rate for n in ahead]
        chart.line(ahead, projected, colour, dashed=True, width=1.5)
        chart.text(46, projected[-1], trend, colour, anchor="end", dy=-10 if trend == "power" else 19)
    chart.points(sizes, measured, "ink", size=10)
    chart.line(sizes, significant, "muted")
    chart.points(sizes, significant, "muted", size=8)
    chart.text(20, measured[-1], "all pairs", dx=8, dy=-8)
    chart.text(20, significant[-1], "significant, p ≤ .05", "muted", dx=10)
    return chart


@picture
def topic_set_size(example: Example) -> Chart:
    """Topics that a true difference takes."""
    residual, limits = example["residual"], example["limits"]
    differences = np.geomspace(0.015, 0.15, 28)
    needed = [example["topics_needed"](float(one), residual_variance=residual).n_topics for one in differences]
    chart = Chart(
        "Half the difference takes four times the topics",
        Axis("true difference in mean nDCG@10", 0.014, 0.16, [0.02, 0.05, 0.1, 0.15], log=True),
        Axis("topics to find it four times out of five", 9, 2000, [10, 43, 100, 747], log=True),
    )
    chart.line(differences, needed, "blue")
    chart.points([0.02, limits.detectable], [747, 43], "blue", size=11)
    chart.text(0.02, 747, "0.02: 747 topics", "blue", dx=12)
    chart.text(limits.detectable, 43, f"43 topics: {limits.detectable:.3f}", "blue", anchor="end", dx=-10, dy=18)
    return chart


@picture
def assessor_effort(example: Example) -> Chart:
    """Error rates of two measures against the judgements they cost."""
    result = example["result"]
    chart = Chart(
        "For the same error, nDCG@10 costs a quarter",
        Axis("judgements made (log scale)", 130, 7000, [200, 500, 1000, 2000, 5000], "{:,.0f}", log=True),
        Axis("share of reversed orders on other topics", 0.15, 0.48, [0.2, 0.3, 0.4], "{:.1f}"),
    )
    for points, colour, name, dx in (
        (result.first_points, "orange", "AP, depth 100", 6),
        (result.second_points, "blue", "nDCG@10, depth 10", 8),
    ):
        efforts, errors = [point.effort for point in points], [point.error_rate for point in points]
        chart.line(efforts, errors, colour)
        chart.points(efforts, errors, colour, size=9)
        chart.text(efforts[0], errors[0], name, colour, dx=dx, dy=-10)
        for point in points[1:]:
            chart.text(point.effort, point.error_rate, f"{point.n_topics} topics", "muted", anchor="end", dx=-8, dy=12)
    middle = result.equal_error[0]
    chart.line([middle.second_effort, middle.first_effort], [middle.error_rate] * 2, "ink", width=1.5)
    between = float(np.sqrt(middle.first_effort * middle.second_effort))
    chart.text(between, middle.error_rate, f"× {middle.effort_ratio:.1f}", anchor="middle", dy=-7)
    return chart


@picture
def instances_and_topics(example: Example) -> Chart:
    """Topics needed with every number of instances, for three differences."""
    counts = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
    chart = Chart(
        "Topics can't make up for executions",
        Axis("executions of the algorithm (log scale)", 1.8, 110, [2, 3, 5, 10, 20, 50], log=True),
        Axis("topics for a power of 80% (log scale)", 35, 1600, [50, 100, 200, 500, 1000], "{:,.0f}", log=True),
    )
    for size, colour in ((0.01, "orange"), (0.02, "ink"), (0.04, "blue")):
        plan = example["instances_and_topics_needed"](
            example["pilot"], size, n_instances=counts, deterministic_rival=True
        )
        sizes = [(design.n_instances, design.n_topics) for design in plan.designs if design.n_topics]
        chart.line(*zip(*sizes, strict=True), colour)
        chart.points(*zip(*sizes, strict=True), colour)
        chart.text(50, sizes[-1][1], f"{size:.2f}", colour, dx=12)
    chart.text(109, 1350, "difference:", "muted", anchor="end")
    chart.text(1.9, 1350, "0.01: out of reach below 20 executions", "orange")
    return chart


@picture
def predicted_variance(example: Example) -> Chart:
    """Return what is predicted with more and more relevant documents, by measure."""
    chart = Chart(
        "Scores vary less where more documents decide",
        Axis("relevant documents a topic", 0.9, 1200, [1, 3, 10, 30, 100, 300], "{:g}", log=True),
        Axis("predicted residual variance", 0.004, 0.2, [0.005, 0.01, 0.02, 0.05, 0.1], "{:g}", log=True),
    )
    for (measure, curve), colour in zip(example["curves"].items(), ("blue", "orange", "grey"), strict=True):
        chart.line(example["sizes"], curve, colour, width=2)
        chart.text(500, curve[-1], measure, colour, dx=-12, anchor="end")
    return chart
