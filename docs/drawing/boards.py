"""Pictures of the pages on the verdict of a leaderboard."""

import numpy as np

from docs.drawing.chart import Axis, Chart
from docs.drawing.examples import Example, picture


@picture
def verdict(example: Example) -> Chart:
    """The results in order, with the band of the results tied for first."""
    verdict = example["verdict"]
    values = np.sort([row.value for row in example["rows"]])[::-1]
    rank = np.arange(1, values.size + 1)
    inside = values >= verdict.best.value - verdict.set.margin
    chart = Chart(
        f"{verdict.set.n_members} of {verdict.tries.n_results} results are tied for first",
        Axis("results of papers on Robust04, best first", 0, 222, [1, 50, 100, 150, 218]),
        Axis("AP", 0.15, 0.4, [0.15, 0.2, 0.25, 0.3, 0.35], "{:.2f}"),
    )
    chart.area([0, 222], [verdict.best.value - verdict.set.margin] * 2, [verdict.best.value] * 2, "blue")
    chart.points(rank[~inside], values[~inside], "grey")
    chart.points(rank[inside], values[inside], "blue")
    chart.rule(y=verdict.corrected.value, colour="orange")
    chart.text(218, verdict.best.value, f"best reported {verdict.best.value:.4f}", "blue", anchor="end", dy=-6)
    worth = f"adjusted for luck {verdict.corrected.figures}"
    chart.text(218, verdict.corrected.value, worth, "orange", anchor="end", dy=17)
    margin = f"margin {verdict.set.margin:.3f}"
    chart.text(218, verdict.best.value - verdict.set.margin, margin, "blue", anchor="end", dy=17)
    return chart


@picture
def outlier_screens(example: Example) -> Chart:
    """Scores on one dataset against what the others predict."""
    own, screens, best = list(example["own"].values()), example["screens"], example["best"]
    known = [place for place, one in enumerate(screens) if one is not None and place != best]
    chart = Chart(
        "One score lies far above what its system’s others predict",
        Axis("nDCG@10 on BEIR SCIDOCS that the other scores predict", 0.05, 0.4, [0.1, 0.2, 0.3, 0.4], "{:.1f}"),
        Axis("nDCG@10 on BEIR SCIDOCS", 0.0, 0.65, [0.0, 0.2, 0.4, 0.6], "{:.1f}"),
    )
    chart.line([0.05, 0.4], [0.05, 0.4], "orange", dashed=True)
    chart.points([screens[place].predicted for place in known], [own[place] for place in known], "grey")
    chart.points([screens[best].predicted], [own[best]], "blue", size=10)
    words = f"{own[best]:.3f}, {screens[best].z:.1f} prediction errors above {screens[best].predicted:.2f}"
    chart.text(screens[best].predicted, own[best], words, "blue", anchor="end", dx=-12)
    return chart


@picture
def linked_boards(example: Example) -> Chart:
    """Scores on hard negatives against those on all documents."""
    x, y, line, links = example["x"], example["y"], example["line"], example["links"]
    chart = Chart(
        "Some scores on hard negatives lie far off the line",
        Axis("nDCG@10 on FEVER, all documents", 0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0], "{:.2f}"),
        Axis("nDCG@10 on FEVER, hard negatives", 0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0], "{:.2f}"),
    )
    ends = [0.05, 1.0]
    expected = [line.expected(end) for end in ends]
    chart.area(ends, [one - line.threshold for one in expected], [one + line.threshold for one in expected], "grey")
    chart.line(ends, expected, "orange", dashed=True)
    for is_off, colour in ((False, "grey"), (True, "blue")):
        places = [place for place, kind in enumerate(links.contradictions) if bool(kind) == is_off]
        chart.points([x[place] for place in places], [y[place] for place in places], colour)
    chart.text(0.98, 0.1, f"{links.contradictions.count('line')} contradict", "blue", anchor="end")
    return chart


@picture
def suites(example: Example) -> Chart:
    """The means in order, with the bands for other collections and for these."""
    other, same = example["findings"].other_collections, example["findings"].same_collections
    values = np.array([one.value for one in example["findings"].means])
    rank = np.arange(1, values.size + 1)
    best, edge = other.best.value, other.best.value - other.set.margin
    inside = values >= edge
    chart = Chart(
        f"{other.set.n_members} of {values.size} systems could lead on new collections",
        Axis("systems with a score on all 13 data sets of BEIR, best first", 0, 217, [1, 50, 100, 150, 213]),
        Axis("mean nDCG@10", 0.0, 0.75, [0.0, 0.2, 0.4, 0.6], "{:.1f}"),
    )
    chart.area([0, 217], [edge] * 2, [best] * 2, "blue")
    chart.points(rank[~inside], values[~inside], "grey")
    chart.points(rank[inside], values[inside], "blue")
    chart.rule(y=other.corrected.value, colour="orange")
    chart.text(213, best, f"best mean {best:.4f}", "blue", anchor="end", dy=-6)
    worth = f"adjusted: {other.corrected.figures} elsewhere, {same.corrected.figures} here"
    chart.text(213, other.corrected.value, worth, "orange", anchor="end", dy=17)
    chart.text(213, edge, f"margin {other.set.margin:.3f}", "blue", anchor="end", dy=17)
    return chart


@picture
def calibration(example: Example) -> Chart:
    """Return how often sets held the best with all systems equal, by evidence."""
    rows = example["by_evidence"]
    chart = Chart(
        "How often sets held the best, all systems equally good",
        Axis(
            "share of simulations, on average and on 19 of 20 boards", 0.75, 1.0, [0.8, 0.85, 0.9, 0.95, 1.0], "{:.0%}"
        ),
        [name.replace("-", " ") for name in rows],
        left=150,
    )
    for place, (low, mean) in enumerate(rows.values()):
        chart.interval(low, mean, place, "blue", at=mean)
        chart.text(low, place, f"{low:.0%}", "muted", anchor="end", dx=-9)
    chart.rule(x=0.95, colour="orange")
    return chart
