"""Loading files of facts beside results: the places that figures were taken from, models, and names of systems."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction

from analysis.readers.identifiers import paper_facts
from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_text, clean_url, comparison_key
from registry.accounts.models import User
from registry.core.bulk import Outcome
from registry.core.loading import LoadReport, good_rows
from registry.journal.models import Entry
from registry.journal.services import record_file
from registry.results.models import Model, Source, System
from registry.results.pipeline.rows import MAX_KEY_LENGTH, is_no_name
from registry.results.queries import papers_by_identity
from registry.results.services.gathering import gather_models
from registry.results.services.merging import SYSTEM_MERGED, merge_systems, rename_system

SOURCES_LOADED = "results.sources.loaded"
MODELS_LOADED = "results.models.loaded"
SYSTEM_NAMES_LOADED = "results.system_names.loaded"

_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_DAY = re.compile(r"(?:[0-9]{4}(?:-[0-9]{2}){0,2})?")

Fields = dict[str, Any]
Row = TypeVar("Row")


def load_sources_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Record the sources of a file as it describes them, all or nothing; sources that it does not name stay."""
    known = {source.name: source for source in Source.objects.all()}
    return _load(
        path,
        _read_source,
        lambda fields: _keep(Source, known.get(fields["name"]), fields),
        action=SOURCES_LOADED,
        required=("source", "what", "address"),
        optional=("state", "file_address", "licence", "terms"),
        keys=lambda fields: [fields["name"]],
        again="names a source that stands in the file already; leave one out",
        actor=actor,
        reason=reason,
    )


def load_models_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Record the models of a file as it describes them, all or nothing; models that it does not name stay.

    Systems on record are then gathered by the rules that read their names (``gathering``).
    """
    known = {model.slug: model for model in Model.objects.all()}
    # A model that rules or people named first goes by the address that the file gives it.
    by_name = {model.name_key: model for model in known.values()}
    papers = papers_by_identity()

    def read(record: Record) -> Fields:
        fields = _read_model(record, papers)
        other = by_name.get(fields["name_key"])
        if other and fields["slug"] in known and fields["slug"] != other.slug:
            raise Refused("name", f"gives the model {fields['slug']} the name of the model {other.slug}")
        return fields

    def write(fields: Fields) -> Outcome:
        model = known.get(fields["slug"]) or by_name.get(fields["name_key"])
        if model:
            # No other row may describe this model.
            del known[model.slug], by_name[model.name_key]
        return _keep(Model, model, fields)

    return _load(
        path,
        read,
        write,
        action=MODELS_LOADED,
        required=("slug", "name", "source"),
        optional=("maker", "base", "paper_url", "published", "released"),
        keys=lambda fields: [(name, fields[name]) for name in ("slug", "name_key")],
        again="names a model that stands in the file already; leave one out",
        actor=actor,
        reason=reason,
        then=lambda entry: gather_models(by=entry),
    )


def load_system_names_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Rename systems as a file says, all or nothing; the names that results call them by lead to the new ones.

    Results on record move to the new name, as when an editor renames their system or merges it into one of that name.
    Systems that were merged, parted or renamed before stay as they are.
    """
    return _load(
        path,
        _read_system_name,
        _name_system,
        action=SYSTEM_NAMES_LOADED,
        required=("system", "name", "source"),
        optional=("team",),
        keys=lambda cells: [(comparison_key(cells["system"]), comparison_key(cells["team"]))],
        again="names the system of line {first} again; leave one out",
        actor=actor,
        reason=reason,
        then=lambda entry: gather_models(by=entry),
    )


def _load(
    path: Path,
    read: Callable[[Record], Row],
    write: Callable[[Row], Outcome],
    *,
    action: str,
    required: tuple[str, ...],
    optional: tuple[str, ...],
    keys: Callable[[Row], Iterable[Hashable]],
    again: str,
    actor: User | None,
    reason: str,
    then: Callable[[Entry], object] = lambda entry: None,
) -> LoadReport:
    """Read a table as a whole, write each of its rows, count what became of them, and enter it in the journal."""
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = good_rows(report, read, required=required, optional=optional, keys=keys, again=again)
    if not report.refused:
        with transaction.atomic():
            counts = Counter(map(write, rows))
            report.added, report.superseded = counts[Outcome.NEW], counts[Outcome.SUPERSEDES]
            report.unchanged = counts[Outcome.UNCHANGED]
            then(record_file(report, action=action, actor=actor, reason=reason))
    return report


