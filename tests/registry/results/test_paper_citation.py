"""GET /papers/<id>.bib, and the citation of snapshots, as pybtex and BibTeX read them."""

from pathlib import Path
from shutil import which
from typing import Any

import pytest
import rispy
from django.core.management import call_command
from django.test import Client
from pybtex.database import Entry, parse_string
from pybtex.plugin import find_plugin

from registry.results.exports import paper_bibtex
from registry.results.models import Paper
from tests.registry.factory import make_model, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.pages import read
from tests.registry.tex import complaints_of_biber, typeset

GIVEN = """@inproceedings{doe:01,
  author = {Doe, Jane and G{\\"o}del, Kurt},
  title = {On {L}uck},
  booktitle = {Proc. SIGIR},
  year = 2001
}"""


def fetch(client: Client, paper: Paper) -> str:
    response = client.get(f"/papers/{paper.slug}.bib")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/x-bibtex; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="plumbline-{paper.slug}.bib"'
    return response.content.decode()


def entry_of(text: str) -> Entry:
    """Return the one entry of the text, as pybtex reads it; its style must be able to print it."""
    bibliography = parse_string(text, "bibtex")
    find_plugin("pybtex.style.formatting", "plain")().format_bibliography(bibliography)
    (entry,) = bibliography.entries.values()
    return entry


def test_what_was_given_is_given_back(client: Client) -> None:
    text = fetch(client, make_paper("Doe and Gödel (SIGIR 2001)", title="On Luck", bibtex=GIVEN))
    assert text == GIVEN + "\n"
    assert entry_of(text).fields["title"] == "On {L}uck"


def test_a_card_or_page_of_a_model_is_by_who_made_it(client: Client) -> None:
    card = make_paper("model card of intfloat/e5-base", url="https://huggingface.co/intfloat/e5-base")
    page = make_paper("Embed", url="https://cohere.com/blog/embed", kind=Paper.Kind.PAGE)
    board, model = make_board(), make_model("Embed", "embed", maker="Cohere, Inc.")
    for paper in (card, page):
        make_result(board, make_system(model=model), paper=paper)
    for paper, maker in ((card, "intfloat"), (page, "Cohere, Inc.")):
        assert f"author = {{{{{maker}}}}}" in fetch(client, paper)
        assert fetch(client, paper).startswith("% Not recorded at Plumbline: title.")
        assert client.get(f"/papers/{paper.slug}.json").json()[0]["author"] == [{"literal": maker}]
        assert rispy.loads(client.get(f"/papers/{paper.slug}.ris").content.decode())[0]["authors"] == [maker]
    sources = client.get(f"{board.get_absolute_url()[:-1]}.sources.bib").content.decode()
    assert sources.count("author = {{intfloat}}") == sources.count("author = {{Cohere, Inc.}}") == 1


def test_what_is_recorded_makes_an_entry(client: Client) -> None:
    paper = make_paper(
        "Doe et al. (SIGIR 2001)",
        title="50 % α & more",
        authors="Jane Doe; Kurt Gödel; Ministry of Truth and Plenty; et al.",
        venue="SIGIR",
        year=2002,
        doi="10.1145/1_2",
        arxiv_id="0101.1",
        url="https://example.org/a_b%20{c}#d",
    )
    text = fetch(client, paper)
    assert text.startswith(f"@misc{{plumbline-{paper.slug},\n")
    entry = entry_of(text)
    assert [str(person) for person in entry.persons["author"]] == [
        "Doe, Jane", r"G{\"{o}}del, Kurt", "{Ministry of Truth and Plenty}", "others"
    ]  # fmt: skip
    assert dict(entry.fields) == {
        "title": r"{50 \% $\alpha$ \& more}",
        "howpublished": "SIGIR",
        "year": "2002",
        "doi": "10.1145/1_2",
        "eprint": "0101.1",
        "archiveprefix": "arXiv",
        "url": "https://example.org/a_b%20%7Bc%7D#d",
    }


