"""Boards drawn from real matrices, on topics drawn again: how often do verdicts hold where the truth is known?

The systems of a matrix are drawn without replacement (a *board*), its topics with replacement; the truth is what the
board's systems score on all topics of the matrix. In the world "as-measured" they differ as they do; in the world
"equal" each is shifted so that all are equally good, and every one of them is the best. What is known from elsewhere
(a prediction) is of a model fitted on other collections only, without those that share topics with this one.

Of a *sparse* collection one document a topic is right. There is no large table of one; what runs score depends on the
rank of that document alone, and ranks of the first right document are known for real runs: from reciprocal ranks.
"""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import as_generator
from analysis.best import confidence_set_for_best, gupta_constant
from analysis.boards._calibration_table import SYSTEMS, TOPICS, WORLDS, World, class_measured, class_of, family_group
from analysis.boards._evidence import (
    MIN_ROWS_OWN,
    MIN_TOPICS_FOR_MEANS,
    log_variance_of_small,
    own_degrees_of_freedom,
    together,
)
from analysis.boards._findings import EvidenceKind
from analysis.boards._methods import METHODS
from analysis.errors import DegenerateWarning
from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import ScoreMatrix, measure_nature
from tools.calibration.known import Elsewhere, Known, all_known
from tools.calibration.summary import BoardRecord, mean_of

FloatArray = NDArray[np.float64]

#: Draws behind a set from topic scores: a tenth of what a study takes.
N_RESAMPLES = 999
#: Sets from topic scores are found on one draw of topics in so many.
CLOSELY = 10
#: Systems of the boards that are drawn of a matrix, for each class of ``SYSTEMS``.
_BOARDS = ((5, 5, 5), (15, 15, 15), (30, 45, 100))
#: So many times boards are drawn of a table; what is predicted, and sets from topic scores of systems that differ, are
#: found the first time alone: which systems a board has matters more to the others.
N_ROUNDS = 3
#: Larger boards get no set from topic scores.
_MOST_SYSTEMS_OF_MAX_T = 45
#: Topics of a board, one for each class of ``TOPICS``.
_N_TOPICS = (15, 25, 50, 100)
#: A small matrix has so many of the others, one of a group of near-copies.
_FEW = (3, 5)
#: The rest of a matrix tells the variance of a board where it has so many systems.
_MIN_REST = 10
#: Fewer systems than this make no board.
_MIN_SYSTEMS = 3
#: What rests on predictions.
PREDICTED: tuple[EvidenceKind, ...] = ("own-and-predicted", "predicted", "predicted-without-density")
#: Where one document is right: measures of its rank, and the longest list that each takes.
_OF_THE_FIRST_RANK = (("nDCG", 3), ("nDCG", 10), ("R", 1), ("R", 10), ("R", 100), ("R", 1000))


@dataclass(frozen=True, slots=True)
class Table:
    """Topic scores of one collection under one measure: runs that are distinct and not constant.

    ``is_sparse`` if they are what the first right document gives, as if there were no other; ``is_shared_task`` if most
    of the systems are runs of a shared task. ``relevant`` documents of a topic, and the share of topics with one.
    """

    collection: str
    measure: str
    matrix: ScoreMatrix
    is_sparse: bool = False
    is_shared_task: bool = False
    relevant: float | None = None
    share_with_one: float | None = None

    @property
    def family(self) -> str:
        """Of the measure."""
        return family_group(measure_nature(self.measure).family)


