"""How often verdicts hold where the truth is known: topics of real matrices, drawn again.

The systems of a matrix are drawn without replacement (a *board*), its topics with replacement; the truth is what the
board's systems score on all topics of the matrix. In the world "as-measured" they differ as they do; in the world
"equal" each is shifted so that all are equally good, and every one of them is the best. What is known from elsewhere
(a typical variance, a prediction) comes from other collections only, without those that share topics with this one.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import as_generator
from analysis.best import (
    best_set_from_means,
    confidence_set_for_best,
    corrected_best,
    corrected_best_from_means,
)
from analysis.boards._calibration_table import ALL_MEASURES, SYSTEMS, TOPICS, CalibrationRow, World
from analysis.boards._evidence import DF_TRANSFERRED, MIN_TOPICS_FOR_MEANS, own_degrees_of_freedom
from analysis.boards._findings import EvidenceKind
from analysis.boards._prediction import stand_in
from analysis.errors import DegenerateWarning
from analysis.reliability import (
    VarianceObservation,
    family_weighted_variance,
    fit_variances,
    near_copies,
    predict_variance,
    variance_cap,
)
from analysis.reliability._measure_families import measure_family
from analysis.scores import ScoreMatrix, measure_kind

FloatArray = NDArray[np.float64]

#: Draws behind a set from topic scores: a tenth of what a study takes.
N_RESAMPLES = 999
#: Systems of the boards that are drawn of a matrix, for each class of ``SYSTEMS``.
_BOARDS = ((5, 5, 5), (15, 15), (30, 45))
#: Topics of a board, one for each class of ``TOPICS``.
_N_TOPICS = (15, 25, 50, 100)
#: The rest of a matrix tells the variance of a board where it has so many systems.
_MIN_REST = 10

#: Collections with common topics: what is known of one says something of the others.
_COMMON_TOPICS = (frozenset({"trec-6-adhoc", "trec-7-adhoc", "trec-8-adhoc", "trec-2003-robust", "trec-2004-robust"}),)
#: Collections that no typical value is made of: another task.
_APART = ("clef-tar-",)
#: Degrees of freedom of a typical value where its pools disagree most.
_DF_OF_FAMILY = {"ERR": 4.0}


@dataclass(frozen=True, slots=True)
class Table:
    """Topic scores of one collection under one measure: runs that are distinct and not constant."""

    collection: str
    measure: str
    matrix: ScoreMatrix


@dataclass(frozen=True, slots=True)
class Variance:
    """One row of the library of variances: mean square of what system and topic leave."""

    collection: str
    measure: str
    mean_square: float


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A residual variance that other collections tell, with its degrees of freedom."""

    value: float
    degrees_of_freedom: float


#: What other collections tell of a board: from its measure and the mean of its scores; None where nothing.
Known = Callable[[str, float], Elsewhere | None]


@dataclass(frozen=True, slots=True)
class Told:
    """What one verdict said of one board on one draw of topics, against the truth."""

    held: float
    n_members: int
    value_error: float | None
    interval_held: bool | None
    false_leader: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecord:
    """What verdicts with one kind of evidence said of one board in one world, over all draws of topics."""

    evidence: EvidenceKind
    family: str
    collection: str
    systems: int
    topics: int
    world: World
    n_rows: int
    held: float
    n_members: float
    value_error: float | None
    printed_error: float
    interval_held: float | None
    false_leaders: float | None


def related_to(collection: str) -> frozenset[str]:
    """The collection, and those that share topics with it."""
    return next((group for group in _COMMON_TOPICS if collection in group), frozenset({collection}))


def typical_variance(library: Iterable[Variance], measure: str, without: frozenset[str] = frozenset()) -> float | None:
    """The squared median of the residual standard deviations seen under a measure; None where none was."""
    seen = [
        math.sqrt(one.mean_square)
        for one in library
        if one.measure == measure and one.collection not in without and not one.collection.startswith(_APART)
    ]
    return median(seen) ** 2 if seen else None


def transferred_from(library: Sequence[Variance], stands_in: Mapping[str, str], collection: str) -> Known:
    """What is typical of measures in collections other than this one; ``stands_in`` names measures for others."""
    without = related_to(collection)

    def known(measure: str, _mean: float) -> Elsewhere | None:
        seen = typical_variance(library, stands_in.get(measure, measure), without)
        family = measure_family(measure)
        df = _DF_OF_FAMILY.get(family.name, DF_TRANSFERRED) if family else DF_TRANSFERRED
        return None if seen is None else Elsewhere(seen, df)

    return known


def predicted_from(
    observations: Sequence[VarianceObservation], relevant_per_topic: float | None, collection: str
) -> Known:
    """What a model predicts that was fitted without this collection."""
    without = related_to(collection)
    model = fit_variances([one for one in observations if one.collection not in without])

    def known(measure: str, mean: float) -> Elsewhere | None:
        if stand_in(measure, relevant_per_topic) != measure or not 0.0 < mean < 1.0:
            return None
        found = predict_variance(model, measure, mean)
        return None if found is None else Elsewhere(found.value, found.degrees_of_freedom)

    return known


