"""Which leaderboards share topics or documents with one, and what the same systems score there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import F

from analysis.boards import LinkedBoard
from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.querysets import LeaderboardQuerySet
from registry.results.models import Result

#: The relations of a collection to the larger or older one whose scores its own are checked against. Translations and
#: parts of a collection are related too loosely to check a score.
KINDS: dict[str, Literal["fewer-documents", "new-version", "other-topics", "new-judgements"]] = {
    "hard_negatives": "fewer-documents",
    "version": "new-version",
    "other_split": "other-topics",
    "re_judged": "new-judgements",
}


@dataclass(frozen=True, slots=True)
class Linked:
    """Boards that share topics or documents, and the scores there by system, in their order; None without one."""

    boards: tuple[LinkedBoard, ...]
    scores: dict[int, tuple[float | None, ...]]


def linked_of(
    leaderboard: Leaderboard, links: Sequence[CollectionLink], systems: Iterable[int], moment: datetime | None = None
) -> Linked:
    """The boards under the same measure that ``links`` lead to, and what these systems score there now or then.

    The oldest result of a system stands for it, as in suites. In one query, and in none without links.
    """
    found = {_other(link, leaderboard): link for link in links if link.relation in KINDS}
    if not found:
        return Linked((), {})
    known = Result.objects.known_at(moment)
    results = known.filter(
        leaderboard__collection__in=found,
        leaderboard__measure=leaderboard.measure_id,
        system__in=list(systems),
        comparability=Result.Comparability.STANDARD,
        replicate_of=None,
    )
    by_collection: dict[int, dict[int, float]] = {}
    for collection, system, value in results.order_by("-pk").values_list(
        "leaderboard__collection_id", "system_id", "value"
    ):
        by_collection.setdefault(collection, {})[system] = value
    shown = [pk for pk in found if pk in by_collection]
    everybody = sorted({system for scores in by_collection.values() for system in scores})
    return Linked(
        tuple(_described(found[pk], leaderboard) for pk in shown),
        {system: tuple(by_collection[pk].get(system) for pk in shown) for system in everybody},
    )


def _other(link: CollectionLink, leaderboard: Leaderboard) -> int:
    return link.base_id if link.collection_id == leaderboard.collection_id else link.collection_id


def _described(link: CollectionLink, leaderboard: Leaderboard) -> LinkedBoard:
    is_base = link.base_id != leaderboard.collection_id
    here, there = (link.collection, link.base) if is_base else (link.base, link.collection)
    return LinkedBoard(
        collection=there.slug,
        name=there.name,
        kind=KINDS[link.relation],
        is_first=is_base,
        has_same_topics=here.n_topics is not None and here.n_topics == there.n_topics,
    )


def linked_with(leaderboards: Sequence[int]) -> LeaderboardQuerySet:
    """The leaderboards whose scores are checked against those of some of these."""
    checked = at_the_other_end(leaderboards, KINDS, here="collection", there="base")
    return checked | at_the_other_end(leaderboards, KINDS, here="base", there="collection")


def at_the_other_end(
    leaderboards: Sequence[int], relations: Iterable[str], *, here: str, there: str
) -> LeaderboardQuerySet:
    """The leaderboards with results to which links lead from some of these, under the same measures."""
    of_these = {f"{here}__leaderboards__in": leaderboards}
    alike = {f"{there}__leaderboards__measure": F(f"{here}__leaderboards__measure")}
    links = CollectionLink.objects.filter(relation__in=relations, **of_these, **alike)
    return Leaderboard.objects.filter(pk__in=links.values(f"{there}__leaderboards"), results_version__gt=0)