def test_what_is_not_there_is_said_to_programs(client: Client) -> None:
    response = client.get("/papers/999999.bib")
    assert response.status_code == 404
    assert response.json()["error"] == "No paper has the id 999999."
    paper = make_paper("Doe (2001)")
    assert client.post(f"/papers/{paper.slug}.bib").status_code == 405


def test_pybtex_reads_the_citation_of_a_snapshot(client: Client) -> None:
    board = make_board()
    board.collection.name = "A {collection} of 100 % α"
    board.collection.save()
    snapshot = analyse(board).snapshot
    entry = entry_of(client.get(f"/snapshots/{snapshot.pk}.bib").content.decode())
    assert str(entry.persons["author"][0]) == "{Plumbline}"
    assert entry.fields["title"].startswith(r"{A \textbraceleft{}collection\textbraceright{} of 100 \% $\alpha$, ")


def csl_of(client: Client, paper: Paper) -> dict[str, Any]:
    """Return the one item of the paper's CSL-JSON, which keeps to what the schema of the format allows."""
    response = client.get(f"/papers/{paper.slug}.json")
    assert response["Content-Type"] == "application/vnd.citationstyles.csl+json; charset=utf-8"
    (item,) = response.json()
    assert item.keys() <= CSL_TEXTS | {"author", "issued"}
    assert item["type"] in {"article", "article-journal", "paper-conference", "software"}
    assert all(isinstance(item[name], str) and item[name] for name in item.keys() & CSL_TEXTS)
    for name in item.get("author", []):
        assert name.keys() <= {"family", "given", "non-dropping-particle", "suffix", "literal"}
        assert "literal" in name or "family" in name
    return item


#: Fields of one text in the schema of CSL-JSON (csl-data.json 1.0), as far as they are written.
CSL_TEXTS = {
    "id", "type", "title", "container-title", "collection-title", "collection-number", "volume", "page", "publisher",
    "DOI", "URL", "note",
}  # fmt: skip


def test_a_described_paper_is_cited_with_all_that_is_known(client: Client) -> None:
    paper = make_paper(
        "van Rijsbergen et al. (TREC 1999)",
        title="Luck",
        authors="Keith van Rijsbergen; Sammy Davis Jr.; 山田太郎; Qwen Team; Maik Fröbe 0001; et al.",
        venue="TREC 1999",
        year=1999,
        month=11,
        kind=Paper.Kind.INPROCEEDINGS,
        imprint={"booktitle": "Proc. TREC 1999", "series": "NIST SP", "volume": "500-246", "pages": "35--44"},
        doi="10.1145/1_2",
        dblp_key="conf/trec/R99",
    )
    entry = entry_of(fetch(client, paper))
    assert (entry.type, entry.fields["booktitle"], entry.fields["pages"]) == (
        "inproceedings", "Proc. TREC 1999", "35--44"
    )  # fmt: skip
    assert csl_of(client, paper) == {
        "id": f"plumbline-{paper.slug}",
        "type": "paper-conference",
        "title": "Luck",
        "author": [
            {"given": "Keith", "non-dropping-particle": "van", "family": "Rijsbergen"},
            {"given": "Sammy", "family": "Davis", "suffix": "Jr."},
            {"literal": "山田太郎"},
            {"literal": "Qwen Team"},
            {"given": "Maik", "family": "Fröbe"},
        ],
        "issued": {"date-parts": [[1999, 11]]},
        "container-title": "Proc. TREC 1999",
        "collection-title": "NIST SP",
        "collection-number": "500-246",
        "page": "35-44",
        "DOI": "10.1145/1_2",
        "note": "DBLP:conf/trec/R99; not all authors are recorded",
    }


