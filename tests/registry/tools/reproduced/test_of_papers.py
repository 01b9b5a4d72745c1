"""What the page of a paper says of its numbers: met again, contested, alone, withdrawn."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.models import Paper, Result
from registry.results.services.endings import supersede_result, withdraw_result
from registry.tools.reproduced.of_papers import numbers_of_paper
from registry.tools.reproduced.queries import numbers_beside
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system
from tests.registry.pages import read
from tests.registry.tools.model_page.test_model_page import make_model

pytestmark = pytest.mark.django_db

TOOLKIT, PRINT = Result.Role.REFERENCE_IMPLEMENTATION, Result.Role.PROPOSED


@pytest.fixture
def paper():
    return make_paper("Doe (2020)")


def test_numbers_are_met_again_contested_or_alone(client, paper):
    boards, system, later = [make_leaderboard() for _ in range(4)], make_system("bm25"), make_paper("Roe (2021)")
    for board, own in zip(boards, ("0.25", "0.300", "0.41", "0.5"), strict=True):
        make_result(board, system, own, paper=paper, source="doe")
    make_result(boards[0], system, "0.2512", paper=later, source="roe")  # rounds to it
    make_result(boards[1], system, "0.3001", source="a toolkit")  # by machine
    contest = make_result(boards[2], system, "0.44", paper=later, source="roe")
    page = read(client, paper.get_absolute_url())
    assert "Of 4 comparable numbers that stand, 2 were met again by another source, 1 is contested" in page.text
    assert "for 1 nobody on record gives another" in page.text
    assert "Met again by Roe (2021) (1), a toolkit (1)." in page.text
    assert page.link("0.44") == contest.get_absolute_url()
    told = read(client, later.get_absolute_url()).text
    assert "Of 2 comparable numbers that stand, 1 was met again by another source, 1 is contested" in told


def test_the_same_run_again_by_a_toolkit_counts_under_its_own_name(client, paper):
    board, model = make_leaderboard(), make_model()
    make_result(board, make_system("splade", model=model), "38.3", unit="percent", source="p", paper=paper, role=PRINT)
    make_result(board, make_system("Anserini splade", model=model), "0.3828", source="anserini", role=TOOLKIT)
    assert "Met again by anserini (1)." in read(client, paper.get_absolute_url()).text


def test_what_was_withdrawn_is_no_number_of_it(client, paper):
    result = make_result(paper=paper)
    withdraw_result(result=result, actor=None, reason="misread")
    assert "1 number was withdrawn, and no comparable number stands" in read(client, paper.get_absolute_url()).text


def test_a_day_of_the_past_is_not_told_what_came_later(client, paper):
    make_result(paper=paper)
    assert "Its numbers" in read(client, paper.get_absolute_url()).text
    assert "Its numbers" not in read(client, f"{paper.get_absolute_url()}?as_of=2026-01-01").text


def test_other_numbers_are_of_the_same_system_there_or_of_the_same_run_again(paper):
    board, elsewhere, system, model = make_leaderboard(), make_leaderboard(), make_system("bm25"), make_model()
    later, page = make_paper("Roe (2021)"), make_paper("A page", kind=Paper.Kind.PAGE)
    own = make_result(board, system, "0.300", paper=paper, source="doe", role=PRINT)
    of_model = make_result(board, make_system("splade", model=model), "0.400", paper=paper, source="doe", role=PRINT)
    alone = make_result(elsewhere, system, "0.300", paper=paper, source="doe", role=PRINT)
    contest = make_result(board, system, "0.350", paper=later, source="roe", role=PRINT)
    make_result(board, system, "0.300", paper=page, source="a page", role=PRINT)
    make_result(board, make_system("another"), "0.9", paper=later, source="roe", role=PRINT)
    make_result(board, system, "0.9", paper=later, source="odd", comparability="doubtful")
    for of, withdrawn in ((paper, 2), (later, 1)):
        for number in range(withdrawn):
            gone = make_result(board, make_system(), f"0.1{number}", paper=of, source="doe")
            withdraw_result(result=gone, actor=None, reason="misread")
    for source, printed in (("anserini", "0.400"), ("pyserini", "0.4001")):
        make_result(board, make_system(model=model), printed, source=source, role=TOOLKIT)
    make_result(board, make_system(model=model), "0.400", source="anserini too", role=TOOLKIT, paper=page)
    found = numbers_of_paper(paper)
    assert (found.n, found.n_met, found.n_alone, found.n_withdrawn) == (3, 1, 1, 2)
    assert sorted(found.met_by) == [("anserini", 1), ("anserini too", 1), ("pyserini", 1)]
    assert [(one.printed, one.others) for one in found.contested] == [(own, (contest,))]
    beside = dict(numbers_beside(paper).numbers)
    assert list(beside) == [own, of_model, alone]
    assert [other.source for other in beside[own]] == ["roe", "a page"]
    assert sorted(other.source for other in beside[of_model]) == ["anserini", "anserini too", "pyserini"]
    assert beside[alone] == ()


def test_who_met_most_numbers_comes_first_and_counts_once_a_number(paper):
    boards, system = [make_leaderboard() for _ in range(3)], make_system("bm25")
    for board in boards:
        make_result(board, system, "0.3", paper=paper, source="doe")
    make_result(boards[0], system, "0.3", source="a toolkit")
    for board in boards[1:]:
        make_result(board, system, "0.3", paper=make_paper(f"Roe {board.pk}", kind=Paper.Kind.PAGE), source="a page")
    make_result(boards[2], system, "0.3", paper=make_paper("Third", kind=Paper.Kind.PAGE), source="a page")
    assert numbers_of_paper(paper).met_by == (("a page", 2), ("a toolkit", 1))


def test_numbers_of_more_leaderboards_take_no_more_queries(paper):
    def put(n: int) -> None:
        for _ in range(n):
            board, system = make_leaderboard(), make_system()
            make_result(board, system, "0.3", paper=paper, source="doe")
            make_result(board, system, "0.4", paper=make_paper(), source="roe")
            of_line = {"source": "a page", "locator": "runs.md#L7"}
            make_result(board, make_system(), "0.31", paper=paper, role=PRINT, **of_line)
            make_result(board, make_system(), "0.35", role=TOOLKIT, **of_line)

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            for one in numbers_of_paper(paper).contested:
                assert str(one.printed.leaderboard)
                assert [str(other.paper) for other in one.others]
                assert str(one.printed.system)
        return len(captured)

    put(1)
    few = count()
    put(3)
    assert count() == few


def test_what_a_paper_took_back_or_what_is_not_comparable_is_no_number_of_it(paper):
    board = make_leaderboard()
    corrected = make_result(board, printed="0.25", paper=paper)
    supersede_result(result=corrected, changes={"printed": "0.26"}, actor=None, reason="a slip")
    make_result(board, printed="0.9", paper=paper, comparability="doubtful")
    withdraw_result(result=make_result(board, printed="0.5", paper=paper), actor=None, reason="misread")
    found = numbers_of_paper(paper)
    assert (found.n, found.n_withdrawn) == (1, 1)


def test_what_a_page_prints_on_the_line_of_a_number_is_that_number_run_again(paper):
    board, line = make_leaderboard(), {"source": "a page", "locator": "runs.md#L7"}
    number = make_result(board, make_system("as printed"), "0.31", paper=paper, role=PRINT, **line)
    again = make_result(board, make_system("as run"), "0.35", role=TOOLKIT, **line)
    make_result(board, make_system("elsewhere"), "0.36", role=TOOLKIT, source="a page", locator="runs.md#L8")
    assert numbers_beside(paper).numbers == ((number, (again,)),)


def test_another_number_of_the_same_paper_is_none_of_others(paper):
    board, system = make_leaderboard(), make_system("bm25")
    for source in ("doe", "a survey"):
        make_result(board, system, "0.3", paper=paper, source=source)
    assert numbers_of_paper(paper).n_alone == 2


def test_numbers_that_stand_alone_are_read_at_once(paper, django_assert_num_queries):
    for _ in range(2):
        make_result(paper=paper)
    with django_assert_num_queries(1):
        assert numbers_of_paper(paper).n_alone == 2
