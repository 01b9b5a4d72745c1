"""What the page says while an analysis is missing, behind, past, or impossible."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from analysis.boards import snapshot_id
from registry.catalog.services import ANALYSE_LEADERBOARD
from registry.core.models import Job
from registry.core.services import enqueue_jobs
from registry.leaderboards.models import Snapshot
from registry.leaderboards.services import enqueue_stale
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from tests.registry.leaderboards.boards import VALUES, analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.suites import declare
from tests.registry.leaderboards.test_leaderboard_page import results_of
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


def test_a_leaderboard_that_waits_for_its_analysis_says_so(client):
    board, other = make_board(), make_board()
    enqueue_stale()
    page = read(client, board.get_absolute_url())
    # And so it is: whoever looks has it done before the others.
    awaited = Job.objects.filter(awaited_at__isnull=False)
    assert [job.args["leaderboard_id"] for job in awaited] == [board.pk] != [other.pk]
    assert "This leaderboard has not been analysed yet; it is about to be." in page.text
    assert len(results_of(page)) == len(VALUES)


def test_a_stale_leaderboard_says_so_and_shows_what_there_is(client):
    board = make_board()
    analyse(board)
    enqueue_jobs(kind=ANALYSE_LEADERBOARD, args=[{"leaderboard_id": board.pk}])
    client.get(board.get_absolute_url())
    assert not Job.objects.get().awaited_at
    make_run(board, "0.99")
    mark_changed(board)
    page = read(client, board.get_absolute_url())
    assert "Results or methods changed since this analysis; it is being made again." in page.text
    assert Job.objects.get().awaited_at
    assert results_of(page)[0][2].strip() == "0.99"
    assert "The best of 8 results of one family prints 0.3100" in page.text


@pytest.mark.parametrize("choice", ["?n_multiplier=3", "?role=trec_run"])
def test_choices_find_the_same_from_a_snapshot_and_from_the_record(client, choice):
    board = make_board()
    make_run(board, "0.28", role=Result.Role.BASELINE)
    address = f"{board.get_absolute_url()[:-1]}.json{choice}"
    analyse(board)
    from_snapshot = client.get(address).json()
    mark_changed(board)
    from_record = client.get(address).json()
    assert (from_snapshot["analysis"].pop("state"), from_record["analysis"].pop("state")) == ("current", "stale")
    for found in (from_snapshot, from_record):
        del found["analysis"]["message"]
    assert from_snapshot["verdict"]["sentence"]
    assert from_snapshot == from_record


def test_what_is_declared_since_the_analysis_is_shown(client):
    board = make_board()
    analyse(board)
    new = make_run(board, "0.99")
    declare(new.system, board.collection)
    mark_changed(board)
    rows = client.get(f"{board.get_absolute_url()[:-1]}.json").json()["results"]
    assert {row["id"]: row["declared_training"] for row in rows if row["declared_training"] != "unknown"} == {
        new.pk: "yes"
    }


def test_a_fresh_analysis_takes_the_notice_away(client):
    board = make_board()
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "Results changed" not in page.text
    assert ", snapshot " in page.text


def test_what_stands_in_the_way_is_named(client):
    board = make_board(comparability=Result.Comparability.DOUBTFUL)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert "No analysis: no comparable result is recorded." in page.text
    assert "Cite this" not in page.text
    assert len(results_of(page)) == len(VALUES)
    assert "data-explore" not in page.source
    assert "plotly" not in page.source


@pytest.mark.parametrize(
    ("values", "n_topics", "words"),
    [
        (VALUES, None, "the number of topics behind these means is not known"),
        (VALUES[:4], 50, "fewer than 5 original results are recorded"),
        (("0.2",) * 6, 50, "all original results have the same score"),
    ],
)
def test_a_board_without_an_analysis_of_equal_systems_says_why_under_its_verdict(client, values, n_topics, words):
    board = make_board(values, n_topics=n_topics)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert f"This analysis (Carterette 2015) can’t be had here: {words}." in page.text
    assert f"The best of {len(values)} results" in page.text
    assert 'data-explore="figure"' not in page.source


def test_for_an_unknown_number_of_topics_the_set_is_shown_for_several(client):
    board = make_board(n_topics=None)
    analyse(board)
    page = read(client, board.get_absolute_url())
    assert (
        "The number of topics behind these means is not known; the fewer, the more results may be the best."
        in page.text
    )
    rows = [row for row in page.rows if len(row) == 2 and row[0] in {"25", "50", "100"}]
    assert [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
    assert len(rows) == 3


def test_a_past_day_is_shown_as_it_was_known(client):
    board = make_board()
    analyse(board)
    yesterday = timezone.now() - timedelta(days=1)
    Result.objects.filter(leaderboard=board).update(recorded_at=yesterday)
    late = make_run(board, "0.99")
    mark_changed(board)
    page = read(client, f"{board.get_absolute_url()}?as_of={yesterday.date()}")
    assert late.system.name not in page.text
    assert len(results_of(page)) == len(VALUES)
    assert f"As known on {yesterday.day} {yesterday:%B %Y}" in page.text
    assert "The results as the registry knew them on that day, with their analysis." in page.text
    assert "this one takes the topics, variances, reference systems and suites of today." in page.text
    assert page.link("see today") == "?"


def test_what_was_withdrawn_later_stood_on_that_day(client):
    board = make_board()
    yesterday = timezone.now() - timedelta(days=1)
    Result.objects.filter(leaderboard=board).update(recorded_at=yesterday)
    withdraw_result(result=board.results.get(printed=VALUES[0]), actor=None, reason="wrong")
    path = board.get_absolute_url()
    assert len(results_of(read(client, path))) == len(VALUES) - 1
    assert len(results_of(read(client, f"{path}?as_of={yesterday.date()}"))) == len(VALUES)


def test_a_day_before_everything_has_an_empty_table(client):
    board = make_board()
    analyse(board)
    page = read(client, f"{board.get_absolute_url()}?as_of=2000-01-01")
    assert "The registry knew none of these results on that day." in page.text
    assert "No result was recorded here by that day." in page.text
    assert page.link("See what was published by then") == "?published_by=2000-01-01"


def test_a_past_day_shows_the_snapshot_of_that_day(client):
    board = make_board()
    snapshot = analyse(board).snapshot
    page = read(client, f"{board.get_absolute_url()}?as_of={date.today()}")
    assert page.link("Cite this analysis") == snapshot.get_absolute_url()
    assert "The best of 8" in page.text


def test_views_of_training_are_counted_without_a_set_too(client):
    board = make_board([f"0.{number}" for number in range(20, 34)], n_topics=None, residual_variance=None)
    for result in Result.objects.filter(leaderboard=board)[:10]:
        declare(result.system, board.collection)
    analyse(board)
    verdict = client.get(f"{board.get_absolute_url()[:-1]}.json").json()["verdict"]
    assert {view["view"]: (view["n_rows"], view["set"]) for view in verdict["views"]} == {
        "all": (14, None),
        "trained-here": (10, None),
    }
    assert "all 14" in read(client, board.get_absolute_url()).text


def test_a_day_to_come_is_refused(client):
    tomorrow = timezone.now().date() + timedelta(days=2)
    page = read(client, f"{make_board().get_absolute_url()}?as_of={tomorrow}", status=400)
    assert f"{tomorrow} has not come yet." in page.text


def test_the_form_for_another_day_keeps_the_other_choices(client):
    board = make_board()
    page = read(client, board.get_absolute_url() + "?sort=year&as_of=2001-02-03")
    fields = {field["name"]: field.get("value") for field in page.of("input") if field.get("name") in {"as_of", "sort"}}
    assert fields == {"as_of": "2001-02-03", "sort": "year"}


def test_a_snapshot_of_an_earlier_release_stays_and_says_what_reads_it(client):
    board = make_board()
    content = '{"format":"plumbline-snapshot/1","methods":{"version":"2"}}'
    old = Snapshot.objects.create(pk=snapshot_id(content), leaderboard=board, content=content)
    page = read(client, old.get_absolute_url())
    assert "made by an earlier release" in page.text
    assert "plumbline-snapshot/1, methods 2" in page.text
    assert client.get(f"{old.get_absolute_url()[:-1]}.json").content.decode() == content
