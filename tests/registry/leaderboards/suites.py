"""Suites with systems on their members, for tests of their analysis."""

from collections.abc import Sequence

import numpy as np
from django.utils import timezone

from registry.catalog.models import Collection, Leaderboard
from registry.curation.lineage.models import TrainingDeclaration
from registry.leaderboards.models import SuiteAnalysis
from registry.leaderboards.queries.suites import SuiteBoard, find_suite_board
from registry.leaderboards.services import save_suite_finding
from registry.leaderboards.studies import analyse_suite
from registry.results.models import System
from tests.registry.curation.suites.world import make_boards, make_scores, make_suite
from tests.registry.factory import make_entry, make_system, make_variance
from tests.registry.leaderboards.boards import analyse


def make_members(n: int = 9, n_systems: int = 10, *, step: float = 0.03) -> list[Leaderboard]:
    """Make the members of a suite "beir" with systems of different teams on all of them, the first the best by a step,
    so the second, and so on."""
    boards = make_boards(*(f"member-{place}" for place in range(n)))
    for board in boards:
        make_variance(board.measure, 0.02, board.collection, n_systems=11, n_topics=2)
    make_suite("beir", boards)
    rng, entry = np.random.default_rng(4), make_entry()
    for number in range(n_systems):
        scores = [f"{score:.4f}" for score in 0.6 - step * number + rng.normal(0.0, 0.02, n)]
        make_scores(boards, *scores, system=make_system(f"s{number}", team=f"t{number}"), recorded_by=entry)
    return boards


def analyse_all(boards: Sequence[Leaderboard], slug: str = "beir") -> SuiteAnalysis:
    """Return the analysis of the suite, made here and now after those of its members."""
    for board in boards:
        analyse(board)
    analysis = save_suite_finding(analyse_suite(slug, boards[0].measure.name))
    assert analysis is not None
    return analysis


def declare(of: System, collection: Collection, declared: str = "yes") -> None:
    """Say that a system was trained on data of the collection, or that it was not."""
    TrainingDeclaration.objects.create(
        system=of, collection=collection, declared=declared, source="model card", recorded_at=timezone.now()
    )


def suite_board(slug: str = "beir") -> SuiteBoard:
    board = find_suite_board(slug, "nDCG@10")
    assert board is not None
    return board


def system(name: str) -> System:
    return System.objects.get(name=name)
