"""Standardization: a case by hand, published and recomputed values, invariances, degenerate data."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis.errors import ArgumentError, DegenerateWarning
from analysis.scales import StandardizationFactors, percentile_among, reference_factors, standardize, standardize_means
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix

TOPICS = ["301", "302", "303"]
REFERENCE = ScoreMatrix(
    ["a", "b", "c", "d"], TOPICS, [[0.1, 0.2, 0.5], [0.2, 0.4, 0.5], [0.3, 0.6, 0.5], [0.4, 0.2, 0.5]]
)


@pytest.fixture(scope="module")
def trec7() -> ScoreMatrix:
    return shipped_matrix("trec-7-adhoc__AP")


def mean_of(result, system):
    return result.means[result.matrix.systems.index(system)]


def by_all_runs(matrix, transform):
    return standardize(matrix, matrix if transform == "empirical" else reference_factors(matrix), transform=transform)


class TestRefusedArguments:
    def test_unaligned_topics_are_refused_and_named(self):
        other = ScoreMatrix(["new"], ["301", "302", "999"], [[0.1, 0.2, 0.3]])
        with pytest.raises(ArgumentError, match=r"must have the topics of the reference.*'303', '999'"):
            standardize(other, reference_factors(REFERENCE))

    def test_fewer_than_two_common_topics_are_refused(self):
        other = ScoreMatrix(["new"], ["301", "998", "999"], [[0.1, 0.2, 0.3]])
        with pytest.raises(ArgumentError, match="at least two topics in common"):
            standardize(other, REFERENCE, missing="intersect", transform="empirical")
        with pytest.raises(ArgumentError, match="reference must be the scores of the reference systems for empirical"):
            standardize(REFERENCE, reference_factors(REFERENCE), transform="empirical")


class TestByHand:
    def test_the_linear_transform_clips_and_says_how_often(self):
        far = ScoreMatrix(["far"], TOPICS, [[5.0, 0.35, 0.5]])
        result = standardize(far, reference_factors(REFERENCE), transform="linear")
        assert result.matrix.scores[0].tolist() == pytest.approx([1.0, 0.5, 0.5])
        assert result.clipped_fraction == pytest.approx(1 / 3)
        both = standardize(ScoreMatrix(["far"], TOPICS, [[5.0, -5.0, 0.5]]), REFERENCE, transform="linear")
        assert (both.clipped_fraction, both.n_reference, both.transform) == (pytest.approx(2 / 3), 4, "linear")
        assert both.means.tolist() == pytest.approx([0.5])

    def test_ties_count_in_full_in_the_empirical_transform(self):
        result = standardize(REFERENCE, REFERENCE, transform="empirical")
        assert result.matrix.scores[:, 1].tolist() == [0.5, 0.75, 1.0, 0.5]
        assert (result.clipped_fraction, result.n_reference, result.transform) == (0, 4, "empirical")
        assert result.constant_topics == reference_factors(REFERENCE).constant_topics == ("303",)
        assert result.means == pytest.approx(result.matrix.scores.mean(axis=1))

    def test_ties_count_half_in_the_percentile(self):
        assert percentile_among([0.1, 0.2, 0.25], [0.1, 0.2, 0.2, 0.3]).tolist() == [12.5, 50.0, 75.0]

    def test_low_scores_are_good_when_lower_is_better(self):
        standing = standardize_means([0.1, 0.4], [0.1, 0.2, 0.3], higher_is_better=False)
        assert standing.z.tolist() == pytest.approx([1.0, -2.0])
        assert standing.percentile.tolist() == pytest.approx([100 * 2.5 / 3, 0.0])
        high = standardize(REFERENCE, REFERENCE, transform="empirical").matrix.scores
        low = standardize(
            ScoreMatrix(REFERENCE.systems, TOPICS, -REFERENCE.scores),
            ScoreMatrix(REFERENCE.systems, TOPICS, -REFERENCE.scores),
            higher_is_better=False,
            transform="empirical",
        ).matrix.scores
        assert (high == low).all()


class TestReferenceValues:
    """TREC-7 ad hoc AP, computed independently with NumPy and SciPy; z and N as in Urbano's R code."""

    @pytest.mark.parametrize(
        ("system", "transform", "expected"),
        [
            ("run16", "z", 1.466428),
            ("run16", "normal", 0.814635),
            ("run16", "linear", 0.707826),
            ("run1", "z", 0.497862),
            ("run1", "normal", 0.661005),
            ("run1", "linear", 0.574679),
            ("run16", "empirical", 0.812621),
            ("run1", "empirical", 0.687379),
        ],
    )
    def test_all_runs_as_reference(self, trec7, system, transform, expected):
        assert mean_of(by_all_runs(trec7, transform), system) == pytest.approx(expected, abs=5e-7)

    @pytest.mark.parametrize(("transform", "expected"), [("z", 1.268864), ("normal", 0.810340)])
    def test_every_fifth_run_as_historical_reference(self, trec7, transform, expected):
        stored = reference_factors(trec7.select(trec7.systems[::5])).to_dict()
        result = standardize(trec7, StandardizationFactors.from_dict(stored), transform=transform)
        assert mean_of(result, "run16") == pytest.approx(expected, abs=5e-7)
        assert result.n_reference == 21

    def test_the_linear_transform_clips_0_64_percent_of_trec7(self, trec7):
        result = standardize(trec7, reference_factors(trec7), transform="linear")
        assert result.clipped_fraction == pytest.approx(0.0064, abs=5e-5)

    @pytest.mark.parametrize(
        ("transform", "expected"), [("z", 0.9486), ("normal", 0.9456), ("linear", 0.9486), ("empirical", 0.9227)]
    )
    def test_kendalls_tau_with_the_raw_order(self, trec7, transform, expected):
        means = by_all_runs(trec7, transform).means
        assert kendalltau(means, trec7.means).statistic == pytest.approx(expected, abs=5e-5)

    def test_the_sd_of_reference_means_divides_by_one_less(self, trec7):
        standing = standardize_means(trec7.means, trec7.means)
        assert np.ptp(trec7.means) / np.ptp(standing.z) == pytest.approx(0.0806, abs=5e-5)
        assert standing.percentile[trec7.systems.index("run16")] == pytest.approx(100 * 102.5 / 103)


