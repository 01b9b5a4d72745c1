"""What a repository means by its names, and what the record says of new results: learned from what is on record."""

import pytest

from analysis.readers.columns import COLUMNS
from analysis.readers.upstream.scores import Score
from registry.submissions.pipeline.upstream import _Cells, _Places, is_same_number


def score(measure="ndcg@10", places=("a/b", "b"), system="lab/model", **fields) -> Score:
    given = {"key": ("k",), "places": places, "system": system, "measure": measure, "printed": "0.30", "line": 3}
    return Score(**(given | fields))


def sample(collection, measure, *places, name="ndcg@10"):
    return {"collection": collection, "measure": measure}, score(name, places)


def recorded(system="lab/model", **fields):
    said = dict.fromkeys(("role", "run_type", "year", "date", "team", "paper", "paper_url"), "")
    return said | {"system": system, "year": None} | fields


def test_a_collection_is_told_by_the_first_place_that_is_of_one_alone():
    places = _Places(
        [
            sample("apples", "nDCG@10", "file/1", "shared"),
            sample("pears", "nDCG@10", "file/2", "shared"),
            sample("pears", "AP", "file/2"),
        ]
    )
    assert places.collection(score(places=("file/1", "file/2"))) == "apples"
    assert places.collection(score(places=("new", "file/2"))) == "pears"
    assert places.collection(score(places=("shared", "file/2"))) == "pears"
    assert places.collection(score(places=("shared",))) is None
    assert places.collection(score(places=("new",))) is None
    assert places.collection(score(places=())) is None


def test_a_measure_is_told_on_its_collection_where_it_is_one():
    places = _Places(
        [
            sample("apples", "nDCG@10", "x"),
            sample("apples", "nDCG@10", "y"),
            sample("pears", "nDCG@10", "z"),
            sample("pears", "nDCG@10 (exponential)", "z"),
        ]
    )
    assert places.measure("apples", score()) == "nDCG@10"
    assert places.measure("apples", score("map")) is None
    assert places.measure("pears", score()) is None
    assert places.measure("plums", score()) is None


def test_a_new_result_says_what_the_record_says_of_its_system():
    cells = _Cells(
        [
            recorded(team="Lab", role="proposed", year=2021, paper="Doe (2021)"),
            recorded(team="Other lab", role="baseline", year=2022),
            recorded("other", role="baseline", year=2020),
        ]
    )
    found = cells.of(score(system="LAB/Model"), "apples", "nDCG@10", "a/b", "f#L3 at abc")
    assert list(found) == list(COLUMNS)
    assert {name: text for name, text in found.items() if text} == {
        "collection": "apples",
        "measure": "nDCG@10",
        "system": "LAB/Model",
        "value": "0.30",
        "role": "proposed",
        "team": "Lab",
        "year": "2021",
        "paper": "Doe (2021)",
        "source": "a/b",
        "locator": "f#L3 at abc",
    }


def test_of_a_new_system_it_says_what_holds_for_all_and_the_usual_role():
    cells = _Cells(
        [
            recorded("one", role="baseline", run_type="automatic", team="Lab", year=2021),
            recorded("two", role="baseline", run_type="automatic", team="Lab", year=2022),
            recorded("three", role="proposed", run_type="automatic", team="Lab", year=2022),
        ]
    )
    found = cells.of(score(system="new", is_self_reported=True), "apples", "AP", "a/b", "f#L3")
    assert {name: found[name] for name in ("role", "run_type", "team", "year", "self_reported")} == {
        "role": "baseline", "run_type": "automatic", "team": "Lab", "year": "", "self_reported": "yes",
    }  # fmt: skip
    assert cells.of(score(), "apples", "AP", "a/b", "f#L3")["self_reported"] == ""


def test_of_a_new_system_the_maker_is_the_team_where_the_record_has_none():
    cells = _Cells([recorded("one", team="A"), recorded("two", team="B")])
    assert cells.of(score(system="maker/model/x"), "apples", "AP", "a/b", "f")["team"] == "maker"
    assert cells.of(score(system="model"), "apples", "AP", "a/b", "f")["team"] == ""
    nothing = _Cells([]).of(score(system="maker/model"), "apples", "AP", "a/b", "f")
    assert (nothing["team"], nothing["role"], nothing["year"]) == ("maker", "", "")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("0.30", "0.3", True),
        ("0.30", "0.304", True),
        ("0.30", "0.306", False),
        ("1", "1.4", True),
        ("1e-2", "0.01", True),
        ("0.3000", "0.3001", False),
    ],
)
def test_numbers_are_the_same_to_the_decimals_of_the_shorter(one, other, is_same):
    assert is_same_number(one, other) is is_same
    assert is_same_number(other, one) is is_same
