"""Families on the pages of systems, and pages of lineages."""

from tests.registry.curation.lineage.world import load_lineage, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard
from tests.registry.pages import read


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
    assert "it may be incomplete, and is not the maker’s word" in page.text
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


def test_an_earlier_day_shows_what_was_known_then(client, tmp_path):
    result = make_of("stella", "infgrad")
    load_lineage(tmp_path, "stella,infgrad,model:stella,its name")
    assert "its name" not in read(client, f"/systems/{result.system.slug}/?as_of=2026-01-01").text
