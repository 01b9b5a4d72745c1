"""GET /collections/<slug>/"""

import re

import pytest

from registry.catalog.services import ANALYSE_LEADERBOARD
from registry.core.models import Job
from registry.core.services import enqueue_jobs
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_it_says_what_is_known(client):
    collection = make_collection(
        "robust", name="Robust track", aliases=["Robust04", "disks45/nocr"], documents="newswire",
        n_documents=528155, year=2004, suite="TREC Robust", language="English", ir_datasets_id="disks45/nocr",
        n_topics_source="the track overview", url="https://example.org/robust",
        notes="one topic has no relevant document",
    )  # fmt: skip
    page = read(client, collection.get_absolute_url())
    assert page.headings[0] == (1, "Robust track")
    assert "528 155 documents · 50 topics · also Robust04 · disks45/nocr" in page.text
    page = read(client, page.link("About"))
    assert page.headings[0] == (1, "Robust track")
    for text in ("newswire (528 155)", "50 (the track overview)", "TREC Robust, 2004", "English", "disks45/nocr"):
        assert text in page.text
    assert "Also called Robust04" in page.text
    assert page.link("TREC Robust") == "/collections/?suite=TREC+Robust"
    assert "one topic has no relevant document" in page.text


def test_without_leaderboards_it_says_so(client):
    collection = make_collection("ntcir-13-www")
    page = read(client, collection.get_absolute_url())
    assert "Nobody has recorded a result on this collection here yet." in page.text
    assert page.link("add it, or paste the table") == "/submit/?collection=ntcir-13-www"
    assert 'value="ntcir-13-www"' in client.get("/submit/?collection=ntcir-13-www").content.decode()


def test_of_topics_it_says_what_is_known(client):
    assert "topics not counted" in read(client, make_collection(n_topics=None).get_absolute_url()).text
    bounded = make_collection(n_topics=None, n_topics_at_least=103, n_topics_at_least_source="different queries")
    assert "at least 103 topics" in read(client, bounded.get_absolute_url()).text
    assert "Topics at least 103 (different queries)" in read(client, bounded.get_absolute_url() + "about/").text


def test_it_says_its_domain_and_what_mteb_calls_it(client):
    page = read(client, make_collection(domain="Medical", mteb_task="CUREv1 (en)").get_absolute_url() + "about/")
    assert "Domain Medical MTEB CUREv1 (en)" in page.text
    found = client.get("/api/v1/collections/").json()
    assert found["count"] == 0


def test_a_leaderboard_is_listed_with_its_headline(client):
    board = make_board()
    analysis = analyse(board)
    page = read(client, board.collection.get_absolute_url())
    row = page.row(board.measure.name)
    members = str(analysis.headline["n_members"])
    assert row == [board.measure.name, "–", members, "0.3100", str(len(VALUES)), "", "snapshot"]
    assert page.link("snapshot") == analysis.snapshot.get_absolute_url()


def test_a_leaderboard_is_drawn_beside_its_headline(client):
    board = make_board()
    make_run(board, "0.9", comparability="doubtful")
    mark_changed(board)
    analysis = analyse(board)
    waiting = make_leaderboard(board.collection, make_measure("waiting"))
    make_run(waiting, "0.1")
    html = client.get(board.collection.get_absolute_url()).content.decode()
    dots = {kind: path.count("M") for kind, path in re.findall(r'class="dot ([\w -]+)" d="([^"]+)"', html)}
    may = dots["measured is-highlighted"]
    assert may == analysis.headline["n_members"]
    assert 0 < dots["measured"] <= len(VALUES) - may
    assert html.count('class="chart small"') == html.count("In the drawings a dot is a result") == 1
    assert read(client, board.collection.get_absolute_url()).row("waiting")[5] == "–"


def test_leaderboards_without_an_analysis_say_why(client):
    few = make_board(VALUES[:2], comparability="doubtful")
    analyse(few)
    waiting = make_leaderboard(few.collection, make_measure("waiting"))
    make_run(waiting, "0.1")
    mark_changed(waiting)
    enqueue_jobs(kind=ANALYSE_LEADERBOARD, args=[{"leaderboard_id": one.pk} for one in (few, waiting)])
    page = read(client, few.collection.get_absolute_url())
    assert "none: no comparable result is recorded" in page.row(few.measure.name)
    assert page.row("waiting")[1:] == ["–", "–", "–", "1", "about to be made"]
    assert [job.args["leaderboard_id"] for job in Job.objects.filter(awaited_at__isnull=False)] == [waiting.pk]


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    board = make_board()
    analyse(board)
    make_suite("trec", [board])
    path = board.collection.get_absolute_url()
    assert "In the mean of TREC" in read(client, path + "about/").text
    with django_assert_max_num_queries(6) as few:
        read(client, path)
    for _ in range(5):
        another = make_leaderboard(board.collection, make_measure())
        make_run(another, "0.5")
        make_run(another, "0.4")
        mark_changed(another)
        analyse(another)
    with django_assert_max_num_queries(len(few)):
        read(client, path)


def test_an_unknown_parameter_is_refused(client):
    page = read(client, make_collection().get_absolute_url() + "?sort=x", status=400)
    assert "There is no parameter “sort”." in page.text


def test_it_is_only_read(client):
    assert client.post(make_collection().get_absolute_url()).status_code == 405
