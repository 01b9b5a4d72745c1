"""Results on their way into the record: who submitted them, their state, and what became of each row."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Cast, Coalesce
from django.urls import reverse

from analysis.readers.numbers import IN_PERCENT
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow

_CONTENT = msgspec.json.Decoder(tuple[str, ResultRow])


def _rows() -> "SubmittedRowQuerySet":
    """Return the rows of the submission of an outer query."""
    return SubmittedRow.objects.filter(submission=OuterRef("pk"))


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def pending(self) -> "SubmissionQuerySet":
        """Return those that wait for a decision, the oldest first."""
        return self.filter(state__in=Submission.PENDING).order_by("submitted_at", "pk")

    def within(self, collections: Iterable[Any]) -> "SubmissionQuerySet":
        """Return those with rows of these collections and of no others; refused rows have no collection yet."""
        rows = _rows().filter(collection__isnull=False)
        inside, outside = rows.filter(collection__in=collections), rows.exclude(collection__in=collections)
        return self.filter(Exists(inside), ~Exists(outside))

    def with_counts(self) -> "SubmissionQuerySet":
        """Annotate the number of rows, by outcome, and to look at: ``n_rows``, ``n_new`` and so on, ``n_warned``."""
        rows = _rows().order_by()
        counted = {f"n_{outcome.name.lower()}": rows.filter(outcome=outcome) for outcome in SubmittedRow.Outcome}
        counted |= {"n_rows": rows, "n_warned": rows.warned()}
        counts = {name: of.values("submission").annotate(n=Count("pk")).values("n") for name, of in counted.items()}
        return self.annotate(**{name: Coalesce(Subquery(count), 0) for name, count in counts.items()})

    def with_first_row(self) -> "SubmissionQuerySet":
        """Annotate the cells of the first row, which tell a submission, as ``first_cells``; None without."""
        return self.annotate(first_cells=Subquery(_rows().order_by("line").values("cells")[:1]))

    def on(self, collection: Collection) -> "SubmissionQuerySet":
        """Return those with a row of this collection."""
        return self.filter(Exists(_rows().filter(collection=collection)))

    def without_question(self) -> "SubmissionQuerySet":
        """Return those without a row that is refused, differs from the record or has a signal to look at."""
        questionable = _rows().filter(outcome__in=(SubmittedRow.Outcome.REFUSED, SubmittedRow.Outcome.DIFFERS))
        return self.filter(~Exists(questionable), ~Exists(_rows().warned()))

    def differing(self) -> "SubmissionQuerySet":
        """Return those with a row that differs from the record."""
        return self.filter(Exists(_rows().filter(outcome=SubmittedRow.Outcome.DIFFERS)))

    def with_warnings(self) -> "SubmissionQuerySet":
        """Return those with a row that has a signal to look at."""
        return self.filter(Exists(_rows().warned()))


class SubmittedRowQuerySet(models.QuerySet["SubmittedRow"]):
    def warned(self) -> "SubmittedRowQuerySet":
        """Return those with a signal to look at."""
        return self.filter(Exists(Signal.objects.filter(row=OuterRef("pk"), severity=Signal.Severity.WARNING)))

    def refused(self) -> "SubmittedRowQuerySet":
        """Return those that cannot be taken as they are."""
        return self.filter(outcome=SubmittedRow.Outcome.REFUSED)

    def fine_in_percent(self) -> "SubmittedRowQuerySet":
        """Return those refused for a score that would be fine in percent, where no unit is named."""
        without_unit = self.refused().exclude(cells__has_key="unit")
        reasons = Cast("rejections", models.TextField())
        return without_unit.annotate(reasons=reasons).filter(reasons__contains=f'"{IN_PERCENT}"')

    def second_readings(self, reader: User) -> "SubmittedRowQuerySet":
        """Return those that repeat a result that was read once, and by somebody else than this person."""
        own = [str(pk) for pk in reader.submissions.values_list("pk", flat=True)]
        recorded_by_them = Q(existing__recorded_by__actor=reader) | Q(
            existing__recorded_by__subject_type="submission", existing__recorded_by__subject_id__in=own
        )
        once_read = {"existing__ended_at__isnull": True, "existing__provenance": "transcribed"}
        return self.filter(outcome=SubmittedRow.Outcome.SAME, **once_read).exclude(recorded_by_them)

    def with_existing(self) -> "SubmittedRowQuerySet":
        """Prefetch what rows refer to: the result on record, the signals, and the result that they became."""
        return self.select_related(
            "existing__system", "existing__paper", "existing__leaderboard__measure", "collection", "result"
        ).prefetch_related("signals")


class Submission(models.Model):
    """Rows that one person submits together; they are checked, reviewed and published together.

    ``version`` goes up by one with every change, and a change names the version that it was made on. So nobody
    overwrites what somebody else has changed meanwhile.
    """

    class Way(models.TextChoices):
        FORM = "form", "form"
        TABLE = "table", "table"
        API = "api", "API"

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        SUBMITTED = "submitted", "submitted"
        IN_REVIEW = "in_review", "in review"
        RETURNED = "returned", "returned"
        PUBLISHED = "published", "published"
        REFUSED = "refused", "refused"

    #: The contributor may change it and submit it.
    OPEN = (State.DRAFT, State.RETURNED)
    #: Somebody has to decide on it.
    PENDING = (State.SUBMITTED, State.IN_REVIEW)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    contributor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    way = models.CharField(max_length=10, choices=Way)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    note = models.TextField(blank=True, help_text="What its contributor wants the reviewer to know.")
    version = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64, help_text="Of the rows as they came, to know a second click by.")
    created_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decision_reason = models.TextField(blank=True)

    #: How many rows it has, and of which outcome, for submissions ``with_counts``.
    n_rows: int
    n_new: int
    n_same: int
    n_differs: int
    n_refused: int
    #: How many of them have a signal to look at.
    n_warned: int

    #: Some of its rows, for those of the queue.
    first_rows: "list[SubmittedRow]"

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "submitted", "in_review", "returned", "published", "refused"]),
                name="submission_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="draft") | Q(submitted_at__isnull=False), name="submission_says_when_submitted"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["published", "refused"]) | Q(decided_at__isnull=False),
                name="submission_says_when_decided",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "submitted_at"], name="submission_queue"),
            models.Index(fields=["contributor", "-created_at"], name="submission_by_contributor"),
            models.Index(fields=["contributor", "-submitted_at"], name="submission_of_an_hour"),
        ]

    def __str__(self) -> str:
        return f"submission {str(self.pk)[:8]}"

    def get_absolute_url(self) -> str:
        return reverse("submissions:submission-detail", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """Return whether the contributor may change it and submit it."""
        return self.state in self.OPEN

    @property
    def is_pending(self) -> bool:
        """Return whether somebody has to decide on it."""
        return self.state in self.PENDING


class SubmittedRow(models.Model):
    """A row from the moment it is sent until it is a result: its cells, what they say, and what would become of it.

    A check fills in ``outcome``, ``rejections``, ``existing``, ``content`` and ``found_signals``. A row without cells
    could not be read at all; its ``rejections`` say why.
    """

    class Outcome(models.TextChoices):
        NEW = "new", "new"
        SAME = "same", "same as recorded"
        DIFFERS = "differs", "differs from what is recorded"
        REFUSED = "refused", "refused"

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="rows")
    line = models.PositiveIntegerField(help_text="Of the table that it came in.")
    cells = models.JSONField(help_text="Texts exactly as given, by column; blank ones are left out.")
    topics = models.JSONField(default=dict, blank=True, help_text="Scores by topic that came with it, by label.")
    whose = models.CharField(max_length=10, blank=True, help_text="Why it may be its author's own: bold, or last.")
    outcome = models.CharField(max_length=10, choices=Outcome)
    rejections = models.JSONField(default=list, blank=True, help_text="Objects with code, message and field.")
    content = models.TextField(blank=True, help_text="JSON: a digest of the catalog, and what the cells say by it.")
    collection = models.ForeignKey(
        Collection, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Blank when refused."
    )
    key = models.CharField(max_length=32, blank=True, help_text="What tells its result from others; blank if refused.")
    existing = models.ForeignKey(
        Result, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="What stands there."
    )
    result = models.ForeignKey(
        Result,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="submitted_rows",
        help_text="Once published.",
    )

    #: The signals of the last check, not stored yet.
    found_signals: "Sequence[Signal]" = ()

    objects = SubmittedRowQuerySet.as_manager()

    class Meta:
        ordering = ["submission", "line"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "line"], name="submitted_row_line_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=["new", "same", "differs", "refused"]), name="submitted_row_outcome_known"
            ),
        ]
        indexes = [
            models.Index(fields=["submission", "outcome", "line"], name="submitted_row_by_outcome"),
            models.Index(fields=["key"], condition=~Q(key=""), name="submitted_row_by_key"),
        ]

    def __str__(self) -> str:
        return f"row {self.line} of {self.submission_id}"

    @property
    def is_unreadable(self) -> bool:
        """Return whether it has no cells, and rejections that say why."""
        return not self.cells and bool(self.rejections)

    def keep(self, parsed: ResultRow, catalog: str) -> None:
        """Store the cells as they were read with the catalog of this digest."""
        self.content = msgspec.json.encode((catalog, parsed)).decode()

    def parsed(self, catalog: str = "") -> ResultRow | None:
        """Return the cells as they were last read, if with this catalog; None where they have to be read again."""
        if not self.content.startswith(f'["{catalog}'):
            return None
        try:
            parsed = _CONTENT.decode(self.content)[1]
        except msgspec.DecodeError:
            # An earlier release may have read the row without what this one needs.
            return None
        # A form reads its row before the row has its line.
        return parsed if parsed.line == self.line else replace(parsed, line=self.line)


class SubmittedPaper(models.Model):
    """A paper as a submission describes it, beyond the citation and address in the rows."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="papers")
    identity = models.CharField(max_length=900, help_text="What tells it from other papers, as the record has it.")
    description = models.JSONField(help_text="Texts by field of a paper: title, authors, venue, bibtex and the like.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["submission", "identity"], name="submitted_paper_once")]

    def __str__(self) -> str:
        return str(self.description.get("title") or self.identity)


class Signal(models.Model):
    """Something about a row that a reviewer should look at."""

    class Code(models.TextChoices):
        DUPLICATE = "duplicate", "duplicate"
        OTHER_MEASURE = "other_measure", "score of another measure"
        UNREACHABLE_VALUE = "unreachable_value", "value not reachable"
        FAR_OUTSIDE = "far_outside", "far outside what is recorded"
        CONTESTED = "contested", "contested"
        PERCENT_SCALE = "percent_scale", "percent or fraction"
        COPIED = "copied", "scores of another system"
        ABOVE_ALL = "above_all", "above all others"
        OTHER_TOPICS = "other_topics", "other number of topics"
        MOVED = "moved", "name of another organisation"
        TOPIC_SCORES = "topic_scores", "scores by topic"
        IMPOSSIBLE = "impossible", "scores that exclude each other"

    class Severity(models.TextChoices):
        INFO = "info", "for information"
        WARNING = "warning", "look here"

    row = models.ForeignKey(SubmittedRow, on_delete=models.CASCADE, related_name="signals")
    code = models.CharField(max_length=30, choices=Code)
    severity = models.CharField(max_length=10, choices=Severity)
    message = models.TextField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["row", "code"], name="signal_once")]

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @property
    def content(self) -> tuple[str, str, str]:
        return self.code, self.severity, self.message


class Comment(models.Model):
    """A remark by the contributor or a reviewer of a submission; nobody else reads it."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="comment_says_something")]

    def __str__(self) -> str:
        return self.text


class IdempotencyKey(models.Model):
    """The answer to a request that its sender gave a key, so that sending it again has no second effect."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64, help_text="Of the request.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Blank only inside the transaction that answers.")
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
