"""What can be said of a run that somebody sent: its place among the published results, and what it rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

import numpy as np
from django.db.models import Count, Q

from analysis.boards import BoardRow, PairError, planned_pairs
from analysis.runs.reports import mean_of_answered
from analysis.scores import ScoreMatrix
from registry.catalog.models import Density, Leaderboard, Measure
from registry.core.charts import Chart
from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.stored import MIN_FIELD, StoredBoard, read_stored
from registry.leaderboards.wording import Fact
from registry.runs.models import OwnMeasure, Upload, Work
from registry.runs.pipeline.packing import TopicTable, unpack_scores
from registry.runs.queries import entries_of, sent_to_own
from registry.runs.standardizing import field_of
from registry.runs.studies import rows_of
from registry.tools.check.documents import CheckDocument, check_document, draw

#: Of the median variance of differences by topic, the least that a pair is taken to have.
_LEAST_VARIANCE = 0.1
#: As many topics are named of those that speak for a run, and of those that speak against it.
MOST_TOPICS = 5


class Beside(NamedTuple):
    """A result on record, the run minus it, what can be said, and whether most toolkits' runs are better than it."""

    row: BoardRow
    difference: float
    said: str
    is_weak: bool


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """Where a run stands on one leaderboard of its collection."""

    leaderboard: Leaderboard
    check: CheckDocument
    precision: Annotated[dict[str, Any] | None, "Average precision, and where other documents would put it."]
    besides: tuple[Beside, ...]
    deciding: Annotated[dict[str, Any] | None, "The topics that make it better or worse than others are on average."]
    n_better: Annotated[int, "Results that are better and not excluded."]
    mean_over: Annotated[str, "Over which topics its mean is, and what it is over the answered ones."]

    @property
    def drawing(self) -> Chart | None:
        return draw(self.leaderboard, self.check.checked)

    @property
    def facts(self) -> list[Fact]:
        one, decimals = self.check.checked, self.leaderboard.measure.decimals
        ranks = say("run-ranks-unknown", why=one.why_unknown)
        if one.ranks:
            ranks = say("run-ranks", low=one.ranks.low, high=one.ranks.high)
        others = say("run-rank-beside", n=one.n_results - one.n_held_back)
        found = [
            Fact(str(self.leaderboard.measure), f"{one.value:.{decimals}f}", self.mean_over),
            Fact(others, f"{self.n_better + 1:,}", ranks, "set"),
        ]
        if known := self.precision:
            wide = say("run-no-interval", measure=known["measure"], reason=known.get("unknown", ""))
            if known["low"] is not None:
                wide = say("run-interval", low=f"{known['low']:.3f}", high=f"{known['high']:.3f}")
            found.append(Fact(known["measure"], f"{known['estimate']:.3f}", wide, page="precision-of-map"))
        return found


def boards_of(upload: Upload) -> dict[str, Leaderboard]:
    """Leaderboards on which a run's means can be placed, those with most results first, by the name of the measure."""
    work = upload.work
    if work.kind != Work.Kind.RUN or work.state != Work.State.DONE:
        return {}
    boards = Leaderboard.objects.filter(collection=upload.collection_id, measure__name__in=work.means)
    boards = boards.filter(analysis__snapshot__isnull=False).select_related("measure", "collection")
    standing = Count("results", filter=Q(results__ended_at=None))
    return {board.measure.name: board for board in boards.annotate(n=standing).order_by("-n", "measure__name")}


