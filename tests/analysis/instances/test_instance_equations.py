"""The parts of the model with absent cells: sums of scores against matrices of all scores, and the grid of ratios."""

import numpy as np
import pytest

from analysis.errors import ArgumentError
from analysis.instances._absent_cells_posterior import RatioGrid, _average_counts, _moved, _range, _rule, _support
from analysis.instances._equations import _explained, _sums, _topic_parts, instance_equations
from analysis.instances._reml import fit_reml
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import simulated_table


def uneven(*, deterministic: tuple[str, ...] = (), seed: int = 21) -> InstanceScores:
    """Three instances of A and two of B on six topics; B lacks the last topic, and other cells are absent too."""
    table = simulated_table(np.random.default_rng(seed), 3, 6, instance=0.05)
    absent = {("A", 0, 1), ("A", 2, 1), ("A", 1, 4), ("B", 0, 5), ("B", 1, 5), ("B", 1, 0)}
    if deterministic:
        absent |= {("B", 1, topic) for topic in range(6)}
    cells = [(a, i, t) for a, n in (("A", 3), ("B", 2)) for i in range(n) for t in range(6) if (a, i, t) not in absent]
    labels = zip(*((a, f"{a}{i}", f"t{t}") for a, i, t in cells), strict=True)
    return InstanceScores(*labels, [table["AB".index(a), i, t] for a, i, t in cells], deterministic=deterministic)


def dense(scores: InstanceScores, ratios: tuple[float, float, float], *, topics_are_fixed: bool, copies: int = 1):
    """Means, quadratic form, variance of the contrast and log determinants by generalized least squares."""
    rows, columns = np.nonzero(scores.present)
    names = np.array([name for name, _ in scores.instances])
    repeats = np.where(np.isin(names[rows], scores.deterministic), copies, 1)
    rows, columns = np.repeat(rows, repeats), np.repeat(columns, repeats)
    owner, y = names[rows], scores.scores[rows, columns]
    same_topic, same_owner = columns[:, None] == columns, owner[:, None] == owner
    varies = ~np.isin(owner, scores.deterministic)
    covariance = np.eye(y.size) + ratios[0] * ((rows[:, None] == rows) & varies) + ratios[1] * same_topic
    covariance = covariance + ratios[2] * (same_topic & same_owner)
    blocks = [columns == topic for topic in range(scores.n_topics)]
    design = np.column_stack([owner == "A", *(blocks if topics_are_fixed else [owner == "B"])]).astype(float)
    inverse = np.linalg.inv(covariance)
    information = np.linalg.inv(design.T @ inverse @ design)
    effects = information @ design.T @ inverse @ y
    rest = y - design @ effects
    contrast = np.zeros(design.shape[1])
    contrast[0] = 1
    if not topics_are_fixed:
        contrast[1] = -1
    determinants = np.linalg.slogdet(covariance)[1] - np.linalg.slogdet(information)[1]
    return effects @ contrast, rest @ inverse @ rest, contrast @ information @ contrast, determinants


RATIOS = [(0.0, 0.0, 0.0), (0.3, 0.0, 0.7), (0.0, 2.0, 0.0), (1.5, 4.0, 0.2), (0.01, 0.5, 9.0)]


@pytest.mark.parametrize(("deterministic", "copies"), [((), 1), (("B",), 1), (("B",), 3)])
def test_the_sums_answer_as_the_matrix_of_all_scores_does(deterministic, copies):
    scores = uneven(deterministic=deterministic)
    equations = instance_equations(scores, True, copies=copies)
    for ratios in RATIOS:
        found, expected = (
            equations.solve(np.array(ratios)),
            dense(scores, ratios, topics_are_fixed=False, copies=copies),
        )
        answers = found.means[0] - found.means[1], found.quadratic, found.contrast_variance, found.log_determinants
        assert answers == pytest.approx(expected, rel=1e-8)
    within = [(one, other) for one, zero, other in RATIOS if zero in (0.0, 4.0)]
    answers = [equations.solve_within_topics(*pair) for pair in within]
    expected = [dense(scores, (one, 0.0, other), topics_are_fixed=True, copies=copies) for one, other in within]
    for found, known in zip(answers, expected, strict=True):
        assert (found.means[0], found.quadratic, found.contrast_variance) == pytest.approx(known[:3], rel=1e-8)
        assert found.means[1] == 0
        # Log determinants are the same but for a constant.
        shift = answers[0].log_determinants - expected[0][3]
        assert found.log_determinants - known[3] == pytest.approx(shift, abs=1e-8)


