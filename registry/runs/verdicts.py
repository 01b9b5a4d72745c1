"""The verdict on a run that somebody sent: its rank among published results, the topics that decide, and its place on
the scale of fixed systems, those of its year and toolkits (Webber, Moffat & Zobel 2008).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

import numpy as np
from django.db.models import Count, Q
from scipy.special import stdtr

from analysis.boards import BoardRow, PairError, planned_pairs
from analysis.comparisons import adjust_pvalues
from analysis.runs.reports import mean_of_answered
from analysis.scales import standardize, standardized_mean_uncertainty
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Density, Leaderboard, Measure
from registry.core.charts import Chart
from registry.core.messages import say
from registry.core.templatetags.formatting import plural
from registry.leaderboards.queries.boards import read_board
from registry.leaderboards.stored import MIN_FIELD, StoredBoard, read_stored
from registry.leaderboards.wording import Fact
from registry.results.models import UnnamedScores
from registry.results.queries import unpack_unnamed
from registry.runs.executions import rows_of
from registry.runs.models import OwnMeasure, Upload, Work
from registry.runs.pipeline.packing import TopicTable, unpack_scores
from registry.runs.queries import entries_of, sent_to_own
from registry.tools.check.documents import CheckDocument, check_document, draw
from registry.tools.pairs.documents import LEVEL
from registry.tools.standardization.queries import MIN_REFERENCES, read_yardsticks

#: Of the median variance of differences by topic, the least that a pair is taken to have.
_LEAST_VARIANCE = 0.1
_N_RESAMPLES, _SEED = 499, 1
#: Systems whose means lie so close, for the most part, are no scale.
_CLOSE = 0.005
#: As many topics are named of those that speak for a run, and of those that speak against it.
MOST_TOPICS = 5


class Beside(NamedTuple):
    """A result on record, the run minus it, a sentence on that, and whether most toolkits' runs are better than it."""

    row: BoardRow
    difference: float
    sentence: str
    is_weak: bool


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """The rank of a run on one leaderboard of its collection, and what it rests on."""

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
        checked, decimals = self.check.checked, self.leaderboard.measure.decimals
        ranks = say("run-ranks-unknown", why=checked.why_unknown)
        if checked.ranks:
            ranks = say("run-ranks", low=checked.ranks.low, high=checked.ranks.high, view=checked.view)
        others = say("run-rank-beside", n=checked.n_results - checked.n_held_back)
        facts = [
            Fact(str(self.leaderboard.measure), f"{checked.value:.{decimals}f}", self.mean_over),
            Fact(others, f"{self.n_better + 1:,}", ranks, "set"),
        ]
        if known := self.precision:
            interval = say("run-no-interval", measure=known["measure"], reason=known.get("unknown", ""))
            if known["low"] is not None:
                interval = say("run-interval", low=f"{known['low']:.3f}", high=f"{known['high']:.3f}")
            facts.append(Fact(known["measure"], f"{known['estimate']:.3f}", interval, page="precision-of-map"))
        return facts


def boards_of(upload: Upload) -> dict[str, Leaderboard]:
    """Return the leaderboards on which a run's means have a rank, by measure, those with most results first."""
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
    """Say over which topics the mean is, and what it is over those answered, or in another order of ties."""
    sentence, of_answered = say("run-over-all"), mean_of_answered(mean, report)
    if of_answered is not None:
        counts = {"n_answered": report["n_answered"], "n_topics": report["n_judged_topics"]}
        sentence = say("run-over-answered", mean=f"{of_answered:.{decimals}f}", **counts)
    low, high = (f"{end:.{decimals}f}" for end in report.get("ties", {}).get(name, (mean, mean)))
    return sentence if low == high else say("run-over-ties", over=sentence, low=low, high=high)


