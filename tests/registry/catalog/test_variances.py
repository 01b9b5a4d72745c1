"""Whose variance holds for a leaderboard, and how surely it is known there."""

import pytest

from registry.catalog.variances import read_variances
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_variance

pytestmark = pytest.mark.django_db


def seen(board, n_rows=100):
    return [(one.kind, one.value, one.degrees_of_freedom) for one in read_variances(board, n_rows=n_rows)]


def make_board(measure: str = "AP", **fields):
    return make_leaderboard(make_collection(**fields), make_measure(measure))


def test_own_comes_before_typical_and_both_say_where_they_were_seen():
    board = make_board()
    make_variance(board.measure, 0.0128, sources=["trec-7: 103 runs", "trec-8: 129 runs"])
    make_variance(board.measure, 0.0154, board.collection, n_systems=110, n_topics=99, sources=["its 110 runs"])
    own, typical = read_variances(board, n_rows=335)
    assert (own.kind, own.value, own.n_systems, own.n_topics) == ("own-variance", 0.0154, 110, 99)
    assert (typical.kind, typical.value, typical.degrees_of_freedom) == ("transferred", 0.0128, 10)
    assert typical.sources == ("trec-7: 103 runs", "trec-8: 129 runs")


@pytest.mark.parametrize(
    ("n_topics", "n_systems", "n_makers", "n_rows", "df"),
    [
        (50, 103, None, 103, 60),  # as many as are useful
        (50, 103, None, 104, 18),  # a result is listed that the matrix may not hold
        (99, 110, None, 335, 18),  # Robust04
        (50, 103, 2, 103, 10),  # runs of two makers
        (50, 103, 3, 103, 60),
        (50, 9, None, 9, 10),  # few runs
        (50, 10, None, 10, 60),
        (4, 10, None, 10, 27),  # few topics: (n - 1)(k - 1)
        (3, 4, 1, 335, 6),
    ],
)
def test_how_surely_an_own_variance_is_known(n_topics, n_systems, n_makers, n_rows, df):
    board = make_board()
    make_variance(board.measure, 0.01, board.collection, n_topics=n_topics, n_systems=n_systems, n_makers=n_makers)
    assert seen(board, n_rows) == [("own-variance", 0.01, df)]


def test_variances_of_other_collections_and_measures_are_not_taken():
    board = make_board()
    make_variance(board.measure, 0.01, make_collection())
    make_variance(make_measure("P@10"), 0.04)
    assert seen(board) == []


@pytest.mark.parametrize(
    "measure", ["AP", "AP(rel=2)@100", "RR@10", "nDCG@10", "Success@1", "R@100", "top_20_accuracy"]
)
def test_one_right_answer_makes_it_a_matter_of_the_first_rank(measure):
    board = make_board(measure, task="known-item")
    make_variance(board.measure, 0.0128)
    make_variance(make_measure("RR"), 0.0962, sources=["trec-5: 61 runs"])
    (one,) = read_variances(board, n_rows=40)
    assert (one.kind, one.value, one.sources) == ("transferred", 0.0962, ("trec-5: 61 runs",))


def test_of_what_else_is_measured_on_known_items_nothing_is_known():
    board = make_board("P@10", task="known-item")
    make_variance(board.measure, 0.0424)
    make_variance(make_measure("RR"), 0.0962)
    assert seen(board) == []


def test_an_own_variance_holds_whatever_the_task():
    board = make_board("AP", task="known-item")
    make_variance(board.measure, 0.097, board.collection)
    make_variance(make_measure("RR"), 0.0962)
    assert [value for _, value, _ in seen(board)] == [0.097, 0.0962]


@pytest.mark.parametrize(
    ("measure", "relevant", "value"),
    [
        ("nDCG@10", 1.2, 0.0962),
        ("nDCG@10", 38.2, 0.019),
        ("nDCG@10", None, 0.019),
        ("AP", 1.2, 0.019),
    ],
)
def test_few_relevant_documents_make_ndcg_a_matter_of_the_first_rank(measure, relevant, value):
    board = make_board(measure, relevant_per_topic=relevant)
    make_variance(board.measure, 0.019)
    make_variance(make_measure("RR"), 0.0962)
    assert [found for _, found, _ in seen(board)] == [value]


def test_it_takes_one_query(django_assert_num_queries):
    board = make_board()
    make_variance(board.measure, 0.0128)
    make_variance(board.measure, 0.0154, board.collection)
    with django_assert_num_queries(1):
        assert len(read_variances(board, n_rows=10)) == 2
