"""Papers from identifiers, as people copy them."""

import pytest

from analysis.readers.bibliography.papers import PaperDraft, read_identifier


@pytest.mark.parametrize(
    ("text", "identity", "url"),
    [
        ("10.1145/2766462.2767812", "doi:10.1145/2766462.2767812", "https://doi.org/10.1145/2766462.2767812"),
        ("doi:10.1145/2766462.2767812", "doi:10.1145/2766462.2767812", "https://doi.org/10.1145/2766462.2767812"),
        (" DOI: 10.1145/2766462.2767812. ", "doi:10.1145/2766462.2767812", "https://doi.org/10.1145/2766462.2767812"),
        ("doi.org/10.1145/1.2", "doi:10.1145/1.2", "https://doi.org/10.1145/1.2"),
        ("https://dx.doi.org/10.1145/1.2", "doi:10.1145/1.2", "https://doi.org/10.1145/1.2"),
        ("https://dl.acm.org/doi/abs/10.1145/1.2", "doi:10.1145/1.2", "https://dl.acm.org/doi/abs/10.1145/1.2"),
        ("10.48550/arXiv.1904.09171", "arxiv:1904.09171", "https://doi.org/10.48550/arXiv.1904.09171"),
        ("10.18653/v1/P19-1001", "acl:p19-1001", "https://doi.org/10.18653/v1/P19-1001"),
        (
            "10.1002/(SICI)1097-4571(199501)46:1<1::AID-ASI1>3.0.CO;2-8",
            "doi:10.1002/(sici)1097-4571(199501)46:1<1::aid-asi1>3.0.co;2-8",
            "https://doi.org/10.1002/(SICI)1097-4571(199501)46:1%3C1::AID-ASI1%3E3.0.CO;2-8",
        ),
        ("1904.09171", "arxiv:1904.09171", "https://arxiv.org/abs/1904.09171"),
        ("arXiv:1904.09171v2 [cs.IR]", "arxiv:1904.09171", "https://arxiv.org/abs/1904.09171"),
        ("cs/0112017", "arxiv:cs/0112017", "https://arxiv.org/abs/cs/0112017"),
        ("https://arxiv.org/pdf/1904.09171v2.pdf", "arxiv:1904.09171", "https://arxiv.org/pdf/1904.09171v2.pdf"),
        ("P19-1001", "acl:p19-1001", "https://aclanthology.org/P19-1001"),
        ("2021.naacl-main.1", "acl:2021.naacl-main.1", "https://aclanthology.org/2021.naacl-main.1"),
        ("DBLP:conf/sigir/DoeR05", "dblp:conf/sigir/doer05", "https://dblp.org/rec/conf/sigir/DoeR05"),
        ("dblp:CONF/sigir/DoeR05", "dblp:conf/sigir/doer05", "https://dblp.org/rec/CONF/sigir/DoeR05"),
        ("journals/tois/Doe05", "dblp:journals/tois/doe05", "https://dblp.org/rec/journals/tois/Doe05"),
        (
            "https://dblp.org/rec/conf/sigir/DoeR05.html?view=bibtex",
            "dblp:conf/sigir/doer05",
            "https://dblp.org/rec/conf/sigir/DoeR05.html?view=bibtex",
        ),
    ],
)
def test_identifiers_and_their_addresses(text, identity, url):
    identifier = read_identifier(text)
    assert isinstance(identifier, PaperDraft), identifier
    assert (identifier.identity, identifier.url) == (identity, url)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        ("  ", "blank"),
        ("BM25", "identifier"),
        ("10.1145", "doi"),
        ("10.1145/a b", "doi"),
        ("doi:nope", "identifier"),
        ("docs/files/readme", "identifier"),
        ("https://example.org/paper.pdf", "identifier"),
        ("ftp://doi.org/10.1145/1.2", "url"),
        ("https://me:secret@arxiv.org/abs/1904.09171", "url"),
        ("https://arxiv.org/abs/\u202e1904.09171", "url"),
        ("javascript:alert(1)", "identifier"),
        ("x" * 5000, "identifier"),
    ],
)
def test_anything_else_is_refused(text, code):
    rejections = read_identifier(text)
    assert isinstance(rejections, list)
    assert [(rejection.code, rejection.line, rejection.column) for rejection in rejections] == [(code, 1, "paper")]
    assert len(rejections[0].message) < 250
