"""Pictures of the pages on published means: what the best of many results is worth."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def extreme_values(example: Example) -> Chart:
    """Return how the distribution of the best moves with the number of systems."""
    chart = Chart(
        "Equal systems: the best of many always looks better",
        Axis(
            "score of the best, if all systems have a true mean of 0.20", 0.1, 0.35, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
        ),
        Axis("density", 0, 50, []),
        left=20,
    )
    xs = np.linspace(0.1, 0.35, 201)
    for n, colour in ((1, "grey"), (10, "blue"), (100, "orange"), (1000, "blue")):
        law = example["maximum_distribution"](n, mean=0.20, sd=0.027)
        density = law.pdf(xs)
        chart.line(xs, density, colour)
        top, peak = float(law.mean()), float(density.max())
        words = {1: "one system", 10: "best of 10"}.get(n, f"{n}")
        chart.text(top, peak, words, colour, anchor="middle", dx=-10, dy=-20)
        chart.text(top, peak, f"{top:.3f}", colour, anchor="middle", dx=-10, dy=-4)
    return chart


@picture
def best_result(example: Example) -> Chart:
    """All runs in order, with the range that equal systems would cover."""
    analysis = example["analyse_best"](example["means"], n_topics=50, contenders=example["automatic"])
    means, automatic = np.array(example["means"]), np.array(example["automatic"])
    order = np.argsort(-means, kind="stable")
    rank = np.empty(means.size)
    rank[order] = np.arange(1, means.size + 1)
    chart = Chart(
        f"{analysis.n_plausible} automatic runs might as well have been the best",
        Axis("runs of TREC-7 ad hoc, best first", 0, 104, [1, 25, 50, 75, 103]),
        Axis("mean AP", 0, 0.4, [0, 0.1, 0.2, 0.3, 0.4], "{:.1f}"),
    )
    plausible = automatic & (means >= analysis.lower)
    chart.area([0, 104], [analysis.lower] * 2, [analysis.best] * 2, "orange")
    chart.points(rank[~automatic], means[~automatic], "grey", hollow=True)
    chart.points(rank[automatic & ~plausible], means[automatic & ~plausible], "grey")
    chart.points(rank[plausible], means[plausible], "blue")
    chart.rule(y=analysis.adjusted_mean, colour="orange")
    chart.text(103, analysis.best, f"best automatic run {analysis.best:.3f}", "blue", anchor="end", dy=-6)
    chart.text(
        103,
        analysis.adjusted_mean,
        f"adjusted mean {analysis.adjusted_mean:.3f}",
        "orange",
        anchor="end",
        dy=-3,
    )
    chart.text(103, analysis.lower, f"lower end {analysis.lower:.3f}", "orange", anchor="end", dy=17)
    chart.text(9, 0.37, "rings: manual runs", "muted")
    return chart


@picture
def best_set_from_means(example: Example) -> Chart:
    """The papers over the years, and those within reach of the best."""
    rows, best_set = example["rows"], example["best_set"]
    years, means = np.array([int(row["year"]) for row in rows]), np.array(example["means"])
    inside = np.isin(np.arange(means.size), best_set.members)
    chart = Chart(
        f"{best_set.n_members} of {best_set.n_results} papers may hold the best result",
        Axis("year of the paper (Robust04, 249 topics)", 2004, 2020, [2005, 2010, 2015, 2019], "{:.0f}"),
        Axis("best AP that the paper reports for its own method", 0.15, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4], "{:.2f}"),
    )
    chart.points(years[~inside], means[~inside], "grey")
    chart.points(years[inside], means[inside], "blue", size=10)
    chart.rule(y=best_set.threshold, colour="blue")
    chart.text(2019.8, best_set.threshold, f"kept from {best_set.threshold:.3f} on", "blue", anchor="end", dy=-14)
    chart.text(years[means.argmax()], means.max(), f"best: {means.max():.4f}", "blue", dx=10)
    return chart


@picture
def corrected_best(example: Example) -> Chart:
    """The papers in order, the mean that the best is drawn to, and what is left of it with its error."""
    corrected, means = example["corrected"], -np.sort(-np.array(example["given"]["means"]))
    ranks = np.arange(1, means.size + 1)
    low, high = corrected.interval.low, corrected.interval.high
    chart = Chart(
        f"Of the best paper's {corrected.raw:.4f}, {corrected.luck.amount:.4f} is luck",
        Axis("AP that the paper reports for its own method", 0.15, 0.4, [0.15, 0.2, 0.25, 0.3, 0.35], "{:.2f}"),
        Axis("papers, best first", 112, 0, [1, 25, 50, 75, 109]),
    )
    chart.rule(x=corrected.luck.mean, colour="orange")
    chart.points(means[1:], ranks[1:], "grey")
    chart.line([low, high], [4, 4], "blue")
    chart.points([corrected.raw], [1], "blue", size=10)
    chart.points([corrected.estimate], [4], "blue", size=10, hollow=True)
    chart.text(low, 4, f"{corrected.estimate:.3f} ± {corrected.half_width:.3f}", "blue", anchor="end", dx=-10)
    chart.text(
        corrected.luck.mean, 105, f"mean of all groups {corrected.luck.mean:.3f}", "orange", anchor="end", dx=-10
    )
    return chart


@picture
def winner_from_means(example: Example) -> Chart:
    """Each result as reported and after shrinking towards the mean of all."""
    means = sorted(float(row["value"]) for row in example["rows"])
    winner = example["winner_from_means"](means, n_topics=249, residual_variance=0.01454)
    chart = Chart(
        f"Of the best paper's lead, {100 * winner.shrinkage:.0f}% is kept",
        Axis("AP on Robust04, 109 papers", 0.19, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4], "{:.2f}"),
        ["", "reported", "", "", "", "", "shrunken", ""],
        left=92,
    )
    shrunken = [winner.target + winner.shrinkage * (mean - winner.target) for mean in means]
    for reported, estimate in zip(means, shrunken, strict=True):
        chart.line([reported, estimate], [1, 6], "grey", width=0.7)
    chart.line([means[-1], shrunken[-1]], [1, 6], "blue", width=2)
    chart.points(means[:-1], [1] * (len(means) - 1), "grey", size=6)
    chart.points(shrunken[:-1], [6] * (len(means) - 1), "grey", size=6)
    chart.points([means[-1], shrunken[-1]], [1, 6], "blue", size=10)
    chart.text(means[-1], 0, f"{winner.raw:.4f}", "blue", anchor="middle")
    chart.text(shrunken[-1], 7, f"{winner.estimate:.4f}", "blue", anchor="middle")
    chart.rule(x=winner.target)
    chart.text(winner.target, 3.5, f"mean of all {winner.target:.3f}", "muted", dx=6)
    return chart


@picture
def expected_maximum(example: Example) -> Chart:
    """The best of n executions, estimated without bias and with replacement."""
    executions = example["executions"]
    expected = example["expected_maximum_of_attempts"](executions, [1, 2, 3, 4, 5])
    chart = Chart(
        "The best of five executions gains 0.010 by trying",
        Axis("executions tried, the best one reported", 0.6, 5.9, [1, 2, 3, 4, 5]),
        Axis("mean nDCG@10 (DL 2019)", 0.67, 0.698, [0.67, 0.68, 0.69], "{:.2f}"),
    )
    chart.points([1] * 5, executions, "grey", hollow=True)
    for values, colour in (
        (expected.with_replacement, "orange"),
        (expected.estimate, "blue"),
    ):
        chart.line(expected.n_attempts, values, colour, dashed=colour == "orange")
        chart.points(expected.n_attempts, values, colour)
    chart.text(1, min(executions), "the five executions", "muted", dx=10)
    chart.text(
        4,
        expected.estimate[3],
        f"unbiased, {expected.estimate[4]:.4f} at five",
        "blue",
        anchor="end",
        dy=-12,
    )
    chart.text(
        5.1,
        expected.with_replacement[4],
        "with replacement: too low",
        "orange",
        anchor="end",
        dy=34,
    )
    return chart
