"""The public registry, table by table: nothing that is not named here is ever in a dump."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from django.conf import settings
from django.db import models

from registry.catalog import models as catalog
from registry.curation.lineage.models import CollectionPaper, Lineage, PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.suites.models import ElsewhereTable, Suite, SuiteMember
from registry.journal.models import Entry, Seal
from registry.journal.sealing import Kind as SealedKind
from registry.leaderboards.models import Analysis, ReferenceSet, Snapshot, SuiteAnalysis
from registry.leaderboards.stored import read_cautions
from registry.results import models as results
from registry.tools.models import Resolution

#: Counts up whenever a table or column comes, goes or changes its meaning; a test compares it with the columns.
SCHEMA = 23

#: Tables, and columns as ``table.column``, of dumps of earlier schemas that no table here has: loading leaves them out.
REMOVED: frozenset[str] = frozenset({
    "caution_answers", "caution_decisions", "lineage_decisions", "method_changes", "oddities", "oddity_decisions",
    "residual_variances.kind", "residual_variances.degrees_of_freedom", "residual_variances.stands_in",
    "systems.approach",
})  # fmt: skip

Kind = Literal["integer", "number", "text", "boolean", "moment", "day", "json", "bytes"]

_KINDS: "list[tuple[type[models.Field[Any, Any]], Kind]]" = [
    (models.BooleanField, "boolean"),
    (models.FloatField, "number"),
    (models.DateTimeField, "moment"),
    (models.DateField, "day"),
    (models.JSONField, "json"),
    (models.BinaryField, "bytes"),
    (models.IntegerField, "integer"),
    (models.CharField, "text"),
    (models.TextField, "text"),
]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in files, what its values are, and where a row has it; blank where it is found otherwise."""

    name: str
    kind: Kind
    path: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the dump."""

    name: Annotated[str, "Of its files."]
    about: Annotated[str, "What a row is, in a sentence."]
    model: Annotated[type[models.Model] | None, "Of its rows; None where they are put together for reading alone."]
    columns: Annotated[tuple[Column, ...], "In the order of the files."]
    rows: Annotated[Callable[[], "models.QuerySet[Any]"], "Those that are public."]
    find: Annotated[
        Callable[[], Callable[[int], tuple[Any, ...]]] | None,
        "Reads what gives the cells of the last columns, which no path leads to, by the key of a row.",
    ] = None

    def values(self) -> Iterator[tuple[Any, ...]]:
        """Return the cells of each row, in the order of the keys, read a few rows at a time."""
        paths = [column.path for column in self.columns if column.path]
        rows = self.rows().order_by("pk").values_list(*paths).iterator(chunk_size=500)
        if self.find is None:
            return rows
        cells_of = self.find()
        return ((*row, *cells_of(row[0])) for row in rows)


def _table(name: str, model: type[models.Model], about: str) -> Table:
    columns = tuple(_column(field) for field in model._meta.concrete_fields)
    return Table(name, about, model, columns, model._default_manager.all)


def _column(field: "models.Field[Any, Any]") -> Column:
    if is_person(field):
        # By the public name: nothing else of anybody's account is here.
        return Column(field.name, "text", f"{field.name}__username")
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    kind = next(kind for model_field, kind in _KINDS if isinstance(target, model_field))
    return Column(field.attname, kind, field.attname)


def is_person(field: "models.Field[Any, Any]") -> bool:
    return isinstance(field, models.ForeignKey) and field.related_model._meta.label == settings.AUTH_USER_MODEL


#: Names of the columns of the table to begin with, and where a result has them.
_OF_SCORES = {
    "id": "id", "collection": "leaderboard__collection__slug", "measure": "leaderboard__measure__name",
    "system": "system__name", "team": "system__team", "printed": "printed", "unit": "unit", "value": "value",
    "year": "year", "date": "date", "role": "role", "run_type": "run_type", "provenance": "provenance",
    "comparability": "comparability", "replicate_of": "replicate_of_id", "n_topics": "n_topics_here",
    "is_self_reported": "is_self_reported", "evaluator": "evaluator", "dataset_revision": "dataset_revision",
    "paper": "paper__cite", "title": "paper__title", "doi": "paper__doi", "arxiv_id": "paper__arxiv_id",
    "source": "source", "locator": "locator", "notes": "notes", "model": "system__model__slug",
    "model_paper": "system__model__paper__title", "model_paper_doi": "system__model__paper__doi",
    "model_paper_arxiv_id": "system__model__paper__arxiv_id",
}  # fmt: skip


def _scores() -> Table:
    """Return the table of results that stand, as people read them: with names in place of keys."""
    about = "A result that stands, with names in place of keys: the table to begin with. Made of the others."
    columns = [Column(name, _kind_at(path), path) for name, path in _OF_SCORES.items()]
    columns += [Column("cautions", "text", ""), Column("is_held_back", "boolean", "")]
    return Table("scores", about, None, tuple(columns), results.Result.objects.standing, _find_cautions)


def _kind_at(path: str) -> Kind:
    """Return the kind of values at a path from a result."""
    model: Any = results.Result
    for name in path.split("__"):
        field = model._meta.get_field(name)
        model = field.related_model
    return _column(field).kind


def _find_cautions() -> Callable[[int], tuple[Any, ...]]:
    """Find codes divided by semicolons, and whether one holds a result back; None without a standing analysis."""
    known = read_cautions()
    return lambda pk: (";".join(known[pk][0]), known[pk][1]) if pk in known else (None, None)


def _seals() -> Table:
    """Return the chain of seals, to compare with another day's: every head can be computed from the digests."""
    about = "The seal of something that never changes, in a chain. Not loaded: a site seals what it holds."
    names = ("id", "kind", "subject", "digest", "head")
    columns = tuple(_column(field) for field in Seal._meta.concrete_fields if field.name in names)
    return Table("seals", about, None, columns, Seal.objects.all)


