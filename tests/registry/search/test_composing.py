"""Texts that are made of names: where what they name meets."""

import pytest
from django.utils import timezone

from registry.search import composing
from registry.search.composing import Composed, read_composed, result_things
from registry.search.models import Term, Thing
from registry.search.queries import page_of, read_search
from tests.registry.curation.suites.world import add_member, make_suite
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_measure,
    make_model,
    make_result,
    make_system,
)
from tests.registry.search.world import put, titles

pytestmark = pytest.mark.django_db

_COLLECTION, _MEASURE, _SUITE = Thing.Kind.COLLECTION, Thing.Kind.MEASURE, Thing.Kind.SUITE
_MODEL, _SYSTEM, _LEADERBOARD = Thing.Kind.MODEL, Thing.Kind.SYSTEM, Thing.Kind.LEADERBOARD


def make_run(board, name: str, model=None, **fields):
    return make_result(board, make_system(name, model=model), **fields)


def put_collection(name: str):
    """A collection of this name, and its leaderboard."""
    board = make_leaderboard(make_collection(name=name), make_measure())
    put(_COLLECTION, board.collection_id, name)
    return board


def put_model(name: str, *, extra: str = "", weight: int = 0):
    """A model that goes by this name, and has more words perhaps."""
    model = make_model(name, name.replace(" ", "-"))
    thing = put(_MODEL, model.pk, name, weight)
    for word in extra.split():
        Term.objects.create(thing_id=thing, text=word, place=Term.Place.WORD, kind=_MODEL, weight=weight)
    return model


def test_one_word_and_more_than_eight_are_not_made_of_names(django_assert_num_queries):
    board = put_collection("a b c d e f g")
    put(_MEASURE, board.measure_id, "AP")
    thing = put(_LEADERBOARD, board.pk, "listed")
    assert read_composed("a b c d e f g ap") == Composed(leaderboards=(thing,))
    put(_COLLECTION, board.collection_id + 10_000, "a b c d e f g h")
    with django_assert_num_queries(0):
        assert read_composed("a b c d e f g h ap") == read_composed("listed") == read_composed("") == Composed()


def test_a_suite_stands_for_its_members_and_not_for_their_parts():
    ap, rr = make_measure("AP"), make_measure("RR")
    first, second, part, other = (make_collection(name) for name in ("first", "second", "part", "other"))
    on = {
        (one, measure): make_leaderboard(one, measure) for one in (first, second, part, other) for measure in (ap, rr)
    }
    suite = make_suite("beir", [on[first, ap], on[second, ap]])
    add_member(suite, on[part, ap], 2, part_of=suite.members.get(position=0))
    add_member(suite, on[second, rr], 3)
    make_suite("else", [on[other, ap]], position=1)
    put(_SUITE, suite.pk, "BEIR")
    put(_MEASURE, rr.pk, "RR")
    put(_COLLECTION, first.pk, "First")
    system = make_system("BM25")
    put(_SYSTEM, system.pk, "BM25")
    results = {key: make_result(board, system).pk for key, board in on.items()}
    make_run(on[first, ap], "another")
    members = [results[first, ap], results[second, ap], results[second, rr]]
    assert read_composed("beir bm25") == read_composed("BM25 BEIR") == Composed(results=tuple(members))
    assert read_composed("beir rr bm25") == Composed(results=(results[second, rr],))
    assert read_composed("beir rr") == Composed(), "a suite under a measure is no leaderboard"
    assert read_composed("beir first") == read_composed("beir first bm25") == Composed(), "it is on one of them"


def test_a_text_that_names_something_as_a_whole_is_read_otherwise_only_as_a_collection():
    marco, robust = make_leaderboard(make_collection("marco")), put_collection("Robust")
    suite = make_suite("marco", [marco])
    put(_SUITE, suite.pk, "Marco")
    model, system = put_model("MS"), make_system("Run")
    put(_SYSTEM, system.pk, "Run")
    on_suite, on_robust = make_run(marco, "ms run", model), make_run(robust, "ms run 2", model)
    own = make_result(robust, system)
    assert read_composed("ms marco") == Composed(results=(on_suite.pk,))
    assert read_composed("ms robust") == Composed(results=(on_robust.pk,))
    assert read_composed("run robust") == Composed(results=(own.pk,))
    put(_MEASURE, robust.measure_id, "AP")
    board = put(_LEADERBOARD, robust.pk, "Robust, AP")
    for number, name in enumerate(("MS Marco", "MS Robust", "Robust AP", "run robust")):
        put(_COLLECTION, 10_000 + number, name)
    assert read_composed("ms marco") == read_composed("ms robust") == Composed()
    assert read_composed("run robust") == Composed(results=(own.pk,))
    assert read_composed("robust ap") == Composed(leaderboards=(board,))
    put(_SYSTEM, 10_000, "Robust AP")
    assert read_composed("robust ap") == Composed(), "a system is called that"


def test_names_of_other_kinds_and_too_many_names_lead_nowhere():
    robust = put_collection("Robust")
    put(_LEADERBOARD, robust.pk, "listed")
    model, system = put_model("dense"), make_system("BM25")
    put(_SYSTEM, system.pk, "BM25")
    put(Thing.Kind.PAPER, 1, "Doe")
    make_run(robust, "dense run", model)
    make_result(robust, system)
    for text in ("robust doe", "doe robust", "robust bm25 dense", "bm25 dense robust", "robust ?!", "robust robust"):
        assert read_composed(text) == Composed(), text


