"""Changing the catalog: loading its files, adding the leaderboards that results need."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import comparison_key
from registry.accounts.models import User
from registry.catalog.models import (
    Collection,
    CollectionAlias,
    CollectionLink,
    Curator,
    Density,
    Leaderboard,
    Measure,
    MeasureAlias,
    ResidualVariance,
)
from registry.catalog.pipeline import SCHEMAS, CatalogRow, name_clashes, parse_catalog_row
from registry.catalog.queries import CatalogNames, resting_on
from registry.catalog.questions import read_questions, replace_questions
from registry.core.loading import LoadReport, good_rows
from registry.core.services import enqueue_jobs
from registry.journal.queries import loaded_digests
from registry.journal.services import record, record_file, record_many

FILE_LOADED = "catalog.file.loaded"
#: The kind of job that analyses a leaderboard; what it does is declared by the app that shows what was found.
ANALYSE_LEADERBOARD = "leaderboards.analyse_leaderboard"
_BATCH = 500


def ensure_leaderboards(*, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the leaderboard of each (collection, measure), all as ids; missing ones are added."""
    wanted = set(pairs)
    known = find_leaderboards(pairs=wanted)
    missing = sorted(wanted - set(known))
    if missing:
        new = [Leaderboard(collection_id=collection, measure_id=measure) for collection, measure in missing]
        Leaderboard.objects.bulk_create(new, ignore_conflicts=True)
        known |= find_leaderboards(pairs=set(missing))
    return known


