"""The models of all parts, where Django looks for them; findings of workers are made once for the same scores."""

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar

import msgspec
from django.db import models
from django.db.models import Count, Max

from analysis.errors import ArgumentError, DegenerateWarning
from registry.core.services import enqueue_overdue_jobs

Content = TypeVar("Content")


class FoundOnce(models.Model):
    """Findings made once: the key is the SHA-256 of scores, direction of the measure and methods.

    Nothing owns them: when the same scores come again, the answer is there.
    """

    digest = models.CharField(primary_key=True, max_length=64)
    content = models.TextField(blank=True, help_text="The findings as JSON; blank where there are none.")
    obstacle = models.CharField(max_length=300, blank=True, help_text="Why nothing can be found.")
    studied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.digest[:12]

    @classmethod
    def of(cls, digest: str, find: Callable[[], object]) -> Self:
        """Return the findings, or why there can be none; not saved yet."""
        try:
            findings = find()
        except DegenerateWarning as warning:
            return cls(digest=digest, obstacle=str(warning))
        except ArgumentError as error:
            return cls(digest=digest, obstacle=f"the {error.argument} {error.reason}")
        return cls(digest=digest, content=msgspec.json.encode(findings).decode())

    @classmethod
    def keep(cls, studies: Iterable[Self]) -> None:
        """Store studies; those that another worker stored in the meantime are the same."""
        cls._default_manager.bulk_create(studies, ignore_conflicts=True)

    @classmethod
    def read(cls, digests: Iterable[str], kind: type[Content]) -> dict[str, Content | str]:
        """Return by digest the findings, or why there can be none; absent where nobody looked yet."""
        rows = cls._default_manager.filter(pk__in=set(digests))
        return {row.pk: row.obstacle or msgspec.json.decode(row.content, type=kind) for row in rows}

    @classmethod
    def version(cls) -> dict[str, Any]:
        """Return values that change whenever something is found."""
        return cls._default_manager.aggregate(n=Count("pk"), last=Max("studied_at"))

    @classmethod
    def enqueue_missing(cls, kind: str, wanted: Iterable[tuple[dict[str, Any], set[str]]]) -> int:
        """Have a worker find the missing ones of the digests that each job finds; return the number of jobs added."""
        jobs = list(wanted)
        digests_wanted = set().union(*(digests for _, digests in jobs))
        known = set(cls._default_manager.filter(pk__in=digests_wanted).values_list("pk", flat=True))
        return enqueue_overdue_jobs(kind=kind, args=[args for args, digests in jobs if not digests <= known])


def _or_obstacle(name: str) -> list[models.BaseConstraint]:
    """Return the constraint that there are either findings or an obstacle."""
    return [models.CheckConstraint(condition=models.Q(content="") ^ models.Q(obstacle=""), name=f"{name}_or_obstacle")]


class Resolution(FoundOnce):
    """Findings of one matrix of topic scores on its collection, or of two of the same systems."""

    class Meta:
        constraints = _or_obstacle("resolution")


class TopicStudy(FoundOnce):
    """Findings of one matrix of topic scores on the systems of its leaderboard."""

    class Meta:
        verbose_name_plural = "topic studies"
        constraints = _or_obstacle("topic_study")


class RedrawnFigures(FoundOnce):
    """The panels of figures drawn one way from one matrix, by their names in addresses.

    Panels name their collection, so the key covers its name, too.
    """

    class Meta:
        constraints = _or_obstacle("redrawn")


class ExampleAnswers(models.Model):
    """Answers of the tools to their examples, for the first page: one row, which a worker makes anew after a change."""

    version = models.TextField(help_text="The state of the record of which they say it.")
    content = models.JSONField(help_text="A sentence by tool.")

    class Meta:
        verbose_name_plural = "example answers"

    def __str__(self) -> str:
        return "what the tools say of their examples"
