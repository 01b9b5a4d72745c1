"""What forms offer while somebody types: names that may be meant."""

import pytest

from registry.submissions.queries.suggestions import read_typed
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_system,
)

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
