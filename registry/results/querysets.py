"""Which results stand, which count, and which were known when."""

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
        """The scores behind each of these results, by its id."""
        return dict(self.filter(result__in=results).values_list("result_id", "scores"))

    def complete_vectors(self, results: Iterable[Any]) -> dict[int, list[float]]:
        """The same of those that have a score on every topic."""
        vectors = self.vectors(results)
        return {pk: cast("list[float]", scores) for pk, scores in vectors.items() if None not in scores}


#: The year since which a result could stand where it does, likewise in SQL: of :func:`year_here`.
_YEAR_HERE = Case(
    When(year__lt=F("leaderboard__collection__year"), then=F("leaderboard__collection__year")), default=F("year")
)


def year_here(year: int | None, collection_year: int | None) -> int | None:
    """The year of a result in any history of its leaderboard: its own, or that of a collection that is younger.

    Results of models often have the year of the checkpoint, which may be older than what it was scored on.
    """
    return max(year, collection_year) if year is not None and collection_year is not None else year


class ResultQuerySet(RecordedQuerySet["Result"]):
    """What it annotates results with is declared by the model, and given as a mapping: mypy takes names for others."""

    def dated(self) -> "ResultQuerySet":
        """Those of which it is known when the world could read them: to the day, or at least the year."""
        return self.filter(Q(date__isnull=False) | Q(year__isnull=False))

    def years_elsewhere(self) -> dict[int, int]:
        """Return the years of those without one: of their paper, else of the model; none of what toolkits rerun.

        A system may have been reported later than its model was there.
        """
        rows = self.filter(year__isnull=True).exclude(role=self.model.Role.REFERENCE_IMPLEMENTATION)
        found = {
            row.pk: (row.paper and row.paper.year) or (row.system.model and row.system.model.known_since)
            for row in rows.select_related("paper", "system__model").only(
                "paper__year", "system__model__published", "system__model__released"
            )
        }
        return {pk: int(str(year)[:4]) for pk, year in found.items() if year}

    def with_year_here(self) -> "ResultQuerySet":
        """Return those with a year, as ``year_here`` has it: that of a collection that is younger."""
        return self.filter(year__isnull=False).alias(year_here=_YEAR_HERE)

    def published_by(self, day: datetime.date) -> "ResultQuerySet":
        """Return what the world could read at the end of that day; where only the year is known, since its last day,
        and where the collection is younger, since the last day of its year."""
        by_day, by_year = self._published_by(day)
        return self.alias(year_here=_YEAR_HERE).filter(by_day | by_year)

    def last_published(self, day: datetime.date) -> datetime.date | None:
        """The last day until that one on which the world could read one more of them; None where there is none."""
        by_day, by_year = self._published_by(day)
        dated = self.annotate(year_here=_YEAR_HERE)
        found = dated.aggregate(day=Max("date", filter=by_day), year=Max("year_here", filter=by_year))
        days = [found["day"], found["year"] and datetime.date(found["year"], 12, 31)]
        return max(filter(None, days), default=None)

    @staticmethod
    def _published_by(day: datetime.date) -> tuple[Q, Q]:
        """Of results with ``year_here``: those with a day of their own, and those since the end of that year."""
        has_day = Q(date__isnull=False) & (Q(year__isnull=True) | Q(year=F("year_here")))
        later = Q(date__isnull=True) | Q(year__lt=F("year_here"))
        last_full_year = day.year if (day.month, day.day) == (12, 31) else day.year - 1
        return has_day & Q(date__lte=day), later & Q(year_here__lte=last_full_year)

    def for_leaderboard(self, leaderboard: "Leaderboard") -> "ResultQuerySet":
        return self.filter(leaderboard=leaderboard)

    def about(self, thing: "Collection | System | Paper | Model") -> "ResultQuerySet":
        """Those on a collection; of a system, paper or model, under the names that were merged into it as well."""
        if thing._meta.model_name == "collection":
            return self.filter(leaderboard__collection=thing.pk)
        if thing._meta.model_name == "model":
            return self.filter(Q(system__model=thing.pk) | Q(system__merged_into__model=thing.pk))
        if thing._meta.model_name == "paper":
            return self.filter(Q(paper=thing.pk) | Q(paper__merged_into=thing.pk))
        return self.filter(Q(system=thing.pk) | Q(system__merged_into=thing.pk))

    def comparable(self) -> "ResultQuerySet":
        """Return what stands and answers what its leaderboard asks."""
        return self.standing().filter(comparability=self.model.Comparability.STANDARD)

    def counted(self) -> "ResultQuerySet":
        """Counted results: original, comparable, one a system; the N of the analysis of equal systems.

        Reference implementations are configurations of one toolkit, replicates are executions of one system, and a
        figure that departs from the standard setting answers another question: all are shown, none is counted.
        """
        return self.filter(
            role__in=self.model.COUNTED_ROLES,
            comparability=self.model.Comparability.STANDARD,
            replicate_of__isnull=True,
        )

    def with_names(self) -> "ResultQuerySet":
        """With system and paper at hand."""
        return self.select_related("system", "paper")

    def with_sources(self) -> "ResultQuerySet":
        """With ``known_source``: name, addresses and state of its source, as far as that is on record; else None."""
        sources = self.model._meta.apps.get_model("results", "Source").objects
        known = sources.filter(name=OuterRef("source")).values(
            known=JSONObject(name="name", address="address", file_address="file_address", state="state")
        )
        return self.annotate(**{"known_source": Subquery(known)})

    def by_leaderboard(self) -> "models.QuerySet[Result, dict[str, Any]]":
        """Return how many there are on each leaderboard, with its names."""
        names = ("leaderboard__collection__slug", "leaderboard__collection__name", "leaderboard__measure__name")
        counted: models.QuerySet[Result, dict[str, Any]] = (
            self.order_by(*names[1:]).values(*names).annotate(n=Count("pk"))
        )
        return counted

    def summary(self) -> dict[str, Any]:
        """Return how many were recorded and stand, on how many leaderboards and collections, of how many systems,
        when."""
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
        """With ``is_disputed``: whether somebody disputes it and nobody has decided yet."""
        requests = self.model._meta.apps.get_model("results", "CorrectionRequest").objects
        return self.annotate(**{"is_disputed": Exists(requests.open_disputes().filter(result=OuterRef("pk")))})

    def for_listing(self, moment: datetime.datetime | None = None) -> "ResultQuerySet":
        """With everything a list of results names, by leaderboard, the standing ones before the ended.

        With a moment, those that were recorded until then, in the order that they had (see ``queries.as_known``).
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
        """Those that stand, in the order of a file in the import format."""
        order = ("leaderboard__collection__slug", "leaderboard__measure__name", "-value", "pk")
        return self.standing().select_related("replicate_of__system").order_by(*order)

    def versions_of(self, result: "Result") -> "ResultQuerySet":
        """Everything that was ever recorded as this result, the oldest first: what stands and what it superseded."""
        own = Q(leaderboard=result.leaderboard_id, system=result.system_id, paper=result.paper_id, source=result.source)
        # Where systems or papers were merged, what came before has the name of before.
        named = self.filter(own).values("pk")
        near = self.filter(own | Q(superseded_by__in=named) | Q(supersedes__in=named))
        is_own = dict(near.values_list("pk", Case(When(own, then=True), default=False)))
        ids, found = set(is_own), {pk for pk, is_named in is_own.items() if not is_named}
        while found:
            linked = Q(superseded_by__in=found) | Q(supersedes__in=found)
            found = set(self.filter(linked).values_list("pk", flat=True)) - ids
            ids |= found
        return (
            self.filter(pk__in=ids)
            .select_related("system", "leaderboard__measure", "recorded_by__actor", "ended_by__actor")
            .order_by("recorded_at", "pk")
        )


class CorrectionRequestQuerySet(models.QuerySet["CorrectionRequest"]):
    def open(self) -> "CorrectionRequestQuerySet":
        """Those that nobody has decided on."""
        return self.filter(state="open")

    def open_disputes(self) -> "CorrectionRequestQuerySet":
        """Open ones that call the value itself into question, as far as everybody sees them."""
        return self.open().filter(kind="dispute", shown_at__isnull=False)

    def hidden(self) -> "CorrectionRequestQuerySet":
        """Disputes that only who asked and who may decide sees so far."""
        return self.filter(kind="dispute", shown_at=None)

    def for_listing(self) -> "CorrectionRequestQuerySet":
        """With everything that a list of requests names, the oldest first."""
        return self.select_related(
            "requester",
            "decided_by",
            "result__system",
            "result__leaderboard__collection",
            "result__leaderboard__measure",
        ).order_by("created_at", "pk")
