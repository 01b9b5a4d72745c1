"""Which suite a leaderboard is of, and what its results' systems score on the other members; in bulk."""

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

    ``flags`` are those of them that the verdicts in force flagged on the day, whatever their systems score elsewhere.
    """

    datasets: tuple[Dataset, ...]
    scores: dict[int, tuple[float | None, ...]]
    flags: dict[int, tuple["Flagged", ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoresElsewhere:
    """What the systems of a leaderboard score on the other members of its suite, from a table frozen on a day.

    ``scores`` are by result, in the order of ``datasets``; results without any are left out. ``flags``, by result too,
    are those of these scores that are flagged: first what lies far above what the others predict, the farthest first.
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
    """What a leaderboard is in the suites that it belongs to: nothing, in most cases."""

    is_zero_shot: bool = False
    screen: SuiteMember | None = None


def membership_in_suites(leaderboard: Leaderboard) -> Membership:
    """Return whether training on the leaderboard's collection is to be remarked on, and which suite's scores screen it.

    One of which it is a member itself screens it before one of which it is part of a member.
    """
    members = SuiteMember.objects.filter(collection=leaderboard.collection_id, measure=leaderboard.measure_id)
    named = ("collection__slug", "measure__name", "part_of__collection__slug", "part_of__measure__name")
    members = members.select_related("suite", *(name.rpartition("__")[0] for name in named))
    found = list(members.only("suite", "has_training_part", *named).order_by("suite__position"))
    return Membership(
        is_zero_shot=any(one.suite.is_zero_shot for one in found) and not any(one.has_training_part for one in found),
        screen=min(
            (one for one in found if one.suite.is_screen), key=lambda one: one.part_of is not None, default=None
        ),
    )


def elsewhere_of(
    rows: Iterable[HasLineage], membership: Membership, *, moment: datetime | None = None
) -> ScoresElsewhere | None:
    """Return what the systems of these results score on the other members of the suite that screens their leaderboard.

    As of the table of today, or of an earlier moment, in one query; None without a suite, or before its first table.
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
    found = unpack(bytes(table.content))
    others = [place for place, dataset in enumerate(found.datasets) if dataset != own]
    scores, flags = {}, {}
    nothing = (None,) * len(found.datasets)
    known_flags = _flags_of(bytes(table.content))
    for row in rows:
        known = found.scores.get(row.system_id, nothing)
        elsewhere = tuple(known[place] for place in others)
        if any(score is not None for score in elsewhere):
            scores[row.id] = elsewhere
        if there := tuple(one for one in known_flags.get(row.system_id, ()) if one.dataset != own):
            flags[row.id] = there
    return ScoresElsewhere(
        name=membership.screen.suite.name,
        as_of=table.as_of,
        datasets=tuple(found.datasets[place] for place in others),
        scores=scores,
        flags=flags,
    )


@lru_cache(maxsize=4)
def _flags_of(content: bytes) -> dict[int, tuple[Flagged, ...]]:
    """Those in a table, which are found once for all of its boards."""
    return find_flags(unpack(content))


def find_flags(table: SystemScores) -> dict[int, tuple[Flagged, ...]]:
    """The scores on any member that are flagged, by system: far above what the same system's others predict, then the
    other flags of the table."""
    found: dict[int, list[Flagged]] = {}
    scores = np.array(
        [[np.nan if one is None else one for one in row] for row in table.scores.values()], dtype=np.float64
    ).reshape(len(table.scores), len(table.datasets))
    is_share = ((scores >= 0.0) & (scores <= 1.0) | np.isnan(scores)).all(axis=0)
    systems = np.array(list(table.scores))
    for place in np.flatnonzero(is_share):
        here = ~np.isnan(scores[:, place])
        if not here.any():
            continue
        others = scores[here][:, is_share & (np.arange(is_share.size) != place)]
        screens = screen_elsewhere(scores[here, place], others)
        for system, own, one in zip(systems[here], scores[here, place], screens, strict=True):
            if one is not None and one.is_flag:
                outlier = Flagged(table.datasets[place], float(own), z=one.z, predicted=one.predicted)
                found.setdefault(int(system), []).append(outlier)
    for some in found.values():
        some.sort(key=lambda one: -(one.z or 0.0))
    for system, told in table.flags.items():
        found.setdefault(system, []).extend(told)
    return {system: tuple(some) for system, some in found.items()}


def own_dataset(member: SuiteMember) -> Dataset:
    """The column of the leaderboard itself: of the whole, where it is a part of a member."""
    whole = member.part_of or member
    return Dataset(whole.collection.slug, whole.measure.name)


def read_scores(suite: Suite) -> SystemScores:
    """Return what stands now on the members of a suite, in the standard setting, each system once.

    Reference implementations are left out: they are runs of known systems, which have their scores already.
    """
    members = list(suite.members.filter(part_of=None).select_related("collection", "measure"))
    places = {(one.collection_id, one.measure_id): place for place, one in enumerate(members)}
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
    return SystemScores(datasets, {system: tuple(found) for system, found in sorted(scores.items())})


def pack(scores: SystemScores) -> bytes:
    """The scores as canonical JSON, of which digests are taken."""
    content: dict[str, Any] = {
        "datasets": scores.datasets,
        "systems": {str(system): list(found) for system, found in scores.scores.items()},
    }
    if scores.flags:
        content["flags"] = {
            str(system): [[*flag.dataset, flag.score, flag.code] for flag in flags]
            for system, flags in scores.flags.items()
        }
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def unpack(content: bytes) -> SystemScores:
    """Return what a table holds."""
    read: dict[str, Any] = json.loads(zlib.decompress(content))
    return SystemScores(
        tuple(Dataset(*one) for one in read["datasets"]),
        {int(system): tuple(found) for system, found in read["systems"].items()},
        {
            int(system): tuple(Flagged(Dataset(collection, measure), *rest) for collection, measure, *rest in flags)
            for system, flags in read.get("flags", {}).items()
        },
    )
