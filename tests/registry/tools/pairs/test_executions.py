"""Systems that were executed several times, in GET /leaderboards/<c>/<m>/pairs/<a>/<b>/ and its JSON."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.comparisons import adjust_pvalues, equivalence_of_difference
from analysis.instances import compare_algorithms
from analysis.reliability import two_way_anova
from analysis.scores import InstanceScores, ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.results.services.endings import withdraw_result
from registry.tools.pairs.documents import ScoredSystem
from registry.tools.pairs.execution_documents import compare_executed, difference_of_executed, executed_system
from registry.tools.pairs.queries import read_executions
from tests.registry.factory import make_result, make_topic_scores
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of

N = 4


@pytest.fixture
def board() -> Leaderboard:
    """Eight systems, the last of them with three more executions."""
    scores = scores_of()
    leaderboard = make_scored_board(scores)
    first = list(leaderboard.results.order_by("pk"))[-1]
    rng = np.random.default_rng(4)
    for _ in range(N - 1):
        again = np.clip(scores[-1] + rng.normal(0, 0.02, scores.shape[1]), 0, 1)
        make_topic_scores(make_result(leaderboard, printed=f"{again.mean():.4f}", replicate_of=first), again.tolist())
    return leaderboard


def pair(client: Client, board: Leaderboard, end: str = ".json", query: str = "") -> Any:
    """Return what is answered about the system of the executions and the one before it."""
    before, first = list(board.results.filter(replicate_of=None).order_by("pk"))[-2:]
    return client.get(f"{board.get_absolute_url()}pairs/{first.pk}/{before.pk}{end}{query}")


def test_the_pair_says_what_executions_of_one_of_them_change(client, board):
    document = pair(client, board).json()
    (system,) = document["executed"]
    means = [execution["mean"] for execution in system["executions"]]
    assert len(means) == N
    assert (system["mean"], system["sd"]) == pytest.approx((np.mean(means), np.std(means, ddof=1)))
    known = read_executions(board)
    first, second = (str(document[place]["result"]) for place in ("first", "second"))
    both = InstanceScores.from_matrices({first: known[first], second: known[second]}, deterministic=[second])
    expected = compare_algorithms(both, first, second)
    of_pair = document["by_executions"]["pair"]
    assert of_pair["models"]["3"]["estimate"] == pytest.approx(expected.estimate)
    assert of_pair["pvalue"] == pytest.approx(expected.pvalue)
    bests = [np.mean([max(some) for some in combinations(means, n)]) for n in (1, 2, 3, 4)]
    assert system["best_of"]["estimate"] == pytest.approx(bests)
    assert document["n_execution_topics"] == 20
    page = read(client, document["url"])
    assert (2, "Executed several times") in page.headings
    assert f"standard deviation of {system['sd']:.4f}" in page.text
    assert ["3", f"{bests[2]:.4f}"] in page.rows
    models = [row[0] for row in page.rows if len(row) == 4 and row[0][:2] in ("1:", "2:", "3:")]
    assert models[1:] == ["2: executions as repeats", "3: executions with an effect of their own"]


def test_executions_that_agree_are_no_executions(client):
    scores = scores_of()
    board = make_scored_board(scores)
    first = board.results.order_by("pk").last()
    make_topic_scores(make_result(board, printed=f"{scores[-1].mean():.4f}", replicate_of=first), scores[-1].tolist())
    document = pair(client, board).json()
    assert (document["executed"], document["n_execution_topics"]) == ([], 0)


def test_a_withdrawn_execution_is_none_of_them(client, board):
    last = board.results.order_by("pk").last()
    withdraw_result(result=last, actor=None, reason="an erratum")
    (scores,) = (matrix for matrix in read_executions(board).values() if matrix.n_systems > 1)
    assert len(scores.systems) == N - 1
    assert str(last.pk) not in scores.systems


def executions(**scores: list[list[float]]) -> dict[str, ScoreMatrix]:
    """Return a matrix for each system, of its executions by topic."""
    return {
        label: ScoreMatrix([f"{label}{n}" for n in range(len(rows))], [f"t{n}" for n in range(len(rows[0]))], rows)
        for label, rows in scores.items()
    }


def near(centre: float, n: int, seed: int) -> list[list[float]]:
    """Scores of executions on twelve topics, the mean of each a hundredth above the one before."""
    rng = np.random.default_rng(seed)
    rows = centre + rng.normal(0, 0.03, (n, 12))
    return (rows - rows.mean(axis=1, keepdims=True) + centre + 0.01 * np.arange(n)[:, None]).tolist()


def test_pairs_that_are_compared_together_are_corrected_together_and_those_that_cannot_be_judged_are_named():
    known = executions(far=near(0.7, 1, 1), own=near(0.4, 3, 2), rival=near(0.43, 2, 3))
    pairs = [
        InstanceScores.from_matrices({"own": known["own"], name: known[name]}, deterministic=fixed)
        for name, fixed in (("far", ["far"]), ("rival", []))
    ]
    base = np.random.default_rng(1).integers(10, 30, 12) / 64
    level = executions(own=[base.tolist(), base.tolist()], level=[(base + 0.125).tolist()])
    level_pair = InstanceScores.from_matrices(level, deterministic=["own", "level"])
    (far, rival), why_not = compare_executed([*pairs, level_pair], 0.2)
    alone = [compare_algorithms(pair, *pair.algorithms) for pair in pairs]
    assert [far.pvalue, rival.pvalue] == pytest.approx(adjust_pvalues([comparison.pvalue for comparison in alone]))
    within = [equivalence_of_difference(comparison, margin=0.2).pvalue for comparison in alone]
    assert [far.as_good, rival.as_good] == pytest.approx(adjust_pvalues(within))
    assert (far.share_significant, far.answer, rival.answer) == (1.0, "significantly different", "as good")
    assert why_not == ["own and level can’t be judged: must not differ by the same amount everywhere: nothing varies."]
    assert compare_executed(pairs, None, is_planned=False)[0][0].designs == ()


def test_where_lower_is_better_the_best_of_several_is_the_lowest_and_no_worse_is_no_higher():
    known = executions(own=near(0.4, 6, 1), worse=near(0.6, 1, 2), better=near(0.2, 1, 3))
    named = [ScoredSystem(0, name, "", mean) for name, mean in zip("abcdef", known["own"].means, strict=True)]
    system = executed_system(known["own"], named, higher_is_better=False)
    assert [n for n, _ in system.bests] == [1, 2, 3, 5, 6]
    assert system.bests[0][1] == pytest.approx(0.425)
    assert system.bests[-1][1] == pytest.approx(0.4)
    assert system.components == two_way_anova(known["own"])
    by_name = {
        name: difference_of_executed({"own": known["own"], name: known[name]}, (name,), 0.01, higher_is_better=False)
        for name in ("worse", "better")
    }
    assert (by_name["worse"].no_worse.noninferior, by_name["better"].no_worse.noninferior) == (True, False)
    assert by_name["worse"].pair.as_good > 0.05
