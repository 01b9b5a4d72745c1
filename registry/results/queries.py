"""Results in the journal and as known on an earlier day; unnamed scores; what accounts keep; a check of all scores."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, Q, QuerySet
from django.db.models.functions import Cast, Coalesce

from analysis.readers.numbers import PrintedScore
from analysis.scores import ScoreMatrix
from registry.accounts.models import User
from registry.accounts.personal import Document, rows_of
from registry.catalog.models import Collection, Leaderboard
from registry.journal.models import Entry, EntryQuerySet
from registry.journal.verifying import Report, Share
from registry.results.models import (
    CONTENT,
    Confirmation,
    CorrectionRequest,
    Paper,
    Result,
    Source,
    System,
    UnnamedScores,
)
from registry.results.querysets import ResultQuerySet

#: The fields that a confirmation leaves as they were.
_ALL_BUT_PROVENANCE = (
    "leaderboard_id",
    "system_id",
    "paper_id",
    "source",
    *(name for name in CONTENT if name != "provenance"),
)


def entries_about(results: ResultQuerySet) -> EntryQuerySet:
    """Return the public entries that recorded or ended these results, or are otherwise about them, the newest first."""
    ids = results.annotate(key=Cast("pk", CharField())).values("key")
    about = (
        Q(pk__in=results.values("recorded_by"))
        | Q(pk__in=results.filter(ended_by__isnull=False).values("ended_by"))
        | Q(subject_type="result", subject_id__in=ids)
    )
    return Entry.objects.public().filter(about)


def entries_of_collection(collection: Collection) -> EntryQuerySet:
    """Return the public entries about the collection and its results, the newest first."""
    results = Result.objects.filter(leaderboard__collection=collection)
    of_itself = Entry.objects.public().filter(subject_type="collection", subject_id=collection.slug)
    return entries_about(results) | of_itself


def entries_of_versions(versions: Iterable[Result]) -> EntryQuerySet:
    """Return the public entries about a result in all these versions, the newest first."""
    return entries_about(Result.objects.filter(pk__in=[version.pk for version in versions]))


def is_handed_in_by(user: User, result: Result) -> bool:
    """Return whether this very version was recorded from a submission of the user.

    A submitted row that only repeats a standing result is linked to it as well, but did not record it.
    """
    entry = result.recorded_by
    if entry.subject_type != "submission":
        return False
    rows = result.submitted_rows.filter(submission__contributor=user).values_list("submission_id", flat=True)
    return entry.subject_id in map(str, rows)


def before_confirmations(result: Result) -> Result:
    """Return the version that people confirmed since: the result as recorded, the same in all but its provenance."""
    if result.provenance == Result.Provenance.TRANSCRIBED:
        return result
    olds = result.supersedes.order_by("-pk")
    before = next((old for old in olds if _is_same(old, result)), None)
    return before_confirmations(before) if before else result


def confirmed_since(entry: Entry) -> dict[int, int]:
    """Return results of the entry that people only confirmed since: the ids that stand, each with that it recorded."""
    originals: dict[int, int] = {}
    followed = {old.superseded_by_id: (old, old.pk) for old in entry.recorded_results.exclude(superseded_by=None)}
    while followed:
        versions = Result.objects.in_bulk(followed)
        same = {pk: version for pk, version in versions.items() if _is_same(followed[pk][0], version)}
        originals |= {pk: followed[pk][1] for pk, version in same.items() if not version.ended_at}
        followed = {
            version.superseded_by_id: (version, followed[pk][1])
            for pk, version in same.items()
            if version.superseded_by_id
        }
    return originals


def _is_same(old: Result, new: Result) -> bool:
    return all(getattr(old, name) == getattr(new, name) for name in _ALL_BUT_PROVENANCE)


#: The action of renaming a system, with the names in ``before`` and ``after``.
SYSTEM_RENAMED = "results.system.renamed"
#: The end of the action of undoing a merge.
MERGE_UNDONE = ".merge_undone"


def names_at(moment: datetime) -> dict[int, dict[str, str]]:
    """Return the names at that moment of systems that were respelled since, by their ids.

    Only a change of spelling leaves a system the same. With another name it became another system, whose results
    superseded the earlier ones.
    """
    renamed = Entry.objects.filter(action=SYSTEM_RENAMED, recorded_at__gt=moment).order_by("-pk")
    return {
        int(pk): {"system": before["name"], "team": before["team"]}
        for pk, before in renamed.values_list("subject_id", "before")
        if before
    }


def disputed_at(moment: datetime) -> set[int]:
    """Return the results whose score was disputed at that moment, the dispute undecided."""
    open_then = Q(decided_at__isnull=True) | Q(decided_at__gt=moment)
    disputes = CorrectionRequest.objects.filter(open_then, kind=CorrectionRequest.Kind.DISPUTE, shown_at__lte=moment)
    was_recorded = {pk: recorded <= moment for pk, recorded in disputes.values_list("result", "result__recorded_at")}
    # A request follows its result to the successor, so the version of that moment may be earlier.
    later = {pk for pk, was_there in was_recorded.items() if not was_there}
    disputed = was_recorded.keys() - later
    while later:
        before = dict(Result.objects.filter(superseded_by__in=later).values_list("pk", "recorded_at"))
        disputed |= {pk for pk, recorded in before.items() if recorded <= moment}
        later = before.keys() - disputed
    return set(disputed)


def as_known(results: Iterable[Result], moment: datetime) -> list[Result]:
    """Return the results as they were known then: not ended by what came later, and under the names of that time.

    They are changed in memory and must not be saved.
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
    """Return the system under the name that it had, changed in memory."""
    if system.pk in names:
        system.name, system.team = names[system.pk]["system"], names[system.pk]["team"]
    return system


