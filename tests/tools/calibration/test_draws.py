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
    """Return systems that are the gap apart, best first."""
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
    boards = list(draw_boards(n_systems, np.random.default_rng(1)))
    assert [(place, len(rows)) for place, rows in boards] == sizes
    for _, rows in boards:
        assert rows.tolist() == sorted(set(rows.tolist()))
        assert set(rows.tolist()) <= set(range(n_systems))


def test_a_draw_has_the_means_over_its_topics_and_the_error_of_its_best():
    scores = np.array([[0.2, 0.4], [0.6, 0.1]])
    source = Table("c", "AP", matrix(scores))
    drawn = Draws(source, scores, np.array([0.3, 0.35]), np.array([[0, 0, 0], [1, 1, 1], [0, 1, 1]]))
    assert drawn.means == pytest.approx(np.array([[0.2, 0.6], [0.4, 0.1], [1 / 3, 0.8 / 3]]))
    assert drawn.is_best.tolist() == [False, True]
    assert drawn.sample(2).scores.tolist() == [[0.2, 0.4, 0.4], [0.6, 0.1, 0.1]]
    assert (drawn.n_topics, drawn.has_topics, drawn.closely) == (3, True, range(1))
    assert not Draws(replace(source, is_sparse=True), scores, drawn.truth, drawn.drawn).has_topics
    for n, has_topics in ((45, True), (46, False)):
        assert Draws(source, np.ones((n, 2)), np.ones(n), drawn.drawn).has_topics == has_topics
    assert Draws(source, scores, drawn.truth, np.zeros((CLOSELY + 1, 3), dtype=int)).closely == range(2)


def test_few_runs_and_a_prediction_weigh_as_surely_as_they_are_known():
    own = OwnVariances([Elsewhere(0.01, 18.0), Elsewhere(0.04, 18.0)], 0.2)
    predicted = [Elsewhere(0.04, 10.0, 1.3, "many", 0.2**0.5)] * 2
    first, second = own.with_predictions(predicted)
    assert (first.value, second.value) == (pytest.approx(0.02), pytest.approx(0.04))
    assert (first.widening, first.log_sd) == (1.3, 0.0)
    assert first.degrees_of_freedom == second.degrees_of_freedom == round(first.degrees_of_freedom, 1)


def counted(records):
    return Counter((record.evidence, record.world, record.systems, record.topics) for record in records)


def test_every_board_is_measured_by_each_kind_of_evidence_that_it_can_have():
    """Of 16 systems three boards of five, whose eleven others tell the variance, and one of fifteen; thrice each."""
    counts = counted(measure_table(table(16), {"predicted": always(0.01)}, 4, 1, n_topics=(15, 25)))
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
    assert counts == expected


def test_a_sparse_table_has_what_is_predicted_alone():
    sparse = table(12, is_sparse=True)
    counts = counted(measure_table(sparse, {"predicted": always(0.01)}, 4, 1, n_topics=(50,)))
    assert counts == {("predicted", world, *size): n for world in ("equal", "as-measured") for *size, n in
                     ((0, 2, 3), (1, 2, 1))}  # fmt: skip
    assert measure_table(sparse, {"predicted": lambda measure, means: None}, 4, 1, n_topics=(50,)) == []


def test_a_variance_that_is_too_large_holds_all_and_one_of_nothing_holds_the_best_alone():
    large, none = (
        [row for row in measure_table(table(5), {"predicted": always(value)}, 4, 20, (50,)) if row.variance_class]
        for value in (100.0, 1e-12)
    )
    assert {(record.held, record.n_members, record.n_rows) for record in large} == {(1.0, 5.0, 5)}
    assert {record.n_members for record in none} == {1.0}
    equal, differ = ([record for record in none if record.world == world] for world in ("equal", "as-measured"))
    # Of five that are all the best one is in the set.
    assert {record.held for record in equal} == {0.2}
    assert all(0 < record.held <= 1 for record in differ)
    for drawn in (*large, *none):
        assert (drawn.evidence, drawn.family, drawn.collection, drawn.measure) == ("predicted", "AP", "c", "AP")
        assert (drawn.variance_class, drawn.false_leaders) == ("many", None)


