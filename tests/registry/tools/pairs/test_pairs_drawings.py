"""Bars of differences, and the grid of a family."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.scores import ScoreMatrix
from registry.tools.pairs import pipeline
from registry.tools.pairs.documents import ComparedPair, ScoredSystem
from registry.tools.pairs.drawings import MOST_DRAWN, draw_differences, grid_of
from registry.tools.pairs.pair_documents import _n_deciding
from registry.tools.pairs.paired_tests import TopicDifference, differences_of, paired_tests, topic_differences
from registry.tools.pairs.pipeline import adjusted, study_matrix


def topics(*differences: float) -> list[TopicDifference]:
    return [TopicDifference(str(n), 0.5 + one, 0.5, one) for n, one in enumerate(differences)]


def test_differences_are_bars_up_and_down_from_none():
    first, second, zero = json.loads(draw_differences(topics(0.3, 0.0, -0.1), "AP").plotly)["data"]
    assert (first["x"], first["y"], first["text"]) == ([1], [0.3], ["0: +0.300"])
    assert (second["x"], second["y"]) == ([2, 3], [0, -0.1])
    assert zero["y"] == [0, 0]
    assert draw_differences(topics(0.0, 0.0), "AP") is None


def family(n: int, pvalues: dict[tuple[int, int], float]) -> Any:
    systems = tuple(ScoredSystem(one, f"s{one}", "", 1 - one / 100) for one in range(n))
    pairs = tuple(ComparedPair(*pair, 0.1, p, p <= 0.05) for pair, p in pvalues.items())
    return SimpleNamespace(systems=systems, pairs=pairs)


def test_the_grid_has_each_pair_once_in_the_row_of_the_worse():
    grid = grid_of(family(4, {(0, 1): 0.01, (0, 2): 0.011, (1, 2): 0.05, (0, 3): 0.051, (2, 3): 1.0}))
    assert [(row.number, row.system.result) for row in grid] == [(1, 0), (2, 1), (3, 2), (4, 3)]
    assert [[(cell.better.result, cell.shade) for cell in row.cells] for row in grid] == [
        [], [(0, "strong")], [(0, "slight"), (1, "slight")], [(0, ""), (2, "")],
    ]  # fmt: skip
    assert len(grid_of(family(41, {}))) == MOST_DRAWN == 40


@pytest.mark.parametrize(
    ("differences", "n"),
    [
        ((0.4, 0.1, -0.2), 1),
        ((0.2, 0.2, -0.1), 2),
        ((-0.2, -0.2, 0.1), 2),
        ((0.3, -0.3), None),
        ((0.0, 0.0), None),
        ((0.1, 0.1, 0.1), 3),
        ((0.5, 0.25, -0.25), 1),
    ],
)
def test_how_many_of_the_largest_differences_decide(differences, n):
    assert _n_deciding(np.array(differences)) == n


def two(first: list[float], second: list[float]) -> ScoreMatrix:
    return ScoreMatrix(["a", "b"], [f"t{n}" for n in range(len(first))], [first, second])


def test_differences_stand_from_the_largest_down_and_rounding_is_none():
    matrix = two([0.1, 0.5, 0.3], [0.3, 0.2, 0.3 + 1e-13])
    assert differences_of(matrix).tolist() == pytest.approx([-0.2, 0.3, 0.0])
    assert differences_of(matrix)[2] == 0
    rows = topic_differences(matrix)
    assert [(one.topic, one.first, one.second) for one in rows] == [
        ("t1", 0.5, 0.2), ("t2", 0.3, 0.3 + 1e-13), ("t0", 0.1, 0.3),
    ]  # fmt: skip


def test_topics_that_differ_by_as_much_stand_in_the_order_of_the_collection():
    rng = np.random.default_rng(6)
    first = rng.choice([0.25, 0.5, 0.75], 60)
    matrix = two(first.tolist(), [0.5] * 60)
    expected = sorted(range(60), key=lambda place: -first[place])
    assert [one.topic for one in topic_differences(matrix)] == [f"t{place}" for place in expected]


def test_of_a_measure_that_is_better_the_lower_all_is_found_turned_round():
    rng = np.random.default_rng(7)
    scores = np.array([[0.3], [0.5], [0.45], [0.2]]) + rng.normal(0, 0.1, 30) + rng.normal(0, 0.08, (4, 30))
    labels, topics_of = ["1", "2", "3", "4"], [str(n) for n in range(30)]
    found = study_matrix(ScoreMatrix(labels, topics_of, scores), measure="AP", higher_is_better=True)
    turned = study_matrix(ScoreMatrix(labels, topics_of, 1 - scores), measure="AP", higher_is_better=False)
    assert found.systems == turned.systems == ("2", "3", "1", "4")
    assert 0 < found.first_places[1] < found.first_places[0] < 1
    assert found.first_places == pytest.approx(turned.first_places)
    assert found.by_chance == pytest.approx(turned.by_chance, abs=1e-3)
    for one, other in zip(found.ranked, turned.ranked, strict=True):
        assert (one.low, one.high) == (other.low, other.high)
        assert one.may_be_best == pytest.approx(other.may_be_best, abs=1e-3)
        assert one.lead == pytest.approx(other.lead)
        assert one.lead_low == pytest.approx(other.lead_low)
        assert one.lead_low < one.lead < one.lead_high
    assert found.ranked[0].lead == pytest.approx(found.means[0] - found.means[1])
    assert [(one.low, one.high) for one in found.ranked][2:] == [(3, 3), (4, 4)]
    for one, other in zip(found.opinions, turned.opinions, strict=True):
        assert (one.method, one.why_none) == (other.method, other.why_none)
        assert one.estimate == pytest.approx(1 - other.estimate, abs=2e-3)
        for end, opposite in ((one.low, other.high), (one.high, other.low)):
            assert (end is None) == (opposite is None)
            assert end is None or end == pytest.approx(1 - opposite, abs=2e-3)
    coarse = study_matrix(ScoreMatrix(labels, topics_of, scores), measure="P@1", higher_is_better=True)
    assert {(one.low, one.high) for one in coarse.opinions} == {(None, None)}
    assert coarse.opinions[0].why_none != ""


def test_an_interval_without_a_bound_has_its_other_end_and_says_why():
    rng = np.random.default_rng(4)
    first = 0.4 + rng.normal(0, 0.1, 30)
    second = first + rng.normal(0, 0.05, 30)
    scores = np.vstack([first, second + first.mean() - second.mean() - 1e-5, rng.normal(0.2, 0.1, 30)])
    matrix = ScoreMatrix(["1", "2", "3"], [str(n) for n in range(30)], scores)
    opinions = {one.method: one for one in study_matrix(matrix, measure="AP", higher_is_better=True).opinions}
    conditional, projection = opinions["conditional"], opinions["projection"]
    assert (conditional.low, conditional.high < first.mean()) == (None, True)
    assert conditional.why_none.startswith("the winner's lead is so small that")
    assert projection.low < first.mean() < projection.high
    assert projection.why_none == ""


def test_where_one_is_far_ahead_chance_is_one_in_as_many_draws_and_one():
    scores = np.random.default_rng(8).uniform(0.1, 0.12, (3, 12))
    scores[0] += 0.8
    matrix = ScoreMatrix(["1", "2", "3"], [str(n) for n in range(12)], scores)
    assert study_matrix(matrix, measure="AP", higher_is_better=True).by_chance == pytest.approx(1 / 10_001)


def test_tests_of_the_same_scores_say_why_there_are_none_and_others_repeat_themselves():
    same = paired_tests(two([0.1, 0.2], [0.1, 0.2]))
    assert [(one.test, one.found, one.why_none) for one in same] == [
        (name, None, "both have the same score on every topic")
        for name in ("randomization", "t", "bootstrap-shift", "wilcoxon", "sign")
    ]
    # What is more than nothing, and of scores so large no more than rounding.
    large = paired_tests(two([500.0, 400.0, 300.0], [500.0 + 1e-10, 400.0, 300.0]))
    assert [one.found.pvalue for one in large] == [1.0] * 5
    rng = np.random.default_rng(1)
    matrix = two(rng.random(30).tolist(), rng.random(30).tolist())
    one, again = ([each.found.pvalue for each in paired_tests(matrix)] for _ in range(2))
    assert one == again
    assert all(each.adjusted is None for each in paired_tests(matrix))


def test_p_values_are_adjusted_by_hand():
    """Holm: 3 × 0.01, 2 × 0.02, 1 × 0.03, none below the one before; Benjamini and Hochberg: 3 × p over its place."""
    tested = pipeline.Tested("t", (0.03, 0.01, 0.02), None, "")
    assert adjusted(tested, "holm") == pytest.approx((0.04, 0.03, 0.04))
    assert adjusted(tested, "benjamini-hochberg") == pytest.approx((0.03, 0.03, 0.03))
    assert adjusted(tested, "none") == (0.03, 0.01, 0.02)
    assert adjusted(pipeline.Tested("tukey", (0.03, 0.01, 0.02), None, ""), "holm") == (0.03, 0.01, 0.02)
    assert adjusted(pipeline.Tested("sign", (), None, "why"), "holm") == ()


def test_estimates_are_the_better_less_the_worse_in_the_order_of_pairs():
    rng = np.random.default_rng(3)
    scores = np.array([[0.2], [0.6], [0.4]]) + rng.normal(0, 0.05, (3, 12))
    matrix = ScoreMatrix(["1", "2", "3"], [str(n) for n in range(12)], scores)
    found = study_matrix(matrix, measure="AP", higher_is_better=True)
    means = dict(zip(matrix.systems, scores.mean(axis=1), strict=True))
    assert found.systems == ("2", "3", "1")
    assert found.means == pytest.approx([means[one] for one in found.systems])
    assert found.estimates == pytest.approx((means["2"] - means["3"], means["2"] - means["1"], means["3"] - means["1"]))
    assert (found.n_systems, found.n_topics, found.ranked) == (3, 12, ())
    assert sum(found.first_places) == pytest.approx(1)
    assert found.first_places[0] > 0.9
    assert [one.name for one in found.tested] == [
        "randomization", "t", "bootstrap-shift", "wilcoxon", "sign", "max-t", "tukey", "randomized-tukey",
    ]  # fmt: skip
    turned = study_matrix(matrix, measure="cost", higher_is_better=False)
    assert turned.systems == ("1", "3", "2")
    assert 0 < found.by_chance < 0.05
    assert 0 < turned.by_chance < 0.05
