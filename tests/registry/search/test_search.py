"""GET /search/ and GET /api/v1/search/"""

import pytest
from django.core.management import call_command

from registry.catalog.models import Leaderboard
from registry.curation.suites.models import Suite
from registry.results.models import Model, System
from registry.results.services.merging import merge_systems
from registry.search.models import Term, Thing
from registry.search.services import index_registry
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_question,
    make_result,
    make_system,
)
from tests.registry.pages import read


def make_listed(collection=None, measure=None, **fields):
    """Make a leaderboard with one result."""
    board = make_leaderboard(collection, measure)
    result = make_result(board, **fields)
    Leaderboard.objects.filter(pk=board.pk).mark_changed()
    return result


@pytest.fixture
def robust():
    """What a reader looks for, among other things."""
    collection = make_collection("trec-2004-robust", name="TREC 2004 Robust", aliases=["Robust04"], suite="TREC Robust")
    measure = make_measure("AP", long_name="Average precision", trec_eval="map", aliases=["MAP"])
    paper = make_paper(
        "Cormack et al. (SIGIR 2009)", title="Reciprocal rank fusion", doi="10.1145/1571941.1572114", year=2009
    )
    make_listed(collection, measure, system=make_system("RRF", team="waterloo"), paper=paper)
    other = make_collection("beir-robust04", name="BEIR Robust04")
    make_listed(other, make_measure("nDCG@10"), system=make_system("colbert-ir/ColBERTv2.0"))
    Suite.objects.create(slug="beir", name="BEIR, all", is_zero_shot=True, is_average=True, is_screen=False, position=1)
    index_registry()


def search(client, text: str, **choices) -> list[tuple[str, str]]:
    """Ask the API; return kind and title of what it finds, in its order."""
    answer = client.get("/api/v1/search/", {"q": text, **choices}).json()
    return [(find["kind"], find["title"]) for find in answer["results"]]