def test_by_topics_a_system_far_ahead_is_alone_and_one_among_equals_is_a_false_leader():
    records = measure_table(table(5, gap=0.1, noise=0.02), {}, 4, 5 * CLOSELY, (15, 25))
    differ = [record for record in records if record.world == "as-measured"]
    assert [(record.held, record.n_members) for record in differ] == [(1.0, 1.0)] * 2
    # With fewer than 25 topics no leader is verified.
    assert [record.false_leaders for record in differ] == [None, 0.0]
    equal = [record for record in records if record.world == "equal"]
    assert len(equal) == 3 * 2
    for measured in equal:
        assert measured.held > 0.7
        assert measured.n_members == pytest.approx(5 * measured.held)
        assert (measured.false_leaders is None) == (measured.topics == 0)


class TestSuites:
    def test_the_systems_with_every_score_make_a_table(self):
        members = {"eight": [f"c{n}" for n in range(8)], "seven": [f"c{n}" for n in range(7)]}
        scores = {f"s{n:02}": {f"c{place}": n + place / 10 for place in range(8)} for n in range(16)}
        del scores["s03"]["c5"]
        families = {system: system[:2] for system in scores}
        (complete,) = complete_tables(members, scores, families)
        rows = [n for n in range(16) if n != 3]
        assert (complete.name, complete.families) == ("eight", tuple(f"s{n // 10}" for n in rows))
        assert complete.means == pytest.approx(np.array([[n + place / 10 for place in range(8)] for n in rows]))
        del scores["s04"]["c5"]
        assert list(complete_tables(members, scores, families)) == []

    def test_suites_are_drawn_of_every_size_that_a_table_has(self):
        rng = np.random.default_rng(2)
        means = 0.5 - 0.05 * np.arange(16)[:, None] + rng.normal(0, 0.01, (16, 13))
        source = SuiteTable("t", means, tuple(f"f{n}" for n in range(16)))
        records = measure_other_collections(source, 3, 12)
        sizes = Counter((record.systems, record.n_rows, record.collections, record.world) for record in records)
        # Of 8, 10 and 13 collections: the first two are of one class.
        assert sizes == {
            (systems, n, collections, world): times
            for systems, n in ((0, 5), (1, 15))
            for collections, times in ((0, 6), (1, 3))
            for world in ("equal", "as-measured")
        }
        assert {(record.question, record.suite) for record in records} == {("other-collections", "t")}
        for measured in records:
            assert measured.held == 1.0 if measured.world == "as-measured" else measured.held > 0.6
            if measured.world == "as-measured":
                assert measured.n_members < 3
            else:
                assert measured.n_members == pytest.approx(measured.held * measured.n_rows)

    def test_one_family_is_judged_by_its_own_pairs(self):
        means = np.random.default_rng(2).normal(0.5, 0.05, (16, 8))
        one_family, many = (
            measure_other_collections(SuiteTable("t", means, families), 3, 2)
            for families in (("x",) * 16, tuple(map(str, range(16))))
        )
        assert [(record.held, record.n_members) for record in one_family] == [
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

        records = measure_same_collections("AP", [(source_table, known(100.0)) for source_table in tables], 5, 3)
        assert Counter((record.systems, record.n_rows, record.collections, record.world) for record in records) == {
            (0, 5, 0, world): 3 * 3 for world in ("equal", "as-measured")
        }
        assert {(record.question, record.suite, record.held, record.n_members) for record in records} == {
            ("same-collections", "AP", 1.0, 5.0)
        }
        assert set(seen) == {("AP", 5, True)}
        assert len(seen) == 2 * 3 * 18
        alone = measure_same_collections("AP", [(source_table, known(1e-12)) for source_table in tables], 5, 3)
        assert {record.n_members for record in alone} == {1.0}

    def test_on_the_same_collections_the_least_sure_prediction_tells_how_sure_all_are(self):
        tables = [table(6), replace(table(7), collection="d")]
        sizes = [
            sum(record.n_members for record in measure_same_collections(
                "AP", list(zip(tables, [always(0.004, df=df), always(0.004, df=30.0)], strict=True)), 5, 12
            ))
            for df in (2.0, 16.0, 30.0)
        ]  # fmt: skip
        assert sizes[0] > sizes[1]
        # No more than sixteen are believed.
        assert sizes[1] == sizes[2]
