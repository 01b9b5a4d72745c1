"""What is said of the training of systems on collections, and what that comes to: one state, with its evidence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from django.db import models
from django.db.models import Q

from registry.catalog.models import Collection
from registry.curation.lineage.models import TrainingDeclaration
from registry.curation.lineage.queries import HasLineage
from registry.results.models import System

Declared, Evidence, Confidence = (
    TrainingDeclaration.Declared,
    TrainingDeclaration.Evidence,
    TrainingDeclaration.Confidence,
)
#: The split of a statement whose source names none.
UNSPECIFIED = "unspecified"
#: What stands in ``how`` where a statement is of a data set that the package counts as the same.
SIMILAR = "similar task"
#: What is to know of a statement on a task that is counted because it is a version of the one named.
THROUGH_SIMILAR = f"through a {SIMILAR}"


class TrainingState(models.TextChoices):
    """What all that is said of a system and a collection comes to. Nothing said is not known, and never clean."""

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

    ``split`` is blank unless training is declared, and unspecified where no source names one. ``is_disputed`` where a
    source says that it was trained on the collection, and another does not, or its list leaves it out.
    """

    state: TrainingState
    split: str = ""
    is_disputed: bool = False
    statements: tuple[TrainingDeclaration, ...] = ()

    @property
    def answer(self) -> Answer:
        """Return what the field ``declared_training`` says: yes, no or unknown."""
        return _ANSWERS[self.state]

    @property
    def word(self) -> Word:
        """Return what the field ``training`` says."""
        return cast("Word", self.state.value)


#: What makes two statements one, whatever system each is said of.
_CONTENT = ("collection_id", "dataset", "declared", "split", "evidence", "confidence", "source")
#: States of a system that what is said of its model may change.
_OPEN = frozenset({TrainingState.SAYS_NOTHING, TrainingState.NOT_LISTED})


def training_words(word: str, split: str) -> str:
    """A state as rows of leaderboards say it."""
    label = str(TrainingState(word).label)
    return f"{label} ({split} split)" if split and split != UNSPECIFIED else label


def training_state(statements: Sequence[TrainingDeclaration], collection: Collection) -> Training:
    """Return what these statements on one system come to for the collection.

    One source that says yes is enough, unless its confidence is low: that holds nothing back. What somebody answers
    who is not known to have written its paper is low. That the list of the package does not name the collection counts
    where the package has it as a task.
    """
    about = [
        statement
        for statement in statements
        if statement.collection_id == collection.pk or not (statement.collection_id or statement.dataset)
    ]
    # A comment in the list of the package may say of a set which it names that the model was not trained on it.
    against = (Evidence.PACKAGE, Declared.NO)
    counted = [one for one in about if one.confidence != Confidence.LOW or (one.evidence, one.declared) == against]
    lists = [one for one in counted if one.declared == Declared.NO and _is_list(one)]
    named = [one for one in counted if one.declared == Declared.YES]
    denied = [one for one in counted if one.declared == Declared.NO and not _is_list(one)]
    is_listed = any(one.collection_id or collection.mteb_task for one in lists)
    evidence = tuple(about)
    if named:
        splits = sorted({one.split for one in named} - {UNSPECIFIED, ""})
        left_out = is_listed and not any(one.evidence == Evidence.PACKAGE for one in named)
        is_disputed = bool(denied) or left_out
        return Training(TrainingState.DECLARES, ", ".join(splits) or UNSPECIFIED, is_disputed, evidence)
    if denied:
        return Training(TrainingState.DECLARES_NONE, statements=evidence)
    if any(one.declared == Declared.NOTHING for one in counted):
        return Training(TrainingState.NOTHING_TO_TRAIN, statements=evidence)
    state = TrainingState.NOT_LISTED if is_listed else TrainingState.SAYS_NOTHING
    return Training(state, statements=evidence)


def _is_list(one: TrainingDeclaration) -> bool:
    """Return whether it is about all that the list of the package does not name."""
    return one.evidence == Evidence.PACKAGE and not one.dataset


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
    """Return what a statement says, whatever system it is said of."""
    return tuple(getattr(statement, name) for name in _CONTENT)


def _is_no_formula(statement: TrainingDeclaration) -> bool:
    """Return whether a rule says of a system that it is more than the formula by whose name it goes."""
    return statement.evidence == Evidence.RULE and statement.declared == Declared.UNKNOWN


def statements_on(system_ids: Iterable[int], *, moment: datetime | None = None) -> list[TrainingDeclaration]:
    """All that is said of the training of these systems, under merged names as well: the surest first, by data set."""
    said = TrainingDeclaration.objects.known_at(moment).about(list(system_ids)).select_related("collection", "person")
    order, kinds = list(Confidence.values), list(Evidence.values)
    return sorted(
        said,
        key=lambda one: (
            bool(one.dataset or one.collection_id),
            one.dataset.casefold(),
            order.index(one.confidence),
            kinds.index(one.evidence),
            one.pk,
        ),
    )


def statements_of(system: System, *, moment: datetime | None = None) -> list[TrainingDeclaration]:
    """Return what is said of a system's training; where nothing is, what is said of its model, each thing once."""
    own = statements_on([system.pk], moment=moment)
    if own or not system.model_id:
        return own
    siblings = System.objects.filter(model=system.model_id).values_list("pk", flat=True)
    return list({_content(statement): statement for statement in statements_on(siblings, moment=moment)}.values())
