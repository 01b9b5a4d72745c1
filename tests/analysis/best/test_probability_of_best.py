"""How often each run comes first on resampled topics."""

import numpy as np
import pytest

from analysis.best import probability_of_best
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix


def shares(chances):
    return [entry.probability for entry in chances.entries]


def test_two_topics_are_enumerable():
    """Of the four equally likely resamples of two topics, a wins one, b wins one, and two are ties."""
    chances = probability_of_best(labelled([[0.0, 1.0], [1.0, 0.0]]), n_resamples=20_000, rng=1)
    assert shares(chances) == pytest.approx([0.5, 0.5], abs=0.015)
    chances = probability_of_best(labelled([[0.0, 1.0], [0.6, 0.6]]), n_resamples=20_000, rng=1)
    assert shares(chances) == pytest.approx([0.25, 0.75], abs=0.015)


def test_shares_add_up_and_the_caution_stands_beside_them():
    chances = probability_of_best(shipped_matrix("trec-dl-2019-passage__nDCG-at-10"), rng=1)
    assert sum(shares(chances)) == pytest.approx(1)
    assert "not the probability" in chances.to_dict()["caution"]


def test_shares_agree_with_a_loop_that_draws_topics_by_number():
    matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
    rng = np.random.default_rng(2)
    firsts = np.zeros(matrix.n_systems)
    for _ in range(20_000):
        drawn = rng.integers(matrix.n_topics, size=matrix.n_topics)
        firsts[matrix.scores[:, drawn].mean(axis=1).argmax()] += 1
    assert shares(probability_of_best(matrix, n_resamples=20_000, rng=1)) == pytest.approx(firsts / 20_000, abs=0.015)


def test_ties_are_shared_equally():
    row = noisy_matrix([0.5]).scores[0]
    matrix = labelled([row, row, row - 0.1])
    chances = probability_of_best(matrix, n_resamples=200, rng=1)
    assert shares(chances) == [0.5, 0.5, 0.0]
    assert (chances.n_resamples, chances.n_systems, chances.n_topics) == (200, 3, 50)
    assert [(entry.system, entry.mean) for entry in chances.entries] == list(
        zip(matrix.systems, matrix.means, strict=True)
    )


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_ties_are_those_of_rounding_in_any_unit(unit):
    """The first two have the same mean of all three topics, but for rounding."""
    scores = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.15, 0.2]])
    chances, moved = (probability_of_best(labelled(scores * factor), n_resamples=500, rng=1) for factor in (1.0, unit))
    assert shares(moved) == pytest.approx(shares(chances), rel=1e-12)


def test_ties_within_rounding_share_a_win():
    scores = np.array([[0.1, 0.7, 0.2], [0.2, 0.1, 0.7], [0.0, 0.0, 0.0]])
    chances = probability_of_best(labelled(scores), 3, n_resamples=300)
    counts = np.random.default_rng(3).multinomial(3, np.full(3, 1 / 3), size=300)
    draws = counts @ np.rint(scores * 10).astype(int).T
    first = draws == draws.max(axis=1, keepdims=True)
    assert shares(chances) == pytest.approx((first / first.sum(axis=1, keepdims=True)).mean(axis=0).tolist())


def test_direction():
    matrix = noisy_matrix(np.linspace(0.2, 0.25, 5))
    chances = probability_of_best(matrix, rng=1)
    low = probability_of_best(mirrored(matrix), higher_is_better=False, rng=1)
    assert shares(low) == pytest.approx(shares(chances))
