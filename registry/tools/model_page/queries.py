"""The record of a model: one query for each kind of thing, however many systems and leaderboards it has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
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

#: People don't average over suites of more collections.
MOST_MEMBERS = 100

#: The numbers of others' results on a leaderboard, and of those that a score beats.
Place = tuple[int, int]


def models_version() -> str:
    """Return a text that changes whenever pages of models do, with disputes and what files say of models."""
    counts = Model.objects.aggregate(n=Count("pk", distinct=True), n_systems=Count("systems"))
    declared = TrainingDeclaration.objects.standing().order_by("-pk").values_list("pk", flat=True).first()
    return f"{registry_version()} {journal_version()} {counts} {declared}"


_words = attrgetter("dataset", "collection_id", "source", "how", "declared", "person_id")


@dataclass(frozen=True)
class ModelOnRecord:
    """A model, with what several parts of its page need, read once."""

    model: Model

    @cached_property
    def systems(self) -> list[System]:
        """Systems under their names of today, by name."""
        return list(self.model.systems.filter(merged_into=None).order_by("name_key", "team_key"))

    @cached_property
    def statements(self) -> list[TrainingDeclaration]:
        """Statements of sources on the training of its systems; the same words count once."""
        declarations = statements_on([system.pk for system in self.systems])
        return list({_words(declaration): declaration for declaration in declarations}.values())

    def training_on(self, collections: Iterable[Collection]) -> dict[int, Training]:
        """Return the training by collection; a source that says yes of one of its systems says it of all."""
        about = grouped(self.statements, lambda statement: statement.collection_id)
        return {
            collection.pk: training_state([*about[None], *about[collection.pk]], collection)
            for collection in collections
        }


class Standing(NamedTuple):
    """The fields of a standing result of the model, of which there may be thousands."""

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
        """The value, turned round where lower is better."""
        return self.value if self.leaderboard.measure.higher_is_better else -self.value


#: The fields read of each leaderboard.
_OF_BOARD = (
    "collection__slug", "collection__name", "collection__mteb_task", "measure__name", "measure__decimals",
    "measure__higher_is_better",
)  # fmt: skip


def standing_results(on_record: ModelOnRecord) -> list[Standing]:
    """Return the standing results of its systems, by leaderboard; those of one leaderboard share its object."""
    standing = Result.objects.standing().filter(system__model=on_record.model).with_disputes()
    by_board = standing.order_by("leaderboard__collection__name", "leaderboard__measure__name", "pk")
    rows = list(by_board.values_list("leaderboard", "pk", "system", "system__name", *Standing._fields[4:]))
    boards = Leaderboard.objects.with_names().only(*_OF_BOARD).in_bulk({board for board, *_ in rows})
    return [Standing(boards[board], *row) for board, *row in rows]


def places(ranked: Mapping[int, Sequence[Standing]]) -> dict[int, Place]:
    """Return the place of the model's best result on each leaderboard, counted by the database."""
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
    """Return slug and name of the first suite of at most ``MOST_MEMBERS``, by collection and measure."""
    members = SuiteMember.objects.order_by("-suite__position", "-suite__pk")
    rows = list(members.values_list("collection_id", "measure_id", "suite__slug", "suite__name"))
    sizes = Counter(slug for _, _, slug, _ in rows)
    return {row[:2]: row[2:] for row in rows if sizes[row[2]] <= MOST_MEMBERS}


def facts_of(systems: Iterable[System], model: Model) -> SystemFacts | None:
    """Return the maker's facts about it, of the checkpoint that its own facts are known from."""
    facts = SystemFacts.objects.standing().about([system.pk for system in systems]).order_by("model", "pk")
    return next((candidate for candidate in facts if candidate.source in model.source), None)


def papers_about(systems: Iterable[System]) -> list[tuple[PaperLink, int]]:
    """Return the papers on systems of the model, or on what these use, with their number of systems; most first."""
    relations = (*PaperLink.ABOUT_IT, PaperLink.Relation.USES)
    links = PaperLink.objects.standing().about([system.pk for system in systems]).filter(relation__in=relations)
    by_paper = grouped(links.select_related("paper").order_by("pk"), lambda link: (link.paper_id, link.relation))
    return sorted(((links[0], len(links)) for links in by_paper.values()), key=lambda pair: (-pair[1], pair[0].pk))


def relatives(model: Model) -> tuple[Model | None, list[Model]]:
    """Return the model that this one was made from, if on record, and those that were made from this one."""
    named = Q(base=model.name) | Q(name=model.base) if model.base else Q(base=model.name)
    related = list(Model.objects.filter(named).exclude(pk=model.pk).order_by("name_key"))
    base = next((other for other in related if other.name == model.base), None)
    return base, [other for other in related if other.base == model.name]