def run_verdict(upload: Upload, leaderboard: Leaderboard) -> RunVerdict | None:
    """Return where a scored run stands on a leaderboard; None where nothing competes there."""
    name = leaderboard.measure.name
    mean = upload.work.means[name]
    check = check_document(leaderboard, mean, None, 1)
    if check is None:
        return None
    report = upload.work.report
    if report["n_missing"]:
        share = say("run-share", n_answered=report["n_answered"], n_topics=report["n_judged_topics"])
        cited = f"{check.sentence} {share}" if check.sentence else ""
        check = replace(check, headline=f"{check.headline} {share}", sentence=cited)
    sign = 1.0 if leaderboard.measure.higher_is_better else -1.0
    stored = read_stored([leaderboard.pk]).get(leaderboard.pk)
    table = unpack_scores(bytes(upload.work.scores)) if upload.work.scores else None
    known = read_board(leaderboard.pk).topic_scores if table else None
    errors = _errors_by_topic(known, table, name) if known and table else {}
    density = Density.objects.filter(collection=leaderboard.collection_id).first()
    return RunVerdict(
        leaderboard,
        check,
        _precision(report.get("precision", {}), name, density.relevant_grade if density else 1),
        tuple(_besides(stored, check, mean, leaderboard.measure.decimals, errors)) if stored else (),
        _deciding(leaderboard, known, table, name) if table else None,
        sum(row.value > mean if sign > 0 else row.value < mean for row in stored.shown) if stored else 0,
        _mean_over(report, name, mean, leaderboard.measure.decimals),
    )


def _mean_over(report: Mapping[str, Any], name: str, mean: float, decimals: int) -> str:
    """Over which topics the mean is, and how far it would be another over those answered, or by the order of ties."""
    said, of_answered = say("run-over-all"), mean_of_answered(mean, report)
    if of_answered is not None:
        counts = {"n_answered": report["n_answered"], "n_topics": report["n_judged_topics"]}
        said = say("run-over-answered", mean=f"{of_answered:.{decimals}f}", **counts)
    low, high = (f"{one:.{decimals}f}" for one in report.get("ties", {}).get(name, (mean, mean)))
    return said if low == high else say("run-over-ties", over=said, low=low, high=high)


def _precision(found: Mapping[str, dict[str, Any]], measure: str, grade: int) -> dict[str, Any] | None:
    """That of the measure itself, or of the average precision from the collection's grade on."""
    name = min(found, key=lambda name: (name != measure, found[name]["grade"] != grade, name), default="")
    return {"measure": name, **found[name]} if name else None


def _errors_by_topic(known: ScoreMatrix, table: TopicTable, name: str) -> dict[int, PairError]:
    """Return how far chance moves the difference of the run from each published result with scores on its topics.

    At least a tenth of the median variance counts: near-copies would look surer than few topics can tell.
    """
    if set(known.topics) != set(table.topics):
        return {}
    own = dict(zip(table.topics, table.scores[name], strict=True))
    differences = np.array([own[topic] for topic in known.topics]) - known.scores
    variances = differences.var(axis=1, ddof=1)
    floored = np.maximum(variances, _LEAST_VARIANCE * np.median(variances))
    errors = np.sqrt(floored / known.n_topics).tolist()
    return {
        int(label): PairError(error, known.n_topics - 1.0)
        for label, error in zip(known.systems, errors, strict=True)
        if error > 0
    }


