"""Which address knows the BibTeX of a paper, and what is made of its answer."""

import pytest

from analysis.readers.bibliography.lookup import address_to_ask, look_up
from analysis.readers.bibliography.papers import PaperDraft, read_identifier
from analysis.readers.rejections import Rejection

ENTRY = "@inproceedings{DBLP:conf/sigir/DoeR05, title={A title}, author={Doe, Jane}, year={2005}, doi={10.1145/1.2}}"


def draft(identifier: str) -> PaperDraft:
    found = read_identifier(identifier)
    assert isinstance(found, PaperDraft), found
    return found


@pytest.mark.parametrize(
    ("identifier", "address"),
    [
        ("P19-1001", "https://aclanthology.org/P19-1001.bib"),
        ("10.18653/v1/P19-1001", "https://aclanthology.org/P19-1001.bib"),
        ("1904.09171v2", "https://arxiv.org/bibtex/1904.09171"),
        ("10.48550/arXiv.1904.09171", "https://arxiv.org/bibtex/1904.09171"),
        ("10.1145/1.2", "https://doi.org/10.1145/1.2"),
        ("DBLP:conf/sigir/DoeR05", "https://dblp.org/rec/conf/sigir/DoeR05.bib"),
    ],
)
def test_the_address_that_knows_most_is_asked(identifier, address):
    assert address_to_ask(draft(identifier)) == address


def test_a_paper_without_an_identifier_is_not_looked_up():
    paper = PaperDraft("cite:doe (2005)", cite="Doe (2005)")
    assert address_to_ask(paper) == ""
    refused = [Rejection("identifier", "has no identifier to look up", 1, "paper")]
    assert look_up(paper, lambda address, wanted: pytest.fail(address)) == refused


def test_the_answer_fills_in_what_the_identifier_does_not_say():
    asked = []

    def fetch(address: str, wanted: str) -> str:
        asked.append((address, wanted))
        return ENTRY

    found = look_up(draft("https://dl.acm.org/doi/abs/10.1145/1.2"), fetch)
    assert isinstance(found, PaperDraft)
    assert asked == [("https://doi.org/10.1145/1.2", "application/x-bibtex")]
    assert (found.title, found.cite, found.year, found.bibtex) == ("A title", "Doe (SIGIR 2005)", 2005, ENTRY)
    assert (found.identity, found.url) == ("doi:10.1145/1.2", "https://dl.acm.org/doi/abs/10.1145/1.2")
    assert (found.doi, found.dblp_key, found.arxiv_id) == ("10.1145/1.2", "conf/sigir/DoeR05", "")


def test_why_nothing_came_of_it_is_said():
    def fail(address: str, wanted: str) -> str:
        raise TimeoutError("timed out")

    paper = draft("10.1145/1.2")
    address = "https://doi.org/10.1145/1.2"
    assert look_up(paper, fail) == [Rejection("not_found", f"{address} did not answer: timed out", 1, "paper")]
    (broken,) = look_up(paper, lambda *_: "<html>")
    assert (broken.code, broken.line, broken.column) == ("no_entry", 1, "paper")
    assert broken.message.startswith(f"the answer of {address} cannot be read: there is no BibTeX entry in it")
    other = look_up(paper, lambda *_: ENTRY.replace("10.1145/1.2", "10.1145/9.9"))
    assert other == [Rejection("other_paper", f"{address} answered with another paper, 10.1145/9.9", 1, "paper")]
    # Capitals are no other paper, and neither is an answer without the identifier.
    for entry in (ENTRY.replace("10.1145/1.2", "10.1145/1.2".upper()), ENTRY.replace("doi=", "note=")):
        assert isinstance(look_up(paper, lambda *_, entry=entry: entry), PaperDraft)
