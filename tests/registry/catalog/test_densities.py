"""What a collection's page and the API say of relevant documents and of collections like it."""

import pytest

from registry.catalog.models import CollectionLink, Density
from registry.catalog.services import load_catalog
from tests.registry.factory import make_collection
from tests.registry.pages import read

COUNTED = {"unit": "topic", "basis": "judgements", "n_judged": 50, "n_with_relevant": 50, "relevant_mean": 3.6}


def said_of(client, collection, **fields) -> list[str]:
    Density.objects.create(collection=collection, **(COUNTED | fields))
    density = client.get(f"/api/v1/collections/{collection.slug}/").json()["density"]
    page = read(client, collection.get_absolute_url() + "about/")
    sentence = " ".join(". ".join(density["in_words"]).split())  # as pages are read, with plain blanks
    assert f"Relevant documents {sentence}." in page.text
    return density["in_words"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"n_judged": 100, "n_with_relevant": 98},
            [
                "98 topics, 3.6 relevant documents each (judgements)",
                "100 are judged, 2 of them without any, means here cover 50",
            ],
        ),
        (
            {"share_with_one": 0.0971, "relevant_median": 2.5, "shape": "copied", "copied_from": "scifact"},
            [
                "50 topics, 3.6 relevant documents each (judgements)",
                "Median 2.5, 9.71 % with exactly one (inferred: those of scifact, with equal counts)",
            ],
        ),
        (
            {"relevant_mean": None, "basis": "", "relevant_at_least": 35.45, "at_least_from": "P@1000"},
            ["At least 35 relevant documents each (from P@1000)"],
        ),
        (
            {"anserini_removes_query": False, "mteb_removes_query": True},
            ["50 topics, 3.6 relevant documents each (judgements)", "MTEB removes the query from the answers"],
        ),
        (
            {"n_with_grade_2": 12, "grade_2_mean": 2.0, "candidates_mean": 99.6, "note": "counted by hand"},
            [
                "50 topics, 3.6 relevant documents each (judgements)",
                "12 topics have relevant ones of grade 2 and more, 2 each",
                "100 candidates each are ranked",
                "Counted by hand",
            ],
        ),
    ],
)
def test_what_is_inferred_or_different_is_said(client, fields, expected):
    assert said_of(client, make_collection(), **fields) == expected


def test_relatives_stand_by_how_near_they_are_and_then_by_name(client):
    base = make_collection("hotpot", name="Hotpot")
    for slug, relation, inferred in [
        ("b-split", "other_split", False),
        ("z-nano", "nano", False),
        ("a-nano", "nano", True),
        ("B-nano", "nano", False),
        ("mean", "member_of", False),
    ]:
        CollectionLink.objects.create(
            collection=make_collection(slug), base=base, relation=relation, is_inferred=inferred
        )
    CollectionLink.objects.create(collection=base, base=make_collection("whole"), relation="nano", judgements="same")
    relatives = client.get("/api/v1/collections/hotpot/").json()["relatives"]
    assert [relative["slug"] for relative in relatives] == ["mean", "whole", "B-nano", "z-nano", "a-nano", "b-split"]
    assert (relatives[1]["is_base"], relatives[1]["judgements"], relatives[1]["url"]) == (
        True,
        "same",
        "/collections/whole/",
    )
    text = read(client, "/collections/hotpot/about/").text
    assert "Members of the mean mean Nano version of whole Nano versions B-nano, z-nano Nano versions a-nano" in text


def test_a_file_is_loaded_and_changed_in_place(tmp_path):
    make_collection("one")
    make_collection("two")
    densities, links = tmp_path / "densities.csv", tmp_path / "collection_links.csv"
    densities.write_text("collection,unit,basis,n_judged,mteb_removes_query\none,topic,judgements,50,no\n")
    links.write_text("collection,base,relation,is_inferred\ntwo,one,translation,yes\n")
    assert [report.added for report in load_catalog(directory=tmp_path)] == [1, 1]
    assert (Density.objects.get().mteb_removes_query, CollectionLink.objects.get().is_inferred) == (False, True)
    densities.write_text("collection,unit,basis,n_judged\none,topic,judgements,49\n")
    assert [report.superseded for report in load_catalog(directory=tmp_path)] == [1, 0]
    assert (Density.objects.get().n_judged, Density.objects.get().mteb_removes_query) == (49, None)
