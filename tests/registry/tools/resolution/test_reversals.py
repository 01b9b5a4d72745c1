"""How often a significant difference of its size was reversed on other topics, for one that is tested."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.comparisons import ttest_rel
from registry.catalog.models import Leaderboard
from registry.tools.resolution.queries import collections_with_scores, read_findings, read_sources
from registry.tools.resolution.reversals import read_reversals, reversals_of
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_topic_scores
from tests.registry.tools.resolution.test_collection_resolution import (
    make_scored_board,
    make_unnamed,
    scores_of,
    study,
)

pytestmark = pytest.mark.django_db


def found_of(board: Leaderboard):
    sources = read_sources(board.collection, board.measure)
    return {source.runs: read_findings(sources)[source.digest] for source in sources}


def test_they_are_those_of_the_study_where_both_designs_have_pairs():
    board = make_scored_board(scores_of())
    assert read_reversals(board) == ()
    study(board.collection)
    (findings,) = found_of(board).values()
    known = read_reversals(board)
    disjoint, replacement = (
        {one.low: one for one in design.significant_from if one.n_compared} for design in findings.designs
    )
    assert [one.disjoint.low for one in known] == sorted(disjoint.keys() & replacement.keys())
    for one in known:
        assert (one.disjoint, one.replacement) == (disjoint[one.disjoint.low], replacement[one.disjoint.low])
        # Three quarters of eight systems, on halves of twenty topics.
        assert (one.runs, one.n_systems, one.n_topics) == ("results on record", 6, 10)


def test_the_matrix_of_most_systems_says_so_and_a_grid_only_where_nothing_else_does():
    board = make_leaderboard(make_collection(n_topics=20))
    grid = make_unnamed(board.collection, board.measure, scores_of(30), "grid.csv")
    grid.runs = "configurations of toolkits"
    grid.save()
    study(board.collection)
    assert {one.runs for one in read_reversals(board)} == {"configurations of toolkits"}
    for n_systems, runs in ((8, "few runs"), (12, "runs")):
        row = make_unnamed(board.collection, board.measure, scores_of(n_systems, seed=n_systems), f"{n_systems}.csv")
        row.runs = runs
        row.save()
    study(board.collection)
    assert {(one.runs, one.n_systems) for one in read_reversals(board)} == {("runs", 9)}
    other = make_leaderboard(board.collection, make_measure())
    assert read_reversals(other) == ()


def test_a_tested_difference_has_those_of_the_largest_that_it_reaches():
    board = make_scored_board(scores_of())
    study(board.collection)
    known = [compared(one, 100) for one in read_reversals(board)]
    assert len(known) > 1
    rng = np.random.default_rng(1)
    for at in (known[0].disjoint.low, (known[0].disjoint.low + known[1].disjoint.low) / 2, known[-1].disjoint.low + 1):
        noise = rng.normal(0, 1e-5, 20)
        first = at + 1e-4 + noise - noise.mean()
        for sign in (1, -1):
            test = ttest_rel(sign * first, np.zeros(20))
            told = reversals_of(lambda: known, test)
            assert told == max((one for one in known if one.disjoint.low <= at), key=lambda one: one.disjoint.low)


def compared(one, n, *, drawn_again=100):
    disjoint, replacement = replace(one.disjoint, n_compared=n), replace(one.replacement, n_compared=drawn_again)
    return replace(one, disjoint=disjoint, replacement=replacement)


def test_rates_of_few_comparisons_are_not_told_of_a_difference():
    board = make_scored_board(scores_of())
    study(board.collection)
    first, second, *_ = read_reversals(board)
    test = ttest_rel(second.disjoint.low + 0.001 * np.arange(1.0, 21.0), np.zeros(20))
    enough = compared(first, 100)
    for few in (compared(second, 99), compared(second, 100, drawn_again=99)):
        assert reversals_of(lambda few=few: (enough, few), test) == enough
        assert reversals_of(lambda few=few: (few,), test) is None
    assert reversals_of(lambda: (enough, compared(second, 100)), test) == compared(second, 100)


def test_nothing_is_read_for_a_difference_that_no_test_finds():
    def read():
        raise AssertionError("nothing is to be read")

    values = np.array([0.1, -0.1] * 10)
    assert reversals_of(read, None) is None
    assert reversals_of(read, ttest_rel(values, np.zeros(20))) is None


def test_collections_with_scores_have_them_of_results_or_of_runs_without_names():
    scored = make_scored_board(scores_of(2))
    collection = make_collection()
    make_unnamed(collection, make_measure(), scores_of(2))
    make_result()
    assert collections_with_scores() == sorted([scored.collection_id, collection.pk])
    again = make_result(scored, printed="0.3")
    make_topic_scores(again, [0.3] * 20)
    assert collections_with_scores() == sorted([scored.collection_id, collection.pk])
