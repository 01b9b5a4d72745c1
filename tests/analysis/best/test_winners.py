"""What is said about the winner: James-Stein, bootstrap optimism, the report and when it withholds an interval."""

import numpy as np
import pytest

from analysis.best import estimate_winner
from analysis.best._winner import bootstrap_optimism, winner_james_stein, winner_naive
from analysis.errors import DegenerateWarning
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix, orthogonal_matrix, shuffled


def ends(winner):
    return winner.interval.low, winner.interval.high


class TestWinnerJamesStein:
    def test_reference_values_of_trec_7(self):
        winner = winner_james_stein(shipped_matrix("trec-7-adhoc__AP"))
        assert winner.system == "run16"
        assert winner.details["shrinkage"] == pytest.approx(0.963653, abs=6e-7)
        assert winner.estimate == pytest.approx(0.364027, abs=6e-7)
        assert ends(winner) == pytest.approx((0.310518, 0.417535), abs=6e-7)

    def test_reference_values_of_robust_2004(self):
        winner = winner_james_stein(shipped_matrix("trec-2004-robust__AP"))
        assert winner.details["shrinkage"] == pytest.approx(0.971952, abs=6e-7)
        assert winner.estimate == pytest.approx(0.427408, abs=6e-7)

    def test_a_case_by_hand(self):
        winner = winner_james_stein(labelled([[0.1, 0.3], [0.2, 0.3], [0.3, 0.5], [0.5, 0.6]]))
        # Means 0.2, 0.25, 0.4, 0.55 around 0.35: MSS = 2 * 0.075 / 3. Eight residuals of ±0.025: MSE = 0.005 / 3.
        shrinkage = 1 - (1 / 3) * (0.005 / 3) / 0.05
        assert winner.details["grand_mean"] == pytest.approx(0.35)
        assert winner.details["shrinkage"] == pytest.approx(shrinkage)
        assert winner.estimate == pytest.approx(0.35 + shrinkage * 0.2)

    def test_the_interval_is_as_wide_as_the_naive_one(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 10))
        shrunk, naive = ends(winner_james_stein(matrix)), ends(winner_naive(matrix))
        assert shrunk[1] - shrunk[0] == pytest.approx(naive[1] - naive[0])
        assert shrunk[1] < naive[1]

    def test_equal_runs_are_shrunk_to_their_average(self):
        winner = winner_james_stein(orthogonal_matrix(np.full(20, 0.3), standard_error=0.01))
        assert winner.details["shrinkage"] == 0
        assert winner.estimate == pytest.approx(0.3)

    @pytest.mark.parametrize("n_systems", [2, 3])
    def test_too_few_runs_are_not_shrunk(self, n_systems):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, n_systems))
        assert winner_james_stein(matrix).details["shrinkage"] == 1
        assert winner_james_stein(matrix).estimate == pytest.approx(winner_naive(matrix).estimate)

    def test_runs_that_differ_by_constants_are_not_shrunk(self):
        base = noisy_matrix([0.3]).scores[0]
        winner = winner_james_stein(labelled([base, base + 0.1, base + 0.2, base + 0.3]))
        assert winner.details["shrinkage"] == 1

    def test_constant_scores_have_an_estimate_and_no_interval(self):
        with pytest.warns(DegenerateWarning, match="all scores of the winner, s0, are equal"):
            winner = winner_james_stein(labelled(np.full((5, 6), 0.1)))
        assert winner.estimate == pytest.approx(0.1)
        assert winner.interval is None
        assert "no standard error" in winner.why_no_interval

    def test_direction_order_shift_and_scale(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 10))
        winner = winner_james_stein(matrix)
        low = winner_james_stein(mirrored(matrix), higher_is_better=False)
        assert (low.system, low.estimate) == (winner.system, pytest.approx(1 - winner.estimate))
        assert ends(low) == pytest.approx((1 - winner.interval.high, 1 - winner.interval.low))
        assert winner_james_stein(shuffled(matrix)).estimate == pytest.approx(winner.estimate)
        moved = winner_james_stein(labelled(5 * matrix.scores - 1))
        assert moved.estimate == pytest.approx(5 * winner.estimate - 1)


class TestWinnerNaive:
    def test_reference_interval_of_trec_7(self):
        assert ends(winner_naive(shipped_matrix("trec-7-adhoc__AP"))) == pytest.approx((0.316735, 0.423753), abs=6e-7)

    def test_tied_winners_are_all_named_and_the_first_by_name_reported(self):
        scores = [[0.1, 0.5, 0.3], [0.5, 0.1, 0.3], [0.3, 0.2, 0.4 + 1e-17]]
        winner = winner_naive(ScoreMatrix(["c", "b", "a"], ["1", "2", "3"], scores))
        assert (winner.system, winner.tied) == ("a", ("b", "c"))
        assert (winner.method, winner.details) == ("naive t", {})
        assert winner.why_no_interval is winner.why_unbounded is None


