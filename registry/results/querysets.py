"""Results by whether they stand, count or were known on a day; topic scores; requests to correct results."""

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django.db import models
from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, Subquery, When
from django.db.models.functions import JSONObject

from registry.core.querysets import RecordedQuerySet

if TYPE_CHECKING:
    from registry.catalog.models import Collection, Leaderboard
    from registry.results.models import CorrectionRequest, Model, Paper, Result, System, TopicScores


class TopicScoresQuerySet(RecordedQuerySet["TopicScores"]):
    def vectors(self, results: Iterable[Any]) -> dict[int, list[float | None]]:
        """Return the scores behind each of these results, by its id."""
        return dict(self.filter(result__in=results).values_list("result_id", "scores"))

    def complete_vectors(self, results: Iterable[Any]) -> dict[int, list[float]]:
        """Return the same for results with a score on every topic."""
        vectors = self.vectors(results)
        return {pk: cast("list[float]", scores) for pk, scores in vectors.items() if None not in scores}


#: :func:`year_here` in SQL.
_YEAR_HERE = Case(
    When(year__lt=F("leaderboard__collection__year"), then=F("leaderboard__collection__year")), default=F("year")
)


def year_here(year: int | None, collection_year: int | None) -> int | None:
    """Return the year of a result in the history of its leaderboard: its own, or that of a younger collection.

    Results of models often have the year of the checkpoint, which may be older than the collection.
    """
    return max(year, collection_year) if year is not None and collection_year is not None else year


