"""Changing accounts: roles, tokens, profiles, deletion. What is public about people enters the journal."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model, Q
from django.db.models.functions import Now
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import FORMER, ApiToken, User
from registry.accounts.personal import SECTIONS
from registry.journal.services import record

ROLE_CHANGED = "accounts.user.role_changed"
SUSPENDED = "accounts.user.suspended"
REINSTATED = "accounts.user.reinstated"
DELETED = "accounts.user.deleted"

#: The beginning of every token, so that scanners of published code can find leaked ones.
TOKEN_PREFIX = "plumb_"
MAX_TOKEN_DAYS = 365
_LIVE_TOKENS = 20
_USE_NOTED_EVERY = timedelta(minutes=10)


@transaction.atomic
def set_role(*, user: User, role: User.Role, actor: User | None, reason: str) -> User:
    """Give the user another role, and return them; unchanged, and without an entry, where they have it already."""
    user = _locked(user)
    if user.role == role:
        return user
    if user.role == User.Role.ADMINISTRATOR:
        _require_another_administrator(user)
    before = {"role": user.role.value}
    user.is_editor = role == User.Role.EDITOR
    user.is_staff = user.is_superuser = role == User.Role.ADMINISTRATOR
    user.save(update_fields=["is_editor", "is_staff", "is_superuser"])
    after = {"role": role.value}
    record(action=ROLE_CHANGED, subject=user, actor=actor, reason=reason, before=before, after=after)
    return user


@transaction.atomic
def set_active(*, user: User, is_active: bool, actor: User | None, reason: str) -> User:
    """Suspend or reinstate the user, and return them. Suspended sessions and tokens stop working at once."""
    user = _locked(user)
    if user.is_active == is_active:
        return user
    if user.role == User.Role.ADMINISTRATOR:
        _require_another_administrator(user)
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    record(action=REINSTATED if is_active else SUSPENDED, subject=user, actor=actor, reason=reason)
    return user


@transaction.atomic
def remove_second_factor(*, user: User, actor: User, reason: str) -> None:
    """Take the second factor away from somebody who lost it."""
    if Authenticator.objects.filter(user=user).delete()[0]:
        record(action="accounts.user.second_factor_removed", subject=user, actor=actor, reason=reason)


def _locked(user: User) -> User:
    """Return the user as they are now, locked until the transaction ends."""
    locked = User.objects.select_for_update().existing().filter(pk=user.pk).first()
    if locked is None:
        raise Refused("deleted", "This account was deleted.")
    return locked


def _require_another_administrator(user: User) -> None:
    # All are locked, so that two cannot resign at the same moment.
    administrators = User.objects.select_for_update().administrators().values_list("pk", flat=True)
    if set(administrators) <= {user.pk}:
        raise Refused("last_administrator", "There is no other administrator. Appoint one first.")


def update_profile(*, user: User, full_name: str) -> User:
    """Give the user another full name, and return them."""
    user.full_name = full_name
    user.save(update_fields=["full_name"])
    return user


def set_orcid(*, user: User, orcid: str) -> None:
    """Note the iD that somebody signed in with at ORCID; blank where they took it away."""
    verified = timezone.now() if orcid else None
    User.objects.existing().filter(pk=user.pk).update(orcid=orcid, orcid_verified_at=verified)


def note_service(*, instance: SocialAccount, **_: Any) -> None:
    """Note the ORCID iD when an account at a service is connected (signal ``post_save``)."""
    if instance.provider == "orcid" and instance.user.orcid != instance.uid:
        set_orcid(user=instance.user, orcid=instance.uid)


def forget_service(*, instance: SocialAccount, **_: Any) -> None:
    """Forget the ORCID iD when an account at a service is disconnected (signal ``post_delete``)."""
    if instance.provider == "orcid":
        set_orcid(user=instance.user, orcid="")


@transaction.atomic
def verify_address(*, user: User) -> EmailAddress:
    """Return the user's address, verified without a mail: for whoever administers this machine."""
    if not user.email:
        raise Refused("no_address", f"{user.username} has no email address.")
    release_address(email=user.email, owner=user)
    address, _ = EmailAddress.objects.get_or_create(user=user, email=user.email.lower())
    address.verified = True
    address.primary = True
    address.save()
    return address


