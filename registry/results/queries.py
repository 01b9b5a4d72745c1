"""Reading what the journal says about results."""

from collections.abc import Iterable

from django.db.models import CharField, Q
from django.db.models.functions import Cast

from registry.catalog.models import Collection
from registry.journal.models import Entry
from registry.journal.querysets import EntryQuerySet
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet


def entries_about(results: ResultQuerySet) -> EntryQuerySet:
    """The public entries that recorded or ended any of these results, or say something else about one, newest first."""
    ids = results.annotate(key=Cast("pk", CharField())).values("key")
    about = (
        Q(pk__in=results.values("recorded_by"))
        | Q(pk__in=results.filter(ended_by__isnull=False).values("ended_by"))
        | Q(subject_type="result", subject_id__in=ids)
    )
    return Entry.objects.public().filter(about)


def entries_of_collection(collection: Collection) -> EntryQuerySet:
    """The public entries about the collection and its results, the newest first."""
    results = Result.objects.filter(leaderboard__collection=collection).order_by()
    of_itself = Entry.objects.public().filter(subject_type="collection", subject_id=collection.slug)
    return entries_about(results) | of_itself


def entries_of_versions(versions: Iterable[Result]) -> EntryQuerySet:
    """The public entries about a result in all these versions, the newest first."""
    return entries_about(Result.objects.filter(pk__in=[version.pk for version in versions]))