@pytest.mark.tex
def test_bibtex_and_latex_print_all_of_them(client: Client, tmp_path: Path) -> None:
    snapshot = analyse(make_board()).snapshot
    papers = [
        make_paper("Doe and Gödel (SIGIR 2001)", title="On Luck", bibtex=GIVEN),
        make_paper("Galuscáková et al. (TREC 2022)", url="https://trec.nist.gov/x_y%20z.pdf"),
        make_paper("Łukasiewicz (2003)", title="Ω & {more} #1", authors="Jan Łukasiewicz; et al."),
    ]
    entries = [client.get(f"/snapshots/{snapshot.pk}.bib").content.decode(), *(fetch(client, each) for each in papers)]
    pages, log = typeset(tmp_path, r"\nocite{*}", [r"\usepackage{url}"], bibliography="\n".join(entries))
    printed = (tmp_path / "paper.bbl").read_text()
    assert pages
    assert printed.count(r"\bibitem") == 4
    assert "undefined" not in log


@pytest.mark.slow
def test_every_paper_that_ships_is_read(tmp_path) -> None:
    call_command("load_shipped_data", verbosity=0)
    papers = list(Paper.objects.filter(merged_into=None))
    assert len(papers) > 1_000
    text = "\n".join(map(paper_bibtex, papers))
    database = parse_string(text, "bibtex")
    assert len(database.entries) == len(papers)
    assert all(entry.fields["title"].strip("{}") for entry in database.entries.values())
    assert sum("author" in entry.persons for entry in database.entries.values()) > 0.7 * len(papers)
    assert sum("year" in entry.fields for entry in database.entries.values()) > 0.75 * len(papers)
    if which("biber"):
        assert complaints_of_biber(tmp_path, text) == []


def test_reference_managers_read_it_as_ris(client: Client) -> None:
    paper = make_paper(
        "Doe et al. (TREC 2001)",
        title="On Luck,\nand more",
        authors="Jane Doe; Ludwig van Beethoven; Ministry of Truth and Plenty; et al.",
        venue="TREC 2001",
        year=2001,
        doi="10.1145/1",
        url="https://example.org/a",
        kind=Paper.Kind.INPROCEEDINGS,
        imprint={"series": "NIST Special Publication", "volume": "500-250", "pages": "1 - 9", "publisher": "NIST"},
    )
    response = client.get(f"/papers/{paper.slug}.ris")
    assert response["Content-Type"] == "application/x-research-info-systems; charset=utf-8"
    (entry,) = rispy.loads(response.content.decode())
    assert entry["authors"] == ["Doe, Jane", "van Beethoven, Ludwig", "Ministry of Truth and Plenty"]
    assert (entry["type_of_reference"], entry["title"], entry["year"]) == ("CONF", "On Luck, and more", "2001")
    assert (entry["start_page"], entry["end_page"], entry["publisher"]) == ("1", "9", "NIST")
    assert (entry["doi"], entry["urls"], entry["number"]) == ("10.1145/1", ["https://example.org/a"], "500-250")
    assert entry["notes"] == ["not all authors are recorded"]
    assert read(client, paper.get_absolute_url()).link("RIS") == f"/papers/{paper.slug}.ris"


@pytest.mark.parametrize(
    ("known", "address", "persistent"),
    [
        ({"url": "https://a.example/", "doi": "10.1/x"}, "https://a.example/", "https://doi.org/10.1/x"),
        ({"doi": "10.1/<x>", "arxiv_id": "0101.1"}, "https://doi.org/10.1/%3Cx%3E", "https://doi.org/10.1/%3Cx%3E"),
        ({"acl_id": "P01-1", "arxiv_id": "0101.1"}, "https://aclanthology.org/P01-1", "https://arxiv.org/abs/0101.1"),
        ({"arxiv_id": "0101.1", "dblp_key": "x/y"}, "https://arxiv.org/abs/0101.1", "https://arxiv.org/abs/0101.1"),
        ({"dblp_key": "conf/x/Y01"}, "https://dblp.org/rec/conf/x/Y01", ""),
        ({}, "", ""),
    ],
)
def test_a_paper_is_read_where_its_identifiers_lead(known: dict[str, str], address: str, persistent: str) -> None:
    paper = Paper(**known)
    assert (paper.address, paper.persistent) == (address, persistent)
