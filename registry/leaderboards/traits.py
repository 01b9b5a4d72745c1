"""Traits that makers state of systems, by which a reader narrows down who may be the best."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from registry.catalog.models import Leaderboard
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.queries.boards import RecordedRows
from registry.results.models import Model, Result

#: Sizes to choose from: at most so many parameters.
SIZES = {"100M": 10**8, "350M": 350 * 10**6, "1B": 10**9, "8B": 8 * 10**9}
#: What of weights, and what the page calls it.
WEIGHTS = {"open": "open weights", "closed": "closed weights"}


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits that a reader asks for: blank or None where any will do."""

    weights: str = ""
    size: str = ""
    maker: str = ""
    since: int | None = None

    def __bool__(self) -> bool:
        return bool(self.weights or self.size or self.maker or self.since)

    @property
    def in_words(self) -> list[str]:
        """Each of them, as “open weights”."""
        words = [
            WEIGHTS.get(self.weights, ""),
            f"at most {self.size} parameters" if self.size else "",
            f"made by {self.maker}" if self.maker else "",
            f"published in {self.since} or later" if self.since else "",
        ]
        return list(filter(None, words))


#: What is asked of facts, after whose they are: the system, the one that it was merged into, its model.
_OF_FACTS = ("system", "system__merged_into", "system__model", "has_open_weights", "n_parameters", "organisation")
#: What is asked of results: whose they are.
_OF_RESULTS = ("pk", "system_id", "system__model_id")
#: What is said of a system: whether its weights are open, its parameters, its maker.
Facts = tuple[bool | None, int | None, str]
_NOTHING: Facts = (None, None, "")
SMALL_AND_OPEN = Traits(weights="open", size="1B")


def known_makers() -> set[str]:
    """Return whoever is said to have made a system or model, on whatever leaderboard."""
    of_models = Model.objects.order_by().values_list("maker", flat=True)
    return {*of_models, *SystemFacts.objects.order_by().values_list("organisation", flat=True)}


def results_with(leaderboard: Leaderboard, traits: Traits, moment: datetime | None) -> tuple[int, ...]:
    """Return results of a leaderboard, ended ones too, whose systems are known to be as asked; of what nobody says,
    none.

    What is said of one system of a model holds for its others, of which nothing is said.
    """
    results = Result.objects.for_leaderboard(leaderboard).order_by("pk")
    facts, rows = facts_of(results, moment), results.values_list("pk", "system__model__maker", "year")
    return tuple(pk for pk, maker, year in rows if _fits(facts[pk], maker, year, traits))


def facts_of(
    results: QuerySet[Result],
    moment: datetime | None = None,
    whose: Iterable[tuple[int, int, int | None]] | None = None,
) -> dict[int, Facts]:
    """Return what is said of the systems of results: whether their weights are open, parameters, maker; by result.

    ``whose`` are the results with their systems and models, where these were read already.
    """
    systems, models = (results.order_by().values(name) for name in ("system", "system__model"))
    about = Q(system__in=systems) | Q(system__merged_into__in=systems) | Q(system__model__in=models)
    facts = SystemFacts.objects.known_at(moment).filter(about).order_by("-pk").values_list(*_OF_FACTS)
    of_system: dict[int, Facts] = {}
    of_model: dict[int | None, Facts] = {}
    for system, merged_into, model, is_open, n_parameters, organisation in facts:
        of_system[merged_into or system] = fact = (is_open, n_parameters, organisation)
        if model:
            of_model[model] = fact
    rows = results.values_list(*_OF_RESULTS) if whose is None else whose
    return {pk: of_system.get(system) or of_model.get(model, _NOTHING) for pk, system, model in rows}


def leader_and_best_open(recorded: RecordedRows, facts: Mapping[int, Facts]) -> tuple[int, int] | None:
    """Return the systems of the best result on a leaderboard and of that of a small open model; None without two."""
    sign = -1.0 if recorded.leaderboard.measure.higher_is_better else 1.0
    ranked = sorted(
        (sign * row.value, row.id, row.system_id)
        for row in recorded.facts.values()
        if row.comparability == Result.Comparability.STANDARD and row.replicate_of_id is None
    )
    best = next((system for _, pk, system in ranked if _fits(facts[pk], None, None, SMALL_AND_OPEN)), None)
    return (ranked[0][2], best) if best and best != ranked[0][2] else None


def _fits(facts: Facts, maker: str | None, year: int | None, traits: Traits) -> bool:
    is_open, n_parameters, organisation = facts
    makers = {name.casefold() for name in (maker, organisation) if name}
    return (
        (not traits.weights or is_open is (traits.weights == "open"))
        and (not traits.size or (n_parameters is not None and n_parameters <= SIZES[traits.size]))
        and (not traits.maker or traits.maker.casefold() in makers)
        and (not traits.since or (year is not None and year >= traits.since))
    )