class TestSecondRoute:
    def test_a_slow_loop_agrees(self):
        rng = np.random.default_rng(3)
        reference = ScoreMatrix([f"r{i}" for i in range(7)], TOPICS, rng.random((7, 3)))
        new = ScoreMatrix(["x", "y"], TOPICS, rng.random((2, 3)))
        fast = standardize(new, reference_factors(reference)).matrix.scores
        for row in range(2):
            for column in range(3):
                known = [float(value) for value in reference.scores[:, column]]
                centre = sum(known) / 7
                spread = (sum((value - centre) ** 2 for value in known) / 6) ** 0.5
                assert fast[row, column] == pytest.approx((new.scores[row, column] - centre) / spread)

    def test_the_reference_has_mean_0_and_sd_1_on_every_topic(self, trec7):
        scores = standardize(trec7, reference_factors(trec7)).matrix.scores
        assert scores.mean(axis=0) == pytest.approx(np.zeros(50), abs=1e-12)
        assert scores.std(axis=0, ddof=1) == pytest.approx(np.ones(50))


class TestInvariances:
    @pytest.mark.parametrize("transform", ["z", "normal", "linear"])
    def test_shift_and_scale_by_topic_do_not_matter(self, transform):
        shifted = ScoreMatrix(REFERENCE.systems, TOPICS, REFERENCE.scores * [2.0, 3.0, 4.0] + [1.0, 2.0, 3.0])
        before = standardize(REFERENCE, reference_factors(REFERENCE), transform=transform).matrix.scores
        after = standardize(shifted, reference_factors(shifted), transform=transform).matrix.scores
        assert after == pytest.approx(before)


class TestDegenerate:
    @pytest.mark.parametrize(("transform", "expected"), [("z", 0.0), ("normal", 0.5), ("linear", 0.5)])
    def test_a_topic_without_spread_gives_z_0_and_is_named(self, transform, expected):
        new = ScoreMatrix(["new"], TOPICS, [[0.1, 0.2, 0.9]])
        result = standardize(new, reference_factors(REFERENCE), transform=transform)
        assert result.matrix.scores[0, 2] == expected
        assert result.constant_topics == ("303",)

    def test_equal_scores_whose_sd_rounds_to_more_than_0_count_as_constant(self):
        scores = np.full((3, 2), 0.1)
        assert scores.std(axis=0, ddof=1)[0] > 0
        with pytest.warns(DegenerateWarning, match="nothing can be told apart"):
            factors = reference_factors(ScoreMatrix(["a", "b", "c"], ["301", "302"], scores))
        assert factors.constant_topics == ("301", "302")

    def test_intersect_keeps_common_topics_and_names_the_others(self):
        other = ScoreMatrix(["new"], ["302", "999", "301"], [[0.4, 0.2, 0.3]])
        result = standardize(other, reference_factors(REFERENCE), missing="intersect")
        assert result.matrix.topics == ("302", "301")
        assert set(result.matrix.dropped_topics) == {"303", "999"}
        assert result.matrix.missing == "intersect"
