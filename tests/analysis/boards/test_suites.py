"""The mean over the collections of a suite, against numbers that were found another way."""

import dataclasses
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from analysis.boards import (
    Evidence,
    MeasureFacts,
    SuiteFlag,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    SuiteSnapshot,
    describe_evidence,
    make_snapshot,
    read_snapshot,
    study_suite,
    verify_snapshot,
)
from analysis.boards.__main__ import main
from tests.analysis.boards.boards_that_ship import beir_13

MEASURE = MeasureFacts(name="nDCG@10")
QUESTIONS = ("other-collections", "same-collections")


def member(name="c", n_topics=100, variance=0.02, kind="predicted"):
    evidence = (
        Evidence(kind=kind, residual_variance=variance, degrees_of_freedom=10.0) if variance else Evidence(kind="none")
    )
    return SuiteMember(collection=name, name=name.upper(), snapshot="", n_topics=n_topics, evidence=evidence)


def row(number, scores, **facts):
    return SuiteRow(id=number, system=f"s{number}", scores=tuple(scores), results=(None,) * len(scores), **facts)


def suite(scores, members=None, **facts):
    """Return a suite with a system for each row of scores."""
    members = members or [member(f"c{place}") for place in range(len(scores[0]))]
    rows = tuple(row(number, values, **facts) for number, values in enumerate(scores, start=1))
    return SuiteInputs(suite="s", name="S", measure=MEASURE, members=tuple(members), rows=rows)


def drawn(n_systems=12, n_collections=9, seed=7):
    rng = np.random.default_rng(seed)
    ability = np.linspace(0.55, 0.35, n_systems)[:, None]
    difficulty = rng.normal(0.0, 0.1, n_collections)
    scores = ability + difficulty + rng.normal(0.0, 0.03, (n_systems, n_collections))
    return np.clip(scores, 0.01, 0.99).round(4).tolist()


@cache
def snapshot_of_beir():
    return make_snapshot(beir_13())


@cache
def snapshot_of_drawn():
    return make_snapshot(suite(drawn()))


def on(findings, question):
    return getattr(findings, question.replace("-", "_"))


def test_the_values_of_a_separate_computation_come_out_for_beir():
    findings = study_suite(beir_13())
    other, same = findings.other_collections, findings.same_collections
    assert (other.tries.n_results, other.tries.n_families) == (213, 70)
    assert other.best.value == pytest.approx(0.7048, abs=5e-5)
    assert other.evidence.residual_variance == pytest.approx(0.00784, abs=1e-5)
    assert other.evidence.degrees_of_freedom == 12
    assert other.set.margin == pytest.approx(0.1316, abs=1e-4)
    assert other.set.n_members == 42
    assert np.sqrt(same.evidence.residual_variance / 13) == pytest.approx(0.0031, abs=5e-5)
    assert same.set.margin == pytest.approx(0.0172, abs=1e-4)
    assert same.set.n_members == 1


def test_of_systems_of_different_makers_the_variance_is_that_of_an_analysis_of_variance():
    scores = drawn()
    other_collections = study_suite(suite(scores)).other_collections
    cells = [(system, place, score) for system, values in enumerate(scores) for place, score in enumerate(values)]
    table = pd.DataFrame(cells, columns=["system", "place", "score"])
    residual = anova_lm(ols("score ~ C(system) + C(place)", table).fit()).loc["Residual"]
    assert other_collections.evidence.residual_variance == pytest.approx(residual["mean_sq"], rel=1e-9)
    assert other_collections.evidence.degrees_of_freedom == 8


def test_the_same_collections_take_the_topics_of_each_member():
    members = [member(f"c{place}", 50 + 10 * place, 0.01 + 0.002 * place) for place in range(9)]
    same_collections = study_suite(suite(drawn(), members)).same_collections
    expected = np.mean([(0.01 + 0.002 * place) / (50 + 10 * place) for place in range(9)])
    assert same_collections.evidence.residual_variance == pytest.approx(expected, rel=1e-9)
    assert same_collections.evidence.degrees_of_freedom == 10
    assert same_collections.set.confidence_level == 0.95


def test_what_lacks_a_score_does_not_compete_and_is_named():
    scores = drawn()
    scores[0][3] = scores[0][5] = None
    whole = suite(scores)
    findings = study_suite(whole)
    assert [(incomplete.result, incomplete.missing) for incomplete in findings.incomplete] == [(1, (3, 5))]
    assert findings.other_collections.tries.n_results == 11
    assert 1 not in {mean.result for mean in findings.means}
    without_first = dataclasses.replace(whole, rows=whole.rows[1:])
    assert findings.other_collections == study_suite(without_first).other_collections


