"""Clearing a caution and keeping it: who may, what it changes, and what it outlives."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.catalog.services import appoint_curator
from registry.curation.cautions.models import CautionDecision
from registry.curation.cautions.services import answer_caution, decide_on_caution
from registry.journal.models import Entry
from registry.leaderboards.verification import verify_snapshot
from registry.results.services.endings import supersede_result
from registry.results.services.merging import merge_systems
from tests.registry.curation.cautions.world import CODE, address_of, given, make_apart, verdict_of
from tests.registry.factory import make_system, make_user
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

CLEAR = {"decision": "cleared", "reason": "rerun by others with the same score"}
KEEP = {"decision": "kept", "reason": "the list of training data says nothing"}


def clear(result, **fields):
    return decide_on_caution(
        **({"result": result, "code": CODE, "kind": "cleared", "actor": editor(), "reason": "settled"} | fields)
    )


def test_a_cleared_caution_is_not_given_and_the_verdict_is_found_without_it(client):
    result = make_apart()
    board = result.leaderboard
    assert verdict_of(client, board)["best_unflagged"]["value"] == 0.229
    response = signed_in(editor()).post(address_of(result, "decide/"), CLEAR)
    assert response.headers["Location"] == address_of(result)
    board.refresh_from_db()
    analyse(board)
    verdict, page = verdict_of(client, board), read(client, board.get_absolute_url())
    assert (given(client, board), verdict["best_unflagged"]) == ([], None)
    (cleared,) = verdict["cleared_cautions"]
    assert (cleared["code"], cleared["results"]) == (CODE, [result.pk])
    assert [one["reason"] for one in cleared["decisions"]] == [CLEAR["reason"]]
    assert "A curator cleared this, and the verdict is found without it" in page.text
    assert CLEAR["reason"] in page.text
    assert "held back" not in verdict["sentence"]
    assert verify_snapshot(board.analysis.snapshot) == []


def test_until_it_is_studied_again_the_verdict_is_that_of_before(client):
    result = make_apart()
    clear(result)
    found = client.get(f"{result.leaderboard.get_absolute_url()[:-1]}.json").json()
    assert found["analysis"]["state"] == "stale"
    assert [one["decision"] for one in given(client, result.leaderboard)[0]["decisions"]] == ["cleared"]


def test_a_kept_caution_stays_with_the_reason_beside_it(client):
    result = make_apart()
    signed_in(editor()).post(address_of(result, "decide/"), KEEP)
    page = read(client, result.leaderboard.get_absolute_url())
    assert f": {KEEP['reason']}" in page.text
    (caution,) = given(client, result.leaderboard)
    assert [(one["decision"], one["reason"]) for one in caution["decisions"]] == [tuple(KEEP.values())]
    assert client.get(f"{result.leaderboard.get_absolute_url()[:-1]}.json").json()["analysis"]["state"] == "current"


def test_a_new_decision_takes_the_place_of_the_earlier_one(client):
    result = make_apart()
    first = clear(result)
    assert clear(result) == first
    clear(result, kind="kept", reason="the rerun was of another model")
    analyse(result.leaderboard)
    (caution,) = given(client, result.leaderboard)
    assert [one["reason"] for one in caution["decisions"]] == ["the rerun was of another model"]
    page = read(client, f"/results/{result.pk}/")
    assert [row[1] for row in page.rows if row[1:2] and "caution" in row[1]] == [
        f"caution kept: result {result.pk}",
        f"caution cleared: result {result.pk}",
    ]


def test_the_log_keeps_what_was_decided_before():
    result = make_apart()
    clear(result)
    clear(result, kind="kept", reason="the rerun was of another model")
    entries = Entry.objects.filter(action__in=["results.caution.cleared", "results.caution.kept"]).order_by("pk")
    assert [(entry.before, entry.after["decision"]) for entry in entries] == [
        (None, "cleared"),
        ({"decision": "cleared"}, "kept"),
    ]


def test_a_decision_is_about_one_caution_and_one_score():
    result = make_apart()
    first, other = clear(result), clear(result, code="self-reported")
    moved = supersede_result(result=result, changes={"printed": "0.950"}, actor=None, reason="a misprint")
    of_the_new_score = clear(moved)
    assert list(CautionDecision.objects.filter(ended_at=None)) == [first, other, of_the_new_score]


def test_editors_and_curators_of_the_collection_decide(client):
    result, curator = make_apart(), make_user()
    appoint_curator(collection=result.leaderboard.collection, user=curator, actor=None, reason="")
    assert "Decide on it" in read(signed_in(curator), address_of(result)).text
    assert signed_in().post(address_of(result, "decide/"), CLEAR).status_code == 403
    assert not CautionDecision.objects.exists()
    assert signed_in(curator).post(address_of(result, "decide/"), CLEAR).status_code == 302
    assert CautionDecision.objects.get().kind == "cleared"


def test_who_answered_does_not_decide(client):
    result, somebody = make_apart(), editor()
    answer_caution(result=result, code=CODE, person=somebody, text="it is right")
    response = signed_in(somebody).post(address_of(result, "decide/"), CLEAR)
    assert "somebody else than who answered it decides on it" in response.content.decode()
    assert not CautionDecision.objects.exists()


@pytest.mark.parametrize("wrong", [{"reason": " "}, {"code": "few-topics"}])
def test_a_decision_has_a_reason_and_is_about_a_result(wrong):
    with pytest.raises(ValidationError):
        clear(make_apart(), **wrong)


def test_an_earlier_day_has_the_decisions_of_that_day(client):
    result = make_apart()
    board = result.leaderboard
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)
    board.results.update(recorded_at=day - timedelta(days=9))
    answer_caution(result=result, code=CODE, person=make_user(), text="it is right")
    clear(result)
    for rows in (result.caution_decisions, result.caution_answers):
        rows.update(recorded_at=day)
    analyse(board)
    assert given(client, board) == []
    assert given(client, board, "?as_of=2026-03-01") == []
    (before,) = given(client, board, "?as_of=2026-02-28")
    assert (before["answers"], before["decisions"]) == ([], [])
    clear(result, kind="kept")
    analyse(board)
    assert len(given(client, board)) == 1
    assert given(client, board, "?as_of=2026-03-02") == []


def test_a_decision_outlives_what_is_loaded_later_with_the_same_score(client):
    result = make_apart()
    clear(result)
    moved = supersede_result(result=result, changes={"notes": "as in another file"}, actor=None, reason="loaded")
    into = make_system("Apart 2", team="another")
    merge_systems(source=moved.system, target=into, actor=None, reason="one system")
    analyse(result.leaderboard)
    assert given(client, result.leaderboard) == []
    standing = result.leaderboard.results.filter(ended_at=None, system=into).get()
    supersede_result(result=standing, changes={"printed": "0.910"}, actor=None, reason="a misprint")
    analyse(result.leaderboard)
    assert len(given(client, result.leaderboard)) == 1


def test_a_withdrawn_result_is_not_decided_on():
    result = make_apart()
    type(result).objects.filter(pk=result.pk).update(
        ended_at=timezone.now(), ending="withdrawn", ended_by=result.recorded_by
    )
    with pytest.raises(ValidationError, match="not on the record any more"):
        clear(result)
