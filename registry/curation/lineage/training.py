"""Statements on the training of systems on collections, and what they come to: one state, with its evidence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.personal import Document, rows_of
from registry.catalog.models import Collection
from registry.curation.lineage.models import TrainingDeclaration
from registry.curation.lineage.queries import HasLineage
from registry.results.models import System

Declared = TrainingDeclaration.Declared
Evidence = TrainingDeclaration.Evidence
Confidence = TrainingDeclaration.Confidence
#: The split of a statement whose source names none.
UNSPECIFIED = "unspecified"
#: What stands in ``how`` where a statement is of a data set that the package counts as the same.
SIMILAR = "similar task"
#: What is to know of a statement on a task that is counted because it is a version of the one named.
THROUGH_SIMILAR = f"through a {SIMILAR}"


class TrainingState(models.TextChoices):
    """The state that all statements on a system and a collection come to. Without any, nothing is known of it."""

    DECLARES = "declares", "trained on it"
    DECLARES_NONE = "declares_none", "zero-shot"
    NOT_LISTED = "not_listed", "zero-shot (by the package’s list)"
    SAYS_NOTHING = "says_nothing", "undisclosed"
    NOTHING_TO_TRAIN = "nothing_to_train", "untrained"


Answer = Literal["yes", "no", "unknown"]
Word = Literal["declares", "declares_none", "not_listed", "says_nothing", "nothing_to_train"]

#: What the field ``declared_training`` says for each state.
_ANSWERS: dict[TrainingState, Answer] = {
    TrainingState.DECLARES: "yes",
    TrainingState.DECLARES_NONE: "no",
    TrainingState.NOT_LISTED: "no",
    TrainingState.SAYS_NOTHING: "unknown",
    TrainingState.NOTHING_TO_TRAIN: "unknown",
}


@dataclass(frozen=True, slots=True)
class Training:
    """The state of one system on one collection; ``statements`` are its evidence, whatever they say.

    ``split`` is blank unless training is declared, and unspecified where no source names a split. ``is_disputed`` if a
    source says that it was trained on the collection, and another that it was not, or its list leaves it out.
    """

    state: TrainingState
    split: str = ""
    is_disputed: bool = False
    statements: tuple[TrainingDeclaration, ...] = ()

    @property
    def answer(self) -> Answer:
        """The value of the field ``declared_training``: yes, no or unknown."""
        return _ANSWERS[self.state]

    @property
    def word(self) -> Word:
        """The value of the field ``training``."""
        return cast("Word", self.state.value)


#: The fields by which two statements are the same, whatever their systems.
_CONTENT = ("collection_id", "dataset", "declared", "split", "evidence", "confidence", "source")
#: States of a system that what is said of its model may change.
_OPEN = frozenset({TrainingState.SAYS_NOTHING, TrainingState.NOT_LISTED})


def training_words(word: str, split: str) -> str:
    """Return a state as rows of leaderboards say it."""
    label = str(TrainingState(word).label)
    return f"{label} ({split} split)" if split and split != UNSPECIFIED else label


def training_state(statements: Sequence[TrainingDeclaration], collection: Collection) -> Training:
    """Return what these statements on one system come to for the collection.

    One source that says yes is enough, unless its confidence is low, which holds nothing back. An answer here is of low
    confidence unless it comes from a known author of the system's paper. That the package's list leaves the collection
    out counts where the package has the collection as a task.
    """
    about = [
        statement
        for statement in statements
        if statement.collection_id == collection.pk or not (statement.collection_id or statement.dataset)
    ]
    # A comment in the list of the package may say of a set which it names that the model was not trained on it.
    against = (Evidence.PACKAGE, Declared.NO)
    counted = [
        statement
        for statement in about
        if statement.confidence != Confidence.LOW or (statement.evidence, statement.declared) == against
    ]
    lists = [statement for statement in counted if statement.declared == Declared.NO and _is_list(statement)]
    affirmed = [statement for statement in counted if statement.declared == Declared.YES]
    denied = [statement for statement in counted if statement.declared == Declared.NO and not _is_list(statement)]
    is_listed = any(statement.collection_id or collection.mteb_task for statement in lists)
    evidence = tuple(about)
    if affirmed:
        splits = sorted({statement.split for statement in affirmed} - {UNSPECIFIED, ""})
        left_out = is_listed and not any(statement.evidence == Evidence.PACKAGE for statement in affirmed)
        is_disputed = bool(denied) or left_out
        return Training(TrainingState.DECLARES, ", ".join(splits) or UNSPECIFIED, is_disputed, evidence)
    if denied:
        return Training(TrainingState.DECLARES_NONE, statements=evidence)
    if any(statement.declared == Declared.NOTHING for statement in counted):
        return Training(TrainingState.NOTHING_TO_TRAIN, statements=evidence)
    state = TrainingState.NOT_LISTED if is_listed else TrainingState.SAYS_NOTHING
    return Training(state, statements=evidence)


def _is_list(statement: TrainingDeclaration) -> bool:
    """Return whether the statement is about all that the package's list does not name."""
    return statement.evidence == Evidence.PACKAGE and not statement.dataset


