"""Whatever is typed or pasted is read, or refused with a reason; nothing else ever comes of it."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.recognizing import CHOICES, Reading, read_paper, read_score, read_text
from analysis.readers.rejections import Refused, Rejection
from tests.analysis.readers.examples import Names, examples, hostile

#: Beginnings that lead past the first look of a reader.
BEGINNINGS = (
    "",
    "@article{x, title={",
    "10.1145/",
    "https://arxiv.org/abs/",
    "Doe (SIGIR 2021) https://",
    "\\textbf{",
    "run:\n  results:\n",
    "schema-version: 0.1\n",
    '{"results": [',
    '{"evaluation_results": [',
    "collection,measure,system,value,role\n",
    "system,MAP\n",
)
texts = st.tuples(st.sampled_from(BEGINNINGS), hostile()).map("".join)


@examples
@given(text=texts)
def test_a_score_is_read_or_refused(text):
    try:
        score, printed = read_score(text)
    except Refused as refused:
        score, printed = refused.message, ""
    assert isinstance(score, str)
    assert not printed or score in printed


@examples
@given(text=texts)
def test_a_paper_is_read_or_refused(text):
    paper = read_paper(text)
    if isinstance(paper, PaperDraft):
        assert paper.identity
    else:
        assert paper
        assert all(isinstance(rejection, Rejection) and rejection.message for rejection in paper)


@examples
@given(text=texts, form=st.sampled_from(["", *(name for name, _ in CHOICES)]))
def test_a_table_is_read_or_refused(text, form):
    reading = read_text(text, Names(), form=form)
    if isinstance(reading, Reading):
        assert reading.records
    else:
        assert reading
        assert all(rejection.message for rejection in reading)
