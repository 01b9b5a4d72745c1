"""Freezing what systems score on the members of suites, once a day and when a load is analysed."""

import hashlib
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.models import Leaderboard
from registry.catalog.services import mark_leaderboards_changed
from registry.core.services import enqueue_jobs
from registry.curation.suites.models import ElsewhereTable, Suite
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
from registry.journal.services import record
from registry.results.models import Result

FROZEN = "results.suite.frozen"
#: The job that takes what verdicts flag, when no analysis waits.
REFRESH = "suites.refresh_elsewhere_when_idle"

#: What verdicts in force flag on these leaderboards, whatever systems score elsewhere: results with codes of cautions.
FindFlags = Callable[[Iterable[int]], Iterable[tuple[int, str]]]

_FINDERS: list[FindFlags] = []


def register_flags(find: FindFlags) -> None:
    """Have the flags that ``find`` finds be frozen with the scores; the app that keeps verdicts says where to look."""
    _FINDERS.append(find)


def refresh_elsewhere(*, actor: User | None = None, reason: str = "") -> int:
    """How many suites got a new table, because scores on their members changed since the last one.

    Only leaderboards for whose systems something changed on *other* members are analysed again.
    """
    suites = Suite.objects.filter(is_screen=True)
    return sum(_refresh(suite, actor, reason) for suite in suites)


def refresh_after_load(*, actor: User | None = None, reason: str = "") -> None:
    """The same at the end of a load, and once more when what was loaded is analysed: verdicts flag nothing before."""
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
    """What the verdicts in force flag on the members, by system."""
    listed = Leaderboard.objects.filter(collection__slug__in={one.collection for one in scores.datasets})
    named = {pk: Dataset(*names) for pk, *names in listed.values_list("pk", "collection__slug", "measure__name")}
    boards = {pk: dataset for pk, dataset in named.items() if dataset in scores.datasets}
    codes = dict(flag for find in _FINDERS for flag in find(boards))
    found: dict[int, list[Flagged]] = {}
    columns = ("pk", "system", "leaderboard", "value")
    for pk, system, board, value in Result.objects.filter(pk__in=codes).order_by("pk").values_list(*columns):
        found.setdefault(system, []).append(Flagged(boards[board], value, codes[pk]))
    return {system: tuple(some) for system, some in sorted(found.items())}


def _changed_boards(suite: Suite, before: SystemScores, after: SystemScores) -> list[int]:
    """The leaderboards of the suite of which a system's scores on other members are not what they were."""
    members = list(suite.members.select_related("collection", "measure", "part_of__collection", "part_of__measure"))
    moved = _moved_systems(before, after)
    standing = Result.objects.standing().filter(system__in=moved)
    changed = []
    for member in members:
        own = {own_dataset(member)}
        boards = Leaderboard.objects.filter(collection=member.collection_id, measure=member.measure_id)
        here = set(standing.filter(leaderboard__in=boards).values_list("system", flat=True))
        if any(moved[system] - own for system in here):
            changed += list(boards.values_list("pk", flat=True))
    return changed


def _moved_systems(before: SystemScores, after: SystemScores) -> dict[int, set[Dataset]]:
    """The systems whose scores changed, or were flagged or no longer are, with the datasets on which they did."""
    moved: dict[int, set[Dataset]] = {}
    flags_then, flags_now = find_flags(before), find_flags(after)
    for system in before.scores.keys() | after.scores.keys():
        then, now = (
            {
                dataset: score
                for dataset, score in zip(table.datasets, table.scores.get(system, ()), strict=False)
                if score is not None
            }
            for table in (before, after)
        )
        places = {place for place in then.keys() | now.keys() if then.get(place) != now.get(place)}
        flagged_then, flagged_now = (
            {one.dataset for one in flags.get(system, ())} for flags in (flags_then, flags_now)
        )
        places |= flagged_then ^ flagged_now
        if places:
            moved[system] = places
    return moved