def training_of(
    rows: Iterable[HasLineage], collection: Collection, *, moment: datetime | None = None
) -> dict[int, Training]:
    """Return the state of each result's system on this collection, by the result's id.

    What was said of systems under names that were merged counts as well, and what was said of other systems of the same
    model, unless one says otherwise: that it was trained on the collection, that it was not, or that it is more than
    its model's formula.
    """
    rows = list(rows)
    systems = {row.system_id for row in rows}
    columns = System.objects.order_by().values_list("pk", "model_id", "merged_into_id")
    own, merged = columns.filter(pk__in=systems), columns.filter(merged_into__in=systems)
    # Each by its index: of their disjunction databases read all systems.
    alike = own.union(merged, columns.filter(model__in=own.values("model")))
    known = {pk: (model, merged_into) for pk, model, merged_into in alike}
    about = Q(collection=collection) | Q(collection=None, dataset="")
    statements = TrainingDeclaration.objects.known_at(moment).filter(about).only("system_id", *_CONTENT).order_by("pk")
    by_system: dict[int, list[TrainingDeclaration]] = defaultdict(list)
    named = [pk for pk, (_, merged_into) in known.items() if pk in systems or merged_into in systems]
    for statement in statements.filter(system__in=named):
        pk = statement.system_id
        by_system[pk if pk in systems else known[pk][1]].append(statement)
    states = {system: training_state(by_system[system], collection) for system in systems}
    is_open = {pk: own.state in _OPEN and not any(map(_is_no_formula, own.statements)) for pk, own in states.items()}
    open_models = {known[system][0] for system in systems if is_open[system]} - {None}
    by_model: dict[int, dict[tuple[Any, ...], TrainingDeclaration]] = defaultdict(dict)
    for statement in statements.filter(system__in=[pk for pk, (model, _) in known.items() if model in open_models]):
        by_model[known[statement.system_id][0]].setdefault(_content(statement), statement)
    for system in systems:
        model, _ = known[system]
        if is_open[system] and model in by_model:
            states[system] = training_state([*by_system[system], *by_model[model].values()], collection)
    return {row.id: states[row.system_id] for row in rows}


def _content(statement: TrainingDeclaration) -> tuple[Any, ...]:
    """Return what tells a statement from others, whatever system it is said of."""
    return tuple(getattr(statement, name) for name in _CONTENT)


def _is_no_formula(statement: TrainingDeclaration) -> bool:
    """Return whether a rule says that the system is more than the formula whose name it has."""
    return statement.evidence == Evidence.RULE and statement.declared == Declared.UNKNOWN


def statements_on(system_ids: Iterable[int], *, moment: datetime | None = None) -> list[TrainingDeclaration]:
    """Return all statements on the training of these systems, under merged names too, by data set, the surest first."""
    statements = (
        TrainingDeclaration.objects.known_at(moment).about(list(system_ids)).select_related("collection", "person")
    )
    order, kinds = list(Confidence.values), list(Evidence.values)
    return sorted(
        statements,
        key=lambda statement: (
            bool(statement.dataset or statement.collection_id),
            statement.dataset.casefold(),
            order.index(statement.confidence),
            kinds.index(statement.evidence),
            statement.pk,
        ),
    )


def statements_of(system: System, *, moment: datetime | None = None) -> list[TrainingDeclaration]:
    """Return the statements on a system's training; where there are none, those on its model, each once."""
    own = statements_on([system.pk], moment=moment)
    if own or not system.model_id:
        return own
    siblings = System.objects.filter(model=system.model_id).values_list("pk", flat=True)
    return list({_content(statement): statement for statement in statements_on(siblings, moment=moment)}.values())


def export_training_answers(user: User) -> list[Document]:
    """Return all answers of a person, taken back or not, for the export of the account."""
    answers = TrainingDeclaration.objects.filter(person=user).annotate(slug=F("collection__slug"))
    columns = "system=system.name collection=slug dataset declared split text=quotation url=source"
    return rows_of(answers.select_related("system"), f"{columns} created=recorded_at withdrawn=ended_at")


def erase_training_answers(user: User) -> None:
    """Take all answers of a person back and delete what they say, on earlier days as well."""
    answers = TrainingDeclaration.objects.filter(person=user)
    answers.update(quotation="", source="", ended_at=Coalesce(F("ended_at"), timezone.now()))
