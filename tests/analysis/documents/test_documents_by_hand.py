"""Precision of AP in detail: every step by hand or from the same draws, limits on both sides."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from analysis.documents import (
    RankedList,
    average_precision,
    average_precision_interval,
    average_precision_intervals,
    bootstrap_average_precision,
    judge_pair,
    judge_run,
    logit_map_interval,
    map_interval,
    pair_rankings,
    split_run,
)
from analysis.documents._bootstrap import bootstrap_pair
from analysis.errors import ArgumentError
from analysis.scores import Judgements, parse_judgements, parse_run

JUDGEMENTS = parse_judgements("1 0 a 1\n1 0 c 2\n1 0 z 1\n2 0 a 0\n3 0 a 1\n4 0 b 2\n")
RUN = parse_run("1 Q0 a 1 9 mine\n1 Q0 b 2 8 mine\n1 Q0 c 3 7 mine\n9 Q0 a 1 1 mine\n4 Q0 b 1 1 mine\n")
OTHER = parse_run("1 Q0 c 1 9 yours\n3 Q0 b 2 8 yours\n3 Q0 a 3 7 yours\n")
LISTS = [RankedList([1, 4, 9, 30], 7, 100), RankedList([2, 3], 3, 100), RankedList([1, 2, 3, 10, 11], 9, 50)]


class TestTopics:
    def test_options_are_looked_at_before_anything_is_measured(self):
        with pytest.raises(ArgumentError, match="minimum_grade must be a whole number, 1 or more"):
            judge_run(RUN, Judgements({}), minimum_grade=0)

    def test_a_pair_has_the_lists_of_both(self):
        judged = judge_pair(RUN, OTHER, JUDGEMENTS)
        assert (judged.systems, judged.topics) == (("mine", "yours"), ("1", "3", "4"))
        assert (judged.undefined_topics, judged.unanswered_topics) == (("2",), ("3", "4"))
        first, third, _ = judged.pairs
        assert (first.first.relevant_ranks.tolist(), first.second.relevant_ranks.tolist()) == ([1, 3], [1])
        assert first.relevant.tolist() == [[0, -1], [1, 0], [-1, -1]]
        # The irrelevant b stands before the second relevant document of the first list, and nowhere in the other.
        assert first.irrelevant.tolist() == [[1, 1, 1]]
        assert third.irrelevant.tolist() == [[0, 0, 1]]
        assert {pair.first.depth for pair in judged.pairs} == {3}
        assert judge_pair(RUN, OTHER, JUDGEMENTS, depth=1).pairs[1].second.relevant_ranks.size == 0
        assert judge_pair(RUN, OTHER, JUDGEMENTS, unanswered="skip").topics == ("1",)

    def test_kinds_of_irrelevant_documents_are_counted_once(self):
        pair = pair_rankings(["r", "a", "b", "s", "c"], ["b", "a", "s", "r"], {"r", "s"})
        # a and b stand before s here and before s (and r) there; c before none here and is not there.
        assert pair.irrelevant.tolist() == [[1, 0, 2]]
        assert pair.relevant.tolist() == [[0, 1], [1, 0]]
        cut = pair_rankings(["r", "a", "b", "s"], ["b", "a", "s", "r"], {"r", "s"}, depth=2)
        assert (cut.first.relevant_ranks.tolist(), cut.second.relevant_ranks.tolist()) == ([1], [])
        assert (cut.irrelevant.tolist(), cut.first.depth) == ([], 2)
        assert pair_rankings(["a", "b", "a"], ["a"], {"a"}, depth=2).first.depth == 2


def test_as_many_resamples_as_asked_for_though_some_are_drawn_again():
    resampled = bootstrap_average_precision(RankedList([2], 1, 5), 3, n_resamples=400)
    assert resampled.shape == (400,)
    assert ((resampled > 0) & (resampled <= 1)).all()
    values = bootstrap_pair(pair_rankings(["a", "b"], ["b", "a"], {"b"}), 3, n_resamples=400)
    assert values.shape == (2, 400)
    assert (values[1] == 1).mean() == 1
    assert values[0].mean() == pytest.approx(resampled.mean(), abs=0.06)


class TestOneList:
    def test_why_there_is_no_interval(self):
        options = {"n_resamples": 50, "small_sample_correction": False}
        empty = average_precision_interval(RankedList([], 3, 10), 1, **options)
        assert (empty.interval, empty.why_no_interval) == (None, "every resampled collection gives the same AP")
        assert (empty.standard_error, empty.logit_standard_error) == (0.0, 0.0)
        ap = average_precision_interval(RankedList([2], 1, 10), 1, method="bca", **options)
        assert ap.why_no_interval.startswith("BCa leaves out each document in turn, and AP is undefined without")
        two = average_precision_interval(RankedList([1, 3], 2, 10), 1, method="bca", **options)
        assert (two.why_no_interval, two.interval.high) == (None, 1.0)
        few = average_precision_interval(RankedList([1, 4, 9], 5, 100), 1, method="bca", **options | {"n_resamples": 2})
        assert few.interval is None
        assert few.why_no_interval == ("BCa has no bias correction or acceleration: AP never moves to one of its sides")

    def test_many_lists_share_a_generator_and_tell_each_step(self):
        steps = []
        options = {"method": "linear", "confidence_level": 0.8, "n_resamples": 60, "epsilon": 0.02}
        intervals = average_precision_intervals(
            LISTS, 5, small_sample_correction=False, progress=lambda *step: steps.append(step), **options
        )
        assert steps == [(1, 3), (2, 3), (3, 3)]
        rng = np.random.default_rng(5)
        for ranked, interval in zip(LISTS, intervals, strict=True):
            assert interval == average_precision_interval(ranked, rng, small_sample_correction=False, **options)


class TestMeans:
    def test_map_by_the_same_draws(self):
        steps = []
        options = {"n_resamples": 80, "confidence_level": 0.9}
        mean = map_interval(LISTS, 6, progress=lambda *step: steps.append(step), **options)
        rng = np.random.default_rng(6)
        draws = np.array([bootstrap_average_precision(ranked, rng, n_resamples=80) for ranked in LISTS])
        scores = np.array([average_precision(ranked) for ranked in LISTS])
        error = draws.mean(axis=0).std(ddof=1)
        assert (mean.estimate, mean.standard_error) == pytest.approx((scores.mean(), error))
        z = stats.norm.ppf(0.95)
        ends = (scores.mean() - z * error, min(1.0, scores.mean() + z * error))
        assert (mean.interval.low, mean.interval.high) == pytest.approx(ends)
        assert (mean.score, mean.score_interval) == (mean.estimate, mean.interval)
        assert (mean.measure, mean.method, mean.n_topics, mean.n_corrected, mean.n_resamples) == (
            "MAP", "bootstrap", 3, 0, 80
        )  # fmt: skip
        assert steps == [(1, 3), (2, 3), (3, 3)]
        on_logits = logit_map_interval(LISTS, 6, epsilon=0.03, **options)
        error = logit(np.clip(draws, 0.03, 0.97)).mean(axis=0).std(ddof=1)
        estimate = logit(np.clip(scores, 0.03, 0.97)).mean()
        assert (on_logits.estimate, on_logits.standard_error) == pytest.approx((estimate, error))
        assert (on_logits.score, on_logits.measure, on_logits.epsilon) == (
            pytest.approx(expit(estimate)),
            "L-MAP",
            0.03,
        )
        assert on_logits.score_interval.low == pytest.approx(expit(estimate - z * error))
        assert on_logits.score_interval.high == pytest.approx(expit(estimate + z * error))
        assert on_logits.interval.confidence_level == on_logits.score_interval.confidence_level == 0.9


class TestHalves:
    def test_a_half_is_as_deep_as_asked_for(self):
        names = [f"d{n}" for n in range(2200)]
        run = parse_run("".join(f"1 Q0 {name} 1 {-n} t\n" for n, name in enumerate(names)))
        judgements = parse_judgements("".join(f"1 0 {name} 1\n" for name in names[-20:]))
        split = split_run(run, judgements, depth=3000)
        assert split.first[0].depth + split.second[0].depth == 2200
        assert min(split.first[0].depth, split.second[0].depth) > 1000
        assert split.first[0].relevant_ranks.size + split.second[0].relevant_ranks.size == 20
