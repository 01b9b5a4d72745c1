"""GET /collections/<slug>/"""

from django.urls import reverse
from pytest_django.asserts import assertContains

from registry.catalog.models import CollectionLink
from registry.catalog.services import ANALYSE_LEADERBOARD
from registry.core.models import Job
from registry.core.services import enqueue_jobs
from tests.registry.curation.suites.world import make_suite
from tests.registry.factory import make_collection, make_leaderboard, make_measure
from tests.registry.leaderboards.boards import VALUES, analyse_again, analysed, make_board, make_run, mark_changed
from tests.registry.pages import read


def test_leaderboards_without_an_analysis_say_why(client):
    few = analysed(make_board(VALUES[:2], comparability="doubtful"))
    waiting = make_leaderboard(few.collection, make_measure("waiting"))
    make_run(waiting, "0.1")
    mark_changed(waiting)
    enqueue_jobs(kind=ANALYSE_LEADERBOARD, args=[{"leaderboard_id": board.pk} for board in (few, waiting)])
    page = read(client, few.collection.get_absolute_url())
    assert "no comparable result is recorded" in page.row(few.measure.name)
    assert page.row("waiting")[1:] == ["1 result", "1", "", "–", "–", "–", "about to be made", "–"]
    assert [job.args["leaderboard_id"] for job in Job.objects.filter(awaited_at__isnull=False)] == [waiting.pk]


def test_its_queries_do_not_grow(client, django_assert_max_num_queries):
    board = analysed(make_board())
    make_suite("trec", [board])
    path = board.collection.get_absolute_url()
    assert "In the mean of TREC" in read(client, path + "about/").text
    with django_assert_max_num_queries(6) as few:
        read(client, path)
    for _ in range(5):
        another = make_leaderboard(board.collection, make_measure())
        make_run(another, "0.5")
        make_run(another, "0.4")
        analyse_again(another)
    with django_assert_max_num_queries(len(few)):
        read(client, path)


def test_one_set_under_two_names_says_why_both_stand(client):
    first, other = make_collection("beir-robust04"), make_collection("trec-2004-robust")
    CollectionLink.objects.create(
        collection=first, base=other, relation="same_set", topics="same", judgements="same", evidence="", source="x"
    )
    for collection in (first, other):
        page = client.get(reverse("leaderboards:collection-about", args=[collection.slug]))
        assertContains(page, "kept apart: their results come from different sources")
    CollectionLink.objects.update(evidence="equal scores, under other measures")
    assertContains(client.get(f"/collections/{first.slug}/about/"), "(kept apart: equal scores, under other measures)")
