"""The page of a result: what was printed, where, and everything that became of it."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.results.models import Result
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry.factory import make_entry, make_leaderboard, make_paper, make_result, make_system, make_user
from tests.registry.leaderboards.boards import make_board

pytestmark = pytest.mark.django_db


def page_of(client, result) -> str:
    response = client.get(f"/results/{result.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def test_it_shows_what_was_recorded(client):
    paper = make_paper("Doe (2001)")
    result = make_result(printed="0.3120", paper=paper, locator="Table 3", source="the paper", year=2001)
    shown = page_of(client, result)
    for text in ("0.3120", "Doe (2001)", "Table 3", "the paper", "2001", "baseline", "transcribed", "standard"):
        assert text in shown


def test_what_recorded_it_stands_in_its_history(client):
    read, other = (make_entry("results.file.loaded", subject_id=f"{one}.csv", reason=one) for one in ("read", "other"))
    result = make_result(recorded_by=read)
    make_result(result.leaderboard, recorded_by=other)
    for path in (f"/results/{result.pk}/", f"/results/{result.pk}.atom"):
        shown = client.get(path).content.decode()
        assert f"/log/{read.pk}/" in shown
        assert "read.csv" in shown
        assert "other.csv" not in shown


def test_the_leaderboard_links_to_it(client):
    board = make_board()
    shown = client.get(board.get_absolute_url()).content.decode()
    assert f'href="/results/{board.results.first().pk}/"' in shown


def test_a_withdrawn_result_is_a_tombstone(client):
    result = make_result(printed="0.4444")
    withdraw_result(result=result, actor=make_user("ada"), reason="the paper has an erratum")
    shown = page_of(client, result)
    assert "<s>0.4444</s>" in shown
    assert "the paper has an erratum" in shown
    assert "<bdi>ada</bdi>" in shown


def test_a_superseded_result_leads_to_what_took_its_place(client):
    old = make_result(printed="0.2")
    new = supersede_result(result=old, changes={"printed": "0.3"}, actor=None, reason="typing error")
    assert f'<a href="/results/{new.pk}/">What took its place</a>' in page_of(client, old)
    assert "typing error" in page_of(client, new)


def test_names_are_text_and_nothing_else(client):
    result = make_result(system=make_system("<script>alert(1)</script>"), notes="<b>bold</b>")
    shown = page_of(client, result)
    assert "<script>alert" not in shown
    assert "<b>bold" not in shown


def test_more_versions_take_no_more_queries(client):
    result = make_result(printed="0.2")

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page_of(client, result)
        return len(captured)

    def supersede(printed: str) -> None:
        latest = result.leaderboard.results.standing().get()
        supersede_result(result=latest, changes={"printed": printed}, actor=make_user(), reason="again")

    supersede("0.3")
    few = count()
    for number in range(4, 7):
        supersede(f"0.{number}")
    assert count() == few <= 6


@pytest.mark.parametrize("name", ["0", "999", "99999999999999999999", "x"])
def test_an_unknown_id_is_404(client, name):
    assert client.get(f"/results/{name}/").status_code == 404


def test_it_is_only_read(client):
    assert client.post(f"/results/{make_result().pk}/").status_code == 405


def test_what_others_did_is_not_in_its_log(client):
    make_entry("results.result.withdrawn", subject_type="result", subject_id=10**9, reason="of another result")
    assert "of another result" not in page_of(client, make_result())


def test_programs_read_its_moments_to_the_second_and_who_changed_what(client):
    old = make_result(printed="0.25", recorded_at=datetime(2026, 3, 1, 12, 30, 15, 678, tzinfo=UTC))
    new = supersede_result(result=old, changes={"printed": "0.26"}, actor=None, reason="a slip")
    Result.objects.filter(pk=old.pk).update(ended_at=datetime(2026, 3, 2, 8, 0, 1, 999, tzinfo=UTC))
    first, second = client.get(f"/api/v1/results/{new.pk}/").json()["history"]
    assert (first["id"], first["printed"], first["recorded"], first["status"]) == (
        old.pk, "0.25", "2026-03-01T12:30:15+00:00", "superseded",
    )  # fmt: skip
    entry = {
        "action": "results.result.superseded", "subject": f"result {old.pk}", "actor": "registry", "reason": "a slip",
    }  # fmt: skip
    assert first["ended"] == {"at": "2026-03-02T08:00:01+00:00", "superseded_by": new.pk, "entry": entry}
    assert first["entry"]["action"] == "results.file.loaded"
    assert (second["id"], second["entry"], second["ended"], second["status"]) == (new.pk, entry, None, "standing")


def test_versions_of_a_result_are_of_its_leaderboard_system_paper_and_source():
    board, system, paper = make_leaderboard(), make_system(), make_paper()
    late = make_result(board, system, paper=paper, source="s", recorded_at=datetime(2026, 3, 2, tzinfo=UTC))
    withdraw_result(result=late, actor=None, reason="an erratum")
    early = make_result(board, system, paper=paper, source="s", recorded_at=datetime(2026, 3, 1, tzinfo=UTC))
    at_once = make_result(board, system, paper=paper, source="t", recorded_at=late.recorded_at)
    make_result(make_leaderboard(), system, paper=paper, source="s")
    make_result(board, paper=paper, source="s")
    make_result(board, system, source="s")
    make_result(board, system, paper=make_paper(), source="s")
    assert list(Result.objects.versions_of(late)) == list(Result.objects.versions_of(early)) == [early, late]
    Result.objects.filter(pk=at_once.pk).update(superseded_by=late)
    assert list(Result.objects.versions_of(early)) == [early, late, at_once]
    assert list(Result.objects.versions_of(at_once)) == [late, at_once]


def test_it_shows_the_last_of_what_the_log_says_of_it(client, monkeypatch):
    monkeypatch.setattr("registry.results.views.pages.ENTRIES_PER_PAGE", 1)
    result = make_result(recorded_by=make_entry(reason="from a survey"))
    withdraw_result(result=result, actor=None, reason="an erratum")
    shown = page_of(client, result)
    assert ("an erratum" in shown, "from a survey" in shown) == (True, False)