def test_the_sums_count_scores_topics_and_instances():
    equations = instance_equations(uneven(), True)
    # Topics 0 to 5 have 3+1, 1+2, 3+2, 3+2, 2+2 and 3+0 scores; 2 and 3 are of one kind.
    assert sorted(zip(equations.topics.size.tolist(), equations.topics.counts.tolist(), strict=True)) == [
        (1.0, [1.0, 2.0]),
        (1.0, [2.0, 2.0]),
        (1.0, [3.0, 0.0]),
        (1.0, [3.0, 1.0]),
        (2.0, [3.0, 2.0]),
    ]
    assert equations.n_free == 24 - 2
    assert equations.used.tolist() == [0, 1, 2]
    # 24 scores of 5 instances, on 6 topics, in 11 cells.
    assert equations.scores_of_effects == pytest.approx([24 / 5, 24 / 6, 24 / 11])
    # The first and third instance of A have the same topics.
    kinds = equations.instances
    assert sorted(zip(kinds.owner.tolist(), kinds.size.tolist(), kinds.n_scores.tolist(), strict=True)) == [
        (0, 1.0, 5.0), (0, 2.0, 5.0), (1, 1.0, 4.0), (1, 1.0, 5.0)
    ]  # fmt: skip
    repeats = instance_equations(uneven(), False)
    assert repeats.used.tolist() == [1, 2]
    assert repeats.scores_of_effects == pytest.approx([24 / 6, 24 / 11])
    only_a = instance_equations(uneven(deterministic=("B",)), True)
    assert only_a.instances.owner.tolist() == [0, 0]
    assert only_a.used.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("topic", "interaction"), [((1.0, 0.8), 0.3), ((1.0, 0.0), 2.0), ((1.0, 0.0), 0.0)])
def test_the_effects_of_a_topic_are_eliminated_as_by_matrices(topic, interaction):
    counts = np.array([[3.0, 2.0], [1.0, 4.0], [2.0, 0.0]])
    parts = _topic_parts(counts, topic, interaction)
    covariance = interaction * np.eye(2) + topic[1]
    for place, row in enumerate(counts):
        lost = np.eye(2) + covariance @ np.diag(row)
        assert parts.outside[place] == pytest.approx(np.linalg.inv(lost))
        assert parts.kept[place] == pytest.approx(np.diag(row) @ np.linalg.inv(lost))
        assert parts.determinant[place] == pytest.approx(np.linalg.det(lost))
        factor = parts.factor[place]
        assert factor @ factor.T == pytest.approx(np.linalg.inv(lost) @ covariance)


@pytest.mark.parametrize("n_shared", [2, 4, 6])
def test_instances_are_eliminated_by_the_smaller_side_or_the_other_alike(n_shared):
    rng = np.random.default_rng(n_shared)
    alone, shared = 5 + rng.random(4), rng.normal(size=(n_shared, 4)) / 3
    known = rng.normal(size=(4, 3))
    matrix = np.diag(alone) - shared.T @ shared
    explained, log_determinant = _explained(alone, shared, known)
    assert explained == pytest.approx(known.T @ np.linalg.inv(matrix) @ known)
    assert log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1])


def test_rows_are_summed_by_group_and_none_make_none():
    rows = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    assert _sums(rows, np.array([1, 0, 1])).tolist() == [[10.0, 20.0], [101.0, 202.0]]
    assert _sums(np.zeros(0), np.zeros(0, dtype=np.intp)).tolist() == []