def _keep(kind: type[Source] | type[Model], known: Source | Model | None, fields: Fields) -> Outcome:
    """Write these fields into the known row, or into a new row."""
    if known is None:
        kind._default_manager.create(**fields)
        return Outcome.NEW
    if all(getattr(known, name) == value for name, value in fields.items()):
        return Outcome.UNCHANGED
    kind._default_manager.filter(pk=known.pk).update(**fields)
    return Outcome.SUPERSEDES


def _read_source(row: Record) -> Fields:
    cells = row.cells
    name = clean_name(cells["source"], max_length=200)
    address, file_address = clean_url(cells["address"]), cells["file_address"].strip()
    if not name or not address:
        raise Refused("blank", "names no source, or not where it is; fill in source and address")
    if file_address and "{path}" not in file_address:
        raise Refused("address", "file_address says nowhere where the path goes; write {path} there")
    clean_url(re.sub(r"\{(?:path|state)\}", "x", file_address))
    fields = {"name": name, "what": clean_name(cells["what"]), "address": address, "file_address": file_address}
    fields |= {name: clean_name(cells[name], max_length=100) for name in ("state", "licence")}
    return fields | {"terms": clean_text(cells["terms"])}


def _read_model(row: Record, papers: Mapping[str, int]) -> Fields:
    cells, name = row.cells, clean_name(row.cells["name"])
    if not name or not _SLUG.fullmatch(cells["slug"]) or len(cells["slug"]) > 100:
        raise Refused("slug", "names no model, or its address is none; write it in small letters, as bge-m3")
    fields: Fields = {"slug": cells["slug"], "name": name, "name_key": comparison_key(name)}
    fields |= {column: clean_name(cells[column]) for column in ("maker", "base", "source")}
    for column in ("published", "released"):
        if not _DAY.fullmatch(cells[column]):
            raise Refused("day", f"{column} is no day, month or year; write 2021-12-02, 2021-12 or 2021")
        fields[column] = cells[column]
    paper = paper_facts("", clean_url(cells["paper_url"]))
    return fields | {"paper_id": papers.get(paper.identity) if paper else None}


def _read_system_name(row: Record) -> dict[str, str]:
    cells = {column: clean_name(row.cells[column], max_length=300) for column in ("system", "name", "source", "team")}
    for column in ("system", "name", "source"):
        if not cells[column]:
            raise Refused("blank", f"has nothing in the column {column}")
    for column in ("system", "team", "name"):
        if len(comparison_key(cells[column])) > MAX_KEY_LENGTH:
            raise Refused("too_long", f"has a {column} that is too long once written in plain characters")
    if is_no_name(cells["name"], cells["team"]):
        raise Refused("number", "gives a system a number for its name")
    if comparison_key(cells["system"]) == comparison_key(cells["name"]):
        raise Refused("same", "gives a system the name that it has")
    return cells


def _name_system(cells: dict[str, str]) -> Outcome:
    """Have the name that results call a system by lead to the name by which it is known."""
    team = cells["team"]
    as_called, as_known = (
        {"name_key": comparison_key(cells[column]), "team_key": comparison_key(team)} for column in ("system", "name")
    )
    called = System.objects.filter(**as_called).first()
    known = System.objects.filter(**as_known).first()
    if called is None:
        known = known or System.objects.create(name=cells["name"], team=team, **as_known)
        System.objects.create(name=cells["system"], team=team, merged_into=known.merged_into or known, **as_called)
        return Outcome.NEW
    was_merged = Entry.objects.filter(action=SYSTEM_MERGED, subject_type="system", subject_id=str(called.pk))
    if called.merged_into_id or (known and (known.merged_into_id or was_merged.exists())):
        return Outcome.UNCHANGED
    # Loading a file is no change by hand, which would have to be confirmed; the entry of the file says who loads it.
    if known:
        merge_systems(source=called, target=known, actor=None, reason=cells["source"])
    else:
        rename_system(system=called, name=cells["name"], team=team, actor=None, reason=cells["source"])
    return Outcome.SUPERSEDES
