"""Everything the registry keeps about one person, as one object for that person."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.personal import SECTIONS
from registry.core.documents import to_the_second
from registry.journal.models import Entry

Document = dict[str, Any]


def account_document(user: User) -> Document:
    """All of one's own, without secrets: those would be of use to a thief alone."""
    return {
        "exported": timezone.now().isoformat(timespec="seconds"),
        "account": {
            "username": user.username,
            "email": user.email,
            "full_name": user.full_name,
            "orcid": user.orcid,
            "orcid_verified": to_the_second(user.orcid_verified_at),
            "role": user.role.value,
            "joined": to_the_second(user.date_joined),
            "last_login": to_the_second(user.last_login),
        },
        "email_addresses": [
            {"email": address.email, "verified": address.verified, "primary": address.primary}
            for address in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "services": [
            {
                "service": account.provider,
                "id": account.uid,
                "connected": to_the_second(account.date_joined),
                "last_login": to_the_second(account.last_login),
                "kept": account.extra_data,
            }
            for account in SocialAccount.objects.filter(user=user).order_by("pk")
        ],
        "second_factors": [
            {
                "type": factor.type,
                "created": to_the_second(factor.created_at),
                "last_used": to_the_second(factor.last_used_at),
            }
            for factor in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {
                "begins_with": token.shown,
                "name": token.name,
                "scopes": token.scopes,
                "created": to_the_second(token.created_at),
                "expires": to_the_second(token.expires_at),
                "revoked": to_the_second(token.revoked_at),
                "last_used": to_the_second(token.last_used_at),
            }
            for token in user.api_tokens.order_by("pk")
        ],
        "journal": [
            {
                "recorded": to_the_second(entry.recorded_at),
                "action": entry.action,
                "subject": f"{entry.subject_type} {entry.subject_id}",
                "reason": entry.reason,
                "before": entry.before,
                "after": entry.after,
            }
            for entry in Entry.objects.filter(actor=user).order_by("pk")
        ],
        **{section.name: section.export(user) for section in SECTIONS},
    }