def test_words_of_models_are_looked_for_on_the_longest_name():
    short, longer, apart = put_collection("DL"), put_collection("DL passage"), put_collection("Average")
    put(_MEASURE, apart.measure_id, "Average precision")
    model = put_model("large and dense")
    named = put_model("passage of the large dense")
    on = {
        (board, one): make_run(board, f"{one} {board.pk}", one).pk
        for board in (short, longer, apart)
        for one in (model, named)
    }
    make_run(longer, "another", put_model("small"))
    put(_SYSTEM, model.pk + 5000, "large dense system")
    assert read_composed("dl passage large dense").results == (on[longer, model], on[longer, named])
    assert read_composed("large dense dl passage").results == (on[longer, model], on[longer, named])
    assert read_composed("dense dl").results == (on[short, model], on[short, named])
    assert read_composed("average precision dl dense") == Composed(), "no model has the words of the measure"
    put(_COLLECTION, 10_000, "dense DL")
    assert read_composed("dense dl") == Composed(), "that is a name"


def test_where_the_rest_names_a_model_no_others_are_looked_for():
    robust = put_collection("Robust")
    put_model("large dense")
    other = make_run(robust, "run", put_model("large dense two"))
    assert read_composed("large dense robust") == read_composed("robust large dense") == Composed()
    assert read_composed("dense large robust").results == (other.pk,)


def test_models_that_have_all_words_come_by_weight_each_once():
    models = [put_model(f"zed {number}", extra="a", weight=number % 3) for number in range(4)]
    for thing in Thing.objects.filter(object_id=models[3].pk):
        Term.objects.create(thing=thing, text="zed", place=Term.Place.SHORT, kind=_MODEL, weight=0)
    put_model("zed without", weight=9)
    put(_SYSTEM, 10_000, "zed a", 9)
    expected = [models[2].pk, models[1].pk, models[0].pk, models[3].pk]
    assert composing._models_with(["a", "zed"]) == expected
    assert composing._models_with(["a"]) == expected
    assert composing._models_with(["zed", "without"]) != expected
    assert composing._models_with(["unheard", "zed"]) == composing._models_with([]) == []


def test_results_stand_by_the_size_of_their_leaderboard_and_then_as_recorded():
    system = make_system("BM25")
    put(_SYSTEM, system.pk, "BM25")
    collection = make_collection("robust")
    put(_COLLECTION, collection.pk, "Robust")
    boards = [make_leaderboard(collection) for _ in range(4)]
    late, early, unlisted, large = boards
    results = {board: make_result(board, system).pk for board in (unlisted, early, late, large)}
    for board, weight in ((late, 1), (early, 1), (large, 3)):
        put(_LEADERBOARD, board.pk, f"board {board.pk}", weight)
    put(_MEASURE, unlisted.pk, "a measure", 9)
    ended = {"ending": "withdrawn", "ended_at": timezone.now(), "ended_by": make_entry()}
    make_result(large, system, source="before", **ended)
    assert read_composed("robust bm25").results == tuple(results[one] for one in (large, early, late, unlisted))
    assert composing._sizes([late.pk, unlisted.pk]) == {late.pk: 1}


def test_leaderboards_stand_by_their_results(django_assert_num_queries):
    measure = make_measure("AP")
    put(_MEASURE, measure.pk, "AP")
    boards = [make_leaderboard(make_collection(f"dl-{number}"), measure) for number in range(3)]
    for board in boards:
        put(_COLLECTION, board.collection_id, board.collection.slug, short=["DL"])
    things = [put(_LEADERBOARD, board.pk, "one", weight) for board, weight in zip(boards, (2, 3, 2), strict=True)]
    assert read_composed("dl ap").leaderboards == (things[1], things[0], things[2])
    search = read_search("dl ap")
    assert [one.pk for one in page_of(search, "leaderboard", 0, 9)] == [things[1], things[0], things[2]]
    assert search.counts == {"leaderboard": 3}
    results = [make_result(board) for board in boards]
    with django_assert_num_queries(1):
        found = result_things([one.pk for one in results])
    assert [found[one.pk].detail for one in results] == ["dl-0, AP", "dl-1, AP", "dl-2, AP"]
    assert result_things([]) == {}


def test_results_come_before_what_shares_the_name_and_behind_a_collection_of_it():
    robust = put_collection("Robust")
    system = make_system("BM25")
    put(_SYSTEM, system.pk, "BM25")
    make_result(robust, system)
    put(_COLLECTION, 10_000, "Robust BM25")
    put(_COLLECTION, 10_001, "Heavy", 9, short=["robust bm25"])
    put(_SUITE, 10_002, "Robust of BM25", 9)
    search = read_search("robust bm25")
    assert search.counts == {"suite": 1, "collection": 2, "result": 1}
    assert titles(page_of(search, "", 0, 9)) == ["Robust BM25", "BM25: 0.2500", "Heavy", "Robust of BM25"]


def test_where_there_are_too_many_results_the_first_recorded_are_looked_at(monkeypatch):
    board, model = put_collection("one"), make_model("tower", "tower")
    put(_MODEL, model.pk, "tower")
    early, late = make_system("early", model=model), make_system("late", model=model)
    results = [make_result(board, system, source=source).pk for source in "ab" for system in (late, early)]
    monkeypatch.setattr(composing, "_MAX_RESULTS", 3)
    assert read_composed("one tower").results == tuple(results[:3])
