"""Everything the registry keeps about one person, as one object for that person."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from registry.accounts.models import ApiToken, User
from registry.accounts.personal import SECTIONS
from registry.journal.models import Entry

Document = dict[str, Any]


def account_document(user: User) -> Document:
    """All of one's own, without secrets: those would be of use to a thief alone."""
    return {
        "exported": timezone.now().isoformat(timespec="seconds"),
        "account": _describe_account(user),
        "email_addresses": [
            {"email": address.email, "verified": address.verified, "primary": address.primary}
            for address in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "services": [_describe_service(account) for account in SocialAccount.objects.filter(user=user).order_by("pk")],
        "second_factors": [
            {"type": factor.type, "created": _moment(factor.created_at), "last_used": _moment(factor.last_used_at)}
            for factor in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [_describe_token(token) for token in user.api_tokens.order_by("pk")],
        "journal": [_describe_entry(entry) for entry in Entry.objects.filter(actor=user).order_by("pk")],
        **{section.name: section.export(user) for section in SECTIONS},
    }


def _describe_account(user: User) -> Document:
    return {
        "username": user.username,
        "email": user.email,
        "full_name": user.full_name,
        "orcid": user.orcid,
        "orcid_verified": _moment(user.orcid_verified_at),
        "role": user.role.value,
        "joined": _moment(user.date_joined),
        "last_login": _moment(user.last_login),
    }


def _describe_service(account: SocialAccount) -> Document:
    return {
        "service": account.provider,
        "id": account.uid,
        "connected": _moment(account.date_joined),
        "last_login": _moment(account.last_login),
        "kept": account.extra_data,
    }


def _describe_token(token: ApiToken) -> Document:
    return {
        "begins_with": token.shown,
        "name": token.name,
        "scopes": token.scopes,
        "created": _moment(token.created_at),
        "expires": _moment(token.expires_at),
        "revoked": _moment(token.revoked_at),
        "last_used": _moment(token.last_used_at),
    }


def _describe_entry(entry: Entry) -> Document:
    return {
        "recorded": _moment(entry.recorded_at),
        "action": entry.action,
        "subject": f"{entry.subject_type} {entry.subject_id}",
        "reason": entry.reason,
        "before": entry.before,
        "after": entry.after,
    }


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
