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


def test_columns_that_nothing_fills_are_left_out(client):
    board = make_board(VALUES[:2])
    for system in (result.system for result in board.results.all()):
        system.team = ""
        system.save()
    page = read(client, board.get_absolute_url())
    assert headings(page) == ["Rank", "System", "Score", "Role", "Evidence", "Source"]


def test_columns_that_something_fills_are_shown(client, varied):
    shown = headings(read(client, varied.get_absolute_url()))
    assert [name.replace("\u00ad", "") for name in shown] == [
        "Rank", "System", "Score", "May be best", "Tier", "Year", "z", "Percentile", "Team", "Role", "Run type",
        "Evidence", "Source",
    ]  # fmt: skip


def test_scores_by_topic_add_their_columns(client):
    shown = headings(read(client, make_board_by_topic().get_absolute_url()))
    assert {"p", "z by topic"} <= set(shown)


def test_every_column_is_explained_or_speaks_for_itself(client, varied):
    page = read(client, varied.get_absolute_url())
    assert "Tier 1 can’t be told from the best" in page.text
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
def test_a_filter_keeps_what_passes_and_leaves_n_alone(client, varied, query, kept):
    page = read(client, f"{varied.get_absolute_url()}?{query}")
    whole = read(client, varied.get_absolute_url())
    assert len(results_of(page)) == 1
    assert kept in results_of(page)[0] or kept in page.text
    assert "The others were tried and still count." in page.text
    n = next(word for word in whole.text.split("The best of ")[1].split() if word.isdigit())
    assert f"of {n} that were tried" in page.text


def test_filters_that_would_change_nothing_are_not_offered(client):
    page = read(client, make_board().get_absolute_url())
    assert "These choose who may be the best." not in page.text


def test_a_chosen_filter_is_marked_and_can_be_undone(client, varied):
    page = read(client, varied.get_absolute_url() + "?role=proposed")
    chosen = [link["href"] for link in page.of("a") if link.get("aria-current")]
    assert "?role=proposed#results" in chosen
    assert page.link("Show it without these choices") == varied.get_absolute_url()


def test_what_counts_can_be_chosen_too(client, varied):
    page = read(client, varied.get_absolute_url() + "?family=trec_run")
    assert "Only these count as tried: shared-task run." in page.text
    assert "not counted: of a role that is left out by choice" in page.text
    assert "2 results: of a role that is left out by choice" in page.text


def test_a_filter_that_nothing_passes_says_so(client, varied):
    page = read(client, varied.get_absolute_url() + "?role=leaderboard")
    assert "No analysis: none of the independent results passes the filters." in page.text
    assert "No result passes these filters." in page.text


def test_what_does_not_count_says_why(client, varied):
    page = read(client, varied.get_absolute_url())
    assert "not counted: other set of topics" in page.text
    assert "not counted: another execution of a system that is counted once" in page.text
    assert "not counted: reference implementation" not in page.text


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
