"""What corrections and confirmations keep about a person, for the export of the account; it is public and stays."""

from typing import Any

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.results.models import Confirmation, CorrectionRequest

Document = dict[str, Any]


def export_corrections(user: User) -> list[Document]:
    """Return what somebody asked to be corrected or disputed, and what became of it."""
    requests = CorrectionRequest.objects.filter(requester=user)
    return [
        {
            "result": request.result_id,
            "kind": request.kind,
            "proposed": str(request.proposed or ""),
            "reason": request.reason,
            "state": request.state,
            "decision_reason": request.decision_reason,
            "created": to_the_second(request.created_at),
            "decided": to_the_second(request.decided_at),
        }
        for request in requests
    ]


def export_confirmations(user: User) -> list[Document]:
    """The results that somebody read a second time or confirmed as an author."""
    confirmations = Confirmation.objects.filter(user=user).order_by("pk")
    return [
        {
            "result": confirmation.result_id,
            "kind": confirmation.kind,
            "printed": confirmation.printed,
            "unit": confirmation.unit,
            "created": to_the_second(confirmation.created_at),
        }
        for confirmation in confirmations
    ]
