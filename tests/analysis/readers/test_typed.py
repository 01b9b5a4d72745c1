"""What people type into the fields for a score and for a paper."""

import pytest

from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.typed import read_paper, read_score


@pytest.mark.parametrize(
    ("text", "identity", "cite", "year", "url"),
    [
        ("Doe (SIGIR 2021)", "cite:doe (sigir 2021)", "Doe (SIGIR 2021)", 2021, ""),
        ("Doe 2021", "cite:doe 2021", "Doe 2021", None, ""),
        ("Doe (2021) and more", "cite:doe (2021) and more", "Doe (2021) and more", None, ""),
        ("Doe  (1999) https://e.org/p.pdf", "url:e.org/p.pdf", "Doe (1999)", 1999, "https://e.org/p.pdf"),
        ("Doe https://doi.org/10.1145/1.2", "doi:10.1145/1.2", "Doe", None, "https://doi.org/10.1145/1.2"),
        ("https://e.org/p.pdf", "url:e.org/p.pdf", "", None, "https://e.org/p.pdf"),
        ("10.1145/1.2", "doi:10.1145/1.2", "", None, "https://doi.org/10.1145/1.2"),
        (" @misc{k, title={T}, author={Doe, J}, year={2005}}", "cite:doe (2005)", "Doe (2005)", 2005, ""),
    ],
)
def test_papers(text, identity, cite, year, url):
    found = read_paper(text)
    assert isinstance(found, PaperDraft), found
    assert (found.identity, found.cite, found.year, found.url) == (identity, cite, year, url)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        ("Doe https://me:secret@example.org/", "url"),
        ("Doe\u200b (2021)", "invisible_character"),
        ("@misc{k}", "blank"),
    ],
)
def test_what_is_no_paper(text, code):
    (rejection,) = read_paper(text)
    assert (rejection.code, rejection.line) == (code, 1)


@pytest.mark.parametrize(
    ("text", "score", "printed"),
    [
        (" 0.31 ", "0.31", ""),
        (r"\textbf{.312}$^\dagger$", ".312", ".312†"),
        ("$0.31_{0.02}$", "0.31", "0.31_0.02"),
        ("**0.30**<sup>a</sup>", "0.30", "0.30^a"),
        ("0.31*", "0.31", "0.31*"),
        ("0.31" + "*" * 196, "0.31", "0.31" + "*" * 196),
        ("0.31" + "*" * 197, "0.31" + "*" * 197, ""),
    ],
)
def test_scores(text, score, printed):
    assert read_score(text) == (score, printed)
