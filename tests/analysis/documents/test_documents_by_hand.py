"""Precision of AP in detail: every step by hand or from the same draws, limits on both sides, arguments by name."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from analysis._resampling import TIE_TOLERANCE
from analysis.documents import (
    RankedList,
    agreement_probability,
    average_precision,
    average_precision_interval,
    average_precision_intervals,
    bootstrap_average_precision,
    judge_pair,
    judge_run,
    lead_balloon_limit,
    list_agreement,
    logit_map_interval,
    map_interval,
    mean_agreement,
    pair_rankings,
    paired_difference,
    silver_bullet_limit,
    split_run,
    unseen_proportion,
)
from analysis.documents._average_precision import _sums_from, leave_one_out
from analysis.documents._bootstrap import (
    _groups,
    _harmonic_numbers,
    _harmonic_table,
    _poisson,
    _poisson_table,
    _sum_of_precisions,
    bootstrap_pair,
)
from analysis.documents._judged_topics import judged_topics
from analysis.documents._precision_of_ap import IntervalOptions, _corrected, _spread, clipped_logit
from analysis.documents._split_collection import _shares, collection_half
from analysis.errors import ArgumentError
from analysis.results import Interval
from analysis.scores import Judgements, parse_judgements, parse_run

JUDGEMENTS = parse_judgements("1 0 a 1\n1 0 c 2\n1 0 z 1\n2 0 a 0\n3 0 a 1\n4 0 b 2\n")
RUN = parse_run("1 Q0 a 1 9 mine\n1 Q0 b 2 8 mine\n1 Q0 c 3 7 mine\n9 Q0 a 1 1 mine\n4 Q0 b 1 1 mine\n")
OTHER = parse_run("1 Q0 c 1 9 yours\n3 Q0 b 2 8 yours\n3 Q0 a 3 7 yours\n")
LISTS = [RankedList([1, 4, 9, 30], 7, 100), RankedList([2, 3], 3, 100), RankedList([1, 2, 3, 10, 11], 9, 50)]
PAIRS = [
    pair_rankings([f"d{n}" for n in range(20)], [f"d{n}" for n in range(19, -1, -1)], {"d1", "d4", "d5", "d18", "x"}),
    pair_rankings(["a", "b", "c", "d"], ["d", "c", "e", "a"], {"a", "d"}),
]


class TestTopics:
    def test_runs_are_measured_where_they_are_judged(self):
        options = {"minimum_grade": 1, "depth": 1000, "unanswered": "zero"}
        found = judged_topics({"one": RUN, "two": OTHER}, JUDGEMENTS, **options)
        assert found.depth == 3
        assert found.relevant == {"1": {"a", "c", "z"}, "3": {"a"}, "4": {"b"}}
        assert found.answers == {"1": (("a", "b", "c"), ("c",)), "3": ((), ("b", "a")), "4": (("b",), ())}
        assert (found.undefined, found.unanswered) == (("2",), ("3", "4"))
        skipped = judged_topics({"one": RUN, "two": OTHER}, JUDGEMENTS, **(options | {"unanswered": "skip"}))
        assert list(skipped.relevant) == list(skipped.answers) == ["1"]
        assert skipped.unanswered == ("3", "4")
        shallow = judged_topics({"one": RUN}, JUDGEMENTS, minimum_grade=2, depth=2, unanswered="zero")
        assert (shallow.depth, shallow.relevant) == (2, {"1": {"c"}, "4": {"b"}})
        assert shallow.answers["1"] == (("a", "b"),)
        assert shallow.undefined == ("2", "3")

    def test_what_is_no_run_or_judgement_is_refused_by_its_name(self):
        for change, message in (
            ({"run": "text"}, "run must be of type Run"),
            ({"judgements": {}}, "judgements must be of type Judgements"),
            ({"unanswered": None}, "unanswered must be one of 'zero', 'skip'"),
            ({"minimum_grade": 3}, r"judgements must share a topic with 'mine'; got \('1', '2', '3'\)$"),
        ):
            with pytest.raises(ArgumentError, match=message):
                judge_run(**({"run": RUN, "judgements": JUDGEMENTS} | change))
        for change, message in (
            ({"first": 1}, "first must be of type Run"),
            ({"second": 1}, "second must be of type Run"),
            ({"depth": 0}, "depth must be a whole number, 1 or more"),
            ({"minimum_grade": 0}, "minimum_grade must be a whole number, 1 or more"),
            ({"minimum_grade": 2, "unanswered": "skip", "first": OTHER}, "must share a topic with 'yours' and 'yours'"),
        ):
            given = {"first": RUN, "second": OTHER, "judgements": JUDGEMENTS}
            if change.get("first") is OTHER:
                given["judgements"] = parse_judgements("4 0 b 2\n")
            with pytest.raises(ArgumentError, match=message):
                judge_pair(**(given | change))

    def test_options_are_looked_at_before_anything_is_measured(self):
        for options, message in (
            ({"minimum_grade": 0}, "minimum_grade must be a whole number, 1 or more"),
            ({"depth": 0}, "depth must be a whole number, 1 or more"),
            ({}, "judgements must share a topic with 'mine'"),
        ):
            with pytest.raises(ArgumentError, match=message):
                judge_run(RUN, Judgements({}), **options)

    def test_a_pair_has_the_lists_of_both(self):
        found = judge_pair(RUN, OTHER, JUDGEMENTS)
        assert (found.systems, found.topics) == (("mine", "yours"), ("1", "3", "4"))
        assert (found.undefined_topics, found.unanswered_topics) == (("2",), ("3", "4"))
        first, third, _ = found.pairs
        assert (first.first.relevant_ranks.tolist(), first.second.relevant_ranks.tolist()) == ([1, 3], [1])
        assert first.relevant.tolist() == [[0, -1], [1, 0], [-1, -1]]
        # The irrelevant b stands before the second relevant document of the first list, and nowhere in the other.
        assert first.irrelevant.tolist() == [[1, 1, 1]]
        assert third.irrelevant.tolist() == [[0, 0, 1]]
        assert {pair.first.depth for pair in found.pairs} == {3}
        assert judge_pair(RUN, OTHER, JUDGEMENTS, depth=1).pairs[1].second.relevant_ranks.size == 0

    def test_kinds_of_irrelevant_documents_are_counted_once(self):
        pair = pair_rankings(["r", "a", "b", "s", "c"], ["b", "a", "s", "r"], {"r", "s"})
        # a and b stand before s here and before s (and r) there; c before none here and is not there.
        assert pair.irrelevant.tolist() == [[1, 0, 2]]
        assert pair.relevant.tolist() == [[0, 1], [1, 0]]
        cut = pair_rankings(["r", "a", "b", "s"], ["b", "a", "s", "r"], {"r", "s"}, depth=2)
        assert (cut.first.relevant_ranks.tolist(), cut.second.relevant_ranks.tolist()) == ([1], [])
        assert (cut.irrelevant.tolist(), cut.first.depth) == ([], 2)
        with pytest.raises(ArgumentError, match="relevant must hold any number of labels"):
            pair_rankings(["a"], ["a"], "a")
        with pytest.raises(ArgumentError, match="first must not name a document twice"):
            pair_rankings(["a", "a"], ["a"], {"a"})
        assert pair_rankings(["a", "b", "a"], ["a"], {"a"}, depth=2).first.depth == 2

    def test_ends_of_a_list_are_in_it(self):
        assert RankedList([1, 10], 2, 10).relevant_ranks.tolist() == [1, 10]
        assert RankedList([], 1, 1).relevant_ranks.dtype == np.int64
        for ranks, message in (
            ([[1], [1, 2]], "relevant_ranks must be whole numbers, one-dimensional"),
            (["1"], "relevant_ranks must be whole numbers, one-dimensional"),
            (3, "relevant_ranks must be whole numbers, one-dimensional"),
        ):
            with pytest.raises(ArgumentError, match=message):
                RankedList(ranks, 2, 10)
        for function in (average_precision, leave_one_out):
            with pytest.raises(ArgumentError, match="ranked must be of type RankedList"):
                function([1, 2])


class TestRemoval:
    def test_values_and_counts_of_each_place(self):
        # Relevant at 2 and 3 of three: removing rank 1 gives (1 + 1) / 3, removing a relevant one 1/2 or 1/3 of 2.
        values, counts = leave_one_out(RankedList([2, 3], 3, 10))
        own = (1 / 2 + 2 / 3) / 3
        assert values == pytest.approx([2 / 3, own, 1 / 4, 1 / 4, (1 / 2 + 2 / 3) / 2])
        assert counts.tolist() == [1, 0, 1, 1, 1]
        values, counts = leave_one_out(RankedList([1], 2, 10))
        assert values == pytest.approx([0.5, 0.0, 1.0])
        assert counts.tolist() == [0, 1, 1]
        assert _sums_from(np.array([1.0, 2.0, 4.0])).tolist() == [7.0, 6.0, 4.0, 0.0]

    def test_limits_by_their_formulas(self):
        assert unseen_proportion(4, 0.9) == pytest.approx(1 - 0.1**0.25)
        assert lead_balloon_limit(4, 0.9) == pytest.approx(0.1**0.25)
        share = 1 - 0.1 ** (1 / 3)
        harmonic = 1 + 1 / 2

        def expected(placed):  # of so many bullets at random among two ranks
            return {0: 0.0, 1: harmonic / 2, 2: 2.0}[min(placed, 2)] / 3

        limit = sum(stats.binom.pmf(n, 3, share) * expected(n) for n in range(4))
        assert silver_bullet_limit(3, 2, 0.9) == pytest.approx(limit)
        assert silver_bullet_limit(1, 1, 0.9) == pytest.approx(0.9)
        for function, message in (
            (lambda: silver_bullet_limit(3, 0), "depth must be a whole number, 1 or more"),
            (lambda: silver_bullet_limit(0, 3), "n_relevant must be a whole number, 1 or more"),
            (lambda: lead_balloon_limit(3, 1), "confidence_level must lie strictly between 0 and 1"),
        ):
            with pytest.raises(ArgumentError, match=message):
                function()


class TestDraws:
    def test_adjacent_relevant_documents_are_a_group(self):
        assert _groups(RankedList([1, 2, 5, 6, 7, 10], 8, 20)) == ([0, 2, 2], [2, 3, 1])
        assert _groups(RankedList([3], 8, 20)) == ([2], [1])
        assert _groups(RankedList([], 8, 20)) == ([], [])

    def test_precisions_of_copies_are_summed(self):
        harmonic = _harmonic_numbers(20)
        groups = [(np.array([1, 0]), np.array([2, 1])), (np.array([3, 2]), np.array([1, 0]))]
        retrieved, precisions = _sum_of_precisions(groups, 2, harmonic)
        assert retrieved.tolist() == [3, 1]
        assert precisions == pytest.approx([1 / 2 + 2 / 3 + 3 / 7, 1.0])
        assert [_harmonic_numbers(n).size for n in (1, 1548, 1549)] == [4096, 4096, 8192]
        assert harmonic[:4] == pytest.approx([0, 1, 1.5, 11 / 6])
        assert _harmonic_numbers(20) is harmonic
        with pytest.raises(ValueError, match="read-only"):
            _harmonic_table(4096)[0] = 1

    def test_lists_of_many_thousands_have_harmonic_numbers_enough(self):
        whole = RankedList(np.arange(1, 6001), 6000, 6000)
        assert bootstrap_average_precision(whole, 1, n_resamples=2) == pytest.approx([1, 1])
        names = [f"d{n}" for n in range(4500)]
        pair = pair_rankings(names, names, set(names), depth=4500)
        assert bootstrap_pair(pair, 1, n_resamples=2).ravel() == pytest.approx([1] * 4)

    def test_small_rates_come_from_tables_and_large_ones_from_numpy(self):
        assert _poisson(0, 3, np.random.default_rng(1)).tolist() == [0, 0, 0]
        found = _poisson(101, 50, np.random.default_rng(1))
        assert found.tolist() == np.random.default_rng(1).poisson(101, 50).tolist()
        rng = np.random.default_rng(1)
        table, remainder = _poisson_table(100)
        counts = table[np.frombuffer(rng.bytes(2000), dtype="<u2")].astype(int)
        open_ones = counts == 255
        counts[open_ones] = np.searchsorted(remainder, rng.random(open_ones.sum()), side="right")
        assert _poisson(100, 1000, np.random.default_rng(1)).tolist() == counts.tolist()
        assert open_ones.any()

    def test_as_many_resamples_as_asked_for_though_some_are_drawn_again(self):
        lonely = RankedList([2], 1, 5)
        found = bootstrap_average_precision(lonely, 3, n_resamples=400)
        assert found.shape == (400,)
        assert ((found > 0) & (found <= 1)).all()
        pair = pair_rankings(["a", "b"], ["b", "a"], {"b"})
        values = bootstrap_pair(pair, 3, n_resamples=400)
        assert values.shape == (2, 400)
        assert (values[1] == 1).mean() == 1
        assert values[0].mean() == pytest.approx(found.mean(), abs=0.06)


class TestOneList:
    def test_each_method_by_its_formula(self):
        ranked, options = LISTS[0], {"n_resamples": 300, "confidence_level": 0.9, "small_sample_correction": False}
        samples = bootstrap_average_precision(ranked, 4, n_resamples=300)
        estimate, z = average_precision(ranked), stats.norm.ppf(0.95)
        plain, logits = samples.std(ddof=1), logit(np.clip(samples, 0.01, 0.99)).std(ddof=1)
        linear = average_precision_interval(ranked, 4, method="linear", epsilon=0.01, **options)
        assert (linear.interval.low, linear.interval.high) == pytest.approx(
            (max(0, estimate - z * plain), estimate + z * plain)
        )
        assert (linear.standard_error, linear.logit_standard_error) == pytest.approx((plain, logits))
        on_logits = average_precision_interval(ranked, 4, epsilon=0.01, **options)
        ends = expit(logit(estimate) + z * logits * np.array([-1, 1]))
        assert (on_logits.interval.low, on_logits.interval.high) == pytest.approx(tuple(ends))
        assert (on_logits.method, on_logits.epsilon, on_logits.n_resamples, on_logits.n_relevant) == (
            "logit", 0.01, 300, 7
        )  # fmt: skip
        assert (on_logits.interval.confidence_level, on_logits.correction, on_logits.why_no_interval) == (
            0.9, None, None
        )  # fmt: skip
        assert clipped_logit([0.0, 0.5, 1.0], 0.1) == pytest.approx([logit(0.1), 0, logit(0.9)])
        assert IntervalOptions("bca", 0.9, 2, 0.49, True).z == pytest.approx(z)
        assert _spread(np.array([0.3, 0.3 + 1e-13])) == 0.0

    def test_why_there_is_no_interval(self):
        options = {"n_resamples": 50, "small_sample_correction": False}
        empty = average_precision_interval(RankedList([], 3, 10), 1, **options)
        assert (empty.interval, empty.why_no_interval) == (None, "every resampled collection gives the same AP")
        assert (empty.standard_error, empty.logit_standard_error) == (0.0, 0.0)
        one = average_precision_interval(RankedList([2], 1, 10), 1, method="bca", **options)
        assert one.why_no_interval.startswith("BCa leaves out each document in turn, and AP is undefined without")
        two = average_precision_interval(RankedList([1, 3], 2, 10), 1, method="bca", **options)
        assert (two.why_no_interval, two.interval.high) == (None, 1.0)
        few = average_precision_interval(RankedList([1, 4, 9], 5, 100), 1, method="bca", **options | {"n_resamples": 2})
        assert few.interval is None
        assert few.why_no_interval == ("BCa has no bias correction or acceleration: AP never moves to one of its sides")
        with pytest.raises(ArgumentError, match="small_sample_correction must be True or False"):
            average_precision_interval(LISTS[0], 1, small_sample_correction=1)
        with pytest.raises(ArgumentError, match="ranked must be of type RankedList"):
            average_precision_interval([1], 1)

    def test_a_limit_replaces_an_interval_that_is_narrower(self):
        ranked = RankedList([], 30, 1000)
        highest, lowest = silver_bullet_limit(30, 1000, 0.9), lead_balloon_limit(30, 0.9)
        assert highest < lowest
        assert _corrected(ranked, highest, None, 0.9) == ((0.0, highest), "silver bullets")
        assert _corrected(ranked, highest, (0.0, highest), 0.9) == ((0.0, highest), None)
        assert _corrected(ranked, highest, (0.0, 0.99 * highest), 0.9)[1] == "silver bullets"
        assert _corrected(ranked, highest + 1e-9, (0.1, 0.1), 0.9) == ((0.1, 0.1), None)
        assert _corrected(ranked, lowest, None, 0.9) == ((lowest, 1.0), "lead balloons")
        assert _corrected(ranked, lowest, (lowest, 1.0), 0.9) == ((lowest, 1.0), None)
        assert _corrected(ranked, lowest, (lowest, 0.99), 0.9) == ((lowest, 1.0), "lead balloons")
        assert _corrected(ranked, lowest - 1e-9, None, 0.9) == (None, None)

    def test_many_lists_share_a_generator_and_tell_each_step(self):
        steps = []
        options = {"method": "linear", "confidence_level": 0.8, "n_resamples": 60, "epsilon": 0.02}
        found = average_precision_intervals(
            LISTS, 5, small_sample_correction=False, progress=lambda *step: steps.append(step), **options
        )
        assert steps == [(1, 3), (2, 3), (3, 3)]
        rng = np.random.default_rng(5)
        for ranked, one in zip(LISTS, found, strict=True):
            assert one == average_precision_interval(ranked, rng, small_sample_correction=False, **options)


class TestMeans:
    def test_map_by_the_same_draws(self):
        steps = []
        options = {"n_resamples": 80, "confidence_level": 0.9}
        found = map_interval(LISTS, 6, progress=lambda *step: steps.append(step), **options)
        rng = np.random.default_rng(6)
        draws = np.array([bootstrap_average_precision(ranked, rng, n_resamples=80) for ranked in LISTS])
        scores = np.array([average_precision(ranked) for ranked in LISTS])
        error = draws.mean(axis=0).std(ddof=1)
        assert (found.estimate, found.standard_error) == pytest.approx((scores.mean(), error))
        z = stats.norm.ppf(0.95)
        ends = (scores.mean() - z * error, min(1.0, scores.mean() + z * error))
        assert (found.interval.low, found.interval.high) == pytest.approx(ends)
        assert (found.score, found.score_interval) == (found.estimate, found.interval)
        assert (found.measure, found.method, found.n_topics, found.n_corrected, found.n_resamples) == (
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

    def test_the_parametric_error_adds_up_those_of_the_lists(self):
        lists = [*LISTS, RankedList([], 4, 100)]
        rng = np.random.default_rng(2)
        singles = [average_precision_interval(ranked, rng, n_resamples=70, confidence_level=0.9) for ranked in lists]
        z = stats.norm.ppf(0.95)
        spreads = [one.logit_standard_error for one in singles]
        n_corrected = 0
        for place, one in enumerate(singles):
            if one.correction:
                low, high = clipped_logit([one.interval.low, one.interval.high], 1e-5)
                spreads[place] = (high - low) / (2 * z)
                n_corrected += 1
        scores = np.array([average_precision(ranked) for ranked in lists])
        for function, weights in ((map_interval, scores * (1 - scores)), (logit_map_interval, np.ones(4))):
            found = function(lists, 2, method="parametric", n_resamples=70, confidence_level=0.9)
            assert found.standard_error == pytest.approx(np.sqrt(np.sum((weights * spreads) ** 2)) / 4)
            assert (found.n_corrected, found.method) == (n_corrected, "parametric")
        assert n_corrected >= 1

    @pytest.mark.parametrize("scale", ["linear", "logit"])
    def test_a_paired_difference_by_the_same_draws(self, scale):
        steps = []
        found = paired_difference(
            PAIRS, 7, scale=scale, confidence_level=0.9, n_resamples=90, epsilon=0.02,
            progress=lambda *step: steps.append(step),
        )  # fmt: skip
        turn = (lambda values: np.asarray(values)) if scale == "linear" else lambda values: clipped_logit(values, 0.02)
        rng = np.random.default_rng(7)
        draws = [turn(bootstrap_pair(pair, rng, n_resamples=90)) for pair in PAIRS]
        gaps = np.array([values[0] - values[1] for values in draws])
        observed = [turn(average_precision(pair.first)) - turn(average_precision(pair.second)) for pair in PAIRS]
        error = gaps.mean(axis=0).std(ddof=1)
        assert found.estimate == pytest.approx(np.mean(observed))
        assert found.topic_differences == pytest.approx(tuple(observed))
        assert found.topic_standard_errors == pytest.approx(tuple(gaps.std(axis=1, ddof=1)))
        assert found.standard_error == pytest.approx(error)
        apart = np.sqrt(sum(values.var(axis=1, ddof=1).sum() for values in draws)) / 2
        assert found.unpaired_standard_error == pytest.approx(apart)
        assert found.statistic == pytest.approx(found.estimate / error)
        assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))
        half = stats.norm.ppf(0.95) * error
        assert (found.interval.low, found.interval.high) == pytest.approx(
            (found.estimate - half, found.estimate + half)
        )
        assert (found.scale, found.epsilon, found.n_resamples, found.why_no_interval) == (scale, 0.02, 90, None)
        assert steps == [(1, 2), (2, 2)]


class TestHalves:
    def test_shares_below_within_and_above_by_hand(self):
        intervals = [Interval(0.2, 0.4, 0.9)] * 5 + [None]
        found = _shares(intervals, [0.2, 0.4, 0.1, 0.5, 0.6, 0.3])
        assert (found.n_compared, found.n_without_interval) == (5, 1)
        assert (found.below, found.within, found.above) == pytest.approx((1 / 5, 2 / 5, 2 / 5))
        with pytest.raises(ArgumentError, match="lists must have at least one interval"):
            _shares([None], [0.2])
        # A value next to a limit, as near as rounding, lies within.
        assert _shares([Interval(0.0, 0.0, 0.9)] * 2, [TIE_TOLERANCE, -TIE_TOLERANCE]).within == 1
        assert agreement_probability(0.9) == pytest.approx(2 * stats.norm.cdf(stats.norm.ppf(0.95) / 2**0.5) - 1)

    def test_salt_deals_the_documents_anew(self):
        halves = {salt: [collection_half(f"d{n}", salt) for n in range(40)] for salt in ("", "a", "b")}
        assert all(one != other for one, other in pairwise(halves.values()))
        run = parse_run("".join(f"1 Q0 d{n} 1 {-n} t\n" for n in range(40)))
        judgements = parse_judgements("".join(f"1 0 d{n} 1\n" for n in range(0, 40, 3)))
        for salt in halves:
            split = split_run(run, judgements, salt=salt)
            assert [one[0].depth for one in (split.first, split.second)] == [halves[salt].count(h) for h in (0, 1)]
            assert split.first[0].n_relevant == sum(halves[salt][n] == 0 for n in range(0, 40, 3))
        for change, message in (
            ({"run": 1}, "run must be of type Run"),
            ({"judgements": 1}, "judgements must be of type Judgements"),
            ({"depth": 0}, "depth must be a whole number, 1 or more"),
            ({"salt": b""}, "salt must be text"),
            ({"minimum_grade": 0}, "minimum_grade must be a whole number, 1 or more"),
        ):
            with pytest.raises(ArgumentError, match=message):
                split_run(**({"run": run, "judgements": judgements} | change))
        with pytest.raises(ArgumentError, match="document must be text"):
            collection_half(3)

    def test_a_half_is_as_deep_as_asked_for(self):
        names = [f"d{n}" for n in range(2200)]
        run = parse_run("".join(f"1 Q0 {name} 1 {-n} t\n" for n, name in enumerate(names)))
        judgements = parse_judgements("".join(f"1 0 {name} 1\n" for name in names[-20:]))
        split = split_run(run, judgements, depth=3000)
        assert split.first[0].depth + split.second[0].depth == 2200
        assert min(split.first[0].depth, split.second[0].depth) > 1000
        assert split.first[0].relevant_ranks.size + split.second[0].relevant_ranks.size == 20

    def test_lists_are_counted_both_ways_as_asked_for(self):
        others, steps = [RankedList([1, 2], 7, 100), RankedList([5], 3, 100), RankedList([1, 2, 3, 4, 5], 9, 50)], []
        options = {"method": "linear", "confidence_level": 0.5, "n_resamples": 40, "epsilon": 0.05}
        found = list_agreement(
            LISTS, others, 8, small_sample_correction=False, progress=lambda *step: steps.append(step), **options
        )
        rng = np.random.default_rng(8)
        for half, own, against in ((found.first, LISTS, others), (found.second, others, LISTS)):
            made = average_precision_intervals(own, rng, small_sample_correction=False, **options)
            values = [average_precision(ranked) for ranked in against]
            assert half == _shares([one.interval for one in made], values)
        assert found.expected == agreement_probability(0.5)
        assert steps == [(1, 3), (2, 3), (3, 3)] * 2
        for change, message in (
            ({"first": []}, "first must hold RankedList objects only"),
            ({"second": [1]}, "second must hold RankedList objects only"),
            ({"rng": None}, "rng must be a numpy Generator"),
        ):
            with pytest.raises(ArgumentError, match=message):
                list_agreement(**({"first": LISTS, "second": others, "rng": 1} | change))
        with pytest.raises(ArgumentError, match="measure must be one of 'MAP', 'L-MAP'"):
            mean_agreement([], 1, measure="AP")
