"""What tells one paper from another."""

import pytest

from analysis.readers.identifiers import MAX_IDENTITY_LENGTH, paper_facts


@pytest.mark.parametrize(
    ("url", "identity"),
    [
        ("https://doi.org/10.1145/3331184.3331340", "doi:10.1145/3331184.3331340"),
        ("http://dx.doi.org/10.1145/3331184.3331340", "doi:10.1145/3331184.3331340"),
        ("https://dl.acm.org/doi/pdf/10.1145/3331184.3331340", "doi:10.1145/3331184.3331340"),
        ("https://dl.acm.org/doi/fullHtml/10.1145/3331184.3331340", "doi:10.1145/3331184.3331340"),
        ("https://link.springer.com/chapter/10.1007/978-3-319-06028-6_29", "doi:10.1007/978-3-319-06028-6_29"),
        ("https://link.springer.com/content/pdf/10.1007/978-3-319-06028-6_29.pdf", "doi:10.1007/978-3-319-06028-6_29"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/ASI.23333/full", "doi:10.1002/asi.23333"),
        ("https://arxiv.org/abs/1904.09171", "arxiv:1904.09171"),
        ("https://arxiv.org/abs/1904.09171v3", "arxiv:1904.09171"),
        ("https://arxiv.org/pdf/1904.09171.pdf", "arxiv:1904.09171"),
        ("http://export.arxiv.org/abs/cs/0112017v1", "arxiv:cs/0112017"),
        ("https://doi.org/10.48550/arXiv.1904.09171", "arxiv:1904.09171"),
        ("https://aclanthology.org/P19-1234/", "acl:p19-1234"),
        ("https://www.aclweb.org/anthology/P19-1234.pdf", "acl:p19-1234"),
        ("https://aclanthology.org/2021.naacl-main.1", "acl:2021.naacl-main.1"),
        ("https://doi.org/10.18653/v1/P19-1234", "acl:p19-1234"),
        ("https://dblp.org/rec/conf/trec/Craswell0YCLVS22.html", "dblp:conf/trec/craswell0yclvs22"),
        ("https://dblp.uni-trier.de/rec/bibtex/conf/trec/Craswell0YCLVS22", "dblp:conf/trec/craswell0yclvs22"),
    ],
)
def test_an_identifier_in_the_address_is_the_identity(url, identity):
    assert paper_facts("Whatever (2019)", url).identity == identity == paper_facts("", url).identity


def test_what_only_looks_like_an_identifier_is_none():
    for url in ("https://example.org/abs/1904.09171", "https://example.org/P19-1234", "https://arxiv.org/list/cs.IR"):
        assert paper_facts("", url).identity.startswith("url:")


def test_identities_fit_their_column():
    longest = paper_facts("\ufdfa" * 300, "https://example.org/" + "a" * 480).identity
    assert len(longest) <= MAX_IDENTITY_LENGTH
    assert longest != paper_facts("\ufdfa" * 299, "https://example.org/" + "a" * 480).identity
    assert longest.startswith("url:sha256:")


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("https://arxiv.org/abs/1904.09171", (2019, 4)),
        ("https://arxiv.org/abs/cs/0112017", (2001, 12)),
        ("https://arxiv.org/abs/cs/9901001", (1999, 1)),
        ("https://arxiv.org/abs/1913.09171", (None, None)),
        ("https://arxiv.org/abs/1900.09171", (None, None)),
        ("https://aclanthology.org/P19-1001", (2019, None)),
        ("https://aclanthology.org/J60-1001", (1960, None)),
        ("https://aclanthology.org/2020.acl-main.1", (2020, None)),
        ("https://doi.org/10.1145/1.2", (None, None)),
    ],
)
def test_identifiers_say_when_a_paper_was_published(url, published):
    assert paper_facts("", url).published == published
