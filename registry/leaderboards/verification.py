"""Verifying snapshots: ids against contents, findings against inputs and topic scores, headlines against findings."""

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

import msgspec

import analysis.boards as boards
from analysis.scores import ScoreMatrix
from registry.catalog.models import Topic
from registry.journal.verifying import Report, Share
from registry.leaderboards.models import Analysis, Snapshot, SuiteAnalysis
from registry.leaderboards.queries.boards import read_kept
from registry.leaderboards.studies import headline_of
from registry.results.models import TopicScores

_AT_ONCE = 100

Stored = boards.Snapshot | boards.SuiteSnapshot


def check_snapshots(share: Share) -> Report:
    """Verify the snapshots of a share, and the analyses that stand on them."""
    report = Report()
    standing = _standing()
    keys = [pk for pk in Snapshot.objects.order_by("pk").values_list("pk", flat=True) if share.takes(pk)]
    for start in range(0, len(keys), _AT_ONCE):
        snapshots = Snapshot.objects.filter(pk__in=keys[start : start + _AT_ONCE]).order_by("pk")
        for snapshot in snapshots.select_related("leaderboard__collection", "leaderboard__measure"):
            report.n += 1
            report.problems += [f"snapshot {snapshot.pk}: {problem}" for problem in verify_snapshot(snapshot)]
            if snapshot.pk in standing and (stored := _by_present_methods(snapshot)):
                expected = msgspec.to_builtins(headline_of(stored))
                for analysis in standing[snapshot.pk]:
                    report.problems += _verify_headline(analysis, snapshot, expected)
    return report


def _standing() -> dict[str, list[Analysis | SuiteAnalysis]]:
    """Return the analyses that stand on each snapshot."""
    analyses: dict[str, list[Analysis | SuiteAnalysis]] = defaultdict(list)
    boards = Analysis.objects.select_related("leaderboard__collection", "leaderboard__measure")
    suites = SuiteAnalysis.objects.select_related("suite", "measure")
    for analysis in (*boards.exclude(snapshot=None), *suites.exclude(snapshot=None)):
        analyses[str(analysis.snapshot_id)].append(analysis)
    return analyses


def _verify_headline(
    analysis: Analysis | SuiteAnalysis, snapshot: Snapshot, expected: dict[str, object]
) -> Iterator[str]:
    if isinstance(analysis, Analysis):
        of, place = str(analysis.leaderboard), analysis.leaderboard_id == snapshot.leaderboard_id
    else:
        of, place = f"{analysis.suite.slug} {analysis.measure.name}", analysis.suite_id == snapshot.suite_id
    if not place:
        yield f"analysis of {of}: stands on snapshot {snapshot.pk}, which is of something else"
    for name in sorted({*expected, *analysis.headline}):
        shown, recomputed = analysis.headline.get(name), expected.get(name)
        if shown != recomputed:
            yield f"headline of {of}: {name} is {shown}, and snapshot {snapshot.pk} says {recomputed}"


def verify_snapshot(snapshot: Snapshot) -> list[str]:
    """Return what is wrong with a snapshot, in words; nothing when it is what it was and its numbers come out again.

    Of one by earlier methods only the id can be checked by the present ones.
    """
    if boards.snapshot_id(snapshot.content) != snapshot.pk:
        return ["the content does not have this id: it was changed"]
    stored = _by_present_methods(snapshot)
    if stored is None:
        return []
    if isinstance(stored, boards.SuiteSnapshot):
        return boards.verify_snapshot(snapshot.content, expected_id=snapshot.pk)
    topic_scores = topic_scores_of(snapshot)
    if stored.inputs.topic_scores != (topic_scores and boards.TopicScoresInput.of(topic_scores)):
        return ["the topic scores behind it are not what they were"]
    return boards.verify_snapshot(snapshot.content, topic_scores, expected_id=snapshot.pk)


def read_any(snapshot: Snapshot) -> Stored | None:
    """Return what a snapshot holds, of a leaderboard or of a suite; None of one by an earlier release."""
    if snapshot.suite_id is None:
        return read_kept(snapshot, boards.Snapshot)
    return read_kept(snapshot, boards.SuiteSnapshot)


def _by_present_methods(snapshot: Snapshot) -> Stored | None:
    """Return what a snapshot holds where this release can compute it again."""
    stored = read_any(snapshot)
    return stored if stored and stored.methods.version == boards.METHODS.version else None


def topic_scores_of(snapshot: Snapshot) -> ScoreMatrix | None:
    """Return the topic scores that entered a snapshot, as they were known when it was made; None where it has none."""
    # A suite has none.
    stored = read_kept(snapshot, boards.Snapshot) if snapshot.leaderboard else None
    described = stored.inputs.topic_scores if stored else None
    if described is None or snapshot.leaderboard is None:
        return None
    vectors = TopicScores.objects.known_at(snapshot.created_at).vectors(described.results)
    if set(vectors) != set(described.results) or any(None in scores for scores in vectors.values()):
        return None
    topics = Topic.objects.filter(collection=snapshot.leaderboard.collection).values_list("label", flat=True)
    scores = cast("list[list[float]]", [vectors[result] for result in described.results])
    return ScoreMatrix([str(result) for result in described.results], list(topics), scores)
