"""What the export of an account says of corrections and confirmations: those of this person, and of nobody else."""

import pytest

from registry.core.documents import to_the_second
from registry.results.models import Confirmation, CorrectionRequest
from registry.results.personal import export_confirmations, export_corrections
from registry.results.services.confirming import confirm_result
from registry.results.services.corrections import accept_correction, request_correction
from tests.registry.factory import make_result, make_user

pytestmark = pytest.mark.django_db


def test_what_somebody_asked_and_what_became_of_it():
    ada, grace = make_user("ada"), make_user("grace", is_editor=True)
    first, second = make_result(), make_result(printed="0.3000")
    asked = request_correction(
        result=first, requester=ada, kind="correct", reason="table 2", proposed_printed="31.5", proposed_unit="percent"
    )
    request_correction(result=second, requester=ada, kind="dispute", reason="not in the paper")
    request_correction(result=second, requester=grace, kind="dispute", reason="nor in mine")
    accept_correction(request=asked, actor=grace, reason="so it is", printed="31.5", unit="percent")
    asked.refresh_from_db()
    told = sorted(export_corrections(ada), key=lambda one: str(one["kind"]))
    dispute = CorrectionRequest.objects.get(requester=ada, kind="dispute")
    assert told == [
        {
            "result": asked.result_id, "kind": "correct", "proposed": "31.5 %", "reason": "table 2",
            "state": "accepted", "decision_reason": "so it is", "created": to_the_second(asked.created_at),
            "decided": to_the_second(asked.decided_at),
        },
        {
            "result": second.pk, "kind": "dispute", "proposed": "", "reason": "not in the paper", "state": "open",
            "decision_reason": "", "created": to_the_second(dispute.created_at), "decided": None,
        },
    ]  # fmt: skip


def test_what_somebody_read_a_second_time():
    ada, grace = make_user("ada"), make_user("grace")
    results = [make_result(printed="0.2500"), make_result(printed="31.2", unit="percent")]
    for result, unit in zip(results, ("", "percent"), strict=True):
        confirm_result(result=result, user=ada, kind="second_transcription", printed=result.printed, unit=unit)
    confirm_result(result=make_result(), user=grace, kind="second_transcription", printed="0.2500")
    created = [to_the_second(one.created_at) for one in Confirmation.objects.filter(user=ada).order_by("pk")]
    assert export_confirmations(ada) == [
        {"result": result.pk, "kind": "second_transcription", "printed": result.printed, "unit": unit, "created": at}
        for result, unit, at in zip(results, ("", "percent"), created, strict=True)
    ]
    assert export_confirmations(make_user()) == export_corrections(ada) == []