#: In an order in which they can be loaded.
TABLES: tuple[Table, ...] = (
    _scores(),
    _seals(),
    Table(
        "entries",
        "A change of the public record: who, when and why.",
        Entry,
        tuple(_column(field) for field in Entry._meta.concrete_fields),
        lambda: Entry.objects.public().select_related(None),
    ),
    _table("sources", results.Source, "A place that figures were taken from, with its terms."),
    _table("collections", catalog.Collection, "Documents, topics and judgements in one version and split."),
    _table("collection_aliases", catalog.CollectionAlias, "Another name of a collection."),
    _table("densities", catalog.Density, "How many relevant documents the topics of a collection have."),
    _table("collection_links", catalog.CollectionLink, "That a collection shares topics or judgements with another."),
    _table("topics", catalog.Topic, "A topic of a collection, at its place in the order of topic scores."),
    _table("measures", catalog.Measure, "How a ranking is scored."),
    _table("measure_aliases", catalog.MeasureAlias, "Another name of a measure."),
    _table("questions", catalog.Question, "What is asked where a name may mean several things."),
    _table("question_collections", catalog.Question.collections.through, "A collection that a question is about."),
    _table("question_measures", catalog.Question.measures.through, "A measure that a question is about."),
    _table("leaderboards", catalog.Leaderboard, "One collection under one measure."),
    _table(
        "residual_variances", catalog.ResidualVariance, "How scores vary beyond systems and topics, as seen elsewhere."
    ),
    _table("papers", results.Paper, "A publication, or the record of a toolkit."),
    _table("models", results.Model, "What people mean by a name, of which systems are checkpoints, settings and runs."),
    _table("systems", results.System, "What was measured."),
    _table("results", results.Result, "A score as reported, in every version: also those superseded or withdrawn."),
    _table("topic_scores", results.TopicScores, "The scores by topic behind a result."),
    _table("unnamed_scores", results.UnnamedScores, "Scores by topic of runs without names, with their licence."),
    replace(
        _table("corrections", results.CorrectionRequest, "A report of an error in a result, and its decision."),
        rows=lambda: results.CorrectionRequest.objects.exclude(
            pk__in=results.CorrectionRequest.objects.hidden().values("pk")
        ),
    ),
    _table(
        "confirmations", results.Confirmation, "A second person read a score in its source and found it as recorded."
    ),
    _table("lineages", Lineage, "That a system is of a lineage, or is not."),
    _table("paper_links", PaperLink, "That a paper is about a system, and how surely."),
    _table("collection_papers", CollectionPaper, "That a paper is on a collection, and which part it has."),
    _table("system_facts", SystemFacts, "What the maker of a system says of it."),
    _table("training", TrainingDeclaration, "What one source says of the training of a system on a data set."),
    _table("suites", Suite, "Collections that people look at together."),
    _table("suite_members", SuiteMember, "A collection under a measure, in a suite."),
    _table("elsewhere", ElsewhereTable, "What systems scored on the members of a suite, frozen on a day."),
    _table("snapshots", Snapshot, "One analysis, to the byte: its id is the start of the SHA-256 of its content."),
    _table("analyses", Analysis, "Where the analysis of a leaderboard stands."),
    _table("suite_analyses", SuiteAnalysis, "Where the analysis of a suite stands."),
    _table("reference_sets", ReferenceSet, "The frozen systems that scores are standardized against."),
    _table("reference_set_members", ReferenceSet.members.through, "A result in a reference set."),
    _table("resolutions", Resolution, "How much a collection can tell apart, by the digest of its scores."),
)

#: Tables of which the registry is made.
RECORDED = tuple(table for table in TABLES if table.model is not None)

#: Tables whose rows are computed from the others: no entry explains them.
_DERIVED = frozenset({
    "snapshots", "analyses", "suite_analyses", "resolutions", "reference_sets", "reference_set_members",
})  # fmt: skip
#: The sealed tables: every row of them, also those that are not public.
SEALED = tuple(
    SealedKind(table.name, table.model, is_derived=table.name in _DERIVED, is_single=table.name == "snapshots")
    for table in RECORDED
    if table.model is not None
)
