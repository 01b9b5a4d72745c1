"""Recording what is known of systems: statements of files and people, and twins among them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from analysis.readers.tables import Record
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.services import mark_leaderboards_changed
from registry.core.bulk import insert_rows
from registry.core.loading import LoadReport, Progress, good_rows, silent
from registry.core.templatetags.formatting import plural
from registry.curation.lineage import pipeline
from registry.curation.lineage.models import (
    KEY_LENGTH,
    CollectionPaper,
    Lineage,
    PaperLink,
    StatementQuerySet,
    SystemFacts,
    TrainingDeclaration,
)
from registry.curation.lineage.queries import boards_of_systems, systems_of, with_models
from registry.curation.lineage.training import UNSPECIFIED, Confidence, Declared, Evidence
from registry.journal.queries import is_to_load
from registry.journal.services import record, record_file
from registry.results.models import Confirmation, Result, System
from registry.results.queries import papers_by_identity
from registry.results.services.corrections import why_not
from registry.results.services.endings import required_reason

_BATCH = 5000

#: The key of a statement: a system or collection, and what else tells it from others.
Key = tuple[int | None, tuple[Any, ...]]


def load_shipped_lineage(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load the files on systems in a folder; yield a report for each that is not as it was before."""
    for name, kind in _KINDS.items():
        path = directory / name
        if is_to_load(path, kind.action):
            progress(f"reading {name}", 0)
            yield load_statements(path=path, actor=actor, reason=reason)


def load_statements(*, path: Path, actor: User | None = None, reason: str = "", dry_run: bool = False) -> LoadReport:
    """Replace the statements that stand from files of this name by those of this file, all or nothing.

    A dry run changes nothing; its report remarks what would change.
    """
    kind = _KINDS[path.name]
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = good_rows(
        report,
        kind.reader(),
        required=kind.required,
        optional=kind.columns,
        keys=lambda row: row.keys,
        again="says of the same system what line {first} says; leave one out",
    )
    if report.refused:
        return report
    with transaction.atomic():
        wanted = _wanted(rows, kind, report)
        changed = _bring_up_to(wanted, kind, report)
        boards = kind.boards(changed)
        if dry_run:
            report.remarks += _differences(changed, wanted, len(boards))
            transaction.set_rollback(True)
            return report
        n_ended = len(changed) - report.added - report.superseded
        record_file(report, action=kind.action, actor=actor, reason=reason, ended=n_ended)
        mark_leaderboards_changed(leaderboard_ids=boards)
    return report


def _differences(changed: set[Key], wanted: Mapping[Key, object], n_boards: int) -> Iterator[str]:
    """Yield what would end (-) and what would stand anew (+), and how many leaderboards would be analysed again."""
    names = System.objects.in_bulk({system for system, _ in changed if system})
    for system, about in sorted(changed, key=str):
        sign = "+" if (system, about) in wanted else "-"
        yield f"{sign} {names.get(system or 0, 'all systems')}: {', '.join(str(part) for part in about if part)}"
    yield f"would be analysed again: {plural(n_boards, 'leaderboard,leaderboards')}"


def _systems() -> Mapping[tuple[str, str], int | None]:
    """Return the systems of today by name and team; blank ones stand for all."""
    names = System.objects.values_list("name_key", "team_key", Coalesce("merged_into_id", "pk"))
    return {(name, team): pk for name, team, pk in names} | {("", ""): None}


@dataclass(frozen=True)
class _Kind:
    """A kind of statement about systems or collections: its file, its rows on record, the leaderboards concerned."""

    action: str
    columns: tuple[str, ...]
    required: tuple[str, ...]
    reader: Callable[[], Callable[[Record], pipeline.Statement]]
    standing: Callable[[], StatementQuerySet]
    key_fields: tuple[str, ...]
    boards: Callable[[Iterable[Key]], set[int]] = lambda keys: set()
    always: tuple[tuple[str, Any], ...] = ()
    subject_field: str = "system_id"
    subjects: Callable[[], Mapping[tuple[str, str], int | None]] = _systems


