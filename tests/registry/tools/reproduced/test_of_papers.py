"""What the page of a paper says of its numbers: met again, contested, alone, withdrawn."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.tools.reproduced import numbers_of_paper
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system
from tests.registry.pages import read

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
    assert "Of 4 comparable numbers, 2 were reproduced, 1 differs from another source" in page.text
    assert "1 has no second source" in page.text
    assert "Reproduced by Roe (2021) (1), a toolkit (1)." in page.text
    assert page.link("0.44") == contest.get_absolute_url()
    text = read(client, later.get_absolute_url()).text
    assert "Of 2 comparable numbers, 1 was reproduced, 1 differs from another source" in text


def test_what_was_withdrawn_is_no_number_of_it(client, paper):
    result = make_result(paper=paper)
    withdraw_result(result=result, actor=None, reason="misread")
    assert "1 number was withdrawn, and no comparable number stands" in read(client, paper.get_absolute_url()).text


def test_a_day_of_the_past_is_not_told_what_came_later(client, paper):
    make_result(paper=paper)
    assert "comparable number" in read(client, paper.get_absolute_url()).text
    assert "comparable number" not in read(client, f"{paper.get_absolute_url()}?as_of=2026-01-01").text


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
            for number in numbers_of_paper(paper).contested:
                assert str(number.printed.leaderboard)
                assert [str(other.paper) for other in number.others]
                assert str(number.printed.system)
        return len(captured)

    put(1)
    few = count()
    put(3)
    assert count() == few
