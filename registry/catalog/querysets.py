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


#: Those of no suite stand last.
_BY_SUITE = (NullIf("suite", Value("")).asc(nulls_last=True), "name")
#: What stands between languages where a collection has several.
_BETWEEN_LANGUAGES = re.compile(r", | queries(?:, |$)| documents$")


def languages_in(written: str) -> list[str]:
    """The languages that a collection has by its own words: of “English queries, Thai documents” these two."""
    return list(dict.fromkeys(filter(None, _BETWEEN_LANGUAGES.split(written))))


def domains_in(written: str) -> list[str]:
    """The domains that a collection has by its own words: “medical, news” are two."""
    return [one.strip().casefold() for one in written.split(",") if one.strip()]


class CollectionQuerySet(models.QuerySet["Collection"]):
    def matching(self, text: str, *, called: Iterable[int] = ()) -> "CollectionQuerySet":
        """Collections whose name, slug, suite, id or alias contains every word of the text.

        First of all those whose ids are ``called``: what goes by the text as a whole, however it is spelled.
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
        """Collections that have a language, in upper or lower case, or whose languages are written like the text."""
        one_of_several = rf"(^|, ){re.escape(text)}(,| queries| documents|$)"
        return self.filter(Q(language__iexact=text) | Q(language__iregex=one_of_several))

    def in_domain(self, text: str) -> "CollectionQuerySet":
        """Collections that have a domain, alone or beside others, in upper or lower case."""
        return self.filter(domain__iregex=rf"(^|,) *{re.escape(text)} *(,|$)")

    def narrowed(self, *, language: str = "", domain: str = "", judge: str = "") -> "CollectionQuerySet | None":
        """Those in a language and a domain that people or others judged; None where none of it is asked for."""
        found = self.all()
        if language:
            found = found.in_language(language)
        if domain:
            found = found.in_domain(domain)
        if judge:
            found = found.filter(judge__in=[one for one in self.model.Judge if one.group == judge])
        return found if language or domain or judge else None

    def curated_by(self, user: "User") -> "CollectionQuerySet":
        """Collections that this user looks after."""
        return self.filter(curators__user=user)

    def with_results(self) -> "CollectionQuerySet":
        """Collections that have results, with the number of their leaderboards, by suite and name."""
        return self.annotate(n_leaderboards=_boards()).filter(n_leaderboards__gt=0).order_by(*_BY_SUITE)

    def without_results(self) -> "CollectionQuerySet":
        """Collections on which nobody has recorded a result, by suite and name."""
        return self.annotate(n_leaderboards=_boards()).filter(n_leaderboards=0).order_by(*_BY_SUITE)


def _boards() -> Count:
    return Count("leaderboards", filter=Q(leaderboards__results_version__gt=0), distinct=True)


class LeaderboardQuerySet(models.QuerySet["Leaderboard"]):
    def with_names(self) -> "LeaderboardQuerySet":
        """With the collection and the measure at hand."""
        return self.select_related("collection", "measure")

    def mark_changed(self) -> int:
        """Count one more version of the results; the analyses of these leaderboards are stale from here on.

        Call it in the transaction that changes the results.
        """
        return self.update(results_version=F("results_version") + 1, results_changed_at=Now())
