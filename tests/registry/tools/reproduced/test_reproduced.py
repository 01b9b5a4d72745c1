"""Reproduced scores: which reported ones count as run again, how far apart they lie, and what pages of papers say."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.results.models import Result, Source
from registry.results.services.endings import withdraw_result
from registry.tools.reproduced import numbers_of_paper, reproduced_document
from tests.registry.factory import make_leaderboard, make_paper, make_result, make_system
from tests.registry.pages import read
from tests.registry.tools.model_page.test_model_page import make_model

TOOLKIT, PRINT = Result.Role.REFERENCE_IMPLEMENTATION, Result.Role.PROPOSED


@pytest.fixture
def model():
    return make_model()


def pairs(client: Client) -> list[tuple[str, str, str, float, bool]]:
    rows = client.get("/reproduced.json").json()["pairs"]
    return [
        (pair["printed"]["printed"], pair["again"]["printed"], pair["how"], pair["difference"], pair["agrees"])
        for pair in rows
    ]


def queries_of(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def test_one_result_of_a_model_in_each_source_is_a_pair(client: Client, model):
    board, paper = make_leaderboard(), make_paper("Doe (2024)")
    make_result(board, make_system("splade", model=model), "38.3", unit="percent", source="p", paper=paper, role=PRINT)
    make_result(board, make_system("Anserini splade", model=model), "0.3828", source="anserini", role=TOOLKIT)
    make_result(board, make_system("of another", model=make_model("x", "x")), "0.1", source="anserini", role=TOOLKIT)
    make_result(board, make_system("of none"), "0.2", source="anserini", role=TOOLKIT)
    assert pairs(client) == [("38.3", "0.3828", "model", -0.0002, True)]
    page = read(client, "/reproduced/")
    assert "Of 1 reported score run again, 1 match" in page.text
    (pair,) = client.get("/reproduced.json").json()["pairs"]
    assert pair["paper"]["url"] == paper.get_absolute_url()


def test_a_page_that_prints_both_on_a_line_says_that_they_are_the_same(client: Client):
    board, other = make_leaderboard(), make_leaderboard()
    same = {"source": "toolkit", "locator": "docs/dpr.md#L3"}
    make_result(board, make_system("DPR (paper)"), "79.4", unit="percent", role=PRINT, **same)
    make_result(board, make_system("DPR"), "79.5", unit="percent", role=TOOLKIT, **same)
    make_result(other, make_system("DPR elsewhere"), "0.1", role=TOOLKIT, **same)
    assert pairs(client) == [("79.4", "79.5", "same_line", 0.001, False)]


def test_one_number_that_both_print_agrees(client: Client):
    board = make_leaderboard()
    for name in ("a paper (2024)", "anserini"):
        Source.objects.create(name=name, what="w", address="https://example.org/")
    make_result(make_leaderboard(), make_system(), "0.5", source="a paper (2024)", role=PRINT)
    make_result(
        board, make_system(), "0.42", source="anserini", role=TOOLKIT, notes="old; also in a paper (2024) Table 1"
    )
    make_result(make_leaderboard(), make_system(), "0.3", source="other", role=TOOLKIT, notes="also in anserini x")
    assert pairs(client) == [("0.42", "0.42", "one_row", 0.0, True)]


def test_more_pairs_take_no_more_queries(model):
    def put(n: int) -> None:
        for number in range(n):
            board = make_leaderboard()
            paper = make_paper()
            make_result(board, make_system(model=model), "0.5", source=f"p{paper.pk}", paper=paper, role=PRINT)
            make_result(board, make_system(model=model), f"0.4{number}", source="anserini", role=TOOLKIT)

    put(1)
    few = queries_of(reproduced_document)
    put(3)
    assert queries_of(reproduced_document) == few


def test_what_a_line_pairs_is_named_by_it_and_paired_no_second_time(client: Client, model):
    board, line = make_leaderboard(), {"source": "toolkit", "locator": "docs/splade.md#L3"}
    make_result(board, make_system(model=model), "0.50", role=PRINT, **line)
    make_result(board, make_system(model=model), "0.54", role=TOOLKIT, **line)
    make_result(board, make_system(model=model), "0.58", role=TOOLKIT, source="anserini")
    assert pairs(client) == [("0.50", "0.54", "same_line", 0.04, False)]
    document = client.get("/reproduced.json").json()
    assert [pair["model"] for pair in document["pairs"]] == [""]


def test_several_settings_are_not_counted(client: Client, model):
    board = make_leaderboard()
    make_result(board, make_system("splade", model=model), "0.7", source="a paper", role=PRINT)
    for name, value in (("flat", "0.71"), ("hnsw", "0.69")):
        make_result(board, make_system(name, model=model), value, source="anserini", role=TOOLKIT)
    assert client.get("/reproduced.json").json() == {"all": None, "pairs": []}


def test_prints_of_two_papers_of_a_source_are_each_run_again_and_two_of_one_are_not(client: Client, model):
    board = make_leaderboard()
    for printed, paper in (("0.50", make_paper("Doe (2024)")), ("0.52", make_paper("Roe (2023)"))):
        make_result(board, make_system(model=model), printed, source="p", paper=paper, role=PRINT)
    make_result(board, make_system(model=model), "0.55", source="anserini", role=TOOLKIT)
    assert [(pair[0], pair[1]) for pair in pairs(client)] == [("0.50", "0.55"), ("0.52", "0.55")]
    other = make_leaderboard()
    for printed in ("0.60", "0.61"):
        make_result(other, make_system(model=model), printed, source="q", role=PRINT)
    make_result(other, make_system(model=model), "0.62", source="anserini", role=TOOLKIT)
    assert len(pairs(client)) == 2


# --- what the page of a paper says of its numbers


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

    def show() -> None:
        for number in numbers_of_paper(paper).contested:
            assert str(number.printed.leaderboard)
            assert [str(other.paper) for other in number.others]
            assert str(number.printed.system)

    put(1)
    few = queries_of(show)
    put(3)
    assert queries_of(show) == few
