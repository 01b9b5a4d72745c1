"""Names, texts and addresses as people type and copy them."""

import pytest

from analysis.readers.rejections import Refused
from analysis.readers.text import clean_name, clean_url, comparison_key, did_you_mean, nearest


def test_names_are_composed_and_on_one_line():
    assert clean_name("  BM25 \t +\n RM3\u00a0 ") == "BM25 + RM3"
    assert clean_name("Fro\u0308be") == "Fröbe"
    assert clean_name("") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BM25\u200b", "U+200B (zero width space), which cannot be seen; delete it"),
        ("\u202eBM25", "U+202E (right-to-left override)"),
        ("BM\u00ad25", "U+00AD (soft hyphen)"),
        ("BM\x0025", "U+0000 (control character)"),
        ("BM\x1b[31m", "U+001B (control character)"),
        ("BM\ufeff25", "U+FEFF (zero width no-break space)"),
        ("BM\ue000", "U+E000"),
        ("BM\ud800", "U+D800"),
        ("BM\u0378", "U+0378"),
        ("B" + "\u0300\u0316" * 5, "stacks more than 8 combining signs"),
    ],
)
def test_what_cannot_be_seen_is_refused(text, message):
    with pytest.raises(Refused) as caught:
        clean_name(text)
    assert message in caught.value.message


def test_long_names_are_refused_with_their_length():
    assert len(clean_name("x" * 300)) == 300
    with pytest.raises(Refused, match="has 301 characters; the most is 300"):
        clean_name("x" * 301)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("BM25", "bm25"),
        ("BM25 + RM3", " bm25  +\tRM3"),
        ("Fro\u0308be", "FRÖBE"),
        ("ﬁne", "FINE"),
        ("Ｒｏｂｕｓｔ０４", "robust04"),
        ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_names_that_people_read_as_the_same_have_one_key(first, second):
    assert comparison_key(first) == comparison_key(second)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ftp://example.org/a", "is not a web address; write it in full"),
        ("javascript:alert(1)", "is not a web address"),
        ("example.org/paper", "is not a web address"),
        ("https://", "is not a web address"),
        ("https://user:secret@example.org/", "carries a user name or password"),
        ("https://user@example.org/", "carries a user name or password"),
        ("https://example.org/a b", "has blanks or control characters"),
        ("https://example.org/\u202ea", "has blanks or control characters"),
        ("https://[::1", "is not a web address"),
        ("https://example.org:port/", "is not a web address"),
        ("https://example.org/" + "a" * 500, "has 520 characters; the most is 500"),
    ],
)
def test_other_addresses_are_refused(text, message):
    with pytest.raises(Refused) as caught:
        clean_url(text)
    assert message in caught.value.message


def test_the_nearest_names_are_suggested():
    assert nearest("ndgc@10", ["AP", "nDCG@10", "nDCG@20"]) == ["nDCG@10"]
    assert did_you_mean("Robst04", ["Robust04", "Cranfield"]) == "; did you mean Robust04?"
    assert did_you_mean("zzz", ["Robust04"]) == ""
