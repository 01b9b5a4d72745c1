"""Reading what the journal says about results, what was known on an earlier day, and scores that stand behind none."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, Q, QuerySet
from django.db.models.functions import Cast, Coalesce

from analysis.scores import ScoreMatrix
from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard
from registry.journal.models import Entry
from registry.journal.querysets import EntryQuerySet
from registry.results.models import CONTENT, CorrectionRequest, Paper, Result, Source, System, UnnamedScores
from registry.results.querysets import ResultQuerySet

#: What a confirmation leaves as it was.
_ALL_BUT_PROVENANCE = (
    "leaderboard_id",
    "system_id",
    "paper_id",
    "source",
    *(name for name in CONTENT if name != "provenance"),
)


def entries_about(results: ResultQuerySet) -> EntryQuerySet:
    """The public entries that recorded or ended any of these results, or say something else about one, newest first."""
    ids = results.annotate(key=Cast("pk", CharField())).values("key")
    about = (
        Q(pk__in=results.values("recorded_by"))
        | Q(pk__in=results.filter(ended_by__isnull=False).values("ended_by"))
        | Q(subject_type="result", subject_id__in=ids)
    )
    return Entry.objects.public().filter(about)


def entries_of_collection(collection: Collection) -> EntryQuerySet:
    """The public entries about the collection and its results, the newest first."""
    results = Result.objects.filter(leaderboard__collection=collection)
    of_itself = Entry.objects.public().filter(subject_type="collection", subject_id=collection.slug)
    return entries_about(results) | of_itself


def entries_of_versions(versions: Iterable[Result]) -> EntryQuerySet:
    """The public entries about a result in all these versions, the newest first."""
    return entries_about(Result.objects.filter(pk__in=[version.pk for version in versions]))


def is_handed_in_by(user: User, result: Result) -> bool:
    """Return whether this very version was recorded from a submission of theirs.

    A row that only repeats what stands already leads to the result as well; it did not record it.
    """
    entry = result.recorded_by
    if entry.subject_type != "submission":
        return False
    rows = result.submitted_rows.filter(submission__contributor=user).values_list("submission_id", flat=True)
    return entry.subject_id in map(str, rows)


def before_confirmations(result: Result) -> Result:
    """The version that people confirmed since: the result as somebody recorded it, in all but how far it is trusted."""
    if result.provenance == Result.Provenance.TRANSCRIBED:
        return result
    olds = result.supersedes.order_by("-pk")
    before = next((old for old in olds if _is_same(old, result)), None)
    return before_confirmations(before) if before else result


def confirmed_since(entry: Entry) -> dict[int, int]:
    """Return what the entry recorded and people only confirmed since: the ids that stand, with the ids that it
    recorded."""
    found: dict[int, int] = {}
    followed = {old.superseded_by_id: (old, old.pk) for old in entry.recorded_results.exclude(superseded_by=None)}
    while followed:
        versions = Result.objects.in_bulk(followed)
        same = {pk: version for pk, version in versions.items() if _is_same(followed[pk][0], version)}
        found |= {pk: followed[pk][1] for pk, version in same.items() if not version.ended_at}
        followed = {
            version.superseded_by_id: (version, followed[pk][1])
            for pk, version in same.items()
            if version.superseded_by_id
        }
    return found


def _is_same(old: Result, new: Result) -> bool:
    return all(getattr(old, name) == getattr(new, name) for name in _ALL_BUT_PROVENANCE)


#: The action of renaming a system, with the names in ``before`` and ``after``.
SYSTEM_RENAMED = "results.system.renamed"
#: How the action of undoing a merge ends.
MERGE_UNDONE = ".merge_undone"


def names_at(moment: datetime) -> dict[int, dict[str, str]]:
    """Return what systems that were respelled since then were called at that moment, by their ids.

    A system that got another name became another one, whose results superseded the earlier ones; only a change of
    spelling leaves it the same.
    """
    renamed = Entry.objects.filter(action=SYSTEM_RENAMED, recorded_at__gt=moment).order_by("-pk")
    return {
        int(pk): {"system": before["name"], "team": before["team"]}
        for pk, before in renamed.values_list("subject_id", "before")
        if before
    }


def disputed_at(moment: datetime) -> set[int]:
    """The results whose value somebody disputed at that moment and nobody had decided on."""
    open_then = Q(decided_at__isnull=True) | Q(decided_at__gt=moment)
    disputes = CorrectionRequest.objects.filter(open_then, kind=CorrectionRequest.Kind.DISPUTE, shown_at__lte=moment)
    found = {pk: recorded <= moment for pk, recorded in disputes.values_list("result", "result__recorded_at")}
    # A request follows its result to what takes its place, so the version of that moment may come before it.
    later = {pk for pk, was_there in found.items() if not was_there}
    disputed = found.keys() - later
    while later:
        before = dict(Result.objects.filter(superseded_by__in=later).values_list("pk", "recorded_at"))
        disputed |= {pk for pk, recorded in before.items() if recorded <= moment}
        later = before.keys() - disputed
    return set(disputed)


def as_known(results: Iterable[Result], moment: datetime) -> list[Result]:
    """The results as they were known then: what ended them later had not happened, and names were those of the time.

    They are changed in memory, and not to be saved.
    """
    names, disputed = names_at(moment), disputed_at(moment)
    known = list(results)
    for result in known:
        if result.ended_at and result.ended_at > moment:
            result.ended_at = result.ended_by = result.superseded_by = None
            result.ending = ""
        result.is_disputed = result.pk in disputed
        under_names(result.system, names)
    return known


def under_names(system: System, names: dict[int, dict[str, str]]) -> System:
    """The system under the name that it had, in memory."""
    if system.pk in names:
        system.name, system.team = names[system.pk]["system"], names[system.pk]["team"]
    return system


def what_it_is(thing: System | Paper, moment: datetime | None) -> System | Paper | None:
    """Return what the system or paper was merged into, and leads to: today, or at an earlier moment; None for
    nothing."""
    if moment is None:
        return thing.merged_into
    model = type(thing)
    entries = Entry.objects.filter(subject_type=str(thing._meta.model_name), subject_id=str(thing.pk))
    merges = entries.filter(action__regex=r"\.(merged|merge_undone)$").order_by("-pk")
    last = merges.filter(recorded_at__lte=moment).first()
    if last is None or last.action.endswith(MERGE_UNDONE):
        return None
    if merges.filter(action__endswith=MERGE_UNDONE, pk__gt=last.pk).exists():
        return model._default_manager.get(pk=(last.after or {})["merged_into"])
    return thing.merged_into


def was_parted(one: System | Paper, other: System | Paper) -> bool:
    """Return whether somebody undid that one of them had been merged into the other."""
    pairs = [(one.pk, other.pk), (other.pk, one.pk)]
    said = Q()
    for source, target in pairs:
        said |= Q(subject_id=str(source), before__merged_into=target)
    undone = Entry.objects.filter(said, subject_type=str(one._meta.model_name), action__endswith=MERGE_UNDONE)
    return undone.exists()


def papers_by_identity() -> dict[str, int]:
    """Return the papers of today by identity: those that were merged lead on."""
    return dict(Paper.objects.order_by().values_list("identity", Coalesce("merged_into_id", "pk")))


def with_things(results: Iterable[Result], *names: str) -> list[Result]:
    """The results with system, paper and leaderboard at hand, or those named; each is read once, whoever has it."""
    found = list(results)
    related: dict[str, QuerySet[Any]] = {"system": System.objects.all(), "paper": Paper.objects.all()}
    related["leaderboard"] = Leaderboard.objects.with_names()
    for name in names or related:
        known = related[name].in_bulk({pk for one in found if (pk := getattr(one, f"{name}_id"))})
        for one in found:
            setattr(one, name, known.get(getattr(one, f"{name}_id")))
    return found


def source_counts() -> list[Source]:
    """Every source that something is known of, with ``n_results`` that stand, the largest first."""
    counted = dict(Result.objects.standing().values_list("source").annotate(n=Count("pk")))
    sources = list(Source.objects.all())
    for source in sources:
        source.n_results = counted.get(source.name, 0)
    return sorted(sources, key=lambda source: (-source.n_results, source.name))


@dataclass(frozen=True, slots=True)
class UnnamedMatrix:
    """Topic scores of runs without names on a collection, with where they are from."""

    measure: str
    runs: str
    matrix: ScoreMatrix
    source: str
    licence: str
    note: str


#: What the word for the runs of a matrix has where their publisher withheld their names.
WITHHELD = "names withheld"


def unpack_unnamed(row: UnnamedScores) -> UnnamedMatrix:
    """The matrix that the row keeps."""
    content = json.loads(zlib.decompress(row.content))
    matrix = ScoreMatrix(content["runs"], content["topics"], content["scores"])
    return UnnamedMatrix(row.measure.name, row.runs, matrix, row.source, row.licence, row.note)
