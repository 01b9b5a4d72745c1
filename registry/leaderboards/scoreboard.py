"""How verdicts fared when more came to be known: each kept one against the evidence beside it or after it.

A verdict is frozen as its snapshot, which never changes. What scores it is read from the record: topic scores that came
for a leaderboard that had none, and leaderboards with other topics, judgements or documents for the same systems.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from math import log
from typing import Annotated, Literal

from django.db.models import Count
from django.urls import reverse
from scipy.special import fdtri

from analysis.boards import Snapshot as KeptVerdict
from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.relatives import CHECKS
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.verification import is_readable, read_kept
from registry.results.models import Result

#: Fewer systems on both, and nothing is compared.
MIN_SHARED = 20
#: Fewer claims that share no topics, and no share is given.
MIN_FOR_SHARE = 20
LEVEL = 0.9
_MEASURED = ("own-topics", "own-variance")

CameLater = Literal["fewer-documents", "new-version", "other-topics", "new-judgements", "topic-scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredVerdict:
    """One kept verdict, against one piece of evidence."""

    leaderboard: Annotated[str, "Name of the leaderboard that the verdict is on."]
    snapshot: Annotated[str, "Id of the snapshot that keeps the verdict."]
    frozen: Annotated[str, "The day of the snapshot, as YYYY-MM-DD."]
    rests_on: Annotated[str, "The kind of evidence of the verdict."]
    evidence: Annotated[CameLater, "What scores it."]
    seen_on: Annotated[str, "Name of the leaderboard with that evidence."]
    url: Annotated[str, "Its address."]
    is_retrospective: Annotated[bool, "Whether the evidence was on record when the verdict was made."]
    cluster: Annotated[int, "Verdicts of one cluster share topics or documents, and count as one claim."]
    n_systems: Annotated[int, "Systems that are on both."]
    held: Annotated[bool, "Whether the best by the evidence was among those that might be the best."]
    kept_leader: Annotated[bool, "Whether the leader is still the first."]
    log_ratio: Annotated[
        float | None, "Logarithm of the measured over the predicted variance; null without either."
    ] = None
    is_ratio_inside: Annotated[bool | None, "Whether that lies where nine in ten should."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How verdicts of one sort fared."""

    what: Annotated[str, "The sort, in words."]
    n: Annotated[int, "Verdicts that were scored."]
    n_held: Annotated[int, "Of these, how many held the best."]
    n_kept_leader: Annotated[int, "Of these, how many had the leader that is the first by the evidence, too."]
    n_clusters: Annotated[int, "Claims, where verdicts that share topics or documents are one."]
    n_clusters_held: Annotated[int, "Claims of which every verdict held the best."]
    share: Annotated[float | None, "Of claims that held; null below 20."]
    low: Annotated[float | None, "Wilson's 95 % interval of it."]
    high: Annotated[float | None, "Wilson's 95 % interval of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoreboard:
    """Kept verdicts against evidence that is not theirs."""

    n_frozen: Annotated[int, "Verdicts of leaderboards that stand frozen, each as a snapshot."]
    by_evidence: Annotated[tuple[Tally, ...], "By what scored them."]
    by_kind: Annotated[tuple[Tally, ...], "By what they rested on."]
    n_prospective: Annotated[int, "Of all, how many were made before the evidence was on record."]
    verdicts: Annotated[tuple[ScoredVerdict, ...], "Each; those that failed first."]


EVIDENCE = {
    "fewer-documents": "the same topics with fewer documents",
    "new-version": "another version",
    "other-topics": "other topics",
    "new-judgements": "judged again",
    "topic-scores": "topic scores that came later",
}


def scoreboard() -> Scoreboard:
    """Every verdict that can be scored by what is on record now."""
    found = sorted((*_by_linked(), *_by_topic_scores()), key=lambda one: (one.held, one.leaderboard, one.seen_on))
    return Scoreboard(
        n_frozen=Analysis.objects.filter(snapshot__isnull=False).count(),
        by_evidence=_tallies(found, lambda one: EVIDENCE[one.evidence]),
        by_kind=_tallies(found, lambda one: one.rests_on),
        n_prospective=sum(not one.is_retrospective for one in found),
        verdicts=tuple(found),
    )


def _tallies(found: Iterable[ScoredVerdict], sort: Callable[[ScoredVerdict], str]) -> tuple[Tally, ...]:
    by_sort: dict[str, list[ScoredVerdict]] = defaultdict(list)
    for one in found:
        by_sort[sort(one)].append(one)
    return tuple(_tally(what, by_sort[what]) for what in sorted(by_sort))


def _tally(what: str, found: list[ScoredVerdict]) -> Tally:
    from scipy.stats import binomtest  # It takes as long to load as all else.

    failed = {one.cluster for one in found if not one.held}
    n = len({one.cluster for one in found})
    held = n - len(failed)
    known = binomtest(held, n).proportion_ci(method="wilson") if n >= MIN_FOR_SHARE else None
    return Tally(
        what=what,
        n=len(found),
        n_held=sum(one.held for one in found),
        n_kept_leader=sum(one.kept_leader for one in found),
        n_clusters=n,
        n_clusters_held=held,
        share=held / n if known else None,
        low=float(known.low) if known else None,
        high=float(known.high) if known else None,
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """The scores of systems on a leaderboard now, the oldest result of each, and when that was recorded."""

    value: dict[int, float]
    recorded: dict[int, datetime]


def _by_linked() -> Iterator[ScoredVerdict]:
    every = list(CollectionLink.objects.values_list("base", "collection", "relation"))
    # Translations and parts of one collection share topics or documents, too.
    clusters = _clusters(link[:2] for link in every)
    links = [link for link in every if link[2] in CHECKS]
    linked = {collection for link in links for collection in link[:2]}
    boards: dict[int, dict[int, Leaderboard]] = defaultdict(dict)
    for board in Leaderboard.objects.with_names().filter(collection__in=linked, results_version__gt=0):
        boards[board.collection_id][board.measure_id] = board
    pairs = [
        (boards[base][measure], boards[other][measure], CHECKS[relation])
        for base, other, relation in links
        for measure in sorted(boards[base].keys() & boards[other].keys())
    ]
    scores = _read_scores({board.pk for first, second, _ in pairs for board in (first, second)})
    shared = {
        (first.pk, second.pk): sorted(scores[first.pk].value.keys() & scores[second.pk].value.keys())
        for first, second, _ in pairs
    }
    pairs = [pair for pair in pairs if len(shared[pair[0].pk, pair[1].pk]) >= MIN_SHARED]
    kept = _first_kept({first.pk for first, _, _ in pairs})
    for first, second, kind in pairs:
        snapshot = kept.get(first.pk)
        stored = read_kept(snapshot, KeptVerdict)
        verdict = stored.findings.verdict if stored else None
        whole = next((one.set for one in verdict.views if one.view == "all"), verdict.set) if verdict else None
        if snapshot is None or verdict is None or whole is None or whole.margin is None:
            continue
        sign = 1.0 if second.measure.higher_is_better else -1.0
        here, there, systems = scores[first.pk], scores[second.pk], shared[first.pk, second.pk]
        best = max(systems, key=lambda system: sign * there.value[system])
        leading = max(sign * here.value[system] for system in systems)
        yield ScoredVerdict(
            leaderboard=str(first),
            snapshot=snapshot.pk,
            frozen=f"{snapshot.created_at:%Y-%m-%d}",
            rests_on=verdict.evidence.kind,
            evidence=kind,
            seen_on=str(second),
            url=second.get_absolute_url(),
            is_retrospective=there.recorded[best] <= snapshot.created_at,
            cluster=clusters[first.collection_id],
            n_systems=len(systems),
            held=sign * here.value[best] >= leading - whole.margin,
            kept_leader=sign * here.value[best] >= leading,
        )


def _clusters(links: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The least of the collections that links join, for each."""
    cluster: dict[int, int] = {}

    def root(one: int) -> int:
        while cluster.setdefault(one, one) != one:
            one = cluster[one]
        return one

    for one, other in links:
        low, high = sorted((root(one), root(other)))
        cluster[high] = low
    return {one: root(one) for one in cluster}


def _read_scores(boards: set[int]) -> defaultdict[int, _Scores]:
    """Scores of exactly 0 are failed runs."""
    found: defaultdict[int, _Scores] = defaultdict(lambda: _Scores({}, {}))
    results = Result.objects.standing().filter(
        leaderboard__in=boards, comparability=Result.Comparability.STANDARD, replicate_of=None
    )
    columns = ("leaderboard_id", "system_id", "value", "recorded_at")
    for board, system, value, recorded in results.exclude(value=0).order_by("-pk").values_list(*columns):
        found[board].value[system] = value
        found[board].recorded[system] = recorded
    return found


def _first_kept(boards: set[int]) -> dict[int, Snapshot]:
    """The oldest snapshot of each that this release can read."""
    found: dict[int, Snapshot] = {}
    for snapshot in Snapshot.objects.filter(leaderboard__in=boards).order_by("created_at").iterator():
        assert snapshot.leaderboard_id is not None
        if snapshot.leaderboard_id not in found and is_readable(snapshot):
            found[snapshot.leaderboard_id] = snapshot
    return found


def _by_topic_scores() -> Iterator[ScoredVerdict]:
    """Leaderboards that have topic scores now, and a verdict from before."""
    measured = Analysis.objects.filter(headline__evidence__in=_MEASURED, snapshot__isnull=False).select_related(
        "snapshot", "leaderboard__collection", "leaderboard__measure"
    )
    several = measured.annotate(n_kept=Count("leaderboard__snapshots")).filter(n_kept__gt=1)
    kept = _first_kept(set(several.values_list("leaderboard", flat=True)))
    for analysis in several:
        assert analysis.snapshot is not None
        snapshot = kept.get(analysis.leaderboard_id, analysis.snapshot)
        before, now = read_kept(snapshot, KeptVerdict), read_kept(analysis.snapshot, KeptVerdict)
        if before is None or now is None:
            continue
        old, new = before.findings.verdict, now.findings.verdict
        if old.set is None or old.evidence.kind in _MEASURED:
            continue
        predicted, found = old.evidence, new.evidence
        ratio = inside = None
        if predicted.residual_variance and found.residual_variance:
            ratio = found.residual_variance / predicted.residual_variance
            if predicted.degrees_of_freedom and found.degrees_of_freedom:
                ends = fdtri(found.degrees_of_freedom, predicted.degrees_of_freedom, [0.05, 0.95])
                inside = bool(ends[0] <= ratio <= ends[1])
        yield ScoredVerdict(
            leaderboard=str(analysis.leaderboard),
            snapshot=snapshot.pk,
            frozen=f"{snapshot.created_at:%Y-%m-%d}",
            rests_on=predicted.kind,
            evidence="topic-scores",
            seen_on=str(analysis.leaderboard),
            url=reverse("leaderboards:snapshot-detail", args=[analysis.snapshot.pk]),
            is_retrospective=False,
            cluster=analysis.leaderboard.collection_id,
            n_systems=new.tries.n_results,
            held=new.best.result in old.set.members,
            kept_leader=new.best.result == old.best.result,
            log_ratio=None if ratio is None else log(ratio),
            is_ratio_inside=inside,
        )


#: What columns of its CSV are called, where it is not as the fields of verdicts.
_CALLED = {"rests_on": "evidence", "evidence": "scored_by"}
SCOREBOARD_COLUMNS = tuple(_CALLED.get(one.name, one.name) for one in fields(ScoredVerdict))


def scoreboard_rows(document: Scoreboard) -> list[tuple[object, ...]]:
    """The verdicts as a table."""
    return [tuple(getattr(one, field.name) for field in fields(ScoredVerdict)) for one in document.verdicts]
