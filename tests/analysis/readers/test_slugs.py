"""What stands for systems and papers in addresses: the same everywhere, and never the same for two of them."""

import re

import pytest

from analysis.readers.identifiers import paper_facts, slug_of_paper, slug_of_system

#: Names and teams that look alike once they are written in the letters of addresses.
ALIKE = [
    ("a b", ""), ("a-b", ""), ("a_b", ""), ("a.b", ""), ("a/b", ""), ("a/b", "a"), ("b", "a"), ("a", "b"), ("a--b", ""),
    ("a__b", ""), ("a b", "c"), ("a", "b c"), ("a b c", ""), ("ä b", ""), ("a (b)", ""), ("(a) b", ""), ("1", ""),
    ("1", "a"), ("検索", ""), ("検索", "a"), ("a" * 200, ""), ("a" * 201, ""), ("a" * 80, "b" * 80),
    ("a" * 81, "b" * 79),
]  # fmt: skip


def test_names_that_look_alike_have_addresses_of_their_own():
    slugs = [slug_of_system(*names) for names in ALIKE]
    assert len({*slugs}) == len(ALIKE)
    for slug in slugs:
        assert re.fullmatch(r"[a-z0-9._-]{1,120}", slug), slug
        assert not slug.isdigit(), slug


@pytest.mark.parametrize(
    ("address", "slug"),
    [
        ("https://doi.org/10.1145/1571941.1572114", "10.1145-1571941.1572114"),
        ("https://dl.acm.org/doi/pdf/10.1145/1571941.1572114", "10.1145-1571941.1572114"),
        ("https://arxiv.org/pdf/2104.08663v4", "arxiv-2104.08663"),
        ("https://arxiv.org/abs/cs/0309001", "arxiv-cs-0309001"),
        ("https://aclanthology.org/2020.acl-main.1/", "acl-2020.acl-main.1"),
        ("https://dblp.org/rec/conf/trec/RobertsDVBH20.html", "dblp-conf-trec-robertsdvbh20"),
    ],
)
def test_a_paper_goes_by_its_identifier(address, slug):
    assert slug_of_paper(paper_facts("", address).identity) == slug


def test_papers_without_an_identifier_never_share_an_address():
    papers = [("Doe (2020)", ""), ("Doe, 2020", ""), ("", "https://example.org/Doe"), ("", "https://example.org/doe"),
              ("Doe (2020)", "https://example.org/doe"), ("", "https://doi.org/10.1000/a(1)b<2>c")]  # fmt: skip
    slugs = [slug_of_paper(paper_facts(*paper).identity) for paper in papers]
    assert len({*slugs}) == len(papers)
    assert all(re.fullmatch(r"[a-z0-9._-]{1,120}", slug) for slug in slugs)
