"""Papers that are about systems without being where their figures are from."""

import pytest
from django.test import Client

from registry.curation.lineage.queries import papers_to_cite
from tests.registry.curation.lineage.world import load_paper_links, make_of
from tests.registry.factory import make_leaderboard, make_paper, make_result
from tests.registry.pages import read

URL = "https://trec.nist.gov/pubs/trec21/papers/x.pdf"


@pytest.fixture
def paper():
    return make_paper(
        "Zhu (TREC 2012)", identity="url:trec.nist.gov/pubs/trec21/papers/x.pdf zhu (trec 2012)", url=URL,
        title="On Luck", authors="Mia Zhu", venue="TREC 2012", year=2012,
    )  # fmt: skip


def test_a_name_that_a_team_used_again_keeps_the_years_apart(client: Client, tmp_path, paper):
    earlier = make_of("run", "udel", year=2011)
    later = make_result(make_leaderboard(), earlier.system, year=2012)
    load_paper_links(tmp_path, f"run,udel,2012,Zhu (TREC 2012),{URL},listed,dblp")
    assert "On Luck" in read(client, later.get_absolute_url()).source
    assert "On Luck" not in read(client, earlier.get_absolute_url()).source


def test_a_result_that_names_its_paper_shows_that_one(client: Client, tmp_path, paper):
    own = make_paper("Doe (TREC 2012)")
    result = make_of("run", "udel", year=2012, paper=own)
    load_paper_links(tmp_path, f"run,udel,2012,Zhu (TREC 2012),{URL},overview,dblp")
    shown = read(client, result.get_absolute_url()).source
    assert "Doe (TREC 2012)" in shown
    assert "On Luck" not in shown


def test_the_paper_on_a_model_is_cited_and_the_page_is_where_its_score_is_from(tmp_path, paper):
    other = make_paper("Ada (2013)", title="Base")
    page = make_paper(kind="page", url="https://example.org/card", identity="url:example.org/card")
    papers = [page, None, other, page]
    named, bare, own, strange = (make_of(name, "u", paper=of) for name, of in zip("abcd", papers, strict=True))
    lines = (f"a,u,,Zhu (TREC 2012),{URL},introduces,card", f"b,u,,Zhu (TREC 2012),{URL},cited,card")
    load_paper_links(tmp_path, *lines, f"c,u,,Zhu (TREC 2012),{URL},cited,x", f"d,u,,Zhu (TREC 2012),{URL},uses,x")
    places = [(result.system_id, result.paper_id) for result in (named, bare, own, strange)]
    assert papers_to_cite(places) == {places[0]: paper.slug, places[1]: paper.slug}
