"""Loading what systems are called: the name by which a system is known, for one that its source calls otherwise."""

from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, comparison_key
from registry.accounts.models import User
from registry.core.loading import LoadReport, good_rows
from registry.journal.services import record_file
from registry.results.models import System
from registry.results.pipeline.rows import MAX_KEY_LENGTH, is_no_name
from registry.results.services.merging import rename_system

SYSTEM_NAMES_LOADED = "results.system_names.loaded"

_REQUIRED = ("system", "name", "source")
_OPTIONAL = ("team",)


@dataclass(frozen=True, slots=True)
class _Row:
    """A system as results call it, and the name by which it is known."""

    system: str
    team: str
    name: str
    source: str

    def keys(self, name: str) -> dict[str, str]:
        """One of the two names as names are compared."""
        return {"name_key": comparison_key(name), "team_key": comparison_key(self.team)}


def load_system_names_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let systems go by the names of this file, all or nothing; what their results call them leads there.

    Results that are on record already move to the new name, as when an editor renames their system. What was merged or
    renamed before stays as it is.
    """
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = good_rows(
        report,
        _read,
        required=_REQUIRED,
        optional=_OPTIONAL,
        keys=lambda row: [tuple(row.keys(row.system).values())],
        again="names the system of line {first} again; leave one out",
    )
    if report.refused:
        return report
    with transaction.atomic():
        for row in rows:
            _name(row, report)
        record_file(report, action=SYSTEM_NAMES_LOADED, actor=actor, reason=reason)
    return report


def _name(row: _Row, report: LoadReport) -> None:
    called = System.objects.filter(**row.keys(row.system)).first()
    known = System.objects.filter(**row.keys(row.name)).first()
    if called is None:
        known = known or System.objects.create(name=row.name, team=row.team, **row.keys(row.name))
        target = known.merged_into or known
        System.objects.create(name=row.system, team=row.team, merged_into=target, **row.keys(row.system))
        report.added += 1
    elif called.merged_into_id is not None or known is not None:
        report.unchanged += 1
    else:
        # Whoever loads a file is not one who changes much by hand: the entry of the file says who it was.
        rename_system(system=called, name=row.name, team=row.team, actor=None, reason=row.source)
        report.superseded += 1


def _read(record: Record) -> _Row:
    found = {column: clean_name(record.cells[column], max_length=300) for column in (*_REQUIRED, *_OPTIONAL)}
    for column in _REQUIRED:
        if not found[column]:
            raise Refused("blank", f"has nothing in the column {column}")
    for column in ("system", "team", "name"):
        if len(comparison_key(found[column])) > MAX_KEY_LENGTH:
            raise Refused("too_long", f"has a {column} that is too long once written in plain characters")
    if is_no_name(found["name"], found["team"]):
        raise Refused("number", "gives a system a number for its name")
    if comparison_key(found["system"]) == comparison_key(found["name"]):
        raise Refused("same", "gives a system the name that it has")
    return _Row(**found)
