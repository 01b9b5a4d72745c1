"""Scores that can't tell systems apart: everything public refuses them, or warns, or has nothing to do with it.

Callables are discovered as in ``test_public_functions.py``; each gets its example with the scores made degenerate.
"""

import json
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.results import Result
from analysis.scores import ScoreMatrix
from tests.analysis.public_examples import EXAMPLES
from tests.analysis.public_surface import public_callables
from tests.analysis.test_public_functions import parts_of, plain

CALLABLES = dict(public_callables())


def equal(scores: np.ndarray) -> np.ndarray:
    """Return one score everywhere."""
    return np.full(scores.shape, 0.3)


def duplicates(scores: np.ndarray) -> np.ndarray:
    """Return one system under many names."""
    return np.repeat(scores[:1], len(scores), axis=0)


def apart_by_constants(scores: np.ndarray) -> np.ndarray:
    """Return systems that differ by the same on every topic: no residual."""
    return scores[:1] + 0.05 * np.arange(len(scores))[:, None]


def a_pair_of_duplicates(scores: np.ndarray) -> np.ndarray:
    """Return two systems that are one, among others."""
    return np.vstack([scores[:1], scores[:1], scores[2:]])


def one_without_variation(scores: np.ndarray) -> np.ndarray:
    """Return one system with the same score on every topic, above all others."""
    return np.vstack([np.full_like(scores[:1], 0.95), scores[1:]])


DEGENERATE = (equal, duplicates, apart_by_constants, a_pair_of_duplicates, one_without_variation)

#: Arguments of which nothing is said but what one system's scores say, with the ways in which they do no harm.
UNCONCERNED = {
    ("ScoreMatrix.select", "self"): DEGENERATE,
    ("InstanceScores.with_scores", "scores"): DEGENERATE,
    ("standardize", "matrix"): DEGENERATE,
    ("standardized_mean_uncertainty", "matrix"): DEGENERATE,
    ("TopicScoresInput.of", "matrix"): DEGENERATE,
    ("precision_of_means", "scores"): (duplicates,),
    ("scores_maximum_cdf", "scores"): (duplicates,),
    # All of them are the winner then, and its mean is as sure as any.
    ("estimate_winner", "matrix"): (duplicates,),
}

CASES = [
    (name, argument, degenerate)
    for name, example in sorted(EXAMPLES.items())
    for argument, value in example.arguments.items()
    if isinstance(value, ScoreMatrix) or (isinstance(value, np.ndarray) and value.ndim == 2)
    for degenerate in DEGENERATE
]


def answer(name: str, argument: str, degenerate: Any) -> tuple[Any, bool]:
    """Return what comes out, None for a refusal, and whether it warned the caller; any other warning is an error."""
    value = EXAMPLES[name].arguments[argument]
    if isinstance(value, ScoreMatrix):
        changed: Any = ScoreMatrix(value.systems, value.topics, degenerate(value.scores))
    else:
        changed = degenerate(value)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        warnings.simplefilter("always", DegenerateWarning)
        try:
            returned = CALLABLES[name](**(EXAMPLES[name].arguments | {argument: changed}))
        except ArgumentError:
            return None, False
    assert {warning.filename for warning in caught} <= {__file__}
    return returned, bool(caught)


@pytest.mark.parametrize(
    ("name", "argument", "degenerate"),
    CASES,
    ids=[f"{name}:{argument}:{how.__name__}" for name, argument, how in CASES],
)
def test_it_is_refused_or_answered_without_nan(name, argument, degenerate):
    returned, _ = answer(name, argument, degenerate)
    for part in parts_of(returned) if returned is not None else ():
        json.dumps(part.to_dict() if isinstance(part, Result) else part, allow_nan=False)


@pytest.mark.parametrize(
    ("name", "argument", "degenerate"),
    [
        (name, argument, how)
        for name, argument, how in CASES
        if how in (equal, duplicates) and how not in UNCONCERNED.get((name, argument), ())
    ],
)
def test_systems_that_nothing_tells_apart_are_refused_or_warned_of(name, argument, degenerate):
    returned, warned = answer(name, argument, degenerate)
    assert returned is None or warned


def far_apart(scores: np.ndarray) -> np.ndarray:
    """Return differences of a thousand standard errors."""
    return scores + 20.0 * np.arange(len(scores))[:, None]


@pytest.mark.parametrize(("name", "argument"), list(dict.fromkeys(case[:2] for case in CASES)))
def test_no_p_value_is_ever_0(name, argument):
    returned, _ = answer(name, argument, far_apart)
    values = [value for part in parts_of(returned) for value in pvalues_in(plain(part))]
    assert all(0 < value <= 1 for value in values)


def pvalues_in(value: Any, is_one: bool = False) -> Iterator[float]:
    """Yield the numbers under names that speak of p-values, however deep."""
    if isinstance(value, dict):
        for name, item in value.items():
            is_level = name.endswith(("_edges", "_band"))
            yield from pvalues_in(item, "pvalue" in name and not is_level)
    elif isinstance(value, list):
        for item in value:
            yield from pvalues_in(item, is_one)
    elif is_one and value is not None:
        yield value


def test_a_winner_without_variation_is_warned_of():
    winner, warned = answer("estimate_winner", "matrix", one_without_variation)
    assert warned
    assert winner.interval is None
    assert len(winner.alternatives) == 5
    assert {alternative.interval for alternative in winner.alternatives} == {None}