@pytest.mark.usefixtures("robust")
@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("Robust04", ("collection", "TREC 2004 Robust")),
        ("robust-04", ("collection", "TREC 2004 Robust")),
        ("trec 2004 robust", ("collection", "TREC 2004 Robust")),
        ("robust04 map", ("leaderboard", "TREC 2004 Robust, AP")),
        ("MAP", ("measure", "AP")),
        ("mean average precision", ("measure", "AP")),
        ("ndcg_cut_10", ("measure", "nDCG@10")),
        ("ColBERT", ("system", "colbert-ir/ColBERTv2.0")),
        ("waterloo", ("system", "RRF")),
        ("Cormack", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("fusion cormack", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("10.1145/1571941.1572114", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("https://doi.org/10.1145/1571941.1572114", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("beir", ("suite", "BEIR, all")),
        ("beir leaderboard", ("suite", "BEIR, all")),
        ("robust04 leaderboard", ("leaderboard", "TREC 2004 Robust, AP")),
        ("qrels robust04", ("collection", "TREC 2004 Robust")),
        ("best model on Robust04", ("collection", "TREC 2004 Robust")),
        ("reciprocal rank fusion paper", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("p-value", ("method", "Paired tests: is the difference between two systems more than chance?")),
        (
            "how many topics do I need",
            ("method", "Topic-set size: how many topics, and what can a collection tell apart?"),
        ),
        ("RRF robust04", ("result", "RRF: 0.2500")),
        ("robust04 ap rrf", ("result", "RRF: 0.2500")),
        ("colbertv2", ("system", "colbert-ir/ColBERTv2.0")),
        ("https://huggingface.co/colbert-ir/ColBERTv2.0", ("system", "colbert-ir/ColBERTv2.0")),
        ("https://dl.acm.org/doi/10.1145/1571941.1572114", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("cormack 2009", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("cormack rank fusion unheard", ("paper", "Cormack et al. (SIGIR 2009)")),
        ("winner's curse", ("method", "Second opinions on the best run")),
    ],
)
def test_the_best_find_is_what_goes_by_the_name_that_people_type_or_paste(client, text, best):
    assert search(client, text)[0] == best


@pytest.mark.usefixtures("robust")
def test_of_words_that_are_not_all_there_the_name_among_them_is_found_and_said(client):
    page = read(client, "/search/?q=robust04+unheard")
    assert "Nothing is called “robust04 unheard”; this is what robust04 finds." in page.text
    assert search(client, "robust04 unheard") == search(client, "unheard robust04") == search(client, "robust04") != []
    assert "Nothing is called that here." in read(client, "/search/?q=never+unheard").text
    assert search(client, "never unheard") == []


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("bm25 dl19", ("result", "Anserini dl19-passage bm25-default: 0.2500")),
        ("monoT5 dl19", ("result", "monoT5-3B (PyGaggle): 0.2500")),
        ("best published result is random", ("method", "Best result: the extreme-value analysis of Carterette (2015)")),
        ("naver/splade-v3", ("model", "SPLADE-v3")),
        ("Jimmy Lin", ("paper", "Nogueira and Lin (2019)")),
        ("Welches Modell ist am besten auf GermanQuAD?", ("collection", "MTEB GermanQuAD-Retrieval")),
    ],
)
def test_what_researchers_type_leads_where_they_want(client, text, best):
    board, model = make_leaderboard(make_collection(aliases=["DL19"])), make_model("BM25", "bm25")
    for recipe in (".bm25-b8 bm25-b8", ".wp-ca bm25-default", " bm25-default", " bm25-default+rm3"):
        make_result(board, make_system(f"Anserini dl19-passage{recipe}", team="castorini", model=model))
    make_result(board, make_system("monoT5-3B (PyGaggle)"))
    make_result(make_leaderboard(make_collection("elsewhere")), make_system("monoT5"))
    make_result(board, make_system("naver/splade-v3", model=make_model()))
    paper = make_paper("Nogueira and Lin (2019)", authors="Rodrigo Nogueira; Jimmy Lin")
    make_result(board, make_system("BERT", team="Rodrigo Nogueira and Jimmy Lin"), paper=paper)
    make_collection("mteb-germanquad", name="MTEB GermanQuAD-Retrieval", mteb_task="GermanQuAD-Retrieval")
    index_registry()
    assert search(client, text)[0] == best


def test_of_things_of_one_name_the_one_with_more_on_one_leaderboard_comes_first(client):
    wide, deep = make_collection("wide", name="Covid wide"), make_collection("deep", name="Covid deep")
    for name in ("P@10", "nDCG@10", "RR@10"):
        make_listed(wide, make_measure(name))
    board = make_listed(deep, make_measure("AP")).leaderboard
    make_result(board)
    make_question("Wide or deep?", ["Covid"], [wide, deep])
    index_registry()
    assert search(client, "covid", kind="collection") == [("collection", "Covid deep"), ("collection", "Covid wide")]


def test_a_model_named_with_a_suite_or_a_collection_leads_to_its_results_there(client):
    first, second = make_boards("first", "second")
    make_suite("beir", [first, second])
    zephyr, large = make_model("RankZephyr", "rankzephyr"), make_model("openai/text-embedding-large", "large")
    results = [make_result(board, system=make_system(f"run {board.pk}", model=zephyr)) for board in (first, second)]
    make_result(make_leaderboard(make_collection("apart")), system=make_system("elsewhere", model=zephyr))
    results.append(make_result(first, system=make_system("openai/text-embedding-large", model=large)))
    make_result(first, system=make_system("another/small", model=make_model("another/small", "small")))
    index_registry()
    titles = [f"{result.system}: {result.score.shown(4)}" for result in results]
    assert {title for kind, title in search(client, "rankzephyr beir") if kind == "result"} == set(titles[:2])
    assert search(client, "first rankzephyr")[0] == ("result", titles[0])
    for text in ("large openai first", "first openai large"):
        assert search(client, text)[0] == ("result", titles[2])


def test_a_name_that_may_mean_several_finds_them_all_first(client):
    passage, document = make_collection("p", name="Passages"), make_collection("d", name="Documents")
    for collection in (passage, document, make_collection("x", name="About DL19")):
        make_listed(collection)
    make_question("Passage or document ranking?", ["DL19"], [passage, document])
    index_registry()
    assert {title for _, title in search(client, "dl 19", kind="collection")[:2]} == {"Passages", "Documents"}


def test_the_very_word_comes_before_longer_ones_and_many_results_before_few(client):
    make_listed(system=make_system("bm25plus"))
    few, many = make_system("bm25 few"), make_system("bm25 many")
    for system in (few, many, many):
        make_listed(system=system)
    index_registry()
    systems = [title for _, title in search(client, "bm25") if title.startswith("bm25")]
    assert systems == ["bm25 many", "bm25 few", "bm25plus"]


def test_of_several_words_the_order_is_no_matter_and_beginnings_come_last(client):
    names = ["dense rerank", "dense reranker", "denser rerank many", "dense only", "rerank only"]
    for name in names:
        system = make_system(name)
        for _ in range(2 if name.endswith("many") else 1):
            make_listed(system=system)
    for number in range(5):
        make_listed(system=make_system(f"dense variant {number}"))
    index_registry()
    for text in ("dense rerank", "rerank dense", "dense rerank dense"):
        assert [title for _, title in search(client, text, kind="system")] == [
            "dense rerank", "denser rerank many", "dense reranker",
        ]  # fmt: skip


def test_every_find_is_on_one_page_and_only_one(client):
    for number in range(7):
        make_listed(system=make_system(f"late {'model' if number % 2 else 'models'} {number}"))
    index_registry()
    whole = client.get("/api/v1/search/?q=late+model").json()
    assert whole["count"] == 7
    parts, address = [], "/api/v1/search/?q=late+model&page_size=2"
    while address:
        part = client.get(address).json()
        parts, address = parts + part["results"], part["next"]
    assert parts == whole["results"]
    assert client.get("/search.json?q=late+model").json()["results"] == parts


def test_what_has_no_standing_result_is_not_found(client):
    make_system("never scored")
    result = make_listed(system=make_system("withdrawn"))
    index_registry()
    assert search(client, "withdrawn")
    result.delete()
    index_registry(is_forced=True)
    assert search(client, "withdrawn") == search(client, "never scored") == []


def test_a_merged_system_is_found_by_both_names(client):
    first, second = make_system("monoT5"), make_system("mono-t5-base")
    make_listed(system=first)
    make_listed(system=second)
    merge_systems(source=second, target=first, actor=None, reason="the same")
    index_registry()
    assert search(client, "mono-t5-base", kind="system") == [("system", "monoT5")]
    assert System.objects.count() == 2


def test_the_index_follows_the_record_and_only_what_changed_is_written(django_assert_num_queries):
    make_listed(system=make_system("first"))
    assert index_registry() > 0
    with django_assert_num_queries(3):
        assert index_registry() is None
    before = set(Thing.objects.values_list("pk", flat=True))
    make_listed(system=make_system("second"))
    # The system, its collection, its measure and its leaderboard.
    assert index_registry() == 4
    assert before < set(Thing.objects.values_list("pk", flat=True))


def test_the_command_makes_a_broken_index_whole_again(client, capsys):
    make_listed(system=make_system("lost"))
    index_registry()
    Term.objects.all().delete()
    assert search(client, "lost") == []
    call_command("index_search")
    assert search(client, "lost") == [("system", "lost")]
    count = f"{Thing.objects.count():,} things are found by {Term.objects.count():,} words and names ("
    before, _, seconds = capsys.readouterr().out.partition(count)
    assert before == ""
    assert float(seconds.removesuffix(" s).\n")) < 60


def test_lists_answer_reading_alone(client):
    for address in ("/search/", "/search.json", "/systems/", "/systems.csv", "/robots.txt", "/sitemap.xml"):
        assert client.post(address).status_code == 405, address


def test_what_names_share_is_found_by_it_and_papers_lead_before_what_they_compare_with(client):
    collection = make_collection("msmarco-v2-passage-dev", name="MS MARCO v2 passage dev", aliases=[])
    paper = make_paper("Lv and Zhai (CIKM 2011)", title="Sentence-BERT: Lower bounds", year=2011)
    for name in ("baseline of Lv and Zhai (CIKM 2011)", "Lv and Zhai (CIKM 2011) [baseline]", "E5 (BRIGHT)"):
        make_listed(collection, system=make_system(name), paper=paper)
    small = make_system("intfloat/e5-base", team="intfloat")
    System.objects.filter(pk=small.pk).update(
        model=Model.objects.create(slug="e5-base", name="intfloat/e5-base", name_key="intfloat/e5-base")
    )
    make_listed(collection, system=small)
    suite = {"is_zero_shot": True, "is_average": True, "is_screen": False, "position": 1}
    Suite.objects.create(slug="mteb-eng-v1", name="MTEB English v1, retrieval", **suite)
    index_registry()
    assert search(client, "MS MARCO v2 passage")[0] == ("collection", "MS MARCO v2 passage dev")
    assert search(client, "mteb english")[0] == ("suite", "MTEB English v1, retrieval")
    assert search(client, "e5")[0] == ("model", "intfloat/e5-base")
    for text in ("Lv and Zhai", "Sentence-BERT"):
        assert search(client, text)[0] == ("paper", "Lv and Zhai (CIKM 2011)")