def measure_table(
    table: Table, elsewhere: Mapping[EvidenceKind, Known], rng: int, n_trials: int, n_topics: Sequence[int] = _N_TOPICS
) -> list[BoardRecord]:
    """What verdicts say of boards drawn from one table, in both worlds, by every kind of evidence that it can have."""
    generator = as_generator(rng)
    return [
        record
        for systems, chosen in _draw_boards(table.matrix.n_systems, generator)
        for n in n_topics
        for world in ("equal", "as-measured")
        for record in _measure_board(table, systems, chosen, n, world, elsewhere, generator, n_trials)
    ]


def _draw_boards(n_systems: int, rng: np.random.Generator) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """(class of ``SYSTEMS``, rows) of the boards of a matrix."""
    for place, sizes in enumerate(_BOARDS):
        drawn = [size for size in sizes if size < n_systems]
        if not drawn and n_systems >= max(SYSTEMS[place][0], 3):
            drawn = [n_systems]
        for size in drawn:
            yield place, np.sort(rng.permutation(n_systems)[:size])


def _measure_board(
    table: Table,
    systems: int,
    chosen: NDArray[np.intp],
    n_topics: int,
    world: World,
    elsewhere: Mapping[EvidenceKind, Known],
    rng: np.random.Generator,
    n_trials: int,
) -> Iterator[BoardRecord]:
    family = measure_family(table.measure)
    assert family is not None
    scores = table.matrix.scores[chosen]
    rest = _rest(table.matrix, chosen)
    means = scores.mean(axis=1)
    truth = np.full(len(means), means.mean()) if world == "equal" else means
    scores = scores + (truth - means)[:, None]
    told: dict[EvidenceKind, list[Told]] = {}
    printed = []
    for _ in range(n_trials):
        sample = _matrix(scores[:, rng.integers(scores.shape[1], size=n_topics)])
        printed.append(float(sample.means.max() - truth[sample.means.argmax()]))
        for evidence, one in _verdicts(table.measure, sample, truth, rest, elsewhere, rng):
            told.setdefault(evidence, []).append(one)
    for evidence, ones in told.items():
        yield BoardRecord(
            evidence=evidence,
            family=family.name,
            collection=table.collection,
            systems=systems,
            topics=next(place for place, (low, _) in reversed(list(enumerate(TOPICS))) if n_topics >= low),
            world=world,
            n_rows=len(truth),
            held=float(np.mean([one.held for one in ones])),
            n_members=float(np.mean([one.n_members for one in ones])),
            value_error=_root_mean_square([one.value_error for one in ones]),
            printed_error=math.sqrt(float(np.mean(np.square(printed)))),
            interval_held=_share([one.interval_held for one in ones]),
            false_leaders=_share([one.false_leader for one in ones]),
        )


