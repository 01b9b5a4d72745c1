"""What forms offer while somebody types: names that may be meant, and where a score would stand."""

from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.submissions.forms import ProspectForm
from registry.submissions.queries.prospects import read_prospect, results_of_system
from registry.submissions.queries.suggestions import read_typed
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_results,
    make_system,
)
from tests.registry.leaderboards.boards import make_board
from tests.registry.submissions.world import make_robust04

pytestmark = pytest.mark.django_db


def values(kind: str, text: str, **of: str) -> list[str]:
    return [one.value for one in read_typed(kind, text, **of).suggestions]


# --- names


def test_systems_come_by_what_they_begin_with_then_by_what_they_contain_the_shortest_first():
    for name in ("My dense model", "Dense X", "Dense", "Sparse", "Densely"):
        make_system(name)
    target = make_system("dense retrieval", "Lab")
    make_system("Dense R", merged_into=target)
    typed = read_typed("system", "DENSE")
    assert [one.value for one in typed.suggestions] == [
        "Dense", "Dense X", "Densely", "dense retrieval", "My dense model",
    ]  # fmt: skip
    assert typed.is_told
    lab = typed.suggestions[3]
    assert (lab.label, lab.detail, lab.fills) == ("dense retrieval", "by Lab", {"team": "Lab"})
    assert (typed.suggestions[0].detail, typed.suggestions[0].fills) == ("", {"team": ""})
    assert values("system", "model dense") == ["My dense model"]
    assert values("system", "dnese") == ["Dense", "Densely", "Dense X"]
    make_system("Dense", "Lab")
    assert not read_typed("system", "dense").is_told, "whose of the two is not told"


def test_there_are_eight_suggestions_at_most():
    for number in range(10):
        make_system(f"Model {number}")
        make_paper(f"Doe ({2000 + number})", year=2000 + number)
    assert values("system", "model") == [f"Model {number}" for number in range(8)]
    assert values("paper", "doe") == [f"Doe ({year})" for year in range(2009, 2001, -1)]


def test_papers_are_found_by_words_of_any_field_the_newest_first():
    make_paper("Doe (ECIR 2019)", title="Dense retrieval", authors="Jane Doe", year=2019)
    newest = make_paper("Doe (SIGIR 2021)", url="https://example.org/dense", year=2021)
    make_paper("Doe (notes)", title="Dense notes")
    make_paper("Doe (CIKM 2022)", title="Sparse", year=2022)
    make_paper("Doe (WSDM 2023)", title="Dense", year=2023, merged_into=newest)
    typed = read_typed("paper", "dense doe")
    assert [(one.value, one.detail) for one in typed.suggestions] == [
        ("Doe (SIGIR 2021) https://example.org/dense", "https://example.org/dense"),
        ("Doe (ECIR 2019)", "Dense retrieval"),
        ("Doe (notes)", "Dense notes"),
    ]
    assert not typed.is_told
    assert values("paper", "jane") == ["Doe (ECIR 2019)"]
    assert read_typed("paper", "doe (ecir 2019)").is_told
    assert values("paper", " ") == values("paper", "d" * 301) == []


def test_collections_say_of_which_suite_they_are_and_how_many_topics_they_have():
    make_collection("fruit-pears", name="Pears", suite="Fruit", n_topics=1200)
    make_collection("fruit-plums", name="Fruit of plums", suite="Fruit", n_topics=None)
    make_collection("fruit-figs", name="Figs", suite="Fruit", n_topics=1)
    found = {one.value: (one.label, one.detail) for one in read_typed("collection", "fruit").suggestions}
    assert found == {
        "fruit-pears": ("Pears", "Fruit, 1,200 topics"),
        "fruit-plums": ("Fruit of plums", ""),
        "fruit-figs": ("Figs", "Fruit, 1 topic"),
    }


def test_measures_of_the_collection_come_first_and_alone_before_anything_is_typed():
    collection, other = make_collection("fruit"), make_collection("vegetables")
    recall, _, gain = (make_measure(name, long_name=f"{name} in full") for name in ("R@10", "R@100", "R@1000"))
    make_leaderboard(collection, gain, results_version=1)
    make_leaderboard(collection, recall)
    make_leaderboard(other, recall, results_version=1)
    assert values("measure", "", collection="fruit") == ["R@1000"]
    assert values("measure", "r", collection="fruit")[0] == "R@1000"
    assert values("measure", "r@10", collection="fruit")[:2] == ["R@10", "R@1000"], "what has the name comes first"
    assert read_typed("measure", "r@100").suggestions[0].detail == "R@100 in full"