class ResultQuerySet(RecordedQuerySet["Result"]):
    """Results; the model declares the annotations, which are passed as mappings, since mypy mistakes the names."""

    def dated(self) -> "ResultQuerySet":
        """Select results with a known date of publication: the day, or at least the year."""
        return self.filter(Q(date__isnull=False) | Q(year__isnull=False))

    def years_elsewhere(self) -> dict[int, int]:
        """Return years for results without one: that of their paper, else of the model; none for runs by toolkits.

        The year of the model is the earliest possible: a system may have been reported later.
        """
        rows = self.filter(year__isnull=True).exclude(role=self.model.Role.REFERENCE_IMPLEMENTATION)
        years = {
            row.pk: (row.paper and row.paper.year) or (row.system.model and row.system.model.known_since)
            for row in rows.select_related("paper", "system__model").only(
                "paper__year", "system__model__published", "system__model__released"
            )
        }
        return {pk: int(str(year)[:4]) for pk, year in years.items() if year}

    def with_year_here(self) -> "ResultQuerySet":
        """Select results with a year, with ``year_here``: that year, or that of a younger collection."""
        return self.filter(year__isnull=False).alias(year_here=_YEAR_HERE)

    def published_by(self, day: datetime.date) -> "ResultQuerySet":
        """Select the results that were published by the end of that day.

        If only the year is known, that is its last day; if the collection is younger, the last day of its year.
        """
        by_day, by_year = self._published_by(day)
        return self.alias(year_here=_YEAR_HERE).filter(by_day | by_year)

    def last_published(self, day: datetime.date) -> datetime.date | None:
        """Return the last day until that one on which one of them was published; None if there is none."""
        by_day, by_year = self._published_by(day)
        dated = self.annotate(year_here=_YEAR_HERE)
        latest = dated.aggregate(day=Max("date", filter=by_day), year=Max("year_here", filter=by_year))
        days = [latest["day"], latest["year"] and datetime.date(latest["year"], 12, 31)]
        return max(filter(None, days), default=None)

    @staticmethod
    def _published_by(day: datetime.date) -> tuple[Q, Q]:
        """Return conditions on results with ``year_here``: published by day, and by the end of that year."""
        has_day = Q(date__isnull=False) & (Q(year__isnull=True) | Q(year=F("year_here")))
        later = Q(date__isnull=True) | Q(year__lt=F("year_here"))
        last_full_year = day.year if (day.month, day.day) == (12, 31) else day.year - 1
        return has_day & Q(date__lte=day), later & Q(year_here__lte=last_full_year)

    def for_leaderboard(self, leaderboard: "Leaderboard") -> "ResultQuerySet":
        return self.filter(leaderboard=leaderboard)

    def about(self, thing: "Collection | System | Paper | Model") -> "ResultQuerySet":
        """Select results on a collection, or of a system, paper or model, under merged names as well."""
        if thing._meta.model_name == "collection":
            return self.filter(leaderboard__collection=thing.pk)
        if thing._meta.model_name == "model":
            return self.filter(Q(system__model=thing.pk) | Q(system__merged_into__model=thing.pk))
        if thing._meta.model_name == "paper":
            return self.filter(Q(paper=thing.pk) | Q(paper__merged_into=thing.pk))
        return self.filter(Q(system=thing.pk) | Q(system__merged_into=thing.pk))

    def comparable(self) -> "ResultQuerySet":
        """Select results that stand and are in the standard setting."""
        return self.standing().filter(comparability=self.model.Comparability.STANDARD)

    def counted(self) -> "ResultQuerySet":
        """Select the counted results: original, comparable, one a system; the N of the analysis of equal systems.

        Reference implementations are configurations of one toolkit, replicates are executions of one system, and a
        score outside the standard setting answers another question: all are shown, none is counted.
        """
        return self.filter(
            role__in=self.model.COUNTED_ROLES,
            comparability=self.model.Comparability.STANDARD,
            replicate_of__isnull=True,
        )

    def with_names(self) -> "ResultQuerySet":
        """Fetch system and paper along."""
        return self.select_related("system", "paper")

    def with_sources(self) -> "ResultQuerySet":
        """Add ``known_source``: name, addresses and state of the source if it is on record, else None."""
        sources = self.model._meta.apps.get_model("results", "Source").objects
        known = sources.filter(name=OuterRef("source")).values(
            known=JSONObject(name="name", address="address", file_address="file_address", state="state")
        )
        return self.annotate(**{"known_source": Subquery(known)})

    def by_leaderboard(self) -> "models.QuerySet[Result, dict[str, Any]]":
        """Return the number of results on each leaderboard, with its names."""
        names = ("leaderboard__collection__slug", "leaderboard__collection__name", "leaderboard__measure__name")
        counted: models.QuerySet[Result, dict[str, Any]] = (
            self.order_by(*names[1:]).values(*names).annotate(n=Count("pk"))
        )
        return counted

    def summary(self) -> dict[str, Any]:
        """Return how many results were recorded and stand, on how many boards and so on, the first and last time."""
        return self.aggregate(
            n_recorded=Count("pk"),
            n_standing=Count("pk", filter=Q(ended_at__isnull=True)),
            n_leaderboards=Count("leaderboard", distinct=True),
            n_collections=Count("leaderboard__collection", distinct=True),
            n_systems=Count("system", distinct=True),
            first=Min("recorded_at"),
            last=Max("recorded_at"),
        )

    def with_disputes(self) -> "ResultQuerySet":
        """Add ``is_disputed``: whether an open dispute shows."""
        requests = self.model._meta.apps.get_model("results", "CorrectionRequest").objects
        return self.annotate(**{"is_disputed": Exists(requests.open_disputes().filter(result=OuterRef("pk")))})

    def for_listing(self, moment: datetime.datetime | None = None) -> "ResultQuerySet":
        """Fetch all that a list of results names, and order them by leaderboard, the standing ones before the ended.

        With a moment, select those recorded until then, in the order that they had (see ``queries.as_known``).
        """
        recorded = self.filter(recorded_at__lte=moment) if moment else self
        ended = Case(When(ended_at__lte=moment, then=F("ended_at"))) if moment else F("ended_at")
        return (
            recorded.with_disputes()
            .with_sources()
            .select_related("system", "paper", "leaderboard__collection", "leaderboard__measure", "ended_by__actor")
            .order_by(
                "leaderboard__collection__slug",
                "leaderboard__measure__name",
                ended.desc(nulls_first=True),
                "-value",
                "pk",
            )
        )

    def for_export(self) -> "ResultQuerySet":
        """Select the standing results, in the order of a file in the import format."""
        order = ("leaderboard__collection__slug", "leaderboard__measure__name", "-value", "pk")
        return self.standing().select_related("replicate_of__system").order_by(*order)

    def versions_of(self, result: "Result") -> "ResultQuerySet":
        """Return all versions of this result, the oldest first: the one that stands and those that it superseded."""
        own = Q(leaderboard=result.leaderboard_id, system=result.system_id, paper=result.paper_id, source=result.source)
        # Versions from before a merge have the earlier system or paper.
        named = self.filter(own).values("pk")
        near = self.filter(own | Q(superseded_by__in=named) | Q(supersedes__in=named))
        is_own = dict(near.values_list("pk", Case(When(own, then=True), default=False)))
        ids, added = set(is_own), {pk for pk, is_named in is_own.items() if not is_named}
        while added:
            linked = Q(superseded_by__in=added) | Q(supersedes__in=added)
            added = set(self.filter(linked).values_list("pk", flat=True)) - ids
            ids |= added
        return (
            self.filter(pk__in=ids)
            .select_related("system", "leaderboard__measure", "recorded_by__actor", "ended_by__actor")
            .order_by("recorded_at", "pk")
        )


class CorrectionRequestQuerySet(models.QuerySet["CorrectionRequest"]):
    def open(self) -> "CorrectionRequestQuerySet":
        """Select requests that nobody has decided on."""
        return self.filter(state="open")

    def open_disputes(self) -> "CorrectionRequestQuerySet":
        """Select open disputes that everybody can see."""
        return self.open().filter(kind="dispute", shown_at__isnull=False)

    def hidden(self) -> "CorrectionRequestQuerySet":
        """Select disputes that so far only the requester and those who may decide can see."""
        return self.filter(kind="dispute", shown_at=None)

    def for_listing(self) -> "CorrectionRequestQuerySet":
        """Fetch all that a list of requests names, the oldest first."""
        return self.select_related(
            "requester",
            "decided_by",
            "result__system",
            "result__leaderboard__collection",
            "result__leaderboard__measure",
        ).order_by("created_at", "pk")