@transaction.atomic
def release_address(*, email: str, owner: User) -> None:
    """Take an address, which its owner is about to prove theirs, from accounts that only claimed it."""
    of_others = EmailAddress.objects.filter(email__iexact=email).exclude(user=owner)
    if of_others.filter(verified=True).exists():
        return
    of_others.delete()
    claimed = User.objects.filter(email__iexact=email).exclude(pk=owner.pk)
    claimed.unused().delete()
    claimed.update(email="")


def end_sessions(*, user: User) -> None:
    """Sign somebody out everywhere. Sessions note the address that was signed in with, so they are deleted."""
    ended = [
        session.pk for session in Session.objects.iterator() if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=ended).delete()


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which is nowhere else: to be shown once."""

    token: ApiToken
    secret: str


@transaction.atomic
def create_token(*, user: User, name: str, scopes: Collection[str], days: int) -> NewToken:
    """Return a new token that expires after so many days."""
    if not scopes or not set(scopes) <= set(ApiToken.Scope.values):
        raise Refused("scopes", f"A token needs scopes out of {', '.join(ApiToken.Scope.values)}.")
    if not 1 <= days <= MAX_TOKEN_DAYS:
        raise Refused("days", f"A token lasts 1 to {MAX_TOKEN_DAYS} days.")
    user = _locked(user)
    if user.api_tokens.live().count() >= _LIVE_TOKENS:
        raise Refused("too_many", f"You have {_LIVE_TOKENS} tokens. Revoke one first.")
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=digest_of_token(secret),
        shown=secret[: len(TOKEN_PREFIX) + 8],
        scopes=sorted(set(scopes)),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return NewToken(token, secret)


def digest_of_token(secret: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def revoke_token(*, token: ApiToken) -> ApiToken:
    """Revoke the token, and return it."""
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def note_use(*, token: ApiToken) -> None:
    """Note that a token was used: at most once in ten minutes, so that reading does not always mean writing."""
    recently = timezone.now() - _USE_NOTED_EVERY
    if token.last_used_at is None or token.last_used_at < recently:
        unused = Q(last_used_at__isnull=True) | Q(last_used_at__lt=Now() - _USE_NOTED_EVERY)
        ApiToken.objects.filter(unused, pk=token.pk).update(last_used_at=Now())


@transaction.atomic
def delete_account(*, user: User) -> User:
    """Delete all that is personal, and return the user. Contributions stay in the public record."""
    user = _locked(user)
    if user.role == User.Role.ADMINISTRATOR:
        _require_another_administrator(user)
    for section in SECTIONS:
        if section.erase:
            section.erase(user)
    owned: tuple[type[Model], ...] = (ApiToken, Authenticator, SocialAccount, EmailAddress)
    for model in owned:
        model._default_manager.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    end_sessions(user=user)
    user.username = _name_of_former(user)
    user.email = user.full_name = user.orcid = ""
    user.orcid_verified_at = user.last_login = None
    user.is_active = user.is_editor = user.is_staff = user.is_superuser = False
    user.deleted_at = timezone.now()
    user.set_unusable_password()
    user.save()
    record(action=DELETED, subject=user, actor=user)
    return user


def _name_of_former(user: User) -> str:
    """Return a name that tells nothing and is free, also where people came with a dump of another site."""
    name = f"{FORMER}-{user.pk}"
    return f"{name}-{secrets.token_hex(4)}" if User.objects.named(name).exists() else name


def prune() -> int:
    """Delete sessions that ended, and sign-ups that nobody verified; return how many sign-ups."""
    Session.objects.filter(expire_date__lt=Now()).delete()
    _, deleted = User.objects.never_verified().delete()
    return deleted.get("accounts.User", 0)
