"""Constraints that tables have in common."""

from django.db import models
from django.db.models import Q


def one_standing(*fields: str, name: str, **condition: bool) -> models.UniqueConstraint:
    """Of the rows that hold, and of which the condition is true, one alone has these values."""
    return models.UniqueConstraint(fields=fields, condition=Q(ended_at__isnull=True, **condition), name=name)
