"""Pictures of the pages on per-topic scores of many runs: which is best, and which ranks the topics allow."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture, short


@picture
def confidence_set_for_the_best_run(example: Example) -> Chart:
    """Return how far each run is behind the rival that speaks most clearly against it, and how far it may be."""
    best_set = example["best_set"]
    entries = sorted(best_set.entries, key=lambda entry: entry.behind)
    chart = Chart(
        f"{best_set.n_members} of {best_set.n_systems} runs may be the best",
        Axis("nDCG@10 behind the clearest rival (bar: its margin)", -0.02, 0.32, [0, 0.1, 0.2, 0.3], "{:.1f}"),
        [f"{short(entry.system)}  {entry.mean:.3f}" for entry in entries],
        left=230,
    )
    for row, entry in enumerate(entries):
        chart.bar(row, entry.margin, "line")
        chart.points([entry.behind_rival], [row], "blue" if entry.is_member else "grey", size=10)
    return chart


@picture
def winner(example: Example) -> Chart:
    """The winner's mean by every method, with the interval of each."""
    report = example["report"]
    rows = [("James-Stein", report.estimate, report.interval)]
    rows += [(one.method, one.estimate, one.interval) for one in report.alternatives]
    chart = Chart(
        f"The winner's {report.raw_mean:.3f} shrinks to {report.estimate:.3f}",
        Axis(f"mean nDCG@10 of {short(report.system)}, 95% intervals", 0.66, 0.85, [0.7, 0.75, 0.8, 0.85], "{:.2f}"),
        [name for name, _, _ in rows],
        left=174,
    )
    chart.rule(x=report.raw_mean)
    for row, (_, estimate, interval) in enumerate(rows):
        chart.interval(interval.low, interval.high, row, "grey" if row else "blue", at=estimate)
    return chart


@picture
def verified_leader(example: Example) -> Chart:
    """The best runs with how far they are behind, and how far they may be: the first is alone within its margin."""
    entries = sorted(example["best_set"].entries, key=lambda entry: entry.behind)[:6]
    chart = Chart(
        "Only the first of 31 runs is within its margin",
        Axis("AP behind the clearest rival (bar: its margin)", -0.05, 0.3, [0, 0.1, 0.2, 0.3], "{:.1f}"),
        [entry.system for entry in entries],
        left=264,
    )
    for row, entry in enumerate(entries):
        chart.bar(row, entry.margin, "line")
        chart.points([entry.behind_rival], [row], "blue" if entry.is_member else "grey", size=10)
    return chart


@picture
def comparisons_with_the_best(example: Example) -> Chart:
    """Simultaneous intervals for the lead over the best of the others."""
    comparison = example["comparison"]
    entries = sorted(comparison.entries, key=lambda entry: -entry.mean)
    chart = Chart(
        f"{comparison.n_members} of {len(entries)} intervals reach above 0: they may be the best",
        Axis("lead over the best of the others, nDCG@10", -0.35, 0.12, [-0.3, -0.2, -0.1, 0, 0.1]),
        [short(entry.system) for entry in entries],
        left=174,
    )
    chart.rule(x=0, dashed=False)
    for row, entry in enumerate(entries):
        chart.interval(
            entry.interval.low, entry.interval.high, row, "blue" if entry.is_member else "grey", at=entry.lead
        )
    return chart


@picture
def model_confidence_set(example: Example) -> Chart:
    """The p-value at which each run leaves, in the order of removal."""
    best_set = example["best_set"]
    entries = sorted(best_set.entries, key=lambda entry: entry.step)
    chart = Chart(
        f"Two runs leave for certain; {best_set.n_members} of {best_set.n_systems} stay",
        Axis("p-value of the model confidence set", 0, 1.3, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        [short(entry.system) for entry in entries],
        left=174,
    )
    chart.rule(x=1 - best_set.confidence_level, colour="orange")
    for row, entry in enumerate(entries):
        chart.points([entry.pvalue], [row], "blue" if entry.is_member else "grey", size=10)
        chart.text(entry.pvalue, row, f"{entry.pvalue:.4f}", "blue" if entry.is_member else "muted", dx=10)
    chart.text(0.05, len(entries) - 1, "below .05 a run leaves", "orange", dx=8)
    return chart


@picture
def probability_of_best(example: Example) -> Chart:
    """Return how often each run comes first."""
    entries = sorted(example["chances"].entries, key=lambda entry: -entry.mean)
    chart = Chart(
        "The leader comes first in 60% of the resamples",
        Axis("resamples with this run first, per cent of 10,000", 0, 72, [0, 20, 40, 60]),
        [short(entry.system) for entry in entries],
        left=174,
    )
    for row, entry in enumerate(entries):
        share = 100 * entry.probability
        chart.bar(row, share, "blue")
        chart.text(share, row, f"{share:.1f}", "muted", dx=8)
    return chart


@picture
def rank_intervals(example: Example) -> Chart:
    """Simultaneous and marginal intervals of every rank."""
    table, page = example["table"], example["page"]
    entries = sorted(table.entries, key=lambda entry: entry.rank)
    marginal = {entry.system: entry for entry in page.entries}
    chart = Chart(
        "43 topics leave nine of eleven ranks open",
        Axis("95% intervals of ranks (wide: all at once)", 0.6, 11.4, range(1, 12)),
        [short(entry.system) for entry in entries],
        left=174,
    )
    for row, entry in enumerate(entries):
        alone = marginal[entry.system]
        chart.interval(entry.low, entry.high, row, "line", width=13)
        chart.interval(alone.low, alone.high, row, "blue", width=3, at=entry.rank)
    return chart


@picture
def tie_tiers(example: Example) -> Chart:
    """All runs by mean, in the tier that each belongs to."""
    tiers = example["tiers"]
    names = [row for tier in range(1, tiers.n_tiers + 1) for row in ("", f"tier {tier}")]
    chart = Chart(
        f"{len(tiers.entries)} runs, {tiers.n_tiers} tiers",
        Axis("mean AP (CLEF TAR 2019, 31 topics)", 0.15, 0.56, [0.2, 0.3, 0.4, 0.5], "{:.1f}"),
        [*names, ""],
        left=70,
    )
    for tier in range(1, tiers.n_tiers + 1):
        members = [entry for entry in tiers.entries if entry.tier == tier]
        colour = ("blue", "orange", "grey")[min(tier - 1, 2)]
        chart.points([entry.mean for entry in members], [2 * tier - 1] * len(members), colour, hollow=True, size=11)
        words = f"{len(members)} runs led by " if len(members) > 1 else ""
        chart.text(0.16, 2 * tier, words + members[0].leader, colour)
    return chart


@picture
def mean_score(example: Example) -> Chart:
    """The scores of one run on its topics, and two intervals for their mean."""
    scores, t_found, bca = np.sort(example["scores"]), example["t"], example["bca"]
    chart = Chart(
        "Skewed scores: BCa moves the interval up",
        Axis("AP of BM25, 43 topics of DL 2019", 0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ["topics", "t, 95%", "BCa, 95%"],
        left=104,
    )
    chart.points(list(scores), [0] * scores.size, "grey", size=6)
    chart.rule(x=t_found.estimate)
    for row, estimate in enumerate((t_found, bca), 1):
        ends = estimate.interval
        chart.interval(ends.low, ends.high, row, "orange" if row == 1 else "blue", at=estimate.estimate)
        chart.text(ends.high, row, f"{ends.low:.3f} to {ends.high:.3f}", "orange" if row == 1 else "blue", dx=12)
    return chart
