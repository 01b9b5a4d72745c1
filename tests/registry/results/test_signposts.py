"""What machines read on the page of a paper and of a model: JSON-LD, Highwire tags, COinS, the canonical address."""

from urllib.parse import parse_qs

import pytest

from tests.registry.dumps.test_data_page import SCHEMA_ORG, expanded
from tests.registry.factory import make_paper
from tests.registry.pages import read

SITE = "https://scores.example"


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL = SITE


@pytest.fixture
def paper():
    return make_paper(
        "Cormack et al. (SIGIR 2009)", identity="doi:10.1145/1571941.1572114", doi="10.1145/1571941.1572114",
        title="Reciprocal rank fusion </script>", authors="Gordon V. Cormack; Charles L. A. Clarke; et al.",
        year=2009, venue="SIGIR", kind="inproceedings", imprint={"pages": "758–759"},
    )  # fmt: skip


def test_the_page_of_a_paper_says_what_it_is_to_every_kind_of_machine(client, paper):
    page = read(client, paper.get_absolute_url())
    (article,) = expanded(page.source)
    assert article["@type"] == [SCHEMA_ORG + "ScholarlyArticle"]
    assert article["@id"] == f"{SITE}/papers/10.1145-1571941.1572114/"
    assert article[SCHEMA_ORG + "name"] == [{"@value": paper.title}]
    assert [author[SCHEMA_ORG + "name"][0]["@value"] for author in article[SCHEMA_ORG + "author"]] == paper.people[:2]
    tags = [(tag["name"], tag["content"]) for tag in page.of("meta") if tag.get("name", "").startswith("citation_")]
    assert tags == [
        ("citation_title", paper.title), ("citation_author", "Gordon V. Cormack"),
        ("citation_author", "Charles L. A. Clarke"), ("citation_publication_date", "2009"),
        ("citation_conference_title", "SIGIR"), ("citation_firstpage", "758"), ("citation_lastpage", "759"),
        ("citation_doi", "10.1145/1571941.1572114"),
    ]  # fmt: skip
    (coins,) = [span["title"] for span in page.of("span") if span.get("class") == "Z3988"]
    fields = parse_qs(coins)
    assert fields["rft.atitle"] == [paper.title]
    assert fields["rft.au"] == paper.people[:2]
    assert fields["rft_id"] == ["info:doi/10.1145/1571941.1572114"]
    assert [link["href"] for link in page.of("link") if link.get("rel") == "canonical"] == [article["@id"]]


def test_a_preprint_names_neither_conference_nor_journal(client):
    paper = make_paper(
        "Doe (arXiv 2024)", identity="arxiv:2401.00001", arxiv_id="2401.00001", title="A preprint", authors="Jo Doe",
        year=2024, venue="arXiv", kind="misc",
    )  # fmt: skip
    page = read(client, paper.get_absolute_url())
    tags = {tag["name"]: tag["content"] for tag in page.of("meta") if tag.get("name", "").startswith("citation_")}
    assert tags["citation_arxiv_id"] == "2401.00001"
    assert not {"citation_conference_title", "citation_journal_title"} & tags.keys()
    (coins,) = [parse_qs(span["title"]) for span in page.of("span") if span.get("class") == "Z3988"]
    assert coins["rft.genre"] == ["preprint"]
    assert "rft.jtitle" not in coins


def test_the_first_page_says_what_the_site_is_and_where_it_is_searched(client):
    (website,) = expanded(read(client, "/").source)
    assert website["@type"] == [SCHEMA_ORG + "WebSite"]
    assert website["@id"] == f"{SITE}/#site"
    (action,) = website[SCHEMA_ORG + "potentialAction"]
    (entry,) = action[SCHEMA_ORG + "target"]
    assert entry[SCHEMA_ORG + "urlTemplate"][0]["@value"] == f"{SITE}/search/?q={{query}}"
