"""From how many results, of how many groups, a verdict is given, and what is said of fewer."""

import pytest
from scipy import stats

from analysis.boards import study, study_suite
from tests.analysis.boards.test_cautions import OWN, board, change
from tests.analysis.boards.test_study import by_topics, drawn
from tests.analysis.boards.test_suites import suite

VALUES = (0.31, 0.28, 0.25, 0.22, 0.20, 0.19)


def of_teams(labels):
    inputs = board(VALUES[: len(labels)])
    for row, label in zip(inputs.rows, labels, strict=True):
        inputs = change(inputs, row.id, lineage=(f"team:{label}",), team=label)
    return inputs


@pytest.mark.parametrize(
    ("labels", "why"), [("a", "one"), ("abcd", "results"), ("aabbb", "groups"), ("aaaaaa", "groups"), ("aabbc", "")]
)
def test_a_verdict_takes_five_results_of_three_groups(labels, why):
    inputs = of_teams(labels)
    findings = study(inputs)
    verdict = findings.verdict
    assert (verdict.n_rows, verdict.n_groups, verdict.too_few) == (len(labels), len(set(labels)), why)
    assert (verdict.set is None) == (verdict.corrected is None) == (findings.tiers == ()) == bool(why)
    assert len(verdict.pairs) == (len(labels) - 1 if why else 0)


def test_the_best_is_compared_with_each_other_as_some_of_all_pairs():
    verdict = study(of_teams("abcd")).verdict
    error = (2 * OWN.value / 50) ** 0.5
    behind = [0.03, 0.06, 0.09]
    assert [pair.behind for pair in verdict.pairs] == pytest.approx(behind)
    # Holm: the largest of six differences at a sixth of 5 %, the next at a fifth, the third at a quarter.
    needed = [float(stats.t.ppf(1 - 0.025 / n, 980)) * error for n in (4, 5, 6)]
    assert [pair.margin for pair in verdict.pairs] == pytest.approx([needed[1], needed[1], needed[2]], rel=1e-6)
    assert [pair.is_significant for pair in verdict.pairs] == [False, False, True]
    assert verdict.distances[2].behind == pytest.approx(0.06)


def test_scores_by_topic_compare_two_by_their_own_differences():
    inputs, matrix = by_topics(drawn([0.0, 0.02]))
    (pair,) = study(inputs, topic_scores=matrix).verdict.pairs
    t, _ = stats.ttest_rel(matrix.scores[1], matrix.scores[0])
    assert pair.behind / pair.margin == pytest.approx(t / stats.t.ppf(0.975, 29), rel=1e-6)


def test_a_set_says_of_how_many_groups_it_is_and_the_name_of_one():
    inputs = of_teams("aabbbc")
    best_set = study(inputs).verdict.set
    assert (best_set.n_members, best_set.n_groups, best_set.group) == (2, 1, "a")
    mixed = study(of_teams("abbbbc")).verdict.set
    assert (mixed.n_members, mixed.n_groups, mixed.group) == (2, 2, "")


def test_a_mean_over_collections_takes_as_many():
    scores = [[0.5 - 0.1 * row + 0.01 * ((row * place) % 3) for place in range(8)] for row in range(1, 5)]
    findings = study_suite(suite(scores))
    assert findings.other_collections.set is None
    assert [pair.is_significant for pair in findings.other_collections.pairs] == [True] * 3
    assert findings.other_collections.too_few == "results"
