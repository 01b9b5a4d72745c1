"""Systems to standardize a collection's scores against, and those of them that ran on other collections."""

import re
from dataclasses import dataclass
from datetime import date

import numpy as np
from django.db.models import Count, Max, Q

from analysis.scales import StandardizationFactors, reference_factors
from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.listing import grouped
from registry.leaderboards.models import ReferenceSet
from registry.leaderboards.queries.boards import read_topic_scores
from registry.leaderboards.versions import registry_version
from registry.results.models import Result, TopicScores, UnnamedScores
from registry.results.queries import WITHHELD, unpack_unnamed

#: Fewer reference systems are no yardstick: the error of their scale is unknown.
MIN_REFERENCES = 5
#: Counted up whenever the page shows something else for the same scores.
METHODS_VERSION = "3"

_NUMBERED = re.compile(r"run\d+")


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Reference systems and the systems to measure with them, which are none of these.

    ``reference`` is None where the topic scores behind the frozen factors are no longer on record. ``results`` are the
    systems measured, by label.
    """

    measure: Measure
    name: str
    frozen: date
    factors: StandardizationFactors
    reference: ScoreMatrix | None
    measured: ScoreMatrix
    results: dict[str, Result]


@dataclass(frozen=True, slots=True)
class OpenSystems:
    """Systems that can be run anywhere, with their scores on every topic of one collection.

    ``withheld`` is of runs without names on as many topics, which are in the order of their numbers in both, and
    ``others`` its scores; None where there are none.
    """

    row: UnnamedScores
    systems: frozenset[str]
    matrix: ScoreMatrix
    withheld: UnnamedScores | None
    others: ScoreMatrix | None

    @property
    def means(self) -> list[float]:
        means: list[float] = self.matrix.scores.mean(axis=1).tolist()
        return means


def read_yardsticks(collection: Collection) -> list[Yardstick]:
    """Return the frozen reference sets by topic in force, each with the systems to measure, by measure."""
    sets = ReferenceSet.objects.filter(leaderboard__collection=collection, basis=ReferenceSet.Basis.TOPIC_SCORES)
    in_force = {frozen.leaderboard_id: frozen for frozen in sets.order_by("version")}
    boards = Leaderboard.objects.select_related("collection", "measure").in_bulk(in_force)
    yardsticks = filter(None, (_yardstick(board, in_force[pk]) for pk, board in boards.items()))
    return sorted(yardsticks, key=lambda yardstick: (yardstick.measure.name, yardstick.name))


def _yardstick(board: Leaderboard, frozen: ReferenceSet) -> Yardstick | None:
    originals = Result.objects.for_leaderboard(board).comparable().filter(replicate_of=None)
    results = {str(result.pk): result for result in originals.select_related("system").order_by("pk")}
    scores = read_topic_scores(board, [int(pk) for pk in results])
    factors = StandardizationFactors.from_dict(frozen.factors)
    if scores is None or factors.n_systems < MIN_REFERENCES or set(scores.topics) != set(factors.topics):
        return None
    members = [str(pk) for pk in frozen.members.order_by("pk").values_list("pk", flat=True)]
    others = [label for label in scores.systems if label not in members]
    if not others:
        return None
    reference = scores.select(members) if set(members) <= set(scores.systems) else None
    if reference is not None and not _same(reference_factors(reference), factors):
        reference = None
    return Yardstick(
        measure=board.measure,
        name=frozen.name,
        frozen=frozen.frozen_on,
        factors=factors,
        reference=reference,
        measured=scores.select(others),
        results=results,
    )


def _same(now: StandardizationFactors, frozen: StandardizationFactors) -> bool:
    """Return whether the scores on record still give the factors, which are stored with ten digits."""
    pairs = (now.means, frozen.means), (now.sds, frozen.sds)
    return now.topics == frozen.topics and all(np.allclose(*pair, rtol=1e-8, atol=1e-12) for pair in pairs)


def read_open_systems(collection: Collection) -> list[list[OpenSystems]]:
    """Return groups of named systems with scores on the collection: the same systems on all collections, by year."""
    here = UnnamedScores.objects.filter(collection=collection, n_runs__gte=MIN_REFERENCES)
    rows = (
        UnnamedScores.objects.filter(measure__in=here.values("measure"))
        .filter(Q(n_runs__in=here.values("n_runs")) | Q(runs__contains=WITHHELD))
        .select_related("collection", "measure")
        .order_by("measure__name", "collection__year", "collection__slug", "label")
    )
    matrices = [(row, unpack_unnamed(row).matrix) for row in rows]
    withheld = {
        (row.collection_id, row.measure_id, row.n_topics): (row, matrix)
        for row, matrix in matrices
        if _are_numbered(matrix)
    }
    alike: dict[tuple[int, frozenset[str]], list[OpenSystems]] = {}
    for row, matrix in matrices:
        is_whole = row.n_topics == row.collection.n_topics and np.ptp(matrix.scores.mean(axis=1)) > 0
        # Numbers are no names: run1 of one collection is another system than run1 of the next.
        if is_whole and not _are_numbered(matrix):
            systems = frozenset(matrix.systems)
            beside = withheld.get((row.collection_id, row.measure_id, row.n_topics), (None, None))
            alike.setdefault((row.measure_id, systems), []).append(OpenSystems(row, systems, matrix, *beside))
    return [group for group in alike.values() if any(member.row.collection_id == collection.pk for member in group)]


def _are_numbered(matrix: ScoreMatrix) -> bool:
    return all(map(_NUMBERED.fullmatch, matrix.systems))


def read_original_runs(groups: list[list[OpenSystems]]) -> dict[tuple[int, int], list[Result]]:
    """Return the runs that were submitted when the collections were made, by collection and measure."""
    rows = [member.row for group in groups for member in group]
    results = (
        Result.objects.select_related("system", "leaderboard")
        .comparable()
        .filter(
            role=Result.Role.TREC_RUN,
            replicate_of=None,
            leaderboard__collection__in=[row.collection_id for row in rows],
            leaderboard__measure__in=[row.measure_id for row in rows],
        )
    )
    return grouped(results.order_by("pk"), lambda run: (run.leaderboard.collection_id, run.leaderboard.measure_id))


def standardization_version(collection: Collection) -> str:
    """Return a text that changes whenever the collection's page does."""
    tables = (UnnamedScores, "recorded_at"), (ReferenceSet, "pk"), (TopicScores, "pk")
    counts = [model.objects.aggregate(n=Count("pk"), last=Max(field)) for model, field in tables]
    return f"{collection.pk} {METHODS_VERSION} {registry_version()} {counts}"
