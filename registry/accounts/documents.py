"""Everything the registry keeps about one person, as one object for that person."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.personal import SECTIONS, Document, rows_of
from registry.core.documents import to_the_second
from registry.journal.models import Entry


def account_document(user: User) -> Document:
    """Return all that is kept about a user, without secrets: those would help only a thief."""
    (account,) = rows_of(
        [user],
        "username email full_name orcid orcid_verified=orcid_verified_at role joined=date_joined last_login",
    )
    services = "service=provider id=uid connected=date_joined last_login kept=extra_data"
    tokens = "begins_with=shown name scopes created=created_at expires=expires_at revoked=revoked_at"
    return {
        "exported": to_the_second(timezone.now()),
        "account": account,
        "email_addresses": rows_of(_of(EmailAddress, user), "email verified primary"),
        "services": rows_of(_of(SocialAccount, user), services),
        "second_factors": rows_of(_of(Authenticator, user), "type created=created_at last_used=last_used_at"),
        "tokens": rows_of(user.api_tokens.order_by("pk"), f"{tokens} last_used=last_used_at"),
        "journal": [
            rows_of([entry], "recorded=recorded_at action reason before after")[0]
            | {"subject": f"{entry.subject_type} {entry.subject_id}"}
            for entry in Entry.objects.filter(actor=user).order_by("pk")
        ],
        **{section.name: section.export(user) for section in SECTIONS},
    }


def _of(model: Any, user: User) -> Any:
    return model._default_manager.filter(user=user).order_by("pk")
