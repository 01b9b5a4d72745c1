"""The best score without the luck of coming first, with its error."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.best import (
    HiddenTries,
    WhyNoInterval,
    WhyNotCorrected,
    corrected_best,
    corrected_best_from_means,
    maximum_distribution,
)
from analysis.errors import ArgumentError, DegenerateWarning
from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import MeasureKind, measure_nature
from tests.analysis.matrices import distinct_matrix, shipped_matrix
from tests.analysis.simulated import labelled, mirrored, noisy_matrix

AP = MeasureKind.MANY_VALUED
#: What the values of boards that ship rested on, frozen before the record set copies of one run aside.
FROZEN = [json.loads(line) for line in Path(__file__).with_name("frozen_boards.jsonl").read_text().splitlines()]
BY_BOARD = {(example.pop("board"), example.pop("measure"), example.pop("view")): example for example in FROZEN}
#: Computed elsewhere. Luck, value, interval, and the value with ten tries a row.
VALUES = {
    ("trec-7-adhoc", "AP", "all"): (0.005225, 0.364975, 0.3290, 0.4010, 0.354898),
    ("trec-8-adhoc", "AP", "all"): (0.004785, 0.464415, 0.4268, 0.5021, 0.453781),
    ("trec-2004-robust", "AP", "all"): (0.005360, 0.382040, 0.3639, 0.4001, 0.377332),
    ("beir-scifact", "nDCG@10", "declared-none"): (0.001338, 0.857802, 0.8220, 0.8936, 0.846975),
    ("beir-scifact", "nDCG@10", "all"): (0.001491, 0.864509, 0.8287, 0.9003, 0.853702),
    ("beir-nq", "nDCG@10", "declared-none"): (0.000119, 0.587741, 0.5771, 0.5984, 0.584490),
    ("beir-nq", "nDCG@10", "all"): (0.0, 0.824810, 0.8142, 0.8354, 0.821543),
    ("msmarco-passage-dev", "RR@10", "all"): (0.000322, 0.462678, 0.4548, 0.4705, 0.460310),
    ("trec-dl-2019-passage", "nDCG@10", "all"): (0.003612, 0.775488, 0.7323, 0.8187, 0.763043),
    ("trec-2018-pm-abstracts", "P@10", "all"): (0.010437, 0.551563, 0.5038, 0.5993, None),
    ("mteb-multilingual-nano-climate-fever-en", "nDCG@10", "all"): (0.017028, 0.429682, 0.3596, 0.4998, None),
    ("trec-dl-2021-doc", "R@10", "all"): (0.022872, 0.092528, 0.0554, 0.1297, None),
    ("mteb-lemb-needle-test-256", "nDCG@10", "all"): (0.030292, 0.947568, 0.9094, 0.9892, None),
    ("beir-cqadupstack-android", "nDCG@10", "declared-none"): (0.000864, 0.599766, 0.5771, 0.6225, None),
    ("beir-13", "nDCG@10", "same-collections"): (0.000056, 0.567305, 0.5599, 0.5747, None),
    ("beir-13", "nDCG@10", "other-collections"): (0.003702, 0.563659, 0.5061, 0.6212, None),
}
#: Of the same study: K, mean, spread and B.
PARTS = {
    ("trec-7-adhoc", "AP", "all"): (91.041, 0.192982, 0.085442, 0.970517),
    ("trec-8-adhoc", "AP", "all"): (94.875, 0.218261, 0.111234, 0.980933),
    ("trec-2004-robust", "AP", "all"): (274.703, 0.275926, 0.033893, 0.951914),
    ("beir-scifact", "nDCG@10", "declared-none"): (98.267, 0.619185, 0.205212, 0.994426),
    ("beir-nq", "nDCG@10", "all"): (133.532, 0.449884, 0.210734, 0.999531),
    ("trec-dl-2019-passage", "nDCG@10", "all"): (72.183, 0.642580, 0.107940, 0.973542),
    ("beir-13", "nDCG@10", "same-collections"): (30.083, 0.344164, 0.167358, 0.999749),
    ("beir-13", "nDCG@10", "other-collections"): (30.083, 0.344164, 0.167358, 0.983413),
}
#: From topic scores: K, B, luck, value and half width by the variance.
MATRICES = {
    "trec-7-adhoc__AP": (93.986, 0.957639, 0.006790, 0.363454, 0.0412),
    "trec-8-adhoc__AP": (116.431, 0.968131, 0.007344, 0.461900, 0.0608),
    "trec-2004-robust__AP": (89.306, 0.975039, 0.003320, 0.427471, 0.0249),
    "trec-2003-robust__AP": (65.875, 0.965436, 0.002891, 0.308254, 0.0203),
    "trec-5-adhoc__P-at-10": (58.173, 0.939583, 0.012964, 0.553036, 0.0616),
}
TOY = {
    "means": [0.303, 0.301, 0.281, 0.245, 0.239, 0.238],
    "families": list("aabcdd"),
    "error_variance": 0.012 / 50,
    "degrees_of_freedom": 18.0,
    "n_in_set": 5,
}


def of_toy(**changes):
    return corrected_best_from_means(**(TOY | changes))


class TestReferenceValues:
    def test_by_hand(self):
        corrected = of_toy()
        assert (corrected.raw, corrected.index, corrected.n_tied, corrected.luck.bound) == (0.303, 0, 1, "shrinkage")
        luck = corrected.luck
        parts = (luck.n_effective, luck.kept, luck.amount, corrected.estimate, corrected.half_width)
        assert [round(part, 7) for part in parts] == [5.3333333, 0.8609240, 0.0050589, 0.2979411, 0.0356538]

    @pytest.mark.parametrize("board", VALUES, ids=" ".join)
    def test_boards_that_ship(self, board):
        *expected, at_ten = VALUES[board]
        arguments = BY_BOARD[board] | {"value_range": (0.0, 1.0)}
        corrected = corrected_best_from_means(**arguments)
        assert corrected.luck.amount == pytest.approx(expected[0], abs=5.1e-7)
        assert corrected.estimate == pytest.approx(expected[1], abs=5.1e-7)
        assert (corrected.interval.low, corrected.interval.high) == pytest.approx(expected[2:], abs=5.1e-5)
        if at_ten is not None:
            tried = corrected_best_from_means(**arguments, tries=HiddenTries(n_tries=10))
            assert tried.estimate == pytest.approx(at_ten, abs=5.1e-7)
        if board in PARTS:
            luck = corrected.luck
            parts = (luck.n_effective, luck.mean, luck.spread, luck.kept)
            assert parts == pytest.approx(PARTS[board], abs=5.1e-4)
            assert parts[1:] == pytest.approx(PARTS[board][1:], abs=5.1e-7)

    @pytest.mark.parametrize("name", MATRICES)
    def test_matrices_of_trec(self, name):
        matrix = distinct_matrix(name)
        corrected = corrected_best(matrix, kind=AP, families=near_copies(matrix).families)
        n_effective, *expected, half = MATRICES[name]
        assert corrected.luck.n_effective == pytest.approx(n_effective, abs=5.1e-4)
        assert (corrected.luck.kept, corrected.luck.amount, corrected.estimate) == pytest.approx(expected, abs=5.1e-7)
        assert corrected.half_width == pytest.approx(half, abs=5.1e-5)

    def test_the_bounds_that_the_boards_meet(self):
        bounds = {board[0]: corrected_best_from_means(**arguments).luck for board, arguments in BY_BOARD.items()}
        assert bounds["mteb-multilingual-nano-climate-fever-en"].bound == "equal-systems"
        assert bounds["trec-dl-2021-doc"].kept == 0.0
        floor = BY_BOARD["mteb-lemb-needle-test-256", "nDCG@10", "all"]
        assert corrected_best_from_means(**floor).interval.low == pytest.approx(max(floor["means"]) - floor["margin"])


class TestFromMeans:
    def test_all_equal_leaves_no_luck_to_tell(self):
        corrected = corrected_best_from_means([0.3] * 6, error_variance=1e-4, degrees_of_freedom=10)
        assert (corrected.luck.amount, corrected.luck.kept, corrected.n_tied) == (0.0, 0.0, 6)

    def test_alone_in_the_set_nothing_is_luck(self):
        assert (of_toy(n_in_set=1).luck.amount, of_toy(n_in_set=1).estimate) == (0.0, 0.303)

    def test_no_more_than_the_best_of_as_many_equal_ones_would_gain(self):
        corrected = of_toy(n_in_set=2, error_variance=0.0025)
        assert corrected.luck.bound == "equal-systems"
        assert corrected.luck.amount == pytest.approx(0.05 * maximum_distribution(2).mean())

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"means": TOY["means"][:4], "families": list("abcd"), "n_in_set": 1}, WhyNotCorrected.TOO_FEW_RESULTS),
            ({"families": list("aabbab")}, WhyNotCorrected.TOO_FEW_FAMILIES),
            ({"contenders": [True] * 4 + [False] * 2, "n_in_set": 1}, WhyNotCorrected.TOO_FEW_RESULTS),
            ({"error_variance": 0.0}, WhyNotCorrected.NO_VARIATION),
        ],
    )
    def test_too_little_tells_nothing(self, changes, why):
        corrected = of_toy(**changes)
        assert (corrected.estimate, corrected.luck, corrected.interval, corrected.half_width) == (None,) * 4
        assert (corrected.raw, corrected.why_not_corrected) == (0.303, why)

    def test_only_contenders_count(self):
        more = {"means": [0.9, *TOY["means"], 0.01], "families": ["x", *TOY["families"], "y"]}
        corrected = of_toy(**more, contenders=[False, *[True] * 6, False])
        assert (corrected.index, corrected.luck, corrected.interval) == (1, of_toy().luck, of_toy().interval)

    def test_the_interval_stays_above_the_set_and_within_the_range(self):
        corrected = of_toy(margin=0.02, value_range=(0.0, 0.31))
        assert (corrected.interval.low, corrected.interval.high) == (pytest.approx(0.283), 0.31)
        tried = of_toy(margin=0.02, tries=HiddenTries(n_tries=10))
        assert tried.interval.low == pytest.approx(0.283 - tried.luck.of_tries)
        assert of_toy(interval_variance=0.001).half_width == pytest.approx(scipy.stats.t.ppf(0.975, 18) * 0.001**0.5)

    def test_lower_is_better_mirrors_it(self):
        turned = [1 - mean for mean in TOY["means"]]
        high, low = of_toy(margin=0.02), of_toy(means=turned, margin=0.02, higher_is_better=False)
        assert (low.estimate, low.luck.mean) == (pytest.approx(1 - high.estimate), pytest.approx(1 - high.luck.mean))
        ends = (1 - high.interval.high, 1 - high.interval.low)
        assert (low.interval.low, low.interval.high) == pytest.approx(ends)

    def test_scale_and_order_carry_over(self):
        means, families = [10 * mean - 7 for mean in TOY["means"][::-1]], TOY["families"][::-1]
        moved = of_toy(means=means, families=families, error_variance=100 * TOY["error_variance"])
        assert (moved.index, moved.estimate) == (5, pytest.approx(10 * of_toy().estimate - 7))

    @settings(deadline=None)
    @given(
        means=st.lists(st.floats(0.01, 0.99), min_size=5, max_size=40),
        variance=st.floats(1e-8, 0.1),
        n_tries=st.sampled_from([1, 3, 10, 30]),
        n_in_set=st.integers(1, 40),
    )
    def test_it_is_never_above_the_best_and_never_below_what_luck_could_give(self, means, variance, n_tries, n_in_set):
        tries, n_in_set = HiddenTries(n_tries=n_tries), min(n_in_set, len(means))
        corrected = corrected_best_from_means(
            means, error_variance=variance, degrees_of_freedom=10, tries=tries, n_in_set=n_in_set, margin=0.01
        )
        most = maximum_distribution(n_in_set).mean() if n_in_set > 1 else 0.0
        luck = corrected.luck
        assert 0.0 <= luck.of_tries <= luck.amount <= most * variance**0.5 + luck.of_tries + 1e-12
        assert corrected.interval.low <= corrected.interval.high

    @pytest.mark.parametrize(
        ("n_tries", "variance", "mean"),
        [(1, 1.0, 0.0), (3, 0.559467, 0.846284), (10, 0.344344, 1.538753), (30, 0.245838, 2.042761)],
    )
    def test_tries_that_nobody_listed(self, n_tries, variance, mean):
        tries = HiddenTries(n_tries=n_tries, share=0.5)
        assert tries.variance_left == pytest.approx(0.5 + 0.5 * variance, abs=1e-6)
        corrected = corrected_best_from_means(
            [0.9, 0.5, 0.4, 0.3, 0.2], error_variance=0.02, degrees_of_freedom=18, tries=tries
        )
        assert corrected.luck.of_tries == pytest.approx(0.1 * mean, abs=1e-6)

    @pytest.mark.parametrize("arguments", [{"n_tries": 0}, {"share": 1.1}])
    def test_tries_refuse(self, arguments):
        with pytest.raises(ArgumentError):
            HiddenTries(**arguments)


class TestFromScores:
    def test_it_is_that_of_the_means_with_the_variance_of_the_matrix(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.5, 12))
        families = ["a", "a", *matrix.systems[2:]]
        corrected = corrected_best(matrix, kind=AP, families=families, n_in_set=3)
        variance = family_weighted_variance(matrix, families)
        means = corrected_best_from_means(
            matrix.means, families=families, error_variance=variance / 50, degrees_of_freedom=60, n_in_set=3
        )
        assert corrected.estimate == pytest.approx(means.estimate)
        assert corrected.luck.to_dict() == pytest.approx(means.luck.to_dict())
        assert corrected.residual_variance == variance

    def test_the_error_is_the_larger_of_two(self):
        """A best run that varies more than others against the mean of all."""
        matrix = shipped_matrix("trec-7-adhoc__AP")
        scores = matrix.scores.copy()
        best = int(matrix.means.argmax())
        scores[best] += np.resize([0.3, -0.3], 50)
        varying = labelled(scores)
        ahead = scores[best] - scores.mean(axis=0)
        half = corrected_best(varying, kind=AP).half_width
        assert half == pytest.approx(scipy.stats.t.ppf(0.975, 49) * scipy.stats.sem(ahead))

    def test_for_topics_however_hard_the_interval_is_that_of_one_mean(self):
        matrix = shipped_matrix("trec-7-adhoc__AP")
        corrected = corrected_best(matrix, kind=AP)
        scores = matrix.scores[matrix.systems.index(corrected.system)]
        low, high = scipy.stats.t.interval(0.95, 49, corrected.estimate, scipy.stats.sem(scores))
        assert (corrected.interval_other_topics.low, corrected.interval_other_topics.high) == pytest.approx((low, high))

    @pytest.mark.parametrize("name", ["RR@10", "Success@5", "P@1"])
    def test_coarse_measures_get_none_of_these(self, name):
        corrected = corrected_best(noisy_matrix(np.linspace(0.2, 0.5, 6)), kind=measure_nature(name).kind)
        assert (corrected.interval_other_topics, corrected.why_no_interval) == (None, WhyNoInterval.COARSE_MEASURE)
        assert corrected.interval is not None

    def test_fewer_than_25_topics_tell_nothing(self):
        few, enough = (corrected_best(noisy_matrix(np.linspace(0.2, 0.5, 6), n_topics=n), kind=AP) for n in (24, 25))
        assert (few.estimate, few.why_not_corrected) == (None, WhyNotCorrected.TOO_FEW_TOPICS)
        assert few.why_no_interval is WhyNoInterval.NOT_CORRECTED
        assert enough.interval is not None

    def test_one_family_has_no_variance_of_its_own(self):
        corrected = corrected_best(noisy_matrix(np.linspace(0.2, 0.4, 6)), kind=AP, families=["a"] * 6)
        assert (corrected.residual_variance, corrected.why_not_corrected) == (None, WhyNotCorrected.TOO_FEW_FAMILIES)

    def test_a_constant_winner_has_no_interval_for_harder_topics(self):
        matrix = noisy_matrix(np.linspace(0.1, 0.3, 5))
        with pytest.warns(DegenerateWarning, match="are equal"):
            corrected = corrected_best(labelled(np.vstack([matrix.scores, np.full(50, 0.9)])), kind=AP)
        assert (corrected.interval_other_topics, corrected.why_no_interval) == (None, WhyNoInterval.CONSTANT_SCORES)

    def test_lower_is_better_mirrors_it(self):
        matrix = noisy_matrix(np.linspace(0.2, 0.5, 6))
        high = corrected_best(matrix, kind=AP)
        low = corrected_best(mirrored(matrix), kind=AP, higher_is_better=False)
        assert (low.system, low.estimate) == (high.system, pytest.approx(1 - high.estimate))
        assert (low.interval.low, low.interval.high) == pytest.approx((1 - high.interval.high, 1 - high.interval.low))
