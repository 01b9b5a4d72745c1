"""The append-only record of who changed what, when and why, and who may read it."""

import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

#: Prefixes of public actions. Drafts and reviews are between contributor and reviewers, and accounts are private.
_PUBLIC = ("catalog.", "results.", "submissions.submission.published")


class EntryQuerySet(models.QuerySet["Entry"]):
    def public(self) -> "EntryQuerySet":
        """Return changes of the public record, the newest first, with their actors at hand."""
        return self.filter(_is_public()).select_related("actor").order_by("-pk")

    def for_administrators(self) -> "EntryQuerySet":
        """Return all but what contributors did with their submissions, which shows drafts."""
        return self.filter(_is_public() | ~Q(action__startswith="submissions."))

    def by(self, username: str) -> "EntryQuerySet":
        """Return those of the person with this user name; “registry” is the site itself, which has no account."""
        if username.casefold() == "registry":
            return self.filter(actor__isnull=True)
        return self.filter(actor__username__iexact=username, actor__deleted_at__isnull=True)

    def between(self, since: datetime.date | None, until: datetime.date | None) -> "EntryQuerySet":
        """Return those from the first day to the last (UTC), both included; None is no limit."""
        entries = self
        if since:
            entries = entries.filter(recorded_at__gte=_midnight(since, datetime.time.min))
        if until:
            entries = entries.filter(recorded_at__lte=_midnight(until, datetime.time.max))
        return entries


def _is_public() -> Q:
    begins = Q()
    for prefix in _PUBLIC:
        begins |= Q(action__startswith=prefix)
    return begins


def _midnight(day: datetime.date, time: datetime.time) -> datetime.datetime:
    return datetime.datetime.combine(day, time, tzinfo=datetime.UTC)


class Entry(models.Model):
    """One change to the public record. Never edited, never deleted: the database refuses both.

    An entry may cover many rows (a loaded file); those rows point back at it. People are referred to and never named,
    so that deleting an account takes its name out of the record, and nothing else.
    """

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entries",
        help_text="Blank for the registry itself.",
    )
    action = models.CharField(max_length=60, help_text="Dotted and past tense, as results.result.withdrawn.")
    subject_type = models.CharField(max_length=40, help_text="The kind of row: result, system, file …")
    subject_id = models.CharField(max_length=200)
    reason = models.TextField(blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    recorded_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        indexes = [
            models.Index(fields=["subject_type", "subject_id"], name="entry_by_subject"),
            models.Index(fields=["subject_type", "id"], name="entry_by_type"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(action__regex=r"^[a-z_]+(\.[a-z_]+)+$"), name="entry_action_dotted"
            )
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_type} {self.subject_id}"

    def get_absolute_url(self) -> str:
        return reverse("results:entry-detail", args=[self.pk])

    @property
    def actor_name(self) -> str:
        """Return who did it, under today's name."""
        return self.actor.public_name if self.actor else "registry"


class Seal(models.Model):
    """The digests of rows, sealed with the entry that explains them; seals make a chain.

    Each head is made of its seal and the head before, so that whoever remembers a head sees when the chain was made
    anew. The last seal that has a row says what it must be. ``salt`` keeps what is not public from being guessed.
    """

    id = models.PositiveBigIntegerField(primary_key=True, help_text="Its place in the chain, from 1.")
    kind = models.CharField(max_length=40, help_text="The table of its rows (``journal.sealing``).")
    subject = models.CharField(max_length=80, help_text="The entry, or entries; of what is derived, a key or blank.")
    salt = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, help_text="SHA-256 of salt and parts.")
    parts = models.BinaryField(help_text="MessagePack of the keys and the digests of the rows.")
    head = models.CharField(max_length=64, help_text="SHA-256 of the head before, place, kind, subject and digest.")
    sealed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "subject"], name="seal_by_subject")]

    def __str__(self) -> str:
        return f"seal of {self.kind} {self.subject}"


class TouchedRow(models.Model):
    """A row of the record that was written and is not sealed yet, as a trigger of its table noted it."""

    transaction_number = models.BigIntegerField(help_text="Of PostgreSQL; 0 on SQLite.")
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Head(models.Model):
    """The head of the chain on a day, signed and told: whoever keeps one sees when what was sealed by then changed."""

    day = models.DateField(unique=True)
    n_seals = models.PositiveBigIntegerField(help_text="How many seals it covers.")
    line = models.CharField(max_length=300, help_text="As ``/log/heads/`` has it (``analysis.heads``).")

    class Meta:
        ordering = ["day"]

    def __str__(self) -> str:
        return f"head of {self.day}"


class VerifiedShare(models.Model):
    """When a share of the record was last verified, and what was found; all shares together are the whole record."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    due_on = models.DateField()
    checked_at = models.DateTimeField(null=True)
    problems = models.JSONField(default=list)
    n_seals = models.PositiveBigIntegerField(default=0, help_text="How long the chain of seals was then.")
    head = models.CharField(max_length=64, blank=True, help_text="The last head of the chain then.")

    def __str__(self) -> str:
        return f"share {self.number}"
