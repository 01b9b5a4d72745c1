"""Which submissions wait for whom, and which rows of them need a look."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Cast, Coalesce

from analysis.readers.scores import IN_PERCENT

if TYPE_CHECKING:
    from registry.accounts.models import User
    from registry.catalog.models import Collection
    from registry.submissions.models import Submission, SubmittedRow


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def _rows(self) -> "SubmittedRowQuerySet":
        rows: SubmittedRowQuerySet = self.model._meta.apps.get_model("submissions", "SubmittedRow").objects.all()
        return rows

    def by(self, contributor: "User") -> "SubmissionQuerySet":
        """Those of one person."""
        return self.filter(contributor=contributor)

    def pending(self) -> "SubmissionQuerySet":
        """Handed in and not decided, the oldest first."""
        return self.filter(state__in=self.model.PENDING).order_by("submitted_at", "pk")

    def within(self, collections: Iterable[Any]) -> "SubmissionQuerySet":
        """With rows of these collections, and none of any other; what is refused is of no collection yet."""
        rows = self._rows().filter(submission=OuterRef("pk"), collection__isnull=False)
        inside, outside = rows.filter(collection__in=collections), rows.exclude(collection__in=collections)
        return self.filter(Exists(inside), ~Exists(outside))

    def with_counts(self) -> "SubmissionQuerySet":
        """With the number of rows, of those by outcome and of those to look at: ``n_rows``, ``n_new``, ``n_warned``."""
        rows = self._rows().filter(submission=OuterRef("pk")).order_by()
        kinds = {f"n_{outcome.name.lower()}": rows.filter(outcome=outcome) for outcome in rows.model.Outcome}
        kinds |= {"n_rows": rows, "n_warned": rows.warned()}
        counts = {name: some.values("submission").annotate(n=Count("pk")).values("n") for name, some in kinds.items()}
        return self.annotate(**{name: Coalesce(Subquery(count), 0) for name, count in counts.items()})

    def with_first_row(self) -> "SubmissionQuerySet":
        """With the cells of the first row, by which people know a submission again: ``first_cells``; None without."""
        rows = self._rows().filter(submission=OuterRef("pk")).order_by("line")
        return self.annotate(first_cells=Subquery(rows.values("cells")[:1]))

    def on(self, collection: "Collection") -> "SubmissionQuerySet":
        """Return those with a row of this collection."""
        return self.filter(Exists(self._rows().filter(submission=OuterRef("pk"), collection=collection)))

    def without_question(self) -> "SubmissionQuerySet":
        """Return those of which no row is refused, differs from the record or has a signal to look at."""
        rows = self._rows().filter(submission=OuterRef("pk"))
        outcome = rows.model.Outcome
        asked = rows.filter(outcome__in=(outcome.REFUSED, outcome.DIFFERS))
        return self.filter(~Exists(asked), ~Exists(rows.warned()))

    def differing(self) -> "SubmissionQuerySet":
        """Return those with a row that differs from what is recorded."""
        rows = self._rows()
        return self.filter(Exists(rows.filter(submission=OuterRef("pk"), outcome=rows.model.Outcome.DIFFERS)))

    def with_warnings(self) -> "SubmissionQuerySet":
        """With a row that has a signal to look at."""
        rows = self._rows().filter(submission=OuterRef("pk"))
        return self.filter(Exists(rows.warned()))


class SubmittedRowQuerySet(models.QuerySet["SubmittedRow"]):
    def warned(self) -> "SubmittedRowQuerySet":
        """Those with a signal to look at."""
        signals = self.model._meta.apps.get_model("submissions", "Signal").objects
        return self.filter(Exists(signals.filter(row=OuterRef("pk"), severity="warning")))

    def refused(self) -> "SubmittedRowQuerySet":
        """Those that cannot be taken as they are."""
        return self.filter(outcome=self.model.Outcome.REFUSED)

    def fine_in_percent(self) -> "SubmittedRowQuerySet":
        """Return those refused for a score that would be fine in percent, where no unit is named."""
        told = self.refused().exclude(cells__has_key="unit").annotate(told=Cast("rejections", models.TextField()))
        return told.filter(told__contains=f'"{IN_PERCENT}"')

    def second_readings(self, reader: "User") -> "SubmittedRowQuerySet":
        """Those that say what stands, where that was read once, and by somebody else than this person."""
        submissions = self.model._meta.apps.get_model("submissions", "Submission").objects.by(reader)
        own = [str(pk) for pk in submissions.values_list("pk", flat=True)]
        recorded_by_them = Q(existing__recorded_by__actor=reader) | Q(
            existing__recorded_by__subject_type="submission", existing__recorded_by__subject_id__in=own
        )
        once_read = {"existing__ended_at__isnull": True, "existing__provenance": "transcribed"}
        return self.filter(outcome=self.model.Outcome.SAME, **once_read).exclude(recorded_by_them)

    def with_existing(self) -> "SubmittedRowQuerySet":
        """With what stands there, the signals and the result at hand."""
        return self.select_related(
            "existing__system", "existing__paper", "existing__leaderboard__measure", "collection", "result"
        ).prefetch_related("signals")
