"""Verdicts against evidence that came after them, for the page about calibration.

A verdict is frozen as its snapshot, which never changes. What scores it came on record later: topic scores of a
leaderboard that had none, and leaderboards of the same systems with other topics, judgements or documents.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Aggregate, Count, Max, Min, QuerySet
from django.urls import reverse

from analysis.boards import Snapshot as KeptVerdict
from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.relatives import CHECKS, checked_links
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.verification import is_readable, read_kept
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet

#: Fewer systems on both, and nothing is compared.
MIN_SHARED = 20
_MEASURED = ("own-topics", "own-variance")
_EVIDENCE = {
    "fewer-documents": "the same topics with fewer documents",
    "new-version": "another version",
    "other-topics": "other topics",
    "new-judgements": "judged again",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A kept verdict, and one piece of evidence that came later."""

    leaderboard: str
    snapshot: Snapshot
    evidence: Annotated[str, "What scores it, in words."]
    seen_on: Annotated[str, "Name of the leaderboard with that evidence."]
    url: Annotated[str, "Where the evidence is."]
    n_systems: Annotated[int, "Systems that are on both."]
    held: Annotated[bool, "Whether the best by the evidence was among those that might be the best."]
    kept_leader: Annotated[bool, "Whether the leader is still the first."]


def list_predictions() -> list[Prediction]:
    """Return every verdict that later evidence scores, those that failed first."""
    predictions = (*_scored_by_linked(), *_scored_by_topic_scores())
    return sorted(predictions, key=lambda prediction: (prediction.held, prediction.leaderboard, prediction.seen_on))


def _scored_by_linked() -> Iterator[Prediction]:
    links = list(CollectionLink.objects.filter(checked_links()).values_list("base", "collection", "relation"))
    collections = {collection for link in links for collection in link[:2]}
    boards: dict[int, dict[int, Leaderboard]] = defaultdict(dict)
    for board in Leaderboard.objects.with_names().filter(collection__in=collections, results_version__gt=0):
        boards[board.collection_id][board.measure_id] = board
    pairs = [
        (boards[base][measure], boards[collection][measure], _EVIDENCE[CHECKS[relation]])
        for base, collection, relation in links
        for measure in sorted(boards[base].keys() & boards[collection].keys())
    ]
    frozen = _moments(Snapshot.objects.filter(leaderboard__in=[first for first, _, _ in pairs]), Min("created_at"))
    recorded = _moments(_comparable().filter(leaderboard__in=[second for _, second, _ in pairs]), Max("recorded_at"))
    # On most leaderboards everything was known before the verdict, and no snapshot is read.
    pairs = [
        (first, second, evidence)
        for first, second, evidence in pairs
        if first.pk in frozen and second.pk in recorded and recorded[second.pk] > frozen[first.pk]
    ]
    snapshots = _first_kept({first.pk for first, _, _ in pairs})
    for first, second, evidence in pairs:
        snapshot = snapshots.get(first.pk)
        if snapshot and (prediction := _against(first, second, snapshot, evidence)):
            yield prediction


def _moments(rows: QuerySet[Any], moment: Aggregate) -> dict[int, datetime]:
    return dict(rows.order_by().values_list("leaderboard").annotate(moment=moment))


def _comparable() -> ResultQuerySet:
    """Return results that stand, without scores of exactly 0, which are failed runs."""
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of=None)
    return results.exclude(value=0)


def _against(first: Leaderboard, second: Leaderboard, snapshot: Snapshot, evidence: str) -> Prediction | None:
    """Return how the verdict on the first leaderboard fared on the second; None where its best was known before."""
    here, there = _scores(first), _scores(second)
    shared = sorted(here.keys() & there.keys())
    stored = read_kept(snapshot, KeptVerdict)
    if stored is None or len(shared) < MIN_SHARED:
        return None
    verdict = stored.findings.verdict
    whole = next((view.set for view in verdict.views if view.view == "all"), verdict.set)
    sign = 1.0 if second.measure.higher_is_better else -1.0
    best = max(shared, key=lambda system: sign * there[system].value)
    if whole is None or whole.margin is None or there[best].recorded_at <= snapshot.created_at:
        return None
    leading = max(sign * here[system].value for system in shared)
    return Prediction(
        leaderboard=str(first),
        snapshot=snapshot,
        evidence=evidence,
        seen_on=str(second),
        url=second.get_absolute_url(),
        n_systems=len(shared),
        held=sign * here[best].value >= leading - whole.margin,
        kept_leader=sign * here[best].value >= leading,
    )


def _scores(board: Leaderboard) -> Mapping[int, Result]:
    """Return the oldest comparable result of each system."""
    return {result.system_id: result for result in _comparable().filter(leaderboard=board).order_by("-pk")}


def _first_kept(boards: set[int]) -> dict[int, Snapshot]:
    """Return the oldest snapshot of each leaderboard that this release can read."""
    kept: dict[int, Snapshot] = {}
    for snapshot in Snapshot.objects.filter(leaderboard__in=boards).order_by("-created_at").iterator():
        if snapshot.leaderboard_id is not None and is_readable(snapshot):
            kept[snapshot.leaderboard_id] = snapshot
    return kept


def _scored_by_topic_scores() -> Iterator[Prediction]:
    """Yield the verdicts from before topic scores on leaderboards that have them now."""
    measured = Analysis.objects.filter(headline__evidence__in=_MEASURED, snapshot__isnull=False).select_related(
        "snapshot", "leaderboard__collection", "leaderboard__measure"
    )
    several = measured.annotate(n_kept=Count("leaderboard__snapshots")).filter(n_kept__gt=1)
    snapshots = _first_kept(set(several.values_list("leaderboard", flat=True)))
    for analysis in several:
        snapshot = snapshots.get(analysis.leaderboard_id)
        before, now = read_kept(snapshot, KeptVerdict), read_kept(analysis.snapshot, KeptVerdict)
        if snapshot is None or before is None or now is None:
            continue
        old, new = before.findings.verdict, now.findings.verdict
        if old.set is None or old.evidence.kind in _MEASURED:
            continue
        yield Prediction(
            leaderboard=str(analysis.leaderboard),
            snapshot=snapshot,
            evidence="topic scores that came later",
            seen_on=str(analysis.leaderboard),
            url=reverse("leaderboards:snapshot-detail", args=[analysis.snapshot_id]),
            n_systems=new.tries.n_results,
            held=new.best.result in old.set.members,
            kept_leader=new.best.result == old.best.result,
        )
