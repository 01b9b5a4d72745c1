"""What corrections and confirmations keep about a person, for the export of the account; it is public and stays."""

from registry.accounts.models import User
from registry.accounts.personal import Document, rows_of
from registry.results.models import Confirmation, CorrectionRequest


def export_corrections(user: User) -> list[Document]:
    """Return what somebody asked to be corrected or disputed, and what became of it."""
    columns = "result=result_id kind proposed reason state decision_reason created=created_at decided=decided_at"
    return rows_of(CorrectionRequest.objects.filter(requester=user), columns)


def export_confirmations(user: User) -> list[Document]:
    """The results that somebody read a second time or confirmed as an author."""
    confirmations = Confirmation.objects.filter(user=user).order_by("pk")
    return rows_of(confirmations, "result=result_id kind printed unit created=created_at")
