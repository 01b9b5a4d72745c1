"""What holds for every text that the small parsers get: names of measures, labels, authors, files, rows of cells."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from registry.catalog.names import measure_name
from registry.core.rejections import Refused
from registry.core.tables import decode
from registry.submissions.pipeline.author_names import read_authors
from registry.submissions.pipeline.columns import COLUMNS, NoNames, field_of
from registry.submissions.pipeline.grids import split_label
from registry.submissions.pipeline.heads import read_heads
from registry.submissions.services.drafting import read_given
from tests.registry.submissions.pipeline.examples import examples, hostile, storable


def outcome(act):
    """What came of it: what is returned, or the refusal."""
    try:
        return act()
    except (Refused, ValidationError) as refused:
        return refused


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
    label, printed = split_label(text)
    assert printed in {"", text}
    assert label == label.strip()
    if not printed and "^{" not in text:
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


CELLS = st.dictionaries(st.sampled_from(COLUMNS) | hostile(2), hostile(4) | st.none() | st.integers(), max_size=4)


@examples
@given(rows=st.lists(CELLS, min_size=1, max_size=3))
def test_any_cells_can_be_stored_or_are_refused(rows):
    found = outcome(lambda: read_given(rows))
    if isinstance(found, ValidationError):
        assert found.code in {"unknown_column", "not_text", "too_long", "no_text"}
        assert found.message.startswith("row ")
        return
    assert [one.line for one in found] == list(range(1, len(rows) + 1))
    for one, cells in zip(found, rows, strict=True):
        assert one.cells == {column: text for column, text in cells.items() if text}
        "".join(one.cells.values()).encode()


@pytest.mark.parametrize("text", ["P", "Recall", "Latency", "@10", "AP@0", "P@1000k", "P@1000000"])
def test_what_could_be_anything_is_no_measure(text):
    assert measure_name(text) == ""
