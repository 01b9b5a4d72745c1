"""Boards and suites drawn of small tables, with what is counted on them: by hand, or one by one."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from analysis.scores import ScoreMatrix
from tools.calibration.boards import CLOSELY, Draws, OwnVariances, Table, draw_boards, measure_table
from tools.calibration.known import Elsewhere
from tools.calibration.suites import SuiteTable, complete_tables, measure_other_collections, measure_same_collections


def matrix(scores):
    scores = np.asarray(scores, dtype=float)
    return ScoreMatrix([f"s{n:02}" for n in range(len(scores))], [str(n) for n in range(scores.shape[1])], scores)


def table(n_systems, n_topics=30, *, measure="AP", gap=0.01, noise=0.1, **facts):
    """Systems that are the gap apart, best first."""
    rng = np.random.default_rng(8)
    scores = np.clip(0.5 - gap * np.arange(n_systems)[:, None] + rng.normal(0, noise, (n_systems, n_topics)), 0, 1)
    return Table("c", measure, matrix(scores), **facts)


def always(value, *, widening=1.0, df=10.0):
    return lambda measure, means: Elsewhere(value, df, widening, "many", 0.45)


@pytest.mark.parametrize(
    ("n_systems", "sizes"),
    [
        (2, []),
        (3, [(0, 3)]),
        (5, [(0, 5)]),
        (9, [(0, 5)] * 3),
        (10, [(0, 5)] * 3 + [(1, 10)]),
        (30, [(0, 5)] * 3 + [(1, 15)] * 3 + [(2, 30)]),
        (46, [(0, 5)] * 3 + [(1, 15)] * 3 + [(2, 30), (2, 45)]),
        (101, [(0, 5)] * 3 + [(1, 15)] * 3 + [(2, 30), (2, 45), (2, 100)]),
    ],
)
def test_boards_have_fewer_systems_than_their_table_or_all_of_it(n_systems, sizes):
    found = list(draw_boards(n_systems, np.random.default_rng(1)))
    assert [(place, len(rows)) for place, rows in found] == sizes
    for _, rows in found:
        assert rows.tolist() == sorted(set(rows.tolist()))
        assert set(rows.tolist()) <= set(range(n_systems))


def test_a_draw_has_the_means_over_its_topics_and_the_error_of_its_best():
    scores = np.array([[0.2, 0.4], [0.6, 0.1]])
    given = Table("c", "AP", matrix(scores))
    drawn = Draws(given, scores, np.array([0.3, 0.35]), np.array([[0, 0, 0], [1, 1, 1], [0, 1, 1]]))
    assert drawn.means == pytest.approx(np.array([[0.2, 0.6], [0.4, 0.1], [1 / 3, 0.8 / 3]]))
    assert drawn.is_best.tolist() == [False, True]
    assert drawn.sample(2).scores.tolist() == [[0.2, 0.4, 0.4], [0.6, 0.1, 0.1]]
    assert (drawn.n_topics, drawn.has_topics, drawn.closely) == (3, True, range(1))
    assert not Draws(replace(given, is_sparse=True), scores, drawn.truth, drawn.drawn).has_topics
    for n, has_topics in ((45, True), (46, False)):
        assert Draws(given, np.ones((n, 2)), np.ones(n), drawn.drawn).has_topics == has_topics
    assert Draws(given, scores, drawn.truth, np.zeros((CLOSELY + 1, 3), dtype=int)).closely == range(2)


def test_few_runs_and_a_prediction_weigh_as_surely_as_they_are_known():
    own = OwnVariances([Elsewhere(0.01, 18.0), Elsewhere(0.04, 18.0)], 0.2)
    predicted = [Elsewhere(0.04, 10.0, 1.3, "many", 0.2**0.5)] * 2
    first, second = own.with_predictions(predicted)
    assert (first.value, second.value) == (pytest.approx(0.02), pytest.approx(0.04))
    assert (first.widening, first.log_sd) == (1.3, 0.0)
    assert first.degrees_of_freedom == second.degrees_of_freedom == round(first.degrees_of_freedom, 1)


def counted(records):
    return Counter((one.evidence, one.world, one.systems, one.topics) for one in records)


def test_every_board_is_measured_by_each_kind_of_evidence_that_it_can_have():
    """Of 16 systems three boards of five, whose eleven others tell the variance, and one of fifteen; thrice each."""
    found = counted(measure_table(table(16), {"predicted": always(0.01)}, 4, 1, n_topics=(15, 25)))
    worlds, expected = ("as-measured", "equal"), {}
    for world in worlds:
        # Sets from topic scores of systems that differ are found the first time alone.
        n_rounds = 3 if world == "equal" else 1
        for topics in (0, 1):
            expected["own-topics", world, 0, topics] = 3 * n_rounds
            expected["own-topics", world, 1, topics] = 3 * n_rounds
        expected["own-variance", world, 0, 1] = 9
        expected["own-and-predicted", world, 0, 1] = 2 * 9
        for systems in (0, 1):
            expected["predicted", world, systems, 1] = 3
    assert found == expected


def test_a_sparse_table_has_what_is_predicted_alone():
    given = table(12, is_sparse=True)
    found = counted(measure_table(given, {"predicted": always(0.01)}, 4, 1, n_topics=(50,)))
    assert found == {("predicted", world, *size): n for world in ("equal", "as-measured") for *size, n in
                     ((0, 2, 3), (1, 2, 1))}  # fmt: skip
    assert measure_table(given, {"predicted": lambda measure, means: None}, 4, 1, n_topics=(50,)) == []


def test_a_variance_that_is_too_large_holds_all_and_one_of_nothing_holds_the_best_alone():
    large, none = (
        [one for one in measure_table(table(5), {"predicted": always(value)}, 4, 20, (50,)) if one.variance_class]
        for value in (100.0, 1e-12)
    )
    assert {(one.held, one.n_members, one.n_rows) for one in large} == {(1.0, 5.0, 5)}
    assert {one.n_members for one in none} == {1.0}
    equal, differ = ([one for one in none if one.world == world] for world in ("equal", "as-measured"))
    # Of five that are all the best one is in the set.
    assert {one.held for one in equal} == {0.2}
    assert all(0 < one.held <= 1 for one in differ)
    for one in (*large, *none):
        assert (one.evidence, one.family, one.collection, one.measure) == ("predicted", "AP", "c", "AP")
        assert (one.variance_class, one.false_leaders) == ("many", None)


def test_by_topics_a_system_far_ahead_is_alone_and_one_among_equals_is_a_false_leader():
    records = measure_table(table(5, gap=0.1, noise=0.02), {}, 4, 5 * CLOSELY, (15, 25))
    differ = [one for one in records if one.world == "as-measured"]
    assert [(one.held, one.n_members) for one in differ] == [(1.0, 1.0)] * 2
    # With fewer than 25 topics no leader is verified.
    assert [one.false_leaders for one in differ] == [None, 0.0]
    equal = [one for one in records if one.world == "equal"]
    assert len(equal) == 3 * 2
    for one in equal:
        assert one.held > 0.7
        assert one.n_members == pytest.approx(5 * one.held)
        assert (one.false_leaders is None) == (one.topics == 0)


class TestSuites:
    def test_the_systems_with_every_score_make_a_table(self):
        members = {"eight": [f"c{n}" for n in range(8)], "seven": [f"c{n}" for n in range(7)]}
        scores = {f"s{n:02}": {f"c{place}": n + place / 10 for place in range(8)} for n in range(16)}
        del scores["s03"]["c5"]
        families = {system: system[:2] for system in scores}
        (found,) = complete_tables(members, scores, families)
        kept = [n for n in range(16) if n != 3]
        assert (found.name, found.families) == ("eight", tuple(f"s{n // 10}" for n in kept))
        assert found.means == pytest.approx(np.array([[n + place / 10 for place in range(8)] for n in kept]))
        del scores["s04"]["c5"]
        assert list(complete_tables(members, scores, families)) == []

    def test_suites_are_drawn_of_every_size_that_a_table_has(self):
        rng = np.random.default_rng(2)
        means = 0.5 - 0.05 * np.arange(16)[:, None] + rng.normal(0, 0.01, (16, 13))
        given = SuiteTable("t", means, tuple(f"f{n}" for n in range(16)))
        found = measure_other_collections(given, 3, 12)
        sizes = Counter((one.systems, one.n_rows, one.collections, one.world) for one in found)
        # Of 8, 10 and 13 collections: the first two are of one class.
        assert sizes == {
            (systems, n, collections, world): times
            for systems, n in ((0, 5), (1, 15))
            for collections, times in ((0, 6), (1, 3))
            for world in ("equal", "as-measured")
        }
        assert {(one.question, one.suite) for one in found} == {("other-collections", "t")}
        for one in found:
            assert one.held == 1.0 if one.world == "as-measured" else one.held > 0.6
            if one.world == "as-measured":
                assert one.n_members < 3
            else:
                assert one.n_members == pytest.approx(one.held * one.n_rows)

    def test_one_family_is_judged_by_its_own_pairs(self):
        means = np.random.default_rng(2).normal(0.5, 0.05, (16, 8))
        one, many = (
            measure_other_collections(SuiteTable("t", means, families), 3, 2)
            for families in (("x",) * 16, tuple(map(str, range(16))))
        )
        assert [(record.held, record.n_members) for record in one] == [
            (record.held, record.n_members) for record in many
        ]

    def test_on_the_same_collections_what_is_predicted_of_each_is_added(self):
        tables = [table(6), replace(table(7, noise=0.05), collection="d")]
        seen = []

        def known(value):
            def noted(measure, means):
                seen.append((measure, len(means), bool((np.diff(means) <= 0.1).all())))
                return Elsewhere(value, 12.0, 1.3, "many", 0.45)

            return noted

        found = measure_same_collections("AP", [(one, known(100.0)) for one in tables], 5, 3)
        assert Counter((one.systems, one.n_rows, one.collections, one.world) for one in found) == {
            (0, 5, 0, world): 3 * 3 for world in ("equal", "as-measured")
        }
        assert {(one.question, one.suite, one.held, one.n_members) for one in found} == {
            ("same-collections", "AP", 1.0, 5.0)
        }
        assert set(seen) == {("AP", 5, True)}
        assert len(seen) == 2 * 3 * 18
        alone = measure_same_collections("AP", [(one, known(1e-12)) for one in tables], 5, 3)
        assert {one.n_members for one in alone} == {1.0}

    def test_on_the_same_collections_the_least_sure_prediction_tells_how_sure_all_are(self):
        tables = [table(6), replace(table(7), collection="d")]
        sizes = [
            sum(one.n_members for one in measure_same_collections(
                "AP", list(zip(tables, [always(0.004, df=df), always(0.004, df=30.0)], strict=True)), 5, 12
            ))
            for df in (2.0, 16.0, 30.0)
        ]  # fmt: skip
        assert sizes[0] > sizes[1]
        # No more than sixteen are believed.
        assert sizes[1] == sizes[2]
