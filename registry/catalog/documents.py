"""Collections and measures as answers for programs mention them, and in full."""

from typing import Any

from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard, Measure

Document = dict[str, Any]


def describe_collection(collection: Collection, n_topics: int | None) -> Document:
    """A collection as leaderboards mention it; ``n_topics`` is how many a mean on that leaderboard is an average of."""
    return {
        "slug": collection.slug,
        "name": collection.name,
        "ir_datasets_id": collection.ir_datasets_id,
        "n_topics": n_topics,
    }


def describe_measure(measure: Measure) -> Document:
    """A measure as leaderboards mention it."""
    return {
        "name": measure.name,
        "long_name": measure.long_name,
        "trec_eval": measure.trec_eval,
        "higher_is_better": measure.higher_is_better,
        "decimals": measure.decimals,
    }


def describe_leaderboard(leaderboard: Leaderboard) -> Document:
    """A leaderboard as its results mention it."""
    return {
        "collection": describe_collection(leaderboard.collection, leaderboard.n_topics),
        "measure": describe_measure(leaderboard.measure),
        "url": leaderboard.get_absolute_url(),
    }


def collection_document(collection: Collection) -> Document:
    """Everything that is known of a collection, for collections with their aliases at hand."""
    return {
        **describe_collection(collection, collection.n_topics),
        "url": collection.get_absolute_url(),
        "aliases": sorted(alias.alias for alias in collection.aliases.all()),
        "n_topics_source": collection.n_topics_source,
        "documents": collection.documents,
        "n_documents": collection.n_documents,
        "year": collection.year,
        "suite": collection.suite,
        "language": collection.language,
        "source_url": collection.url,
        "notes": collection.notes,
    }


def measure_document(measure: Measure) -> Document:
    """Everything that is known of a measure, for measures with their aliases at hand."""
    return {
        **describe_measure(measure),
        "aliases": sorted(alias.alias for alias in measure.aliases.all()),
        "ir_measures": measure.ir_measures,
        "low": measure.low,
        "high": measure.high,
        "description": measure.description,
        "notes": measure.notes,
    }


def curated_collections(user: User) -> list[Document]:
    """What somebody looks after, for the export of the account."""
    curated = user.curated.select_related("collection")
    return [
        {"collection": one.collection.slug, "appointed": one.appointed_at.isoformat(timespec="seconds")}
        for one in curated
    ]
