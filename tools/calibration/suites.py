"""Suites drawn from real tables: how often verdicts on them hold where the truth is known.

*Other collections*: the collections of a real table of systems and collections are drawn again, with replacement; the
truth is what systems score on all of them. *The same collections*: topics of several tables are drawn again. No
systems were scored by topic on many collections, so that systems are put together that are as good among those drawn
of each table: what counts here, how scores vary between topics, stays as it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import as_generator
from analysis.best import best_set_from_errors
from analysis.boards._calibration_table import COLLECTIONS, WORLDS, World, class_of
from analysis.boards._evidence import MAX_DF_MEMBERS
from analysis.boards._suite_inputs import SuiteQuestion
from analysis.reliability import family_weighted_variance
from tools.calibration.boards import Table, draw_boards, matrix_of, truth_in
from tools.calibration.known import Known
from tools.calibration.summary import SuiteRecord

FloatArray = NDArray[np.float64]

#: Systems of the suites that are drawn of a table, for each class of systems.
_BOARDS = ((5, 5, 5), (15, 15, 15), (30, 45, 100, 150, 200))
#: Collections that are drawn of a table.
_N_COLLECTIONS = (8, 10, 13, 15, 18)
#: Topics that are drawn of each collection.
_N_TOPICS = (25, 50, 100)
#: Of so few systems a table makes no suite.
_MIN_SYSTEMS = 15


@dataclass(frozen=True, slots=True)
class SuiteTable:
    """Means of systems, shape (systems, collections), with the family of each system."""

    name: str
    means: FloatArray
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Draw:
    """Means of systems on one draw, and the variance of their error as the set takes it."""

    means: FloatArray
    of_set: float
    degrees_of_freedom: float


def measure_other_collections(table: SuiteTable, rng: int, n_trials: int) -> list[SuiteRecord]:
    """Return the outcomes of verdicts on other collections for suites drawn from one table, in both worlds."""
    generator = as_generator(rng)
    n_systems, n_collections = table.means.shape
    records = []
    for systems, chosen in draw_boards(n_systems, generator, _BOARDS):
        families = [table.families[row] for row in chosen]
        labels = families if len(set(families)) > 1 else None
        for n in (n for n in _N_COLLECTIONS if n <= n_collections):
            for world in WORLDS:
                means = table.means[chosen]
                truth = truth_in(world, means)
                scores = means + (truth - means.mean(axis=1))[:, None]
                samples = (scores[:, generator.integers(n_collections, size=n)] for _ in range(n_trials))
                draws = [_between_collections(sample, labels) for sample in samples]
                records.append(_record("other-collections", table.name, systems, n, world, truth, draws))
    return records


def _between_collections(drawn: FloatArray, labels: Sequence[str] | None) -> _Draw:
    n = drawn.shape[1]
    variance = family_weighted_variance(matrix_of(drawn), labels) / n
    return _Draw(drawn.mean(axis=1), variance, n - 1.0)


def measure_same_collections(
    name: str, tables: Sequence[tuple[Table, Known]], rng: int, n_trials: int
) -> list[SuiteRecord]:
    """Return the outcomes of verdicts on the same collections for suites put together from tables, in both worlds.

    Each table comes with its variance as other collections predict it.
    """
    generator = as_generator(rng)
    smallest = min(table.matrix.n_systems for table, _ in tables)
    records = []
    for systems, chosen in draw_boards(smallest, generator):
        boards = [_in_order(table, len(chosen), generator) for table, _ in tables]
        means = np.stack([board.mean(axis=1) for board in boards], axis=1)
        for n in _N_TOPICS:
            for world in WORLDS:
                truth = truth_in(world, means)
                shift = truth - means.mean(axis=1)
                draws = [_draw_topics(boards, tables, shift, n, generator) for _ in range(n_trials)]
                records.append(_record("same-collections", name, systems, len(tables), world, truth, draws))
    return records


def _in_order(table: Table, n_systems: int, rng: np.random.Generator) -> FloatArray:
    """Return topic scores of some systems of a table, best first."""
    scores = table.matrix.scores[rng.permutation(table.matrix.n_systems)[:n_systems]]
    return scores[np.argsort(-scores.mean(axis=1), kind="stable")]


def _draw_topics(
    boards: Sequence[FloatArray],
    tables: Sequence[tuple[Table, Known]],
    shift: FloatArray,
    n_topics: int,
    rng: np.random.Generator,
) -> _Draw:
    """Return means over the collections on topics drawn of each, and the variance of their error."""
    drawn = [board[:, rng.integers(board.shape[1], size=n_topics)].mean(axis=1) for board in boards]
    variances = []
    for (table, known), means in zip(tables, drawn, strict=True):
        variance = known(table.measure, means)
        assert variance is not None
        variances.append(variance)
    d = len(boards)
    return _Draw(
        np.mean(drawn, axis=0) + shift,
        sum(variance.value * variance.widening for variance in variances) / n_topics / d**2,
        min(MAX_DF_MEMBERS, *(variance.degrees_of_freedom for variance in variances)),
    )


def _record(
    question: SuiteQuestion,
    name: str,
    systems: int,
    n_collections: int,
    world: World,
    truth: FloatArray,
    draws: Sequence[_Draw],
) -> SuiteRecord:
    """Return the outcome for one suite over all draws."""
    is_best = truth >= truth.max() - 1e-12
    held, sizes = [], []
    for draw in draws:
        best = best_set_from_errors(draw.means, error_variance=draw.of_set, degrees_of_freedom=draw.degrees_of_freedom)
        held.append(float(np.isin(np.flatnonzero(is_best), best.members).mean()))
        sizes.append(best.n_members)
    return SuiteRecord(
        question=question,
        suite=name,
        systems=systems,
        collections=class_of(n_collections, COLLECTIONS[question]),
        world=world,
        n_rows=len(truth),
        held=float(np.mean(held)),
        n_members=float(np.mean(sizes)),
    )


def complete_tables(
    members: Mapping[str, Sequence[str]], scores: Mapping[str, Mapping[str, float]], families: Mapping[str, str]
) -> Iterator[SuiteTable]:
    """Yield each suite with enough systems and members, with the systems that have a score on every member.

    ``members`` are collections by suite, ``scores`` those of a system by collection.
    """
    for suite, collections in members.items():
        systems = sorted(
            system for system, known in scores.items() if all(collection in known for collection in collections)
        )
        if len(systems) >= _MIN_SYSTEMS and len(collections) >= _N_COLLECTIONS[0]:
            means = np.array([[scores[system][collection] for collection in collections] for system in systems])
            yield SuiteTable(suite, means, tuple(families[system] for system in systems))


def most_scored(scores: Mapping[str, Mapping[str, float]], collections: Iterable[str], at_most: int) -> list[str]:
    """Return the collections on which most systems have a score."""
    counts = {collection: sum(collection in known for known in scores.values()) for collection in collections}
    return sorted(counts, key=lambda collection: (-counts[collection], collection))[:at_most]