def sparse_tables(table: Table) -> Iterator[Table]:
    """Yield the same runs by the rank of their first right document alone; for tables of reciprocal ranks."""
    nature = measure_nature(table.measure)
    if nature.family != "RR":
        return
    has_hit = table.matrix.scores > 0.0
    ranks = np.divide(1.0, table.matrix.scores, out=np.full(has_hit.shape, np.inf), where=has_hit)
    for name, cutoff in _OF_THE_FIRST_RANK:
        if cutoff > (nature.cutoff or math.inf):
            continue
        listed = has_hit & (ranks < cutoff + 0.5)
        gains = 1.0 / np.log2(1.0 + ranks) if name == "nDCG" else np.ones_like(ranks)
        matrix = distinct(ScoreMatrix(table.matrix.systems, table.matrix.topics, np.where(listed, gains, 0.0)))
        if matrix is not None:
            yield replace(
                table, measure=f"{name}@{cutoff}", matrix=matrix, is_sparse=True, relevant=1.0, share_with_one=1.0
            )


def distinct(matrix: ScoreMatrix) -> ScoreMatrix | None:
    """Return the matrix without constant systems and exact copies; None where few are left."""
    names_by_scores = {
        scores.tobytes(): name for name, scores in zip(matrix.systems, matrix.scores, strict=True) if np.ptp(scores) > 0
    }
    return matrix.select(list(names_by_scores.values())) if len(names_by_scores) >= _MIN_SYSTEMS else None


def measure_table(
    table: Table,
    elsewhere: Mapping[EvidenceKind, Known],
    rng: int,
    n_trials: int,
    n_topics: Sequence[int] = _N_TOPICS,
    *,
    only_predicted: bool = False,
) -> list[BoardRecord]:
    """Return the outcomes of verdicts on boards drawn from one table, in both worlds, by every kind of evidence.

    ``only_predicted`` leaves only the evidence that rests on predictions, on other draws of topics.
    """
    generator = as_generator(rng)
    return [
        record
        for place in range(1 if table.is_sparse else N_ROUNDS)
        for systems, chosen in draw_boards(table.matrix.n_systems, generator)
        for record in _measure_board(
            table, systems, chosen, n_topics, elsewhere, generator, n_trials, place == 0, only_predicted
        )
    ]


