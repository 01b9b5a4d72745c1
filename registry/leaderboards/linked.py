"""The leaderboards that share topics or documents with one, and what the same systems score there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from analysis.boards import LinkedBoard
from registry.catalog.models import CollectionLink, Leaderboard
from registry.catalog.relatives import CHECKS
from registry.results.models import Result


@dataclass(frozen=True, slots=True)
class Linked:
    """Boards that share topics or documents, and the scores there by system, in their order; None without one."""

    boards: tuple[LinkedBoard, ...]
    scores: dict[int, tuple[float | None, ...]]


def linked_of(
    leaderboard: Leaderboard, links: Sequence[CollectionLink], systems: Iterable[int], moment: datetime | None = None
) -> Linked:
    """Return the boards under the same measure that ``links`` lead to, and what these systems score there now or then.

    The oldest result of a system stands for it, as in suites. In two queries, and in none without links.
    """
    here = leaderboard.collection_id
    checks = [link for link in links if link.relation in CHECKS]
    link_to = {link.base_id if link.collection_id == here else link.collection_id: link for link in checks}
    if not link_to:
        return Linked((), {})
    boards = Leaderboard.objects.filter(collection__in=link_to, measure=leaderboard.measure_id)
    collections = dict(boards.values_list("pk", "collection"))
    results = Result.objects.known_at(moment).filter(
        leaderboard__in=list(collections),
        system__in=list(systems),
        comparability=Result.Comparability.STANDARD,
        replicate_of=None,
    )
    by_collection: dict[int, dict[int, float]] = {}
    for board, system, value in results.order_by("-pk").values_list("leaderboard", "system", "value"):
        by_collection.setdefault(collections[board], {})[system] = value
    shown = [pk for pk in link_to if pk in by_collection]
    everybody = sorted({system for scores in by_collection.values() for system in scores})
    return Linked(
        tuple(_described(link_to[pk], leaderboard) for pk in shown),
        {system: tuple(by_collection[pk].get(system) for pk in shown) for system in everybody},
    )


def _described(link: CollectionLink, leaderboard: Leaderboard) -> LinkedBoard:
    is_base = link.base_id != leaderboard.collection_id
    here, there = (link.collection, link.base) if is_base else (link.base, link.collection)
    return LinkedBoard(
        collection=there.slug,
        name=there.name,
        kind=CHECKS[link.relation],
        is_first=is_base,
        has_same_topics=here.n_topics is not None and here.n_topics == there.n_topics,
        is_judged_by_model=there.judge == there.Judge.MODEL,
    )