def _precision(intervals: Mapping[str, dict[str, Any]], measure: str, grade: int) -> dict[str, Any] | None:
    """Return the interval of the measure itself, or else of the average precision from the collection's grade on."""
    name = min(intervals, key=lambda name: (name != measure, intervals[name]["grade"] != grade, name), default="")
    return {"measure": name, **intervals[name]} if name else None


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
    """Yield the best on record; of toolkits' runs the next better and next worse one, and the best of the weaker half.

    ``errors`` are of pairs with scores by topic; of the others an average pair has to serve.
    """
    checked = check.checked
    sign = 1.0 if stored.inputs.measure.higher_is_better else -1.0
    rows = stored.shown
    if not rows:
        return
    tools = [row for row in rows if row.role == "reference_implementation"]
    weak = tools[(len(tools) + 1) // 2 :] if len(tools) >= MIN_FIELD else []
    same = 0.5 * 10**-decimals
    better = [row for row in tools if sign * (row.value - mean) > same]
    worse = [row for row in tools if sign * (mean - row.value) > same]
    by_id = {row.id: row for row in [rows[0], *better[-1:], *worse[:1], *weak[:1]]}
    chosen = sorted(by_id.values(), key=lambda row: -sign * row.value)
    with_error = [
        (row, error) for row in chosen if row is not rows[0] and (error := errors.get(row.id, stored.pair_error))
    ]
    planned = planned_pairs([sign * (mean - row.value) for row, _ in with_error], [error for _, error in with_error])
    pairs = dict(zip((row.id for row, _ in with_error), planned, strict=True))
    among = f" ({len(pairs)} comparisons, Holm)" if len(pairs) > 1 else ""
    for row in chosen:
        sentence = "The best on record that is not excluded."
        if row is rows[0] and checked.margin is not None:
            side = "within" if abs(checked.behind) <= checked.margin else "beyond"
            sentence = f"The best on record that is not excluded; {side} the margin of {checked.margin:.{decimals}f}."
        elif row.id in pairs:
            pair = pairs[row.id]
            words = "Significant" if pair.is_told_apart else "Not significant"
            how = " topic by topic" if row.id in errors else ""
            sentence = f"{words}{how}: {pair.margin:.{decimals}f} needed{among}."
        elif row is not rows[0]:
            sentence = "Nothing here says how much scores vary between topics."
        yield Beside(row, mean - row.value, sentence, row in weak)


def _deciding(
    leaderboard: Leaderboard, known: ScoreMatrix | None, table: TopicTable, name: str
) -> dict[str, Any] | None:
    """Compare with published runs that have scores on the same topics, else with fixed systems; None without either."""
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
    """Compare a run on a collection of somebody's own, topic by topic, with what else its board has."""
    sent = entries_of(measure, sent_to_own(measure.collection))
    same = [system for system, names in measure.collection.executions.items() if upload.name in names]
    others = [other for other in sent if other.pk != upload.pk]
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
    """Return the topics with most gain and loss against the mean of others, which ``words`` name, and a sentence."""
    sign = 1.0 if measure.higher_is_better else -1.0
    topics = [(topic, own[topic], mean, own[topic] - mean) for topic, mean in others.items()]
    topics.sort(key=lambda row: (-sign * row[3], row[0]))
    differences, counted = [difference for *_, difference in topics], plural(n_systems, words)
    total = sum(differences)
    by = f"{abs(total) / len(topics):.{measure.decimals}f}"
    sentence = f"On average the run scores what the {counted} {'does' if n_systems == 1 else 'do'}."
    # What no printed digit tells is no difference: sums of the same scores differ behind their last one.
    if float(by):
        than, n_to_turn = "better" if sign * total > 0 else "worse", _n_to_turn(differences, total)
        sentence = (
            f"Over all topics the run is {by} {than} than the mean of the {counted}. Without "
            f"{plural(n_to_turn, 'topic,topics')} of {len(topics):,} it is not."
        )
    return {
        "sentence": sentence,
        "gains": [row for row in topics[:MOST_TOPICS] if sign * row[3] > 0],
        "losses": [row for row in topics[::-1][:MOST_TOPICS] if sign * row[3] < 0],
    }


def _n_to_turn(differences: list[float], total: float) -> int:
    """Return how many of the largest, left out, turn the sign of what is left; all where none do."""
    side = 1.0 if total > 0 else -1.0
    left = side * total
    for number, gain in enumerate(sorted((side * difference for difference in differences), reverse=True)):
        if left <= 0:
            return number
        left -= gain
    return len(differences)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardizedRun:
    """Where a run lies on the scale of fixed systems under one measure."""

    measure: str
    reference: Annotated[str, "Which systems these are."]
    n_systems: int
    z: Annotated[float, "Mean over topics of the standard deviations that it is above the mean of these systems."]
    low: Annotated[float, "Limits of the 95% interval of z, for other topics and other systems like these."]
    high: Annotated[float, "Limits of the 95% interval of z, for other topics and other systems like these."]
    normal: Annotated[float, "Mean over topics of the normal distribution function of z, 0 to 1."]
    n_better: Annotated[int, "How many of these systems have a better mean."]
    told_apart: Annotated[tuple[int, int] | None, "How many it is better, and worse, than by topic (t, Holm)."] = None
    topics: Annotated[dict[str, float], "z by topic, the best first."]


def standardized_runs(
    collection: Collection, topics: Sequence[str], scores: Mapping[str, Sequence[float]]
) -> Iterator[StandardizedRun]:
    """Yield the run against each set of fixed systems of the collection that has scores on the same topics."""
    for measure, reference, name, higher_is_better in _references(collection, topics):
        means = reference.scores.mean(axis=1)
        is_degenerate = np.mean(np.abs(means - np.median(means)) <= _CLOSE) > 0.5
        if measure in scores and not is_degenerate:
            yield _standardized(measure, reference, name, topics, scores[measure], higher_is_better)


def field_of(collection: Collection, topics: Sequence[str], measure: str) -> tuple[ScoreMatrix, str] | None:
    """Return the first set of fixed systems with scores on the same topics under a measure, and what it is called."""
    references = _references(collection, topics)
    return next(((matrix, name) for its_measure, matrix, name, _ in references if its_measure == measure), None)


def _references(collection: Collection, topics: Sequence[str]) -> Iterator[tuple[str, ScoreMatrix, str, bool]]:
    rows = UnnamedScores.objects.filter(collection=collection, n_topics=len(topics), n_runs__gte=MIN_REFERENCES)
    for row in rows.select_related("measure").order_by("measure__name", "label"):
        matrix = _on_topics(unpack_unnamed(row).matrix, topics)
        if matrix is not None:
            yield row.measure.name, matrix, row.runs, row.measure.higher_is_better
    for yardstick in read_yardsticks(collection):
        reference, measure = yardstick.reference, yardstick.measure
        if reference is not None and set(reference.topics) == set(topics):
            yield measure.name, reference, yardstick.name, measure.higher_is_better


def _on_topics(matrix: ScoreMatrix, topics: Sequence[str]) -> ScoreMatrix | None:
    """Return scores by the topics of judgements, of equal names or in numeric order; None where neither holds."""
    if set(matrix.topics) == set(topics):
        return matrix
    if not all(map(re.compile(r"topic\d+").fullmatch, matrix.topics)) or not all(map(str.isdigit, topics)):
        return None
    places = sorted(range(len(topics)), key=lambda place: int(matrix.topics[place].removeprefix("topic")))
    return ScoreMatrix(matrix.systems, sorted(topics, key=int), matrix.scores[:, places])


def _standardized(
    measure: str, reference: ScoreMatrix, name: str, topics: Sequence[str], scores: Sequence[float], better: bool
) -> StandardizedRun:
    sign = 1.0 if better else -1.0
    run = ScoreMatrix(["run"], topics, [[sign * score for score in scores]])
    field = ScoreMatrix(reference.systems, reference.topics, sign * reference.scores)
    z, normal = (standardize(run, field, transform=scale) for scale in ("z", "normal"))
    (interval,) = standardized_mean_uncertainty(
        run, field, _SEED, resample_topics=True, n_resamples=_N_RESAMPLES
    ).intervals
    gaps = run.scores - field.scores[:, [field.topics.index(topic) for topic in run.topics]]
    means, errors = gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / np.sqrt(run.n_topics)
    t = np.divide(means, errors, out=np.zeros_like(means), where=errors > 1e-12)
    significant = np.sign(t)[adjust_pvalues(2 * stdtr(run.n_topics - 1, -np.abs(t))) <= LEVEL]
    by_topic = zip(z.matrix.topics, z.matrix.scores[0].tolist(), strict=True)
    return StandardizedRun(
        measure=measure,
        reference=name,
        n_systems=reference.n_systems,
        z=float(z.means[0]),
        low=interval.low,
        high=interval.high,
        normal=float(normal.means[0]),
        n_better=int(np.sum(field.means > run.means[0])),
        told_apart=(int(np.sum(significant > 0)), int(np.sum(significant < 0))),
        topics=dict(sorted(by_topic, key=lambda pair: -pair[1])),
    )
