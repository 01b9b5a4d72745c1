"""Looking a paper up, with an answer that is made here."""

import pytest
from django.test import override_settings

from analysis.readers.bibliography.lookup import address_to_ask, look_up
from analysis.readers.bibliography.papers import PaperDraft, read_identifier
from registry.submissions.result_forms import configured_fetch

ANSWER = "@article{k, title={A Study}, author={Doe, Jane}, year={2021}, doi={10.1145/1.2}}"


def draft(text: str) -> PaperDraft:
    found = read_identifier(text)
    assert isinstance(found, PaperDraft)
    return found


def answer_with(text):
    asked = []

    def fetch(address, media_type):
        asked.append((address, media_type))
        return text

    return fetch, asked


@pytest.mark.parametrize(
    ("identifier", "address"),
    [
        ("10.1145/1.2", "https://doi.org/10.1145/1.2"),
        ("1904.09171", "https://arxiv.org/bibtex/1904.09171"),
        ("10.48550/arXiv.1904.09171", "https://arxiv.org/bibtex/1904.09171"),
        ("P19-1001", "https://aclanthology.org/P19-1001.bib"),
        ("DBLP:conf/sigir/DoeR05", "https://dblp.org/rec/conf/sigir/DoeR05.bib"),
        ("https://evil.example.org/doi/10.1145/1.2", "https://doi.org/10.1145/1.2"),
    ],
)
def test_only_four_hosts_are_asked(identifier, address):
    assert address_to_ask(draft(identifier)) == address


def test_the_answer_fills_the_paper_in():
    fetch, asked = answer_with(ANSWER)
    found = look_up(draft("doi:10.1145/1.2"), fetch)
    assert isinstance(found, PaperDraft)
    assert (found.title, found.cite, found.year, found.bibtex) == ("A Study", "Doe (2021)", 2021, ANSWER)
    assert (found.identity, found.url) == ("doi:10.1145/1.2", "https://doi.org/10.1145/1.2")
    assert asked == [("https://doi.org/10.1145/1.2", "application/x-bibtex")]


def test_a_preprint_keeps_its_identity_and_gains_the_other_identifiers():
    fetch, _ = answer_with(ANSWER)
    found = look_up(draft("1904.09171"), fetch)
    assert isinstance(found, PaperDraft)
    assert (found.identity, found.arxiv_id, found.doi) == ("arxiv:1904.09171", "1904.09171", "10.1145/1.2")


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (ANSWER.replace("1.2", "9.9"), "other_paper", "answered with another paper, 10.1145/9.9"),
        ("<html>busy</html>", "no_entry", "the answer of https://doi.org/10.1145/1.2 cannot be read"),
        (ANSWER[:30], "cut_off", "cannot be read"),
    ],
)
def test_other_answers_are_refused(answer, code, message):
    fetch, _ = answer_with(answer)
    found = look_up(draft("10.1145/1.2"), fetch)
    assert isinstance(found, list)
    assert found[0].code == code
    assert message in found[0].message


def test_no_answer_is_said():
    def fetch(address, media_type):
        raise TimeoutError("timed out")

    found = look_up(draft("10.1145/1.2"), fetch)
    assert isinstance(found, list)
    assert found[0].message == "https://doi.org/10.1145/1.2 did not answer: timed out"


@override_settings(PLUMBLINE_LOOKUP_PAPERS="tests.registry.submissions.test_look_up_papers.answer_with")
def test_a_site_names_the_function_that_fetches():
    assert configured_fetch() is answer_with