class TestBootstrapOptimism:
    def test_it_agrees_with_the_definition_written_out(self):
        matrix = noisy_matrix(np.full(6, 0.3))
        rng, excess = np.random.default_rng(3), []
        for _ in range(4000):
            topics = rng.integers(50, size=50)
            means = matrix.scores[:, topics].mean(axis=1)
            excess.append(means.max() - matrix.means[means.argmax()])
        optimism = bootstrap_optimism(matrix, rng=1)
        assert optimism.details["optimism"] == pytest.approx(np.mean(excess), abs=0.0008)
        assert optimism.estimate == pytest.approx(matrix.means.max() - optimism.details["optimism"])

    def test_runs_that_tie_in_a_resample_share_it_in_whatever_order_they_come(self):
        """Scores of 0 and 1 on 15 topics tie often, among runs of unequal means."""
        scores = (np.random.default_rng(0).random((12, 15)) < np.linspace(0.3, 0.6, 12)[:, None]) * 1.0
        optimism, turned = (bootstrap_optimism(labelled(rows), 1, n_resamples=500) for rows in (scores, scores[::-1]))
        assert optimism.details["optimism"] == pytest.approx(turned.details["optimism"])

    def test_a_clear_winner_has_none(self):
        assert bootstrap_optimism(noisy_matrix([0.1, 0.9]), rng=1).details["optimism"] == pytest.approx(0, abs=0.001)

    def test_direction_and_seed(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 5))
        optimism = bootstrap_optimism(matrix, rng=1)
        low = bootstrap_optimism(mirrored(matrix), higher_is_better=False, rng=1)
        assert bootstrap_optimism(matrix, rng=1) == optimism
        assert low.estimate == pytest.approx(1 - optimism.estimate)


class TestEstimateWinner:
    def test_it_leads_with_james_stein_and_lists_the_others(self):
        matrix = shipped_matrix("trec-dl-2019-passage__nDCG-at-10")
        report = estimate_winner(matrix, measure_name="nDCG@10", rng=1)
        leading = winner_james_stein(matrix)
        assert (report.method, report.estimate, report.interval) == ("James-Stein", leading.estimate, leading.interval)
        assert report.shrinkage == leading.details["shrinkage"]
        assert report.raw_mean == matrix.means.max()
        methods = [alternative.method for alternative in report.alternatives]
        assert methods == ["naive t", "bootstrap optimism", "hybrid", "projection", "conditional"]
        assert all(other.system == report.system for other in report.alternatives)
        assert (report.measure_name, report.n_systems, report.n_topics) == ("nDCG@10", matrix.n_systems, 43)
        assert (report.confidence_level, report.n_resamples, report.why_no_interval) == (0.95, 10_000, None)
        scores = matrix.scores[matrix.systems.index(report.system)]
        assert report.standard_error == pytest.approx(scores.std(ddof=1) / np.sqrt(43))

    @pytest.mark.parametrize("measure", ["RR", "RR@10", "RR(rel=2)@10", "P@1", "P(rel=2)@1", "Success@5", "nDCG@1"])
    def test_coarse_measures_get_no_interval(self, measure):
        """Trap: few distinct values and a ceiling; the nominal 95 % interval covers 72 to 86 %."""
        report = estimate_winner(noisy_matrix([0.5, 0.6]), measure_name=measure, n_resamples=200, rng=1)
        assert report.interval is None
        assert report.why_no_interval.startswith(f"{measure} has few distinct values")
        assert all(alternative.interval is None and alternative.why_no_interval for alternative in report.alternatives)
        assert report.estimate is not None

    @pytest.mark.parametrize("measure", ["AP", "P@10", "nDCG@10", "R@100", "RBP(p=0.8)", "P@100", "Rprec", None])
    def test_other_measures_do(self, measure):
        report = estimate_winner(noisy_matrix([0.5, 0.6]), measure_name=measure, n_resamples=200, rng=1)
        assert report.interval is not None
        assert report.why_no_interval is None

    def test_fewer_than_25_topics_get_none(self):
        report = estimate_winner(noisy_matrix([0.5, 0.6], n_topics=24), measure_name="AP", n_resamples=200, rng=1)
        assert report.interval is None
        assert "24 topics are too few" in report.why_no_interval

    def test_the_estimate_does_not_depend_on_the_seed(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 10))
        reports = [estimate_winner(matrix, n_resamples=200, rng=seed) for seed in (1, 1, 2)]
        assert reports[0] == reports[1]
        assert (reports[0].estimate, reports[0].interval) == (reports[2].estimate, reports[2].interval)
        assert reports[0].alternatives != reports[2].alternatives

    def test_tied_winners(self):
        report = estimate_winner(shipped_matrix("trec-7-adhoc__P-at-10"), measure_name="P@10", rng=1)
        assert (report.system, report.tied) == ("run15", ("run16",))
        assert report.interval is not None

    def test_lower_is_better(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.3, 10))
        report = estimate_winner(matrix, n_resamples=200, rng=1)
        low = estimate_winner(mirrored(matrix), higher_is_better=False, n_resamples=200, rng=1)
        assert (low.system, low.raw_mean) == (report.system, pytest.approx(1 - report.raw_mean))
        assert low.estimate == pytest.approx(1 - report.estimate)
        assert low.raw_mean < low.estimate
