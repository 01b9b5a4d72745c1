"""A small registry with one leaderboard of each kind, for tests that visit everything."""

import numpy as np

from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import VALUES, analyse, analyse_again, make_board, make_run, mark_changed

N_TOPICS = 20


def make_boards_of_every_kind() -> list[Leaderboard]:
    """Make leaderboards with every kind of analysis and without; results that ended; papers, replicates, aliases."""
    borrowed = make_varied_board()
    withdraw_result(result=make_run(borrowed, "0.45"), actor=None, reason="not what the paper says")
    superseded = make_run(borrowed, "0.21", system=make_system("corrected"))
    supersede_result(result=superseded, changes={"printed": "0.23"}, actor=None, reason="erratum")
    unknown_variance = make_board(residual_variance=None)
    nothing_comparable = make_board(VALUES[:3], comparability=Result.Comparability.DOUBTFUL)
    lower_is_better, stale = make_board(), make_board()
    type(lower_is_better.measure).objects.filter(pk=lower_is_better.measure_id).update(higher_is_better=False)
    analysed = [borrowed, unknown_variance, nothing_comparable, lower_is_better, stale]
    for board in analysed:
        analyse(board)
    mark_changed(stale)
    return [*analysed, make_board_by_topic(), make_board_by_topic(extra=("0.9", "0.1")), make_board()]


def make_varied_board() -> Leaderboard:
    """Make a leaderboard with aliases, papers, all roles, a replicate, a departure from the setting."""
    board = make_board()
    board.collection.aliases.create(alias="An/Alias")
    board.measure.aliases.create(alias="an_alias")
    first = make_run(board, "0.28", system=make_system("=first", team="a team"), year=2001)
    make_run(board, "0.281", replicate_of=first)
    paper = make_paper("Doe (2001)", title="A title", authors="J. Doe", year=2001)
    make_result(board, printed="0.27", paper=paper, role=Result.Role.PROPOSED, run_type="automatic", year=2001)
    make_result(board, printed="0.26", paper=paper, role=Result.Role.BASELINE, run_type="manual", locator="Table 1")
    make_result(board, printed="0.33", role=Result.Role.REFERENCE_IMPLEMENTATION)
    make_run(board, "0.5", comparability=Result.Comparability.TOPIC_SUBSET, n_topics_here=10)
    mark_changed(board)
    return board


def make_board_by_topic(extra: tuple[str, ...] = ()) -> Leaderboard:
    """Make a leaderboard of six runs with scores by topic, and ``extra`` ones without."""
    collection = make_collection(n_topics=N_TOPICS)
    make_topics(collection, [f"t{number}" for number in range(N_TOPICS)])
    board = make_leaderboard(collection, make_measure())
    rng = np.random.default_rng(7)
    easiness = rng.uniform(0.2, 0.6, N_TOPICS)
    for quality in (0.0, 0.01, 0.05, 0.1, 0.2, 0.3):
        scores = np.clip(easiness + quality + rng.normal(0, 0.08, N_TOPICS), 0, 1).round(4)
        provenance = Result.Provenance.TOPIC_SCORES
        make_topic_scores(make_run(board, f"{scores.mean():.4f}", provenance=provenance), scores.tolist())
    for value in extra:
        make_run(board, value)
    analyse_again(board)
    return board
