"""Asking for a correction: anybody with an account, once for the same thing; a dispute shows."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from analysis.boards import CAUTION_CODES
from registry.journal.models import Entry
from registry.results.models import CorrectionRequest
from registry.results.services.corrections import accept_correction, decline_correction, request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.mass_changes import MassChange
from tests.registry.factory import make_result, make_user
from tests.registry.leaderboards.boards import make_apart, make_board
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

ASKED = {"kind": "correct", "proposed_printed": "0.31", "reason": "Table 2 says 0.31"}


def dispute(result, requester=None):
    return request_correction(result=result, requester=requester or make_user(), kind="dispute", reason="not measured")


def test_one_form_is_enough():
    result = make_result(printed="0.25")
    response = signed_in().post(f"/results/{result.pk}/correct/", ASKED)
    assert (response.status_code, response.url) == (302, f"/results/{result.pk}/")
    request = CorrectionRequest.objects.get()
    assert (request.result, request.proposed_printed, request.state) == (result, "0.31", "open")
    entry = Entry.objects.get(action="results.correction.requested")
    assert (entry.reason, entry.subject_id) == ("Table 2 says 0.31", str(result.pk))


def test_without_an_account_one_is_asked_to_sign_in(client):
    result = make_result()
    response = client.post(f"/results/{result.pk}/correct/", ASKED)
    assert response.status_code == 403
    assert not CorrectionRequest.objects.exists()


def test_a_double_click_is_one_request():
    client, result = signed_in(), make_result(printed="0.25")
    for _ in range(2):
        client.post(f"/results/{result.pk}/correct/", ASKED)
    assert CorrectionRequest.objects.count() == 1
    assert Entry.objects.filter(action="results.correction.requested").count() == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": "  "}, "This field is required"),
        ({"reason": "zero\u200bwidth"}, "zero width space"),
        ({"proposed_printed": ""}, "say which score"),
        ({"proposed_printed": "0.25"}, "stands there already"),
        ({"proposed_printed": "131 %"}, "131 % is above 100 %"),
        ({"proposed_printed": "25", "proposed_unit": ""}, "if it is in percent"),
        ({"proposed_printed": "7"}, "7"),
        ({"kind": "delete"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_asked_is_said_and_what_was_typed_is_kept(changes, message):
    result = make_result(printed="0.25")
    response = signed_in().post(f"/results/{result.pk}/correct/", ASKED | changes)
    assert response.status_code == 200
    assert message in response.content.decode()
    assert changes.get("reason", ASKED["reason"]).strip() in response.content.decode()
    assert not CorrectionRequest.objects.exists()


def test_what_has_ended_is_not_corrected():
    result = withdraw_result(result=make_result(), actor=None, reason="an erratum")
    with pytest.raises(ValidationError, match="it was withdrawn"):
        dispute(result)


def test_a_dispute_shows_on_the_page_the_leaderboard_and_in_the_api(client):
    board = make_board()
    result = board.results.first()
    addresses = (f"/results/{result.pk}/", board.get_absolute_url(), result.system.get_absolute_url())
    for address in addresses:
        assert "alled into question" not in read(client, address).text
    dispute(result)
    for address in addresses:
        assert "alled into question" in read(client, address).text
    document = client.get(f"/api/v1{board.get_absolute_url()}").json()
    assert [row["id"] for row in document["results"] if row["is_disputed"]] == [result.pk]
    assert client.get(f"/api/v1/results/{result.pk}/").json()["is_disputed"] is True


def test_a_decided_dispute_shows_no_more(client):
    board = make_board()
    result = board.results.first()
    for decide in (decline_correction, accept_correction):
        decide(request=dispute(result), actor=editor(), reason="looked at it")
        document = client.get(f"/api/v1{board.get_absolute_url()}").json()
        assert not any(row["is_disputed"] for row in document["results"])


def test_it_follows_the_result_when_that_is_superseded():
    result = make_result()
    request = dispute(result)
    new = supersede_result(result=result, changes={"locator": "Table 9"}, actor=None, reason="better locator")
    request.refresh_from_db()
    assert request.result == new


def test_the_queue_is_for_editors_and_ones_own_for_others(client):
    asker = make_user()
    mine, other = dispute(make_result(), asker), dispute(make_result())
    assert client.get("/log/corrections/").status_code == 302
    seen = {who: signed_in(user).get("/log/corrections/").content.decode() for who, user in
            {"editor": editor(), "asker": asker, "stranger": make_user()}.items()}  # fmt: skip
    addresses = [f"/corrections/{one.pk}/" for one in (mine, other)]
    assert [address in seen["editor"] for address in addresses] == [True, True]
    assert [address in seen["asker"] for address in addresses] == [True, False]
    assert [address in seen["stranger"] for address in addresses] == [False, False]


def test_a_longer_queue_takes_no_more_queries():
    client = signed_in(editor())

    def count() -> int:
        dispute(make_result())
        with CaptureQueriesContext(connection) as captured:
            client.get("/log/corrections/")
        return len(captured)

    assert count() == count()


def test_the_log_says_what_was_asked_and_what_was_decided():
    asker, who, result = make_user(), editor(), make_result(printed="0.25")
    asked = {"result": result, "requester": asker, "reason": " Table 2 "}
    request = request_correction(**asked, kind="correct", proposed_printed="31", proposed_unit="percent")
    assert (request.proposed_printed, request.proposed_unit, request.reason) == ("31", "percent", "Table 2")
    assert request_correction(**asked, kind="correct", proposed_printed="0.4") == request
    disputed = request_correction(**asked, kind="dispute")
    assert (disputed.proposed_printed, disputed.proposed_unit) == ("", "")
    entries = Entry.objects.filter(action="results.correction.requested").order_by("pk")
    assert [(one.subject_type, one.actor, one.after) for one in entries] == [
        ("result", asker, {"kind": "correct", "request": request.pk, "proposed": "31 %"}),
        ("result", asker, {"kind": "dispute", "request": disputed.pk}),
    ]
    declined = decline_correction(request=disputed, actor=who, reason=" it is right ")
    assert (declined.state, declined.decided_by, declined.decision_reason) == ("declined", who, "it is right")
    accepted = accept_correction(request=request, actor=who, reason="so it is", printed="31", unit="percent")
    assert (accepted.state, accepted.decided_by) == ("accepted", who)
    assert accepted.decided_at >= declined.decided_at
    for action, one in (("declined", declined), ("accepted", accepted)):
        said = Entry.objects.get(action=f"results.correction.{action}")
        assert (said.subject_type, said.subject_id, said.actor) == ("result", str(result.pk), who)
        assert (said.reason, said.after) == (one.decision_reason, {"kind": one.kind, "request": one.pk})
    result.refresh_from_db()
    new = result.superseded_by
    assert (new.printed, new.unit, result.ended_by.reason, result.ended_by.actor) == ("31", "percent", "so it is", who)


def test_accepting_what_would_change_very_much_is_confirmed_and_needs_a_result_that_stands(monkeypatch):
    monkeypatch.setattr("registry.results.services.mass_changes.MOST_CHANGES", 0)
    who = editor()
    for printed in ("0.31", ""):
        given = {"request": dispute(make_result()), "actor": who, "reason": "so", "printed": printed}
        with pytest.raises(MassChange) as caught:
            accept_correction(**given)
        accept_correction(**given, confirmed_rows=caught.value.n_rows)
        assert given["request"].result.__class__.objects.get(pk=given["request"].result_id).ending
    late = dispute(result := make_result())
    type(result).objects.filter(pk=result.pk).update(
        ending="withdrawn", ended_at=result.recorded_at, ended_by=result.recorded_by
    )
    with pytest.raises(ValidationError, match="it was withdrawn"):
        accept_correction(request=late, actor=who, reason="so")


def test_requests_stand_in_the_order_in_which_they_were_made():
    late, early, at_once = (dispute(make_result()) for _ in range(3))
    CorrectionRequest.objects.filter(pk=early.pk).update(created_at=late.created_at - timedelta(days=1))
    CorrectionRequest.objects.filter(pk=at_once.pk).update(created_at=late.created_at)
    assert list(CorrectionRequest.objects.for_listing()) == [early, late, at_once]


def test_the_score_with_other_digits_is_another_score():
    request = request_correction(
        result=make_result(printed="0.25"), requester=make_user(), kind="correct", reason="x", proposed_printed="0.250"
    )
    assert request.proposed_printed == "0.250"


def test_a_note_is_disputed_in_the_form_of_its_result():
    apart = make_apart()
    board = signed_in().get(apart.leaderboard.get_absolute_url()).content.decode()
    address = f"/results/{apart.pk}/correct/?kind=dispute&caution=stands-apart"
    assert f'<a href="{escape(address)}">Dispute</a>' in board
    form = signed_in(make_user("reader")).get(address).context["form"]
    assert form["kind"].initial == "dispute"
    assert form["reason"].initial == f"Of this result is said: {CAUTION_CODES['stands-apart']}. "
    assert signed_in(make_user("another")).get(f"{address}x").context["form"]["reason"].initial == ""