def _wanted(rows: list[pipeline.Statement], kind: _Kind, report: LoadReport) -> dict[Key, dict[str, Any]]:
    """Return the statements of the rows on the systems of today; rows on systems without any result are left out."""
    subjects = kind.subjects()
    wanted: dict[Key, dict[str, Any]] = {}
    n_strange = 0
    for row in rows:
        if (row.name_key, row.team_key) not in subjects:
            n_strange += 1
            continue
        for about in row.about:
            wanted.setdefault((subjects[row.name_key, row.team_key], about), row.fields)
    if n_strange:
        rows_are = "1 row is of a system that has" if n_strange == 1 else f"{n_strange:,} rows are of systems that have"
        report.remarks.append(f"{rows_are} no results here")
    return wanted


def _bring_up_to(wanted: dict[Key, dict[str, Any]], kind: _Kind, report: LoadReport) -> set[Key]:
    """End what stands and is not wanted, add what is wanted and does not stand; return the keys of what changed."""
    standing = kind.standing()
    fields = list(next(iter(wanted.values()), {}))
    end = 2 + len(kind.key_fields)
    rows = standing.values_list("pk", kind.subject_field, *kind.key_fields, *fields)
    known: dict[Key, Any] = {(row[1], row[2:end]): row for row in rows}
    same = {key for key, row in known.items() if key in wanted and row[end:] == tuple(wanted[key].values())}
    ended = [row[0] for key, row in known.items() if key not in same]
    moment = timezone.now()
    for start in range(0, len(ended), _BATCH):
        standing.filter(pk__in=ended[start : start + _BATCH]).update(ended_at=moment)
    new = wanted.keys() - same
    insert_rows(
        standing.model,
        [
            {kind.subject_field: system, "recorded_at": moment, "ended_at": None}
            | dict(zip(kind.key_fields, about, strict=True))
            | wanted[system, about]
            | dict(kind.always)
            for system, about in wanted
            if (system, about) in new
        ],
    )
    report.superseded = len(new & known.keys())
    report.added = len(new) - report.superseded
    report.unchanged = len(same)
    return set(new | (known.keys() - same))


def _boards_of_lineages(keys: Iterable[Key]) -> set[int]:
    changed = set(keys)
    systems = {system for system, _ in changed if system is not None}
    return boards_of_systems(systems | systems_of({key for system, (key,) in changed if system is None}))


def _boards_of_training(keys: Iterable[Key]) -> set[int]:
    changed = {(system, collection, dataset) for system, (collection, dataset, *_) in keys if system}
    boards = boards_of_systems(with_models({place[0] for place in changed}), {place[1] for place in changed})
    # What names neither is about every leaderboard of the model; a data set without a collection is on none.
    about_all = {system for system, collection, dataset in changed if not (collection or dataset)}
    return boards | boards_of_systems(with_models(about_all))


