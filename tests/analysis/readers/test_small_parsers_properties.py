"""What holds for every text that the small parsers get: names of measures, labels, authors, files."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.bibliography.papers import read_authors
from analysis.readers.columns import COLUMNS, NoNames, field_of
from analysis.readers.grids import bare_label
from analysis.readers.names import measure_name
from analysis.readers.pasted.heads import read_heads
from analysis.readers.rejections import Refused
from analysis.readers.tables import decode
from tests.analysis.readers.examples import examples, hostile, outcome, storable


@examples
@given(text=hostile(6) | st.from_regex(r"[A-Za-z]{1,6}[ _@-]?[0-9]{0,4}k?", fullmatch=True))
def test_any_text_is_a_measure_by_its_own_name_or_none(text):
    name = measure_name(text)
    assert measure_name(name) == name
    assert name.isascii()


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
    answer = outcome(lambda: decode(content))
    if isinstance(answer, Refused):
        assert answer.code in {"empty", "binary", "encoding"}
    else:
        assert answer.encode() == content.removeprefix(b"\xef\xbb\xbf")
