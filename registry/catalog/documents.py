"""Collections and measures as answers for programs mention them, and in full; the page of a collection."""

from collections.abc import Iterator
from typing import Annotated, Any, NotRequired, cast

from typing_extensions import TypedDict

from registry.accounts.models import User
from registry.accounts.personal import rows_of
from registry.catalog.access import get_visible_collection
from registry.catalog.models import Collection, Density, Leaderboard, Measure
from registry.core.documents import DocumentPage, document_of
from registry.core.templatetags.formatting import plural, thousands

Document = dict[str, Any]

_MANY = {"turn of a conversation": "turns of conversations", "topic and instruction": "topics with instructions"}
_INFERRED = {Density.Basis.POOLED, Density.Basis.STAND_IN}


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
    low: Annotated[float | None, "null where there is no lower end."]
    high: Annotated[float | None, "null where there is no upper end."]


class LeaderboardBrief(TypedDict):
    """A collection under a measure."""

    collection: CollectionBrief
    measure: MeasureBrief
    url: Annotated[str, "Path of its page on this site."]


class DensityDocument(TypedDict):
    """How many relevant documents the topics of a collection have."""

    in_words: Annotated[list[str], "Sentences; what is inferred says so."]
    unit: Annotated[str, "What one score belongs to: topic, session, turn …"]
    basis: Annotated[str, "What was counted: judgements, statistics, counts, pooled, members, stand-in."]
    is_inferred: Annotated[bool, "Whether the mean is of something else than this collection's judgements."]
    n_judged: Annotated[int | None, "Topics with judgements."]
    n_with_relevant: Annotated[int | None, "Topics with a relevant document."]
    relevant_mean: Annotated[float | None, "Documents of grade 1 and more, per topic that has one."]
    relevant_median: float | None
    share_with_one: Annotated[float | None, "Share of topics with exactly one."]
    mean_inverse: Annotated[float | None, "Mean over topics of 1 / number of relevant documents."]
    shape: Annotated[str, "How the last three are known: exact, assumed, copied."]
    copied_from: Annotated[str, "The slug of the collection with equal counts whose shape it is."]
    relevant_at_least: Annotated[float | None, "A floor of the mean, which printed precisions show."]
    at_least_from: Annotated[str, "Under which measure they were printed."]
    relevant_grade: Annotated[int, "The grade from which on binary measures count."]
    n_with_grade_2: Annotated[int | None, "Topics with a document of grade 2 and more."]
    grade_2_mean: Annotated[float | None, "The same from grade 2 on, over these topics."]
    grade_2_median: float | None
    grade_2_share_with_one: float | None
    candidates_mean: Annotated[float | None, "Given documents per topic, where these are reranked."]
    n_members: Annotated[int | None, "Members, where a score is the mean of theirs."]
    query_in_corpus: Annotated[str, "Whether the text of a query is a document: yes, possible, or blank."]
    mteb_removes_query: Annotated[bool | None, "Whether MTEB takes the query out of the answers."]
    anserini_removes_query: Annotated[bool | None, "Whether Anserini does."]
    source: str
    note: str


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
    description: str
    notes: str


def describe_collection(collection: Collection, n_topics: int | None) -> CollectionBrief:
    """Describe a collection as leaderboards mention it; a mean on that leaderboard is an average of ``n_topics``."""
    brief = document_of(CollectionBrief, collection, n_topics=n_topics)
    if not collection.judged_by_model:
        del brief["judged_by_model"]
    return brief


def describe_leaderboard(leaderboard: Leaderboard) -> LeaderboardBrief:
    """Describe a leaderboard as its results mention it."""
    return {
        "collection": describe_collection(leaderboard.collection, leaderboard.n_topics),
        "measure": document_of(MeasureBrief, leaderboard.measure),
        "url": leaderboard.get_absolute_url(),
    }


def collection_document(collection: Collection) -> CollectionDocument:
    """Return everything that is known of a collection, which has aliases, questions and density at hand."""
    questions = (question for question in collection.questions.all() if question.kind == "collection")
    return document_of(
        CollectionDocument,
        collection,
        url=collection.get_absolute_url(),
        aliases=collection.other_names,
        asked=sorted({name for question in questions for name in question.spellings}),
        source_url=collection.url,
        density=describe_density(collection),
    )


def measure_document(measure: Measure) -> MeasureDocument:
    """Return everything that is known of a measure, which has its aliases at hand."""
    return document_of(MeasureDocument, measure, aliases=sorted(alias.alias for alias in measure.aliases.all()))


def describe_density(collection: Collection) -> DensityDocument | None:
    """Return the density of a collection that has it at hand; None where none is known."""
    density: Density | None = getattr(collection, "density", None)
    if density is None:
        return None
    numbers = {name: getattr(density, name) for name in DensityDocument.__annotations__ if hasattr(density, name)}
    words = {"in_words": list(_sentences(collection, density)), "is_inferred": density.basis in _INFERRED}
    return cast(DensityDocument, words | numbers)


