"""Which words a search is taken for, what it counts, and in which order its finds stand."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from registry.core.pages import addresses as document_addresses
from registry.leaderboards.models import Analysis
from registry.results.models import Result
from registry.search import queries
from registry.search.documents import describe_thing, groups_of
from registry.search.models import Term, Thing
from registry.search.queries import (
    addresses_on,
    boards_of,
    first_of_each_kind,
    headlines_of,
    map_numbers,
    nearest_things,
    page_of,
    read_search,
    things_of,
)
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_entry, make_leaderboard, make_measure, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.search.world import put, titles

pytestmark = pytest.mark.django_db

_COLLECTION, _MEASURE, _SUITE = Thing.Kind.COLLECTION, Thing.Kind.MEASURE, Thing.Kind.SUITE
_MODEL, _SYSTEM, _LEADERBOARD = Thing.Kind.MODEL, Thing.Kind.SYSTEM, Thing.Kind.LEADERBOARD
_PAPER, _METHOD = Thing.Kind.PAPER, Thing.Kind.METHOD


def add_terms(thing: int, texts: str, place: Term.Place) -> None:
    kind, weight = Thing.objects.values_list("kind", "weight").get(pk=thing)
    Term.objects.bulk_create(
        Term(thing_id=thing, text=text, place=place, kind=kind, weight=weight) for text in texts.split()
    )


def order_of(text: str, kind: str = "", n: int = 99) -> list[str]:
    return titles(page_of(read_search(text), kind, 0, n))


def test_kinds_stand_by_place_then_heavy_ones_then_models_systems_papers_and_methods():
    kinds = (_METHOD, _PAPER, _SYSTEM, _MODEL, _LEADERBOARD, _MEASURE, _COLLECTION, _SUITE)
    for number, kind in enumerate(kinds):
        put(kind, number, f"late {kind}", 100 - number)
    heavy = ["leaderboard", "measure", "collection", "suite", "model", "system", "paper", "method"]
    assert order_of("late") == [f"late {kind}" for kind in heavy]
    assert list(read_search("late").counts) == [
        "suite", "collection", "measure", "leaderboard", "model", "system", "paper", "method",
    ]  # fmt: skip
    Thing.objects.update(weight=0)
    Term.objects.update(weight=0)
    even = ["suite", "collection", "measure", "leaderboard", "model", "system", "paper", "method"]
    assert order_of("late") == [f"late {kind}" for kind in even]
    assert order_of("late leaderboards") == ["late suite", "late leaderboard"] + [
        f"late {kind}" for kind in even if kind not in ("suite", "leaderboard")
    ]


def test_of_one_kind_names_come_before_short_names_beginnings_and_longer_words():
    put(_SYSTEM, 1, "dense reranker", 9)
    put(_SYSTEM, 2, "dense rerank best", 5)
    put(_SYSTEM, 3, "rerank", 8, short=["dense rerank"])
    put(_SYSTEM, 4, "Dense Rerank", 1)
    put(_SYSTEM, 5, "denser rerank", 7)
    put(_SYSTEM, 6, "denserer ankle", 6)
    put(_SYSTEM, 7, "dense rerank worst", 5)
    names = [
        "Dense Rerank", "rerank", "dense rerank best", "dense rerank worst", "denserer ankle", "dense reranker",
        "denser rerank",
    ]  # fmt: skip
    search = read_search("dense rerank")
    assert search.counts == {"system": 7}
    assert order_of("dense rerank") == names
    for n in range(1, 7):
        assert titles(page_of(search, "system", 0, n)) == names[:n]
        assert titles(page_of(search, "system", n, 1)) == [names[n]]
        assert titles(first_of_each_kind(search, n)) == names[:n]
    assert order_of("rerank dense") == [
        "dense rerank best", "dense rerank worst", "Dense Rerank", "dense reranker", "denser rerank",
    ]  # fmt: skip


def test_a_single_word_begins_no_name_that_is_written_apart():
    put(_SYSTEM, 1, "den sely")
    put(_SYSTEM, 2, "den se")
    assert order_of("dense") == ["den se"]
    assert order_of("den") == ["den sely", "den se"]


def test_the_rarest_word_leads_both_times():
    for number in range(3):
        put(_SYSTEM, number, f"dense {number}")
    put(_SYSTEM, 9, "dense run")
    with CaptureQueriesContext(connection) as asked:
        search = read_search("dense run")
        found = page_of(search, "", 0, 9)
    assert (search.led_by, titles(found)) == ("run", ["dense run"])
    finding = [one["sql"] for one in asked if "AS MATERIALIZED" in one["sql"]]
    assert len(finding) == 2
    assert all("WHERE text = 'run' AND place = 2" in sql for sql in finding)
    assert (read_search("run dense").led_by, read_search("dense").led_by) == ("run", "dense")


def test_a_search_asks_little_of_the_database(django_assert_num_queries):
    put(_SYSTEM, 1, "dense run")
    with django_assert_num_queries(1):
        found = read_search("dense")
    with django_assert_num_queries(2):
        assert titles(page_of(found, "", 0, 9)) == ["dense run"]
    with django_assert_num_queries(0):
        assert read_search("?!").n == 0
        assert page_of(read_search(""), "", 0, 9) == []
    # The names, how often each word stands there, what is found; then slips of both, what has most of them, a name.
    with django_assert_num_queries(9):
        assert read_search("sparse walk").n == 0


def test_a_slip_is_looked_for_by_name_and_a_question_by_its_other_words():
    put(_SYSTEM, 1, "dense heavy", 9)
    put(_SYSTEM, 2, "dense", 1)
    assert order_of("dnese") == order_of("dense") == ["dense", "dense heavy"]
    slip = read_search(" dnese ")
    assert (slip.text, slip.name, slip.words, slip.is_corrected, slip.said) == (
        "dnese", "dense", ("dense",), True, "dense",
    )  # fmt: skip
    question = read_search("what is dense")
    assert (question.words, question.is_corrected, question.said, question.n) == (("dense",), True, "dense", 2)
    miss = read_search("what is unheard")
    assert (miss.words, miss.is_corrected, miss.said, miss.n) == (
        ("what", "is", "unheard"), False, "what is unheard", 0,
    )  # fmt: skip
    # Where nothing of the kind is found, the words that name the kind are words like others.
    other = read_search("dense paper")
    assert (other.wanted, other.words, other.is_corrected) == ((), ("dense",), True)


def test_a_slip_is_taken_for_the_word_that_most_have_and_of_these_the_last():
    one = put(_SYSTEM, 1, "dense")
    put(_SYSTEM, 2, "the denze")
    add_terms(one, "densities", Term.Place.OWN)
    assert queries._meant("denxe") == "denze"
    assert queries._meant("densi") == "dense", "a name that begins so is no word"
    assert queries._meant("unheard") == "unheard"
    assert queries._meant("2005") == "2005"
    put(_SYSTEM, 3, "dense two")
    put(_SYSTEM, 4, "run 2004")
    assert queries._meant("denxe") == "dense"
    assert queries._meant("2005") == "2005"
    assert queries._meant("den") == "den"
    assert queries._without_slips(("denxe", "the")) == ("dense", "the")


def test_most_of_the_words_are_those_that_the_heaviest_has_together():
    put(_SYSTEM, 1, "one two", 1)
    put(_SYSTEM, 2, "two three", 5)
    put(_SYSTEM, 3, "late", 9)
    apart = put(_SYSTEM, 4, "foo-bar", 9)
    held = queries._held_together
    assert held(("one", "two", "three")) == ("two", "three")
    assert held(("three", "two", "one")) == ("three", "two")
    assert held(("one", "two", "unheard")) == ("one", "two")
    assert held(("one", "two", "unheard", "never")) == (), "half of them is too few"
    assert held(("late", "unheard", "never")) == held(("unheard", "never")) == ()
    assert held(("foobar", "foo", "bar")) == ("foo", "bar")
    add_terms(apart, "more words that nobody asks for", Term.Place.WORD)
    assert held(("one", "two", "three")) == ("two", "three")


def test_words_that_a_method_says_more_or_less_often_are_held_together():
    method = put(Thing.Kind.METHOD, 1, "one two three")
    for number, word in enumerate(("one", "two", "three"), start=1):
        Term.objects.filter(thing=method, text=word).update(weight=number)
    assert queries._held_together(("one", "two", "three", "unheard")) == ("one", "two", "three")


def test_the_longest_name_among_the_words_is_meant_and_of_these_the_first():
    put(_SYSTEM, 1, "one")
    put(_SYSTEM, 2, "three")
    put(_SYSTEM, 3, "with model")
    named = queries._named_part
    assert named(("one", "two", "three")) == named(("unheard", "one", "three")) == ("one",)
    assert named(("two", "three")) == ("three",)
    assert named(("two", "model", "unheard")) == ()
    put(_SYSTEM, 4, "two three")
    assert named(("one", "two", "three")) == ("two", "three")
    assert named(("a", "with", "model", "one")) == ("with", "model")


def test_a_percent_sign_in_a_name_stands_for_itself():
    put(_SYSTEM, 1, "100abcxyz")
    put(_SYSTEM, 2, "100%xyz")
    assert titles(page_of(read_search("100% xy"), "", 0, 9)) == ["100%xyz"]
    assert titles(page_of(read_search("100 abcx"), "", 0, 9)) == ["100abcxyz"]


def test_what_went_meanwhile_is_left_out():
    one, two = put(_SYSTEM, 1, "one"), put(_SYSTEM, 2, "two")
    result = make_result(system=make_system("BM25"))
    assert titles(queries._things([two, 10**9, -result.pk, one, -(10**9)])) == ["two", "BM25: 0.2500", "one"]
    assert queries._things([]) == []


def test_beginnings_are_looked_for_as_the_database_has_them_in_order():
    if connection.vendor == "sqlite":
        assert queries._begins("ab") == ("text >= %s AND text < %s", ("ab", "ab\U0010ffff"))
        assert queries._goes_on("ab") == ("text > %s AND text < %s", ("ab", "ab\U0010ffff"))
    else:
        assert queries._begins("ab") == ("text LIKE %s", ("ab%",))
        assert queries._begins(r"a_\%") == ("text LIKE %s", (r"a\_\\\%%",))
        assert queries._goes_on("ab") == ("text LIKE %s AND text <> %s", ("ab%", "ab"))
    assert queries._begins("a", "other.text") == ("other.text = %s", ("a",))
    assert queries._goes_on("a") == ("1 = 0", ())


def test_all_of_a_kind_stand_by_results_and_title():
    for number, (title, n) in enumerate([("b", 1), ("a", 1), ("c", 5), ("a", 1)]):
        put(_SYSTEM, number, title, n)
    put(_MODEL, 1, "model", 9)
    found = list(things_of("system"))
    assert titles(found) == ["c", "a", "a", "b"]
    assert found[1].pk < found[2].pk


def test_leaderboards_of_things_come_in_their_order_with_what_lists_show(django_assert_num_queries):
    boards = [make_board(), make_leaderboard(), make_leaderboard()]
    analyse(boards[0])
    Analysis.objects.create(leaderboard=boards[1], results_version=1, **other_fields())
    put(_LEADERBOARD, boards[2].pk, "two")
    put(_LEADERBOARD, boards[0].pk, "none")
    put(_LEADERBOARD, 10**6, "gone")
    collections = [str(boards[2].collection), str(boards[0].collection)]
    with django_assert_num_queries(2):
        found = boards_of(Thing.objects.order_by("pk"))
        assert [one.pk for one in found] == [boards[2].pk, boards[0].pk]
        assert [str(one.collection) for one in found] == collections
        assert [hasattr(one, "analysis") for one in found] == [False, True]
    assert headlines_of(Thing.objects.all()) == {boards[0].pk: Analysis.objects.get(leaderboard=boards[0]).headline}


def other_fields() -> dict:
    one = Analysis.objects.values().first()
    return {name: value for name, value in one.items() if name not in {"id", "leaderboard_id", "results_version"}}


def test_the_first_part_of_the_map_has_the_lists_and_every_document():
    averaged, plain = make_leaderboard(make_collection("one"), make_measure("AP")), make_leaderboard()
    make_suite("beir", [averaged])
    make_suite("plain", [plain], position=1, is_average=False)
    paths = [
        "/", "/collections/", "/suites/", "/suites/beir/AP/", "/suites/plain/", "/leaderboards/", "/measures/",
        "/models/", "/systems/", "/papers/", "/sources/", reverse("dumps:dump-list"),
    ]  # fmt: skip
    listed = addresses_on(1)
    assert [path for path, _ in listed[: len(paths)]] == paths
    assert [path for path, _ in listed[len(paths) :]] == sorted(document_addresses().values())
    assert {day for _, day in listed} == {None}
    assert list(map_numbers()) == [1]


def test_the_map_says_on_which_day_anything_last_came_or_went():
    board = make_board()
    analyse(board)
    first, *others = Result.objects.order_by("pk")
    days = [datetime(2026, month, 4, 12, tzinfo=UTC) for month in (1, 2, 3, 4)]
    Result.objects.update(recorded_at=days[1])
    Result.objects.filter(pk=first.pk).update(
        recorded_at=days[0], ending="withdrawn", ended_at=days[2], ended_by=make_entry()
    )
    Analysis.objects.update(analysed_at=days[3])
    last = queries._last_changes
    assert last("system") == {first.system_id: days[2].date()} | {one.system_id: days[1].date() for one in others}
    assert last("collection") == {board.collection_id: days[2].date()}
    assert last("paper") == last("suite") == last("method") == {}
    assert last("leaderboard") == {board.pk: days[3].date()}
    Analysis.objects.update(analysed_at=days[1])
    assert last("leaderboard") == {board.pk: days[2].date()}
    Result.objects.all().delete()
    assert last("leaderboard") == {board.pk: days[1].date()}


def test_the_map_lists_neither_suites_nor_methods_twice(monkeypatch):
    monkeypatch.setattr(queries, "PER_MAP", 2)
    for number, kind in enumerate((_SYSTEM, _SUITE, _PAPER, _METHOD, _COLLECTION, _SYSTEM)):
        put(kind, 10 - number, f"thing {number}")
    assert list(map_numbers()) == [1, 2, 3]
    assert [path for path, _ in addresses_on(2)] == ["/6/", "/8/"]
    assert [path for path, _ in addresses_on(3)] == ["/5/", "/10/"]


def test_an_address_of_nothing_leads_to_what_is_spelled_like_it(django_assert_num_queries):
    put(_COLLECTION, 1, "robust 2005")
    put(_COLLECTION, 2, "an unrelated robuster")
    put(_COLLECTION, 3, "robust 2004")
    put(_SYSTEM, 4, "robuzzt 2004")
    put(_COLLECTION, 5, "elsewhere")
    with django_assert_num_queries(8):
        near = nearest_things("/collections/robuxxt-2004/")
    assert titles(near) == ["robust 2004", "robust 2005"], "the nearest first"
    assert titles(nearest_things("/collections/robuxxt-2004/", 1)) == ["robust 2004"]
    assert nearest_things("/collections/") == nearest_things("/collections/zzzzqqqq/") == nearest_things("//") == []
    assert nearest_things("/systems/2004/") == nearest_things("/2004/") == []
    assert titles(nearest_things("/systems/2004/elsewhere/")) == ["elsewhere"]
    assert titles(nearest_things("/systems/else\0where/")) == ["elsewhere"]
    assert titles(nearest_things("/leaderboards/a/b/elsewhere/")) == ["elsewhere"]
    assert nearest_things("/leaderboards/a/b/c/elsewhere/") == []
    assert titles(nearest_things("/elsewhere/robust/")) == ["elsewhere"]


def test_groups_have_the_first_six_of_a_kind_and_say_how_many_more_there_are():
    for number in range(8):
        put(_SYSTEM, number, f"late {number}", number)
    put(_COLLECTION, 1, "late", 1)
    groups = groups_of(read_search("late"))
    assert [(one.kind, one.label, one.n, one.n_more) for one in groups] == [
        ("collection", "Collections", 1, 0), ("system", "Systems", 8, 2),
    ]  # fmt: skip
    assert titles(groups[1].things) == [f"late {number}" for number in range(7, 1, -1)]
    assert titles(groups[0].things) == ["late"]
    assert groups_of(read_search("unheard")) == []
    assert describe_thing(groups[0].things[0]) == {
        "kind": "collection", "title": "late", "detail": "", "url": "/1/", "n_results": 1,
    }  # fmt: skip
