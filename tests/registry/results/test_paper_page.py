"""GET /papers/<id>/"""

import pytest

from tests.registry.factory import make_paper, make_result, make_system
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_it_has_every_identifier_known(client):
    paper = make_paper(
        "Doe (SIGIR 2001)",
        title="On luck",
        authors="J. Doe",
        venue="SIGIR",
        year=2001,
        doi="10.1/x",
        arxiv_id="0101.1",
        acl_id="P01-1",
        dblp_key="conf/sigir/Doe01",
        url="https://example.org/p",
        bibtex="@inproceedings{doe01}",
    )
    page = read(client, paper.get_absolute_url())
    assert page.headings[0] == (1, "On luck")
    assert "J. Doe" in page.text
    assert "SIGIR 2001" in page.text
    assert "@inproceedings{doe01}" in page.text
    addresses = [address for address, _ in page.links]
    for address in (
        "https://doi.org/10.1/x",
        "https://arxiv.org/abs/0101.1",
        "https://aclanthology.org/P01-1/",
        "https://dblp.org/rec/conf/sigir/Doe01",
        "https://example.org/p",
    ):
        assert address in addresses


def test_a_paper_known_by_its_address_only_has_a_page(client):
    paper = make_paper(url="https://example.org/only")
    paper.cite = ""
    paper.save()
    assert read(client, paper.get_absolute_url()).headings[0] == (1, "example.org/only")


def test_it_lists_what_it_prints(client):
    paper = make_paper()
    result = make_result(paper=paper, system=make_system("its system"), printed="0.25", locator="Table 2")
    page = read(client, paper.get_absolute_url())
    assert page.row("its system")[1:2] == ["its system"]
    assert page.link("its system") == result.system.get_absolute_url()
    assert "Table 2" in page.text


def test_without_results_it_says_so(client):
    page = read(client, make_paper().get_absolute_url())
    assert "No results are recorded." in page.text
    assert "0 results" not in page.text
    assert "As printed" not in page.text


def test_names_are_text_and_nothing_else(client):
    paper = make_paper(
        "<i>Doe</i>", title="<script>alert(1)</script>", authors="<b>x", bibtex="</code><script>alert(2)"
    )
    page = read(client, paper.get_absolute_url())
    assert "<script>alert" not in page.source
    assert "</code><script>" in page.text


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    paper = make_paper()
    path = paper.get_absolute_url()
    make_result(paper=paper)
    with django_assert_max_num_queries(6) as few:
        read(client, path)
    for _ in range(8):
        make_result(paper=paper)
    with django_assert_max_num_queries(len(few)):
        read(client, path)


def test_an_unknown_id_is_404(client):
    assert "No paper has the id 999." in read(client, "/papers/999/", status=404).text


def test_it_is_only_read(client):
    assert client.delete(make_paper().get_absolute_url()).status_code == 405


def test_what_people_and_title_are_known_from_is_said(client):
    paper = make_paper("Doe (2019)", title="On Luck", authors="Jane Doe; et al.", described_from="a bibliography")
    text = read(client, paper.get_absolute_url()).text
    assert "Title and people: a bibliography." in text
    assert "On Luck" in text
    assert "Jane Doe, et al." in text
    assert "Its title is not recorded." in read(client, make_paper("Roe (2019)").get_absolute_url()).text
