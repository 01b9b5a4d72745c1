"""Papers that are about systems without being where their figures are from."""

import pytest
from django.test import Client

from registry.curation.lineage.models import CollectionPaper, PaperLink
from registry.curation.lineage.queries import papers_to_cite
from tests.registry.curation.lineage.world import load_collection_papers, load_paper_links, make_of
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result
from tests.registry.pages import read
from tests.registry.results.loading import counts, refusals

pytestmark = pytest.mark.django_db

URL = "https://trec.nist.gov/pubs/trec21/papers/x.pdf"


@pytest.fixture
def paper():
    return make_paper(
        "Zhu (TREC 2012)", identity="url:trec.nist.gov/pubs/trec21/papers/x.pdf zhu (trec 2012)", url=URL,
        title="On Luck", authors="Mia Zhu", venue="TREC 2012", year=2012,
    )  # fmt: skip


def test_pages_say_how_surely_a_paper_is_about_a_system(client: Client, tmp_path, paper):
    result = make_of("run", "udel", year=2012)
    report = load_paper_links(tmp_path, f"run,udel,2012,Zhu (TREC 2012),{URL},probable,dblp")
    assert counts(report) == (1, 0, 0, 0)
    for page in (result.get_absolute_url(), result.system.get_absolute_url()):
        shown = read(client, page).source
        assert "probably: by its team, on another track" in shown
        assert f'href="/papers/{paper.slug}/"' in shown
    about = read(client, paper.get_absolute_url()).source
    assert f'href="/systems/{result.system.slug}/"' in about
    assert "probably: by its team, on another track" in about


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


def test_what_a_file_no_longer_says_is_ended(tmp_path, paper):
    make_of("run", "udel"), make_of("b", "udel")
    load_paper_links(tmp_path, f"run,udel,,Zhu (TREC 2012),{URL},cited,its card")
    load_paper_links(tmp_path, f"b,udel,,Zhu (TREC 2012),{URL},cited,its card")
    assert [link.system.name for link in PaperLink.objects.standing()] == ["b"]
    assert PaperLink.objects.count() == 2


def test_a_page_on_a_model_shows_the_papers_on_the_model_beside_it(client: Client, tmp_path, paper):
    page = make_paper(kind="page", url="https://example.org/card", identity="url:example.org/card")
    result = make_of("run", "udel", paper=page)
    load_paper_links(tmp_path, f"run,udel,,Zhu (TREC 2012),{URL},introduces,its card")
    shown = read(client, result.get_absolute_url()).text
    assert "(a page on the model) introduces it, or its method: On Luck Zhu (TREC 2012)" in shown
    assert "Pages on models" in read(client, page.get_absolute_url()).text


def test_the_paper_on_a_model_is_cited_and_the_page_is_where_its_score_is_from(tmp_path, paper):
    other = make_paper("Ada (2013)", title="Base")
    page = make_paper(kind="page", url="https://example.org/card", identity="url:example.org/card")
    papers = [page, None, other, page]
    named, bare, own, strange = (make_of(name, "u", paper=of) for name, of in zip("abcd", papers, strict=True))
    lines = (f"a,u,,Zhu (TREC 2012),{URL},introduces,card", f"b,u,,Zhu (TREC 2012),{URL},cited,card")
    load_paper_links(tmp_path, *lines, f"c,u,,Zhu (TREC 2012),{URL},cited,x", f"d,u,,Zhu (TREC 2012),{URL},uses,x")
    places = [(result.system_id, result.paper_id) for result in (named, bare, own, strange)]
    assert papers_to_cite(places) == {places[0]: paper.slug, places[1]: paper.slug}


def test_papers_on_a_collection_stand_on_both_pages(client: Client, tmp_path, paper):
    collection = make_collection("robust04")
    report = load_collection_papers(
        tmp_path, f"robust04,1,overview,Zhu (TREC 2012),{URL},dblp", f"robust04,x,written,Zhu (TREC 2012),{URL},dblp"
    )
    assert [message for _, _, message in refusals(report)] == [
        "'written' is none of describes, overview, judgements, suite, parent"
    ]
    report = load_collection_papers(tmp_path, f"Robust04,1,overview,Zhu (TREC 2012),{URL},dblp")
    assert counts(report) == (1, 0, 0, 0)
    assert (
        "overview of the track: On Luck Zhu (TREC 2012)" in read(client, collection.get_absolute_url() + "about/").text
    )
    about = read(client, paper.get_absolute_url())
    assert "Collections that it is about" in about.text
    assert collection.get_absolute_url() in [address for address, _ in about.links]
    load_collection_papers(tmp_path)
    assert not CollectionPaper.objects.standing().exists()


def test_what_cannot_be_taken_is_said(tmp_path, paper):
    make_of("run", "udel")
    report = load_paper_links(
        tmp_path,
        f"run,udel,,Zhu (TREC 2012),{URL},overvue,dblp",
        "run,udel,,,https://arxiv.org/abs/1904.09171,cited,dblp",
        "run,udel,,,,cited,dblp",
        f",,,Zhu (TREC 2012),{URL},cited,dblp",
    )
    assert [(number, message) for number, _, message in refusals(report)] == [
        (
            2,
            f"'overvue' is none of {', '.join(PaperLink.Relation.values)}; did you mean overview?",
        ),
        (3, "'https://arxiv.org/abs/1904.09171' is no paper on record; load it first"),
        (4, "names no paper; fill in paper, paper_url or both"),
        (5, "names no system"),
    ]
    assert not PaperLink.objects.exists()
