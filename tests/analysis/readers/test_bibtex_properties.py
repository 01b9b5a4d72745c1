"""What holds for every text that is taken for BibTeX or for an identifier."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.papers import PaperDraft, read_identifier
from analysis.readers.identifiers import paper_facts
from tests.analysis.readers.examples import examples, hostile
from tests.analysis.readers.test_read_bibtex import ENTRY

WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8)


@examples
@given(text=hostile() | hostile().map(lambda text: f"@article{{key, title = {{{text}}}}}"))
def test_any_text_is_a_paper_or_refused_with_line_and_field(text):
    found = read_bibtex(text)
    if isinstance(found, PaperDraft):
        assert found.identity
        assert found.title
        assert found.bibtex in text
    else:
        assert found
        assert all(one.code and one.message and one.line and one.column for one in found)


@examples
@given(place=st.integers(0, len(ENTRY) - 1))
def test_an_entry_cut_anywhere_is_refused(place):
    found = read_bibtex(ENTRY[:place])
    assert isinstance(found, list)
    assert {one.code for one in found} <= {"cut_off", "empty", "no_entry"}


@examples
@given(
    title=st.lists(WORDS, min_size=1, max_size=5),
    names=st.lists(WORDS, min_size=1, max_size=4),
    year=st.integers(1950, 2030),
)
def test_what_was_written_is_read(title, names, year):
    names = [name for name in names if name.lower() not in {"and", "others"}] or ["X"]
    authors = " and ".join(f"{name}, {name}" for name in names)
    text = f"@misc{{k,\n title = {{{' '.join(title)}}},\n author = {{{authors}}},\n year={year}}}"
    found = read_bibtex(text)
    if isinstance(found, list):
        # Letters may be such that stack signs, or compose differently: said by field.
        assert {one.column for one in found} <= {"title", "author"}
        return
    assert found.title == unicodedata.normalize("NFC", " ".join(title))
    assert len(found.authors.split("; ")) == len(names)
    assert (found.year, found.bibtex) == (year, text)


@examples
@given(text=hostile(6) | st.from_regex(r"(doi:|arXiv:|DBLP:)?[0-9a-zA-Z./:()_-]{1,30}"))
def test_any_text_is_an_identifier_or_refused(text):
    found = read_identifier(text)
    if isinstance(found, PaperDraft):
        assert found.identity == paper_facts("", found.url).identity
        assert found.doi or found.arxiv_id or found.acl_id or found.dblp_key
    else:
        (one,) = found
        assert one.code
        assert (one.line, one.column) == (1, "paper")