#: By the name of the file that makes the statements, in the order of loading.
_KINDS = {
    "lineage.csv": _Kind(
        action="results.lineage.loaded",
        columns=pipeline.LINEAGE_COLUMNS,
        required=("system", "key", "source"),
        reader=lambda: pipeline.read_lineage,
        standing=lambda: Lineage.objects.standing().filter(origin=Lineage.Origin.LOADED),
        key_fields=("key",),
        boards=_boards_of_lineages,
        always=(("origin", Lineage.Origin.LOADED.value), ("into", "")),
    ),
    "decisions.csv": _Kind(
        action="results.decisions.loaded",
        columns=pipeline.DECISION_COLUMNS,
        required=("decision", "key", "reason"),
        reader=pipeline.DecisionReader,
        standing=lambda: Lineage.objects.standing().filter(origin=Lineage.Origin.DECIDED),
        key_fields=("key",),
        boards=_boards_of_lineages,
        always=(("origin", Lineage.Origin.DECIDED.value),),
    ),
    "training.csv": _Kind(
        action="results.training.loaded",
        columns=pipeline.TRAINING_COLUMNS,
        required=("system", "declared", "source"),
        reader=lambda: partial(pipeline.read_training, CatalogNames()),
        standing=lambda: TrainingDeclaration.objects.standing().filter(person=None),
        key_fields=("collection_id", *pipeline.STATED_BY),
        boards=_boards_of_training,
        always=(("person_id", None),),
    ),
    "systems.csv": _Kind(
        action="results.system_facts.loaded",
        columns=pipeline.SYSTEM_FACTS_COLUMNS,
        required=("system", "source"),
        reader=lambda: pipeline.read_system_facts,
        standing=SystemFacts.objects.standing,
        key_fields=("model",),
    ),
    "system_papers.csv": _Kind(
        action="results.system_papers.loaded",
        columns=pipeline.PAPER_LINK_COLUMNS,
        required=("system", "relation", "source"),
        reader=lambda: partial(pipeline.read_paper_link, papers_by_identity()),
        standing=PaperLink.objects.standing,
        key_fields=("paper_id",),
    ),
    "collection_papers.csv": _Kind(
        action="results.collection_papers.loaded",
        columns=pipeline.COLLECTION_PAPER_COLUMNS,
        required=("collection", "role", "source"),
        reader=lambda: partial(pipeline.read_collection_paper, CatalogNames(), papers_by_identity()),
        standing=CollectionPaper.objects.standing,
        key_fields=("paper_id",),
        subject_field="collection_id",
        subjects=lambda: {(slug, ""): pk for slug, pk in Collection.objects.values_list("slug", "pk")},
    ),
}


ANSWERED = "results.training.answered"
WITHDRAWN = "results.training.answer_withdrawn"


@transaction.atomic
def answer_training(
    *,
    system: System,
    person: User,
    declared: str,
    text: str,
    url: str,
    dataset: str = "",
    collection: Collection | None = None,
    split: str = "",
) -> TrainingDeclaration:
    """Record and return the answer, which takes the place of an earlier one by the same person on the same data set.

    Its confidence is high if the person is known to be an author of the system's paper; else it is low, which is shown
    and holds nothing back. The log says that there is an answer, but not what it says: it can be taken back.
    """
    if declared == Declared.YES and not (dataset or collection):
        raise ValidationError({"dataset": "say on which data set it was trained"}, code="required")
    system = System.objects.select_for_update().get(pk=system.merged_into_id or system.pk)
    facts = {
        "declared": declared,
        "split": (split or UNSPECIFIED) if declared == Declared.YES else "",
        "quotation": text,
        "source": url,
        "confidence": Confidence.HIGH if _is_author(system, person) else Confidence.LOW,
    }
    about: dict[str, Any] = {"system": system, "collection": collection, "dataset": dataset, "person": person}
    earlier = TrainingDeclaration.objects.standing().filter(**about)
    same: TrainingDeclaration | None = earlier.filter(**facts).first()
    if same:
        return same
    moment = timezone.now()
    earlier.update(ended_at=moment)
    own = {"evidence": Evidence.ANSWER, "date": moment.date().isoformat(), "recorded_at": moment}
    answer: TrainingDeclaration = TrainingDeclaration.objects.create(**about, **facts, **own)
    record(action=ANSWERED, subject=system, actor=person, after={"answer": answer.pk})
    _mark_boards(answer)
    return answer


@transaction.atomic
def withdraw_training_answer(*, answer: TrainingDeclaration, actor: User, reason: str) -> TrainingDeclaration:
    """Take the answer back, for its author or an editor, and return it; a second time changes nothing."""
    reason = required_reason(reason)
    answer = TrainingDeclaration.objects.select_for_update().get(pk=answer.pk)
    if answer.ended_at is None:
        answer.ended_at = timezone.now()
        answer.save(update_fields=["ended_at"])
        subject, before = ("system", answer.system_id), {"answer": answer.pk}
        record(action=WITHDRAWN, subject=subject, actor=actor, reason=reason, before=before)
        _mark_boards(answer)
    return answer


