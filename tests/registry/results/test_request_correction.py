"""Asking for a correction: anybody with an account, once for the same thing; a dispute shows."""

from datetime import timedelta

import pytest
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.models import CorrectionRequest
from registry.results.services.corrections import (
    accept_correction,
    decline_correction,
    request_correction,
    show_old_disputes,
)
from tests.registry.factory import make_result, make_user
from tests.registry.leaderboards.boards import make_board
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

ASKED = {"kind": "correct", "proposed_printed": "0.31", "reason": "Table 2 says 0.31"}


def dispute(result, requester=None):
    return request_correction(result=result, requester=requester or make_user(), kind="dispute", reason="not measured")


def test_one_form_is_enough_and_a_double_click_is_one_request():
    client, result = signed_in(), make_result(printed="0.25")
    for _ in range(2):
        assert client.post(f"/results/{result.pk}/correct/", ASKED).url == f"/results/{result.pk}/"
    request = CorrectionRequest.objects.get()
    assert (request.result, request.proposed_printed, request.state) == (result, "0.31", "open")
    entry = Entry.objects.get(action="results.correction.requested")
    assert (entry.reason, entry.subject_id) == ("Table 2 says 0.31", str(result.pk))


@pytest.mark.parametrize("looked", ["editor", "nobody for a week"])
def test_a_dispute_shows_everywhere_once_an_editor_has_looked_or_after_a_week(client, looked):
    board = make_board()
    result = board.results.first()
    addresses = (f"/results/{result.pk}/", board.get_absolute_url(), result.system.get_absolute_url())
    request = dispute(result)
    own = f"/corrections/{request.pk}/"
    assert signed_in(request.requester).get(own).status_code == 200
    for address in (*addresses, "/log/"):
        assert "alled into question" not in read(client, address).text
        assert "not measured" not in read(client, address).text
    if looked == "editor":
        assert "not measured" in read(signed_in(editor()), own).text
    else:
        CorrectionRequest.objects.update(created_at=timezone.now() - timedelta(days=6, hours=23))
        assert show_old_disputes() == 0
        CorrectionRequest.objects.update(created_at=timezone.now() - timedelta(days=7, hours=1))
        assert show_old_disputes() == 1
    for address in addresses:
        assert "alled into question" in read(client, address).text
    assert "not measured" in read(client, addresses[0]).text
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