# --- where a score would stand


def test_a_score_stands_among_those_that_compete():
    board = make_robust04()
    results = make_results(board, [0.5, 0.4, 0.3, 0.2])
    make_result(board, printed="0.9", comparability=Result.Comparability.DOUBTFUL)
    make_result(board, printed="0.8", replicate_of=results[0])
    few = read_prospect(board, 0.4)
    assert (few.leaderboard, few.value, few.rank, few.n, few.n_held_back) == (board, 0.4, 2, 4, 0)
    assert (few.z, few.percentile, few.may_be_best, few.is_highest, few.reference) == (None, None, None, False, "")
    assert few.best.printed == "0.5000"
    top = read_prospect(board, 0.41, without=results[0].pk)
    assert (top.rank, top.n, top.is_highest, top.best.printed) == (1, 3, True, "0.4000")
    assert (read_prospect(board, 0.1).rank, read_prospect(board, 0.2).rank) == (5, 4)
    nothing = read_prospect(make_leaderboard(), 0.1)
    assert (nothing.rank, nothing.n, nothing.best) == (1, 0, None)


def test_where_less_is_better_the_lowest_leads():
    board = make_leaderboard(measure=make_measure("Errors", higher_is_better=False))
    first, *_ = make_results(board, [0.5, 0.4, 0.3])
    assert [read_prospect(board, value).rank for value in (0.2, 0.3, 0.35, 0.6)] == [1, 1, 2, 4]
    make_result(board, first.system, "0.1", source="elsewhere")
    assert [one.value for one in results_of_system(first.system.name, board)] == [0.1, 0.5]


def test_from_five_results_on_it_is_said_whether_a_score_may_be_the_best():
    board = make_board(["0.31", "0.30", "0.29", "0.25", "0.24"])
    assert [read_prospect(board, value).may_be_best for value in (0.4, 0.05)] == [True, False]
    assert read_prospect(board, 0.4, without=Result.objects.first().pk).may_be_best is None
    assert read_prospect(board, 0.4).confidence_level == 0.95


def test_what_is_recorded_of_a_system_stands_by_leaderboard_and_score():
    board = make_robust04()
    other = make_leaderboard(board.collection, make_measure("A first one"))
    first, second = make_system("Model X"), make_system("model  X", "Lab")
    for number in range(3):
        make_result(other, first, f"0.{number}", source=f"source {number}")
    make_result(board, second, "0.3")
    make_result(board, first, "0.4")
    make_result(make_leaderboard(measure=board.measure), first, "0.9")
    make_result(board, make_system("Model Y"), "0.8")
    shown = [(one.leaderboard, one.printed) for one in results_of_system(" MODEL x", board)]
    assert shown == [(board, "0.4"), (board, "0.3"), (other, "0.2"), (other, "0.1"), (other, "0.0")]
    assert results_of_system(" ", board) == []
    for number in range(9):
        make_result(other, second, f"0.{number}", source=f"source {number}")
    assert len(results_of_system("Model X", board)) == 10


@pytest.mark.parametrize(
    ("value", "unit", "found"),
    [("0.3", "", 0.3), ("30", "percent", 0.3), ("", "", None), ("about", "", None), ("**0.3***", "", 0.3)],
)
def test_a_score_is_read_as_it_is_typed(value, unit, found):
    board = make_robust04()
    given = {"collection": "robust04", "measure": "MAP", "value": value, "unit": unit}
    form = ProspectForm(QueryDict(urlencode(given)))
    assert form.is_valid()
    assert form.leaderboard() == Leaderboard.objects.with_names().get(pk=board.pk)
    score = form.score(board.measure)
    assert (score and score.value) == found


def test_a_score_that_the_measure_cannot_have_is_said(client):
    make_robust04()
    page = client.get("/submit/standing/?collection=robust04&measure=AP&value=30&system=Model X").content.decode()
    assert "30 is above 1, where AP ends" in page
    assert "What is recorded" in page
    assert "Nothing is recorded for a system of this name on this collection." in page
