"""GET /leaderboards/<c>/<m>/executions/ and its JSON: systems that were executed several times, against the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.test import Client
from scipy.stats import t

from analysis.comparisons import adjust_pvalues
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
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.tools.pairs.documents import ScoredSystem
from registry.tools.pairs.execution_documents import ExecutedSystem, Rival, executed_system, executions_document
from registry.tools.pairs.pipeline import SEED
from registry.tools.pairs.queries import read_executions
from tests.registry.factory import make_leaderboard, make_result, make_topic_scores
from tests.registry.keeping import forget_kept_answers
from tests.registry.pages import Page, read
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


def address(board: Leaderboard) -> str:
    return f"{board.get_absolute_url()}executions/"


@dataclass(frozen=True)
class Answer:
    """What is answered about the board."""

    document: dict[str, Any]
    page: Page
    scores: Mapping[str, ScoreMatrix]

    @property
    def system(self) -> dict[str, Any]:
        (system,) = self.document["systems"]
        return system


@pytest.fixture(scope="module")
def answer(django_db_setup: None, django_db_blocker: Any) -> Answer:
    with django_db_blocker.unblock(), transaction.atomic():
        board, client = make_executed(-1), Client()
        document = client.get(f"{board.get_absolute_url()}executions.json").json()
        found = Answer(document, read(client, address(board)), read_executions(board))
        transaction.set_rollback(True)
    forget_kept_answers()
    return found


def test_executions_of_one_system_are_one(answer):
    system = answer.system
    means = [one["mean"] for one in system["executions"]]
    assert len(means) == N
    assert (system["mean"], system["sd"]) == pytest.approx((np.mean(means), np.std(means, ddof=1)))
    known = answer.scores
    label = str(system["executions"][0]["result"])
    expected = {}
    for other in known:
        if other != label:
            pair = InstanceScores.from_matrices({label: known[label], other: known[other]}, deterministic=[other])
            expected[int(other)] = compare_algorithms(pair, label, other)
    assert len(system["rivals"]) == len(expected) == 7
    adjusted = dict(zip(expected, adjust_pvalues([one.pvalue for one in expected.values()]), strict=True))
    for rival in system["rivals"]:
        one = expected[rival["system"]["result"]]
        assert rival["found"]["estimate"] == pytest.approx(one.estimate)
        assert rival["found"]["interval"]["low"] == pytest.approx(one.interval.low)
        assert rival["pvalue"] == pytest.approx(adjusted[rival["system"]["result"]])
    gaps = [abs(rival["found"]["estimate"]) for rival in system["rivals"]]
    assert gaps == sorted(gaps)


def test_what_reporting_the_best_adds(answer):
    system = answer.system
    means = [one["mean"] for one in system["executions"]]
    assert system["best_of"]["n_attempts"] == [1, 2, 3, 4]
    expected = [np.mean([max(some) for some in combinations(means, n)]) for n in (1, 2, 3, 4)]
    assert system["best_of"]["estimate"] == pytest.approx(expected)
    assert [row for row in answer.page.rows if row[1:] == [f"{expected[2]:.4f}"]] == [["3", f"{expected[2]:.4f}"]]


def test_the_p_of_the_nearest_is_checked_by_simulation(answer):
    system = answer.system
    nearest, simulated = system["rivals"][0], system["simulated"]
    assert simulated["second"] == str(nearest["system"]["result"])
    assert simulated["estimate"] == pytest.approx(nearest["found"]["estimate"])
    assert simulated["pvalue"] == pytest.approx(nearest["found"]["pvalue"], abs=0.06)  # 0.02 is its standard error
    assert f"{simulated['n_resamples']} sets of scores simulated" in answer.page.text


def test_designs_say_how_often_they_find_it_on_these_topics(client, board):
    document = client.get(f"{board.get_absolute_url()}executions.json?margin=0.04").json()
    (system,) = document["systems"]
    powers = system["powers"]
    assert powers == sorted(powers)
    for design, power in zip(system["plan"]["designs"], powers, strict=True):
        is_enough = design["n_topics"] is not None and design["n_topics"] <= document["n_topics"]
        assert (power >= 0.8) == is_enough
    row = next(row for row in read(client, f"{address(board)}?margin=0.04").rows if row[0] == "10")
    assert row[2] == f"{100 * powers[3]:.0f} %"


def test_the_page_says_what_can_be_told_apart(answer):
    page, system = answer.page, answer.system
    assert f"standard deviation of {system['sd']:.4f}" in page.text
    for rival in system["rivals"]:
        row = page.row(rival["system"]["system"])
        assert (row[1] == "told apart") == rival["is_significant"]
    assert [design["n_instances"] for design in system["plan"]["designs"]] == [2, 3, 5, 10, 20, 50]
    assert "As good" not in page.text


def test_a_margin_asks_for_equivalence_and_is_planned_for(client, board):
    page = read(client, f"{address(board)}?margin=0.5")
    assert "As good, within 0.5" in page.text
    assert "To find a true difference of 0.5" in page.text
    rows = [row for row in page.rows if len(row) == 9 and row[0] != "Other system"]
    assert len(rows) == 7
    assert all(row[7].startswith("shown") and row[8].startswith("shown") for row in rows)


def test_that_it_is_no_worse_is_shown_where_its_interval_says_so(client):
    board = make_executed(4)
    (system,) = client.get(f"{board.get_absolute_url()}executions.json?margin=0.001").json()["systems"]
    for rival in system["rivals"]:
        one = rival["noninferiority"]
        # One-sided at 0.05: the difference less the t quantile times its error stays above the margin below 0.
        worst = rival["found"]["estimate"] - t.ppf(0.95, rival["found"]["df"]) * rival["found"]["standard_error"]
        assert one["bound"] == pytest.approx(worst)
        assert one["noninferior"] == (worst > -0.001)
    assert {rival["noninferiority"]["noninferior"] for rival in system["rivals"]} == {True, False}


def test_without_executions_it_says_so(client):
    board = make_scored_board(scores_of())
    assert "No system here has two executions with topic scores that differ." in read(client, address(board)).text


def test_executions_that_agree_are_no_executions(client):
    scores = scores_of()
    board = make_scored_board(scores)
    first = board.results.order_by("pk").last()
    make_topic_scores(make_result(board, printed=f"{scores[-1].mean():.4f}", replicate_of=first), scores[-1].tolist())
    assert "No system here has two executions" in read(client, address(board)).text


def test_an_execution_in_another_setting_is_none_of_them(client, board):
    last = board.results.order_by("pk").last()
    Result.objects.filter(pk=last.pk).update(comparability=Result.Comparability.OTHER_JUDGEMENTS)
    (system,) = client.get(f"{board.get_absolute_url()}executions.json").json()["systems"]
    assert len(system["executions"]) == N - 1
    assert last.pk not in [one["result"] for one in system["executions"]]


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


def test_executions_that_differ_by_the_same_on_every_topic_have_no_posterior():
    base = np.random.default_rng(1).integers(10, 30, 12) / 64
    known = executions(own=[(base + 4 / 64).tolist(), (base + 5 / 64).tolist()], other=near(0.3, 1, 2))
    with pytest.warns(DegenerateWarning):
        found = executed(known, "own")
    assert found.bests == [(1, pytest.approx(base.mean() + 4.5 / 64)), (2, pytest.approx(base.mean() + 5 / 64))]
    assert (found.posterior, len(found.rivals), len(found.powers)) == (None, 1, len(found.plan.designs))


def test_where_lower_is_better_the_best_of_several_is_the_lowest_and_no_worse_is_no_higher():
    known = executions(own=near(0.4, 6, 1), worse=near(0.6, 1, 2), better=near(0.2, 1, 3))
    found = executed(known, "own", 0.01, higher_is_better=False)
    assert [n for n, _ in found.bests] == [1, 2, 3, 5, 6]
    assert found.bests[0][1] == pytest.approx(0.425)
    assert found.bests[-1][1] == pytest.approx(0.4)
    rivals = {one.system.system: one for one in found.rivals}
    assert (rivals["worse"].noninferiority.noninferior, rivals["better"].noninferiority.noninferior) == (True, False)
    assert not rivals["worse"].equivalence.equivalent


def test_executions_that_disagree_about_who_is_ahead_are_noise():
    for lowest, highest, is_noise in ((-0.1, 0.1, True), (0.0, 0.1, False), (-0.1, 0.0, False), (0.1, 0.2, False)):
        fields = dict.fromkeys(Rival.__slots__) | {"lowest": lowest, "highest": highest}
        assert Rival(**fields).is_within_runs == is_noise


def test_of_a_leaderboard_without_topic_scores_there_is_nothing():
    found = executions_document(make_leaderboard(), 0.01)
    assert (found.n_topics, found.margin, found.systems) == (0, 0.01, ())
    assert executions_document(make_scored_board(scores_of()), None).n_topics == 0
