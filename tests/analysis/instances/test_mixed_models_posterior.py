"""The posterior of a difference: reference intervals, plain rejection sampling, symmetry, what is refused."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from analysis.errors import ArgumentError
from analysis.instances import compare_algorithms, posterior_difference
from analysis.instances._posterior import RatioGrid, posterior_normals, ratio_grid
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import only_cells, simulated_table, table_with_mean_squares
from tests.thoroughness import every


def posterior_draws(scores, first, second, seed, n_draws=20_000) -> np.ndarray:
    """Return draws of the difference, one from each of the normal distributions whose mixture the posterior is."""
    rng = np.random.default_rng(seed)
    centres, errors = posterior_normals(scores, first, second, rng, n_draws)
    return centres + errors * rng.standard_normal(n_draws)


def shortest_window(draws: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    ordered = np.sort(draws)
    inside = int(np.ceil(level * ordered.size))
    start = int(np.argmin(ordered[inside - 1 :] - ordered[: ordered.size - inside + 1]))
    return ordered[start], ordered[start + inside - 1]


def rejection_draws(squares: tuple[float, float, float], r: int, n_topics: int, n_draws: int) -> np.ndarray:
    """Return draws around 0 by the definition: scaled inverse chi-squared, kept where both lie above the residual."""
    rng = np.random.default_rng(3)
    dfs = 2 * (r - 1), n_topics - 1, 2 * (r - 1) * (n_topics - 1)
    instance, cell, residual = (
        square * df / rng.chisquare(df, n_draws) for square, df in zip(squares, dfs, strict=True)
    )
    is_possible = (instance > residual) & (cell > residual)
    variance = 2 / (r * n_topics) * (instance + cell - residual)[is_possible]
    return np.sqrt(variance) * rng.standard_normal(is_possible.sum())


SQUARES = (0.0042658, 0.013833, 0.0013818)
#: The last two have instances, or cells, that vary no more than the residual.
ALL_SQUARES = (SQUARES, (0.0009, 0.0015, 0.0013818), (0.002, 0.0008, 0.0013818))
REFERENCE = InstanceScores.from_array(table_with_mean_squares(*SQUARES, 0.0073745, n_instances=6, n_topics=40))


def test_reference_interval_of_six_instances_and_forty_topics():
    interval = posterior_difference(REFERENCE, "A", "B", 1, n_draws=50_000).interval
    assert interval.low == pytest.approx(-0.0169, abs=3e-4)
    assert interval.high == pytest.approx(0.0321, abs=3e-4)


@pytest.mark.parametrize("squares", every(2, ALL_SQUARES, __file__, start=1))
def test_rejection_sampling_agrees_also_where_most_draws_are_rejected(squares):
    scores = InstanceScores.from_array(table_with_mean_squares(*squares, 0.0, n_instances=6, n_topics=40))
    interval = posterior_difference(scores, "A", "B", 1, n_draws=50_000).interval
    slow = np.quantile(np.abs(rejection_draws(squares, 6, 40, 1_000_000)), 0.95)
    assert interval.high == pytest.approx(slow, rel=0.02)
    assert interval.low == pytest.approx(-interval.high, abs=1e-9)


def test_the_interval_is_the_shortest_window_of_the_draws():
    draws = posterior_draws(REFERENCE, "A", "B", 5, n_draws=200_000)
    low, high = shortest_window(draws)
    interval = posterior_difference(REFERENCE, "A", "B", 5).interval
    assert interval.high - interval.low == pytest.approx(high - low, rel=0.01)
    assert interval.low == pytest.approx(low, abs=6e-4)


def test_against_a_deterministic_algorithm_the_interval_is_near_satterthwaites():
    table = simulated_table(np.random.default_rng(12), 8, 60, instance=0.03)
    table[1] = table[1, :1]
    scores = InstanceScores.from_array(table, deterministic=["B"])
    posterior, plain = posterior_difference(scores, "A", "B", 1), compare_algorithms(scores, "A", "B")
    assert posterior.interval.low == pytest.approx(plain.interval.low, rel=0.05, abs=2e-3)
    assert posterior.interval.high == pytest.approx(plain.interval.high, rel=0.05, abs=2e-3)


def test_two_deterministic_algorithms_have_the_t_distribution_as_posterior():
    table = simulated_table(np.random.default_rng(12), 1, 30)
    scores = InstanceScores.from_array(table, deterministic=["A", "B"])
    expected = stats.ttest_rel(table[0, 0], table[1, 0]).confidence_interval()
    interval = posterior_difference(scores, "A", "B", 1, n_draws=100_000).interval
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=0.01)
    draws = posterior_draws(scores, "A", "B", 1)
    shift, scale = np.mean(expected), np.std(table[0, 0] - table[1, 0], ddof=1) / np.sqrt(30)
    assert stats.kstest((draws - shift) / scale, stats.t(29).cdf).pvalue > 0.001


def test_probability_of_being_higher_is_that_of_the_draws():
    posterior = posterior_difference(REFERENCE, "A", "B", 1)
    draws = posterior_draws(REFERENCE, "A", "B", 2, n_draws=100_000)
    assert posterior.probability_first_higher == pytest.approx(np.mean(draws > 0), abs=0.01)
    swapped = posterior_difference(REFERENCE, "B", "A", 1)
    assert swapped.probability_first_higher == pytest.approx(1 - posterior.probability_first_higher, abs=1e-3)


def test_absent_cells_are_refused_where_nothing_varies():
    gappy = InstanceScores(list("AAABB"), ["1"] * 5, list("12312"), np.arange(5) / 10, deterministic=["A", "B"])
    with pytest.raises(ArgumentError, match="must have no absent cells if nothing varies"):
        posterior_difference(gappy, "A", "B", 1)


def test_instances_that_never_differ_are_refused():
    table = np.tile(simulated_table(np.random.default_rng(1), 1, 10), (1, 3, 1))
    with pytest.raises(ArgumentError, match="is to be named deterministic"):
        posterior_difference(InstanceScores.from_array(table), "A", "B", 1)


def without_cells(table: np.ndarray, absent: float, seed: int = 8) -> InstanceScores:
    """Return the scores of the table with a share of the cells left out at random."""
    return only_cells(table, np.random.default_rng(seed).random(table.shape) >= absent)


def dense_mixture(scores: InstanceScores) -> tuple[float, float]:
    """Return mean and sd of the posterior from the covariance matrix of all scores, over a plain grid of two ratios."""
    rows, columns = np.nonzero(scores.present)
    y = scores.scores[rows, columns]
    owner = np.array([scores.algorithms.index(name) for name, _ in scores.instances])[rows]
    same_cell = (owner[:, None] == owner) & (columns[:, None] == columns)
    same_instance = rows[:, None] == rows
    design = np.column_stack([owner == 0, *(columns == topic for topic in range(scores.n_topics))]).astype(float)
    n_topics = same_instance[0].size / len(scores.instances)
    per_topic = [scores.present[[name == which for name, _ in scores.instances]].sum(axis=0) for which in "AB"]
    n_instances = 2 / sum(1 / counts[counts > 0].mean() for counts in per_topic)
    df = y.size - design.shape[1]
    points = []
    for of_topics in np.linspace(0.0, 9.0, 41):
        for other in np.linspace(0.0, 7.0, 41):
            ratios = np.expm1(of_topics) / n_topics, np.expm1(other) / n_instances
            inverse = np.linalg.inv(np.eye(y.size) + ratios[0] * same_instance + ratios[1] * same_cell)
            information = design.T @ inverse @ design
            effects = np.linalg.solve(information, design.T @ inverse @ y)
            rest = y - design @ effects
            square = rest @ inverse @ rest
            log_density = 0.5 * np.linalg.slogdet(inverse)[1] - 0.5 * np.linalg.slogdet(information)[1]
            edge = (0.5 if of_topics == 0 else 1.0) * (0.5 if other == 0 else 1.0)
            variance = square / (df - 2) * np.linalg.inv(information)[0, 0]
            points.append((log_density - 0.5 * df * np.log(square) + np.log(edge), effects[0], variance))
    logs, means, variances = np.array(points).T
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean = weights @ means
    return mean, np.sqrt(weights @ (variances + (means - mean) ** 2))


class TestAbsentCells:
    TABLE = simulated_table(np.random.default_rng(4), 3, 8, instance=0.03)

    def test_it_agrees_with_the_covariance_matrix_of_all_scores(self):
        scores = without_cells(self.TABLE, 0.2)
        assert scores.n_absent > 5
        mean, sd = dense_mixture(scores)
        grid = ratio_grid(scores.select(["A", "B"]))
        found_mean = grid.probabilities @ grid.centres
        spread = grid.scales**2 * grid.df / (grid.df - 2) + (grid.centres - found_mean) ** 2
        assert found_mean == pytest.approx(mean, abs=0.002 * sd)
        assert np.sqrt(grid.probabilities @ spread) == pytest.approx(sd, rel=0.005)

    @pytest.mark.parametrize("squares", every(3, ALL_SQUARES, __file__, start=2))
    def test_on_complete_data_it_is_the_closed_form(self, squares):
        scores = InstanceScores.from_array(table_with_mean_squares(*squares, 0.007, n_instances=6, n_topics=40))
        closed = posterior_difference(scores, "A", "B", 1, n_draws=50_000).interval
        assert grid_radius(ratio_grid(scores)) == pytest.approx((closed.high - closed.low) / 2, rel=1e-3)

    def test_against_a_deterministic_algorithm_too(self):
        table = simulated_table(np.random.default_rng(12), 5, 40, instance=0.03)
        table[1] = table[1, :1]
        scores = InstanceScores.from_array(table, deterministic=["B"])
        closed = posterior_difference(scores, "A", "B", 1, n_draws=50_000).interval
        assert grid_radius(ratio_grid(scores)) == pytest.approx((closed.high - closed.low) / 2, rel=1e-3)

    def test_a_few_absent_cells_move_the_interval_little(self):
        table = simulated_table(np.random.default_rng(4), 5, 40)
        complete = posterior_difference(InstanceScores.from_array(table), "A", "B", 1)
        gappy = posterior_difference(without_cells(table, 0.02), "A", "B", 1)
        assert gappy.estimate == pytest.approx(complete.estimate, abs=2e-3)
        assert gappy.interval.high == pytest.approx(complete.interval.high, abs=3e-3)
        assert gappy.interval.low < gappy.estimate < gappy.interval.high

    def test_draws_interval_and_probability_agree(self):
        scores = without_cells(self.TABLE, 0.2)
        posterior = posterior_difference(scores, "A", "B", 1, n_draws=50_000)
        draws = posterior_draws(scores, "A", "B", 2, n_draws=50_000)
        inside = (posterior.interval.low <= draws) & (draws <= posterior.interval.high)
        assert inside.mean() == pytest.approx(0.95, abs=0.004)
        assert posterior.probability_first_higher == pytest.approx(np.mean(draws > 0), abs=0.01)
        low, high = shortest_window(draws)
        assert posterior.interval.high - posterior.interval.low == pytest.approx(high - low, rel=0.03)

    def test_shift_scale_and_order_carry_over(self):
        scores = without_cells(self.TABLE, 0.2)
        plain = ratio_grid(scores)
        scaled = ratio_grid(scores.with_scores(100 * scores.scores + 5))
        assert scaled.scales == pytest.approx(100 * plain.scales, rel=1e-5)
        swapped = ratio_grid(scores.select(["B", "A"]))
        assert -swapped.probabilities @ swapped.centres == pytest.approx(plain.probabilities @ plain.centres, rel=1e-6)


def grid_radius(grid: RatioGrid, level: float = 0.95) -> float:
    """Return the half-width of the central interval of the mixture of t distributions on a grid."""
    middle = grid.probabilities @ grid.centres

    def inside(half: float) -> float:
        upper, lower = (stats.t.cdf((middle + end - grid.centres) / grid.scales, grid.df) for end in (half, -half))
        return grid.probabilities @ (upper - lower) - level

    return brentq(inside, 0.0, 1.0)


@pytest.mark.slow
def test_the_interval_covers_the_truth_with_absent_cells():
    """4 instances, 30 topics, a tenth of the cells absent; 200 simulations leave a standard error of .015 at .95."""
    rng = np.random.default_rng(32)
    covered = 0
    for seed in range(200):
        scores = without_cells(simulated_table(rng, 4, 30), 0.1, seed)
        interval = posterior_difference(scores, "A", "B", rng, n_draws=2000).interval
        covered += interval.low <= 0 <= interval.high
    assert 0.91 <= covered / 200 <= 0.99


@pytest.mark.slow
def test_the_interval_covers_the_truth_as_often_as_it_says():
    """5 instances, 50 topics; 600 simulations leave a standard error of .009 at .95."""
    rng = np.random.default_rng(31)
    covered = 0
    for _ in range(600):
        scores = InstanceScores.from_array(simulated_table(rng, 5, 50, topic=0))
        interval = posterior_difference(scores, "A", "B", rng, n_draws=2000).interval
        covered += interval.low <= 0 <= interval.high
    assert 0.92 <= covered / 600 <= 0.985


def test_many_topics_leave_impossible_residuals_undrawn():
    table = simulated_table(np.random.default_rng(5), 2, 90)
    posterior = posterior_difference(InstanceScores.from_array(table), "A", "B", 1, n_draws=1000)
    assert posterior.interval.low + posterior.interval.high == pytest.approx(2 * posterior.estimate, abs=1e-9)
    assert posterior.estimate == pytest.approx(table[0].mean() - table[1].mean())


def test_as_many_scores_as_the_effects_use_up_are_too_few():
    scores = InstanceScores(list("AABB"), list("1212"), ["1", "2", "3", "3"], [0.1, 0.2, 0.4, 0.3])
    with pytest.raises(ArgumentError, match="scores must hold more scores than topics and instances use up"):
        posterior_difference(scores, "A", "B", 1)


def test_absent_cells_of_scores_that_do_not_vary_are_refused():
    flat = InstanceScores(list("AAAAABBBBB"), list("1112211122"), list("1231212313"), [0.5] * 5 + [0.25] * 5)
    with pytest.raises(ArgumentError, match="scores must vary around algorithms, instances and topics"):
        posterior_difference(flat, "A", "B", 1)
