"""Earlier days: what the registry knew (as_of), what the world had published (published_by), and both together."""

from datetime import UTC, date, datetime, timedelta

import pytest

from analysis.boards import study
from registry.core.kept import KEPT, Kept
from registry.core.querysets import end_of
from registry.leaderboards.queries.boards import read_board
from registry.results.models import Result
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.leaderboards.boards import analyse as make_snapshot
from tests.registry.leaderboards.boards import make_board, make_run, mark_changed
from tests.thoroughness import every

DAY = datetime(2026, 3, 1, tzinfo=UTC)
LAST_MOMENT = DAY + timedelta(days=1) - timedelta(microseconds=1)
MIDNIGHT_AFTER = DAY + timedelta(days=1)


def document(client, board, query: str) -> dict:
    response = client.get(f"{board.get_absolute_url()[:-1]}.json?{query}")
    assert response.status_code == 200
    return response.json()


def shown(client, board, query: str) -> set[str]:
    return {row["printed"] for row in document(client, board, query)["results"]}


def recorded(result: Result, at: datetime, ended: datetime | None = None) -> Result:
    """Return the result, as if it had been recorded and ended then."""
    Result.objects.filter(pk=result.pk).update(recorded_at=at, **({"ended_at": ended} if ended else {}))
    return result


def make_old_board(**fields):
    """Make results recorded before the day, published in 2001."""
    board = make_board(**({"year": 2001} | fields))
    board.results.update(recorded_at=DAY - timedelta(days=9))
    return board


@pytest.mark.parametrize(
    ("at", "is_there"),
    [(DAY, True), (LAST_MOMENT, True), (MIDNIGHT_AFTER, False), (MIDNIGHT_AFTER + timedelta(hours=5), False)],
)
def test_a_result_is_known_from_its_moment_on(client, at, is_there):
    board = make_old_board()
    recorded(make_run(board, "0.9"), at)
    assert ("0.9" in shown(client, board, "as_of=2026-03-01")) is is_there


@pytest.mark.parametrize(("ended", "is_there"), [(LAST_MOMENT, False), (MIDNIGHT_AFTER, True)])
def test_a_withdrawn_result_is_known_until_its_moment(client, ended, is_there):
    board = make_old_board()
    result = withdraw_result(result=make_run(board, "0.9"), actor=None, reason="an erratum")
    recorded(result, DAY - timedelta(days=2), ended)
    assert ("0.9" in shown(client, board, "as_of=2026-03-01")) is is_there


def test_of_a_superseded_result_every_day_shows_one_version(client):
    board = make_old_board()
    old = make_run(board, "0.8")
    new = supersede_result(result=old, changes={"printed": "0.9"}, actor=None, reason="an erratum")
    recorded(old, DAY - timedelta(days=1), MIDNIGHT_AFTER)
    recorded(new, MIDNIGHT_AFTER)
    days = {"2026-02-27": set(), "2026-02-28": {"0.8"}, "2026-03-01": {"0.8"}, "2026-03-02": {"0.9"}}
    for day, versions in days.items():
        assert shown(client, board, f"as_of={day}") & {"0.8", "0.9"} == versions


@pytest.mark.parametrize(
    ("dates", "day", "is_there"),
    [
        ({"date": date(2010, 6, 1), "year": 2010}, "2010-06-01", True),
        ({"date": date(2010, 6, 1), "year": 2010}, "2010-05-31", False),
        ({"date": date(2010, 6, 1), "year": None}, "2010-06-01", True),
        ({"date": date(2010, 6, 1), "year": 2009}, "2010-01-01", False),
        ({"date": None, "year": 2010}, "2010-12-30", False),
        ({"date": None, "year": 2010}, "2010-12-31", True),
        ({"date": None, "year": 2010}, "2011-01-01", True),
        ({"date": None, "year": None}, "2020-12-31", False),
    ],
)
def test_a_result_is_published_on_its_day_or_at_the_end_of_its_year(client, dates, day, is_there):
    board = make_old_board()
    make_run(board, "0.9", **dates)
    past = document(client, board, f"published_by={day}")
    assert ("0.9" in {row["printed"] for row in past["results"]}) is is_there
    assert past["n_undated"] == (0 if any(dates.values()) else 1)


