"""Lineages and what is known of training, as pages and programs see them."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode
from typing_extensions import TypedDict

from registry.catalog.models import Collection
from registry.core.documents import Day, document_of
from registry.core.listing import grouped
from registry.core.loading import shipped_rows
from registry.curation.lineage.models import Lineage, SystemFacts, TrainingDeclaration
from registry.curation.lineage.pipeline import describe_key
from registry.curation.lineage.training import SIMILAR, THROUGH_SIMILAR, Training, training_state
from registry.results.models import System


@dataclass(frozen=True, slots=True)
class NamedLineage:
    """One maker, model, paper or toolkit that systems have in common."""

    key: str

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """The kind of thing that they have in common, for people."""
        return describe_key(self.key)[0]

    @property
    def name(self) -> str:
        """Its name, for people."""
        return describe_key(self.key)[1]

    def get_absolute_url(self) -> str:
        return f"{reverse('lineage:lineage-detail')}?{urlencode({'key': self.key})}"

    def systems(self, ids: set[int]) -> QuerySet[System]:
        """Return the systems with these ids, by name."""
        return System.objects.filter(pk__in=ids).order_by("name_key", "team_key")

    def decisions(self) -> QuerySet[Lineage]:
        """Return what was decided about it."""
        decided = Lineage.objects.standing().filter(origin=Lineage.Origin.DECIDED).select_related("system")
        return decided.filter(Q(key=self.key) | Q(into=self.key)).order_by("pk")

    def why_nobodys(self) -> str:
        """Return why it makes no family, as a file says; blank where none does."""
        row = Lineage.objects.standing().filter(system=None, key=self.key, into="").first()
        return row.source if row else ""


class SystemFactsDocument(TypedDict):
    """What the maker of a system says of it."""

    model: Annotated[str, "Its name in the source."]
    organisation: str
    released: Day | None
    n_parameters: int | None
    n_active_parameters: Annotated[int | None, "Those that a text passes through."]
    base_model: str
    superseded_by: str
    revision: str
    has_open_weights: bool | None
    licence: str
    reference: Annotated[str, "Its page."]
    training: Annotated[str, SystemFacts.Training]
    training_data: Annotated[list[str], "Data sets, as the source lists them."]
    source: Annotated[str, "How it is known."]


class StatementDocument(TypedDict):
    """What one source says of the training of a system on a data set."""

    collection: Annotated[str | None, "The collection that it is about; null where it is about no single one here."]
    dataset: Annotated[str, "As the source names it; blank where it is about all that a list does not name."]
    declared: Annotated[
        str,
        "yes: trained on it; no: not trained on it, or not in the package's list; unknown: the source says nothing;"
        " nothing: a formula.",
    ]
    split: Annotated[str, "As far as the source says: train, dev, synthetic-from-corpus …, or unspecified."]
    evidence: Annotated[str, TrainingDeclaration.Evidence]
    quotation: Annotated[str, "Its words."]
    how: Annotated[str, "What to know of it: a similar task, the list of a base model, a doubt."]
    source: str
    url: Annotated[str, "Where it can be read; blank where the source is no address."]
    date: Annotated[str, "Of the source: a year, a month or a day; blank where that is not known."]
    confidence: Annotated[str, "high, medium or low. What is low holds no result back."]
    by: Annotated[str, "Who answered here; blank for other sources."]


class KnownOfSystem(TypedDict):
    """What is known of a system beside its results."""

    facts: SystemFactsDocument | None
    training: Annotated[list[StatementDocument], "What sources say of its training, a row a statement and collection."]


def describe_statement(declaration: TrainingDeclaration) -> StatementDocument:
    """Return a statement for programs."""
    return document_of(
        StatementDocument,
        declaration,
        collection=declaration.collection.slug if declaration.collection else None,
        url=source_url(declaration.source),
        by=declaration.person.public_name if declaration.person else "",
    )


#: A file of a repository in a state, or of the mteb package in a version: whose, state, path and line.
_FILE = re.compile(r"(?:(?P<repository>[\w.-]+/[\w.-]+)@|mteb==)(?P<state>[\w.]+):(?P<path>[^ ]+)")


def source_url(source: str) -> str:
    """Return where a statement's source can be read; blank where it is named in words only."""
    if source.startswith("https://"):
        return source
    match = _FILE.fullmatch(source)
    if not match:
        return ""
    repository = match["repository"] or "embeddings-benchmark/mteb"
    return f"https://github.com/{repository}/blob/{match['state']}/{match['path']}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of one source, in the same words of one collection or several, as pages show it."""

    declaration: TrainingDeclaration
    collections: tuple[Collection, ...]
    similar: tuple[Collection, ...] = ()

    @property
    def url(self) -> str:
        return source_url(self.declaration.source)

    @property
    def counted_for(self) -> str:
        """The names of the collections that it is about by way of a similar task; blank where there are none."""
        collections = self.collections if SIMILAR in self.declaration.how else self.similar
        return ", ".join(collection.name for collection in collections)

    @property
    def words(self) -> tuple[Any, ...]:
        """The words of the source, and who it is."""
        return attrgetter("quotation", "source", "declared", "split", "person_id")(self.declaration)


@dataclass(frozen=True, slots=True)
class OnDataset:
    """A data set as sources speak of it: its names there, their statements, and what these come to."""

    names: tuple[str, ...]
    statements: tuple[Statement, ...]
    training: Training | None

    @property
    def is_disputed(self) -> bool:
        """True if a source says yes, and another no or its list leaves it out."""
        return self.training is not None and self.training.is_disputed

    @property
    def why_disputed(self) -> str:
        """The reason: a source that says no is among the statements, a list that leaves the data set out is not."""
        is_denied = any(
            statement.declaration.declared == TrainingDeclaration.Declared.NO for statement in self.statements
        )
        return "sources disagree" if is_denied else "sources disagree: it is not in the package’s list"