def test_below_eight_collections_nothing_is_said_of_others():
    findings = study_suite(suite([values[:7] for values in drawn()]))
    assert findings.other_collections.set is findings.other_collections.corrected is None
    assert "fewer than 8 collections" in findings.other_collections.why_no_set
    assert findings.same_collections.set is not None
    assert study_suite(suite([values[:8] for values in drawn()])).other_collections.set is not None


def of_tasks(sizes):
    """Return a suite whose members are of tasks of these sizes, and differ little within each."""
    rng, tasks = np.random.default_rng(5), [task for task, size in enumerate(sizes) for _ in range(size)]
    scores = np.array(drawn(n_collections=len(sizes)))[:, tasks] + rng.normal(0, 0.003, (12, len(tasks)))
    members = [dataclasses.replace(member(f"c{place}"), task=f"t{task}") for place, task in enumerate(tasks)]
    return suite(scores.tolist(), members)


@pytest.mark.parametrize("sizes", [(6,) * 10, (3, 3, 2, 2, 1, 1, 1, 1, 1)], ids=["equal", "unequal"])
def test_members_of_one_task_count_together_where_others_are_asked_about(sizes):
    """Against standard errors by cluster of a regression of each difference on a constant."""
    inputs = of_tasks(sizes)
    scores, tasks = np.array([row.scores for row in inputs.rows]), [int(member.task[1:]) for member in inputs.members]
    n, n_tasks = len(tasks), len(sizes)
    variances = [
        sm.OLS(first - second, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": tasks}).bse[0] ** 2
        for first, second in combinations(scores, 2)
    ]
    findings = study_suite(inputs)
    other = findings.other_collections
    assert other.evidence.residual_variance / n == pytest.approx(np.mean(variances) / 2, rel=1e-9)
    assert other.evidence.degrees_of_freedom == pytest.approx(n**2 / sum(size**2 for size in sizes) - 1)
    assert f"{n} collections of {n_tasks} tasks. Those of one task count" in describe_evidence(inputs, findings)
    alone = study_suite(suite(scores.tolist()))
    assert other.set.margin > alone.other_collections.set.margin
    assert findings.same_collections == alone.same_collections


@pytest.mark.parametrize("sizes", [(4, 4, 4, 1), (9, *[1] * 7)], ids=["few", "most of one"])
def test_of_few_tasks_nothing_is_said_of_others(sizes):
    other = study_suite(of_tasks(sizes)).other_collections
    assert (other.set, other.corrected) == (None, None)
    assert (
        other.why_no_set == f"its {sum(sizes)} collections are of {len(sizes)} tasks, too few to say much about others"
    )


@pytest.mark.parametrize("unknown", [member("x", None), member("x", 100, None)], ids=["topics", "variance"])
def test_what_one_member_lacks_is_said_and_not_made_up(unknown):
    inputs = suite(drawn(), [unknown, *(member(f"c{place}") for place in range(8))])
    findings = study_suite(inputs)
    assert findings.same_collections.set is findings.same_collections.corrected is None
    assert findings.same_collections.why_no_set.startswith("for X the number of topics")
    assert findings.other_collections.set is not None
    assert "for X" in describe_evidence(inputs, findings, "same-collections")


def test_the_weakest_evidence_of_a_member_is_that_of_the_suite():
    members = [member(f"c{place}", kind="own-topics") for place in range(8)]
    strong = study_suite(suite(drawn(), [*members, member("y", kind="own-variance")])).same_collections
    weak = study_suite(suite(drawn(), [*members, member("y", kind="predicted-without-density")])).same_collections
    assert (strong.evidence.kind, weak.evidence.kind) == ("own-variance", "predicted-without-density")
    assert not strong.leader_verified


class TestFlags:
    @pytest.mark.parametrize("code", ["stands-apart", "outlier-elsewhere"])
    def test_a_flag_of_a_member_gives_a_second_answer(self, code):
        inputs = suite(drawn())
        flags = tuple(SuiteFlag(code=code, member=member) for member in (2, 4))
        inputs = dataclasses.replace(inputs, rows=(dataclasses.replace(inputs.rows[0], flags=flags), *inputs.rows[1:]))
        findings = study_suite(inputs)
        rest = study_suite(dataclasses.replace(inputs, rows=inputs.rows[1:]))
        for question in QUESTIONS:
            verdict, without = on(findings, question), on(rest, question)
            (caution,) = verdict.cautions
            assert (caution.code, caution.results, caution.is_flag) == ("flagged-on-member", (1,), True)
            assert "The scores of s1 on C2 and C4 are excluded there" in caution.message
            assert (verdict.best.result, verdict.best_unflagged.result) == (1, without.best.result)
            assert verdict.best_unflagged.corrected == without.corrected
            assert verdict.best_unflagged.set == without.set

    def test_a_flag_of_one_that_can_not_be_the_best_changes_nothing(self):
        inputs = suite(drawn())
        last = dataclasses.replace(inputs.rows[-1], flags=(SuiteFlag(code="stands-apart", member=0),))
        findings = study_suite(dataclasses.replace(inputs, rows=(*inputs.rows[:-1], last)))
        assert findings.same_collections.best_unflagged is None
        assert findings.same_collections.cautions[0].results == (12,)

    def test_who_stands_apart_is_flagged_by_the_errors_of_these_collections(self):
        rng = np.random.default_rng(5)
        scores = (0.4 - 0.004 * np.arange(20)[:, None] + rng.normal(0, 0.01, (20, 9))).tolist()
        scores[0] = [0.7] * 9
        findings = study_suite(suite(scores))
        assert [caution.code for caution in findings.other_collections.cautions] == ["stands-apart"]
        assert findings.other_collections.cautions == findings.same_collections.cautions

    def test_a_best_that_only_its_maker_ran_gets_a_note(self):
        verdict = study_suite(suite(drawn(), is_self_reported=True)).other_collections
        assert [(caution.code, caution.is_flag) for caution in verdict.cautions] == [("self-reported", False)]


@pytest.mark.parametrize("inputs", [beir_13(), suite(drawn()), suite([[0.5] * 9])], ids=["beir", "drawn", "one"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_verdict_contradicts_itself(inputs, question):
    findings = study_suite(inputs)
    verdict = on(findings, question)
    assert verdict.best.value == max(mean.value for mean in findings.means)
    assert sum(len(family.results) for family in findings.families) == verdict.tries.n_results == len(findings.means)
    if verdict.set is None:
        assert verdict.too_few == "one"
        return
    assert verdict.best.result in verdict.set.members
    assert verdict.best.value - verdict.corrected.value <= verdict.set.margin
    behind = {distance.result: distance.behind for distance in verdict.set.distances}
    assert {row for row, distance in behind.items() if distance <= verdict.set.margin} == set(verdict.set.members)
    assert verdict.corrected.value <= verdict.best.value


def test_lower_is_better_where_the_measure_says_so():
    inputs = suite(drawn())
    turned = dataclasses.replace(
        inputs,
        measure=dataclasses.replace(MEASURE, higher_is_better=False),
        rows=tuple(dataclasses.replace(own, scores=tuple(1.0 - score for score in own.scores)) for own in inputs.rows),
    )
    up, down = study_suite(inputs).other_collections, study_suite(turned).other_collections
    assert down.set.members == up.set.members
    assert down.corrected.value == pytest.approx(1.0 - up.corrected.value)


class TestSnapshots:
    def test_it_comes_out_again_from_its_own_text(self):
        snapshot = snapshot_of_beir()
        assert read_snapshot(snapshot.text, SuiteSnapshot) == snapshot
        assert verify_snapshot(snapshot.text) == []

    def test_a_number_that_was_changed_is_named(self):
        snapshot = snapshot_of_drawn()
        margin = f'"margin":{snapshot.findings.other_collections.set.margin},"members"'
        assert margin in snapshot.text
        problems = verify_snapshot(snapshot.text.replace(margin, '"margin":0.5,"members"'))
        assert len(problems) == 1
        assert "other_collections.set.margin differs: 0.5 is stored" in problems[0]

    def test_the_command_line_checks_it_offline(self, tmp_path, capsys):
        path = tmp_path / "suite.json"
        path.write_text(snapshot_of_drawn().text, encoding="utf-8")
        assert main(["verify", str(path)]) == 0
        assert "every number comes out again" in capsys.readouterr().out
        path.write_text(
            path.read_text(encoding="utf-8").replace('"n_results":12', '"n_results":13', 1), encoding="utf-8"
        )
        assert main(["verify", str(path)]) == 1
        assert "n_results differs" in capsys.readouterr().out
