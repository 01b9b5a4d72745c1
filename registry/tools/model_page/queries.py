"""What stands on record about a model: one query a kind of thing, however many systems and leaderboards it has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count, F, Q

from registry.catalog.models import Collection, Leaderboard
from registry.core.listing import grouped
from registry.curation.lineage.models import PaperLink, SystemFacts, TrainingDeclaration
from registry.curation.lineage.training import Training, statements_on, training_state
from registry.curation.suites.models import SuiteMember
from registry.journal.queries import journal_version
from registry.leaderboards.versions import registry_version
from registry.results.models import Model, Result, System

#: A suite of more collections is no set that people average over.
MOST_MEMBERS = 100


#: How many results of others stand on a leaderboard, and how many of them a score beats.
Place = tuple[int, int]


def models_version() -> str:
    """A text that changes whenever what pages of models show does, disputes and what files say of models too."""
    counts = Model.objects.aggregate(n=Count("pk", distinct=True), n_systems=Count("systems"))
    declared = TrainingDeclaration.objects.standing().order_by("-pk").values_list("pk", flat=True).first()
    return f"{registry_version()} {journal_version()} {counts} {declared}"


@dataclass(frozen=True)
class ModelOnRecord:
    """A model with what several parts of its page ask for, each read once."""

    model: Model

    @cached_property
    def systems(self) -> list[System]:
        """Its systems under their names of today, by name."""
        return list(self.model.systems.filter(merged_into=None).order_by("name_key", "team_key"))

    @cached_property
    def statements(self) -> list[TrainingDeclaration]:
        """Return what sources say of the training of its systems, the same words once."""
        said = statements_on([system.pk for system in self.systems])
        words = {
            (one.dataset, one.collection_id, one.source, one.how, one.declared, one.person_id): one for one in said
        }
        return list(words.values())

    def training_on(self, collections: Iterable[Collection]) -> dict[int, Training]:
        """Return what all that is said comes to, by collection: who says yes of one of its systems says it of all."""
        about = grouped(self.statements, lambda one: one.collection_id)
        return {
            collection.pk: training_state([*about[None], *about[collection.pk]], collection)
            for collection in collections
        }


class Standing(NamedTuple):
    """What is said of a standing result of the model, of which there may be thousands."""

    leaderboard: Leaderboard
    pk: int
    system_id: int
    system: str
    printed: str
    unit: str
    value: float
    role: str
    comparability: str
    source: str
    is_self_reported: bool
    is_disputed: bool

    @property
    def goodness(self) -> float:
        """Return the value, larger for the better one."""
        return self.value if self.leaderboard.measure.higher_is_better else -self.value


#: What is read of each leaderboard.
_OF_BOARD = (
    "collection__slug", "collection__name", "collection__mteb_task", "measure__name", "measure__decimals",
    "measure__higher_is_better",
)  # fmt: skip


def standing_results(on_record: ModelOnRecord) -> list[Standing]:
    """The standing results of its systems, by leaderboard, of which many are of one."""
    standing = Result.objects.standing().filter(system__model=on_record.model).with_disputes()
    by_board = standing.order_by("leaderboard__collection__name", "leaderboard__measure__name", "pk")
    rows = list(by_board.values_list("leaderboard", "pk", "system", "system__name", *Standing._fields[4:]))
    boards = Leaderboard.objects.with_names().only(*_OF_BOARD).in_bulk({board for board, *_ in rows})
    return [Standing(boards[board], *row) for board, *row in rows]


def places(ranked: Mapping[int, Sequence[Standing]]) -> dict[int, Place]:
    """Return how many results of others stand on a leaderboard, and how many the model's best beats; counted there."""
    there, value = "leaderboard__results", F("value")
    everybody = Q(**{f"{there}__ended_at": None, f"{there}__comparability": Result.Comparability.STANDARD})
    best = Result.objects.filter(everybody, pk__in=[ours[0].pk for ours in ranked.values()])
    counted = best.values_list("leaderboard").annotate(
        n=Count(there),
        n_below=Count(there, filter=Q(**{f"{there}__value__lt": value})),
        n_above=Count(there, filter=Q(**{f"{there}__value__gt": value})),
    )
    by_board = {}
    for board, n, n_below, n_above in counted:
        ours = ranked[board]
        n_worse = n_below if ours[0].leaderboard.measure.higher_is_better else n_above
        by_board[board] = n - len(ours), n_worse - sum(result.value != ours[0].value for result in ours)
    return by_board


def suites_of_places() -> dict[tuple[int, int], tuple[str, str]]:
    """Slug and name of the first suite of each collection and measure that has at most ``MOST_MEMBERS``."""
    members = SuiteMember.objects.order_by("-suite__position", "-suite__pk")
    rows = list(members.values_list("collection_id", "measure_id", "suite__slug", "suite__name"))
    sizes = Counter(slug for _, _, slug, _ in rows)
    return {row[:2]: row[2:] for row in rows if sizes[row[2]] <= MOST_MEMBERS}


def facts_of(systems: Iterable[System], model: Model) -> SystemFacts | None:
    """Return what the maker says of it: of the checkpoint from which the facts of the model are known, too."""
    found = SystemFacts.objects.standing().about([system.pk for system in systems]).order_by("model", "pk")
    return next((one for one in found if one.source in model.source), None)


def papers_about(systems: Iterable[System]) -> list[tuple[PaperLink, int]]:
    """The papers on systems of the model, or on what these use, and of how many each is said; the most first."""
    relations = (*PaperLink.ABOUT_IT, PaperLink.Relation.USES)
    links = PaperLink.objects.standing().about([system.pk for system in systems]).filter(relation__in=relations)
    said = grouped(links.select_related("paper").order_by("pk"), lambda link: (link.paper_id, link.relation))
    return sorted(((some[0], len(some)) for some in said.values()), key=lambda one: (-one[1], one[0].pk))


def relatives(model: Model) -> tuple[Model | None, list[Model]]:
    """The model that this one was made from, where it is on record, and those that were made from this one."""
    named = Q(base=model.name) | Q(name=model.base) if model.base else Q(base=model.name)
    found = list(Model.objects.filter(named).exclude(pk=model.pk).order_by("name_key"))
    base = next((one for one in found if one.name == model.base), None)
    return base, [one for one in found if one.base == model.name]
