"""Personal data: each app says in its ``ready`` what it exports and erases; a person gets all of it as one object."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from registry.accounts.models import User
from registry.core.documents import to_the_second
from registry.journal.models import Entry

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of personal data: the key that it has in an export, and what erases it on deletion; None keeps it."""

    name: str
    export: Callable[[User], list[Document]]
    erase: Callable[[User], object] | None = None


SECTIONS: list[Section] = []


def register(section: Section) -> None:
    """Have exports and deletions include this."""
    SECTIONS.append(section)


def rows_of(rows: Iterable[object], columns: str) -> list[Document]:
    """Return a document a row, with these columns: ``kind created=created_at`` names two. Moments are to the second."""
    named = [column.partition("=") for column in columns.split()]
    return [{name: _plain(attrgetter(path or name)(row)) for name, _, path in named} for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return to_the_second(value)
    return value if value is None or isinstance(value, bool | int | list | dict) else str(value)


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
