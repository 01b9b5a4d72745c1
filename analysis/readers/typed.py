"""What people type into one field: a score with its marks, and a paper as an identifier, BibTeX or citation."""

import re
from dataclasses import replace

from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.papers import PaperDraft, draft_of_addresses, read_identifier
from analysis.readers.grids import show_raised, split_score
from analysis.readers.latex import text as latex_text
from analysis.readers.pasted import markdown_text
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import clean_name, clean_url

_ENTRY = re.compile(r"\s*@[a-zA-Z]+\s*[{(]")
#: "Diaz (CIKM 2005)": when it was published, at the end of a citation.
_YEAR = re.compile(r"\([^()]*\b((?:19|20)\d\d)\)$")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
#: Longer than any score, with all that can stand around it.
_MAX_SCORE_LENGTH = 200


def read_score(text: str) -> tuple[str, str]:
    r"""Return the score without the marks around it, and how it was printed where there were any.

    >>> read_score("0.312*"), read_score(r"\textbf{.312}"), read_score("**0.30**")
    (('0.312', '0.312*'), ('.312', ''), ('0.30', ''))
    """
    text = text.strip()
    if len(text) > _MAX_SCORE_LENGTH:
        return text, ""
    is_latex = any(sign in text for sign in "\\{$")
    plain = latex_text.printed(text).text if is_latex else markdown_text.printed(text)
    score, printed = split_score(plain)
    return score, show_raised(printed)


def read_paper(text: str) -> PaperDraft | list[Rejection]:
    """Return the paper of a BibTeX entry, an identifier, an address, or a citation that an address may follow.

    >>> read_paper("1904.09171").identity, read_paper("Diaz (CIKM 2005)").cite
    ('arxiv:1904.09171', 'Diaz (CIKM 2005)')
    """
    if _ENTRY.match(text):
        return read_bibtex(text)
    identified = read_identifier(text)
    if isinstance(identified, PaperDraft):
        return identified
    *words, last = text.split() or [""]
    try:
        if _ADDRESS.fullmatch(last):
            cite, address = clean_name(" ".join(words)), clean_url(last)
        elif words:
            cite, address = clean_name(text), ""
        else:
            return identified
    except Refused as refused:
        return [refused.at(1, "paper")]
    draft = draft_of_addresses([address] if address else [], cite)
    if draft is None:
        return identified
    year = _YEAR.search(cite)
    return replace(draft, cite=cite, year=int(year[1]) if year else None)
