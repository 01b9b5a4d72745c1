"""The best score without the luck of coming first."""

import json

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.best import (
    WhyNoInterval,
    WhyNotCorrected,
    corrected_best,
    corrected_best_from_means,
    maximum_distribution,
)
from analysis.best._winner_estimates import winner_james_stein
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.reliability import family_weighted_variance
from analysis.scores import MeasureKind, ScoreMatrix, measure_nature
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.reliability.test_families import median_variance, united
from tests.analysis.simulated import labelled, mirrored, noisy_matrix
from tests.published_means import comparable_rows, complete_rows

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239]
AP = MeasureKind.MANY_VALUED

#: Raw mean, corrected mean and interval, of a study that took families by the variance of differences.
MATRICES = {
    "trec-7-adhoc__AP": (0.3702, 0.3641, 0.3106, 0.4176),
    "trec-8-adhoc__AP": (0.4692, 0.4630, 0.3993, 0.5267),
    "trec-2004-robust__AP": (0.4308, 0.4260, 0.3825, 0.4695),
    "trec-2003-robust__AP": (0.3111, 0.3074, 0.2649, 0.3499),
    "trec-5-adhoc__P-at-10": (0.5660, 0.5531, 0.4592, 0.6470),
    "clef-tar-2019-abs__AP": (0.5278, 0.5261, 0.4222, 0.6301),
}
#: Of the same study: topics, residual variance, raw and corrected score of leaderboards as they ship.
LEADERBOARDS = {
    ("trec-2004-robust", "AP"): (249, 0.014542, 0.3686, 0.3664),
    ("beir-scidocs", "nDCG@10"): (1000, 0.096221, 0.5986, 0.5968),
    ("beir-arguana", "nDCG@10"): (1406, 0.096221, 0.8979, 0.8969),
    ("beir-fiqa", "nDCG@10"): (648, 0.096221, 0.8206, 0.8177),
    ("msmarco-passage-dev", "RR@10"): (6980, 0.096221, 0.4630, 0.4626),
    ("trec-dl-2019-passage", "nDCG@10"): (43, 0.018961, 0.7781, 0.7697),
}


def families_of_the_study(matrix: ScoreMatrix) -> list[str]:
    limit = 0.1 * median_variance(matrix)
    return united(matrix, lambda difference: np.var(difference, ddof=1) <= limit)


class TestReferenceValues:
    @pytest.mark.parametrize("name", MATRICES)
    def test_matrices_of_trec_and_clef(self, name):
        matrix = distinct_matrix(name)
        found = corrected_best(matrix, kind=AP, families=families_of_the_study(matrix))
        ends = found.interval.low, found.interval.high
        assert (found.raw, found.estimate, *ends) == pytest.approx(MATRICES[name], abs=5.1e-5)

    @pytest.mark.parametrize("board", LEADERBOARDS, ids=lambda board: " ".join(board))
    def test_leaderboards_that_ship(self, board):
        n_topics, variance, raw, corrected = LEADERBOARDS[board]
        means, families = comparable_rows(*board)
        found = corrected_best_from_means(means, error_variance=variance / n_topics, families=families)
        assert (round(found.raw, 4), round(found.estimate, 4)) == (raw, corrected)

    @pytest.mark.parametrize(("toolkits", "corrected"), [(False, 0.6924), (True, 0.6925)])
    def test_an_average_over_collections(self, toolkits, corrected):
        names = "arguana climate-fever dbpedia-entity fever fiqa hotpotqa nfcorpus nq quora scidocs scifact trec-covid"
        collections = tuple(f"beir-{name}" for name in (*names.split(), "webis-touche2020"))
        scores, families = complete_rows(collections, "nDCG@10", toolkits=toolkits)
        variance = family_weighted_variance(labelled(scores), families) / 13
        found = corrected_best_from_means(scores.mean(axis=1), error_variance=variance, families=families)
        assert (round(found.raw, 4), round(found.estimate, 4)) == (0.7048, corrected)


