"""The suite that a leaderboard is of, and the scores of its systems on the other members; in bulk."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from analysis.boards import screen_elsewhere
from registry.catalog.models import Leaderboard
from registry.curation.lineage.queries import HasLineage
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember
from registry.results.models import Result


class Dataset(NamedTuple):
    """A member of a suite: a collection under a measure."""

    collection: str
    measure: str

    def __str__(self) -> str:
        return f"{self.collection}, {self.measure}"


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of systems on the members of a suite, in their order; None where a system has none.

    ``flags`` are the scores that the verdicts in force flagged on the day, whatever their systems score elsewhere.
    """

    datasets: tuple[Dataset, ...]
    scores: dict[int, tuple[float | None, ...]]
    flags: dict[int, tuple["Flagged", ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoresElsewhere:
    """The scores of a leaderboard's systems on the other members of its suite, from a table frozen on a day.

    ``scores`` are by result, in the order of ``datasets``; results without any are left out. ``flags``, by result too,
    are the flagged ones among them: first those far above what the others predict, the farthest first.
    """

    name: str
    as_of: date
    datasets: tuple[Dataset, ...]
    scores: dict[int, tuple[float | None, ...]]
    flags: dict[int, tuple["Flagged", ...]]


@dataclass(frozen=True, slots=True)
class Flagged:
    """A score of a system on a member of a suite that is flagged there, under the code of a caution; with z and what
    its scores on the other members predict where it lies far above that."""

    dataset: Dataset
    score: float
    code: str = "outlier-elsewhere"
    z: float | None = None
    predicted: float | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """The part of a leaderboard in the suites that it belongs to: none, in most cases."""

    is_zero_shot: bool = False
    screen: SuiteMember | None = None


def membership_in_suites(leaderboard: Leaderboard) -> Membership:
    """Return whether training on the leaderboard's collection is to be remarked on, and the member that screens it.

    A suite of which it is a member itself screens it before a suite in which it is part of a member.
    """
    members = SuiteMember.objects.filter(collection=leaderboard.collection_id, measure=leaderboard.measure_id)
    named = ("collection__slug", "measure__name", "part_of__collection__slug", "part_of__measure__name")
    members = members.select_related("suite", *(name.rpartition("__")[0] for name in named))
    listed = list(members.only("suite", "has_training_part", *named).order_by("suite__position"))
    return Membership(
        is_zero_shot=any(member.suite.is_zero_shot for member in listed)
        and not any(member.has_training_part for member in listed),
        screen=min(
            (member for member in listed if member.suite.is_screen),
            key=lambda member: member.part_of is not None,
            default=None,
        ),
    )


def elsewhere_of(
    rows: Iterable[HasLineage], membership: Membership, *, moment: datetime | None = None
) -> ScoresElsewhere | None:
    """Return the scores of these results' systems on the other members of the suite that screens their leaderboard.

    They come from the table of today or of an earlier moment, in one query; None without a suite, or before its first
    table.
    """
    if membership.screen is None:
        return None
    tables = ElsewhereTable.objects.filter(suite=membership.screen.suite)
    if moment is not None:
        tables = tables.filter(created_at__lte=moment)
    table = tables.order_by("-pk").first()
    if table is None:
        return None
    own = own_dataset(membership.screen)
    frozen = unpack(bytes(table.content))
    others = [place for place, dataset in enumerate(frozen.datasets) if dataset != own]
    scores, flags = {}, {}
    nothing = (None,) * len(frozen.datasets)
    known_flags = _flags_of(bytes(table.content))
    for row in rows:
        known = frozen.scores.get(row.system_id, nothing)
        elsewhere = tuple(known[place] for place in others)
        if any(score is not None for score in elsewhere):
            scores[row.id] = elsewhere
        if flags_elsewhere := tuple(flag for flag in known_flags.get(row.system_id, ()) if flag.dataset != own):
            flags[row.id] = flags_elsewhere
    return ScoresElsewhere(
        name=membership.screen.suite.name,
        as_of=table.as_of,
        datasets=tuple(frozen.datasets[place] for place in others),
        scores=scores,
        flags=flags,
    )


@lru_cache(maxsize=4)
def _flags_of(content: bytes) -> dict[int, tuple[Flagged, ...]]:
    """Return the flags in a table; they are found once for all of its leaderboards."""
    return find_flags(unpack(content))


def find_flags(table: SystemScores) -> dict[int, tuple[Flagged, ...]]:
    """Return the flagged scores on any member, by system: those far above what the system's other scores predict, the
    farthest first, then the other flags of the table."""
    flags: dict[int, list[Flagged]] = {}
    scores = np.array(
        [[np.nan if score is None else score for score in row] for row in table.scores.values()], dtype=np.float64
    ).reshape(len(table.scores), len(table.datasets))
    is_share = ((scores >= 0.0) & (scores <= 1.0) | np.isnan(scores)).all(axis=0)
    systems = np.array(list(table.scores))
    for place in np.flatnonzero(is_share):
        here = ~np.isnan(scores[:, place])
        if not here.any():
            continue
        others = scores[here][:, is_share & (np.arange(is_share.size) != place)]
        screens = screen_elsewhere(scores[here, place], others)
        for system, own, screen in zip(systems[here], scores[here, place], screens, strict=True):
            if screen is not None and screen.is_flag:
                outlier = Flagged(table.datasets[place], float(own), z=screen.z, predicted=screen.predicted)
                flags.setdefault(int(system), []).append(outlier)
    for of_system in flags.values():
        of_system.sort(key=lambda flag: -(flag.z or 0.0))
    for system, table_flags in table.flags.items():
        flags.setdefault(system, []).extend(table_flags)
    return {system: tuple(of_system) for system, of_system in flags.items()}


def own_dataset(member: SuiteMember) -> Dataset:
    """Return the column of the leaderboard itself, or of the whole where it is part of a member."""
    whole = member.part_of or member
    return Dataset(whole.collection.slug, whole.measure.name)


def read_scores(suite: Suite) -> SystemScores:
    """Return the scores that stand on the members of a suite, in the standard setting, one a system and member.

    Reference implementations are left out: their systems have original scores already.
    """
    members = list(suite.members.filter(part_of=None).select_related("collection", "measure"))
    places = {(member.collection_id, member.measure_id): place for place, member in enumerate(members)}
    counted = Result.objects.standing().counted()
    results = counted.filter(
        leaderboard__collection__in=[member.collection_id for member in members],
        leaderboard__measure__in={member.measure_id for member in members},
    )
    scores: dict[int, list[float | None]] = {}
    columns = ("system_id", "leaderboard__collection_id", "leaderboard__measure_id", "value")
    # The oldest result of a system stands for it.
    for system, collection, measure, value in results.order_by("-pk").values_list(*columns):
        place = places.get((collection, measure))
        if place is not None:
            scores.setdefault(system, [None] * len(members))[place] = value
    datasets = tuple(Dataset(member.collection.slug, member.measure.name) for member in members)
    return SystemScores(datasets, {system: tuple(of_system) for system, of_system in sorted(scores.items())})


def pack(scores: SystemScores) -> bytes:
    """Return the scores as canonical JSON, of which digests are taken."""
    content: dict[str, Any] = {
        "datasets": scores.datasets,
        "systems": {str(system): list(of_system) for system, of_system in scores.scores.items()},
    }
    if scores.flags:
        content["flags"] = {
            str(system): [[*flag.dataset, flag.score, flag.code] for flag in flags]
            for system, flags in scores.flags.items()
        }
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def unpack(content: bytes) -> SystemScores:
    """Return the scores that a table holds."""
    read: dict[str, Any] = json.loads(zlib.decompress(content))
    return SystemScores(
        tuple(Dataset(*names) for names in read["datasets"]),
        {int(system): tuple(of_system) for system, of_system in read["systems"].items()},
        {
            int(system): tuple(Flagged(Dataset(collection, measure), *rest) for collection, measure, *rest in flags)
            for system, flags in read.get("flags", {}).items()
        },
    )
