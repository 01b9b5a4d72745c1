"""A lineage as pages show it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode
from typing_extensions import TypedDict

from registry.catalog.models import Collection
from registry.core.documents import Day, document_of
from registry.curation.lineage.models import Lineage, SystemFacts, TrainingDeclaration
from registry.curation.lineage.pipeline import describe_key
from registry.curation.lineage.training import SIMILAR, THROUGH_SIMILAR, Training, training_state
from registry.results.models import System


@dataclass(frozen=True, slots=True)
class NamedLineage:
    """What systems have in common: one maker, model, paper or toolkit."""

    key: str

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """Return what it rests on, for people."""
        return describe_key(self.key)[0]

    @property
    def name(self) -> str:
        """Return what it is called."""
        return describe_key(self.key)[1]

    def get_absolute_url(self) -> str:
        return f"{reverse('lineage:lineage-detail')}?{urlencode({'key': self.key})}"

    def systems(self, ids: set[int]) -> QuerySet[System]:
        """Those of the systems with these ids, by name."""
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


def describe_statement(one: TrainingDeclaration) -> StatementDocument:
    """A statement for programs."""
    return document_of(
        StatementDocument,
        one,
        collection=one.collection.slug if one.collection else None,
        url=source_url(one.source),
        by=one.person.public_name if one.person else "",
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
    """What one source says in the same words, of one collection or several, as pages show it."""

    said: TrainingDeclaration
    collections: tuple[Collection, ...]
    similar: tuple[Collection, ...] = ()

    @property
    def url(self) -> str:
        return source_url(self.said.source)

    @property
    def counted_for(self) -> str:
        """The names of the collections that it is about by way of a similar task; blank where there are none."""
        return ", ".join(one.name for one in (self.collections if SIMILAR in self.said.how else self.similar))

    @property
    def words(self) -> tuple[str, ...]:
        """Return what the source says, and who it is."""
        said = self.said
        return (said.quotation, said.source, said.declared, said.split, str(said.person_id))


@dataclass(frozen=True, slots=True)
class OnDataset:
    """What sources say of one data set: under which names, and what that comes to."""

    names: tuple[str, ...]
    statements: tuple[Statement, ...]
    training: Training | None

    @property
    def is_disputed(self) -> bool:
        """Return whether a source says yes, and another no or its list leaves it out."""
        return self.training is not None and self.training.is_disputed

    @property
    def why_disputed(self) -> str:
        """Return what disagrees: a source that says no stands among the statements, a list that leaves it out does
        not."""
        said_no = any(statement.said.declared == TrainingDeclaration.Declared.NO for statement in self.statements)
        return "sources disagree" if said_no else "sources disagree: it is not in the package’s list"


@dataclass(frozen=True, slots=True)
class TrainingOfSystem:
    """What sources say of the training of a system: of all data sets, and of each, those first where they disagree."""

    of_all: tuple[Statement, ...]
    by_dataset: tuple[OnDataset, ...]

    @property
    def n_disputed(self) -> int:
        """On how many data sets sources disagree."""
        return sum(one.is_disputed for one in self.by_dataset)


def training_of_system(said: Sequence[TrainingDeclaration]) -> TrainingOfSystem:
    """The statements on one system, put together by source and data set.

    Sources spell data sets differently: names that are said of the same collection go together.
    """
    by_words: dict[tuple[str, ...], list[TrainingDeclaration]] = defaultdict(list)
    for one in said:
        by_words[one.dataset, one.source, one.how, one.declared, str(one.person_id)].append(one)
    general: list[Statement] = []
    groups: dict[str, list[Statement]] = defaultdict(list)
    group_of: dict[int, str] = {}
    for rows in by_words.values():
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
    found = [
        OnDataset(
            tuple(dict.fromkeys(one.said.dataset for one in given if one.said.dataset)) or (name,),
            _each_once(given),
            _worst(given, said),
        )
        for name, given in groups.items()
    ]
    found.sort(key=lambda one: (not one.is_disputed, one.names[0].casefold()))
    return TrainingOfSystem(tuple(general), tuple(found))


def _each_once(given: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements, with what a source says in the same words by way of a similar task put to what it says itself."""
    similar: dict[tuple[str, ...], list[Collection]] = defaultdict(list)
    direct = {one.words for one in given if not one.said.how}
    for one in given:
        if one.said.how == THROUGH_SIMILAR and one.words in direct:
            similar[one.words] += one.collections
    return tuple(
        one if one.said.how else replace(one, similar=tuple(similar[one.words]))
        for one in given
        if not (one.said.how == THROUGH_SIMILAR and one.words in direct)
    )


def _worst(given: Iterable[Statement], said: Sequence[TrainingDeclaration]) -> Training | None:
    """Return what all that is said comes to for the collections of these statements, first where sources disagree."""
    collections = {one.pk: one for statement in given for one in statement.collections}
    states = [training_state(said, collection) for collection in collections.values()]
    return next((state for state in states if state.is_disputed), states[0] if states else None)


def system_facts(system: System, *, moment: datetime | None = None) -> SystemFactsDocument | None:
    """Return what the maker of a system says of it, for programs; None where nothing is known."""
    facts = SystemFacts.objects.known_at(moment).about([system.pk]).order_by("model").first()
    return describe_facts(facts) if facts else None


def describe_facts(facts: SystemFacts) -> SystemFactsDocument:
    """Return what the maker of a system says of it, for programs."""
    return document_of(SystemFactsDocument, facts, released=facts.released.isoformat() if facts.released else None)
