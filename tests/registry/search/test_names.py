"""How what is typed and what things are called are compared."""

import pytest

from registry.search.asking import read_asked, without_fillers
from registry.search.models import Thing
from registry.search.names import (
    MAX_LENGTH,
    family_names,
    identifier_key,
    name_key,
    other_names,
    short_citations,
    short_names,
    slips_of,
    without_part,
    words_of,
)


def test_words_lose_case_accents_and_signs_and_stand_once():
    assert words_of("Résumé_of naïve", "NAIVE re-ranking") == ["resume", "of", "naive", "re", "ranking"]
    assert words_of("?!", "") == []
    assert words_of("x" * 300) == ["x" * MAX_LENGTH]
    assert (name_key("y" * 300), identifier_key("z" * 300)) == ("y" * MAX_LENGTH, "z" * MAX_LENGTH)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("https://dl.acm.org/doi/10.1145/1571941.1572114?casa=1", "10.1145/1571941.1572114"),
        ("DOI: 10.1145/1571941.1572114.", "10.1145/1571941.1572114"),
        ("http://www.arxiv.org/html/2104.08663v12", "2104.08663"),
        ("arxiv:arxiv:2104.08663", "arxiv:2104.08663"),
        ("https://aclanthology.org/P19-1612/", "p19-1612"),
        ("https://aclanthology.org/P19-1612.pdf", "p19-1612"),
        ("dblp: conf/sigir/Doe20", "conf/sigir/doe20"),
        ("https://dblp.org/rec/conf/sigir/Doe20", "conf/sigir/doe20"),
        ("https://huggingface.co/colbert-ir/colbertv2.0", "colbert-ir/colbertv2.0"),
        ("https://example.org/a", "example.org/a"),
    ],
)
def test_a_paper_goes_by_its_identifier_however_it_is_written(typed, key):
    assert identifier_key(typed) == key


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("ColBERT Re-Rank fast (aside)", ["ColBERT Re-Rank fast", "ColBERT", "fast"]),
        ("a/b/big c v2.1", ["big c v2.1", "big", "v2.1", "big c v2", "v2", "big c"]),
        ("maker/model-v2", ["model-v2", "model"]),
        ("model.en.base", ["model"]),
        ("BM25", []),
        ("one two", ["one", "two"]),
        ("baseline of Foo", []),
        ("Proposed in Foo", []),
        ("Foo [Baseline 2]", []),
        ("Foo [tuned]", ["Foo"]),
    ],
)
def test_a_system_goes_by_its_name_without_maker_settings_and_version(name, short):
    assert short_names(name) == short


@pytest.mark.parametrize(
    ("name", "shared"),
    [
        ("maker/x-ray-2020-y", ["x-ray", "x-ray-2020"]),
        ("2020-x-y", ["2020-x"]),
        ("e5-base", ["e5"]),
        ("-base", []),
        ("single", []),
    ],
)
def test_models_of_one_make_share_beginnings_of_more_than_a_letter_or_number(name, shared):
    assert family_names(name) == shared


def test_parts_and_versions_of_test_sets_are_left_out():
    names = ("TREC-8 topics 401-450", "MS MARCO dev", "NQ train", "MTEB v2", "MTEB v1.1", "WT10g", "dev")
    assert [without_part(name) for name in names] == ["TREC-8", "MS MARCO", "NQ", "MTEB", "MTEB", "WT10g", "dev"]


@pytest.mark.parametrize(
    ("people", "cite", "year", "texts"),
    [
        ("Doe et al.", "Doe et al. (ACL)", 2020, ["Doe et al.", "Doe", "Doe et al. 2020", "Doe 2020", "Doe ACL"]),
        ("Doe", "Doe (2020)", 2020, ["Doe", "Doe 2020"]),
        ("Doe", "Doe", None, ["Doe"]),
        ("", "A report (2020)", None, ["A report 2020"]),
        (" ", " ", None, []),
    ],
)
def test_papers_are_remembered_by_whose_they_are_where_and_when(people, cite, year, texts):
    assert short_citations(people, cite, year) == texts


def test_slips_are_all_words_one_letter_away():
    assert slips_of("abcd", "x") == {
        *("bcd", "acd", "abd", "abc"),
        *("bacd", "acbd", "abdc"),
        *("xbcd", "axcd", "abxd", "abcx"),
        *("xabcd", "axbcd", "abxcd", "abcxd", "abcdx"),
    }
    assert "abcdx" in slips_of("abcd")
    assert slips_of("abc") == slips_of("a" * 25) == set()
    assert "a" * 23 in slips_of("a" * 24)


@pytest.mark.parametrize(
    ("typed", "rest", "kinds"),
    [
        ("BEIR paper", "BEIR", ("paper",)),
        ("papers on BEIR", "on BEIR", ("paper",)),
        ("leader board of BEIR", "of BEIR", ("suite", "leaderboard")),
        ("Rankings BEIR", "BEIR", ("suite", "leaderboard")),
        ("benchmark BEIR", "BEIR", ("suite", "collection")),
        ("DL19 Qrels", "DL19", ("collection",)),
        ("test collection DL19", "DL19", ("collection",)),
        ("state of the art on DL19", "DL19", ("collection",)),
        ("sota DL19", "DL19", ("collection",)),
        ("paper", "paper", ()),
        ("newspapers", "newspapers", ()),
        ("DL19", "DL19", ()),
    ],
)
def test_words_that_say_what_is_looked_for_are_told_from_names(typed, rest, kinds):
    assert read_asked(typed) == (rest, kinds)
    assert all(isinstance(kind, Thing.Kind) for kind in read_asked(typed)[1])


def test_a_question_is_asked_by_its_other_words():
    assert without_fillers(("what", "is", "a", "don", "t", "bm25", "for")) == ("bm25",)
    assert without_fillers(("the", "of")) == ()


def test_other_names_are_those_of_the_words_that_follow_each_other():
    assert other_names("anserini RRF run") == ["reciprocal rank fusion", "RRF"]
    assert other_names("contriever-msmarco") == ["facebook/contriever", "facebook/contriever-msmarco"]
    assert other_names("msmarco contriever") == ["facebook/contriever"]
    assert other_names("rrfx") == []
