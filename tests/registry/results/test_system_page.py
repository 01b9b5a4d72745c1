"""GET /systems/<id>/"""

import pytest

from registry.catalog.models import Measure
from registry.results.models import Result, System
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_result,
    make_system,
)
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_it_says_who_made_it_and_what_it_scored(client):
    system = make_system("BM25+RM3", team="a team", approach="query expansion")
    board = make_leaderboard(make_collection(name="Robust"), make_measure("AP"))
    paper = make_paper("Doe (2001)")
    make_result(board, system, "0.3", paper=paper, year=2001, locator="Table 3", notes="on titles", run_type="manual")
    page = read(client, system.get_absolute_url())
    assert page.headings[0] == (1, "BM25+RM3")
    assert "by a team" in page.text
    assert "query expansion" in page.text
    row = page.row("Robust, AP")
    assert [row[0], row[1].strip(), *row[2:5]] == ["Robust, AP", "0.3", "2001", "baseline, manual", "transcribed"]
    assert row[5] == "Doe (2001) Table 3 on titles"
    assert page.link("Robust, AP") == board.get_absolute_url()
    assert page.link("Doe (2001)") == paper.get_absolute_url()


def test_without_results_it_says_so(client):
    page = read(client, make_system().get_absolute_url())
    assert "No results are recorded." in page.text
    assert "0 results" not in page.text
    assert "As printed" not in page.text


def test_what_all_results_say_stands_above_them_as_far_as_they_do(client):
    def page_of(years, **fields):
        system = make_system()
        for year, printed in zip(years, ("0.31", "0.32", "0.33", "0.34", "0.35"), strict=True):
            make_result(make_leaderboard(), system, printed, year=year, **fields)
        return read(client, system.get_absolute_url()).text

    assert "All below: 2001, baseline, transcribed; on titles. " in page_of([2001] * 5, notes="on titles")
    assert "All below: baseline, transcribed. " in page_of([None] * 5)
    system = make_system()
    for place, printed in enumerate(("0.31", "0.32", "0.33", "0.34", "0.35")):
        of_other = {"comparability": Result.Comparability.ORACLE} if place == 0 else {}
        make_result(make_leaderboard(), system, printed, year=2001, **of_other)
    assert "All below: 2001, baseline. " in read(client, system.get_absolute_url()).text


def test_what_ended_stays_struck_through_with_the_reason(client):
    system = make_system()
    withdraw_result(result=make_result(system=system, printed="0.41"), actor=None, reason="the run was withdrawn")
    supersede_result(
        result=make_result(system=system, printed="0.42"), changes={"printed": "0.43"}, actor=None, reason="erratum"
    )
    page = read(client, system.get_absolute_url())
    assert "<s>0.41</s>" in page.source
    assert "the run was withdrawn" in page.text
    assert "<s>0.42</s>" in page.source
    assert "erratum" in page.text
    assert "<s>0.43</s>" not in page.source


def test_a_departure_from_the_setting_is_named(client):
    result = make_result(comparability=Result.Comparability.ORACLE)
    assert "transcribed; uses the judgements" in read(client, result.system.get_absolute_url()).text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '" onmouseover="x', "עברית"])
def test_names_are_text_and_nothing_else(client, name):
    result = make_result(system=make_system(name, team=name, approach=name), notes=name, source=name, locator=name)
    page = read(client, result.system.get_absolute_url())
    assert page.headings[0] == (1, name)
    assert "<script>alert" not in page.source
    assert not [attributes for _, attributes in page.elements if "onmouseover" in attributes]


def test_long_lists_come_in_pages(client):
    system = make_system()
    first = make_result(system=system)
    Result.objects.bulk_create(
        Result(leaderboard=first.leaderboard, system=system, printed="0.1", value=0.1, role="baseline",
               source=f"s{number}", recorded_at=first.recorded_at, recorded_by=first.recorded_by)
        for number in range(25)
    )  # fmt: skip
    path = system.get_absolute_url()
    page = read(client, path)
    assert "Results 1 to 25 of 26" in page.text
    assert len(read(client, path + page.link("Next")).rows) == 2


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    system = make_system()
    path = system.get_absolute_url()
    make_result(system=system, paper=make_paper())
    # One of them reads the analyses of all leaderboards on the page; seven find how it stands across collections, once.
    with django_assert_max_num_queries(18) as few:
        read(client, path)
    for _ in range(8):
        make_result(system=system, paper=make_paper())
    with django_assert_max_num_queries(len(few)):
        read(client, path)


def test_an_unknown_id_is_404(client):
    assert "No system has the id 999." in read(client, "/systems/999/", status=404).text


@pytest.mark.parametrize("query", ["page=x", "sort=year"])
def test_what_is_not_known_is_refused(client, query):
    assert read(client, f"{make_system().get_absolute_url()}?{query}", status=400).headings[0][1].startswith("That")


def test_it_is_only_read(client):
    path = make_system().get_absolute_url()
    assert client.post(path).status_code == 405
    assert client.head(path).status_code == 200


def test_a_page_has_25_results(client):
    board, system = make_leaderboard(), make_system()
    for number in range(26):
        make_result(board, system, f"0.{100 + number}", source=f"source {number}")
    first, second = (read(client, f"{system.get_absolute_url()}?page={page}").source for page in (1, 2))
    assert [f"0.{100 + number}" in first for number in range(26)] == [False] + [True] * 25
    assert [f"0.{100 + number}" in second for number in range(26)] == [True] + [False] * 25


def test_what_results_are_about_has_those_of_merged_names_too():
    system, paper, model = make_system("a"), make_paper("Doe (2001)"), make_model()
    named, cited = make_system("b", merged_into=system), make_paper("Doe (2002)", merged_into=paper)
    System.objects.filter(pk=system.pk).update(model=model)
    board = make_leaderboard()
    of_both = make_result(board, system, paper=paper)
    by_names = make_result(board, named, paper=cited)
    other = make_result(make_leaderboard(board.collection), make_system("c"))
    make_result(make_leaderboard())
    assert set(Result.objects.about(system)) == set(Result.objects.about(paper)) == {of_both, by_names}
    assert set(Result.objects.about(model)) == {of_both, by_names}
    assert set(Result.objects.about(named)) == set(Result.objects.about(cited)) == {by_names}
    assert set(Result.objects.about(board.collection)) == {of_both, by_names, other}


def test_a_list_of_results_has_one_leaderboard_after_the_other_with_the_best_first():
    first, second = (make_collection(slug) for slug in ("b", "a"))
    boards = [make_leaderboard(first, make_measure(name)) for name in ("P@5", "AP")]
    boards.append(make_leaderboard(second, Measure.objects.get(name="P@5")))
    for board in boards:
        made = [make_result(board, printed=printed) for printed in ("0.1", "0.3", "0.9", "0.2")]
        for result in made[2:]:
            withdraw_result(result=result, actor=None, reason="an erratum")
    listed = [(str(one.leaderboard), one.printed) for one in Result.objects.for_listing()]
    exported = [(str(one.leaderboard), one.printed) for one in Result.objects.for_export()]
    names = [str(boards[number]) for number in (2, 1, 0)]
    assert listed == [(name, printed) for name in names for printed in ("0.3", "0.1", "0.2", "0.9")]
    assert exported == [(name, printed) for name in names for printed in ("0.3", "0.1")]


def test_of_results_that_are_alike_the_first_that_was_recorded_stands_first():
    board = make_leaderboard()
    alike = [make_result(board) for _ in range(3)]
    assert list(Result.objects.for_listing()) == list(Result.objects.for_export()) == alike
