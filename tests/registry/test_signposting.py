"""Typed links in the headers of pages, as the package ``signposting`` reads them."""

from signposting import Signposting, find_signposting_http_link

from registry.dumps.services import export_dump
from tests.registry.factory import make_model, make_paper, make_result, make_system
from tests.registry.leaderboards.boards import analyse, analysed, make_board
from tests.registry.leaderboards.suites import analyse_all, make_members

SITE = "http://testserver"


def signposts(client, address: str) -> Signposting:
    response = client.get(address, follow=True)
    assert response.status_code == 200
    return find_signposting_http_link([response["Link"]], SITE + address)


def leads(client, links) -> None:
    """Each of these links is answered here, with the type that it names."""
    for link in links:
        response = client.get(str(link.target).removeprefix(SITE))
        assert response.status_code == 200, link.target
        if link.type:
            assert response["Content-Type"].partition(";")[0] == str(link.type), link.target


def kinds(found: Signposting) -> set[str]:
    return {str(one.target).rpartition("/")[2] for one in found.types}


def test_boards_collections_and_snapshots_say_what_they_consist_of(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    addresses = [board.get_absolute_url(), board.collection.get_absolute_url(), snapshot.get_absolute_url()]
    for address, cited in zip(addresses, (snapshot, board.collection, snapshot), strict=True):
        found = signposts(client, address)
        assert str(found.citeAs.target) == SITE + cited.get_absolute_url()
        assert kinds(found) == {"Dataset", "AboutPage"}
        assert found.items
        assert found.describedBy
        leads(client, [found.citeAs, found.license, *found.authors, *found.items, *found.describedBy])


def test_suites_say_it_too(client):
    analyse_all(make_members())
    found = signposts(client, "/benchmarks/beir/nDCG@10/")
    assert "/snapshots/" in str(found.citeAs.target)
    leads(client, [found.citeAs, found.license, *found.items, *found.describedBy])


def test_a_choice_is_cited_as_what_was_chosen(client):
    board = analysed(make_board())
    address = f"{board.get_absolute_url()}?run_type=automatic"
    found = signposts(client, address)
    assert str(found.citeAs.target) == SITE + address
    assert all("run_type=automatic" in str(one.target) for one in [*found.items, *found.describedBy])
    leads(client, [found.citeAs, *found.items, *found.describedBy])


def test_files_lead_to_the_page_that_they_belong_to(client):
    board = analysed(make_board())
    page = SITE + board.get_absolute_url()
    for suffix in ("csv", "json", "croissant.json"):
        assert str(signposts(client, f"{board.get_absolute_url()[:-1]}.{suffix}").collection.target) == page


def test_a_paper_is_cited_by_its_doi_and_its_authors_by_their_ids(client):
    known = make_paper("Doe (2020)", doi="10.1145/1<2>", author_orcids=["0000-0002-1825-0097"])
    found = signposts(client, known.get_absolute_url())
    assert str(found.citeAs.target) == "https://doi.org/10.1145/1%3C2%3E"
    assert [str(one.target) for one in found.authors] == ["https://orcid.org/0000-0002-1825-0097"]
    assert kinds(found) == {"ScholarlyArticle", "AboutPage"}
    assert found.license is None, "its terms are not ours to say"
    leads(client, found.describedBy)
    unknown = make_paper("Roe (2021)")
    assert str(signposts(client, unknown.get_absolute_url()).citeAs.target) == SITE + unknown.get_absolute_url()


def test_a_model_is_described_and_its_leaderboards_are_listed(client):
    make_result(make_board(), make_system("splade-v3.onnx", model=make_model()), "0.21")
    found = signposts(client, "/models/splade-v3/")
    assert str(found.citeAs.target) == f"{SITE}/models/splade-v3/"
    leads(client, [found.license, *found.items, *found.describedBy])


def test_the_page_of_dumps_leads_to_the_newest(client, settings, tmp_path):
    assert "Link" not in client.get("/data/")
    settings.DUMPS = tmp_path / "dumps"
    dump = export_dump()
    found = signposts(client, "/data/")
    assert str(found.citeAs.target) == f"{SITE}/data/{dump.name}/manifest.json"
    names = {str(one.target).rpartition("/")[2] for one in found.describedBy}
    assert names == {"croissant.json", "datapackage.json", "manifest.json"}
    assert f"{SITE}/data/{dump.name}/scores.parquet" in {str(one.target) for one in found.items}
