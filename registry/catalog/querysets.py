"""Finding collections, measures and leaderboards."""

from django.db import models
from django.db.models import Count, F, Q
from django.db.models.functions import Now


class NamedQuerySet(models.QuerySet):
    """Rows with one canonical name and any number of aliases, both compared without case."""

    name_field: str

    def named(self, name: str) -> "NamedQuerySet":
        """The row with this canonical name or alias: at most one."""
        return self.filter(Q(**{f"{self.name_field}__iexact": name}) | Q(aliases__alias__iexact=name)).distinct()


class CollectionQuerySet(NamedQuerySet):
    name_field = "slug"

    def matching(self, text: str) -> "CollectionQuerySet":
        """Collections whose name, slug, suite, id or alias contains every word of the text."""
        aliases = self.model.aliases.rel.related_model.objects
        rows = self
        for word in text.split():
            # Not a join: one for each word would soon be more than SQLite takes.
            by_alias = aliases.filter(alias__icontains=word).values("collection")
            rows = rows.filter(
                Q(name__icontains=word)
                | Q(slug__icontains=word)
                | Q(suite__icontains=word)
                | Q(ir_datasets_id__icontains=word)
                | Q(documents__icontains=word)
                | Q(pk__in=by_alias)
            )
        return rows

    def curated_by(self, user: models.Model) -> "CollectionQuerySet":
        """Collections that this user looks after."""
        return self.filter(curators__user=user)

    def with_results(self) -> "CollectionQuerySet":
        """Collections that have results, with the number of their leaderboards, by suite and name."""
        boards = Count("leaderboards", filter=Q(leaderboards__results_version__gt=0), distinct=True)
        return self.annotate(n_leaderboards=boards).filter(n_leaderboards__gt=0).order_by("suite", "name")


class MeasureQuerySet(NamedQuerySet):
    name_field = "name"


class LeaderboardQuerySet(models.QuerySet):
    def with_names(self) -> "LeaderboardQuerySet":
        """With the collection and the measure at hand."""
        return self.select_related("collection", "measure")

    def mark_changed(self) -> int:
        """Count one more version of the results; the analyses of these leaderboards are stale from here on.

        Call it in the transaction that changes the results.
        """
        return self.update(results_version=F("results_version") + 1, results_changed_at=Now())
