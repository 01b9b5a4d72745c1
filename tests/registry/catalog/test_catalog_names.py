"""Looking collections and measures up under any of their names."""

import pytest

from analysis.readers.rejections import Candidate, Refused
from registry.catalog import names as names_of_catalog
from registry.catalog.queries import CatalogNames
from tests.registry import factory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["trec-2004-robust", "TREC-2004-Robust", "robust04", " Robust04 ", "Ｒobust04"])
def test_slugs_and_aliases_in_any_case(name):
    collection = factory.make_collection("trec-2004-robust", aliases=["Robust04"])
    assert CatalogNames().collection(name) == collection


def test_measures_too():
    measure = factory.make_measure("nDCG@10", aliases=["ndcg_cut_10"])
    names = CatalogNames()
    assert names.measure("ndcg@10") == names.measure("NDCG_CUT_10") == measure


def test_a_name_wins_over_an_alias():
    other = factory.make_collection("other")
    collection = factory.make_collection("robust04")
    other.aliases.create(alias="Robust04")
    assert CatalogNames().collection("Robust04") == collection


def test_unknown_names_are_refused_with_the_nearest_canonical_ones():
    factory.make_collection("trec-2004-robust", aliases=["Robust04"])
    factory.make_collection("trec-2005-robust", aliases=["Robust05"])
    with pytest.raises(Refused) as caught:
        CatalogNames().collection("Robust0")
    assert caught.value.code == "unknown_collection"
    assert caught.value.message.startswith("unknown collection 'Robust0'; did you mean trec-200")
    with pytest.raises(Refused, match=r"unknown collection 'zzzz'$"):
        CatalogNames().collection("zzzz")
    with pytest.raises(Refused, match="names no measure"):
        CatalogNames().measure(" ")


def test_the_number_of_queries_does_not_grow_with_the_names(django_assert_num_queries):
    for number in range(5):
        factory.make_collection(f"c{number}", aliases=[f"alias {number}"])
    with django_assert_num_queries(5):
        names = CatalogNames()
        for number in range(5):
            names.collection(f"alias {number}")


def test_an_ambiguous_name_asks_with_what_tells_the_candidates_apart():
    passage = factory.make_collection("dl-passage", name="DL passage", n_topics=43, documents="passages", language="en")
    document = factory.make_collection("dl-doc", name="DL document", n_topics=45, documents="documents", language="en")
    factory.make_question("Passage or document ranking?", ["DL19", "TREC DL 2019"], [passage, document])
    names = CatalogNames()
    for written in ("DL19", "dl-19", "trec_dl_2019", "TREC-DL 2019"):
        with pytest.raises(Refused) as caught:
            names.collection(written)
        assert caught.value.code == "ambiguous"
        assert caught.value.message == f"{written!r} may be dl-passage or dl-doc. Passage or document ranking?"
        assert caught.value.candidates == (
            Candidate("dl-passage", "DL passage", "43 topics, passages"),
            Candidate("dl-doc", "DL document", "45 topics, documents"),
        )
    assert names.has_collection("DL19")
    assert names.collection("dl-doc") == document


def test_two_rows_with_one_name_are_asked_about_without_anybody_having_foreseen_it():
    one = factory.make_collection("a", ir_datasets_id="x/2022")
    other = factory.make_collection("b", aliases=["X 2022"])
    with pytest.raises(Refused, match=r"may be a or b\. Which of them\?") as caught:
        CatalogNames().collection("x-2022")
    assert [one.value for one in caught.value.candidates] == ["a", "b"]
    assert CatalogNames().collection("x/2022") == one, "to the letter it is the id of one"
    assert CatalogNames().collection("X 2022") == other


def test_a_question_may_be_asked_beside_some_names_only():
    track, beir = factory.make_collection("robust", aliases=["Robust04"]), factory.make_collection("beir-robust")
    ap, ndcg = factory.make_measure("AP"), factory.make_measure("nDCG@10")
    factory.make_question("The track or BEIR?", ["Robust04"], [track, beir], only_with=[ndcg])
    factory.make_question("Which grade?", ["MAP"], [ap, ndcg], kind="measure", only_with=[beir])
    names = CatalogNames()
    assert names.collection("Robust04") == names.collection("robust-04", under="MAP") == track
    with pytest.raises(Refused, match="The track or BEIR"):
        names.collection("Robust04", under="ndcg_cut_10")
    assert names.measure("MAP") == names.measure("MAP", on=track) == ap
    with pytest.raises(Refused, match="Which grade"):
        names.measure("mean average precision", on=beir)
    assert names.measure("AP", on=beir) == ap, "an exact name leads to what is on record"


def test_whoever_hands_in_scores_is_asked_about_exact_names_where_a_sibling_has_a_leaderboard():
    track, other = factory.make_collection("dl19"), factory.make_collection("robust")
    recall, strict = factory.make_measure("R@1000"), factory.make_measure("R(rel=2)@1000")
    factory.make_leaderboard(track, strict)
    names = CatalogNames(of_scores=True)
    for written in ("R@1000", "recall_1000", "Recall@1k"):
        with pytest.raises(Refused) as caught:
            names.measure(written, on=track)
        assert [one.value for one in caught.value.candidates] == ["R(rel=2)@1000", "R(rel=1)@1000"]
        assert names.measure(written, on=other) == names.measure(written) == recall
    assert names.measure("R(rel=1)@1000", on=track) == names.measure("Recall@1k (rel≥1)", on=track) == recall
    assert names.measure("R(rel=2)@1000", on=track) == strict
    assert CatalogNames().measure("R@1000", on=track) == recall
    assert names.siblings(recall, on=track.pk) == [strict]


def test_a_name_that_means_nothing_here_says_why():
    factory.make_collection("beir-nq")
    factory.make_question("An average has no leaderboard.", ["BEIR"])
    with pytest.raises(Refused) as caught:
        CatalogNames().collection("BEIR")
    assert (caught.value.code, caught.value.candidates) == ("unknown_collection", ())
    assert caught.value.message == "'BEIR' names no collection here. An average has no leaderboard."
    assert not CatalogNames().has_collection("BEIR")


def test_a_long_list_of_candidates_is_cut_in_the_sentence_and_whole_beside_it():
    rows = [factory.make_collection(f"c{number}") for number in range(9)]
    factory.make_question("Which year?", ["C"], rows)
    with pytest.raises(Refused) as caught:
        CatalogNames().collection("c")
    assert "c0, c1, c2, c3, c4, c5 or 3 more. Which year?" in caught.value.message
    assert len(caught.value.candidates) == 9


def test_a_name_is_looked_up_once_however_many_rows_have_it(monkeypatch):
    factory.make_collection("trec-2004-robust")
    names = CatalogNames()
    looked_up = []
    monkeypatch.setattr(names_of_catalog, "nearest", lambda word, known, *, n: looked_up.append(word) or [])
    for _ in range(1000):
        with pytest.raises(Refused):
            names.collection("Robust40")
    assert looked_up == ["Robust40"]
