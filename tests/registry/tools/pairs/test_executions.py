"""Systems that were executed several times, in GET /leaderboards/<c>/<m>/pairs/<a>/<b>/ and its JSON."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.errors import DegenerateWarning
from analysis.instances import (
    bootstrap_comparison,
    compare_algorithms,
    design_power,
    instances_and_topics_needed,
    posterior_difference,
)
from analysis.reliability import two_way_anova
from analysis.scores import InstanceScores, ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.results.services.endings import withdraw_result
from registry.tools.pairs.documents import ScoredSystem
from registry.tools.pairs.execution_documents import ExecutedSystem, executed_system
from registry.tools.pairs.pipeline import SEED
from registry.tools.pairs.queries import read_executions
from tests.registry.factory import make_result, make_topic_scores
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of

pytestmark = pytest.mark.django_db

N = 4


def make_executed(place: int) -> Leaderboard:
    """Eight systems, one of them with three more executions."""
    scores = scores_of()
    made = make_scored_board(scores)
    first = list(made.results.order_by("pk"))[place]
    rng = np.random.default_rng(4)
    for _ in range(N - 1):
        again = np.clip(scores[place] + rng.normal(0, 0.02, scores.shape[1]), 0, 1)
        make_topic_scores(make_result(made, printed=f"{again.mean():.4f}", replicate_of=first), again.tolist())
    return made


@pytest.fixture
def board() -> Leaderboard:
    """The last of them is executed again."""
    return make_executed(-1)


def pair(client: Client, board: Leaderboard, end: str = ".json", query: str = "") -> Any:
    """What is answered about the system of the executions and the one before it."""
    before, first = list(board.results.filter(replicate_of=None).order_by("pk"))[-2:]
    return client.get(f"{board.get_absolute_url()}pairs/{first.pk}/{before.pk}{end}{query}")


def test_the_pair_says_what_executions_of_one_of_them_change(client, board):
    document = pair(client, board).json()
    (system,) = document["executed"]
    means = [one["mean"] for one in system["executions"]]
    assert len(means) == N
    assert (system["mean"], system["sd"]) == pytest.approx((np.mean(means), np.std(means, ddof=1)))
    known = read_executions(board)
    first, second = (str(document[one]["result"]) for one in ("first", "second"))
    both = InstanceScores.from_matrices({first: known[first], second: known[second]}, deterministic=[second])
    expected = compare_algorithms(both, first, second)
    (rival,) = system["rivals"]
    assert rival["found"]["estimate"] == pytest.approx(expected.estimate)
    assert rival["pvalue"] == pytest.approx(expected.pvalue)
    bests = [np.mean([max(some) for some in combinations(means, n)]) for n in (1, 2, 3, 4)]
    assert system["best_of"]["estimate"] == pytest.approx(bests)
    assert document["n_execution_topics"] == 20
    page = read(client, document["url"])
    assert (2, "Executed several times") in page.headings
    assert f"standard deviation of {system['sd']:.4f}" in page.text
    assert ["3", f"{bests[2]:.4f}"] in page.rows


def test_a_margin_asks_for_equivalence_and_is_planned_for(client, board):
    (system,) = pair(client, board, query="?margin=0.5").json()["executed"]
    (rival,) = system["rivals"]
    assert (rival["equivalence"]["equivalent"], rival["noninferiority"]["noninferior"]) == (True, True)
    assert system["size"] == 0.5
    page = read(client, pair(client, board).json()["url"] + "?margin=0.5")
    assert "As good, within 0.5" in page.text
    assert "To find a true difference of 0.5" in page.text


def test_of_two_systems_that_ran_once_nothing_is_said_of_executions(client):
    board = make_scored_board(scores_of())
    document = pair(client, board).json()
    assert (document["executed"], document["n_execution_topics"]) == ([], 0)
    assert "Executed several times" not in read(client, document["url"]).text


def test_executions_that_agree_are_no_executions(client):
    scores = scores_of()
    board = make_scored_board(scores)
    first = board.results.order_by("pk").last()
    make_topic_scores(make_result(board, printed=f"{scores[-1].mean():.4f}", replicate_of=first), scores[-1].tolist())
    assert pair(client, board).json()["executed"] == []


def test_a_withdrawn_execution_is_none_of_them(client, board):
    last = board.results.order_by("pk").last()
    withdraw_result(result=last, actor=None, reason="an erratum")
    (scores,) = (one for one in read_executions(board).values() if one.n_systems > 1)
    assert len(scores.systems) == N - 1
    assert str(last.pk) not in scores.systems


def executions(**scores: list[list[float]]) -> dict[str, ScoreMatrix]:
    """A matrix for each system, of its executions by topic."""
    return {
        label: ScoreMatrix([f"{label}{n}" for n in range(len(rows))], [f"t{n}" for n in range(len(rows[0]))], rows)
        for label, rows in scores.items()
    }


def executed(
    known: dict[str, ScoreMatrix], label: str, margin: float | None = None, *, higher_is_better: bool = True
) -> ExecutedSystem:
    return executed_system(
        known, label, margin, lambda name, mean: ScoredSystem(0, name, "", mean), higher_is_better=higher_is_better
    )


def near(centre: float, n: int, seed: int) -> list[list[float]]:
    """Scores of executions on twelve topics, the mean of each a hundredth above the one before."""
    rng = np.random.default_rng(seed)
    rows = centre + rng.normal(0, 0.03, (n, 12))
    return (rows - rows.mean(axis=1, keepdims=True) + centre + 0.01 * np.arange(n)[:, None]).tolist()


@pytest.mark.parametrize("n_rival", [1, 2])
def test_the_nearest_rival_is_planned_for_by_how_often_it_was_executed(n_rival):
    known = executions(far=near(0.7, 1, 1), own=near(0.4, 3, 2), rival=near(0.43, n_rival, 3))
    found = executed(known, "own")
    assert [one.system.system for one in found.rivals] == ["rival", "far"]
    rival, far = found.rivals
    assert (rival.n_executions, far.n_executions, found.n_left_out) == (n_rival, 1, 0)
    assert (rival.lowest, rival.highest) == pytest.approx((0.4 - (0.43 + 0.01 * (n_rival - 1)), 0.42 - 0.43))
    assert (far.lowest, far.highest) == pytest.approx((-0.3, -0.28))
    assert (far.is_significant, rival.is_significant, far.system.mean) == (True, False, pytest.approx(0.7))
    is_one = n_rival == 1
    both = InstanceScores.from_matrices(
        {"own": known["own"], "rival": known["rival"]}, deterministic=["rival"] if is_one else []
    )
    assert found.posterior == posterior_difference(both, "own", "rival", SEED).interval
    assert found.simulated == bootstrap_comparison(both, "own", "rival", SEED)
    assert found.components == two_way_anova(known["own"])
    pilot = compare_algorithms(both, "own", "rival").components
    plan = instances_and_topics_needed(pilot, 0.02, deterministic_rival=is_one)
    assert (found.plan, found.size) == (plan, 0.02)
    assert found.powers == tuple(
        design_power(pilot, 0.02, n_instances=one.n_instances, n_topics=12, deterministic_rival=is_one)
        for one in plan.designs
    )
    assert found.designs == list(zip(plan.designs, found.powers, strict=True))
    assert [rival.equivalence, rival.noninferiority] == [None, None]


def test_a_rival_that_differs_by_the_same_on_every_topic_is_left_out_and_the_others_are_not():
    base = np.random.default_rng(1).integers(10, 30, 12) / 64
    own, level = [base.tolist(), base.tolist()], [(base + 0.125).tolist()]
    with pytest.warns(DegenerateWarning):
        found = executed(executions(level=level, own=own, other=near(0.3, 1, 2)), "own", 0.05)
    with pytest.warns(DegenerateWarning):
        alone = executed(executions(level=level, own=own), "own")
    assert ([one.system.system for one in found.rivals], found.n_left_out, found.size) == (["other"], 1, 0.05)
    assert (alone.rivals, alone.n_left_out) == ((), 1)
    assert (alone.posterior, alone.simulated, alone.plan, alone.powers, alone.designs) == (None, None, None, (), [])


def test_where_lower_is_better_the_best_of_several_is_the_lowest_and_no_worse_is_no_higher():
    known = executions(own=near(0.4, 6, 1), worse=near(0.6, 1, 2), better=near(0.2, 1, 3))
    found = executed(known, "own", 0.01, higher_is_better=False)
    assert [n for n, _ in found.bests] == [1, 2, 3, 5, 6]
    assert found.bests[0][1] == pytest.approx(0.425)
    assert found.bests[-1][1] == pytest.approx(0.4)
    rivals = {one.system.system: one for one in found.rivals}
    assert (rivals["worse"].noninferiority.noninferior, rivals["better"].noninferiority.noninferior) == (True, False)
    assert not rivals["worse"].equivalence.equivalent
