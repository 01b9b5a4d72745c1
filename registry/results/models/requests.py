"""What people say of results: corrections that they ask for, scores that they read again."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from analysis.readers.scores import PrintedScore
from registry.results.models.results import Result
from registry.results.querysets import CorrectionRequestQuerySet


class CorrectionRequest(models.Model):
    """What somebody says is wrong with a result, and what became of it; public like the result.

    An open request follows its result when that is superseded.
    """

    class Kind(models.TextChoices):
        CORRECT = "correct", "correction"
        DISPUTE = "dispute", "dispute"

    class State(models.TextChoices):
        OPEN = "open", "open"
        ACCEPTED = "accepted", "accepted"
        DECLINED = "declined", "declined"

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="correction_requests")
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    proposed_printed = models.CharField(max_length=40, blank=True, help_text="The score that should stand there.")
    proposed_unit = models.CharField(max_length=10, choices=Result.Unit, blank=True, default=Result.Unit.MEASURE)
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decision_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = CorrectionRequestQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["result", "requester", "kind"], condition=Q(state="open"), name="correction_request_open_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_request_has_reason"),
            models.CheckConstraint(
                condition=~Q(kind="correct") | ~Q(proposed_printed=""), name="correction_request_proposes"
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True, decided_by__isnull=True)
                | Q(state__in=["accepted", "declined"], decided_at__isnull=False, decided_by__isnull=False),
                name="correction_request_decided_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["state", "created_at"], name="correction_request_queue")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of result {self.result_id}"

    def get_absolute_url(self) -> str:
        return reverse("results:correction-detail", args=[self.pk])

    @property
    def proposed(self) -> PrintedScore | None:
        """The score that should stand there; None where the request proposes none."""
        return PrintedScore(self.proposed_printed, self.proposed_unit) if self.proposed_printed else None


class Confirmation(models.Model):
    """Somebody read the score in its source and found it as recorded."""

    class Kind(models.TextChoices):
        SECOND_TRANSCRIPTION = "second_transcription", "second transcription"
        AUTHOR = "author", "confirmed by an author"

    result = models.ForeignKey(
        Result, on_delete=models.PROTECT, related_name="confirmations", help_text="In the version that was confirmed."
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=30, choices=Kind)
    printed = models.CharField(max_length=40, help_text="The score as this person read it.")
    unit = models.CharField(max_length=10, choices=Result.Unit, blank=True, default=Result.Unit.MEASURE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["result", "user", "kind"], name="confirmation_once")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of result {self.result_id}"
