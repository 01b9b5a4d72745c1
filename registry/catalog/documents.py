"""Collections and measures as answers for programs mention them, and in full."""

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from registry.accounts.models import User
from registry.accounts.personal import rows_of
from registry.catalog.densities import DensityDocument, describe_density
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.documents import document_of

Document = dict[str, Any]


class CollectionBrief(TypedDict):
    """A collection as leaderboards mention it."""

    slug: str
    name: str
    ir_datasets_id: Annotated[str, "Blank where ir_datasets does not have it."]
    n_topics: Annotated[int | None, "Topics that a mean is an average of; null where unknown."]
    year: Annotated[int | None, "Its own: no history of its leaderboards begins before; null where unknown."]
    judged_by_model: NotRequired[Annotated[str, "That a language model judged it, in a sentence; absent elsewhere."]]


class MeasureBrief(TypedDict):
    """A measure as leaderboards mention it."""

    name: Annotated[str, "The ir-measures string where there is one."]
    long_name: str
    trec_eval: Annotated[
        str, "What trec_eval prints, with the flags it needs; blank where it does not have the measure."
    ]
    higher_is_better: bool
    decimals: Annotated[int, "Decimals to show; numbers here are not rounded to them."]


class LeaderboardBrief(TypedDict):
    """A collection under a measure."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: Annotated[str, "Path of its page on this site."]


class CollectionDocument(CollectionBrief):
    """A collection: documents, topics and judgements in one version and split."""

    url: Annotated[str, "Path of its page on this site."]
    aliases: list[str]
    asked: Annotated[list[str], "Names that may mean it or another: which is asked."]
    n_topics_source: Annotated[str, "How the number of topics is known."]
    documents: Annotated[str, "The corpus, in words."]
    n_documents: int | None
    suite: Annotated[str, "Track or benchmark it belongs to."]
    language: str
    domain: Annotated[str, "Medical, news …; several with commas."]
    mteb_task: Annotated[str, "What the mteb package calls it; a subset in brackets."]
    source_url: Annotated[str, "Where it is described."]
    notes: str
    group_kind: Annotated[str, "Where topics come in groups: conversation, need; else blank."]
    topic_groups: Annotated[int | None, "How many groups; null where nobody counted."]
    judge: Annotated[str, "Who said which documents are relevant: assessors, LLM …; blank where not known."]
    judged_by: Annotated[str, "More of its judge: the model, its prompt and version."]
    holder: Annotated[str, "Teams of who holds a private test, between bars; blank where nobody, or none has a system."]
    held_by: Annotated[str, "Who holds a private test, and who says so; blank where it is public."]
    density: Annotated[DensityDocument | None, "Relevant documents of its topics; null where nobody counted."]


class MeasureDocument(MeasureBrief):
    """A measure: how a ranking is scored."""

    aliases: list[str]
    ir_measures: Annotated[str, "What ir_measures.parse_measure takes."]
    low: Annotated[float | None, "null where there is no lower end."]
    high: Annotated[float | None, "null where there is no upper end."]
    description: str
    notes: str


def describe_collection(collection: Collection, n_topics: int | None) -> CollectionBrief:
    """A collection as leaderboards mention it; ``n_topics`` is how many a mean on that leaderboard is an average of."""
    found = document_of(CollectionBrief, collection, n_topics=n_topics)
    if not collection.judged_by_model:
        del found["judged_by_model"]
    return found


def describe_leaderboard(leaderboard: Leaderboard) -> LeaderboardBrief:
    """A leaderboard as its results mention it."""
    return {
        "collection": describe_collection(leaderboard.collection, leaderboard.n_topics),
        "measure": document_of(MeasureBrief, leaderboard.measure),
        "url": leaderboard.get_absolute_url(),
    }


def collection_document(collection: Collection) -> CollectionDocument:
    """Everything that is known of a collection, for collections with aliases, questions and density at
    hand."""
    return document_of(
        CollectionDocument,
        collection,
        url=collection.get_absolute_url(),
        aliases=collection.other_names,
        asked=sorted({n for one in collection.questions.all() if one.kind == "collection" for n in one.spellings}),
        source_url=collection.url,
        density=describe_density(collection),
    )


def measure_document(measure: Measure) -> MeasureDocument:
    """Everything that is known of a measure, for measures with their aliases at hand."""
    return document_of(MeasureDocument, measure, aliases=sorted(alias.alias for alias in measure.aliases.all()))


def curated_collections(user: User) -> list[Document]:
    """Return what somebody looks after, for the export of the account."""
    return rows_of(user.curated.select_related("collection"), "collection=collection.slug appointed=appointed_at")


COLLECTION_COLUMNS = (
    "collection", "name", "track", "language", "year", "n_documents", "n_topics", "n_leaderboards", "url",
)  # fmt: skip


def collection_cells(collection: Collection) -> tuple[Any, ...]:
    """A collection as a row of a file; for collections ``with_results``."""
    known = (collection.slug, collection.name, collection.suite, collection.language, collection.year)
    counts = (collection.n_documents, collection.n_topics, getattr(collection, "n_leaderboards", 0))
    return (*known, *counts, collection.get_absolute_url())