def _verdicts(
    measure: str,
    sample: ScoreMatrix,
    truth: FloatArray,
    rest: tuple[ScoreMatrix, Sequence[str]] | None,
    elsewhere: Mapping[EvidenceKind, Known],
    rng: np.random.Generator,
) -> Iterator[tuple[EvidenceKind, Told]]:
    """What is said of a sample by every kind of evidence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        topics = _from_topics(measure, sample, truth, rng)
    if topics:
        yield "own-topics", topics
    if sample.n_topics < MIN_TOPICS_FOR_MEANS:
        return
    if rest is not None:
        yield "own-variance", _from_means(sample, truth, _own_variance(*rest, rng))
    for evidence, known in elsewhere.items():
        found = known(measure, float(sample.means.mean()))
        if found is not None:
            yield evidence, _from_means(sample, truth, found)


def _from_topics(measure: str, sample: ScoreMatrix, truth: FloatArray, rng: np.random.Generator) -> Told | None:
    families = near_copies(sample).families
    found = confidence_set_for_best(sample, rng, n_resamples=N_RESAMPLES, families=families)
    if found.why_no_set is not None:
        return None
    labels = families if len(set(families)) > 1 else None
    value = corrected_best(
        sample,
        kind=measure_kind(measure),
        families=families,
        residual_variance=family_weighted_variance(sample, labels),
    )
    winner = sample.systems.index(value.system)
    members = [entry.is_member for entry in found.entries]
    best = truth >= truth.max() - 1e-12
    can_verify = sample.n_topics >= MIN_TOPICS_FOR_MEANS
    return Told(
        held=float(np.mean(np.array(members)[best])),
        n_members=found.n_members,
        value_error=None if value.estimate is None else value.estimate - float(truth[winner]),
        interval_held=None
        if value.interval is None
        else bool(value.interval.low <= truth[winner] <= value.interval.high),
        false_leader=bool(found.n_members == 1 and not (best[winner] and best.sum() == 1)) if can_verify else None,
    )


def _rest(matrix: ScoreMatrix, chosen: NDArray[np.intp]) -> tuple[ScoreMatrix, Sequence[str]] | None:
    """The runs of the collection that are not on the board, with their families; None where they are few."""
    others = [name for row, name in enumerate(matrix.systems) if row not in set(chosen.tolist())]
    if len(others) < _MIN_REST:
        return None
    rest = matrix.select(others)
    families = near_copies(rest).families
    return (rest, families) if len(set(families)) > 1 else None


def _own_variance(rest: ScoreMatrix, families: Sequence[str], rng: np.random.Generator) -> Elsewhere:
    """What runs of the same collection that are not on the board say, on topics of their own."""
    drawn = _matrix(rest.scores[:, rng.integers(rest.n_topics, size=rest.n_topics)])
    df = own_degrees_of_freedom(drawn.n_systems, drawn.n_topics, n_makers=None, covers_all=False)
    return Elsewhere(family_weighted_variance(drawn, families), df)


def _from_means(sample: ScoreMatrix, truth: FloatArray, known: Elsewhere) -> Told:
    cap = variance_cap(np.clip(sample.means, 0.0, 1.0), n_topics=sample.n_topics)
    variance = known.value if not cap else min(known.value, cap)
    found = best_set_from_means(
        sample.means,
        n_topics=sample.n_topics,
        residual_variance=variance,
        degrees_of_freedom=known.degrees_of_freedom,
        value_range=None,
    )
    members = np.isin(np.arange(len(truth)), found.members)
    value = corrected_best_from_means(sample.means, error_variance=variance / sample.n_topics)
    return Told(
        held=float(np.mean(members[truth >= truth.max() - 1e-12])),
        n_members=found.n_members,
        value_error=None if value.estimate is None else value.estimate - float(truth[value.index]),
        interval_held=None,
        false_leader=None,
    )


def _matrix(scores: FloatArray) -> ScoreMatrix:
    n_systems, n_topics = scores.shape
    return ScoreMatrix([f"s{row:03}" for row in range(n_systems)], [str(topic) for topic in range(n_topics)], scores)


def _root_mean_square(errors: Iterable[float | None]) -> float | None:
    known = [error for error in errors if error is not None]
    return math.sqrt(float(np.mean(np.square(known)))) if known else None


def _share(answers: Iterable[bool | None]) -> float | None:
    known = [answer for answer in answers if answer is not None]
    return float(np.mean(known)) if known else None


def summarize(records: Iterable[BoardRecord]) -> tuple[CalibrationRow, ...]:
    """One row for each evidence, family of measures or all of them, class of systems and of topics, and world."""
    cells: dict[tuple[EvidenceKind, str, int, int, World], list[BoardRecord]] = {}
    for one in records:
        for family in (one.family, ALL_MEASURES):
            cells.setdefault((one.evidence, family, one.systems, one.topics, one.world), []).append(one)
    kinds: tuple[EvidenceKind, ...] = ("own-topics", "own-variance", "transferred", "predicted")
    order = sorted(cells, key=lambda key: (kinds.index(key[0]), *key[1:]))
    return tuple(_summary(key[1], cells[key]) for key in order)


def _summary(family: str, boards: Sequence[BoardRecord]) -> CalibrationRow:
    one = boards[0]
    # The twentieth part of the boards, rounded down, may be below: of fewer than twenty, none.
    low = sorted(board.held for board in boards)[len(boards) // 20]
    (least, most), (fewest, largest) = SYSTEMS[one.systems], TOPICS[one.topics]
    return CalibrationRow(
        evidence=one.evidence,
        family=family,
        min_systems=least,
        max_systems=most,
        min_topics=fewest,
        max_topics=largest,
        world=one.world,
        n_boards=len(boards),
        n_collections=len({board.collection for board in boards}),
        coverage=_rounded(float(np.mean([board.held for board in boards]))),
        coverage_low=_rounded(low),
        n_rows=_rounded(float(np.mean([board.n_rows for board in boards]))),
        n_members=_rounded(float(np.mean([board.n_members for board in boards]))),
        value_error=_mean_square(board.value_error for board in boards),
        printed_error=_rounded(math.sqrt(float(np.mean([board.printed_error**2 for board in boards])))),
        interval_coverage=_mean(board.interval_held for board in boards),
        false_leaders=_mean(board.false_leaders for board in boards),
    )


def _rounded(value: float) -> float:
    return round(value, 4)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return _rounded(float(np.mean(known))) if known else None


def _mean_square(errors: Iterable[float | None]) -> float | None:
    found = _root_mean_square(errors)
    return None if found is None else _rounded(found)
