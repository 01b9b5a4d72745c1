"""What holds for every text that the small parsers get: names of measures, labels, authors, files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.bibliography.author_names import read_authors
from analysis.readers.columns import COLUMNS, NoNames, field_of
from analysis.readers.grids import bare_label
from analysis.readers.names import measure_name
from analysis.readers.pasted.heads import read_heads
from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from tests.analysis.readers.examples import examples, hostile, outcome, storable

MEASURES = st.sampled_from(["AP", "nDCG@10", "P@5", "RR@1000", "AP(rel=2)@100", "Rprec", "alpha_nDCG@20", "infAP"])


@examples
@given(text=hostile(6) | st.from_regex(r"[A-Za-z]{1,6}[ _@-]?[0-9]{0,4}k?", fullmatch=True))
def test_any_text_is_a_measure_by_its_own_name_or_none(text):
    name = measure_name(text)
    assert measure_name(name) == name
    assert name.isascii()


@examples
@given(name=MEASURES, blanks=st.text(" \t", max_size=3))
def test_names_of_ir_measures_stay_what_they_are(name, blanks):
    assert measure_name(blanks + name.upper() + blanks) == name


@examples
@given(text=hostile(8))
def test_any_label_is_told_from_its_marks_or_stays(text):
    label = bare_label(text)
    assert label == label.strip()
    if "^{" not in text and not set(text) & {*"†‡"}:
        assert label == text.strip()


@examples
@given(levels=st.lists(hostile(4), max_size=3))
def test_any_head_holds_something_known_or_nothing(levels):
    (head,) = read_heads([[text] for text in levels] or [[""]], NoNames())
    assert head.field in {"", *COLUMNS}
    assert field_of(head.text) in {"", *COLUMNS}


@examples
@given(text=hostile(12) | st.lists(storable(8), max_size=4).map(" and ".join))
def test_any_authors_are_names_or_refused(text):
    authors = outcome(lambda: read_authors(text))
    assert str(authors) == str(authors).strip()


@examples
@given(content=st.binary(max_size=60) | hostile(6).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_is_text_or_refused(content):
    found = outcome(lambda: decode(content))
    if isinstance(found, Refused):
        assert found.code in {"empty", "binary", "encoding"}
    else:
        assert found.encode() == content.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize("text", ["P", "Recall", "Latency", "@10", "AP@0", "P@1000k", "P@1000000"])
def test_what_could_be_anything_is_no_measure(text):
    assert measure_name(text) == ""
