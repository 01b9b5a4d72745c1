"""What a collection's page and the API say of relevant documents and of collections like it."""

import pytest

from registry.catalog.models import CollectionLink, Density
from registry.catalog.services import load_catalog
from tests.registry.factory import make_collection
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

COUNTED = {"unit": "topic", "basis": "judgements", "n_judged": 50, "n_with_relevant": 50, "relevant_mean": 3.6}


def said_of(client, collection, **fields) -> list[str]:
    Density.objects.create(collection=collection, **(COUNTED | fields))
    density = client.get(f"/api/v1/collections/{collection.slug}/").json()["density"]
    page = read(client, collection.get_absolute_url() + "about/")
    said = " ".join(". ".join(density["in_words"]).split())  # as pages are read, with plain blanks
    assert f"Relevant documents {said}." in page.text
    return density["in_words"]


def test_it_is_said_in_a_line(client):
    collection = make_collection(documents="MS MARCO passages", n_topics=43)
    said = said_of(
        client, collection, unit="question", n_judged=43, n_with_relevant=43, relevant_mean=95.3953,
        relevant_grade=2, n_with_grade_2=43, grade_2_mean=58.1628, grade_2_median=28.0,
    )  # fmt: skip
    assert said == ["43 questions, 58 relevant passages each (judgements)", "Median 28"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["50 topics, 3.6 relevant documents each (judgements)"]),
        (
            {"n_judged": 100, "n_with_relevant": 98},
            [
                "98 topics, 3.6 relevant documents each (judgements)",
                "100 are judged, 2 of them without any, means here cover 50",
            ],
        ),
        (
            {"basis": "pooled"},
            ["50 topics, 3.6 relevant documents each (inferred: statistics of several languages together)"],
        ),
        (
            {"share_with_one": 0.0971, "relevant_median": 2.5, "shape": "copied", "copied_from": "scifact"},
            [
                "50 topics, 3.6 relevant documents each (judgements)",
                "Median 2.5, 9.71 % with exactly one (inferred: those of scifact, with equal counts)",
            ],
        ),
        (
            {"unit": "member", "basis": "members", "n_members": 12, "n_judged": None, "n_with_relevant": None},
            [
                "A score is the mean of 12 members, whose topics are its topics",
                "3.6 relevant documents each (the members together)",
            ],
        ),
        (
            {"relevant_mean": None, "basis": "", "relevant_at_least": 35.45, "at_least_from": "P@1000"},
            ["At least 35 relevant documents each (from P@1000)"],
        ),
        (
            {"relevant_mean": None, "basis": "", "relevant_at_least": 1.0, "at_least_from": "P@1", "n_judged": 1},
            ["At least 1 relevant document each (from P@1)", "1 is judged, means here cover 50"],
        ),
        (
            {"query_in_corpus": "yes", "anserini_removes_query": True, "mteb_removes_query": False},
            [
                "50 topics, 3.6 relevant documents each (judgements)",
                "The text of a query is itself a document",
                "Anserini removes the query from the answers and MTEB does not: their rules of scoring differ",
            ],
        ),
        (
            {"anserini_removes_query": True, "mteb_removes_query": True, "query_in_corpus": "possible"},
            [
                "50 topics, 3.6 relevant documents each (judgements)",
                "Anserini and MTEB remove the query from the answers",
            ],
        ),
        (
            {"anserini_removes_query": True},
            ["50 topics, 3.6 relevant documents each (judgements)", "Anserini removes the query from the answers"],
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
        (
            {"relevant_mean": 1.0, "share_with_one": 1.0, "shape": "assumed"},
            [
                "50 topics, 1 relevant document each (judgements)",
                "100 % with exactly one (inferred: assuming that no judged document is irrelevant)",
            ],
        ),
        (
            {"relevant_mean": 9.994, "share_with_one": 0.0, "relevant_median": 9.0, "shape": "exact"},
            ["50 topics, 9.99 relevant documents each (judgements)", "Median 9, none with exactly one"],
        ),
        (
            {"relevant_mean": 9.995, "basis": "stand-in"},
            ["50 topics, 10 relevant documents each (inferred: another judging of the same topics)"],
        ),
        (
            {"unit": "turn of a conversation", "n_judged": 2, "n_with_relevant": None, "relevant_mean": 1234.0},
            [
                "2 turns of conversations, 1\u202f234 relevant documents each (judgements)",
                "2 are judged, means here cover 50",
            ],
        ),
        (
            {"relevant_grade": 2, "n_with_grade_2": 40, "grade_2_mean": 2.5, "grade_2_share_with_one": 0.125},
            [
                "40 topics, 2.5 relevant documents each (judgements)",
                "50 are judged, 10 of them without any",
                "12.5 % with exactly one",
            ],
        ),
        ({"relevant_mean": None, "basis": ""}, ["50 topics"]),
        (
            {"relevant_mean": None, "basis": "", "n_judged": None, "n_with_relevant": None, "unit": "session"},
            ["What a score belongs to: session"],
        ),
    ],
)  # fmt: skip
def test_what_is_inferred_or_different_is_said(client, fields, expected):
    assert said_of(client, make_collection(), **fields) == expected


