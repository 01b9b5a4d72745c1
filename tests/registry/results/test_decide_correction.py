"""Deciding on a request: editors alone, once, with a reason; what is accepted is superseded or withdrawn."""

import pytest
from django.core.exceptions import ValidationError

from registry.results.models import CorrectionRequest, Result
from registry.results.services.corrections import accept_correction, decline_correction, request_correction
from tests.registry.factory import make_result, make_user
from tests.registry.results.people import editor, signed_in


def asked(kind: str = "correct", proposed: str = "0.31", requester=None) -> CorrectionRequest:
    return request_correction(
        result=make_result(printed="0.25"),
        requester=requester or make_user(),
        kind=kind,
        proposed_printed=proposed,
        reason="Table 2",
    )


def decide(client, request, **fields):
    return client.post(
        f"/corrections/{request.pk}/", {"decision": "correct", "printed": "0.31", "reason": "so"} | fields
    )


def test_the_result_may_be_withdrawn_instead():
    request = asked("dispute", "")
    decide(signed_in(editor()), request, decision="withdraw", printed="")
    assert Result.objects.get().ending == "withdrawn"
    # The form comes with the score that was proposed.
    decide(signed_in(editor()), asked(), decision="withdraw", printed="0.31")
    assert not Result.objects.standing().exists()


@pytest.mark.parametrize(
    "fields", [{"reason": ""}, {"printed": ""}, {"printed": "2.5"}, {"printed": "0.25"}, {"decision": "x"}]
)
def test_a_decision_that_cannot_be_taken_leaves_the_request_open(fields):
    request = asked()
    assert decide(signed_in(editor()), request, **fields).status_code == 200
    request.refresh_from_db()
    assert (request.state, Result.objects.standing().get().printed) == ("open", "0.25")


def test_only_editors_decide(client):
    asker = make_user()
    request = asked(requester=asker)
    assert decide(client, request).status_code == 403
    assert decide(signed_in(asker), request).status_code == 403
    assert decide(signed_in(), request).status_code == 404
    request.refresh_from_db()
    assert request.state == "open"


def test_it_is_decided_once():
    request, who = asked(), editor()
    decline_correction(request=request, actor=who, reason="no")
    with pytest.raises(ValidationError, match="declined already"):
        accept_correction(request=request, actor=who, reason="yes", printed="0.31")
    assert Result.objects.count() == 1
