"""Printed and run again: which prints count as run again, and how far apart they lie."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.results.models import Result, Source
from registry.tools.reproduced import views
from registry.tools.reproduced.documents import reproduced_document
from tests.registry.factory import make_collection, make_entry, make_leaderboard, make_paper, make_result, make_system
from tests.registry.pages import read
from tests.registry.tools.model_page.test_model_page import make_model

pytestmark = pytest.mark.django_db

TOOLKIT, PRINT = Result.Role.REFERENCE_IMPLEMENTATION, Result.Role.PROPOSED


@pytest.fixture
def model():
    return make_model()


def pairs(client: Client) -> list[tuple[str, str, str, float, bool]]:
    found = client.get("/reproduced.json").json()["pairs"]
    return [
        (one["printed"]["printed"], one["again"]["printed"], one["how"], one["difference"], one["agrees"])
        for one in found
    ]


def test_one_result_of_a_model_in_each_source_is_a_pair(client: Client, model):
    board, paper = make_leaderboard(), make_paper("Doe (2024)")
    make_result(board, make_system("splade", model=model), "38.3", unit="percent", source="p", paper=paper, role=PRINT)
    make_result(board, make_system("Anserini splade", model=model), "0.3828", source="anserini", role=TOOLKIT)
    make_result(board, make_system("of another", model=make_model("x", "x")), "0.1", source="anserini", role=TOOLKIT)
    make_result(board, make_system("of none"), "0.2", source="anserini", role=TOOLKIT)
    assert pairs(client) == [("38.3", "0.3828", "model", -0.0002, True)]
    page = read(client, "/reproduced/")
    assert "Of 1 printed score that somebody ran again, 1 came out as printed" in page.text
    assert page.link("Doe (2024)") == paper.get_absolute_url()


def test_several_settings_are_listed_and_not_counted(client: Client, model):
    board = make_leaderboard()
    make_result(board, make_system("splade", model=model), "0.7", source="a paper", role=PRINT)
    for name, value in (("flat", "0.71"), ("hnsw", "0.69")):
        make_result(board, make_system(name, model=model), value, source="anserini", role=TOOLKIT)
    document = client.get("/reproduced.json").json()
    assert (document["all"], document["pairs"], len(document["several"])) == (None, [], 1)
    (found,) = document["several"]
    assert (found["model"], found["name"], found["url"]) == (
        model.name,
        board.collection.name,
        board.get_absolute_url(),
    )
    assert [one["printed"] for one in found["printed"]] == ["0.7"]
    assert [(one["system"], one["printed"]) for one in found["again"]] == [("flat", "0.71"), ("hnsw", "0.69")]


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


def test_distances_are_told_by_who_prints_and_who_ran_it(client: Client, model):
    paper = make_paper("Doe (2024)")
    for printed, again in (("0.5000", "0.49996"), ("0.5000", "0.4900"), ("0.5000", "0.5300"), ("0.5000", "0.3000")):
        board = make_leaderboard()
        make_result(board, make_system(model=model), printed, source="page", paper=paper, role=PRINT)
        make_result(board, make_system(model=model), again, source="anserini", role=TOOLKIT)
    document = client.get("/reproduced.json").json()
    for one in (document["all"], document["by_print"][0], document["by_runner"][0]):
        assert (one["n"], one["n_agreeing"], one["n_lower"]) == (4, 1, 2)
        assert one["median"] == pytest.approx(0.02)
        assert one["largest"] == pytest.approx(0.2)
        assert one["upper_quartile"] == pytest.approx(0.0725), "of 0, 0.01, 0.03 and 0.2"
    assert [(one["name"], one["url"]) for one in document["by_print"]] == [("Doe (2024)", paper.get_absolute_url())]
    assert [(one["name"], one["url"]) for one in document["by_runner"]] == [("anserini", "")]
    assert [one["difference"] for one in document["pairs"]] == pytest.approx([-0.2, 0.03, -0.01, -0.00004])
    page = read(client, "/reproduced/")
    assert "1 beyond 0.05" in page.text
    assert page.source.count('<path class="dot ') == 4
    lines = client.get("/reproduced.csv").content.decode().splitlines()
    assert len(lines) == 5
    first = document["pairs"][0]
    assert lines[0] == (
        "collection,measure,model,printed_by,printed,unit,again_by,again,again_unit,difference,agrees,how,url"
    )
    assert lines[1] == (
        f"{first['collection']},{first['measure']},splade-v3,Doe (2024),0.5000,,anserini,0.3000,,-0.2,"
        f"false,model,{first['url']}"
    )


def test_who_prints_most_comes_first_and_of_as_many_in_the_order_of_names(client: Client, model):
    for source in ("beta", "Gamma", "alpha", "alpha"):
        board = make_leaderboard()
        make_result(board, make_system(model=model), "0.5", source=source, role=PRINT)
        make_result(board, make_system(model=model), "0.4", source=f"by {source}", role=TOOLKIT)
    document = client.get("/reproduced.json").json()
    assert [(one["name"], one["n"], one["url"]) for one in document["by_print"]] == [
        ("alpha", 2, ""),
        ("beta", 1, ""),
        ("Gamma", 1, ""),
    ]
    assert [one["name"] for one in document["by_runner"]] == ["by alpha", "by beta", "by Gamma"]
    one = document["by_print"][1]
    assert (one["median"], one["upper_quartile"], one["largest"]) == pytest.approx((0.1, 0.1, 0.1))


def test_lines_of_a_page_tell_only_where_one_run_stands_on_them(client: Client):
    def put(locator, *again):
        board = make_leaderboard()
        make_result(board, make_system(), "0.500", role=PRINT, source="toolkit", locator=locator)
        for value in again:
            make_result(board, make_system(), value, role=TOOLKIT, source="toolkit", locator=locator)

    put("docs/dpr.md#L3", "0.51", "0.52")
    put("docs/dpr.md", "0.53")
    put("docs/dpr.md#L4")
    assert pairs(client) == []
    put("docs/dpr.md#L5", "0.54")
    assert pairs(client) == [("0.500", "0.54", "same_line", 0.04, False)]
    (found,) = client.get("/reproduced.json").json()["pairs"]
    assert (found["model"], found["paper"], found["printed_by"], found["again_by"]) == ("", None, "toolkit", "toolkit")


def test_what_makers_report_of_their_own_is_a_print_and_none_of_its_own_board_again(client: Client, model):
    board, mteb = make_leaderboard(), {"source": "embeddings-benchmark/results", "role": Result.Role.LEADERBOARD}
    make_result(board, make_system(model=model), "0.500", is_self_reported=True, **mteb)
    make_result(board, make_system(model=model), "0.400", **mteb)
    assert pairs(client) == []
    make_result(board, make_system(model=model), "0.450", source="anserini", role=TOOLKIT)
    assert pairs(client) == [("0.500", "0.450", "model", -0.05, False)]


def test_a_print_is_of_the_paper_where_all_prints_of_its_source_are(client: Client, model):
    doe, roe = make_paper("Doe (2024)"), make_paper("Roe (2023)")
    for source, papers in (("of one", [doe, doe]), ("of two", [doe, roe]), ("of none", [None])):
        for paper in papers:
            board, own = make_leaderboard(), {"source": source, "paper": paper, "role": PRINT}
            make_result(board, make_system(model=model), "0.5", **own)
            make_result(board, make_system(model=model), "0.4", source="anserini", role=TOOLKIT)
    document = client.get("/reproduced.json").json()
    assert [(one["name"], one["n"], one["url"]) for one in document["by_print"]] == [
        ("Doe (2024)", 2, doe.get_absolute_url()),
        ("of two", 2, ""),
        ("of none", 1, ""),
    ]
    assert {one["paper"]["cite"] if one["paper"] else "" for one in document["pairs"]} == {"Doe (2024)", ""}


def test_prints_of_two_papers_of_a_source_are_each_run_again_and_two_of_one_are_several(client: Client, model):
    board = make_leaderboard()
    for printed, paper in (("0.50", make_paper("Doe (2024)")), ("0.52", make_paper("Roe (2023)"))):
        make_result(board, make_system(model=model), printed, source="p", paper=paper, role=PRINT)
    make_result(board, make_system(model=model), "0.55", source="anserini", role=TOOLKIT)
    assert [(one[0], one[1]) for one in pairs(client)] == [("0.50", "0.55"), ("0.52", "0.55")]
    other = make_leaderboard()
    for printed in ("0.60", "0.61"):
        make_result(other, make_system(model=model), printed, source="q", role=PRINT)
    make_result(other, make_system(model=model), "0.62", source="anserini", role=TOOLKIT)
    (several,) = client.get("/reproduced.json").json()["several"]
    assert ([one["printed"] for one in several["printed"]], [one["printed"] for one in several["again"]]) == (
        ["0.60", "0.61"],
        ["0.62"],
    )


def test_what_is_not_comparable_withdrawn_or_another_execution_is_no_pair(client: Client, model):
    for fields in (
        {"comparability": Result.Comparability.TOPIC_SUBSET},
        {"ended_at": timezone.now(), "ended_by": make_entry(), "ending": "withdrawn"},
        {"replicate_of": make_result()},
    ):
        for of_print, of_run in ((fields, {}), ({}, fields)):
            board = make_leaderboard()
            make_result(board, make_system(model=model), "0.5", source="p", role=PRINT, **of_print)
            make_result(board, make_system(model=model), "0.4", source="anserini", role=TOOLKIT, **of_run)
    assert pairs(client) == []


def test_pairs_that_differ_as_much_stand_by_collection(client: Client, model):
    for name in ("beta", "Gamma", "Alpha"):
        board = make_leaderboard(make_collection(name=name))
        make_result(board, make_system(model=model), "0.5", source="p", role=PRINT)
        make_result(board, make_system(model=model), "0.4", source="anserini", role=TOOLKIT)
    assert [one["name"] for one in client.get("/reproduced.json").json()["pairs"]] == ["Alpha", "beta", "Gamma"]


def test_who_else_prints_a_number_is_named_in_its_notes(client: Client, model):
    for name in ("page", "page two", "toolkit"):
        Source.objects.create(name=name, what="w", address="https://example.org/")
    paper = make_paper("Doe (2024)")
    for source, fields in (("page", {}), ("page two", {"paper": paper})):
        make_result(printed="0.5", source=source, role=PRINT, **fields)
    make_result(printed="0.5", source="page two", role=Result.Role.BASELINE, paper=paper)
    make_result(printed="0.6", source="page two", role=Result.Role.LEADERBOARD)
    # As many prints as runs make no source of prints.
    make_result(printed="0.5", source="toolkit", role=PRINT)
    told = [
        ("0.41", "anserini", TOOLKIT, "also in page two Table 1"),
        ("0.42", "anserini", TOOLKIT, "see also in page Table 1; checked; also in page Table 2"),
        ("0.43", "embeddings-benchmark/results", Result.Role.LEADERBOARD, "also in page L1"),
        ("0.44", "another board", Result.Role.LEADERBOARD, "also in page L1"),
        ("0.45", "toolkit", TOOLKIT, "also in toolkit L1"),
        ("0.46", "anserini", TOOLKIT, "also in pages L1"),
        ("0.47", "anserini", TOOLKIT, "printed also in page"),
    ]
    for printed, source, role, notes in told:
        make_result(system=make_system(model=model), printed=printed, source=source, role=role, notes=notes)
    found = client.get("/reproduced.json").json()["pairs"]
    assert sorted((one["printed"]["printed"], one["printed_by"], one["again_by"], one["model"]) for one in found) == [
        ("0.41", "Doe (2024)", "anserini", "splade-v3"),
        ("0.42", "page", "anserini", "splade-v3"),
        ("0.43", "page", "embeddings-benchmark/results", "splade-v3"),
    ]
    assert {(one["how"], one["agrees"], one["difference"]) for one in found} == {("one_row", True, 0.0)}


def test_more_pairs_take_no_more_queries(model):
    def put(n: int) -> None:
        for number in range(n):
            board = make_leaderboard()
            paper = make_paper()
            make_result(board, make_system(model=model), "0.5", source=f"p{paper.pk}", paper=paper, role=PRINT)
            make_result(board, make_system(model=model), f"0.4{number}", source="anserini", role=TOOLKIT)

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            reproduced_document()
        return len(captured)

    put(1)
    few = count()
    put(3)
    assert count() == few


def test_nothing_on_record_is_said(client: Client):
    assert "No printed score on record was run again" in read(client, "/reproduced/").text


def test_what_a_line_pairs_is_named_by_it_and_paired_no_second_time(client: Client, model):
    board, line = make_leaderboard(), {"source": "toolkit", "locator": "docs/splade.md#L3"}
    make_result(board, make_system(model=model), "0.50", role=PRINT, **line)
    make_result(board, make_system(model=model), "0.54", role=TOOLKIT, **line)
    make_result(board, make_system(model=model), "0.58", role=TOOLKIT, source="anserini")
    assert pairs(client) == [("0.50", "0.54", "same_line", 0.04, False)]
    document = client.get("/reproduced.json").json()
    assert (document["pairs"][0]["model"], document["several"]) == ("", [])


def test_systems_of_which_nobody_knows_the_model_are_no_pair(client: Client, model):
    board, line = make_leaderboard(), {"source": "toolkit", "locator": "docs/dpr.md#L3"}
    make_result(board, make_system(), "0.50", source="p", role=PRINT)
    make_result(board, make_system(model=model), "0.60", source="p", role=PRINT)
    make_result(board, make_system(), "0.40", source="anserini", role=TOOLKIT)
    for printed, role in (("0.70", PRINT), ("0.80", TOOLKIT)):
        make_result(board, make_system(), printed, role=role, **line)
    assert [one[:3] for one in pairs(client)] == [("0.70", "0.80", "same_line")]


def test_the_page_has_the_pairs_that_differ_most_and_says_of_how_many(client: Client, model, monkeypatch):
    monkeypatch.setattr(views, "MOST_SHOWN", 1)
    for again, said in (("0.41", "All, those that differ most first"), ("0.42", "The 1 that differ most, of 2")):
        board = make_leaderboard()
        make_result(board, make_system(model=model), "0.5", source="p", role=PRINT)
        make_result(board, make_system(model=model), again, source="anserini", role=TOOLKIT)
        page = read(client, "/reproduced/")
        assert said in page.text
        assert [row[2:] for row in page.rows if row[-1] == "−0.0900"] == [["0.41 anserini", "−0.0900"]]