class TestFromMeans:
    def test_by_hand(self):
        found = corrected_best_from_means(MEANS, error_variance=0.00024)
        # F = 5: m = min(20, 4, max(3, 2)) = 3.
        spacing = (1 * 0.007 + 2 * 0.015 + 3 * 0.036) / 3
        assert found.luck.n_spacings == 3
        assert found.luck.mean_spacing == pytest.approx(spacing)
        assert found.luck.amount == pytest.approx(0.00024 * 2 / (3 * spacing))
        assert (found.luck.bound, found.luck.n_families, found.luck.error_variance) == ("spacings", 5, 0.00024)
        assert (found.raw, found.index, found.n_tied) == (0.303, 0, 1)
        assert found.estimate == pytest.approx(0.303 - found.luck.amount)

    @pytest.mark.parametrize(("n_families", "m"), [(4, 3), (5, 3), (8, 3), (9, 4), (20, 9), (41, 20), (99, 20)])
    def test_how_many_spacings(self, n_families, m):
        found = corrected_best_from_means(np.linspace(0.2, 0.5, n_families), error_variance=1e-6)
        assert found.luck.n_spacings == m

    def test_tweedies_formula_with_an_exponential_tail(self):
        """Scores that fall off like exp(-y / b): the expected true mean of y is y - v / b."""
        rng = np.random.default_rng(2)
        true, error = rng.exponential(0.05, 4_000_000), 0.01
        seen = true + rng.normal(0, error, true.size)
        near = np.abs(seen - 0.1) < 0.005
        assert (seen[near] - true[near]).mean() == pytest.approx(error**2 / 0.05, rel=0.05)
        lucks = [
            corrected_best_from_means(rng.exponential(0.05, 100), error_variance=error**2).luck.amount
            for _ in range(2000)
        ]
        assert np.mean(lucks) == pytest.approx(error**2 / 0.05, rel=0.03)

    def test_no_more_than_equal_systems_gain(self):
        near_tie = [*(0.3 - 1e-5 * np.arange(25)), *np.linspace(0.05, 0.1, 35)]
        found = corrected_best_from_means(near_tie, error_variance=4e-4)
        assert found.luck.bound == "equal-systems"
        assert found.luck.amount == pytest.approx(0.02 * maximum_distribution(60).mean())

    def test_no_more_than_to_the_median(self):
        found = corrected_best_from_means([0.31, 0.30, 0.30, 0.30, 0.30], error_variance=1.0)
        assert (found.luck.bound, found.estimate) == ("median", pytest.approx(0.30))

    def test_ties_leave_no_spacing_and_no_luck_to_tell(self):
        found = corrected_best_from_means([0.3] * 6, error_variance=4e-4)
        assert (found.luck.bound, found.luck.amount, found.n_tied) == ("median", 0.0, 6)

    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_fewer_than_four_families_tell_nothing(self, n):
        found = corrected_best_from_means(
            MEANS, families=["a", "a", "b", "b", "c"][-n:] + ["c"] * (5 - n), error_variance=1e-4
        )
        assert (found.estimate, found.luck, found.raw) == (None, None, 0.303)
        assert found.why_not_corrected is WhyNotCorrected.TOO_FEW_FAMILIES

    def test_without_an_error_there_is_nothing_to_correct_by(self):
        found = corrected_best_from_means(MEANS, error_variance=0.0)
        assert (found.estimate, found.why_not_corrected) == (None, WhyNotCorrected.NO_VARIATION)

    def test_only_contenders_compete(self):
        contenders = [False, *[True] * 5, False]
        found = corrected_best_from_means(
            [0.9, *MEANS, 0.01], contenders=contenders, families=list("xabcdey"), error_variance=0.00024
        )
        alone = corrected_best_from_means(MEANS, error_variance=0.00024)
        assert (found.index, found.luck) == (1, alone.luck)

    def test_lower_is_better_mirrors_it(self):
        low = corrected_best_from_means([1 - mean for mean in MEANS], error_variance=0.00024, higher_is_better=False)
        high = corrected_best_from_means(MEANS, error_variance=0.00024)
        assert low.estimate == pytest.approx(1 - high.estimate)
        assert low.luck.amount == pytest.approx(high.luck.amount)

    def test_scale_and_order_carry_over(self):
        plain = corrected_best_from_means(MEANS, error_variance=0.00024)
        moved = corrected_best_from_means([10 * mean - 7 for mean in MEANS[::-1]], error_variance=0.024)
        assert (moved.index, moved.estimate) == (4, pytest.approx(10 * plain.estimate - 7))

    @settings(deadline=None)
    @given(
        means=st.lists(st.floats(0.01, 0.99), min_size=4, max_size=40, unique=True),
        row=st.integers(0, 39),
        n_clones=st.integers(1, 50),
    )
    def test_labelled_copies_do_not_move_it(self, means, row, n_clones):
        families = [f"f{place}" for place in range(len(means))]
        row %= len(means)
        before = corrected_best_from_means(means, families=families, error_variance=1e-4)
        after = corrected_best_from_means(
            [*means, *[means[row]] * n_clones], families=[*families, *[families[row]] * n_clones], error_variance=1e-4
        )
        assert (after.estimate, after.luck) == (before.estimate, before.luck)

    @settings(deadline=None)
    @given(n_weak=st.integers(1, 300), score=st.floats(0, 0.2))
    def test_weak_results_hardly_move_it(self, n_weak, score):
        """With forty families and more, the twenty best spacings alone count; where fewer, their number grows."""
        means = np.sort(np.random.default_rng(1).normal(0.4, 0.05, 60))
        before = corrected_best_from_means(means, error_variance=1e-4)
        after = corrected_best_from_means([*means, *np.linspace(0, score, n_weak)], error_variance=1e-4)
        assert after.estimate == before.estimate

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"error_variance": -1e-9}, "error_variance must be 0 or more"),
            ({"families": ["a"]}, "families must hold 5 labels"),
            ({"contenders": [True]}, "contenders must be 5 booleans"),
            ({"means": []}, "means must hold at least 1 values"),
        ],
    )
    def test_it_refuses(self, change, message):
        with pytest.raises(ArgumentError, match=message):
            corrected_best_from_means(**({"means": MEANS, "error_variance": 1e-4} | change))


