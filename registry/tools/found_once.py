"""What a worker finds of topic scores: once for the same scores, and kept under the digest of these."""

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar

import msgspec
from django.db import models
from django.db.models import Count, Max

from analysis.errors import ArgumentError, DegenerateWarning
from registry.core.services import enqueue_overdue_jobs

Content = TypeVar("Content")


class FoundOnce(models.Model):
    """What scores say, found once: the key is the SHA-256 of the scores, the direction of the measure and the methods.

    Nothing owns it: where the same scores come again, the answer is there.
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
        """Return what is found, or why nothing can be; not saved yet."""
        try:
            found = find()
        except DegenerateWarning as warning:
            return cls(digest=digest, obstacle=str(warning))
        except ArgumentError as error:
            return cls(digest=digest, obstacle=f"the {error.argument} {error.reason}")
        return cls(digest=digest, content=msgspec.json.encode(found).decode())

    @classmethod
    def keep(cls, found: Iterable[Self]) -> None:
        """Store what was found; what another worker kept in the meantime is the same."""
        cls._default_manager.bulk_create(found, ignore_conflicts=True)

    @classmethod
    def read(cls, digests: Iterable[str], kind: type[Content]) -> dict[str, Content | str]:
        """Return by digest what was found, or why nothing can be; what is still to be found is absent."""
        rows = cls._default_manager.filter(pk__in=set(digests))
        return {row.pk: row.obstacle or msgspec.json.decode(row.content, type=kind) for row in rows}

    @classmethod
    def version(cls) -> dict[str, Any]:
        """Return what changes whenever something is found."""
        return cls._default_manager.aggregate(n=Count("pk"), last=Max("studied_at"))

    @classmethod
    def enqueue_missing(cls, kind: str, wanted: Iterable[tuple[dict[str, Any], set[str]]]) -> int:
        """Have a worker find what is missing of the digests that each job finds; the number of jobs added."""
        jobs = list(wanted)
        known = set(
            cls._default_manager.filter(pk__in=set().union(*(one for _, one in jobs))).values_list("pk", flat=True)
        )
        return enqueue_overdue_jobs(kind=kind, args=[args for args, digests in jobs if not digests <= known])


def _or_obstacle(name: str) -> list[models.BaseConstraint]:
    """Either there are findings, or it is said why not."""
    return [models.CheckConstraint(condition=models.Q(content="") ^ models.Q(obstacle=""), name=f"{name}_or_obstacle")]


class Resolution(FoundOnce):
    """What one matrix of topic scores says of its collection, or two of the same systems."""

    class Meta:
        constraints = _or_obstacle("resolution")


class TopicStudy(FoundOnce):
    """What one matrix of topic scores says of the systems of its leaderboard."""

    class Meta:
        verbose_name_plural = "topic studies"
        constraints = _or_obstacle("topic_study")


class RedrawnFigures(FoundOnce):
    """The panels of the figures that one way of drawing gives of one matrix, by their names in addresses.

    Panels name their collection, so that the key is of that, too.
    """

    class Meta:
        constraints = _or_obstacle("redrawn")