def what_it_is(thing: System | Paper, moment: datetime | None) -> System | Paper | None:
    """Return the system or paper that this one is merged into, today or at an earlier moment; None if into none."""
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


def was_parted(thing: System | Paper, other: System | Paper) -> bool:
    """Return whether somebody undid a merge of one of the two into the other."""
    merged = Q(subject_id=str(thing.pk), before__merged_into=other.pk)
    merged |= Q(subject_id=str(other.pk), before__merged_into=thing.pk)
    kind = str(thing._meta.model_name)
    return Entry.objects.filter(merged, subject_type=kind, action__endswith=MERGE_UNDONE).exists()


def papers_by_identity() -> dict[str, int]:
    """Return the papers of today by identity: those that were merged lead on."""
    return dict(Paper.objects.order_by().values_list("identity", Coalesce("merged_into_id", "pk")))


def with_things(results: Iterable[Result], *names: str) -> list[Result]:
    """Return the results with system, paper and leaderboard at hand, or those named; each of these is read once."""
    listed = list(results)
    related: dict[str, QuerySet[Any]] = {
        "system": System.objects.all(),
        "paper": Paper.objects.all(),
        "leaderboard": Leaderboard.objects.with_names(),
    }
    for name in names or related:
        known = related[name].in_bulk({pk for result in listed if (pk := getattr(result, f"{name}_id"))})
        for result in listed:
            setattr(result, name, known.get(getattr(result, f"{name}_id")))
    return listed


def source_counts() -> list[Source]:
    """Return every source on record with ``n_results``, the number that stand, the largest first."""
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


#: Part of ``runs`` where the publisher withheld the names of the runs.
WITHHELD = "names withheld"


def unpack_unnamed(row: UnnamedScores) -> UnnamedMatrix:
    """Return the matrix that the row keeps."""
    content = json.loads(zlib.decompress(row.content))
    matrix = ScoreMatrix(content["runs"], content["topics"], content["scores"])
    return UnnamedMatrix(row.measure.name, row.runs, matrix, row.source, row.licence, row.note)


def export_corrections(user: User) -> list[Document]:
    """Return a person's requests to correct or dispute results, with the decisions; they are public and stay."""
    columns = "result=result_id kind proposed reason state decision_reason created=created_at decided=decided_at"
    return rows_of(CorrectionRequest.objects.filter(requester=user), columns)


def export_confirmations(user: User) -> list[Document]:
    """Return a person's confirmations of results, by a second reading or as an author; they are public and stay."""
    confirmations = Confirmation.objects.filter(user=user).order_by("pk")
    return rows_of(confirmations, "result=result_id kind printed unit created=created_at")


def check_scores(_: Share) -> Report:
    """Verify that every value is the number that is printed."""
    report = Report()
    for pk, printed, unit, value in Result.objects.values_list("pk", "printed", "unit", "value").iterator(2000):
        report.n += 1
        if PrintedScore(printed, unit).value != value:
            report.problems.append(f"result {pk}: prints {PrintedScore(printed, unit)}, and counts as {value}")
    return report
