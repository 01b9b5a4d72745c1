"""Which submissions wait for whom, and which rows of them need a look."""

import datetime
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q


class SubmissionQuerySet(models.QuerySet):
    def by(self, contributor: models.Model) -> "SubmissionQuerySet":
        """Those of one person."""
        return self.filter(contributor=contributor)

    def pending(self) -> "SubmissionQuerySet":
        """Handed in and not decided, the oldest first."""
        return self.filter(state__in=self.model.PENDING).order_by("submitted_at", "pk")

    def due(self, today: datetime.date) -> "SubmissionQuerySet":
        """Accepted, with an embargo that is over."""
        return self.filter(state=self.model.State.ACCEPTED, embargo_until__lte=today)

    def within(self, collections: Iterable[Any]) -> "SubmissionQuerySet":
        """With no row of any other collection."""
        rows = self.model.rows.rel.related_model.objects.filter(submission=OuterRef("pk"))
        return self.filter(~Exists(rows.exclude(collection__in=collections)))

    def with_counts(self) -> "SubmissionQuerySet":
        """With the number of rows, and of rows by outcome: ``n_rows``, ``n_new`` and so on."""
        outcomes = self.model.rows.rel.related_model.Outcome
        counts = {
            f"n_{outcome.name.lower()}": Count("rows", filter=Q(rows__outcome=outcome.value)) for outcome in outcomes
        }
        return self.annotate(n_rows=Count("rows"), **counts)


class SubmittedRowQuerySet(models.QuerySet):
    def unchecked(self) -> "SubmittedRowQuerySet":
        """Those that were not checked since they came."""
        return self.filter(outcome=self.model.Outcome.UNCHECKED)

    def refused(self) -> "SubmittedRowQuerySet":
        """Those that cannot be taken as they are."""
        return self.filter(outcome=self.model.Outcome.REFUSED)

    def with_evidence(self) -> "SubmittedRowQuerySet":
        """With what stands there, the signals and the result at hand."""
        return self.select_related(
            "existing__system", "existing__paper", "existing__leaderboard__measure", "collection", "result"
        ).prefetch_related("signals")
