"""manage.py join_rates: how far results lead to papers, sources, families and training data, by source."""

import pytest
from django.core.management import call_command

from registry.core.columns import COLUMNS
from registry.curation.lineage.join_rates import RATE_COLUMNS, join_rates
from registry.results.models import Paper, Source
from registry.results.services.merging import merge_systems
from tests.registry.curation.lineage.world import load_lineage, load_paper_links, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_result, make_system
from tests.registry.pages import read

pytestmark = pytest.mark.django_db

URL = "https://trec.nist.gov/x.pdf"


def report(capsys) -> list[str]:
    call_command("join_rates")
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_joins_count_only_as_what_they_are(tmp_path, capsys):
    titled = make_paper("Doe (2012)", title="On Luck", url=URL, identity="url:trec.nist.gov/x.pdf doe (2012)")
    toolkit = make_paper("Toolkit", title="Toolkit", kind=Paper.Kind.SOFTWARE)
    system = make_of("own", "a", paper=titled, year=2012).system
    make_result(system=system, year=2011)
    for name in ("weak", "overview", "unknown", "untitled"):
        make_of(name, "b", year=2012)
    make_of("software", "b", paper=toolkit)
    load_paper_links(
        tmp_path,
        f"weak,b,2012,Doe (2012),{URL},probable,dblp",
        f"overview,b,2012,Doe (2012),{URL},overview,dblp",
        f"unknown,b,2011,Doe (2012),{URL},listed,dblp",
    )
    (rates,) = join_rates()
    assert (rates.n_results, dict(rates.papers)) == (7, {"named": 1, "probable": 1, "overview": 1})
    assert (
        "titled paper 3 of 7 (42.8 %): 1 named, 1 probable, 1 overview, of systems with a paper 2 of 3 (66.6 %)"
        in report(capsys)
    )


def test_sources_that_open_are_counted_by_source(capsys):
    Source.objects.create(name="ours/x", what="Scores", address="https://example.org/")
    make_result(source="ours/x", locator="scores.csv#L12")
    make_result(source="https://example.org/table")
    make_result(source="a paper", paper=make_paper(doi="10.1145/1_2"))
    make_result(source="a paper", paper=make_paper("Doe (2001)"))
    assert [(rates.source, rates.n_openable, rates.n_results) for rates in join_rates()] == [
        ("a paper", 1, 2), ("https://example.org/table", 1, 1), ("ours/x", 1, 1)
    ]  # fmt: skip
    lines = report(capsys)
    assert "openable source 1 of 2 (50.0 %), 0 of them at the line" in lines
    assert "openable source 1 of 1 (100.0 %), 1 of them at the line" in lines


def test_families_of_one_and_training_data(tmp_path, capsys):
    collection = make_collection("robust04")
    boards = {"leaderboard": make_leaderboard(collection)}
    for name, team in (("a", "x"), ("b", "x"), ("c", "alone"), ("d", "")):
        make_of(name, team, **boards)
    load_training(tmp_path, "a,x,yes,,its card,robust04", "b,x,unknown,,its card,robust04")
    (rates,) = join_rates()
    assert (rates.n_family, rates.n_alone, rates.n_trained, rates.n_declared) == (3, 1, 2, 1)
    load_lineage(tmp_path, "c,alone,model:m,its name", "d,,model:m,its name")
    (rates,) = join_rates()
    assert (rates.n_family, rates.n_alone) == (4, 0)
    assert "family 4 of 4 (100.0 %), 0 of them alone in it" in report(capsys)


def test_what_is_said_under_a_name_of_before_counts(tmp_path):
    make_paper("Doe (2012)", title="On Luck", url=URL, identity="url:trec.nist.gov/x.pdf doe (2012)")
    old = make_of("old", "a").system
    load_paper_links(tmp_path, f"old,a,,Doe (2012),{URL},cited,its card")
    merge_systems(source=old, target=make_system("new", "a"), actor=None, reason="one")
    (rates,) = join_rates()
    assert dict(rates.papers) == {"cited": 1}


def test_the_papers_that_a_source_names_count_once_each():
    titled, plain = make_paper("a", title="On Luck", doi="10.1145/1"), make_paper("b")
    page = make_paper("c", kind=Paper.Kind.PAGE)
    toolkit = make_paper("d", title="Toolkit", kind=Paper.Kind.SOFTWARE)
    for paper in (titled, titled, plain, page, toolkit, None):
        make_result(source="one", paper=paper)
    make_result(source="two", paper=make_paper("e", doi="10.1145/2"))
    counts = {one.source: (one.n_papers, one.n_papers_titled, one.n_papers_doi, one.n_page) for one in join_rates()}
    assert counts == {"one": (2, 1, 1, 1), "two": (1, 0, 1, 0)}


def test_an_empty_registry_says_so(capsys):
    assert report(capsys) == ["No results are on record."]


def test_the_page_and_its_files_say_the_same_as_the_command(client, tmp_path):
    Source.objects.create(name="ours/x", what="Scores", address="https://example.org/")
    titled = make_paper("Doe (2012)", title="On Luck", url=URL, identity="url:trec.nist.gov/x.pdf doe (2012)")
    board = make_leaderboard(make_collection("robust04"))
    for name, locator in (("weak", "scores.csv#L12"), ("overview", ""), ("unknown", "")):
        make_of(name, "b", year=2012, source="ours/x", locator=locator, leaderboard=board)
    make_of("own", "alone", paper=titled, source="a paper")
    load_paper_links(
        tmp_path,
        f"weak,b,2012,Doe (2012),{URL},probable,dblp",
        f"overview,b,2012,Doe (2012),{URL},overview,dblp",
    )
    load_training(tmp_path, "weak,b,unknown,,its card,robust04")
    page = read(client, "/sources/")
    third = "33.3 %"
    (row,) = [row for row in page.rows if row[0].startswith("ours/x")]
    assert row[1:] == ["see its page", "3", "0.0 %", third, "100.0 %", "0.0 %"]
    body = client.get("/joins.json").json()
    assert [list(one) for one in body["results"]] == [list(RATE_COLUMNS)] * 2
    assert set(RATE_COLUMNS) <= COLUMNS.keys()
    first = body["results"][0]
    assert {name: first[name] for name in RATE_COLUMNS if first[name]} == {
        "source": "ours/x",
        "n_results": 3,
        "n_paper_probable": 1,
        "n_paper_overview": 1,
        "n_linked": 2,
        "n_linked_titled": 2,
        "n_openable": 3,
        "n_at_line": 1,
        "n_family": 3,
        "n_trained": 1,
    }
    assert client.get("/joins.csv").content.decode().splitlines()[0] == ",".join(RATE_COLUMNS)


def test_the_page_changes_with_the_record(client):
    assert "Nothing is recorded about any source yet." in read(client, "/sources/").text
    Source.objects.create(name="ours/x", what="Scores", address="https://example.org/")
    make_result(source="ours/x")
    merge_systems(source=make_system("a"), target=make_system("b"), actor=None, reason="one")
    assert read(client, "/sources/").rows[-1][2] == "1"


def test_its_old_address_leads_on(client):
    assert client.get("/joins/")["Location"] == "/sources/"
