"""Questions about people and their tokens."""

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models.functions import Now

if TYPE_CHECKING:
    from registry.accounts.models import ApiToken, User

#: Sign-ups whose email address was not verified are deleted after this time, which frees name and address.
UNVERIFIED_KEPT = timedelta(days=7)


class UserQuerySet(models.QuerySet["User"]):
    """People."""

    def existing(self) -> "UserQuerySet":
        """Return those who did not delete their account."""
        return self.filter(deleted_at__isnull=True)

    def public(self) -> "UserQuerySet":
        """Return those with a public page: a verified email address, neither deleted nor suspended."""
        return self.existing().filter(is_active=True).filter(emailaddress__verified=True).distinct()

    def named(self, username: str) -> "UserQuerySet":
        """Return the person with this user name, in any case."""
        return self.filter(username__iexact=username)

    def administrators(self) -> "UserQuerySet":
        """Return those who can grant roles today."""
        return self.filter(is_superuser=True, is_active=True)

    def with_roles(self) -> "UserQuerySet":
        """Return editors and administrators, also suspended ones."""
        return self.filter(models.Q(is_editor=True) | models.Q(is_staff=True) | models.Q(is_superuser=True))

    def unused(self) -> "UserQuerySet":
        """Return accounts that nobody ever signed in to, without a role and without a trace in the journal."""
        return self.filter(last_login__isnull=True, is_staff=False, is_editor=False, entries__isnull=True)

    def never_verified(self) -> "UserQuerySet":
        """Return sign-ups of some time ago that came to nothing."""
        signed_up = self.existing().filter(date_joined__lt=Now() - UNVERIFIED_KEPT, emailaddress__isnull=False)
        return signed_up.unused().exclude(emailaddress__verified=True)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    """Tokens of programs."""

    def live(self) -> "ApiTokenQuerySet":
        """Return those that still open something."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=Now())
