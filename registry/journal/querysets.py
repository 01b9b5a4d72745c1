"""Entries of the journal, and who may read them."""

import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from registry.journal.models import Entry

#: Prefixes of published actions. Drafts and reviews stay between contributor and reviewers; what people do with their
#: accounts is nobody's business.
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
