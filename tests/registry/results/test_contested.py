"""Contested scores: both values with their sources, on the page of the score and of the model."""

import pytest
from django.test import Client

from registry.results.contested import contested_on
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_system
from tests.registry.pages import read
from tests.registry.tools.model_page.test_model_page import make_model

pytestmark = pytest.mark.django_db

STELLA = "NovaSearch/stella_en_1.5B_v5"


@pytest.fixture
def result():
    board = make_leaderboard(make_collection("beir-arguana"), make_measure("nDCG@10"))
    return make_result(board, make_system(STELLA, model=make_model("stella", "stella")), "0.5706")


def test_the_score_says_that_another_is_published(client: Client, result):
    page = read(client, result.get_absolute_url())
    assert (2, "Contested") in page.headings
    assert "0.5706 and 0.6527 are both published" in page.text
    assert page.link("0.6527").startswith("https://github.com/embeddings-benchmark/results/blob/2ba63bf19f/")


def test_another_score_of_the_system_says_nothing(client: Client, result):
    board = make_leaderboard(make_collection("of-nobody"), result.leaderboard.measure)
    other = make_result(board, result.system, "0.5")
    assert "both published" not in read(client, other.get_absolute_url()).text


def test_the_model_lists_all_that_is_contested_of_its_systems(client: Client, result):
    page = read(client, "/models/stella/")
    assert "0.46113, but 0.28463 on mteb-climate-fever-hn, where the line through other systems has 0.454" in page.text
    assert "prompts missing in the hard-negative versions" in page.text
    found = client.get("/models/stella.json").json()["contested"]
    assert {one["kind"] for one in found} == {"two_values", "hard_negatives"}


def test_the_model_says_what_is_disclosed_and_who_handed_results_in(client: Client):
    make_result(make_leaderboard(), make_system("BAAI/bge-base-en-v1.5", model=make_model("bge", "bge")), "0.5")
    text = read(client, "/models/bge/").text
    assert "Other sources name data that the package’s list leaves out (other sources add FEVER, HotpotQA" in text
    assert (
        "maintainers of mteb (269), contributors whose part nobody tells (94), its maker, in a model card (14)" in text
    )


def test_scores_with_hard_negatives_are_contested_on_both_collections():
    for collection in ("beir-climate-fever", "mteb-climate-fever-hn"):
        (one,) = contested_on(STELLA, collection, "nDCG@10")
        assert one.kind == "hard_negatives"
    assert contested_on(STELLA, "beir-climate-fever", "AP") == []


def test_a_note_is_a_sentence_and_says_where_no_version_is_named(client: Client):
    board = make_leaderboard(make_collection("beir-cqadupstack-android"), make_measure("nDCG@10"))
    score = make_result(board, make_system("Alibaba-NLP/gte-Qwen1.5-7B-instruct"), "0.2499")
    text = read(client, score.get_absolute_url()).text
    assert "0.2499 and 0.5045 are both published. Same revision of the data set; " in text
    assert text.count("; mteb versions not said") == 1
    assert "None" not in text
