"""What the page of a leaderboard takes in its address."""

import pytest

from analysis.best import gupta_constant
from tests.registry.api.world import make_varied_board
from tests.registry.leaderboards.boards import analyse, make_board

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(db):
    board = make_board()
    analyse(board)
    return board


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("runtype=automatic", "There is no parameter “runtype”. Did you mean run_type?"),
        ("xyzzy=1", "There is no parameter “xyzzy”. Known here: role,"),
        ("role=proposal", "“proposal” is not known here; choose from trec_run, leaderboard, proposed,"),
        ("role=proposed&role=baseline", "This parameter is given more than once."),
        ("n_multiplier=4", "“4” is not known here; choose from 1, 2, 3, 5, 10, 100."),
        ("as_of=31.1.2026", "Write a day as 2026-01-31."),
        ("counted_roles=papers", "papers is not a role that counts"),
        ("page=0", "page"),
        ("page_size=10", "There is no parameter “page_size”"),
        ("%3Cscript%3E=1", "&lt;script&gt;"),
    ],
)
def test_what_is_not_known_is_refused_with_a_hint(client, board, query, words):
    response = client.get(f"{board.get_absolute_url()}?{query}")
    assert response.status_code == 400
    assert words in response.content.decode().replace("&#x27;", "'")


def test_marks_of_other_sites_make_no_other_answer(client, board):
    for path in (board.get_absolute_url(), f"{board.get_absolute_url()[:-1]}.json"):
        assert client.get(f"{path}?utm_source=x")["ETag"] == client.get(path)["ETag"]


def test_tries_that_nobody_listed_are_taken_off_where_they_are_asked_for(client):
    board = make_varied_board()
    analyse(board)
    path = board.get_absolute_url()
    value = client.get(f"{path[:-1]}.json").json()["verdict"]["corrected"]
    tried = client.get(f"{path[:-1]}.json?tries=10").json()["verdict"]["corrected"]
    assert (tried["value"], tried.get("at_ten_tries")) == (pytest.approx(value["at_ten_tries"]), None)
    much = client.get(f"{path[:-1]}.json?tries=10&tries_differ=0.5").json()["verdict"]["corrected"]
    assert much["value"] < tried["value"] < value["value"]
    page, plain = (client.get(f"{path}{query}").content.decode() for query in ("?tries=10", ""))
    assert "takes each result for the best of 10 tries" in page
    assert "are not taken off: with ten such tries a row, about" in plain
    assert client.get(f"{path}?tries=4").status_code == 400


@pytest.mark.parametrize("file", ["/", ".json", ".tex", ".md", ".bib", "/badge.svg", "/figure.svg"])
def test_whatever_quotes_a_value_less_tries_says_how_many(client, file):
    board = make_varied_board()
    analyse(board)
    said = client.get(f"{board.get_absolute_url()[:-1]}{file}?tries=10").content.decode()
    assert " at 10 tries a row" in said


def test_looking_every_week_takes_the_constant_of_twice_as_many_results(client):
    board = make_varied_board()
    analyse(board)
    path = board.get_absolute_url()
    once, weekly = (client.get(f"{path[:-1]}.json{query}").json()["verdict"] for query in ("", "?looks=weekly"))
    k, df = once["tries"]["n_results"], once["evidence"]["degrees_of_freedom"]
    ratio = gupta_constant(2 * k, 0.95, df) / gupta_constant(k, 0.95, df)
    assert weekly["set"]["margin"] == pytest.approx(ratio * once["set"]["margin"])
    assert (weekly["set"]["looks"], once["set"].get("looks", "")) == ("weekly", "")
    page, plain = (client.get(f"{path}{query}").content.decode() for query in ("?looks=weekly", ""))
    assert "The set is as wide as for looking every week" in page
    assert "95% holds on each day." in plain
    assert client.get(f"{path}?looks=daily").status_code == 400
    assert "for looking every week" in client.get(f"{path[:-1]}.md?looks=weekly").content.decode()
