"""Loading suites and their members from files."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from django.db import transaction

from analysis.readers.rejections import Rejection
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.catalog.queries import CatalogNames
from registry.catalog.services import mark_leaderboards_changed
from registry.core.loading import LoadReport, Progress, good_rows, silent
from registry.curation.suites.models import Suite, SuiteMember
from registry.curation.suites.pipeline import (
    MEMBER_COLUMNS,
    MEMBERS_FILE,
    SUITE_COLUMNS,
    SUITES_FILE,
    MemberRow,
    SuiteOfFile,
    parse_member,
    parse_suite,
)
from registry.journal.queries import is_to_load
from registry.journal.services import record_file

SUITES_LOADED = "catalog.suites.loaded"
#: What is kept of a member, as ``MemberRow.fields``.
_KEPT = ("collection_id", "measure_id", "part_of__collection_id", "has_training_part")


def load_shipped_suites(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load a folder's ``suites.csv`` and ``suite_members.csv``, unless both are as they were before."""
    paths = [directory / SUITES_FILE, directory / MEMBERS_FILE]
    if all(path.exists() for path in paths) and any(is_to_load(path, SUITES_LOADED) for path in paths):
        progress(f"reading {SUITES_FILE}", 0)
        yield from load_suites(directory=directory, actor=actor, reason=reason)


def load_suites(*, directory: Path, actor: User | None = None, reason: str = "") -> list[LoadReport]:
    """Bring suites up to two files of a folder, both or neither; suites that they leave out stay as they are."""
    of_suites, of_members = reports = [
        LoadReport(file, path=str(directory / file), superseded_word="changed") for file in (SUITES_FILE, MEMBERS_FILE)
    ]
    names = CatalogNames()
    suites = good_rows(of_suites, parse_suite, required=SUITE_COLUMNS, keys=lambda row: [row.slug])
    members = good_rows(
        of_members, partial(parse_member, names=names), required=MEMBER_COLUMNS, keys=lambda row: [row.key]
    )
    _refuse_strange(suites, members, of_members)
    if any(report.refused for report in reports):
        return reports
    with transaction.atomic():
        _save(suites, members, of_suites, of_members)
        for report in reports:
            record_file(report, action=SUITES_LOADED, actor=actor, reason=reason)
    return reports


def _refuse_strange(suites: list[SuiteOfFile], members: list[MemberRow], report: LoadReport) -> None:
    """Members of no suite of the file, and parts of what is no member."""
    known = {row.slug for row in suites}
    places = {row.key for row in members if row.part_of is None}
    for row in members:
        if row.suite not in known:
            report.refuse([Rejection("unknown_suite", f"there is no suite {row.suite!r} here", row.line, "suite")])
        elif row.part_of is not None and (row.suite, row.part_of, row.measure_id) not in places:
            message = "is no member of this suite under this measure"
            report.refuse([Rejection("part_of", message, row.line, "part_of")])


def _save(suites: list[SuiteOfFile], members: list[MemberRow], of_suites: LoadReport, of_members: LoadReport) -> None:
    wanted: dict[str, list[MemberRow]] = defaultdict(list)
    for member in members:
        wanted[member.suite].append(member)
    for position, row in enumerate(suites):
        fields = row.fields | {"position": position}
        suite, is_new = Suite.objects.get_or_create(slug=row.slug, defaults=fields)
        differs = any(getattr(suite, name) != value for name, value in fields.items())
        before, now = list(suite.members.values_list(*_KEPT)), [one.fields for one in wanted[row.slug]]
        if differs:
            Suite.objects.filter(pk=suite.pk).update(**fields)
        if before != now:
            _replace_members(suite, wanted[row.slug])
        _count(of_suites, n_before=int(not is_new), n_now=1, is_same=not (is_new or differs))
        _count(of_members, n_before=len(before), n_now=len(now), is_same=before == now)
        if is_new or differs or before != now:
            _mark({(collection, measure) for collection, measure, *_ in (*before, *now)})


def _count(report: LoadReport, *, n_before: int, n_now: int, is_same: bool) -> None:
    if is_same:
        report.unchanged += n_now
    else:
        report.superseded += min(n_before, n_now)
        report.added += max(0, n_now - n_before)


def _replace_members(suite: Suite, rows: list[MemberRow]) -> None:
    suite.members.all().delete()
    made: dict[tuple[int, int], SuiteMember] = {}
    for position, row in sorted(enumerate(rows), key=lambda one: one[1].part_of is not None):
        made[row.collection_id, row.measure_id] = SuiteMember.objects.create(
            suite=suite,
            collection_id=row.collection_id,
            measure_id=row.measure_id,
            position=position,
            part_of=made[row.part_of, row.measure_id] if row.part_of is not None else None,
            has_training_part=row.has_training_part,
        )


def _mark(places: set[tuple[int, int]]) -> None:
    boards = Leaderboard.objects.filter(collection__in={collection for collection, _ in places}, results_version__gt=0)
    found = boards.values_list("pk", "collection_id", "measure_id")
    mark_leaderboards_changed(leaderboard_ids=[pk for pk, *place in found if tuple(place) in places])
