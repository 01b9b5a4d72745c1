"""Families on the pages of systems, and pages of lineages."""

import re

import pytest

from tests.registry.curation.lineage.world import decide, load_lineage, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard, make_system
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_a_system_shows_its_family_and_its_training(client, tmp_path):
    result = make_of("stella", "infgrad", leaderboard=make_leaderboard(make_collection("beir-fiqa")))
    load_lineage(tmp_path, "stella,infgrad,model:stella,one author's line of models")
    load_training(tmp_path, "stella,infgrad,yes,the list names FiQA2018,mteb 2,beir-fiqa")
    page = read(client, f"/systems/{result.system.slug}/")
    assert "model, with its sizes, revisions and precisions: stella one author's line of models" in page.text
    assert "team: infgrad its team" in page.text
    assert "Trained on it: mteb 2; the list names FiQA2018" in page.text
    assert page.link("stella") == "/lineages/?key=model%3Astella"


def test_the_page_says_where_sources_disagree_and_what_counts_as_similar(client, tmp_path):
    fiqa = make_collection("beir-fiqa", name="FiQA", mteb_task="FiQA2018")
    result = make_of("stella", "infgrad", leaderboard=make_leaderboard(fiqa))
    make_collection("fiqa-pl", name="FiQA-PL")
    load_training(
        tmp_path,
        "stella,infgrad,no,,,package,,mteb==2.26.24:mteb/models/x.py#L7,,medium,,*",
        "stella,infgrad,yes,FiQA,train,card,we use FiQA,https://example.org/card,2024-05,high,,beir-fiqa",
        "stella,infgrad,yes,FiQA,train,card,we use FiQA,https://example.org/card,2024-05,high,"
        "through a similar task,fiqa-pl",
        "stella,infgrad,yes,NQ,unspecified,paper,as its base model,https://example.org/paper,,low,said of its base,",
    )
    page = read(client, f"/systems/{result.system.slug}/")
    assert "it may leave things out, and it is not the maker’s word" in page.text
    assert "FiQA sources disagree: it is not in the package’s list" in page.text
    assert page.text.count("we use FiQA") == 1
    assert (
        "Trained on it (train): we use FiQA a model or data set card, 2024-05; also through a similar task: FiQA-PL"
        in page.text
    )
    assert "as its base model a paper; said of its base; low confidence" in page.text
    assert page.link("the list of the mteb package") == (
        "https://github.com/embeddings-benchmark/mteb/blob/2.26.24/mteb/models/x.py#L7"
    )


def test_a_system_without_any_is_a_family_of_its_own(client):
    assert "it is a family of its own" in read(client, f"/systems/{make_system('run 1').slug}/").text


def test_an_earlier_day_shows_what_was_known_then(client, tmp_path):
    result = make_of("stella", "infgrad")
    load_lineage(tmp_path, "stella,infgrad,model:stella,its name")
    assert "its name" not in read(client, f"/systems/{result.system.slug}/?as_of=2026-01-01").text


def test_a_lineage_lists_its_systems(client, tmp_path):
    for name, team in (("b", "z"), ("b", "y"), ("a", "x"), ("c", "z")):
        make_of(name, team)
    load_lineage(tmp_path, "a,x,model:m,its name", "b,y,model:m,its name", "b,z,model:m,its name")
    decide(tmp_path, "merge,,,model:n,model:m,one model", "leave,c,z,model:m,,another")
    page = read(client, "/lineages/?key=Model:M")
    assert (
        "3 systems belong to it" in page.text,
        "model:n is the same as model:m, decided: one model" in page.text,
    ) == (True, True)
    assert "c is not of it, decided: another" in page.text
    assert [words for address, words in page.links if re.match("/systems/.", address)] == ["c", "a", "b", "b"]
    assert "a x b y b z" in page.text


@pytest.mark.parametrize("address", ["/lineages/", "/lineages/?kye=a:b", "/lineages/?key=team:x&page=0"])
def test_a_bad_question_is_answered_with_what_is_wrong(client, address):
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("key", ["team:nobody", "nonsense", "x:y"])
def test_what_never_was_a_lineage_is_not_there(client, key):
    assert client.get("/lineages/", {"key": key}).status_code == 404
