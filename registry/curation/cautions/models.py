"""Answers to cautions, and decisions on them. Both are about a score: with another score they hold no longer.

They name the version of the result that they were made for, and hold for every later one that has its score, so that
reloads of shipped data, corrections of sources and merged names leave them alone.
"""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from registry.core.constraints import one_standing
from registry.core.querysets import RecordedQuerySet
from registry.journal.models import Entry
from registry.results.models import Result

CODE_LENGTH = 40


class CautionQuerySet(RecordedQuerySet[Any]):
    """Rows about a result and a caution."""

    def on_score_of(self, result: Result) -> Self:
        """About this score of this system on this leaderboard, in whichever version of the result."""
        system = result.system
        same = Q(result__system=system) | Q(result__system__merged_into=system)
        if system.merged_into_id:
            same |= Q(result__system=system.merged_into_id)
        return self.filter(same, result__leaderboard=result.leaderboard_id, result__value=result.value)

    def with_place(self) -> Self:
        """With the leaderboard, both names that the system has had, and the score that each is about."""
        return self.annotate(
            leaderboard_id=F("result__leaderboard_id"),
            system_id=F("result__system_id"),
            merged_id=F("result__system__merged_into_id"),
            value=F("result__value"),
        )


class CautionAnswer(models.Model):
    """What somebody says to a caution, public beside it."""

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="caution_answers")
    code = models.CharField(max_length=CODE_LENGTH)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    is_author = models.BooleanField(help_text="Whether the ORCID iD was one of the paper's authors.")
    text = models.TextField(blank=True, help_text="Blank once it is erased.")
    url = models.URLField(max_length=500, blank=True)
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = CautionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_standing("result", "code", "person", name="caution_answer_once"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | ~Q(text=""), name="caution_answer_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"answer to {self.code} of result {self.result_id}"


class CautionDecision(models.Model):
    """What a curator decided about a caution: it is not given again for this score, or it stays."""

    class Kind(models.TextChoices):
        CLEARED = "cleared", "cleared"
        KEPT = "kept", "kept"

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="caution_decisions")
    code = models.CharField(max_length=CODE_LENGTH)
    kind = models.CharField(max_length=10, choices=Kind)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="caution_decisions")
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = CautionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_standing("result", "code", name="caution_decision_once"),
            models.CheckConstraint(condition=Q(kind__in=["cleared", "kept"]), name="caution_decision_known"),
        ]

    def __str__(self) -> str:
        return f"{self.code} of result {self.result_id} {self.kind}"
