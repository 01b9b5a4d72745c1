"""Loading suites and their members, and freezing the scores of systems on them, once a day and after a load."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from analysis.readers.rejections import Rejection
from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.catalog.queries import CatalogNames
from registry.catalog.services import mark_leaderboards_changed
from registry.core.listing import grouped
from registry.core.loading import LoadReport, Progress, good_rows, silent
from registry.core.services import enqueue_jobs
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember
from registry.curation.suites.pipeline import (
    MAY_LACK,
    MEMBER_COLUMNS,
    MEMBERS_FILE,
    SUITE_COLUMNS,
    SUITES_FILE,
    MemberRow,
    SuiteOfFile,
    parse_member,
    parse_suite,
)
from registry.curation.suites.queries import (
    Dataset,
    Flagged,
    SystemScores,
    find_flags,
    own_dataset,
    pack,
    read_scores,
    unpack,
)
from registry.journal.queries import is_to_load
from registry.journal.services import record, record_file
from registry.results.models import Result

SUITES_LOADED = "catalog.suites.loaded"
#: The columns of ``MemberRow.fields``.
_KEPT = ("collection_id", "measure_id", "part_of__collection_id", "has_training_part", "task")


def load_shipped_suites(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load a folder's ``suites.csv`` and ``suite_members.csv``, unless both are as they were before."""
    paths = [directory / SUITES_FILE, directory / MEMBERS_FILE]
    if all(path.exists() for path in paths) and any(is_to_load(path, SUITES_LOADED) for path in paths):
        progress(f"reading {SUITES_FILE}", 0)
        yield from load_suites(directory=directory, actor=actor, reason=reason)


def load_suites(*, directory: Path, actor: User | None = None, reason: str = "") -> list[LoadReport]:
    """Record the suites of two files in a folder, both or neither; suites that they leave out stay as they are."""
    of_suites, of_members = reports = [
        LoadReport(file, path=str(directory / file), superseded_word="changed") for file in (SUITES_FILE, MEMBERS_FILE)
    ]
    names = CatalogNames()
    suites = good_rows(of_suites, parse_suite, required=SUITE_COLUMNS, keys=lambda row: [row.slug])
    parse = partial(parse_member, names=names)
    members = good_rows(of_members, parse, required=MEMBER_COLUMNS, optional=MAY_LACK, keys=lambda row: [row.key])
    _refuse_strange(suites, members, of_members)
    if any(report.refused for report in reports):
        return reports
    with transaction.atomic():
        _save(suites, members, of_suites, of_members)
        for report in reports:
            record_file(report, action=SUITES_LOADED, actor=actor, reason=reason)
    return reports


def _refuse_strange(suites: list[SuiteOfFile], members: list[MemberRow], report: LoadReport) -> None:
    """Refuse members of no suite of the file, and parts of a collection that is no member."""
    known = {row.slug for row in suites}
    places = {row.key for row in members if row.part_of is None}
    for row in members:
        if row.suite not in known:
            report.refuse([Rejection("unknown_suite", f"there is no suite {row.suite!r} here", row.line, "suite")])
        elif row.part_of is not None and (row.suite, row.part_of, row.measure_id) not in places:
            report.refuse([Rejection("part_of", "is no member of this suite under this measure", row.line, "part_of")])


def _save(suites: list[SuiteOfFile], members: list[MemberRow], of_suites: LoadReport, of_members: LoadReport) -> None:
    wanted = grouped(members, lambda member: member.suite)
    for position, row in enumerate(suites):
        fields = row.fields | {"position": position}
        suite, is_new = Suite.objects.get_or_create(slug=row.slug, defaults=fields)
        differs = any(getattr(suite, name) != value for name, value in fields.items())
        before, now = list(suite.members.values_list(*_KEPT)), [member.fields for member in wanted[row.slug]]
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
    saved: dict[tuple[int, int], SuiteMember] = {}
    for position, row in sorted(enumerate(rows), key=lambda placed: placed[1].part_of is not None):
        saved[row.collection_id, row.measure_id] = SuiteMember.objects.create(
            suite=suite,
            collection_id=row.collection_id,
            measure_id=row.measure_id,
            position=position,
            part_of=saved[row.part_of, row.measure_id] if row.part_of is not None else None,
            has_training_part=row.has_training_part,
            task=row.task,
        )


def _mark(places: set[tuple[int, int]]) -> None:
    boards = Leaderboard.objects.filter(collection__in={collection for collection, _ in places}, results_version__gt=0)
    boards_there = boards.values_list("pk", "collection_id", "measure_id")
    mark_leaderboards_changed(leaderboard_ids=[pk for pk, *place in boards_there if tuple(place) in places])


