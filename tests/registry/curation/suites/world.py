"""A suite of four collections, with systems on them."""

from collections.abc import Sequence
from typing import Any

from registry.catalog.models import Leaderboard, Measure
from registry.curation.suites.models import Suite, SuiteMember
from registry.leaderboards.queries.boards import read_board
from registry.results.models import Result, System
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_system


def make_suite(
    slug: str, boards: Sequence[Leaderboard], *, position: int = 0, trained: Sequence[Leaderboard] = (), **fields: Any
) -> Suite:
    """Make a zero-shot suite whose members are these leaderboards, some of them with topics to train on."""
    defaults = {"name": slug.upper(), "is_zero_shot": True, "is_average": True, "is_screen": True, "source": "test"}
    suite = Suite.objects.create(slug=slug, position=position, **(defaults | fields))
    for place, board in enumerate(boards):
        add_member(suite, board, place, has_training_part=board in trained)
    return suite


def add_member(suite: Suite, board: Leaderboard, position: int, **fields: Any) -> SuiteMember:
    return SuiteMember.objects.create(
        suite=suite, collection=board.collection, measure=board.measure, position=position, **fields
    )


def make_boards(*slugs: str, measure: Measure | None = None) -> list[Leaderboard]:
    measure = measure or make_measure("nDCG@10")
    return [make_leaderboard(make_collection(slug), measure, results_version=1) for slug in slugs]


def make_scores(
    boards: Sequence[Leaderboard], *scores: str | None, system: System | None = None, **fields: Any
) -> System:
    """Make a system with these scores on these leaderboards."""
    system = system or make_system()
    for board, printed in zip(boards, scores, strict=True):
        if printed is not None:
            make_result(board, system, printed, **({"role": Result.Role.LEADERBOARD} | fields))
    return system


def rows_of(board: Leaderboard) -> tuple[Any, ...]:
    return tuple(read_board(board.pk).facts.values())