def _sentences(collection: Collection, density: Density) -> Iterator[str]:
    yield from _counts(collection, density)
    yield from _shape(density)
    if density.relevant_grade == 1 and density.n_with_grade_2 and density.grade_2_mean:
        has = "has" if density.n_with_grade_2 == 1 else "have"
        topics, each = plural(density.n_with_grade_2, _units(density)), _number(density.grade_2_mean)
        yield f"{topics} {has} relevant ones of grade 2 and more, {each} each"
    if density.candidates_mean:
        yield f"{_number(density.candidates_mean)} candidates each are ranked"
    yield from _queries(density)
    if density.note:
        yield density.note[0].upper() + density.note[1:]


def _units(density: Density) -> str:
    return f"{density.unit},{_MANY.get(density.unit, density.unit + 's')}"


def _counts(collection: Collection, density: Density) -> Iterator[str]:
    documents = _documents(collection)
    is_graded = density.relevant_grade == 2
    mean = density.grade_2_mean if is_graded else density.relevant_mean
    n = (density.n_with_grade_2 if is_graded else None) or density.n_with_relevant or density.n_judged
    if density.n_members:
        yield f"A score is the mean of {density.n_members} members, whose topics are its topics"
    units = plural(n, _units(density)) if n and not density.n_members else ""
    if mean is not None:
        how = f"{'inferred: ' if density.basis in _INFERRED else ''}{density.get_basis_display()}"
        relevant = f"{_number(mean)} relevant {_of(mean, documents)} each ({how})"
        yield f"{units}, {relevant}" if units else relevant
    elif density.relevant_at_least is not None:
        each = f"{_number(density.relevant_at_least)} relevant {_of(density.relevant_at_least, documents)} each"
        yield f"At least {each} (from {density.at_least_from})"
    elif units or density.unit not in ("topic", "member"):
        yield units or f"What a score belongs to: {density.unit}"
    judged = density.n_judged
    parts = [f"{thousands(judged)} {'is' if judged == 1 else 'are'} judged"]
    if judged and n and judged > n:
        parts.append(f"{thousands(judged - n)} of them without any")
    if judged and collection.n_topics not in (None, judged):
        parts.append(f"means here cover {thousands(collection.n_topics)}")
    if len(parts) > 1:
        yield ", ".join(parts)


def _shape(density: Density) -> Iterator[str]:
    is_graded = density.relevant_grade == 2
    median = density.grade_2_median if is_graded else density.relevant_median
    share = density.grade_2_share_with_one if is_graded else density.share_with_one
    facts = [f"median {median:g}"] if median is not None else []
    if share is not None:
        facts.append(f"{f'{100 * share:.3g} %' if share else 'none'} with exactly one")
    how = ""
    if density.shape == Density.Shape.ASSUMED:
        how = f" (inferred: {density.get_shape_display()})"
    elif density.shape == Density.Shape.COPIED:
        how = f" (inferred: those of {density.copied_from}, with equal counts)"
    if facts:
        text = ", ".join(facts)
        yield f"{text[0].upper()}{text[1:]}{how}"


def _queries(density: Density) -> Iterator[str]:
    if density.query_in_corpus == Density.Removal.YES:
        yield "The text of a query is itself a document"
    anserini, mteb = density.anserini_removes_query, density.mteb_removes_query
    if anserini and mteb is False:
        yield "Anserini removes the query from the answers and MTEB does not: their rules of scoring differ"
    elif anserini and mteb:
        yield "Anserini and MTEB remove the query from the answers"
    elif anserini or mteb:
        yield f"{'Anserini' if anserini else 'MTEB'} removes the query from the answers"


def _documents(collection: Collection) -> str:
    about = f"{collection.documents} {collection.name}".casefold()
    if "images of pages" in collection.notes:
        return "pages"
    return "passages" if "passage" in about else "documents"


def _of(number: float, documents: str) -> str:
    return documents[:-1] if number == 1 else documents


def _number(value: float) -> str:
    """Write two decimals below ten, none above: 1.14, 3.6, 58."""
    return thousands(round(value)) if value >= 9.995 else f"{value:.2f}".rstrip("0").rstrip(".")


def curated_collections(user: User) -> list[Document]:
    """Return the collections that somebody looks after, for the export of the account."""
    return rows_of(user.curated.select_related("collection"), "collection=collection.slug appointed=appointed_at")


COLLECTION_COLUMNS = (
    "collection", "name", "track", "language", "year", "n_documents", "n_topics", "n_leaderboards", "url",
)  # fmt: skip


def collection_cells(collection: Collection) -> tuple[Any, ...]:
    """Return a collection ``with_results`` as a row of a file."""
    known = (collection.slug, collection.name, collection.suite, collection.language, collection.year)
    counts = (collection.n_documents, collection.n_topics, getattr(collection, "n_leaderboards", 0))
    return (*known, *counts, collection.get_absolute_url())


def collection_page(**declared: Any) -> DocumentPage[Any, Any]:
    """Declare a page about a collection, by any of its names, of which nothing may be asked.

    Its tabs tell of the collection's judgements, too: every version changes with what is recorded of collections.
    """
    return DocumentPage(
        names=("collection",),
        find=get_visible_collection,
        canonical=lambda collection, form: (collection.slug,),
        **declared,
    )