def _is_author(system: System, person: User) -> bool:
    """Return whether the person's ORCID iD is known to be that of an author of a paper with the system's results."""
    results = Result.objects.standing().filter(system=system, paper__isnull=False).select_related("paper")
    return any(not why_not(result, person, Confirmation.Kind.AUTHOR) for result in results)


def _mark_boards(answer: TrainingDeclaration) -> None:
    """Have the leaderboards studied again that an answer matters to; one of low confidence matters to none."""
    if answer.confidence != Confidence.LOW:
        collections = {answer.collection_id} if answer.collection_id else None
        if answer.collection_id or not answer.dataset:
            boards = boards_of_systems(with_models({answer.system_id}), collections)
            mark_leaderboards_changed(leaderboard_ids=boards)


TWINS_FOUND = "results.lineage.twins_found"


@transaction.atomic
def record_twins(*, actor: User | None = None, reason: str = "") -> list[pipeline.Twin]:
    """Record groups of systems with the same scores as lineages, with the evidence; return the pairs.

    Lineages that were found earlier and are no longer true end. A system that editors took out of such a lineage stays
    out, however often this runs.
    """
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of__isnull=True)
    twins = pipeline.find_twins(results.order_by("pk").values_list("system_id", "leaderboard_id", "value"))
    names = System.objects.in_bulk({system for twin in twins for system in (twin.first, twin.second)})
    wanted: dict[tuple[int, str], str] = {}
    for group in pipeline.group_twins(twins):
        first = min((names[pk] for pk in group), key=lambda system: (system.name_key, system.team_key))
        key = f"twin:{first.name_key}"[:KEY_LENGTH]
        wanted |= {(pk, key): _evidence(pk, twins, names) for pk in group}
    standing = Lineage.objects.standing().filter(origin=Lineage.Origin.FOUND)
    columns = standing.values_list("system_id", "key", "pk", "source")
    known = {(system, key): (pk, source) for system, key, pk, source in columns}
    gone = [known[place][0] for place in known if wanted.get(place) != known[place][1]]
    new = {place: source for place, source in wanted.items() if place not in known or known[place][1] != source}
    if not (gone or new):
        return twins
    moment = timezone.now()
    standing.filter(pk__in=gone).update(ended_at=moment)
    Lineage.objects.bulk_create(
        Lineage(system_id=pk, key=key, origin=Lineage.Origin.FOUND, source=source, recorded_at=moment)
        for (pk, key), source in new.items()
    )
    counts = {"pairs": len(twins), "systems": len(wanted), "added": len(new), "ended": len(gone)}
    record(action=TWINS_FOUND, subject=("registry", "twins"), actor=actor, reason=reason, after=counts)
    changed = {pk for pk, _ in known.keys() ^ wanted.keys()}
    mark_leaderboards_changed(leaderboard_ids=boards_of_systems(changed))
    return twins


def _evidence(pk: int, twins: list[pipeline.Twin], names: dict[int, System]) -> str:
    """Return with which systems this one agrees, and on how many leaderboards."""
    pairs = [twin for twin in twins if pk in (twin.first, twin.second)]
    pairs.sort(key=lambda twin: (-twin.n_same, names[twin.first].name_key, names[twin.second].name_key))
    shown = [
        f"{names[twin.second if twin.first == pk else twin.first].name} on {twin.n_same} of {twin.n_common}"
        for twin in pairs[:3]
    ]
    more = f" and {len(pairs) - 3} more" if len(pairs) > 3 else ""
    return f"the same scores as {', '.join(shown)} common leaderboards{more}"[:500]