FROZEN = "results.suite.frozen"
#: The job that freezes the flags of verdicts once no analysis waits.
REFRESH = "suites.refresh_elsewhere_when_idle"

#: Finds what verdicts in force flag on these leaderboards, whatever systems score elsewhere: results with codes.
FindFlags = Callable[[Iterable[int]], Iterable[tuple[int, str]]]

_FINDERS: list[FindFlags] = []


def register_flags(find: FindFlags) -> None:
    """Have the flags that ``find`` finds frozen with the scores; the app that keeps verdicts registers it."""
    _FINDERS.append(find)


def refresh_elsewhere(*, actor: User | None = None, reason: str = "") -> int:
    """Make a new table for each suite whose scores changed since the last one; return how many there were.

    Only leaderboards with systems for which something changed on *other* members are analysed again.
    """
    return sum(_refresh(suite, actor, reason) for suite in Suite.objects.filter(is_screen=True))


def refresh_after_load(*, actor: User | None = None, reason: str = "") -> None:
    """Refresh at the end of a load, and once more when what was loaded is analysed: verdicts flag nothing before."""
    refresh_elsewhere(actor=actor, reason=reason)
    enqueue_jobs(kind=REFRESH, args=[{"reason": "verdicts on what was loaded"}])


@transaction.atomic
def _refresh(suite: Suite, actor: User | None, reason: str) -> bool:
    scores = read_scores(suite)
    scores = replace(scores, flags=_flags_on(scores))
    content = pack(scores)
    digest = hashlib.sha256(content).hexdigest()
    before = ElsewhereTable.objects.filter(suite=suite).order_by("-pk").first()
    if before is not None and before.sha256 == digest:
        return False
    table = ElsewhereTable.objects.create(
        suite=suite, as_of=timezone.now().date(), content=zlib.compress(content, 6), sha256=digest
    )
    earlier = unpack(bytes(before.content)) if before else SystemScores((), {})
    changed = _changed_boards(suite, earlier, scores)
    after = {"sha256": digest, "as_of": table.as_of.isoformat(), "systems": len(scores.scores)}
    record(action=FROZEN, subject=("suite", suite.slug), actor=actor, reason=reason, after=after)
    mark_leaderboards_changed(leaderboard_ids=changed)
    return True


def _flags_on(scores: SystemScores) -> dict[int, tuple[Flagged, ...]]:
    """Return the flags of the verdicts in force on the members, by system."""
    listed = Leaderboard.objects.filter(collection__slug__in={dataset.collection for dataset in scores.datasets})
    named = {pk: Dataset(*names) for pk, *names in listed.values_list("pk", "collection__slug", "measure__name")}
    boards = {pk: dataset for pk, dataset in named.items() if dataset in scores.datasets}
    codes = dict(flag for find in _FINDERS for flag in find(boards))
    flags: dict[int, list[Flagged]] = {}
    columns = ("pk", "system", "leaderboard", "value")
    for pk, system, board, value in Result.objects.filter(pk__in=codes).order_by("pk").values_list(*columns):
        flags.setdefault(system, []).append(Flagged(boards[board], value, codes[pk]))
    return {system: tuple(of_system) for system, of_system in sorted(flags.items())}


def _changed_boards(suite: Suite, before: SystemScores, after: SystemScores) -> list[int]:
    """Return the leaderboards of the suite that have a system whose scores on other members changed."""
    members = list(suite.members.select_related("collection", "measure", "part_of__collection", "part_of__measure"))
    moved = _moved_systems(before, after)
    standing = Result.objects.standing().filter(system__in=moved)
    changed = []
    for member in members:
        boards = Leaderboard.objects.filter(collection=member.collection_id, measure=member.measure_id)
        here = set(standing.filter(leaderboard__in=boards).values_list("system", flat=True))
        if any(moved[system] - {own_dataset(member)} for system in here):
            changed += list(boards.values_list("pk", flat=True))
    return changed


def _moved_systems(before: SystemScores, after: SystemScores) -> dict[int, set[Dataset]]:
    """Return the systems whose scores or flags changed, with the datasets on which they did."""
    moved: dict[int, set[Dataset]] = {}
    flags_then, flags_now = find_flags(before), find_flags(after)
    for system in before.scores.keys() | after.scores.keys():
        then, now = (dict(zip(table.datasets, table.scores.get(system, ()), strict=False)) for table in (before, after))
        places = {place for place in then | now if then.get(place) != now.get(place)}
        flagged_then, flagged_now = (
            {flag.dataset for flag in flags.get(system, ())} for flags in (flags_then, flags_now)
        )
        places |= flagged_then ^ flagged_now
        if places:
            moved[system] = places
    return moved
