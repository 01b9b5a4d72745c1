"""From which distance on rows are told apart by their means, and the ranks that they may have."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.best import best_set_from_means
from analysis.boards import (
    BoardInputs,
    BoardRow,
    KnownVariance,
    MeasureFacts,
    PairError,
    TopicScoresInput,
    describe_evidence,
    error_of_pair,
    find_obstacle,
    margin_of_means,
    planned_pairs,
    rank_ranges,
    study,
)
from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix

OWN = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))


def board(values, *, n_topics=50, variances=(OWN,), **measure) -> BoardInputs:
    rows = tuple(BoardRow(id=n, system=f"s{n}", printed=f"{v}", value=v) for n, v in enumerate(values))
    facts = MeasureFacts(name="AP", **measure)
    return BoardInputs(collection="x", measure=facts, rows=rows, n_topics=n_topics, variances=variances)


def test_it_is_the_margin_of_the_verdict_where_many_compete():
    inputs = board(np.linspace(0.1, 0.3, 30).round(4).tolist())
    findings = study(inputs)
    assert margin_of_means(inputs, findings) == findings.verdict.set.margin


def test_of_two_it_is_that_of_a_pair_named_beforehand():
    inputs = board([0.2, 0.3])
    # Student's two-sided 5 % point with 1000 degrees of freedom, as printed in tables, times the standard error.
    assert margin_of_means(inputs, study(inputs)) == pytest.approx(1.962 * (2 * 0.0144 / 50) ** 0.5, rel=0.001)
    (pair,) = study(inputs).verdict.pairs
    assert (pair.result, pair.rival, pair.is_significant) == (0, 1, True)
    assert pair.margin == pytest.approx(margin_of_means(inputs, study(inputs)))


def test_ranks_are_counted_one_by_one():
    values = np.linspace(0.1, 0.3, 30).round(4).tolist()
    inputs = board(values)
    findings, margin = study(inputs), margin_of_means(inputs, study(inputs))
    for row, ranks in rank_ranges(inputs, findings).items():
        better = sum(other - values[row] > margin + 1e-12 for other in values)
        worse = sum(values[row] - other > margin + 1e-12 for other in values)
        assert (ranks.low, ranks.high) == (1 + better, 30 - worse)


@pytest.mark.parametrize("better", [True, False])
def test_what_the_best_is_worth_is_never_printed_beyond_it(better):
    values = [0.40, 0.41, 0.42, 0.43, 0.4557]
    inputs = board(values if better else [1 - value for value in values], n_topics=5000, higher_is_better=better)
    verdict = study(inputs).verdict
    value, digits = verdict.corrected.value, verdict.corrected.decimals
    assert (value <= verdict.best.value) if better else (value >= verdict.best.value)
    assert abs(round(value, digits) - round(verdict.best.value, digits)) <= round(verdict.corrected.luck, digits) + 1e-9
    assert 10 <= round(verdict.corrected.half_width * 10**digits) <= 99


@pytest.mark.parametrize(("more", "ranks"), [(0.0, [(1, 2), (1, 2)]), (1e-6, [(1, 1), (2, 2)])])
def test_two_that_are_the_margin_apart_to_the_last_digit_may_change_places(more, ranks):
    inputs = board([0.9, 0.5, 0.3, 0.2, 0.1])
    margin = margin_of_means(inputs, study(inputs))
    apart = board([0.9, 0.9 - margin - more, 0.3, 0.2, 0.1])
    first, second, *_ = rank_ranges(apart, study(apart)).values()
    assert [(first.low, first.high), (second.low, second.high)] == ranks


def test_the_set_has_rank_1_and_nobody_else_where_topics_say_who_is_in_it():
    rng = np.random.default_rng(7)
    scores = np.clip(np.linspace(0.2, 0.45, 12)[:, None] + rng.normal(0, 0.12, (12, 60)), 0, 1)
    matrix = ScoreMatrix([str(n) for n in range(12)], [str(n) for n in range(60)], scores)
    values = [float(f"{mean:.4f}") for mean in scores.mean(axis=1)]
    inputs = replace(board(values, n_topics=60, variances=()), topic_scores=TopicScoresInput.of(matrix))
    findings = study(inputs, topic_scores=matrix)
    assert findings.verdict.evidence.kind == "own-topics"
    ranges = rank_ranges(inputs, findings)
    assert {row for row, ranks in ranges.items() if ranks.low == 1} == set(findings.verdict.set.members)
    alike = best_set_from_means(
        values,
        n_topics=60,
        residual_variance=findings.verdict.evidence.residual_variance,
        degrees_of_freedom=findings.verdict.evidence.degrees_of_freedom,
    )
    assert margin_of_means(inputs, findings) == pytest.approx(alike.margin)


def test_where_lower_is_better_ranks_turn_round():
    values = np.linspace(0.1, 0.3, 30).round(4).tolist()
    up, down = board(values), board([round(0.4 - value, 4) for value in values], higher_is_better=False)
    assert rank_ranges(up, study(up)) == rank_ranges(down, study(down))


class TestPlannedPairs:
    """Two systems that were named before their scores were seen."""

    SCIFACT = PairError(value=(2 * 0.096221 / 300) ** 0.5, degrees_of_freedom=10.0)

    def test_one_pair_takes_student_s_t(self):
        # BEIR SciFact, .771 against .686: 300 topics, the variance of reciprocal rank; t(.975, 10) is 2.228.
        (pair,) = planned_pairs([0.771 - 0.686], [self.SCIFACT])
        assert pair.is_told_apart
        assert pair.margin == pytest.approx(0.0564, abs=5e-5)
        assert pair.margin == pytest.approx(2.228 * self.SCIFACT.value, rel=1e-4)

    def test_its_error_is_that_of_the_verdict(self):
        inputs = board([0.2, 0.25, 0.3])
        findings = study(inputs)
        error = error_of_pair(inputs, findings)
        evidence = findings.verdict.evidence
        assert error.value == pytest.approx((2 * evidence.residual_variance / 50) ** 0.5)
        assert error.degrees_of_freedom == evidence.degrees_of_freedom
        assert error_of_pair(replace(inputs, n_topics=24), study(replace(inputs, n_topics=24))) is None

    pairs = st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(0.001, 0.1), st.floats(3, 500)), min_size=1, max_size=12)

    @given(pairs, st.integers(0, 40))
    def test_it_is_holm_s_rule_by_p_values_and_by_margins(self, pairs, n_more):
        values = [value for value, _, _ in pairs]
        errors = [PairError(error, df) for _, error, df in pairs]
        judged = planned_pairs(values, errors, len(pairs) + n_more)
        pvalues = [2 * stats.t.sf(abs(value) / error, df) for value, error, df in pairs]
        with patch("gc.collect"):  # It collects each time, which takes long where much is loaded.
            _, adjusted, _, _ = multipletests([*pvalues, *[1.0] * n_more], method="holm")
        assert [planned.pvalue for planned in judged] == pytest.approx(adjusted[: len(pairs)].tolist(), abs=1e-12)
        for value, pair in zip(values, judged, strict=True):
            assert pair.is_told_apart == (pair.pvalue <= 0.05)
            if abs(abs(value) - pair.margin) > 1e-9:
                assert pair.is_told_apart == (abs(value) > pair.margin)
        assert [
            mirrored.margin for mirrored in planned_pairs([-value for value in values], errors, len(pairs) + n_more)
        ] == [planned.margin for planned in judged]

    def test_what_was_picked_counts_as_all_among_which_it_was_picked(self):
        """Ten equal systems: the best against each other one, wrong in 5 % of tables at most if all pairs count."""
        means = np.sort(np.random.default_rng(3).normal(0, 1, (800, 10)), axis=1)
        gaps = means[:, -1:] - means[:, :-1]
        error = PairError(value=2**0.5, degrees_of_freedom=1e6)
        wrong = [np.mean([planned_pairs(gap[:1], [error], n)[0].is_told_apart for gap in gaps]) for n in (9, 45)]
        assert wrong[0] > 0.09
        assert wrong[1] < 0.05


def test_where_every_run_has_one_score_on_all_topics_nothing_competes():
    inputs = board([0.3, 0.5])
    flat = ScoreMatrix(["0", "1"], ["a", "b", "c"], [[0.3] * 3, [0.5] * 3])
    assert find_obstacle(inputs) == ""
    assert find_obstacle(inputs, topic_scores=flat) == "no_comparable_result"
    with pytest.raises(ArgumentError, match="has no row that competes: no_comparable_result"):
        study(replace(inputs, topic_scores=TopicScoresInput.of(flat)), topic_scores=flat)


def test_evidence_of_a_collection_does_not_name_it_again():
    source = "robust04: 110 runs x 99 topics, a/matrix"
    variance = KnownVariance(kind="own-variance", value=0.0154, degrees_of_freedom=18.0, sources=(source,))
    inputs = BoardInputs(
        collection="robust04",
        measure=MeasureFacts(name="AP"),
        rows=tuple(BoardRow(id=n, system=f"run {n}", printed=f"0.{n}", value=n / 10) for n in range(1, 6)),
        n_topics=249,
        variances=(variance,),
    )
    words = describe_evidence(inputs, study(inputs))
    assert words == ("Judged by how much scores vary between topics here: 110 runs × 99 topics, a/matrix.")
