"""From which distance on rows are told apart by their means, and the ranks that they may have."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.best import best_set_from_means
from analysis.boards import (
    BoardInputs,
    BoardRow,
    KnownVariance,
    MeasureFacts,
    describe_topic_scores,
    margin_of_means,
    rank_ranges,
    study,
)
from analysis.scores import ScoreMatrix

OWN = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))


def board(values, *, n_topics=50, variances=(OWN,), **measure) -> BoardInputs:
    rows = tuple(BoardRow(id=n, system=f"s{n}", printed=f"{v}", value=v) for n, v in enumerate(values))
    facts = MeasureFacts(name="AP", **measure)
    return BoardInputs(collection="x", measure=facts, rows=rows, n_topics=n_topics, variances=variances)


def test_it_is_the_margin_of_the_verdict_where_many_compete():
    inputs = board(np.linspace(0.1, 0.3, 30).round(4).tolist())
    found = study(inputs)
    assert margin_of_means(inputs, found) == found.verdict.set.margin


def test_of_two_it_is_that_of_a_pair_named_beforehand():
    inputs = board([0.2, 0.3])
    # Student's two-sided 5 % point with 1000 degrees of freedom, as printed in tables, times the standard error.
    assert margin_of_means(inputs, study(inputs)) == pytest.approx(1.962 * (2 * 0.0144 / 50) ** 0.5, rel=0.001)
    assert margin_of_means(inputs, study(inputs)) > study(inputs).verdict.set.margin


@pytest.mark.parametrize("change", [{"n_topics": None}, {"n_topics": 20}, {"measure": MeasureFacts(name="GMAP")}])
def test_without_evidence_there_is_none(change):
    inputs = replace(board([0.1, 0.2, 0.3]), **change)
    found = study(inputs)
    assert margin_of_means(inputs, found) is None
    assert rank_ranges(inputs, found) == {}


def test_ranks_are_counted_one_by_one():
    values = np.linspace(0.1, 0.3, 30).round(4).tolist()
    inputs = board(values)
    found, margin = study(inputs), margin_of_means(inputs, study(inputs))
    for row, ranks in rank_ranges(inputs, found).items():
        better = sum(other - values[row] > margin + 1e-12 for other in values)
        worse = sum(values[row] - other > margin + 1e-12 for other in values)
        assert (ranks.low, ranks.high) == (1 + better, 30 - worse)


def test_the_set_has_rank_1_and_nobody_else_where_topics_say_who_is_in_it():
    rng = np.random.default_rng(7)
    scores = np.clip(np.linspace(0.2, 0.45, 12)[:, None] + rng.normal(0, 0.12, (12, 60)), 0, 1)
    matrix = ScoreMatrix([str(n) for n in range(12)], [str(n) for n in range(60)], scores)
    values = [float(f"{mean:.4f}") for mean in scores.mean(axis=1)]
    inputs = replace(board(values, n_topics=60, variances=()), topic_scores=describe_topic_scores(matrix))
    found = study(inputs, topic_scores=matrix)
    assert found.verdict.evidence.kind == "own-topics"
    ranges = rank_ranges(inputs, found)
    assert {row for row, ranks in ranges.items() if ranks.low == 1} == set(found.verdict.set.members)
    alike = best_set_from_means(
        values,
        n_topics=60,
        residual_variance=found.verdict.evidence.residual_variance,
        degrees_of_freedom=found.verdict.evidence.degrees_of_freedom,
    )
    assert margin_of_means(inputs, found) == pytest.approx(alike.margin)


def test_where_lower_is_better_ranks_turn_round():
    values = np.linspace(0.1, 0.3, 30).round(4).tolist()
    up, down = board(values), board([round(0.4 - value, 4) for value in values], higher_is_better=False)
    assert rank_ranges(up, study(up)) == rank_ranges(down, study(down))
