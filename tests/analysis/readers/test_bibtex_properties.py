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
    paper = read_bibtex(text)
    if isinstance(paper, PaperDraft):
        assert paper.identity
        assert paper.title
        assert paper.bibtex in text
    else:
        assert paper
        assert all(rejection.code and rejection.message and rejection.line and rejection.column for rejection in paper)


@examples
@given(place=st.integers(0, len(ENTRY) - 1))
def test_an_entry_cut_anywhere_is_refused(place):
    rejections = read_bibtex(ENTRY[:place])
    assert isinstance(rejections, list)
    assert {rejection.code for rejection in rejections} <= {"cut_off", "empty", "no_entry"}


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
    paper = read_bibtex(text)
    if isinstance(paper, list):
        # Letters may be such that stack signs, or compose differently: said by field.
        assert {rejection.column for rejection in paper} <= {"title", "author"}
        return
    assert paper.title == unicodedata.normalize("NFC", " ".join(title))
    assert len(paper.authors.split("; ")) == len(names)
    assert (paper.year, paper.bibtex) == (year, text)


@examples
@given(text=hostile(6) | st.from_regex(r"(doi:|arXiv:|DBLP:)?[0-9a-zA-Z./:()_-]{1,30}"))
def test_any_text_is_an_identifier_or_refused(text):
    identifier = read_identifier(text)
    if isinstance(identifier, PaperDraft):
        assert identifier.identity == paper_facts("", identifier.url).identity
        assert identifier.doi or identifier.arxiv_id or identifier.acl_id or identifier.dblp_key
    else:
        (rejection,) = identifier
        assert rejection.code
        assert (rejection.line, rejection.column) == (1, "paper")
