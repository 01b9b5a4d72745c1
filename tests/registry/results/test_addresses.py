"""What an address is called where nobody recorded a title."""

import pytest

from registry.results.addresses import is_page, page_name
from registry.results.exports import paper_bibtex, paper_csl
from registry.results.models import Paper


@pytest.mark.parametrize(
    ("address", "name", "page"),
    [
        ("https://huggingface.co/deepvk/USER-base", "Model card of deepvk/USER-base", True),
        ("https://huggingface.co/lightonai/LateOn-Code/", "Model card of lightonai/LateOn-Code", True),
        ("https://huggingface.co/blog/matryoshka", "huggingface.co/blog/matryoshka", False),
        ("https://github.com/a/b/tree/main", "Repository a/b", True),
        ("https://github.com/a", "github.com/a", False),
        ("https://arxiv.org/pdf/1907.03693.pdf", "arXiv 1907.03693", False),
        ("https://arxiv.org/abs/cs/0112017", "arXiv cs/0112017", False),
        ("https://www.microsoft.com/en-us/research/", "microsoft.com/en-us/research", False),
        ("https://example.org/m%C3%BCller", "example.org/müller", False),
        ("https://openai.com/?a=1#x", "openai.com", False),
        ("", "", False),
    ],
)
def test_an_address_is_called_what_it_says(address, name, page):
    assert page_name(address) == name
    assert is_page(address) is page


def test_a_model_card_is_cited_as_a_page_of_the_web_and_a_paper_is_not():
    card = Paper(pk=1, url="https://huggingface.co/deepvk/USER-base")
    assert paper_csl(card)[0]["type"] == "webpage"
    assert "title = {{Model card of deepvk/USER-base}}" in " ".join(paper_bibtex(card).split())
    titled = Paper(pk=2, url="https://huggingface.co/deepvk/USER-base", title="USER")
    assert paper_csl(titled)[0]["type"] == "article"
