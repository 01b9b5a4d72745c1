"""Pictures of the pages that compare two systems, or many two by two."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture, short


@picture
def paired_tests(example: Example) -> Chart:
    """The difference on every topic, and the interval of their mean."""
    t = example["t"]
    differences = np.sort(example["first"] - example["second"])
    chart = Chart(
        "Won on some topics, lost on others: the mean could be 0",
        Axis("43 topics of DL 2019, by difference", 0, 54, []),
        Axis("RepLLaMA − TAS-B, nDCG@10", -0.5, 0.5, [-0.4, -0.2, 0, 0.2, 0.4], "{:.1f}"),
    )
    for place, difference in enumerate(differences, 1):
        chart.line([place, place], [0, difference], "blue" if difference > 0 else "orange", width=6)
    chart.line([0, 54], [0, 0], "muted", width=1)
    chart.line([49, 49], [t.interval.low, t.interval.high], "ink", width=4)
    chart.points([49], [t.estimate], "ink", size=11)
    chart.text(53.5, t.interval.low, f"mean {t.estimate:.3f}", anchor="end", dy=24)
    chart.text(53.5, t.interval.low, f"{t.interval.low:.3f} to {t.interval.high:.3f}", anchor="end", dy=43)
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    chart.text(2, 0.1, f"TAS-B better on {losses}", "orange")
    chart.text(14, 0.3, f"RepLLaMA better on {wins}", "blue")
    return chart


@picture
def equivalence(example: Example) -> Chart:
    """Three intervals against the declared margin."""
    test, one_sided, posterior = example["test"], example["one_sided"], example["posterior"]
    chart = Chart(
        "Not worse by 0.05 is shown; not better by 0.05 is not",
        Axis("GPT-3.5 − Vicuna, nDCG@10", -0.075, 0.075, [-0.05, 0, 0.05], "{:.2f}"),
        ["", "90%, both sides", "95% posterior", "not worse", ""],
        left=150,
    )
    chart.stretch(-test.margin, test.margin, "blue")
    chart.rule(x=-test.margin, colour="blue")
    chart.rule(x=test.margin, colour="blue")
    chart.rule(x=0)
    chart.text(0, 0, "does not matter", "blue", anchor="middle")
    chart.interval(test.interval.low, test.interval.high, 1, "ink", at=test.estimate)
    chart.interval(posterior.interval.low, posterior.interval.high, 2, "ink", at=posterior.estimate)
    chart.interval(one_sided.bound, 0.075, 3, "ink")
    chart.text(test.interval.high, 4, f"{test.interval.high:.3f}", "orange", anchor="middle")
    chart.text(one_sided.bound, 4, f"{one_sided.bound:.3f}", "muted", anchor="middle", dx=-6)
    return chart


@picture
def multiple_comparisons(example: Example) -> Chart:
    """One run against the ten others: intervals of one comparison and of the family."""
    matrix, family = example["matrix"], example["family"]
    first = "rank_llm REP_LLAMA"
    alone = example["compare_family"](matrix, correction="none")
    others = sorted(
        (name for name in matrix.systems if name != first), key=lambda name: -matrix.select([name]).means[0]
    )
    scores = dict(zip(matrix.systems, matrix.scores, strict=True))
    chart = Chart(
        "Four significant differences one by one, two in the family",
        Axis("RepLLaMA − the other run, nDCG@10, 95%", -0.14, 0.36, [-0.1, 0, 0.1, 0.2, 0.3]),
        [short(name) for name in others],
        left=174,
    )
    below, below_alone = (
        set(one.significantly_below(first)) for one in (example["step_down_max_t"](matrix, rng=1), alone)
    )
    chart.rule(x=0, dashed=False)
    for row, name in enumerate(others):
        pair = family.pair(first, name)
        difference = scores[first] - scores[name]
        half = 2.018 * difference.std(ddof=1) / np.sqrt(difference.size)
        colour = "blue" if name in below else "orange" if name in below_alone else "grey"
        chart.interval(pair.interval.low, pair.interval.high, row, colour, width=1.5)
        chart.interval(pair.estimate - half, pair.estimate + half, row, colour, width=5, at=pair.estimate)
    chart.text(0.355, 0, "thick: alone, thin: all 55", "muted", anchor="end")
    chart.text(0.355, 6, "only alone", "orange", anchor="end", dy=16)
    return chart


@picture
def non_deterministic_systems(example: Example) -> Chart:
    """Each execution against the rival, and all of them together."""
    scores, result, posterior = example["scores"], example["result"], example["posterior"]
    executions = example["executions"].scores - example["rival"].scores
    pvalues = example["compare_instances"](scores, "GPT-3.5", "Vicuna").pvalues.ravel()
    chart = Chart(
        "One execution is significant, the algorithm is not",
        Axis("GPT-3.5 − Vicuna, nDCG@10, 95%", -0.035, 0.105, [-0.02, 0, 0.02, 0.04, 0.06], "{:.2f}"),
        [*(f"execution {i}" for i in range(1, 6)), "", "all five", "posterior"],
        left=112,
    )
    chart.rule(x=0, dashed=False)
    for row, (differences, pvalue) in enumerate(zip(executions, pvalues, strict=True)):
        mean, half = differences.mean(), 2.018 * differences.std(ddof=1) / np.sqrt(differences.size)
        colour = "orange" if pvalue < 0.05 else "grey"
        chart.interval(mean - half, mean + half, row, colour, at=mean)
        chart.text(0.104, row, f"p {pvalue:.2f}", colour, anchor="end")
    chart.interval(result.interval.low, result.interval.high, 6, at=result.estimate)
    chart.text(0.104, 6, f"p {result.pvalue:.2f}", "blue", anchor="end")
    chart.interval(posterior.interval.low, posterior.interval.high, 7, at=posterior.estimate)
    return chart


@picture
def meta_analysis(example: Example) -> Chart:
    """Every topic with its interval, and what they say together."""
    effects, errors = (np.array(values) for values in example["values"])
    pooled = example["pooled"]
    fixed = example["meta_analysis"](effects, errors, model="fixed")
    order = np.argsort(effects)
    chart = Chart(
        "SPLADE++ gains on most topics, by very different factors",
        Axis("difference in logit AP, SPLADE++ − BM25, 95%", -10.5, 10.5, [-10, -5, 0, 5, 10]),
        Axis("43 topics, and all together", 54, 0, []),
        height=420,
        left=16,
    )
    for row, place in enumerate(order, 1):
        low, high = effects[place] - 1.96 * errors[place], effects[place] + 1.96 * errors[place]
        chart.line([max(low, -10.5), min(high, 10.5)], [row, row], "grey", width=1.5)
        if abs(effects[place]) < 10.5:
            chart.points([effects[place]], [row], "grey", size=5)
    chart.rule(x=0, dashed=False)
    chart.interval(pooled.interval.low, pooled.interval.high, 46, "blue", width=6, at=pooled.estimate)
    chart.text(-10.3, 46, "random effects: mean", "blue")
    chart.interval(pooled.prediction_interval.low, pooled.prediction_interval.high, 49, "blue", width=2)
    chart.text(-10.3, 49, "a further topic", "blue")
    chart.interval(fixed.interval.low, fixed.interval.high, 52, "orange", width=6, at=fixed.estimate)
    chart.text(-10.3, 52, "fixed effect", "orange")
    return chart
