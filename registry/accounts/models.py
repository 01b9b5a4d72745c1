"""The people of the registry, and the tokens of their programs."""

from datetime import timedelta

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now
from django.urls import reverse

#: Sign-ups whose email address was not verified are deleted after this time, which frees name and address.
UNVERIFIED_KEPT = timedelta(days=7)


class UserQuerySet(models.QuerySet["User"]):
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
    def live(self) -> "ApiTokenQuerySet":
        """Return those that still open something."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=Now())


USERNAME_LENGTH = 40
EMAIL_LENGTH = 254

#: The beginning of the names of deleted accounts; nobody can choose such a name.
FORMER = "former-contributor"

_username_form = RegexValidator(
    rf"^(?!{FORMER})[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]\Z",
    "Use letters without accents, digits, and . _ - between them; at least two characters.",
    code="username_form",
)


class PeopleManager(UserManager["User"]):
    """Django's, with addresses in lower case."""

    use_in_migrations = False

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Return it in lower case: two addresses never differ by case alone, and login compares what is stored."""
        return str(super().normalize_email(email)).lower()


class User(AbstractUser):
    """Somebody who contributes, edits or administers. Readers need no account.

    The user name is public and stays what it is; people sign in with their email address. A deleted account keeps its
    row, without anything personal in it, because the public record refers to it.
    """

    class Role(models.TextChoices):
        CONTRIBUTOR = "contributor", "contributor"
        EDITOR = "editor", "editor"
        ADMINISTRATOR = "administrator", "administrator"

    first_name = None  # type: ignore[assignment]  # how Django has fields of its user left out
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        "user name",
        max_length=USERNAME_LENGTH,
        unique=True,
        validators=[_username_form],
        help_text="Public, and cannot be changed later: it stands beside what you contribute.",
        error_messages={"unique": "This user name is taken."},
    )
    email = models.EmailField(
        "email address", max_length=EMAIL_LENGTH, blank=True, help_text="Blank for deleted accounts, and without login."
    )
    full_name = models.CharField(max_length=150, blank=True, help_text="As in papers. Public; may stay blank.")
    is_editor = models.BooleanField(default=False, help_text="May check and correct everything that is recorded.")
    orcid = models.CharField(max_length=19, blank=True, help_text="Set by signing in at ORCID, and in no other way.")
    orcid_verified_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = PeopleManager.from_queryset(UserQuerySet)()  # type: ignore[misc]  # Django declares it for the class

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_name_once"),
            models.UniqueConstraint(Lower("email"), condition=~Q(email=""), name="user_email_once"),
            models.UniqueConstraint(fields=["orcid"], condition=~Q(orcid=""), name="user_orcid_once"),
            models.CheckConstraint(
                condition=Q(orcid="", orcid_verified_at__isnull=True)
                | (~Q(orcid="") & Q(orcid_verified_at__isnull=False)),
                name="user_orcid_verified",
            ),
            models.CheckConstraint(
                condition=Q(deleted_at__isnull=True)
                | Q(
                    is_active=False,
                    is_staff=False,
                    is_superuser=False,
                    is_editor=False,
                    email="",
                    full_name="",
                    orcid="",
                ),
                name="user_deleted_is_nobody",
            ),
        ]

    def __str__(self) -> str:
        return self.public_name

    def get_absolute_url(self) -> str:
        return reverse("accounts:person-detail", args=[self.username])

    def get_full_name(self) -> str:
        return self.full_name or self.public_name

    def get_short_name(self) -> str:
        return self.public_name

    @property
    def public_name(self) -> str:
        """Return how the public record names this person."""
        return "former contributor" if self.deleted_at else self.username

    @property
    def role(self) -> "User.Role":
        """The most that this person may do; curators of collections are contributors here."""
        if self.is_superuser:
            return self.Role.ADMINISTRATOR
        return self.Role.EDITOR if self.is_editor else self.Role.CONTRIBUTOR

    @property
    def mail_address(self) -> str:
        """The address that they proved theirs, to which mail goes; blank before that, and once they left."""
        if not self.is_active or self.deleted_at:
            return ""
        verified = self.emailaddress_set.filter(verified=True)  # type: ignore[attr-defined]  # allauth's
        address = verified.filter(primary=True).first()
        return address.email if address else ""

    @property
    def orcid_url(self) -> str:
        """The address of the ORCID record; blank without one."""
        return f"https://orcid.org/{self.orcid}" if self.orcid else ""


class ApiToken(models.Model):
    """A secret with which a program acts as its owner, within its scopes and until it expires.

    Only the SHA-256 of the secret is stored. That suffices because the secret is random with 256 bits: nobody can guess
    at it, so a slow hash would protect nothing.
    """

    class Scope(models.TextChoices):
        """The uses of a token; its owner must be allowed to do it as well."""

        READ = "read", "read what only I can see"
        SUBMIT = "submit", "submit results and change my submissions"
        REVIEW = "review", "check submissions of others, as editor or curator"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100, help_text="What it is for: “nightly evaluation”.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    shown = models.CharField(max_length=14, editable=False, help_text="The first characters, to tell tokens apart.")
    scopes = models.JSONField(help_text="Sorted.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To ten minutes.")

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="api_token_expires")]

    def __str__(self) -> str:
        return f"{self.shown}… ({self.name})"

    def allows(self, scope: str) -> bool:
        return scope in self.scopes
