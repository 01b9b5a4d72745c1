"""What the page of a leaderboard takes in its address."""

import pytest

from analysis.best import gupta_constant
from registry.catalog.services import mark_leaderboards_changed
from tests.registry.api.world import make_varied_board
from tests.registry.leaderboards.boards import analyse, analysed, make_board


@pytest.fixture
def board(db):
    board = analysed(make_board())
    return board


def test_marks_of_other_sites_make_no_other_answer(client, board):
    for path in (board.get_absolute_url(), f"{board.get_absolute_url()[:-1]}.json"):
        assert client.get(f"{path}?utm_source=x")["ETag"] == client.get(path)["ETag"]


def test_tries_that_nobody_listed_are_taken_off_where_they_are_asked_for(client):
    board = analysed(make_varied_board())
    path = board.get_absolute_url()
    value = client.get(f"{path[:-1]}.json").json()["verdict"]["corrected"]
    tried = client.get(f"{path[:-1]}.json?tries=10").json()["verdict"]["corrected"]
    assert (tried["value"], tried.get("at_ten_tries")) == (pytest.approx(value["at_ten_tries"]), None)
    much = client.get(f"{path[:-1]}.json?tries=10&tries_differ=0.5").json()["verdict"]["corrected"]
    assert much["value"] < tried["value"] < value["value"]
    page, plain = (client.get(f"{path}{query}").content.decode() for query in ("?tries=10", ""))
    assert "takes each result for the best of 10 tries" in page
    assert "are not taken off: with ten such tries a row, about" in plain
    best = board.results.get(pk=client.get(f"{path[:-1]}.json").json()["verdict"]["best"]["result"])
    for notes, message in (
        ("tries: mean of 5", "each result for the best of 10"),
        ("tries: best of 3", "best of 3 tries, as"),
    ):
        board.results.filter(pk=best.pk).update(notes=notes)
        mark_leaderboards_changed(leaderboard_ids=[board.pk])
        analyse(board)
        own = client.get(f"{path[:-1]}.json?tries=10").json()["verdict"]["corrected"]
        assert (own["value"] == tried["value"]) == ("mean" in notes)
        assert message in client.get(f"{path}?tries=10").content.decode()
    three = client.get(f"{path[:-1]}.json?tries=3").json()["verdict"]["corrected"]
    assert tried["value"] < own["value"] == three["value"]
    assert '<span class="why">best of 3 tries</span>' in client.get(path).content.decode()


@pytest.mark.parametrize("file", ["/", ".json", ".tex", ".md", ".bib", "/badge.svg", "/figure.svg"])
def test_whatever_quotes_a_value_less_tries_says_how_many(client, file):
    board = analysed(make_varied_board())
    text = client.get(f"{board.get_absolute_url()[:-1]}{file}?tries=10").content.decode()
    assert " at 10 tries a row" in text


def test_looking_every_week_takes_the_constant_of_twice_as_many_results(client):
    board = analysed(make_varied_board())
    path = board.get_absolute_url()
    once, weekly = (client.get(f"{path[:-1]}.json{query}").json()["verdict"] for query in ("", "?looks=weekly"))
    k, df = once["tries"]["n_results"], once["evidence"]["degrees_of_freedom"]
    ratio = gupta_constant(2 * k, 0.95, df) / gupta_constant(k, 0.95, df)
    assert weekly["set"]["margin"] == pytest.approx(ratio * once["set"]["margin"])
    assert (weekly["set"]["looks"], once["set"].get("looks", "")) == ("weekly", "")
    page, plain = (client.get(f"{path}{query}").content.decode() for query in ("?looks=weekly", ""))
    assert "The set is as wide as for looking every week" in page
    assert "95% holds on each day." in plain
    assert "for looking every week" in client.get(f"{path[:-1]}.md?looks=weekly").content.decode()