@dataclass(frozen=True, slots=True)
class TrainingOfSystem:
    """All statements on the training of a system: on all data sets, and on each, the disputed ones first."""

    of_all: tuple[Statement, ...]
    by_dataset: tuple[OnDataset, ...]

    @property
    def n_disputed(self) -> int:
        """The number of data sets on which sources disagree."""
        return sum(dataset.is_disputed for dataset in self.by_dataset)


def training_of_system(declarations: Sequence[TrainingDeclaration]) -> TrainingOfSystem:
    """Return the statements on one system, grouped by source and data set.

    Sources spell data sets differently: names used for the same collection go together.
    """
    general: list[Statement] = []
    groups: dict[str, list[Statement]] = defaultdict(list)
    group_of: dict[int, str] = {}
    for rows in grouped(declarations, attrgetter("dataset", "source", "how", "declared", "person_id")).values():
        collections = tuple(row.collection for row in rows if row.collection)
        statement = Statement(rows[0], collections)
        if not rows[0].dataset and any(row.collection_id is None for row in rows):
            general.append(statement)
            continue
        own = [group_of[collection.pk] for collection in collections if collection.pk in group_of]
        name = own[0] if own else rows[0].dataset or collections[0].name
        groups[name].append(statement)
        if SIMILAR not in rows[0].how:
            group_of |= {collection.pk: name for collection in collections if collection.pk not in group_of}
    datasets = []
    for name, statements in groups.items():
        names = dict.fromkeys(filter(None, (statement.declaration.dataset for statement in statements)))
        datasets.append(OnDataset(tuple(names) or (name,), _each_once(statements), _worst(statements, declarations)))
    datasets.sort(key=lambda dataset: (not dataset.is_disputed, dataset.names[0].casefold()))
    return TrainingOfSystem(tuple(general), tuple(datasets))


def _each_once(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements, each that a source repeats by way of a similar task merged into the direct statement."""
    similar: dict[tuple[Any, ...], list[Collection]] = defaultdict(list)
    direct = {statement.words for statement in statements if not statement.declaration.how}
    for statement in statements:
        if statement.declaration.how == THROUGH_SIMILAR and statement.words in direct:
            similar[statement.words] += statement.collections
    return tuple(
        statement if statement.declaration.how else replace(statement, similar=tuple(similar[statement.words]))
        for statement in statements
        if not (statement.declaration.how == THROUGH_SIMILAR and statement.words in direct)
    )


def _worst(statements: Iterable[Statement], declarations: Sequence[TrainingDeclaration]) -> Training | None:
    """Return the training state on the collections of these statements: a disputed one if there is any."""
    collections = {collection.pk: collection for statement in statements for collection in statement.collections}
    states = [training_state(declarations, collection) for collection in collections.values()]
    return next((state for state in states if state.is_disputed), states[0] if states else None)


def system_facts(system: System, *, moment: datetime | None = None) -> SystemFactsDocument | None:
    """Return what the maker of a system says of it, for programs; None where nothing is known."""
    facts = SystemFacts.objects.known_at(moment).about([system.pk]).order_by("model").first()
    return describe_facts(facts) if facts else None


def describe_facts(facts: SystemFacts) -> SystemFactsDocument:
    """Return what the maker of a system says of it, for programs."""
    return document_of(SystemFactsDocument, facts, released=facts.released.isoformat() if facts.released else None)


#: Disclosures ship as a file: what makers say of training as a whole, beyond or short of the list of the mteb package.
_DISCLOSURE_WORDS = {
    "declared": "the package lists what it was trained on",
    "declared_none": "the package’s list is empty, which is a claim",
    "partly": "other sources name data that the package’s list leaves out",
    "says_nothing": "the package has no list of what it was trained on",
    "closed": "closed: neither weights nor a list of what it was trained on",
    "not_a_trained_model": "nothing was trained",
}
_COMMITTERS = {
    "mteb maintainers": "maintainers of mteb",
    "a contributor, who is not told": "contributors of unknown affiliation",
    "maker (model card)": "its maker, in a model card",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What is disclosed of a system's training, and who handed its results in."""

    system: str
    disclosure: Annotated[
        str, "`declared`, `declared_none`, `partly`, `says_nothing`, `closed` or `not_a_trained_model`."
    ]
    source: Annotated[str, "The line of the package."]
    line: Annotated[str, "What it says."]
    extra: Annotated[str, "What other sources name; blank without."]
    other_sources: Annotated[str, "These, divided by semicolons."]
    base_model: Annotated[str, "Model that it was made from; blank where nothing is said."]
    handed_in_by: Annotated[str, "Who committed its results to MTEB's board, and how many, divided by semicolons."]

    @property
    def in_words(self) -> str:
        """The disclosure as a sentence."""
        sentence = _DISCLOSURE_WORDS[self.disclosure]
        return f"{sentence[0].upper()}{sentence[1:]}{f' ({self.extra})' if self.extra else ''}."

    @property
    def handed_in(self) -> str:
        """Those who committed its results, in words; blank where nobody did."""
        counts = [committer.rpartition(" ") for committer in self.handed_in_by.split(";") if committer]
        return ", ".join(f"{_COMMITTERS[who]} ({n})" for who, _, n in counts)


def disclosures_of(systems: Container[str]) -> list[Disclosure]:
    """Return what is disclosed of systems of these names."""
    return [Disclosure(**row) for row in shipped_rows("disclosures.csv") if row["system"] in systems]