@pytest.mark.parametrize(
    ("collection", "said"),
    [
        ({"documents": "MS MARCO passages"}, "passages"),
        ({"name": "DL 2019 passage ranking"}, "passages"),
        ({"documents": "web documents"}, "documents"),
        ({"documents": "passages of slides", "notes": "images of pages; 1 language"}, "pages"),
    ],
)
def test_documents_are_called_what_they_are(client, collection, said):
    assert said_of(client, make_collection(**collection)) == [f"50 topics, 3.6 relevant {said} each (judgements)"]


@pytest.mark.parametrize(
    ("basis", "inferred"), [("judgements", False), ("pooled", True), ("stand-in", True), ("", False)]
)
def test_programs_are_told_what_is_inferred(client, basis, inferred):
    collection = make_collection()
    said_of(client, collection, basis=basis)
    density = client.get(f"/api/v1/collections/{collection.slug}/").json()["density"]
    assert (density["is_inferred"], density["basis"], density["relevant_mean"]) == (inferred, basis, 3.6)


def test_nothing_is_said_where_nothing_is_known(client):
    collection = make_collection()
    assert client.get(f"/api/v1/collections/{collection.slug}/").json()["density"] is None
    assert "Relevant documents" not in read(client, collection.get_absolute_url() + "about/").text


def test_relatives_are_grouped_and_lead_both_ways(client):
    base, nano, polish = (make_collection(slug, name=slug.title()) for slug in ("hotpot", "nano", "polish"))
    CollectionLink.objects.create(collection=nano, base=base, relation="nano", topics="subset")
    CollectionLink.objects.create(collection=polish, base=base, relation="sibling_language", is_inferred=True)
    page = read(client, base.get_absolute_url() + "about/")
    assert "Nano versions Nano Other languages of the task Polish (inferred from names and counts)" in page.text
    assert page.link("Nano") == nano.get_absolute_url()
    assert "Nano version of Hotpot" in read(client, nano.get_absolute_url() + "about/").text
    relatives = client.get("/api/v1/collections/hotpot/").json()["relatives"]
    assert [(one["slug"], one["relation"], one["is_base"]) for one in relatives] == [
        ("nano", "nano", False),
        ("polish", "sibling_language", False),
    ]


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
    assert [one["slug"] for one in relatives] == ["mean", "whole", "B-nano", "z-nano", "a-nano", "b-split"]
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


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("densities", "collection,unit\nnobody,topic\n", "unknown collection"),
        ("densities", "collection,unit\none,topic\none,topic\n", "is there already, in line 2"),
        ("densities", "collection,unit,share_with_one\none,topic,1.2\n", "is not between 0 and 1"),
        ("collection_links", "collection,base,relation\none,nobody,nano\n", "unknown collection"),
        ("collection_links", "collection,base,relation\none,two,cousin\n", "is none of"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path, file, text, message):
    make_collection("one")
    make_collection("two")
    (tmp_path / f"{file}.csv").write_text(text)
    (report,) = load_catalog(directory=tmp_path)
    assert [message in one.message for one in report.rejections] == [True]
