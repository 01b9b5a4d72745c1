"""Finding collections, measures and leaderboards."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Case, Count, F, Q, Value, When
from django.db.models.functions import Now, NullIf

if TYPE_CHECKING:
    from registry.accounts.models import User
    from registry.catalog.models import Collection, Leaderboard


#: Collections of no suite stand last.
_BY_SUITE = (NullIf("suite", Value("")).asc(nulls_last=True), "name")
#: The text between languages where a collection has several.
_BETWEEN_LANGUAGES = re.compile(r", | queries(?:, |$)| documents$")


def languages_in(written: str) -> list[str]:
    """Return the languages in the words of a collection: two of “English queries, Thai documents”."""
    return list(dict.fromkeys(filter(None, _BETWEEN_LANGUAGES.split(written))))


def domains_in(written: str) -> list[str]:
    """Return the domains in the words of a collection: “medical, news” are two."""
    return [domain.strip().casefold() for domain in written.split(",") if domain.strip()]


class CollectionQuerySet(models.QuerySet["Collection"]):
    def matching(self, text: str, *, called: Iterable[int] = ()) -> "CollectionQuerySet":
        """Return collections whose name, slug, suite, id or alias contains every word of the text.

        First those whose ids are ``called``: they go by the text as a whole, however it is spelled.
        """
        aliases = self.model.aliases.rel.related_model._default_manager
        matches = Q()
        for word in text.split():
            # Not a join: one for each word would soon be more than SQLite takes.
            by_alias = aliases.filter(alias__icontains=word).values("collection")
            matches &= (
                Q(name__icontains=word)
                | Q(slug__icontains=word)
                | Q(suite__icontains=word)
                | Q(ir_datasets_id__icontains=word)
                | Q(documents__icontains=word)
                | Q(pk__in=by_alias)
            )
        ids = list(called)
        if not ids:
            return self.filter(matches)
        place = Case(*(When(pk=pk, then=place) for place, pk in enumerate(ids)), default=len(ids))
        return self.filter(matches | Q(pk__in=ids)).order_by(place, *self.query.order_by)

    def in_language(self, text: str) -> "CollectionQuerySet":
        """Return collections that have a language, in any case, or whose languages are written like the text."""
        one_of_several = rf"(^|, ){re.escape(text)}(,| queries| documents|$)"
        return self.filter(Q(language__iexact=text) | Q(language__iregex=one_of_several))

    def in_domain(self, text: str) -> "CollectionQuerySet":
        """Return collections that have a domain, alone or beside others, in upper or lower case."""
        return self.filter(domain__iregex=rf"(^|,) *{re.escape(text)} *(,|$)")

    def narrowed(self, *, language: str = "", domain: str = "", judge: str = "") -> "CollectionQuerySet | None":
        """Return collections in a language and a domain that people or others judged; None where nothing is asked."""
        if not (language or domain or judge):
            return None
        collections = self.in_language(language) if language else self.all()
        if domain:
            collections = collections.in_domain(domain)
        if judge:
            collections = collections.filter(judge__in=[value for value in self.model.Judge if value.group == judge])
        return collections

    def curated_by(self, user: "User") -> "CollectionQuerySet":
        """Return collections that this user looks after."""
        return self.filter(curators__user=user)

    def with_results(self) -> "CollectionQuerySet":
        """Return collections that have results, with the number of their leaderboards, by suite and name."""
        return self.annotate(n_leaderboards=_boards()).filter(n_leaderboards__gt=0).order_by(*_BY_SUITE)

    def without_results(self) -> "CollectionQuerySet":
        """Return collections on which nobody has recorded a result, by suite and name."""
        return self.annotate(n_leaderboards=_boards()).filter(n_leaderboards=0).order_by(*_BY_SUITE)


def _boards() -> Count:
    return Count("leaderboards", filter=Q(leaderboards__results_version__gt=0), distinct=True)


class LeaderboardQuerySet(models.QuerySet["Leaderboard"]):
    def with_names(self) -> "LeaderboardQuerySet":
        """Return leaderboards with the collection and the measure at hand."""
        return self.select_related("collection", "measure")

    def mark_changed(self) -> int:
        """Count one more version of the results; the analyses of these leaderboards are stale from here on.

        Call it in the transaction that changes the results.
        """
        return self.update(results_version=F("results_version") + 1, results_changed_at=Now())
