"""The table of results: columns, order, pages, filters."""

import pytest

from registry.leaderboards.views import RESULTS_PER_PAGE
from registry.results.models import Result
from tests.registry.api.world import make_board_by_topic, make_varied_board
from tests.registry.factory import make_paper, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.test_leaderboard_page import results_of
from tests.registry.pages import Page, read

pytestmark = pytest.mark.django_db


def headings(page: Page) -> list[str]:
    return next(row for row in page.rows if row[:2] == ["Rank", "System"])


def column(page: Page, name: str) -> list[str]:
    position = headings(page).index(name)
    return [row[position].strip() for row in results_of(page)]


def sorted_by(page: Page) -> list[str]:
    return [attributes["aria-sort"] for attributes in page.of("th") if "aria-sort" in attributes]


@pytest.fixture
def varied(db):
    board = make_varied_board()
    analyse(board)
    return board


def test_columns_that_say_the_same_of_every_row_are_folded_away(client):
    board = make_board(VALUES[:2])
    for system in (result.system for result in board.results.all()):
        system.team = ""
        system.save()
    page = read(client, board.get_absolute_url())
    assert headings(page) == ["Rank", "System", "Score"]


def test_columns_that_something_fills_are_shown(client, varied):
    shown = headings(read(client, varied.get_absolute_url()))
    assert [name.replace("\u00ad", "") for name in shown] == [
        "Rank", "System", "Score", "Can it be the best?", "Behind", "Family", "Year", "z", "Percentile", "Team", "Role",
        "Run type", "Source",
    ]  # fmt: skip


def test_scores_by_topic_add_their_columns(client):
    shown = headings(read(client, make_board_by_topic().get_absolute_url()))
    assert {"Tier", "z by topic"} <= set(shown)


def test_every_column_is_explained_or_speaks_for_itself(client, varied):
    page = read(client, varied.get_absolute_url())
    assert "Whether it can be told from the best" in page.text
    assert f"the mean of {varied.collection.name}: " in page.text


@pytest.mark.parametrize(
    ("sort", "name", "natural"),
    [("rank", "Score", "descending"), ("year", "Year", "descending"), ("z", "z", "descending"),
     ("system", "System", "ascending"), ("role", "Role", "ascending"), ("team", "Team", "ascending")],
)  # fmt: skip
def test_a_click_on_a_heading_sorts_and_another_turns_it_round(client, varied, sort, name, natural):
    path = varied.get_absolute_url()
    first = read(client, f"{path}?sort={sort}")
    assert sorted_by(first) == [natural]
    assert first.link(name) == f"?sort=-{sort}#results"
    second = read(client, path + first.link(name))
    assert sorted_by(second) == ["ascending" if natural == "descending" else "descending"]
    there, back = (column(page, name) for page in (first, second))
    known = [value for value in there if value != "–"]
    assert [value for value in back if value != "–"] == known[::-1] or len(set(known)) < len(known)
    assert there[len(known) :] == back[len(known) :] == ["–"] * (len(there) - len(known))


def test_ties_keep_the_order_of_the_scores(client):
    board = make_board()
    roles = column(read(client, board.get_absolute_url() + "?sort=role"), "Score")
    assert roles == list(VALUES)


def test_equal_scores_share_a_rank(client):
    board = make_board(("0.5", "0.4", "0.4", "0.3"))
    analyse(board)
    assert column(read(client, board.get_absolute_url()), "Rank") == ["1", "2", "2", "4"]


def test_long_tables_come_in_pages(client):
    board = make_board(VALUES[:1])
    first, system = board.results.get(), make_system("many")
    Result.objects.bulk_create(
        Result(
            leaderboard=board, system=system, printed=f"0.{number:04}", value=number / 10_000, role="trec_run",
            source=f"s{number}", recorded_at=first.recorded_at, recorded_by=first.recorded_by,
        )
        for number in range(RESULTS_PER_PAGE)
    )  # fmt: skip
    path = board.get_absolute_url()
    first = read(client, path + "?sort=-rank")
    assert len(results_of(first)) == RESULTS_PER_PAGE
    assert f"Results 1 to {RESULTS_PER_PAGE} of {RESULTS_PER_PAGE + 1}" in first.text
    assert first.link("Next") == "?sort=-rank&page=2#results"
    last = read(client, path + first.link("Next"))
    assert column(last, "Score") == [VALUES[0]]
    assert last.link("Score") == "?sort=rank#results"


@pytest.mark.parametrize(
    ("query", "kept"),
    [("role=baseline", "baseline"), ("run_type=manual", "manual"), ("run_type=automatic", "automatic")],
)
def test_a_filter_keeps_what_passes_and_leaves_the_number_of_tries_alone(client, varied, query, kept):
    path = varied.get_absolute_url()
    page, whole = read(client, f"{path}?{query}"), client.get(f"{path[:-1]}.json").json()
    assert len(results_of(page)) == 1
    assert kept in page.text
    assert "The others were tried too, so they still count." in page.text
    n = whole["verdict"]["tries"]["n_results"]
    assert f"The best of those chosen, of {n} results that were tried, prints" in page.text
    assert client.get(f"{path[:-1]}.json?{query}").json()["verdict"]["tries"] == whole["verdict"]["tries"]


def test_filters_that_would_change_nothing_are_not_offered(client):
    page = read(client, make_board().get_absolute_url())
    assert "A choice here asks which" not in page.text


def test_a_chosen_filter_is_marked_and_can_be_undone(client, varied):
    page = read(client, varied.get_absolute_url() + "?role=proposed")
    chosen = [link["href"] for link in page.of("a") if link.get("aria-current")]
    assert "?role=proposed#results" in chosen
    assert page.link("Show it without these choices") == varied.get_absolute_url()


def test_whose_results_the_analysis_of_equal_systems_counts_can_be_chosen(client, varied):
    path = varied.get_absolute_url()
    page = read(client, f"{path}?counted_roles=trec_run")
    assert "The analysis of equal systems counts only these: shared-task run." in page.text
    found = client.get(f"{path[:-1]}.json?counted_roles=trec_run").json()
    whole = client.get(f"{path[:-1]}.json").json()
    assert (whole["n_results"], found["n_results"]) == (11, 9)
    assert found["verdict"]["set"] == whole["verdict"]["set"]


def test_a_filter_that_nothing_passes_says_so(client, varied):
    page = read(client, varied.get_absolute_url() + "?role=leaderboard")
    assert "No analysis: no result passes the filters." in page.text
    assert "No result passes these filters." in page.text


def test_what_does_not_compete_says_why(client, varied):
    page = read(client, varied.get_absolute_url())
    assert "other set of topics" in page.text
    assert "another execution; the mean of all competes" in page.text


def test_a_score_that_a_program_printed_has_the_digits_of_the_measure(client):
    board = make_board(("0.333333333333",))
    make_run(board, "0.3")
    make_run(board, "1")
    mark_changed(board)
    page = read(client, board.get_absolute_url())
    assert "0.3</a>\u2007\u2007\u2007" in page.source
    assert "1</a>\u2008\u2007\u2007\u2007\u2007" in page.source
    assert column(page, "Score") == ["1", "0.3333", "0.3"]


def test_a_paper_is_linked_by_its_short_form(client):
    board = make_board(VALUES[:1])
    paper = make_paper("https://github.com/someone/something")
    make_run(board, "0.2", paper=paper)
    assert read(client, board.get_absolute_url()).link("github.com/someone/something") == paper.get_absolute_url()