def draw_boards(
    n_systems: int, rng: np.random.Generator, boards: Sequence[Sequence[int]] = _BOARDS
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield (class of ``SYSTEMS``, rows) for the boards of a matrix."""
    for place, sizes in enumerate(boards):
        drawn = [size for size in sizes if size < n_systems]
        if not drawn and n_systems >= max(SYSTEMS[place][0], _MIN_SYSTEMS):
            drawn = [n_systems]
        for size in drawn:
            yield place, np.sort(rng.permutation(n_systems)[:size])


def _measure_board(
    table: Table,
    systems: int,
    chosen: NDArray[np.intp],
    n_topics: Sequence[int],
    elsewhere: Mapping[EvidenceKind, Known],
    rng: np.random.Generator,
    n_trials: int,
    is_first: bool,
    only_predicted: bool,
) -> Iterator[BoardRecord]:
    own = [] if table.is_sparse else _own_variances(table.matrix, chosen, rng, n_trials)
    for n in n_topics:
        for world in WORLDS:
            scores = table.matrix.scores[chosen]
            truth = truth_in(world, scores)
            shifted = scores + (truth - scores.mean(axis=1))[:, None]
            drawn = Draws(table, shifted, truth, rng.integers(scores.shape[1], size=(n_trials, n)))
            drawn.has_topics = drawn.has_topics and not only_predicted and (is_first or world == "equal")
            for evidence, findings in _verdicts(drawn, own, elsewhere, rng, is_first):
                if only_predicted and evidence not in PREDICTED:
                    continue
                yield BoardRecord(
                    evidence=evidence,
                    family=table.family,
                    collection=table.collection,
                    measure=table.measure,
                    systems=systems,
                    topics=class_of(n, TOPICS),
                    world=world,
                    n_rows=len(truth),
                    **findings,
                )


def truth_in(world: World, scores: FloatArray) -> FloatArray:
    """Return the true scores of systems: their means, or the mean of all."""
    means: FloatArray = scores.mean(axis=1)
    return np.full_like(means, means.mean()) if world == "equal" else means


class Draws:
    """A board with its truth and several draws of its topics, shape (n_trials, n_topics)."""

    def __init__(self, table: Table, scores: FloatArray, truth: FloatArray, drawn: NDArray[np.intp]) -> None:
        self.measure, self.scores, self.truth, self.drawn = table.measure, scores, truth, drawn
        self.has_topics = not table.is_sparse and len(truth) <= _MOST_SYSTEMS_OF_MAX_T
        n_trials, self.n_topics = drawn.shape
        weights = np.zeros((n_trials, scores.shape[1]))
        np.add.at(weights, (np.arange(n_trials)[:, None], drawn), 1.0 / self.n_topics)
        self.means: FloatArray = weights @ scores.T
        self.is_best: NDArray[np.bool_] = truth >= truth.max() - 1e-12

    @property
    def closely(self) -> range:
        """The draws on which sets from topic scores are found."""
        return range(math.ceil(len(self.drawn) / CLOSELY))

    def sample(self, trial: int) -> ScoreMatrix:
        """Return the topic scores of one draw."""
        return matrix_of(self.scores[:, self.drawn[trial]])


def _verdicts(
    drawn: Draws,
    own: Sequence["OwnVariances"],
    elsewhere: Mapping[EvidenceKind, Known],
    rng: np.random.Generator,
    is_first: bool,
) -> Iterator[tuple[EvidenceKind, dict[str, Any]]]:
    """Yield each kind of evidence with its findings on the draws of a board."""
    if drawn.has_topics and (topics := _from_topics(drawn, rng)):
        yield "own-topics", topics
    if drawn.n_topics < MIN_TOPICS_FOR_MEANS:
        return
    yield from _from_own_variances(drawn, own, elsewhere.get("predicted"))
    for evidence, known in elsewhere.items() if is_first else ():
        variances = all_known(known, drawn.measure, drawn.means)
        if variances:
            of_class = class_measured(family_group(measure_nature(drawn.measure).family), variances[0].variance_class)
            yield evidence, {**from_means(drawn, variances), "variance_class": of_class}


def _from_own_variances(
    drawn: Draws, own: Sequence["OwnVariances"], known: Known | None
) -> Iterator[tuple[EvidenceKind, dict[str, Any]]]:
    """Yield the findings by other runs of the collection; by few of them together with a prediction."""
    predicted = all_known(known, drawn.measure, drawn.means) if known and own else []
    for variances in own:
        if not variances.log_variance:
            yield "own-variance", from_means(drawn, variances.known)
        elif predicted:
            yield "own-and-predicted", from_means(drawn, variances.with_predictions(predicted))


def _from_topics(drawn: Draws, rng: np.random.Generator) -> dict[str, Any] | None:
    """Return findings as of a study from topic scores; None where no draw gives a set."""
    families = near_copies(matrix_of(drawn.scores)).families
    samples = map(drawn.sample, drawn.closely)
    outcomes = [outcome for sample in samples if (outcome := _from_sample(drawn, sample, families, rng))]
    if not outcomes:
        return None
    held, n_members, leaders = zip(*outcomes, strict=True)
    return {"held": float(np.mean(held)), "n_members": float(np.mean(n_members)), "false_leaders": mean_of(leaders)}


def _from_sample(
    drawn: Draws, sample: ScoreMatrix, families: Sequence[str], rng: np.random.Generator
) -> tuple[float, int, bool | None] | None:
    """Return whether the set held the best, its size, and whether a false leader was verified, where one can be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        best_set = confidence_set_for_best(sample, rng, n_resamples=N_RESAMPLES, families=families)
        if best_set.why_no_set is not None:
            return None
    members = np.array([entry.is_member for entry in best_set.entries])
    is_best, leads = drawn.is_best, sample.n_topics >= MIN_TOPICS_FOR_MEANS and best_set.n_members == 1
    return (
        float(members[is_best].mean()),
        best_set.n_members,
        bool(leads and not (is_best[members].all() and is_best.sum() == 1))
        if sample.n_topics >= MIN_TOPICS_FOR_MEANS
        else None,
    )


@dataclass(frozen=True, slots=True)
class OwnVariances:
    """Variances of a board by other runs of the same collection, for each draw of its topics.

    ``log_variance`` is that of few distinct runs, which are taken together with a prediction; else 0.
    """

    known: list[Elsewhere]
    log_variance: float

    def with_predictions(self, predicted: Sequence[Elsewhere]) -> list[Elsewhere]:
        """Return both combined, each weighted by how surely it is known."""
        combined = []
        for own, other in zip(self.known, predicted, strict=True):
            both = together(own.value, self.log_variance, other.value, other.log_sd**2)
            combined.append(Elsewhere(both.value, round(both.degrees_of_freedom, 1), other.widening))
        return combined


def _own_variances(
    matrix: ScoreMatrix, chosen: NDArray[np.intp], rng: np.random.Generator, n_trials: int
) -> list[OwnVariances]:
    """Return variances by all runs that are not on the board, and by few of them; none where few are left."""
    others = [name for row, name in enumerate(matrix.systems) if row not in set(chosen.tolist())]
    if len(others) < _MIN_REST:
        return []
    rest = matrix.select(others)
    families = near_copies(rest).families
    distinct = [others[families.index(fromkey)] for fromkey in dict.fromkeys(families)]
    if len(distinct) < 2:
        return []
    drawn = rng.integers(rest.n_topics, size=(n_trials, rest.n_topics))
    variances = [_seen_in(rest, families, drawn)]
    few_rng = rng.spawn(1)[0]
    for few in _FEW:
        if few < len(distinct):
            names = [distinct[row] for row in np.sort(few_rng.permutation(len(distinct))[:few])]
            variances.append(_seen_in(matrix.select(names), names, drawn))
    return variances


def _seen_in(runs: ScoreMatrix, families: Sequence[str], drawn: NDArray[np.intp]) -> OwnVariances:
    """Return the variances of runs on each draw of their topics."""
    n_distinct = len(set(families))
    df = own_degrees_of_freedom(runs.n_systems, runs.n_topics, covers_all=False)
    known = [Elsewhere(family_weighted_variance(matrix_of(runs.scores[:, topics]), families), df) for topics in drawn]
    return OwnVariances(known, log_variance_of_small(n_distinct, runs.n_topics) if n_distinct < MIN_ROWS_OWN else 0.0)


def from_means(drawn: Draws, known: Sequence[Elsewhere]) -> dict[str, Any]:
    """Return findings as of a study from means, with the known variance of each draw: all draws at once."""
    n, k = drawn.n_topics, len(drawn.truth)
    inside = np.clip(drawn.means, 0.0, 1.0)
    caps = (inside * (1.0 - inside)).mean(axis=1) * n / (n - 1)
    widened = np.array([variance.value * variance.widening for variance in known])
    widened = np.where(caps > 0.0, np.minimum(widened, caps), widened)
    degrees, which = np.unique([variance.degrees_of_freedom for variance in known], return_inverse=True)
    constants = np.array([gupta_constant(k, METHODS.confidence_level, float(df)) for df in degrees])
    margins = constants[which] * np.sqrt(2.0 * widened / n)
    members = drawn.means >= (drawn.means.max(axis=1) - margins)[:, None]
    return {
        "held": float(members[:, drawn.is_best].mean()),
        "n_members": float(members.sum(axis=1).mean()),
        "false_leaders": None,
    }


def matrix_of(scores: FloatArray) -> ScoreMatrix:
    """Return scores, shape (systems, topics), as a matrix with labels."""
    n_systems, n_topics = scores.shape
    return ScoreMatrix([f"s{row:03}" for row in range(n_systems)], [str(topic) for topic in range(n_topics)], scores)