def test_the_analysis_is_that_of_a_leaderboard_with_these_results_alone(client):
    board, alone = make_old_board(), make_old_board()
    make_run(board, "0.9", year=2010)
    mark_changed(board)
    make_snapshot(board)
    past = document(client, board, "published_by=2005-06-30")
    expected = study(read_board(alone.pk).inputs)
    for name in ("adjusted_mean", "lower", "upper", "best", "mean", "n_results", "n_plausible"):
        assert past["best_result"][name] == getattr(expected.equal_means[0], name)
    assert past["verdict"]["set"]["margin"] == expected.verdict.set.margin
    assert past["max"] == 0.31
    assert (past["snapshot"], past["analysis"]["state"]) == (None, "past")


def test_both_days_hold_together(client):
    board = make_old_board()
    recorded(make_run(board, "0.91", year=2001), MIDNIGHT_AFTER)
    recorded(make_run(board, "0.92", year=2010), DAY)
    recorded(make_run(board, "0.93", year=2001), DAY)
    late = {"0.91", "0.92", "0.93"}
    assert shown(client, board, "as_of=2026-03-01") & late == {"0.92", "0.93"}
    assert shown(client, board, "published_by=2005-01-01") & late == {"0.91", "0.93"}
    assert shown(client, board, "as_of=2026-03-01&published_by=2005-01-01") & late == {"0.93"}


def test_the_page_the_files_and_the_api_agree(client):
    board = make_old_board()
    make_run(board, "0.9", year=2010)
    make_run(board, "0.91", year=None)
    query = "?published_by=2005-01-01"
    page = client.get(board.get_absolute_url() + query).content.decode()
    table = client.get(f"{board.get_absolute_url()[:-1]}.csv{query}").content.decode()
    answer = client.get(f"/api/v1{board.get_absolute_url()}{query}").json()
    assert "1 result is left out because its year is not known." in page
    assert (answer["published_by"], answer["n_undated"], answer["count"]) == ("2001-12-31", 1, 8)
    assert len(table.splitlines()) == 9
    assert ">0.9<" not in page


def test_days_on_which_nothing_changed_are_the_day_of_the_last_change(client):
    board = make_old_board()
    withdrawn = withdraw_result(result=make_run(board, "0.9", year=2010), actor=None, reason="an erratum")
    recorded(withdrawn, DAY - timedelta(days=5), DAY)
    recorded(make_run(board, "0.8", date=date(2005, 5, 5), year=2005), DAY - timedelta(days=3))
    months = every(12, range(1, 13), __file__)
    days = {
        "as_of": [date(2026, 2, 15) + timedelta(days=n) for n in range(4, 16)],
        "published_by": [date(year, month, 5) for year in range(2000, 2013) for month in months],
    }
    changes = {
        "as_of": {"2026-02-20", "2026-02-24", "2026-02-26", "2026-03-01"},
        "published_by": {"2001-12-31", "2005-05-05", "2010-12-31"},
    }
    for name, asked in days.items():
        documents = {day: document(client, board, f"{name}={day}") for day in asked}
        # Before the first change nothing is there, and every day is itself.
        shown_days = {past[name] for past in documents.values() if past["count"]}
        assert shown_days == changes[name]
        for day, past in documents.items():
            known = read_board(board.pk, **{"known_at": end_of(day)} if name == "as_of" else {"published_by": day})
            assert {row["id"] for row in past["results"]} == set(known.facts)


def test_a_board_on_days_that_show_the_same_is_studied_once(client):
    board = make_old_board()
    pages = [
        client.get(f"{board.get_absolute_url()}?published_by={year}-03-07&n_multiplier=3") for year in range(2003, 2023)
    ]
    assert (len({page.text for page in pages}), how_found(pages)) == (1, [Kept.BUILT, *[Kept.FOUND] * 19])
    assert "Published by 31 December 2001" in pages[0].text
    # Columns are the same in any order.
    ordered = ("year,team", "team,year", "year,team,year")
    found = how_found(client.get(f"{board.get_absolute_url()}?columns={columns}") for columns in ordered)
    assert found == [Kept.BUILT, Kept.FOUND, Kept.FOUND]


def how_found(pages):
    return [page.wsgi_request.META[KEPT] for page in pages]
