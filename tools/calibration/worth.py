"""Errors of the value of the best, and how often its interval and the set hold, where the truth is known.

Every figure is in standard errors of a mean beyond what all systems share. The truth is what the leading row scores on
all topics of its matrix, plus what the topics drawn do to all of its rows alike. Then leaderboards that grow: how
often is the best left out on some day?
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.best import (
    HiddenTries,
    best_set_from_means,
    confidence_set_for_best,
    corrected_best_from_means,
    gupta_constant,
)
from analysis.errors import DegenerateWarning
from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import ScoreMatrix

FloatArray = NDArray[np.float64]


class Known(NamedTuple):
    """A variance as it is known: standard deviation of its logarithm, how many times it the set takes, its degrees."""

    log_sd: float
    widening: float
    degrees_of_freedom: float


#: Of predictions: one, few and many documents decide; and of a matrix of the same collection.
KINDS = {"one": Known(0.25, 1.0, 30.0), "few": Known(0.35, 1.2, 16.0), "many": Known(0.45, 1.3, 10.0)}
_OWN = Known(0.12, 1.0, 18.0)
_TURNS = (*KINDS.values(), _OWN)
_N_TOPICS, _FEW_TOPICS = 50, 25
_N_ADDED, _N_TOP, _TEAM = 50, 20, 3
#: Behind a set from topic scores: a tenth of what a study takes.
_N_RESAMPLES = 999
#: Fewer systems show no field, and fewer families get no value.
_MIN_SYSTEMS, _MIN_FAMILIES = 15, 3
#: How far the leader of one world is ahead, in standard errors, and how far copies of a row lie apart.
_AHEAD, _APART = 5.0, 0.1
#: What is left of the differences between means in the world where they are small.
_SHRUNK_TO = 0.2


@dataclass(frozen=True, slots=True)
class World:
    """Systems by topics: the first ``n_original`` are those of a matrix, as the world changes them; ``variance`` is
    theirs, beyond system and topic."""

    scores: FloatArray
    families: tuple[str, ...]
    n_original: int
    variance: float
    n_topics: int = _N_TOPICS


@dataclass(frozen=True, slots=True)
class Off:
    """Errors of a value over all matrices, in standard errors: root mean square, of the printed score and of what
    is drawn to the mean alone too; mean; and how often the interval holds: on average, in the worst matrix."""

    printed: float
    shrunk: float
    value: float
    bias: float
    held: float
    held_worst: float


def fields(matrices: Iterable[ScoreMatrix], seed: int) -> Iterator[tuple[World, np.random.Generator]]:
    """Yield the matrices of 15 systems and 3 families or more as they are, each with a generator of its own."""
    for matrix in matrices:
        rng = np.random.default_rng(seed)
        families = _families(matrix, rng) if matrix.n_systems >= _MIN_SYSTEMS else ()
        if len(set(families)) >= _MIN_FAMILIES:
            variance = family_weighted_variance(matrix, families)
            yield World(matrix.scores, families, matrix.n_systems, variance), rng


def worlds(field: World, rng: np.random.Generator) -> Mapping[str, World]:
    """Return the worlds that one matrix makes: as it is, and with its means or its rows changed."""
    scores, families, n, variance = field.scores, field.families, field.n_original, field.variance
    means = scores.mean(axis=1)
    top = np.argsort(-means)[:_N_TOP]
    ahead = scores + _AHEAD * np.sqrt(variance / _N_TOPICS) * (np.arange(n) == top[0])[:, None]
    clustered = scores + ((1.0 - _SHRUNK_TO) * (means.mean() - means))[:, None]
    junk = scores[rng.integers(n, size=_N_ADDED)]
    junk = junk - junk.mean(axis=1, keepdims=True) + means.min() / 2
    return {
        "as is": field,
        "the top 20": World(scores[top], tuple(families[place] for place in top), len(top), variance),
        "shrunk to a fifth": World(clustered, families, n, variance),
        "all equal": World(scores - means[:, None] + means.mean(), families, n, variance),
        "50 poor ones added": World(
            np.concatenate([scores, junk]), (*families, *(f"poor {k}" for k in range(_N_ADDED))), n, variance
        ),
        "50 copies of the last": _copied(scores, families, int(means.argmin()), variance, rng),
        "50 copies of the best": _copied(scores, families, int(top[0]), variance, rng),
        "a leader far ahead": World(ahead, families, n, variance),
        "25 topics": World(scores, families, n, variance, _FEW_TOPICS),
    }


def _families(matrix: ScoreMatrix, rng: np.random.Generator) -> tuple[str, ...]:
    """Return families: near-copies are one, united with random teams of three."""
    order = rng.permutation(matrix.n_systems)
    teams = [""] * matrix.n_systems
    for place, system in enumerate(order):
        teams[system] = f"team {place // _TEAM}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        return near_copies(matrix, teams).families


def _copied(
    scores: FloatArray, families: tuple[str, ...], row: int, variance: float, rng: np.random.Generator
) -> World:
    copies = scores[row] + _APART * scores[row].std() * rng.standard_normal((_N_ADDED, scores.shape[1]))
    return World(np.concatenate([scores, copies]), (*families, *[families[row]] * _N_ADDED), len(scores), variance)


def values_off(matrices: Iterable[ScoreMatrix], *, n_trials: int = 150, seed: int = 2015) -> dict[str, Off]:
    """Return how far values are off in each world, means over matrices with a field.

    Topics are drawn with replacement, ``n_trials`` times; variances are off as those of four kinds are, in turn.
    """
    trials_by_world: dict[str, list[FloatArray]] = {}
    for field, rng in fields(matrices, seed):
        for name, world in worlds(field, rng).items():
            trials = [_trial(world, _TURNS[number % len(_TURNS)], rng) for number in range(n_trials)]
            trials_by_world.setdefault(name, []).append(np.array([trial for trial in trials if trial]))
    return {name: _summed(tables) for name, tables in trials_by_world.items()}


def _trial(world: World, known: Known, rng: np.random.Generator) -> tuple[float, float, float, bool] | None:
    """Return errors of the printed, the shrunk and the corrected score, and whether the interval holds."""
    scores, n_topics = world.scores, world.n_topics
    means = scores[:, rng.integers(scores.shape[1], size=n_topics)].mean(axis=1)
    errors = means - scores.mean(axis=1)
    variance = world.variance * float(np.exp(known.log_sd * rng.standard_normal()))
    best_set = best_set_from_means(
        means,
        n_topics=n_topics,
        residual_variance=known.widening * variance,
        degrees_of_freedom=known.degrees_of_freedom,
        value_range=None,
    )
    best = corrected_best_from_means(
        means,
        error_variance=variance / n_topics,
        degrees_of_freedom=known.degrees_of_freedom,
        families=world.families,
        n_in_set=best_set.n_members,
        interval_variance=max(known.widening, 1.2) * variance / n_topics,
        margin=best_set.margin,
    )
    if best.estimate is None or best.luck is None or best.interval is None:
        return None
    truth = means[best.index] - errors[best.index] + errors[: world.n_original].mean()
    unit = np.sqrt(world.variance / n_topics)
    shrunk = best.luck.mean + best.luck.kept * (best.raw - best.luck.mean)
    holds = best.interval.low <= truth <= best.interval.high
    return (best.raw - truth) / unit, (shrunk - truth) / unit, (best.estimate - truth) / unit, holds


def _summed(tables: Iterable[FloatArray]) -> Off:
    by_matrix = np.array(
        [[*np.sqrt(np.mean(of[:, :3] ** 2, axis=0)), of[:, 2].mean(), of[:, 3].mean()] for of in tables]
    )
    printed, shrunk, value, bias, held = (float(mean) for mean in by_matrix.mean(axis=0))
    return Off(printed, shrunk, value, bias, held, held_worst=float(by_matrix[:, 4].min()))


def left_by_dial(
    matrices: Iterable[ScoreMatrix], n_tries: int, n_declared: int, *, n_trials: int = 150, seed: int = 2015
) -> float:
    """Return the mean error of the value, in standard errors, where each row is the best of so many tries and so many
    are declared; tries differ by a fifth of the residual variance, errors are normal."""
    share = HiddenTries().share
    biases = []
    for field, rng in fields(matrices, seed):
        true, error = field.scores.mean(axis=1), np.sqrt(field.variance / _N_TOPICS)
        for _ in range(n_trials):
            lucky = rng.standard_normal((n_tries, true.size)).max(axis=0)
            means = true + error * (np.sqrt(1.0 - share) * rng.standard_normal(true.size) + np.sqrt(share) * lucky)
            best_set = best_set_from_means(
                means,
                n_topics=_N_TOPICS,
                residual_variance=_N_TOPICS * error**2,
                degrees_of_freedom=60.0,
                value_range=None,
            )
            best = corrected_best_from_means(
                means,
                error_variance=error**2,
                degrees_of_freedom=60.0,
                families=field.families,
                n_in_set=best_set.n_members,
                tries=HiddenTries(n_tries=n_declared, share=share),
            )
            if best.estimate is not None:
                biases.append((best.estimate - true[best.index]) / error)
    return float(np.mean(biases))


def left_out_of_few(
    matrices: Iterable[ScoreMatrix], n_rows: int, known: Known, *, n_trials: int = 150, seed: int = 2015
) -> float:
    """Return how often a set of so few random rows, all equally good, leaves the one that is the best out."""
    constant = gupta_constant(n_rows, 0.95, known.degrees_of_freedom)
    shares = []
    for field, rng in fields(matrices, seed):
        centred = field.scores - field.scores.mean(axis=1, keepdims=True)
        error = np.sqrt(field.variance / _N_TOPICS)
        for _ in range(n_trials):
            rows = rng.choice(len(centred), n_rows, replace=False)
            means = centred[rows][:, rng.integers(centred.shape[1], size=_N_TOPICS)].mean(axis=1)
            error_taken = error * np.sqrt(known.widening * np.exp(known.log_sd * rng.standard_normal()))
            shares.append(float(np.mean(means.max() - means > constant * np.sqrt(2.0) * error_taken)))
    return float(np.mean(shares))


def held_in_groups(n_groups: int, effect: float, *, by_group: bool, n_trials: int = 150, seed: int = 2015) -> float:
    """Return how often a set from topic scores holds the best of ten equal systems, where topics are eight turns each
    of so many conversations and a difference varies ``effect`` times as much as with independent topics."""
    n_turns, n_systems = 8, 10
    alike = (effect - 1.0) / (n_turns - 1)
    names = tuple(f"system {place}" for place in range(n_systems))
    groups = tuple(f"conversation {place // n_turns}" for place in range(n_groups * n_turns))
    topics = tuple(f"{group} turn {place % n_turns}" for place, group in enumerate(groups))
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(n_trials):
        of_groups = np.repeat(rng.standard_normal((n_systems, n_groups)), n_turns, axis=1)
        alone = rng.standard_normal((n_systems, len(topics)))
        scores = np.sqrt(alike) * of_groups + np.sqrt(1.0 - alike) * alone
        best_set = confidence_set_for_best(
            ScoreMatrix(names, topics, scores), rng, n_resamples=_N_RESAMPLES, topic_groups=groups if by_group else None
        )
        held += names[0] in best_set.members
    return held / n_trials


def worth_lines(matrices: Iterable[ScoreMatrix], *, n_trials: int) -> Iterator[str]:
    """Yield the tables as lines of text."""
    all_matrices = list(matrices)
    n_fields = sum(1 for _ in fields(all_matrices, 0))
    yield f"Value and interval, {n_fields} matrices, in standard errors: root mean square of the printed score, drawn"
    yield "to the mean alone, and as it is given; its bias; how often the interval holds, and in the worst matrix"
    for name, off in values_off(all_matrices, n_trials=n_trials).items():
        errors = f"{off.printed:6.2f}{off.shrunk:6.2f}{off.value:6.2f}{off.bias:+7.2f}"
        yield f"{name:<24}{errors}{off.held:7.3f}{off.held_worst:6.2f}"
    yield "Bias where each row is the best of so many tries: as many told, one told"
    for n_tries in (1, 3, 10, 30):
        right, none = (
            left_by_dial(all_matrices, n_tries, n_declared, n_trials=n_trials) for n_declared in (n_tries, 1)
        )
        yield f"{n_tries:<24}{right:+6.2f}{none:+6.2f}"
    yield "The best of so few equal rows is left out, by how the variance is known"
    for n_rows in (2, 3, 5, 10):
        shares = (f"{left_out_of_few(all_matrices, n_rows, known, n_trials=n_trials):8.3f}" for known in KINDS.values())
        yield f"{n_rows:<24}{''.join(shares)}  ({', '.join(KINDS)})"
    yield "Conversations of eight turns, all equal: the set holds the best, by conversations and by turns"
    for n_groups in (19, 50):
        for effect in (1.0, 1.2, 1.7, 3.3):
            by = (
                f"{held_in_groups(n_groups, effect, by_group=by_group, n_trials=n_trials):7.3f}"
                for by_group in (True, False)
            )
            yield f"{n_groups} of effect {effect:<10}{''.join(by)}"


#: Results at first and at last, of which one comes at a time.
_FIRST, _LAST = 20, 400
#: The constant is found for so many numbers of results, and between them by the logarithm of their number.
_N_KNOTS = 25


class LeftOut(NamedTuple):
    """The share of leaderboards that leave the best out on some day: whenever it came, and if it was there first."""

    on_some_day: float
    from_the_start: float


def left_out_while_growing(
    degrees_of_freedom: float, times: int, *, n_boards: int = 20_000, seed: int = 2015
) -> LeftOut:
    """Simulate leaderboards of equally good results with the true variance and the constant of so many ``times`` their
    number, of 95 % and these degrees of freedom."""
    numbers = np.arange(_FIRST, _LAST + 1)
    knots = np.unique(np.geomspace(_FIRST, _LAST, _N_KNOTS).round().astype(int))
    constants = [gupta_constant(times * int(k), 0.95, degrees_of_freedom) for k in knots]
    margins = np.sqrt(2.0) * np.interp(np.log(numbers), np.log(knots), constants)
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((n_boards, _LAST), dtype=np.float32)
    leading = np.maximum.accumulate(scores, axis=1)[:, _FIRST - 1 :]
    came = rng.integers(_LAST, size=n_boards)
    best = scores[np.arange(n_boards), came]
    is_out = (leading - best[:, None] > margins) & (numbers > came[:, None])
    first = leading - scores[:, :1] > margins
    return LeftOut(float(is_out.any(axis=1).mean()), float(first.any(axis=1).mean()))