def find_leaderboards(*, pairs: set[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the leaderboard of each (collection, measure), all as ids, of those that exist."""
    rows = Leaderboard.objects.filter(collection__in={collection for collection, _ in pairs})
    known = {(collection, measure): pk for pk, collection, measure in rows.values_list("pk", "collection", "measure")}
    return {pair: known[pair] for pair in pairs if pair in known}


def mark_leaderboards_changed(*, leaderboard_ids: Iterable[int]) -> None:
    """Count a new version of the results of each, and of those that rest on them, and have them analysed again; in the
    transaction of the change."""
    ids = sorted(leaderboard_ids)
    ids += resting_on(ids).values_list("pk", flat=True)
    for start in range(0, len(ids), _BATCH):
        Leaderboard.objects.filter(pk__in=ids[start : start + _BATCH]).mark_changed()
    enqueue_jobs(kind=ANALYSE_LEADERBOARD, args=[{"leaderboard_id": pk} for pk in ids])


def journal_id(row: models.Model) -> str:
    """Return the id of a row in entries of the journal: of a collection its slug, as in its addresses."""
    return row.slug if isinstance(row, Collection) else str(row.pk)


def catalog_files(directory: Path) -> list[Path]:
    """Return the files of the catalog that a folder has."""
    paths = [directory / schema.file for schema in SCHEMAS]
    return [path for path in paths if path.exists()]


def load_catalog(
    *, directory: Path, actor: User | None = None, reason: str = "", dry_run: bool = False
) -> list[LoadReport]:
    """Bring the catalog up to the files of a folder: collections with what they are, measures, leaderboards, variances.

    All or nothing: one refused row of one file leaves everything as it was. Rows that the files don't mention stay.
    """
    load = _CatalogLoad(directory)
    with transaction.atomic():
        load.run()
        if dry_run or any(report.refused for report in load.reports):
            transaction.set_rollback(True)
        elif load.changes_anything():
            load.write_journal(actor, reason)
            mark_leaderboards_changed(leaderboard_ids=load.stale_leaderboards())
    return load.reports


#: A row that is stored already, or None; the fields that it is to have, and what it belongs to.
_Wanted = tuple[Any, dict[str, Any], dict[str, Any]]


@dataclass
class _CatalogLoad:
    """One load of a folder: its reports, and what it changes for leaderboards that are there already."""

    directory: Path
    reports: list[LoadReport] = field(default_factory=list)
    journal: list[dict[str, Any]] = field(default_factory=list)
    stale: Q = field(default_factory=lambda: Q(pk__in=[]))

    def run(self) -> None:
        steps: tuple[Callable[[list[CatalogRow], LoadReport], None], ...] = (
            partial(self._save_named, _COLLECTION),
            partial(self._save_named, _MEASURE),
            self._save_questions,
            self._save_leaderboards,
            self._save_variances,
            self._save_densities,
            self._save_links,
        )
        for schema, save in zip(SCHEMAS, steps, strict=True):
            path = self.directory / schema.file
            if path.exists():
                report = LoadReport(schema.file, path=str(path), superseded_word="changed")
                self.reports.append(report)
                read = partial(parse_catalog_row, schema=schema)
                save(good_rows(report, read, required=schema.required, optional=schema.optional), report)
        if not self.reports:
            report = LoadReport(str(self.directory), superseded_word="changed")
            files = ", ".join(schema.file for schema in SCHEMAS)
            report.refuse([Rejection("missing", f"has none of {files}", fatal=True)])
            self.reports.append(report)

    def _save_questions(self, rows: list[CatalogRow], report: LoadReport) -> None:
        if any(earlier.refused for earlier in self.reports):
            return
        wanted = list(read_questions(rows, CatalogNames(), report))
        if not report.refused:
            replace_questions(wanted, report)

    def _save_leaderboards(self, rows: list[CatalogRow], report: LoadReport) -> None:
        wanted = self._resolve(rows, report, Leaderboard, "collection", "measure")
        for _, fields, _ in wanted:
            fields["n_topics_here"] = fields.pop("n_topics")
        changed = self._save(wanted, report, Leaderboard)
        self.stale |= Q(pk__in=[row.pk for row, fields in changed if {"n_topics_here", "is_doubtful"} & {*fields}])

    def _save_variances(self, rows: list[CatalogRow], report: LoadReport) -> None:
        wanted = self._resolve(rows, report, ResidualVariance, "collection", "measure")
        for _, fields, _ in wanted:
            del fields["kind"], fields["mean_square"]
        changed = self._save(wanted, report, ResidualVariance)
        new = [owner["measure"].pk for row, _, owner in wanted if row is None]
        self.stale |= Q(measure__in=[*new, *(row.measure_id for row, _ in changed)])

    def _save_densities(self, rows: list[CatalogRow], report: LoadReport) -> None:
        wanted = self._resolve(rows, report, Density, "collection")
        changed = self._save(wanted, report, Density)
        new = [owner["collection"].pk for row, _, owner in wanted if row is None]
        collections = [*new, *(row.collection_id for row, _ in changed)]
        # Other years of a track are judged by it where they have none.
        suites = Collection.objects.filter(pk__in=collections).exclude(suite="").values("suite")
        self.stale |= Q(collection__in=collections) | Q(collection__suite__in=suites)

    def _save_links(self, rows: list[CatalogRow], report: LoadReport) -> None:
        self._save(self._resolve(rows, report, CollectionLink, "collection", "base"), report, CollectionLink)

    def _resolve(
        self, rows: list[CatalogRow], report: LoadReport, model: type[models.Model], *columns: str
    ) -> list[_Wanted]:
        """Return rows, whose ``columns`` name what they belong to; refuse unknown names and second rows.

        Nothing where collections or measures were refused: their names would seem unknown.
        """
        if any(earlier.refused for earlier in self.reports if earlier is not report):
            return []
        names = CatalogNames()
        stored = {
            tuple(getattr(row, f"{column}_id") for column in columns): row for row in model._default_manager.all()
        }
        resolved: list[_Wanted] = []
        seen: dict[tuple[Any, ...], int] = {}
        for row in rows:
            rejections: list[Rejection] = []
            owner: dict[str, Any] = dict.fromkeys(columns)
            for column in columns:
                find = names.measure if column == "measure" else names.collection
                try:
                    owner[column] = find(row.fields.pop(column))
                except Refused as refused:
                    rejections.append(refused.at(row.line, column))
            first = seen.setdefault(tuple(owner.values()), row.line)
            if not rejections and first != row.line:
                rejections.append(Rejection("duplicate", f"is there already, in line {first}", row.line))
            if rejections:
                report.refuse(rejections)
            else:
                key = tuple(named.pk for named in owner.values())
                resolved.append((stored.get(key), row.fields, owner))
        return resolved

    def _save_named(self, kind: "_Kind", rows: list[CatalogRow], report: LoadReport) -> None:
        for rejection in name_clashes(rows, kind.name_field):
            report.refuse([rejection])
        known = kind.rows_by_name()
        wanted: list[_Wanted] = [(known.get(kind.key(row)), row.fields, {}) for row in rows]
        changed = self._save(wanted, report, kind.model)
        if not report.refused:
            _save_aliases(kind, rows, report)
        self.stale |= Q(**{f"{kind.name}__in": [row.pk for row, fields in changed if kind.matters & fields]})

    def _save(self, wanted: list[_Wanted], report: LoadReport, model: type[models.Model]) -> list[tuple[Any, set[str]]]:
        """Add new rows and update changed ones; return these with the names of their changed fields."""
        if report.refused:
            return []
        new, changed = [], []
        for row, fields, owner in wanted:
            if row is None:
                new.append(model(**fields, **owner))
                continue
            before = {name: getattr(row, name) for name, value in fields.items() if getattr(row, name) != value}
            if not before:
                report.unchanged += 1
                continue
            for name in before:
                setattr(row, name, fields[name])
            changed.append((row, set(before)))
            after = {name: fields[name] for name in before}
            kind = model._meta.model_name
            self.journal.append(
                {"action": f"catalog.{kind}.changed", "subject_type": kind, "subject_id": journal_id(row)}
                | {"before": before, "after": after}
            )
        model._default_manager.bulk_create(new)
        names = sorted({name for _, fields in changed for name in fields})
        if names:
            model._default_manager.bulk_update([row for row, _ in changed], names, batch_size=100)
        report.added, report.superseded = len(new), len(changed)
        return changed

    def changes_anything(self) -> bool:
        known = loaded_digests(FILE_LOADED)
        return any(
            report.added or report.superseded or known.get(report.label) != report.digest for report in self.reports
        )

    def write_journal(self, actor: User | None, reason: str) -> None:
        record_many(self.journal, actor=actor, reason=reason)
        for report in self.reports:
            record_file(report, action=FILE_LOADED, actor=actor, reason=reason)

    def stale_leaderboards(self) -> list[int]:
        return list(Leaderboard.objects.filter(self.stale).values_list("pk", flat=True))


@dataclass(frozen=True)
class _Kind:
    """A kind of row with a canonical name and aliases; after changes of what ``matters``, leaderboards are analysed."""

    model: type[models.Model]
    alias_model: type[models.Model]
    name: str
    name_field: str
    matters: frozenset[str]

    def key(self, row: CatalogRow) -> str:
        return comparison_key(row.fields[self.name_field])

    def rows_by_name(self) -> dict[str, Any]:
        return {comparison_key(getattr(row, self.name_field)): row for row in self.model._default_manager.all()}

    def aliases_by_name(self) -> dict[str, Any]:
        rows: Iterable[Any] = self.alias_model._default_manager.select_related(self.name)
        return {comparison_key(row.alias): row for row in rows}


_COLLECTION = _Kind(Collection, CollectionAlias, "collection", "slug", frozenset({
    "n_topics", "n_topics_at_least", "relevant_per_topic", "task", "suite", "group_kind", "topic_groups",
    "judge", "holder",
}))  # fmt: skip
_MEASURE = _Kind(Measure, MeasureAlias, "measure", "name", frozenset({
    "low", "high", "higher_is_better", "kind", "family", "cutoff", "zero_is_failure",
}))  # fmt: skip


def _save_aliases(kind: _Kind, rows: list[CatalogRow], report: LoadReport) -> None:
    """Give every row its aliases. One that the file moves from row to row moves; one of a row outside stays there."""
    by_name, known = kind.rows_by_name(), kind.aliases_by_name()
    in_file = {by_name[kind.key(row)] for row in rows}
    new = []

    def refuse(row: CatalogRow, column: str, message: str) -> None:
        report.refuse([Rejection("alias_taken", message, row.line, column)])

    for row in rows:
        target = by_name[kind.key(row)]
        namesake = known.get(kind.key(row))
        if namesake and getattr(namesake, kind.name) != target:
            refuse(
                row, kind.name_field, f"{row.fields[kind.name_field]!r} is an alias of {getattr(namesake, kind.name)}"
            )
        for alias in row.aliases:
            stored = known.get(comparison_key(alias))
            owner = by_name.get(comparison_key(alias)) or (stored and getattr(stored, kind.name))
            if owner is None:
                new.append(kind.alias_model(**{kind.name: target, "alias": alias}))
            elif owner != target and stored is None:
                refuse(row, "aliases", f"the alias {alias!r} is the name of another {kind.name}")
            elif owner != target and owner not in in_file:
                refuse(row, "aliases", f"the alias {alias!r} already belongs to {owner}")
            elif stored is not None and owner != target:
                setattr(stored, kind.name, target)
                stored.save(update_fields=[kind.name])
    kind.alias_model._default_manager.bulk_create(new)


@transaction.atomic
def appoint_curator(*, collection: Collection, user: User, actor: User | None, reason: str) -> Curator:
    """Have somebody look after the collection from now on; no entry where it was so already."""
    curator, is_new = Curator.objects.get_or_create(collection=collection, user=user)
    if is_new:
        _record_curator("catalog.curator.appointed", curator, actor, reason)
    return curator


@transaction.atomic
def dismiss_curator(*, curator: Curator, actor: User | None, reason: str) -> None:
    """Have somebody look after the collection no longer."""
    deleted, _ = Curator.objects.filter(pk=curator.pk).delete()
    if deleted:
        _record_curator("catalog.curator.dismissed", curator, actor, reason)


def forget_curator(user: User) -> None:
    """Take a person, whose account is being deleted, from all collections; that entry says enough."""
    Curator.objects.filter(user=user).delete()


def _record_curator(action: str, curator: Curator, actor: User | None, reason: str) -> None:
    slug, change = curator.collection.slug, {"user": curator.user_id}
    record(action=action, subject=("collection", slug), actor=actor, reason=reason, after=change)
