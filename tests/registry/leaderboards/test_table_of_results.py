"""The table of results: columns, order, pages, filters."""

import re

import pytest

from registry.leaderboards.forms import COLUMNS
from registry.leaderboards.stored import read_stored
from registry.results.models import Result
from tests.registry.api.world import make_varied_board
from tests.registry.leaderboards.boards import analyse_again, analysed, make_board, make_run
from tests.registry.leaderboards.test_leaderboard_page import results_of
from tests.registry.pages import Page, read


def column(page: Page, name: str) -> list[str]:
    headings = next(row for row in page.rows if row[:1] in (["Rank"], ["Rank (90%)"]))
    position = headings.index(name)
    return [row[position].strip() for row in results_of(page)]


def sorted_by(page: Page) -> list[str]:
    return [attributes["aria-sort"] for attributes in page.of("th") if "aria-sort" in attributes]


@pytest.fixture
def varied(db):
    board = analysed(make_varied_board())
    return board


@pytest.mark.parametrize(
    ("words", "n_found"),
    [("FIRST", 1), ("a+team+first", 1), ("doe+2001", 2), ("nothing+such", 0)],
    ids=["system", "team", "paper", "nothing"],
)
def test_a_result_is_found_by_system_team_and_paper(client, varied, words, n_found):
    path = varied.get_absolute_url()
    whole, page = read(client, f"{path}?sort=year"), read(client, f"{path}?q={words}&sort=year")
    rows = [row for row in results_of(page) if len(row) > 1]
    assert len(rows) == n_found
    assert f"{n_found} result{'' if n_found == 1 else 's'} with “{words.replace('+', ' ')}”" in page.text
    assert page.link("Year") == f"?sort=-year&q={words}#results"
    # What is found leaves the verdict, its figure and the files as they are.
    drawn, at_first = ([dot for dot in shown.of("circle") if "class" in dot] for shown in (page, whole))
    assert drawn == at_first
    assert page.link("CSV") == f"{path[:-1]}.csv?sort=year"


@pytest.mark.parametrize(
    ("sort", "name", "natural"),
    [("rank", "Score", "descending"), ("year", "Year", "descending"), ("z", "z", "descending"),
     ("system", "System", "ascending"), ("role", "Role", "ascending"), ("team", "Team", "ascending")],
)  # fmt: skip
def test_a_click_on_a_heading_sorts_and_another_turns_it_round(client, varied, sort, name, natural):
    path = varied.get_absolute_url()
    first = read(client, f"{path}?sort={sort}&columns={sort}" if sort in COLUMNS else f"{path}?sort={sort}")
    assert sorted_by(first) == [natural]
    assert first.link(name).startswith(f"?sort=-{sort}")
    second = read(client, path + first.link(name))
    assert sorted_by(second) == ["ascending" if natural == "descending" else "descending"]
    there, back = (column(page, name) for page in (first, second))
    known = [value for value in there if value != "–"]
    assert [value for value in back if value != "–"] == known[::-1] or len(set(known)) < len(known)
    assert there[len(known) :] == back[len(known) :] == ["–"] * (len(there) - len(known))


def test_equal_scores_share_a_rank(client):
    board = analysed(make_board(("0.5", "0.4", "0.4", "0.3")))
    assert column(read(client, board.get_absolute_url() + "?columns=rank"), "Rank") == ["1", "2", "2", "4"]


@pytest.mark.parametrize(
    ("query", "passing"),
    [("role=baseline", "baseline"), ("run_type=manual", "manual"), ("run_type=automatic", "automatic")],
)
def test_a_filter_keeps_what_passes_and_leaves_the_number_of_tries_alone(client, varied, query, passing):
    path = varied.get_absolute_url()
    page, whole = read(client, f"{path}?{query}"), client.get(f"{path[:-1]}.json").json()
    assert len(results_of(page)) == 1
    assert passing in page.text.lower()
    assert "The others were tried too, so they still count." in page.text
    assert re.search(r"one (baseline|chosen result) so far: nothing to compare it with", page.text)
    assert client.get(f"{path[:-1]}.json?{query}").json()["verdict"]["tries"] == whole["verdict"]["tries"]


def test_the_order_of_the_rows_changes_nothing_in_the_figure(client, varied):
    def figure(query: str = "") -> str:
        page = client.get(varied.get_absolute_url() + query).content.decode()
        return page.partition('<svg class="chart')[2].partition("</svg>")[0]

    assert "dot measured" in figure()
    assert figure("?sort=year") == figure("?sort=-rank") == figure()


def test_several_executions_rank_and_stand_by_their_mean(client):
    """As in ranges, sets and figures: the first of them scored most, and their mean is second."""
    board = make_board(["0.31", "0.30", "0.29"])
    first = Result.objects.get(printed="0.31")
    make_run(board, "0.28", replicate_of=first)
    analyse_again(board)
    answer = client.get(f"/api/v1/leaderboards/{board.collection.slug}/{board.measure.name}/").json()
    assert [(row["printed"], row["rank"]) for row in answer["results"]] == [
        ("0.30", 1), ("0.31", 2), ("0.29", 3), ("0.28", None)
    ]  # fmt: skip
    standing = read_stored([board.pk])[board.pk]
    assert (standing.ranks[first.pk], standing.strip(first.pk).rank) == (2, 2)
