"""Whose variance holds for a leaderboard and how surely, and how many documents are relevant to its topics."""

import pytest

from registry.catalog.models import Density
from registry.catalog.queries import read_relevant, read_variances
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_variance


def make_board(measure: str = "AP", **fields):
    return make_leaderboard(make_collection(**fields), make_measure(measure))


def make_density(collection, mean, **fields):
    return Density.objects.create(
        collection=collection, unit="topic", relevant_mean=mean, **({"basis": "judgements"} | fields)
    )


def relevant_of(board):
    variance = read_relevant(board)
    return variance and (variance.mean, variance.share_with_one, variance.known_from, variance.is_of_siblings)


def test_an_own_variance_says_where_it_was_seen():
    board = make_board()
    make_variance(board.measure, 0.0154, board.collection, n_systems=110, n_topics=99, sources=["its 110 runs"])
    (own,) = read_variances(board, n_rows=335)
    assert (own.value, own.n_systems, own.n_topics, own.sources) == (0.0154, 110, 99, ("its 110 runs",))


@pytest.mark.parametrize(
    ("n_topics", "n_systems", "n_makers", "n_rows", "df"),
    [
        (50, 103, None, 103, 60),  # as many as are useful
        (50, 103, None, 104, 18),  # a result is listed that the matrix may not hold
        (99, 110, None, 335, 18),  # Robust04
        (50, 103, 2, 103, 18),  # runs of two makers
        (50, 103, 3, 103, 60),
        (50, 9, None, 9, 18),  # few runs
        (50, 10, None, 10, 60),
        (4, 10, None, 10, 27),  # few topics: (n - 1)(k - 1)
        (3, 4, 1, 335, 6),
    ],
)
def test_how_surely_an_own_variance_is_known(n_topics, n_systems, n_makers, n_rows, df):
    board = make_board()
    make_variance(board.measure, 0.01, board.collection, n_topics=n_topics, n_systems=n_systems, n_makers=n_makers)
    assert [(own.value, own.degrees_of_freedom) for own in read_variances(board, n_rows=n_rows)] == [(0.01, df)]


def test_variances_of_other_collections_and_measures_are_not_taken():
    board = make_board()
    make_variance(board.measure, 0.01, make_collection())
    make_variance(make_measure("P@10"), 0.04, board.collection)
    assert read_variances(board, n_rows=100) == ()


def test_what_is_counted_comes_first_and_then_what_is_on_record():
    board = make_board(relevant_per_topic=5.0)
    assert relevant_of(board) == (5.0, None, "as recorded with the collection", False)
    make_density(board.collection, 1.13, share_with_one=0.9233)
    assert relevant_of(board) == (1.13, 0.9233, "judgements", False)
    Density.objects.update(basis="statistics")
    board.collection.refresh_from_db()
    assert relevant_of(board)[2] == "package statistics"


def test_where_scores_rest_on_other_judgements_than_those_counted_the_record_tells():
    board = make_board("nDCG@10", relevant_per_topic=7.0)
    note = "these are Anserini's judgements; those of MTEB's BrightRetrieval have 7 relevant documents a topic"
    make_density(board.collection, 4.0855, note=note, share_with_one=0.3)
    assert relevant_of(board) == (7.0, None, "as recorded with the collection", False)
    recall = make_leaderboard(board.collection, make_measure("R@100"))
    assert relevant_of(recall)[0] == 4.0855


@pytest.mark.parametrize(
    ("suite", "means", "expected"),
    [
        ("TREC News", [40.0, 90.0], 60.0),
        ("TREC News", [16.0, 1000.0], 126.4911),  # all many
        ("TREC News", [1.0, 2.9], 1.7029),  # all few
        ("TREC News", [2.0, 15.9], 5.6391),  # alike
        ("TREC News", [2.0, 16.1], None),
        ("TREC News", [40.0], None),
        ("MTEB", [40.0, 90.0], None),  # a suite of all sorts
    ],
)
def test_other_years_of_a_track_stand_in_where_they_agree(suite, means, expected):
    board = make_board(suite=suite)
    for mean in means:
        make_density(make_collection(suite=suite), mean)
    relevant = read_relevant(board)
    if expected is None:
        assert relevant is None
    else:
        assert relevant.mean == pytest.approx(expected, abs=5e-5)
        assert (relevant.share_with_one, relevant.is_of_siblings) == (None, True)
        assert relevant.known_from == "2 other collections of TREC News"