def _besides(
    stored: StoredBoard, check: CheckDocument, mean: float, decimals: int, errors: Mapping[int, PairError]
) -> Iterator[Beside]:
    """The best on record; of toolkits' runs the next better one, the next worse one and the best of the weaker half.

    ``errors`` are of pairs with scores by topic; of the others an average pair has to serve.
    """
    one = check.checked
    sign = 1.0 if stored.inputs.measure.higher_is_better else -1.0
    rows = stored.shown
    if not rows:
        return
    tools = [row for row in rows if row.role == "reference_implementation"]
    weak = tools[(len(tools) + 1) // 2 :] if len(tools) >= MIN_FIELD else []
    same = 0.5 * 10**-decimals
    better = [row for row in tools if sign * (row.value - mean) > same]
    worse = [row for row in tools if sign * (mean - row.value) > same]
    chosen = {row.id: row for row in [rows[0], *better[-1:], *worse[:1], *weak[:1]]}
    found = sorted(chosen.values(), key=lambda row: -sign * row.value)
    named = [row for row in found if row is not rows[0]]
    known = [(row, error) for row in named if (error := errors.get(row.id, stored.pair_error))]
    pairs = planned_pairs([sign * (mean - row.value) for row, _ in known], [error for _, error in known])
    told = dict(zip((row.id for row, _ in known), pairs, strict=True))
    among = f" ({len(told)} comparisons, Holm)" if len(told) > 1 else ""
    for row in found:
        said = "The best on record that is not excluded."
        if row is rows[0] and one.margin is not None:
            side = "within" if abs(one.behind) <= one.margin else "beyond"
            said = f"The best on record that is not excluded; {side} the margin of {one.margin:.{decimals}f}."
        elif row.id in told:
            pair = told[row.id]
            words = "Significant" if pair.is_told_apart else "Not significant"
            how = " topic by topic" if row.id in errors else ""
            said = f"{words}{how}: {pair.margin:.{decimals}f} needed{among}."
        elif row is not rows[0]:
            said = "Nothing here says how much scores vary between topics."
        yield Beside(row, mean - row.value, said, row in weak)


def _deciding(
    leaderboard: Leaderboard, known: ScoreMatrix | None, table: TopicTable, name: str
) -> dict[str, Any] | None:
    """Against published runs with scores on the same topics, else against fixed systems; None where neither are."""
    measure = leaderboard.measure
    words = "published run with scores by topic,published runs with scores by topic"
    if known is None or set(known.topics) != set(table.topics):
        field = field_of(leaderboard.collection, table.topics, name)
        if field is None:
            return None
        known, words = field[0], "fixed system with scores by topic,fixed systems with scores by topic"
    own = dict(zip(table.topics, table.scores[name], strict=True))
    others = dict(zip(known.topics, known.scores.mean(axis=0).tolist(), strict=True))
    return _decide(own, others, known.n_systems, words, measure)


def own_verdict(upload: Upload, measure: OwnMeasure) -> dict[str, Any]:
    """Return what stands behind the mean of a run on a collection of somebody's own: beside what else its board has."""
    sent = entries_of(measure, sent_to_own(measure.collection))
    same = [system for system, names in measure.collection.executions.items() if upload.name in names]
    others = [one for one in sent if one.pk != upload.pk]
    rows = [row for row in rows_of(others, measure.name) if row.name not in same]
    table = unpack_scores(bytes(upload.work.scores))
    own = dict(zip(table.topics, table.scores[measure.name], strict=True))
    means = {
        topic: sum(row.scores[topic] for row in rows) / len(rows)
        for topic in (rows[0].scores if rows else ())
        if topic in own
    }
    words = "other system here,other systems here"
    return {
        "measure": measure,
        "precision": _precision(upload.work.report.get("precision", {}), measure.name, 1),
        "deciding": _decide(own, means, len(rows), words, measure) if means else None,
    }


def _decide(
    own: Mapping[str, float], others: Mapping[str, float], n_systems: int, words: str, measure: Measure | OwnMeasure
) -> dict[str, Any]:
    """Topic by topic against the mean of others, which ``words`` name: topics with both scores and their difference."""
    sign = 1.0 if measure.higher_is_better else -1.0
    topics = [(topic, own[topic], mean, own[topic] - mean) for topic, mean in others.items()]
    topics.sort(key=lambda one: (-sign * one[3], one[0]))
    differences, counted = [difference for *_, difference in topics], plural(n_systems, words)
    total = sum(differences)
    by = f"{abs(total) / len(topics):.{measure.decimals}f}"
    said = f"On average the run scores what the {counted} {'does' if n_systems == 1 else 'do'}."
    # What no printed digit tells is no difference: sums of the same scores differ behind their last one.
    if float(by):
        than, n_to_turn = "better" if sign * total > 0 else "worse", _n_to_turn(differences, total)
        said = (
            f"Over all topics the run is {by} {than} than the mean of the {counted}. Without "
            f"{plural(n_to_turn, 'topic,topics')} of {len(topics):,} it is not."
        )
    return {
        "said": said,
        "gains": [one for one in topics[:MOST_TOPICS] if sign * one[3] > 0],
        "losses": [one for one in topics[::-1][:MOST_TOPICS] if sign * one[3] < 0],
    }


def _n_to_turn(differences: list[float], total: float) -> int:
    """Return how many of the largest, left out, turn the sign of what is left; all where none do."""
    side = 1.0 if total > 0 else -1.0
    left = side * total
    for number, one in enumerate(sorted((side * difference for difference in differences), reverse=True)):
        if left <= 0:
            return number
        left -= one
    return len(differences)