class TestFromScores:
    def test_it_is_that_of_the_means_with_the_variance_of_the_matrix(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.5, 12))
        families = ["a", "a", *matrix.systems[2:]]
        found = corrected_best(matrix, kind=AP, families=families)
        variance = family_weighted_variance(matrix, families)
        from_means = corrected_best_from_means(matrix.means, families=families, error_variance=variance / 50)
        assert (found.estimate, found.luck, found.residual_variance) == (
            pytest.approx(from_means.estimate), from_means.luck, variance
        )  # fmt: skip
        given_one = corrected_best(matrix, kind=AP, residual_variance=0.02)
        assert given_one.luck.error_variance == 0.02 / 50

    def test_the_interval_has_the_width_of_a_t_interval(self):
        matrix = shipped_matrix("trec-7-adhoc__AP")
        found = corrected_best(matrix, kind=AP)
        scores = matrix.scores[matrix.systems.index(found.system)]
        low, high = scipy.stats.t.interval(0.95, 49, scores.mean(), scipy.stats.sem(scores))
        assert found.interval.high - found.interval.low == pytest.approx(high - low)
        assert (found.interval.high + found.interval.low) / 2 == pytest.approx(found.estimate)

    @pytest.mark.parametrize("name", ["RR", "RR@10", "Success@5", "HitRate@10", "P@1"])
    @pytest.mark.parametrize("n_topics", [50, 500])
    def test_coarse_measures_get_no_interval_however_many_topics_there_are(self, name, n_topics):
        found = corrected_best(
            noisy_matrix(np.linspace(0.2, 0.5, 6), n_topics=n_topics), kind=measure_nature(name).kind
        )
        assert (found.interval, found.why_no_interval) == (None, WhyNoInterval.COARSE_MEASURE)
        assert found.estimate is not None

    def test_known_items_get_none_under_any_measure(self):
        kind = MeasureKind.KNOWN_ITEM
        assert corrected_best(noisy_matrix(np.linspace(0.2, 0.5, 6)), kind=kind).interval is None

    def test_few_topics_get_none(self):
        few, enough = (corrected_best(noisy_matrix(np.linspace(0.2, 0.5, 6), n_topics=n), kind=AP) for n in (24, 25))
        assert (few.interval, few.why_no_interval) == (None, WhyNoInterval.TOO_FEW_TOPICS)
        assert enough.interval is not None
        assert enough.why_no_interval is None

    def test_few_families_have_neither_estimate_nor_interval(self):
        found = corrected_best(noisy_matrix([0.2, 0.3, 0.4]), kind=AP)
        assert (found.estimate, found.interval) == (None, None)
        assert (found.why_not_corrected, found.why_no_interval) == (
            WhyNotCorrected.TOO_FEW_FAMILIES, WhyNoInterval.NOT_CORRECTED
        )  # fmt: skip
        one_family = corrected_best(noisy_matrix([0.2, 0.3, 0.4]), kind=AP, families=["a"] * 3)
        assert one_family.residual_variance is None

    def test_a_constant_winner_gets_none(self):
        matrix = noisy_matrix(np.linspace(0.1, 0.3, 5))
        with pytest.warns(DegenerateWarning, match="are equal"):
            found = corrected_best(labelled(np.vstack([matrix.scores, np.full(50, 0.9)])), kind=AP)
        assert (found.interval, found.why_no_interval) == (None, WhyNoInterval.CONSTANT_SCORES)

    def test_lower_is_better_mirrors_it(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.5, 6))
        high, low = (
            corrected_best(matrix, kind=AP), corrected_best(mirrored(matrix), kind=AP, higher_is_better=False)
        )  # fmt: skip
        assert (low.system, low.estimate) == (high.system, pytest.approx(1 - high.estimate))
        assert (low.interval.low, low.interval.high) == pytest.approx((1 - high.interval.high, 1 - high.interval.low))

    def test_copies_of_weak_and_middling_runs_move_james_stein_and_not_this(self):
        """Fifty near-copies with their label, on TREC-7: root mean square changes 42, 28 against 0, 1 x 1e-4."""
        matrix = shipped_matrix("trec-7-adhoc__AP")
        families = list(matrix.systems)
        for row in (int(matrix.means.argmin()), int(np.argsort(matrix.means)[51])):
            copies = matrix.scores[row] + np.random.default_rng(1).normal(0, 0.002, (50, 50))
            cloned = labelled(np.vstack([matrix.scores, copies]))
            labels = [*families, *[families[row]] * 50]
            moved = corrected_best(cloned, kind=AP, families=labels).estimate
            assert moved == pytest.approx(corrected_best(matrix, kind=AP, families=families).estimate, abs=1e-4)
            shrunk = [winner_james_stein(one).estimate for one in (matrix, cloned)]
            assert abs(shrunk[1] - shrunk[0]) > 1e-3

    def test_the_result_is_json_ready(self):
        stored = corrected_best(noisy_matrix([0.2, 0.3, 0.4]), kind=AP).to_dict()
        assert json.loads(json.dumps(stored))["why_not_corrected"] == "too-few-families"

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"kind": "many-valued"}, "kind must be of type MeasureKind"),
            ({"families": ["a"]}, "families must hold 6 labels"),
            ({"residual_variance": -1.0}, "residual_variance must be 0 or more"),
            ({"confidence_level": 1.0}, "confidence_level must lie strictly between 0 and 1"),
        ],
    )
    def test_it_refuses(self, change, message):
        with pytest.raises(ArgumentError, match=message):
            corrected_best(noisy_matrix(np.linspace(0.2, 0.5, 6)), **({"kind": AP} | change))
