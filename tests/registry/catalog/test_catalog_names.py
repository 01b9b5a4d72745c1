"""Looking collections and measures up under any of their names."""

import pytest

from analysis.readers.rejections import Candidate, Refused
from registry.catalog.queries import CatalogNames
from tests.registry import factory


@pytest.mark.parametrize("name", ["trec-2004-robust", "TREC-2004-Robust", "robust04", " Robust04 ", "Ｒobust04"])
def test_slugs_and_aliases_in_any_case(name):
    collection = factory.make_collection("trec-2004-robust", aliases=["Robust04"])
    assert CatalogNames().collection(name) == collection


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
    assert caught.value.message.startswith("no collection is called 'Robust0'; did you mean trec-200")
    with pytest.raises(Refused, match=r"no collection is called 'zzzz'$"):
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
    by_id = factory.make_collection("a", ir_datasets_id="x/2022")
    by_alias = factory.make_collection("b", aliases=["X 2022"])
    with pytest.raises(Refused, match=r"may be a or b\. Which of them\?") as caught:
        CatalogNames().collection("x-2022")
    assert [candidate.value for candidate in caught.value.candidates] == ["a", "b"]
    assert CatalogNames().collection("x/2022") == by_id, "to the letter it is the id of one"
    assert CatalogNames().collection("X 2022") == by_alias


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
        assert [candidate.value for candidate in caught.value.candidates] == ["R(rel=2)@1000", "R(rel=1)@1000"]
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


def test_a_name_is_looked_up_once_however_many_rows_have_it(monkeypatch):
    factory.make_collection("trec-2004-robust")
    names = CatalogNames()
    looked_up = []
    monkeypatch.setattr("analysis.readers.text.get_close_matches", lambda word, *_, **__: looked_up.append(word) or [])
    for _ in range(1000):
        with pytest.raises(Refused):
            names.collection("Robust40")
    assert looked_up == ["robust40"]


def test_siblings_are_the_same_depth_or_another_measure_but_not_another_cut():
    track = factory.make_collection("dl19")
    ap, ap_at, strict, ndcg = (factory.make_measure(name) for name in ("AP", "AP@1000", "AP(rel=2)", "nDCG@10"))
    factory.make_leaderboard(track, strict)
    factory.make_question("Which?", ["mean"], [ap, ap_at, ndcg], kind="measure", only_with=[track])
    names = CatalogNames()
    assert {measure.name for measure in names.siblings(ap, on=track.pk)} == {"AP(rel=2)", "nDCG@10"}
    assert names.siblings(ap, on=factory.make_collection("other").pk) == []


@pytest.fixture
def suggested():
    rows = {
        slug: factory.make_collection(slug, name=name, aliases=aliases)
        for slug, name, aliases in [
            ("trec-robust", "Robust 2004", ["disks 4 and 5"]),
            ("beir-robust", "BEIR Robust04", []),
            ("clef-robust", "CLEF Robust", []),
            ("trec-news", "News", ["Robust news"]),
            ("scifact", "SciFact", []),
            ("a-light", "The old cranfield", []),
            ("heavy", "The new cranfield", []),
        ]
    }
    weights = {rows["clef-robust"].pk: 3, rows["trec-news"].pk: 5, rows["beir-robust"].pk: 4, rows["heavy"].pk: 1}

    def suggest(text: str, n: int = 10) -> list[str]:
        return [row.slug for row in CatalogNames().collections_like(text, n, weights=weights)]

    return suggest


def test_while_somebody_types_what_begins_so_comes_before_what_holds_the_words_and_weight_decides(suggested):
    assert suggested("robust")[:4] == ["trec-news", "trec-robust", "beir-robust", "clef-robust"]
    assert suggested("Robust", 2) == ["trec-news", "trec-robust"]
    assert suggested("robust news")[0] == "trec-news"
    assert suggested("cranfield") == ["heavy", "a-light"], "of those that hold it in the middle, too"
    assert suggested("04 robust")[0] == "beir-robust", "in any order"


def test_what_goes_by_the_name_that_is_typed_comes_first_however_light():
    factory.make_measure("P@1")
    heavy = factory.make_measure("P@10")
    strict, lenient = factory.make_measure("F(one)"), factory.make_measure("F(two)")
    factory.make_question("Which?", ["Frate"], [strict, lenient], kind="measure")
    weights = {heavy.pk: 9, lenient.pk: 1}

    def suggest(text: str) -> list[str]:
        return [measure.name for measure in CatalogNames().measures_like(text, 9, weights=weights)]

    assert suggest("P@1")[:2] == ["P@1", "P@10"]
    assert suggest("precision at 1")[0] == "P@1"
    assert suggest("F rat")[:2] == ["F(two)", "F(one)"], "the beginning of a name that is asked about"


def test_a_file_full_of_unknown_names_gets_suggestions_for_the_first_hundred():
    factory.make_collection("robust")
    names = CatalogNames()
    suggests = []
    for number in range(101):
        with pytest.raises(Refused) as caught:
            names.collection(f"robst{number}")
        suggests.append("did you mean" in caught.value.message)
    assert suggests == [True] * 100 + [False]


def test_a_digest_stays_while_every_name_says_the_same():
    robust = factory.make_collection("robust", aliases=["first", "second"])
    ap = factory.make_measure("AP", aliases=["MAP"])
    before = CatalogNames().digest
    robust.aliases.all().delete()
    for alias in ("second", "first"):
        robust.aliases.create(alias=alias)
    robust.notes, robust.n_topics = "more is known", 3
    robust.save()
    assert CatalogNames().digest == before
    assert CatalogNames(of_scores=True).digest != before
    seen = {before}
    changes = [
        lambda: robust.aliases.create(alias="third"),
        lambda: ap.aliases.all().delete(),
        lambda: type(ap).objects.update(high=100),
        lambda: type(ap).objects.update(low=-1),
        lambda: type(robust).objects.update(ir_datasets_id="robust04"),
        lambda: factory.make_question("Which?", ["x"], [robust]),
        lambda: factory.make_measure("RR"),
    ]
    for change in changes:
        change()
        seen.add(CatalogNames().digest)
    assert len(seen) == 1 + len(changes)
