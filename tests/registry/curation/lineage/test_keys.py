"""Keys of lineages: two ways of writing one maker or paper are one key."""

import pytest

from analysis.readers.identifiers import paper_facts
from analysis.readers.rejections import Refused
from registry.curation.lineage.models import KEY_LENGTH
from registry.curation.lineage.pipeline import paper_key, parse_key


def key_of(cite: str, url: str) -> str:
    facts = paper_facts(cite, url)
    return paper_key(facts.identity, url=url)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://doi.org/10.1145/2766462.2767752", "paper:10.1145/2766462.2767752"),
        ("https://dl.acm.org/doi/pdf/10.1145/2766462.2767752", "paper:10.1145/2766462.2767752"),
        ("http://arxiv.org/pdf/2010.08191v2.pdf", "paper:arxiv:2010.08191"),
        ("https://aclanthology.org/2020.emnlp-main.550/", "paper:acl:2020.emnlp-main.550"),
        ("https://dl.acm.org/citation.cfm?id=1099722", "paper:dl.acm.org/citation.cfm?id=1099722"),
        ("http://www.example.org/paper/", "paper:example.org/paper"),
        ("https://trec.nist.gov/pubs/trec31/UAmsterdam.D.pdf", "paper:trec.nist.gov/pubs/trec31/UAmsterdam.D.pdf"),
    ],
)
def test_a_paper_goes_by_its_identifier_or_address(url, key):
    assert key_of("Diaz (CIKM 2005)", url) == key_of("", url) == key
    assert parse_key(f"paper:{url}") == parse_key(f" Paper : {url} ") == key
    assert parse_key(key) == key


def test_a_citation_alone_is_a_key_until_an_identifier_is_known():
    identity = paper_facts("Diaz  (CIKM 2005)", "").identity
    assert paper_key(identity) == "paper:cite:diaz (cikm 2005)"
    assert paper_key(identity, doi="10.1145/1099554.1099722") == "paper:10.1145/1099554.1099722"
    assert paper_key(identity, arxiv_id="2010.08191", acl_id="P18-1001") == "paper:arxiv:2010.08191"
    assert paper_key(identity, acl_id="P18-1001") == "paper:acl:p18-1001"
    assert paper_key(identity, url="https://www.example.org/Paper/") == "paper:example.org/Paper"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("baidu", "write a kind and a name"),
        ("team: ", "write a kind and a name"),
        ("tema:baidu", "did you mean team?"),
        ("Model:a\u200bb", "cannot be seen"),
    ],
)
def test_what_is_no_key_is_refused_with_advice(text, advice):
    with pytest.raises(Refused, match=advice.replace("?", r"\?")):
        parse_key(text)


def test_a_key_is_a_kind_and_a_name_that_is_not_too_long():
    assert parse_key("team:example.org/lab") == "team:example.org/lab", "only papers go by addresses"
    assert parse_key("paper: Doe (2020) ") == "paper:doe (2020)"
    assert parse_key("paper:example.org/Doe.pdf") == "paper:example.org/Doe.pdf"
    assert parse_key("paper:http://www.example.org/Doe.pdf") == "paper:example.org/Doe.pdf"
    assert parse_key("model:" + "m" * (KEY_LENGTH - 6)) == "model:" + "m" * (KEY_LENGTH - 6)
    for text in ("model:" + "m" * (KEY_LENGTH - 5), ":x", "team", "", "team:\t"):
        with pytest.raises(Refused):
            parse_key(text)


def test_an_identifier_names_a_paper_whose_address_does_not():
    assert paper_key("url:x y") == "paper:url:x y"
    assert paper_key("url:x y", doi="10.1/X") == "paper:10.1/x"
    assert paper_key("cite:doe", url="https://example.org/d", doi="10.1/X") == "paper:10.1/x"
    assert paper_key("doi:10.1/x", url="https://example.org/d", arxiv_id="2001.00001") == "paper:10.1/x"
    assert paper_key("arxiv:2010.08191", url="https://example.org/d") == "paper:arxiv:2010.08191"
    assert paper_key("url:example.org/d doe", url="https://example.org/d", doi="10.1/x") == "paper:example.org/d"
