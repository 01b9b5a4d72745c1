"""What is said of a find, in which order finds stand, and what of several words has to be there."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.curation.lineage.models import PaperLink
from registry.leaderboards.models import Analysis
from registry.results.models import Model, Paper, Result
from registry.results.services.merging import merge_systems
from registry.search import queries
from registry.search.composing import Composed, read_composed
from registry.search.models import Thing
from registry.search.queries import first_of_each_kind, page_of, read_search
from registry.search.services import index_registry, index_what_was_loaded
from tests.registry.curation.suites.world import make_boards, make_suite
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_question,
    make_result,
    make_system,
)
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read
from tests.registry.search.world import put, titles

pytestmark = pytest.mark.django_db

_SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def make_listed(collection=None, measure=None, n: int = 1, **fields) -> Leaderboard:
    """A leaderboard with ``n`` results."""
    board = make_leaderboard(collection, measure, results_version=1)
    for number in range(n):
        make_result(board, source=f"source {number}", **fields)
    return board


def found(client, text: str, **choices) -> list[tuple[str, str]]:
    """Kind and title of what the API finds, in its order."""
    answer = client.get("/api/v1/search/", {"q": text, **choices}).json()
    return [(one["kind"], one["title"]) for one in answer["results"]]


def told(client, text: str, kind: str) -> tuple[str, str, int]:
    """Detail, address and number of results of the only find of a kind."""
    (one,) = client.get("/api/v1/search/", {"q": text, "kind": kind}).json()["results"]
    return one["detail"], one["url"], one["n_results"]


def test_each_find_says_what_tells_it_from_others_and_how_many_results_stand(client):
    robust = make_collection("robust", name="Robust", suite="TREC", year=2004, n_topics=1249)
    plain = make_collection("plain", name="Plain", n_topics=1)
    measure = make_measure("AP", long_name="Average precision")
    model = make_model("naver/splade", "splade", maker="Naver", released="2021-07")
    system = make_system("splade run", team="naver labs", model=model)
    paper = make_paper("Doe (SIGIR 2020)", title="Of sparse things", venue="SIGIR", year=2020)
    make_listed(robust, measure, n=2, system=system)
    make_listed(plain, measure, system=make_system("other run"), paper=paper)
    index_registry()
    assert told(client, "robust", "collection") == ("TREC, 2004, 1,249 topics", "/collections/robust/", 2)
    assert told(client, "plain", "collection") == ("1 topic", "/collections/plain/", 1)
    assert told(client, "ap", "measure") == ("Average precision", "/measures/AP/", 3)
    assert told(client, "robust ap", "leaderboard") == ("TREC", "/leaderboards/robust/AP/", 2)
    assert told(client, "splade", "model") == ("by Naver, 2021", model.get_absolute_url(), 2)
    assert told(client, "splade", "system") == ("by naver labs", system.get_absolute_url(), 2)
    assert told(client, "other", "system")[0] == ""
    assert told(client, "doe", "paper") == ("Of sparse things", paper.get_absolute_url(), 1), "the rest is in its title"


def test_a_suite_says_how_many_collections_it_has_and_leads_to_its_mean(client):
    boards = make_boards("first", "second")
    suite = make_suite("beir", boards)
    single = make_suite("lone", boards[:1], is_average=False)
    for board in boards:
        make_result(board)
    index_registry()
    detail, address, n = told(client, suite.slug, "suite")
    assert (detail, n) == ("Suite of 2 collections", 0)
    assert address.startswith("/suites/beir/")
    assert client.get(address).status_code == 200
    assert told(client, single.slug, "suite")[0] == "Suite of one collection"


def test_papers_are_found_by_authors_venue_year_and_what_stands_before_the_colon(client):
    paper = make_paper(
        "Lee et al. (ACL 2019)", title="ORQA: Latent retrieval", authors="Kenton Lee; Ming-Wei Chang", venue="ACL",
        year=2019, acl_id="P19-1612", url="https://example.org/orqa.html",
    )  # fmt: skip
    make_listed(paper=paper)
    index_registry()
    for text in (
        "chang",
        "acl 2019",
        "lee 2019",
        "ORQA",
        "latent retr",
        "P19-1612",
        "https://aclanthology.org/P19-1612",
    ):
        assert found(client, text, kind="paper") == [("paper", str(paper))], text
    assert found(client, "https://example.org/orqa.html", kind="paper") == [("paper", str(paper))]


def test_a_measure_is_found_as_tables_spell_it(client):
    make_listed(measure=make_measure("AP(rel=2)@100"))
    make_listed(measure=make_measure("R@1000"))
    index_registry()
    assert client.get("/api/v1/search/", {"q": "MAP(rel=2)@100"}).json()["is_corrected"] is False
    assert found(client, "MAP(rel=2)@100")[0] == ("measure", "AP(rel=2)@100")
    assert found(client, "Recall@1k")[0] == ("measure", "R@1000")


def test_a_paper_that_was_merged_is_found_by_what_it_was_called(client):
    kept = make_paper("Kept (2020)")
    gone = make_paper("Gone (2020)", arxiv_id="2001.00001")
    make_listed(paper=kept)
    Paper.objects.filter(pk=gone.pk).update(merged_into=kept)
    index_registry()
    assert found(client, "2001.00001") == [("paper", "Kept (2020)")]


def test_a_team_that_a_system_had_before_is_kept(client):
    first, second = make_system("monoT5"), make_system("mono-t5-base", team="castorini")
    make_listed(system=first)
    make_listed(system=second)
    merge_systems(source=second, target=first, actor=None, reason="the same")
    index_registry()
    assert found(client, "castorini", kind="system") == [("system", "monoT5")]


def test_what_a_paper_is_about_makes_it_heavy(client):
    light, heavy = make_paper("Zeta (2020)", title="On beta"), make_paper("Alpha (2020)", title="On beta")
    systems = [make_system("one"), make_system("two")]
    make_listed(system=systems[0])
    make_listed(n=3, system=systems[1])
    for paper, system in zip((light, heavy), systems, strict=True):
        PaperLink.objects.create(
            system=system, paper=paper, relation=PaperLink.Relation.CITED, recorded_at=timezone.now()
        )
    index_registry()
    assert found(client, "beta") == [("paper", str(heavy)), ("paper", str(light))]
    model = make_model("gamma", "gamma")
    Model.objects.filter(pk=model.pk).update(paper=light)
    make_listed(n=5, system=make_system("gamma run", model=model))
    index_registry()
    assert found(client, "beta", kind="paper") == [("paper", str(light)), ("paper", str(heavy))]


def test_links_of_the_page_ask_for_what_was_chosen_and_nothing_else(client):
    make_listed(make_collection("robust"), system=make_system("robust run"))
    index_registry()
    links = [address for address, _ in read(client, "/search/?q=robust").links if address.startswith("?")]
    assert links
    assert set(links) >= {"?q=robust", "?q=robust&kind=system"}
    assert not [address for address in links if address.endswith("=") or "=&" in address]
    pages = read(client, "/systems/").links + read(client, "/search/").links
    assert not [address for address, _ in pages if address.endswith("q=")]


def test_of_each_kind_six_stand_on_the_page_and_a_link_leads_to_all(client):
    board = make_leaderboard(results_version=1)
    for number in range(7):
        make_result(board, make_system(f"late {number}"))
    for number in range(6):
        make_result(board, make_system(f"early {number}"))
    index_registry()
    page = read(client, "/search/?q=late")
    assert (
        len([address for address, _ in page.links if address.startswith("/systems/") and address != "/systems/"]) == 6
    )
    assert page.link("All 7 systems") == "?q=late&kind=system"
    assert "All 6 systems" not in read(client, "/search/?q=early").text


def test_some_of_each_kind_come_before_more_of_any(client):
    for number in range(5):
        make_listed(make_collection(f"c{number}", name=f"Beta collection {number}"), n=9 - number)
    make_listed(system=make_system("my beta system"))
    index_registry()
    kinds = [kind for kind, _ in found(client, "beta") if kind in ("collection", "system")]
    assert kinds == ["collection"] * 3 + ["system"] + ["collection"] * 2


def test_a_letter_begins_no_word_and_two_do(client):
    make_listed(system=make_system("x-ray"))
    make_listed(system=make_system("xylophone"))
    index_registry()
    assert found(client, "x", kind="system") == [("system", "x-ray")]
    assert found(client, "xy", kind="system") == [("system", "xylophone")]


def test_words_written_apart_begin_a_name_written_in_one_from_four_letters_on(client):
    make_listed(system=make_system("msmarcodistil"))
    index_registry()
    assert found(client, "ms ma", kind="system") == [("system", "msmarcodistil")]
    assert found(client, "ms m", kind="system") == found(client, "m s", kind="system") == []


def test_of_three_words_that_nothing_has_together_two_are_enough_and_of_two_none_is(client):
    make_listed(system=make_system("dense late model"))
    make_listed(system=make_system("dense other"))
    index_registry()
    assert found(client, "dense late unheard", kind="system") == [("system", "dense late model")]
    page = read(client, "/search/?q=dense+late+unheard")
    assert "this is what dense late finds" in page.text
    assert found(client, "late unheard4 unheard5", kind="system") == [], "one of three is too few"


def test_of_the_parts_that_are_names_the_longest_is_meant(client):
    make_listed(system=make_system("dense"))
    make_listed(system=make_system("dense late"))
    index_registry()
    assert "this is what dense late finds" in read(client, "/search/?q=unheard1+unheard2+unheard3+dense+late").text


def test_of_slips_the_word_that_most_have_is_meant(client):
    for name in ("dense one", "denge two", "denge three"):
        make_listed(system=make_system(name))
    index_registry()
    assert "this is what denge finds" in read(client, "/search/?q=denke").text
    assert found(client, "denke", kind="system") == found(client, "denge", kind="system")


def test_a_number_is_no_slip(client):
    make_listed(system=make_system("run 12345"))
    index_registry()
    assert found(client, "12346") == []


def test_words_beyond_the_eighth_are_not_asked_for(client):
    words = "one two three four five six seven eight"
    make_listed(system=make_system(words))
    index_registry()
    assert found(client, f"{words} nine", kind="system") == [("system", words)]


def test_a_measure_before_its_collection_leads_to_the_leaderboard_and_the_heavier_first(client):
    ap, ndcg = make_measure("AP", aliases=["MAP"]), make_measure("nDCG@10")
    first, second = make_collection("dl-a", name="DL passage"), make_collection("dl-b", name="DL document")
    make_question("Which?", ["DL19"], [first, second])
    make_listed(first, ap)
    make_listed(second, ap, n=2)
    make_listed(first, ndcg, n=3)
    index_registry()
    assert [one for one in found(client, "MAP DL19") if one[0] == "leaderboard"][:2] == [
        ("leaderboard", "DL document, AP"),
        ("leaderboard", "DL passage, AP"),
    ]


def test_a_system_on_a_collection_under_a_measure_is_its_one_result(client):
    ap, ndcg = make_measure("AP"), make_measure("nDCG@10")
    robust, news = make_collection("robust"), make_collection("news")
    system = make_system("colbert")
    for number, (collection, measure) in enumerate([(robust, ap), (robust, ndcg), (news, ap)]):
        make_listed(collection, measure, system=system, printed=f"0.{number + 1}000")
    make_result(Leaderboard.objects.get(collection=robust, measure=ndcg), printed="0.9000")
    index_registry()
    results = [title for kind, title in found(client, "colbert robust ap") if kind == "result"]
    assert results == ["colbert: 0.1000"]
    results = [title for kind, title in found(client, "robust colbert") if kind == "result"]
    assert results == ["colbert: 0.2000", "colbert: 0.1000"], "the leaderboard with more results first"
    (one,) = [one for one in client.get("/api/v1/search/?q=colbert+news").json()["results"] if one["kind"] == "result"]
    assert (one["detail"], one["n_results"]) == ("news, AP", 1)
    assert one["url"] == Result.objects.get(printed="0.3000").get_absolute_url()
    page = read(client, "/search/?q=colbert+news").text
    assert "colbert: 0.3000 news, AP" in page, page


def test_a_text_that_is_made_of_names_leads_to_twenty_results_at_most(client):
    collection, system = make_collection("robust"), make_system("colbert")
    for number in range(21):
        make_listed(collection, make_measure(f"P@{number + 1}"), system=system)
    index_registry()
    assert client.get("/api/v1/search/?q=colbert+robust").json()["kinds"]["result"] == 20


def test_words_of_many_models_lead_to_results_of_the_five_with_the_most(client):
    board = make_listed(make_collection("robust"))
    for number in range(6):
        model = make_model(f"maker/tiny-{number}-dense", f"tiny-{number}")
        make_result(board, system=make_system(f"run {number}", model=model))
        if number:
            make_listed(system=make_system(f"more {number}", model=model))
    index_registry()
    results = [title for kind, title in found(client, "dense maker robust") if kind == "result"]
    assert sorted(results) == [f"run {number}: 0.2500" for number in range(1, 6)]


def test_a_result_that_was_withdrawn_is_not_led_to(client):
    board = make_listed(make_collection("robust"), system=make_system("colbert"))
    make_listed(make_collection("news"), system=make_system("bm25"))
    index_registry()
    Result.objects.filter(leaderboard=board).delete()
    assert [kind for kind, _ in found(client, "colbert robust") if kind == "result"] == []


def addresses(client, path: str) -> list[str]:
    """What a part of the map of the site lists, without the name of the site."""
    listed = ET.fromstring(client.get(path).content).iter(f"{_SPACE}loc")
    return [str(one.text).removeprefix("http://testserver") for one in listed]


def test_the_map_lists_things_by_kind_whatever_came_first(client):
    make_listed(make_collection("one"), make_measure("AP"), system=make_system("first"))
    index_registry()
    make_listed(make_collection("two"), make_measure("RR"), system=make_system("second"))
    index_registry()
    kinds = [path.split("/")[1] for path in addresses(client, "/sitemap-2.xml")]
    assert kinds == ["collections"] * 2 + ["leaderboards"] * 2 + ["measures"] * 2 + ["systems"] * 2


def test_the_map_comes_in_parts_that_follow_each_other(client, monkeypatch):
    monkeypatch.setattr(queries, "PER_MAP", 3)
    make_listed(make_collection("one"), make_measure("AP"), system=make_system("first"))
    index_registry()
    assert addresses(client, "/sitemap.xml") == ["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-3.xml"]
    second, third = addresses(client, "/sitemap-2.xml"), addresses(client, "/sitemap-3.xml")
    assert (len(second), len(third)) == (3, 1)
    assert not {*second} & {*third}
    monkeypatch.setattr(queries, "PER_MAP", 4)
    assert list(queries.map_numbers()) == [1, 2], "a full part has none behind it"
    assert client.get("/sitemap-9.xml").status_code == 404


def test_the_map_says_when_a_leaderboard_was_analysed_and_when_a_result_ended():
    board = make_board()
    analyse(board)
    early, late = datetime(2026, 3, 4, 12, tzinfo=UTC), datetime(2026, 5, 6, 12, tzinfo=UTC)
    Result.objects.update(recorded_at=early)
    Analysis.objects.update(analysed_at=late)
    index_registry()

    def day_of(thing) -> object:
        return dict(queries.addresses_on(2))[thing.get_absolute_url()]

    assert day_of(board) == late.date()
    assert day_of(board.collection) == early.date()
    Analysis.objects.update(analysed_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert day_of(board) == early.date(), "the later of both"
    assert all(day is None for _, day in queries.addresses_on(1))


def test_a_list_of_leaderboards_as_a_file_has_their_margins(client):
    board = make_board()
    analyse(board)
    index_registry()
    (row,) = client.get("/leaderboards.json").json()["results"]
    headline = Analysis.objects.get().headline
    assert [row[name] for name in ("margin", "resolves", "evidence")] == [
        headline.get(name) for name in ("margin", "resolves", "evidence")
    ]
    assert row["url"] == board.get_absolute_url()


def test_a_list_stands_by_results_and_then_by_title(client):
    board = make_leaderboard(results_version=1)
    for name in ("b", "a", "c"):
        make_result(board, make_system(name))
    make_listed(system=make_system("many"), n=2)
    index_registry()
    assert [row[0] for row in read(client, "/systems/").rows[1:]] == ["many", "a", "b", "c"]


def test_what_was_loaded_is_found(client):
    make_listed(system=make_system("loaded"))
    index_what_was_loaded()
    assert found(client, "loaded") == [("system", "loaded")]


def test_what_changed_is_written_again_and_what_went_is_counted(client):
    system = make_system("before")
    make_listed(system=system)
    index_registry()
    assert index_registry(is_forced=True) == Thing.objects.count()
    system.team = "a team"
    system.save()
    make_listed(Leaderboard.objects.get().collection, make_measure("RR"), system=system)
    # The collection and the system say more, a measure and a leaderboard are new.
    assert index_registry() == 4
    assert told(client, "before", "system")[0] == "by a team"
    Result.objects.latest("pk").delete()
    # The collection and the system say less, the measure and the leaderboard are gone.
    assert index_registry() == 4


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/collections/robust/nothing/", ["robust"]),
        ("/collections/robust04-2004/", ["robust"]),
        ("/robust/", ["robust"]),
        ("/systems/123456/", []),
        ("/", []),
        ("/nowhere/robust/", []),
    ],
)
def test_an_address_of_nothing_is_looked_through_for_names(path, meant):
    make_listed(make_collection("robust", aliases=["robust04"]), make_measure("AP"), system=make_system("a run"))
    index_registry()
    assert [one.title for one in queries.nearest_things(path) if one.kind == "collection"] == meant


def test_no_more_than_five_are_near(client):
    for number in range(7):
        make_listed(make_collection(f"robust-{number}"), system=make_system(f"other {number}"))
    index_registry()
    assert len(queries.nearest_things("/collections/robust/")) == 5
    assert len(queries.nearest_things("/collections/robxst-1/")) <= 5


def test_finds_stand_by_how_they_are_meant_then_by_kind_and_weight():
    put(Thing.Kind.PAPER, 1, "dense paper", 1)
    put(Thing.Kind.SYSTEM, 2, "denser", 20)
    put(Thing.Kind.SYSTEM, 3, "dense run", 9)
    put(Thing.Kind.COLLECTION, 4, "dense", 5)
    search = read_search("  dense ")
    said = (search.text, search.name, search.words, search.said, search.led_by)
    assert said == ("dense", "dense", ("dense",), "dense", "dense")
    assert (search.is_corrected, search.wanted, search.n) == (False, (), 4)
    assert list(search.counts.items()) == [("collection", 1), ("system", 2), ("paper", 1)]
    assert titles(page_of(search, "", 0, 9)) == ["dense", "dense run", "dense paper", "denser"]
    assert titles(page_of(search, "", 1, 2)) == ["dense run", "dense paper"]
    assert titles(page_of(search, "system", 0, 9)) == ["dense run", "denser"]
    assert titles(page_of(search, "system", 1, 1)) == ["denser"]
    assert page_of(search, "model", 0, 9) == page_of(search, "", 4, 9) == []
    assert titles(first_of_each_kind(search, 1)) == ["dense", "dense run", "dense paper"]
    wanted = read_search("dense papers")
    assert (wanted.text, wanted.name, wanted.wanted) == ("dense papers", "dense", (Thing.Kind.PAPER,))
    assert titles(page_of(wanted, "", 0, 9)) == ["dense paper", "dense", "dense run", "denser"]
    slip = read_search("dnese")
    assert (slip.is_corrected, slip.said, slip.text, slip.n) == (True, "dense", "dnese", 4)
    # Words that say what is looked for say nothing beside a slip.
    both_wrong = read_search("dnese papers")
    assert (both_wrong.words, both_wrong.wanted, both_wrong.counts) == (("dense", "paper"), (), {"paper": 1})
    assert read_search("denser papre").words == ("denser",), "a word that something has is no slip of another"
    both = read_search("dense run")
    assert (both.counts, both.led_by) == ({"system": 1}, "run")
    assert titles(page_of(both, "", 0, 9)) == ["dense run"]
    for text in ("", "?!", "nothing here"):
        nothing = read_search(text)
        assert (nothing.n, nothing.counts, page_of(nothing, "", 0, 9)) == (0, {}, [])


def test_a_text_that_is_made_of_names_leads_to_where_they_meet():
    ap, other = make_measure("AP"), make_measure("P@10")
    robust, web = make_collection("robust", name="Robust"), make_collection("web", name="Web")
    boards = [make_leaderboard(*one) for one in ((robust, ap), (robust, other), (web, ap))]
    model = make_model("Dense Large", "dense-large")
    bm25, dense = make_system("BM25"), make_system("run 1", model=model)
    first, second, third = (make_result(board, bm25) for board in boards)
    best = make_result(boards[0], dense, "0.5000")
    ended = {"ending": "withdrawn", "ended_at": timezone.now(), "ended_by": make_entry()}
    make_result(boards[0], bm25, "0.1000", source="before", **ended)
    put(Thing.Kind.COLLECTION, robust.pk, "Robust")
    put(Thing.Kind.COLLECTION, web.pk, "Web")
    put(Thing.Kind.MEASURE, ap.pk, "AP")
    put(Thing.Kind.SYSTEM, bm25.pk, "BM25")
    put(Thing.Kind.MODEL, model.pk, "Dense Large", 3)
    light = put(Thing.Kind.LEADERBOARD, boards[0].pk, "one", 2)
    put(Thing.Kind.LEADERBOARD, boards[1].pk, "two", 7)
    put(Thing.Kind.LEADERBOARD, boards[2].pk, "three", 4)
    for text in ("robust ap", "AP Robust"):
        assert read_composed(text) == Composed(leaderboards=(light,)), text
    assert read_composed("robust bm25") == Composed(results=(second.pk, first.pk)), "more stand on the second"
    for text in ("robust ap bm25", "bm25 ap robust", "ap robust bm25"):
        assert read_composed(text) == Composed(results=(first.pk,)), text
    assert read_composed("web bm25").results == (third.pk,)
    assert read_composed("robust dense large").results == (best.pk,)
    assert read_composed("large robust dense").results == (best.pk,), "by the words of the model"
    for text in (
        "robust",
        "ap bm25",
        "robust web",
        "robust unheard",
        "bm25 dense large",
        "robust large unheard",
        "robust " * 9,
    ):
        assert read_composed(text) == Composed(), text
    search = read_search("robust bm25")
    assert search.counts == {"result": 2}
    found = page_of(search, "", 0, 9)
    assert [(one.kind, one.object_id, one.title, one.detail, one.address, one.n_results) for one in found] == [
        ("result", one.pk, "BM25: 0.2500", f"Robust, {measure}", one.get_absolute_url(), 1)
        for one, measure in ((second, "P@10"), (first, "AP"))
    ]
    assert [one.object_id for one in page_of(search, "result", 1, 1)] == [first.pk]
