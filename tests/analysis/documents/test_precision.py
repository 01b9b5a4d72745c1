"""Intervals of AP, MAP and L-MAP: cases by hand, R's boot, corrections, invariances, coverage."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit, ndtri

from analysis.documents import (
    DEFAULT_EPSILON,
    RankedList,
    average_precision,
    average_precision_interval,
    average_precision_intervals,
    bootstrap_average_precision,
    judge_run,
    lead_balloon_limit,
    logit_map_interval,
    map_interval,
    silver_bullet_limit,
)
from tests.analysis.documents import dl_2019
from tests.analysis.ranked_lists import simulated_list

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "precision.json").read_text(encoding="utf-8"))
RANKED = RankedList(REFERENCE["ranks"], REFERENCE["n_relevant"], REFERENCE["depth"])
LISTS = [RANKED, RankedList([3], 2, 1000), RankedList([1, 2, 4, 8, 50], 6, 1000), RankedList([], 4, 1000)]
Z = ndtri(0.975)


@pytest.fixture(scope="module")
def bm25():
    return judge_run(dl_2019.run_of("BM25"), dl_2019.judgements(), minimum_grade=2, depth=100).lists


class TestOneList:
    def test_linear_and_logit_intervals_are_normal_on_their_scale(self):
        samples = bootstrap_average_precision(RANKED, 7, n_resamples=500)
        estimate = average_precision(RANKED)
        linear = average_precision_interval(RANKED, 7, method="linear", n_resamples=500).interval
        assert linear.high == pytest.approx(estimate + Z * samples.std(ddof=1), abs=1e-12)
        ap = average_precision_interval(RANKED, 7, n_resamples=500)
        spread = logit(np.clip(samples, DEFAULT_EPSILON, 1 - DEFAULT_EPSILON)).std(ddof=1)
        assert ap.logit_standard_error == pytest.approx(spread, rel=1e-12)
        assert ap.interval.low == pytest.approx(expit(logit(estimate) - Z * spread), abs=1e-12)

    def test_standard_errors_are_those_of_a_whole_collection_resampled_in_r(self):
        ap = average_precision_interval(RANKED, 1, n_resamples=100_000)
        assert ap.standard_error == pytest.approx(REFERENCE["standard_error"], rel=0.015)
        assert ap.logit_standard_error == pytest.approx(REFERENCE["logit_standard_error"], rel=0.03)

    @pytest.mark.parametrize("level", [0.95, 0.80])
    def test_bca_limits_are_those_of_boot_in_r(self, level):
        ap = average_precision_interval(RANKED, 1, method="bca", confidence_level=level, n_resamples=100_000)
        expected = REFERENCE[f"bca_{100 * level:.0f}"]
        assert [ap.interval.low, ap.interval.high] == pytest.approx(expected, abs=0.008)

    def test_epsilon_is_stated_and_matters_where_ap_may_be_0(self):
        narrow, wide = (average_precision_interval(LISTS[1], 1, epsilon=epsilon) for epsilon in (1e-2, 1e-6))
        assert (narrow.epsilon, wide.epsilon) == (1e-2, 1e-6)
        assert narrow.logit_standard_error < wide.logit_standard_error
        assert narrow.standard_error == wide.standard_error

    def test_linear_limits_stay_within_0_and_1(self):
        interval = average_precision_interval(LISTS[1], 1, method="linear").interval
        assert (interval.low, interval.high < 1.0) == (0.0, True)
        options = {"method": "linear", "small_sample_correction": False}
        interval = average_precision_interval(RankedList([1, 2, 3, 5], 4, 1000), 1, **options).interval
        assert (interval.low > 0.0, interval.high) == (True, 1.0)


class TestSmallSampleCorrection:
    @pytest.mark.parametrize("method", ["logit", "linear", "bca"])
    def test_ap_0_has_the_limit_of_silver_bullets(self, method):
        ap = average_precision_interval(RankedList([], 4, 1000), 1, method=method)
        assert ap.correction == "silver bullets"
        assert (ap.estimate, ap.standard_error, ap.logit_standard_error) == (0.0, 0.0, 0.0)
        assert (ap.interval.low, ap.interval.high) == (0.0, silver_bullet_limit(4, 1000))
        assert ap.why_no_interval is None

    @pytest.mark.parametrize("method", ["logit", "linear", "bca"])
    def test_ap_1_has_the_limit_of_lead_balloons(self, method):
        ap = average_precision_interval(RankedList([1, 2, 3, 4], 4, 1000), 1, method=method)
        assert (ap.interval.low, ap.interval.high) == (pytest.approx(1 - 0.527129, abs=1e-6), 1.0)
        assert ap.correction == "lead balloons"

    def test_ap_next_to_1_takes_the_wider_interval(self):
        ranked = RankedList([1, 2, 3, 5], 4, 1000)
        plain = average_precision_interval(ranked, 1, method="linear", small_sample_correction=False)
        ap = average_precision_interval(ranked, 1, method="linear")
        assert ap.correction == "lead balloons"
        assert ap.interval.low == lead_balloon_limit(4)
        assert ap.interval.high - ap.interval.low > plain.interval.high - plain.interval.low

    def test_ap_in_the_middle_is_left_alone(self):
        corrected = average_precision_interval(RANKED, 1)
        assert corrected == average_precision_interval(RANKED, 1, small_sample_correction=False)

    def test_the_level_of_the_limit_is_that_of_the_interval(self):
        ap = average_precision_interval(RankedList([1, 2], 2, 100), 1, confidence_level=0.8)
        assert ap.interval.low == pytest.approx(np.sqrt(0.2))


class TestManyLists:
    def test_a_list_of_a_thousand_documents_takes_no_more_memory_than_a_short_one(self):
        import tracemalloc

        peaks = []
        for n_relevant in (2, 500):
            ranked = RankedList(np.arange(2, 2 * n_relevant + 1, 2), n_relevant, 1000)
            bootstrap_average_precision(ranked, 1, n_resamples=2000)
            tracemalloc.start()
            bootstrap_average_precision(ranked, 1, n_resamples=2000)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 1.5 * peaks[0] < 1_000_000


class TestMeans:
    def test_map_adds_up_logit_variances_weighted_by_ap_minus_its_square(self):
        options = {"n_resamples": 400}
        mean = map_interval(LISTS, 3, method="parametric", **options)
        singles = average_precision_intervals(LISTS, 3, **options)
        assert [single.correction for single in singles] == [None, None, None, "silver bullets"]
        spreads = [single.logit_standard_error for single in singles[:3]]
        spreads.append((logit(singles[3].interval.high) - logit(DEFAULT_EPSILON)) / (2 * Z))
        scores = np.array([single.estimate for single in singles])
        expected = np.sqrt(np.sum(((scores - scores**2) * spreads) ** 2)) / 4
        assert mean.standard_error == pytest.approx(expected, rel=1e-12)
        assert (mean.estimate, mean.n_corrected) == (pytest.approx(scores.mean()), 1)
        assert mean.interval.high == pytest.approx(scores.mean() + Z * expected)
        assert (mean.score, mean.score_interval) == (mean.estimate, mean.interval)
        # The bootstrap takes no limit of a small sample.
        assert map_interval(LISTS, 3, **options).n_corrected == 0
        assert logit_map_interval(LISTS, 3, method="parametric", **options).standard_error == pytest.approx(
            np.sqrt(np.sum(np.square(spreads))) / 4, rel=1e-12
        )

    def test_map_reaches_as_far_to_both_sides_and_is_cut_at_the_ends(self):
        mean = map_interval([RANKED], 3, n_resamples=100)
        assert mean.interval.low == pytest.approx(mean.estimate - Z * mean.standard_error)
        assert mean.interval.low > 0
        low, high = (map_interval([ranked], 3, n_resamples=100) for ranked in (LISTS[1], RankedList([1, 2, 4], 3, 9)))
        assert low.estimate < Z * low.standard_error
        assert high.estimate + Z * high.standard_error > 1
        assert (low.interval.low, high.interval.high) == (0.0, 1.0)

    def test_real_run(self, bm25):
        mean = map_interval(bm25, 1, method="parametric")
        assert round(mean.estimate, 4) == 0.2476
        assert (mean.n_topics, mean.n_corrected) == (43, 1)
        # .013 from the bootstrap of MAP, .023 the parametric way; the variation of topics alone gives .036.
        assert mean.standard_error == pytest.approx(0.023, abs=0.002)
        assert map_interval(bm25, 1).standard_error == pytest.approx(0.0127, abs=0.001)


@pytest.mark.slow
class TestCoverage:
    """Expected logit AP (logit) or AP (others) of simulated collections, in the 95 % intervals of 700 lists each."""

    @pytest.mark.parametrize(
        ("method", "n_relevant", "separation", "lowest", "highest"),
        [
            ("logit", 100, 3.0, 0.93, 0.975),
            ("linear", 100, 3.0, 0.925, 0.97),
            ("bca", 100, 3.0, 0.925, 0.97),
            ("logit", 100, 1.5, 0.91, 0.96),
            ("linear", 100, 1.5, 0.885, 0.945),
            # Few relevant documents: too few inside, and the logit interval is the best of the three.
            ("logit", 8, 2.5, 0.87, 0.95),
            ("linear", 8, 2.5, 0.69, 0.80),
            ("bca", 8, 2.5, 0.76, 0.87),
        ],
    )
    def test_of_the_expected_value(self, method, n_relevant, separation, lowest, highest):
        rng = np.random.default_rng(1148170)
        population = [average_precision(simulated_list(rng, n_relevant, separation)) for _ in range(6000)]
        expected = np.mean(population)
        if method == "logit":
            expected = expit(np.mean(logit(np.clip(population, DEFAULT_EPSILON, 1 - DEFAULT_EPSILON))))
        lists = [simulated_list(rng, n_relevant, separation) for _ in range(700)]
        intervals = average_precision_intervals(lists, rng, method=method, n_resamples=1000)
        held = [ap.interval.low <= expected <= ap.interval.high for ap in intervals if ap.interval is not None]
        assert lowest <= np.mean(held) <= highest