class TestGridOfRatios:
    def test_topics_of_an_instance_and_instances_of_a_topic_are_averages_of_what_is_there(self):
        # A has 3, 1, 3, 3, 2, 3 instances of the topics; B has 1, 2, 2, 2, 2 and lacks the last.
        n_topics, n_instances = _average_counts(uneven())
        assert n_topics == pytest.approx(24 / 5)
        assert n_instances == pytest.approx(2 / (6 / 15 + 5 / 9))
        alone = uneven(deterministic=("B",))
        assert _average_counts(alone) == pytest.approx((5.0, 2 * 15 / 6))

    def test_a_rule_is_of_the_range_and_integrates_polynomials(self):
        nodes, weights = _rule(2.0, 5.0)
        assert nodes.size == weights.size == 20
        assert ((nodes > 2) & (nodes < 5)).all()
        assert weights.sum() == pytest.approx(3)
        assert weights @ nodes**7 == pytest.approx((5**8 - 2**8) / 8)

    def test_one_coordinate_is_moved_and_the_other_kept(self):
        assert _moved(lambda logs: 10 * logs[0] + logs[1], [3.0, 4.0], 0, 7.0) == 74
        assert _moved(lambda logs: 10 * logs[0] + logs[1], [3.0, 4.0], 1, 7.0) == 37

    def test_the_range_ends_at_the_first_step_beyond_the_drop_or_at_the_limits(self):
        low, high = _range(lambda log: -((log - 9) ** 2), 9.0)
        # Steps are .1 times powers of 1.4; the density falls by 20 at a distance of 4.47.
        step = 0.1 * 1.4**12
        assert (low, high) == pytest.approx((9 - step, 9 + step))
        assert 0.1 * 1.4**11 < np.sqrt(20) < step
        assert _range(lambda log: 0.0, 3.0) == (0.0, 20.0)
        assert _range(lambda log: -2 * log, 0.0) == (0.0, pytest.approx(0.1 * 1.4**14))

    def test_the_support_is_around_the_highest_point_of_both(self):
        def log_density(logs):
            return -2 * (logs[0] - 8) ** 2 - 8 * (logs[1] - 6) ** 2

        (first_low, first_high), (second_low, second_high) = _support(log_density)
        assert (first_low + first_high) / 2 == pytest.approx(8, abs=1e-4)
        assert (second_low + second_high) / 2 == pytest.approx(6, abs=1e-4)
        assert (first_high - first_low) / 2 == pytest.approx(0.1 * 1.4**11, abs=1e-4)
        assert (second_high - second_low) / 2 == pytest.approx(0.1 * 1.4**9, abs=1e-4)

    def test_draws_are_of_the_mixture_of_t_distributions(self):
        grid = RatioGrid(np.array([0.2, 0.8]), np.array([-1.0, 3.0]), np.array([0.5, 2.0]), 12)
        centres, errors = grid.draws(40_000, np.random.default_rng(1))
        assert np.mean(centres == -1) == pytest.approx(0.2, abs=0.01)
        assert set(centres) == {-1.0, 3.0}
        for centre, scale in ((-1, 0.5), (3, 2.0)):
            # The mean of df over chi-squared is df / (df - 2).
            assert np.mean(errors[centres == centre] ** 2) == pytest.approx(scale**2 * 12 / 10, rel=0.02)


def test_a_component_below_the_negligible_is_0_and_the_others_are_as_they_were():
    rng = np.random.default_rng(3)
    table = simulated_table(rng, 4, 12, instance=0.0)
    cells = list(np.ndindex(table.shape))[1:]
    labels = zip(*(("AB"[a], str(i), str(t)) for a, i, t in cells), strict=True)
    fit = fit_reml(InstanceScores(*labels, [table[cell] for cell in cells]))
    for name in ("instance", "topic", "algorithm_topic"):
        assert (getattr(fit.components, name) == 0) == (name in fit.components.truncated)
    assert fit.difference == pytest.approx(fit.means[0] - fit.means[1])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"scores": [[0.1]]}, "scores must be of type InstanceScores"),
        ({"instance_effect": 1}, "instance_effect must be True or False"),
    ],
)
def test_a_fit_refuses_what_is_no_such_argument(value, message):
    with pytest.raises(ArgumentError, match=message):
        fit_reml(**({"scores": uneven()} | value))
