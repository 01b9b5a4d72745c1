"""Loading what files say of systems: their lineages and declared training data. What editors decided stays."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.catalog.queries import CatalogNames
from registry.catalog.services import mark_leaderboards_changed
from registry.core.inserting import insert_rows
from registry.core.loading import LoadReport, Progress, records_of, silent
from registry.curation.lineage.models import CollectionPaper, Lineage, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.pipeline.rows import (
    COLLECTION_PAPER_COLUMNS,
    LINEAGE_COLUMNS,
    PAPER_LINK_COLUMNS,
    SYSTEM_FACTS_COLUMNS,
    TRAINING_COLUMNS,
    parse_collection_papers,
    parse_lineage,
    parse_paper_links,
    parse_system_facts,
    parse_training,
)
from registry.curation.lineage.queries import boards_of_systems, systems_of
from registry.curation.lineage.querysets import SaidQuerySet
from registry.journal.queries import is_to_load
from registry.journal.services import record_file
from registry.results.models import Paper, System

LINEAGE_LOADED = "results.lineage.loaded"
TRAINING_LOADED = "results.training.loaded"
SYSTEM_FACTS_LOADED = "results.system_facts.loaded"
PAPER_LINKS_LOADED = "results.system_papers.loaded"
COLLECTION_PAPERS_LOADED = "results.collection_papers.loaded"

_BATCH = 5000

#: What tells one statement from another: a system or collection, and what else.
Key = tuple[int | None, tuple[Any, ...]]


def load_shipped_lineage(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load what a folder's files say of systems, one report for each that is not as it was before."""
    for load, name, action in (
        (load_lineage_file, "lineage.csv", LINEAGE_LOADED),
        (load_training_file, "training.csv", TRAINING_LOADED),
        (load_system_facts_file, "systems.csv", SYSTEM_FACTS_LOADED),
        (load_paper_links_file, "system_papers.csv", PAPER_LINKS_LOADED),
        (load_collection_papers_file, "collection_papers.csv", COLLECTION_PAPERS_LOADED),
    ):
        path = directory / name
        if is_to_load(path, action):
            progress(f"reading {name}", 0)
            yield load(path=path, actor=actor, reason=reason)


def load_lineage_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let lineages that were loaded from files be those of this file, all or nothing."""
    return _load(path, _LINEAGES, actor, reason)


def load_training_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let declarations of training data be those of this file, all or nothing."""
    return _load(path, _TRAINING, actor, reason)


def load_system_facts_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let what makers say of systems be what this file says, all or nothing."""
    return _load(path, _SYSTEM_FACTS, actor, reason)


def load_paper_links_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let the papers that are about systems be those of this file, all or nothing."""
    return _load(path, _PAPER_LINKS, actor, reason)


def load_collection_papers_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let the papers on collections be those of this file, all or nothing."""
    return _load(path, _COLLECTION_PAPERS, actor, reason)


def _systems() -> Mapping[tuple[str, str], int | None]:
    """The systems of today by name and team; blank ones stand for all."""
    found = System.objects.values_list("name_key", "team_key", Coalesce("merged_into_id", "pk"))
    return {(name, team): pk for name, team, pk in found} | {("", ""): None}


def _papers() -> dict[str, int]:
    """The papers of today by identity."""
    return dict(Paper.objects.order_by().values_list("identity", Coalesce("merged_into_id", "pk")))


@dataclass(frozen=True)
class _Kind:
    """One kind of statement about systems or collections: how a file says it, where it is kept, what rests on it."""

    action: str
    columns: tuple[str, ...]
    required: tuple[str, ...]
    parse: Callable[[Iterable[Record | Rejection]], Iterator[Any]]
    standing: Callable[[], SaidQuerySet]
    about: Callable[[Any], tuple[Any, ...]]
    fields: Callable[[Any], dict[str, Any]]
    key_fields: tuple[str, ...]
    boards: Callable[[Iterable[Key]], set[int]]
    always: tuple[tuple[str, Any], ...] = ()
    subject_field: str = "system_id"
    subjects: Callable[[], Mapping[tuple[str, str], int | None]] = _systems


def _load(path: Path, kind: _Kind, actor: User | None, reason: str) -> LoadReport:
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = _good_rows(kind, report)
    if report.refused:
        return report
    with transaction.atomic():
        wanted = _wanted(rows, kind, report)
        changed = _bring_up_to(wanted, kind, report)
        n_ended = len(changed) - report.added - report.superseded
        record_file(report, action=kind.action, actor=actor, reason=reason, ended=n_ended)
        mark_leaderboards_changed(leaderboard_ids=sorted(kind.boards(changed)))
    return report


def _good_rows(kind: _Kind, report: LoadReport) -> list[Any]:
    rows: list[Any] = []
    seen: dict[tuple[Any, ...], int] = {}
    records = records_of(report, required=kind.required, optional=kind.columns)
    for row in kind.parse(records):
        if isinstance(row, list):
            report.refuse(row)
            continue
        for about in kind.about(row):
            first = seen.setdefault((row.name_key, row.team_key, about), row.line)
            if first != row.line:
                message = f"says of the same system what line {first} says; leave one out"
                report.refuse([Rejection("duplicate", message, row.line)])
        rows.append(row)
    return rows


def _wanted(rows: list[Any], kind: _Kind, report: LoadReport) -> dict[Key, dict[str, Any]]:
    """What the rows say, by the systems of today; what they say of systems without any result is left out."""
    subjects = kind.subjects()
    wanted: dict[Key, dict[str, Any]] = {}
    n_strange = 0
    for row in rows:
        if (row.name_key, row.team_key) not in subjects:
            n_strange += 1
            continue
        for about in kind.about(row):
            wanted.setdefault((subjects[row.name_key, row.team_key], about), kind.fields(row))
    if n_strange:
        report.remarks.append(f"{n_strange:,} rows are of systems that have no results here")
    return wanted


def _bring_up_to(wanted: dict[Key, dict[str, Any]], kind: _Kind, report: LoadReport) -> set[Key]:
    """End what stands and is not wanted, add what is wanted and does not stand: the keys of what changed."""
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
    boards = boards_of_systems({one[0] for one in changed}, {one[1] for one in changed if one[1]})
    # What names neither is about every leaderboard of the system; a data set without a collection is on none.
    return boards | boards_of_systems(
        {system for system, collection, dataset in changed if not (collection or dataset)}
    )


_LINEAGES = _Kind(
    action=LINEAGE_LOADED,
    columns=LINEAGE_COLUMNS,
    required=("system", "key", "source"),
    parse=parse_lineage,
    standing=lambda: Lineage.objects.standing().filter(origin=Lineage.Origin.LOADED),
    about=lambda row: ((row.key,),),
    fields=lambda row: {"holds": row.holds, "source": row.source},
    key_fields=("key",),
    boards=_boards_of_lineages,
    always=(("origin", Lineage.Origin.LOADED.value),),
)
#: With the collection, what tells a statement from others on a system.
_SAID_BY = ("dataset", "source", "how")
_TRAINING = _Kind(
    action=TRAINING_LOADED,
    columns=TRAINING_COLUMNS,
    required=("system", "declared", "source"),
    parse=lambda records: parse_training(records, CatalogNames()),
    standing=lambda: TrainingDeclaration.objects.standing().filter(person=None),
    about=lambda row: tuple((pk, *(row.facts[name] for name in _SAID_BY)) for pk in row.collection_ids),
    fields=lambda row: {name: value for name, value in row.facts.items() if name not in _SAID_BY},
    key_fields=("collection_id", *_SAID_BY),
    boards=_boards_of_training,
    always=(("person_id", None),),
)
_PAPER_LINKS = _Kind(
    action=PAPER_LINKS_LOADED,
    columns=PAPER_LINK_COLUMNS,
    required=("system", "relation", "source"),
    parse=lambda records: parse_paper_links(records, _papers()),
    standing=PaperLink.objects.standing,
    about=lambda row: ((row.paper_id,),),
    fields=lambda row: {"year": row.year, "relation": row.relation, "source": row.source},
    key_fields=("paper_id",),
    boards=lambda keys: set(),
)
_COLLECTION_PAPERS = _Kind(
    action=COLLECTION_PAPERS_LOADED,
    columns=COLLECTION_PAPER_COLUMNS,
    required=("collection", "role", "source"),
    parse=lambda records: parse_collection_papers(records, CatalogNames(), _papers()),
    standing=CollectionPaper.objects.standing,
    about=lambda row: ((row.paper_id,),),
    fields=lambda row: {"place": row.place, "role": row.role, "source": row.source},
    key_fields=("paper_id",),
    boards=lambda keys: set(),
    subject_field="collection_id",
    subjects=lambda: {(slug, ""): pk for slug, pk in Collection.objects.values_list("slug", "pk")},
)
_SYSTEM_FACTS = _Kind(
    action=SYSTEM_FACTS_LOADED,
    columns=SYSTEM_FACTS_COLUMNS,
    required=("system", "source"),
    parse=parse_system_facts,
    standing=SystemFacts.objects.standing,
    about=lambda row: ((row.model,),),
    fields=lambda row: dict(row.facts),
    key_fields=("model",),
    boards=lambda keys: set(),
)
