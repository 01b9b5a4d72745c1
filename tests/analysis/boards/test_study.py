"""What a study says of small boards: who may be the best, how many were tried, what equal systems would show."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.best import gupta_constant
from analysis.boards import (
    BoardInputs,
    BoardRow,
    ClearedCaution,
    Evidence,
    MeasureFacts,
    Question,
    ReferenceFactors,
    SuiteMember,
    TopicScoresInput,
    find_obstacle,
    study,
)
from analysis.boards._evidence import evidence_of_members
from analysis.errors import ArgumentError
from analysis.reliability import family_weighted_variance
from analysis.scores import ScoreMatrix
from tests.analysis.boards.test_cautions import OWN, board, cautions_of, change

VALUES = (0.20, 0.22, 0.25, 0.28, 0.31)


def by_topics(scores, *, lineage=None, **facts):
    """Return a board with the topic scores of every row, and these."""
    scores = np.asarray(scores)
    matrix = ScoreMatrix([str(n) for n in range(len(scores))], [f"t{n}" for n in range(scores.shape[1])], scores)
    rows = tuple(
        BoardRow(id=n, system=f"s{n}", printed=f"{mean:.4f}", value=float(mean), lineage=(lineage or {}).get(n, ()))
        for n, mean in enumerate(scores.mean(axis=1))
    )
    inputs = BoardInputs(
        collection="x", measure=MeasureFacts(name="AP"), rows=rows, n_topics=scores.shape[1],
        topic_scores=TopicScoresInput.of(matrix), **facts,
    )  # fmt: skip
    return inputs, matrix


def drawn(gaps, n_topics=30, noise=0.02):
    rng = np.random.default_rng(4)
    topics = rng.uniform(-0.1, 0.1, n_topics)
    return 0.4 + np.asarray(gaps)[:, None] + topics + rng.normal(0, noise, (len(gaps), n_topics))


class TestQuestions:
    @pytest.mark.parametrize(
        ("question", "best"),
        [
            (Question(), 4),
            (Question(role="baseline"), 1),
            (Question(run_type="manual"), 2),
            (Question(provenance="double_checked"), 0),
            (Question(only=(3, 0)), 3),
            (Question(role="baseline", only=(2, 3)), None),
        ],
    )
    def test_who_may_be_the_best_is_the_best_of_those_that_pass(self, question, best):
        inputs = change(board(VALUES), 1, role="baseline")
        inputs = change(change(inputs, 2, run_type="manual"), 0, provenance="double_checked")
        if best is None:
            assert find_obstacle(inputs, question) == "no_contender"
            with pytest.raises(ArgumentError, match="has no row that competes: no_contender"):
                study(inputs, question)
            return
        assert find_obstacle(inputs, question) == ""
        verdict = study(inputs, question).verdict
        assert verdict.best.result == best
        # The others were tried all the same; of fewer than five that may be the best nobody is called so.
        assert verdict.tries.n_results == 5
        assert (verdict.set is None) == (verdict.n_rows < 5) == question.has_filters
        assert question.has_filters == (question != Question())
        assert question.is_default == (question == Question())


class TestTries:
    def test_families_are_counted_and_whether_all_rows_name_their_makers(self):
        inputs = board(VALUES, lineage=("team:x",))
        tries = study(inputs).verdict.tries
        assert (tries.n_results, tries.n_families, tries.have_makers, tries.n_effective) == (5, 1, True, None)
        tries = study(change(change(inputs, 0, lineage=()), 1, lineage=("paper:p",))).verdict.tries
        assert (tries.n_families, tries.have_makers) == (3, False)


class TestCertificates:
    MAKERS = {n: (f"team:{n}",) for n in range(5)}

    def test_a_leader_that_its_topics_tell_from_all_others_is_verified(self):
        inputs, matrix = by_topics(drawn([0.0, 0.02, 0.04, 0.2, -0.02]), lineage=self.MAKERS)
        verdict = study(inputs, topic_scores=matrix).verdict
        assert (verdict.set.members, verdict.leader_verified, verdict.family_verified) == ((3,), True, False)
        assert (verdict.set.method, verdict.set.margin, verdict.set.n_rows) == ("max-t-two-step", None, 5)
        assert [distance.result for distance in verdict.set.distances] == [3, 2, 1, 0, 4]
        # Systems of which each has its own errors are worth about as many.
        assert 4 < verdict.tries.n_effective <= 5.5

    @pytest.mark.parametrize(
        ("n_topics", "lineage", "flagged"),
        [(24, MAKERS, ()), (30, MAKERS, ("A",)), (30, MAKERS, None)],
        ids=["few topics", "held back", "judged by a language model"],
    )
    def test_few_topics_a_flag_or_a_model_for_a_judge_leave_it_unverified(self, n_topics, lineage, flagged):
        inputs, matrix = by_topics(drawn([0.0, 0.02, 0.04, 0.2, -0.02], n_topics), lineage=lineage)
        inputs = replace(change(inputs, 3, flagged_on=flagged or ()), is_judged_by_model=flagged is None)
        verdict = study(inputs, topic_scores=matrix).verdict
        assert verdict.set.members == (3,)
        assert not verdict.leader_verified
        assert not verdict.family_verified


class TestEvidence:
    @pytest.mark.parametrize(("n_systems", "makers", "df"), [(12, 3, 60.0), (12, 2, 10.0), (9, 9, 10.0)])
    def test_topic_scores_of_every_row_are_known_less_surely_of_few_systems_or_makers(self, n_systems, makers, df):
        lineage = {n: (f"team:{n % makers}",) for n in range(n_systems)}
        inputs, matrix = by_topics(drawn(np.linspace(0, 0.1, n_systems)), lineage=lineage)
        evidence = study(inputs, topic_scores=matrix).verdict.evidence
        assert (evidence.kind, evidence.degrees_of_freedom) == ("own-topics", df)
        assert (evidence.n_systems, evidence.n_topics) == (n_systems, 30)
        assert evidence.sources == (f"topic scores of every row that competes: {n_systems} systems, 30 topics",)
        caution = cautions_of_topics(inputs, matrix).get("one-team-variance")
        assert (caution is not None) == (makers < 3)
        if caution:
            assert caution.message.startswith("The topic scores are of 2 makers. Runs of one maker vary less")

    def test_of_two_makers_the_variance_is_that_between_them_and_of_one_that_of_its_own_pairs(self):
        scores = drawn(np.linspace(0, 0.1, 12))
        scores[1:6] = scores[0] + np.random.default_rng(2).normal(0, 0.002, (5, scores.shape[1]))
        for labels in (["a"] * 6 + ["b"] * 6, ["a"] * 12):
            lineage = {n: (f"team:{label}",) for n, label in enumerate(labels)}
            inputs, matrix = by_topics(scores, lineage=lineage)
            expected = family_weighted_variance(matrix, labels if len(set(labels)) > 1 else None)
            assert study(inputs, topic_scores=matrix).verdict.evidence.residual_variance == pytest.approx(
                expected, rel=1e-12
            )

    def test_topic_scores_of_some_rows_tell_how_much_all_vary(self):
        inputs, matrix = by_topics(drawn(np.linspace(0, 0.1, 12)), lineage={n: (f"team:{n}",) for n in range(12)})
        extra = BoardRow(id=77, system="other", printed="0.3", value=0.3)
        inputs = replace(inputs, rows=(*inputs.rows, extra))
        findings = study(inputs, topic_scores=matrix)
        evidence = findings.verdict.evidence
        assert (evidence.kind, evidence.degrees_of_freedom, evidence.log_sd) == ("own-variance", 18.0, None)
        assert evidence.sources == ("topic scores of 12 of the rows that compete: 12 systems, 30 topics",)
        assert findings.verdict.set.method == "gupta-means"
        assert findings.verdict.tries.n_effective is None

    def test_where_most_differences_are_the_same_on_every_topic_there_is_neither_set_nor_value(self):
        shifted = 0.3 + 0.02 * np.arange(5)[:, None] + np.linspace(0, 0.2, 30)
        inputs, matrix = by_topics([*shifted, *drawn([0.0])], lineage={n: (f"team:{n}",) for n in range(6)})
        verdict = study(inputs, topic_scores=matrix).verdict
        assert verdict.set is None
        assert verdict.why_no_set == (
            "most differences are the same on every topic, so that nothing says how scores vary"
        )
        assert (verdict.corrected, verdict.why_no_value) == (None, verdict.why_no_set)

    def test_of_several_known_variances_the_surest_counts(self):
        sure = replace(OWN, value=0.02, degrees_of_freedom=990.0)
        inputs = replace(board(VALUES), variances=(OWN, sure, replace(OWN, value=0.03, degrees_of_freedom=5.0)))
        assert study(inputs).verdict.evidence.residual_variance == 0.02
        level = tuple(replace(OWN, value=value, n_systems=n) for value, n in ((0.01, 20), (0.02, 30), (0.03, None)))
        assert study(replace(inputs, variances=level)).verdict.evidence.residual_variance == 0.02

    def test_a_variance_is_no_larger_than_scores_of_such_means_can_have(self):
        large = replace(OWN, value=0.9)
        evidence = study(replace(board(VALUES), variances=(large,))).verdict.evidence
        cap = np.mean([value * (1 - value) for value in VALUES]) * 50 / 49
        assert evidence.residual_variance == pytest.approx(cap)
        assert (evidence.is_capped, evidence.widening) == (True, 1.0)
        assert not study(board(VALUES)).verdict.evidence.is_capped
        outside = replace(board([*VALUES, 1.2]), variances=(large,))
        assert study(outside).verdict.evidence.residual_variance == 0.9
        no_end = replace(board(VALUES), variances=(large,), measure=MeasureFacts(name="AP", high=None))
        assert study(no_end).verdict.evidence.residual_variance == 0.9

    def test_a_mean_of_collections_has_what_its_members_have(self):
        def member(name, n_topics, variance, df, **facts):
            evidence = Evidence(kind="own-topics", residual_variance=variance, degrees_of_freedom=df, **facts)
            return SuiteMember(collection=name, name=name.upper(), snapshot="", n_topics=n_topics, evidence=evidence)

        first, second = member("a", 50, 0.02, 60.0), member("b", 25, 0.01, 12.0, widening=1.5)
        merged, why = evidence_of_members([first, second, first])
        assert why == ""
        assert (merged.kind, merged.degrees_of_freedom, merged.n_topics) == ("own-variance", 12.0, 3)
        assert merged.residual_variance == pytest.approx(0.0004)
        assert merged.widening == pytest.approx((1 + 1 + 1.5) / 3)
        assert merged.sources == ("the variances behind the members’ own verdicts (3 own-topics)",)
        assert evidence_of_members([first, first])[0].degrees_of_freedom == 16.0
        predicted = replace(first, evidence=replace(first.evidence, kind="predicted"))
        assert evidence_of_members([first, predicted, first])[0].sources[0].endswith("(2 own-topics, 1 predicted)")
        unknown = replace(first, n_topics=None, name="U")
        none, why = evidence_of_members([first, unknown])
        assert (none.kind, none.residual_variance) == ("none", None)
        assert why == "for U the number of topics, or how scores vary between them, is not known"
        assert evidence_of_members([unknown, first, unknown])[1].startswith("for 2 of the 3 collections the number")


def cautions_of_topics(inputs, matrix):
    return {caution.code: caution for caution in study(inputs, topic_scores=matrix).verdict.cautions}


def test_runs_with_one_score_on_every_topic_are_shown_and_left_out():
    scores = drawn([0.0, 0.02, 0.1])
    inputs, matrix = by_topics([*scores, np.full(30, 0.25), np.full(30, 0.75), np.zeros(30)])
    notes = cautions_of_topics(inputs, matrix)
    assert notes["constant-runs"].results == (3, 4)
    assert notes["constant-runs"].message.startswith("2 runs have the same score on every topic (0.2500, 0.7500). No")
    assert notes["failed-runs"].results == (5,)
    assert study(inputs, topic_scores=matrix).verdict.tries.n_results == 3
    alone = cautions_of_topics(*by_topics([*scores, np.full(30, 0.25)]))
    assert alone["constant-runs"].message.startswith("1 run has the same score on every topic (0.2500). Nothing")
    assert not alone["constant-runs"].is_flag


def test_what_a_curator_cleared_is_not_given_again():
    inputs = change(change(board(VALUES), 3, flagged_on=("A",)), 4, flagged_on=("B",))
    assert cautions_of(inputs)["flagged-on-member"].results == (4, 3)
    cleared_once = replace(inputs, cleared=(ClearedCaution(code="flagged-on-member", result=4),))
    assert cautions_of(cleared_once)["flagged-on-member"].results == (3,)
    other = replace(cleared_once, cleared=(*cleared_once.cleared, ClearedCaution(code="self-reported", result=3)))
    assert cautions_of(other)["flagged-on-member"].results == (3,)
    both = replace(cleared_once, cleared=(*cleared_once.cleared, ClearedCaution(code="flagged-on-member", result=3)))
    assert cautions_of(both) == {}


class TestEqualSystems:
    def test_original_comparable_results_that_did_not_fail_are_counted_once(self):
        inputs = board([0.0, *VALUES, 0.40, 0.50])
        inputs = change(change(inputs, 6, role="reference_implementation"), 7, comparability="subset")
        inputs = change(inputs, 1, replicate_of=2)
        findings = study(inputs)
        values = VALUES[1:]
        counted = findings.counted
        assert (counted.n_results, counted.max, counted.min) == (4, 0.31, 0.22)
        assert (counted.mean, counted.sd) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
        assert findings.equal_means == ()
        assert findings.why_no_equal_means == "fewer than 5 original results are recorded"
        assert study(board([0.3, 0.4], role="reference_implementation")).counted is None
        single = study(change(board([0.3, 0.4]), 0, role="reference_implementation")).counted
        assert (single.n_results, single.sd) == (1, None)
        runs = replace(board(VALUES), rows=tuple(replace(row, role="trec_run") for row in board(VALUES).rows))
        only = study(change(runs, 0, role="proposed"), Question(counted_roles=("trec_run",))).counted
        assert (only.n_results, only.min) == (4, 0.22)

    def test_they_are_on_the_published_scale_and_on_that_of_the_evidence(self):
        findings = study(board(VALUES))
        assert findings.why_no_equal_means == ""
        published, residual = findings.equal_means
        assert (published.scale, residual.scale) == ("published", "residual")
        assert published.best_id == residual.best_id == 4
        predicted = study(replace(board(VALUES), variances=()))
        assert [equal.scale for equal in predicted.equal_means] == ["published", "borrowed"]
        unknown = study(replace(board(VALUES, measure="F@100"), variances=()))
        assert [equal.scale for equal in unknown.equal_means] == ["published"]
        inputs, matrix = by_topics(drawn(np.linspace(0, 0.1, 12)))
        assert [equal.scale for equal in study(inputs, topic_scores=matrix).equal_means] == ["published", "residual"]
        role = study(change(board(VALUES), 1, role="proposed"), Question(role="proposed"))
        assert {equal.best_id for equal in role.equal_means} == {1}


class TestStanding:
    MEANS = ReferenceFactors(
        basis="published-means", name="runs", n_systems=3, frozen="2026-01-01", means=(0.1, 0.2, 0.3)
    )

    @pytest.mark.parametrize(("better", "sign"), [(True, 1), (False, -1)])
    def test_rows_stand_among_the_reference_means(self, better, sign):
        inputs = board([0.35, 0.20, 0.05])
        inputs = replace(inputs, references=(self.MEANS,), measure=MeasureFacts(name="AP", higher_is_better=better))
        standing = study(inputs).standing
        # Their mean is .2, their standard deviation .1.
        assert [row.z for row in standing] == pytest.approx([sign * 1.5, 0.0, sign * -1.5])
        assert [row.percentile for row in standing] == ([100.0, 50.0, 0.0] if better else [0.0, 50.0, 100.0])
        assert [(row.result, row.topic_z) for row in standing] == [(0, None), (1, None), (2, None)]

    def test_topic_scores_have_the_mean_of_their_z_by_topic(self):
        scores = [[0.3, 0.4] * 6, [0.2, 0.2] * 6, [0.1, 0.6] * 6]
        inputs, matrix = by_topics(scores)
        factors = ReferenceFactors(
            basis="topic-scores", name="runs", n_systems=9, frozen="2026-01-01", topics=matrix.topics,
            topic_means=(0.2, 0.4) * 6, topic_sds=(0.1, 0.2) * 6,
        )  # fmt: skip
        extra = BoardRow(id=9, system="s9", printed="0.3", value=0.3)
        inputs = replace(inputs, references=(factors,), rows=(*inputs.rows, extra))
        standing = study(inputs, topic_scores=matrix).standing
        assert [row.topic_z for row in standing] == [pytest.approx(0.5), pytest.approx(-0.5), pytest.approx(0.0), None]
        assert {row.z for row in standing} == {None}


def test_executions_compete_as_their_mean_and_have_topic_scores_only_if_each_has():
    inputs, matrix = by_topics(drawn([0.0, 0.05, 0.1, 0.2]))
    rows = (*inputs.rows[:3], replace(inputs.rows[3], replicate_of=0))
    inputs = replace(inputs, rows=rows)
    verdict = study(inputs, topic_scores=matrix).verdict
    assert (verdict.tries.n_results, verdict.evidence.n_systems) == (3, 3)
    assert verdict.best.result == 0
    assert verdict.best.value == pytest.approx((rows[0].value + rows[3].value) / 2)
    some = matrix.select(["0", "1", "2"])
    part = study(replace(inputs, topic_scores=TopicScoresInput.of(some)), topic_scores=some).verdict
    assert part.evidence.kind != "own-topics"
    assert part.evidence.n_systems == 2


def test_an_execution_that_is_not_comparable_is_in_no_mean():
    inputs, _ = by_topics(drawn([0.0, 0.05, 0.1, 0.2]))
    first, *others, last = inputs.rows
    repeated = replace(last, replicate_of=first.id)
    means = [
        replace(inputs, rows=(first, *others, row)).means
        for row in (repeated, replace(repeated, comparability="subset"))
    ]
    assert [mean[first.id] for mean in means] == [pytest.approx((first.value + last.value) / 2), first.value]
    assert list(means[1]) == [row.id for row in (first, *others)]


def test_of_means_the_margin_is_guptas_and_each_row_says_how_far_behind_it_is():
    inputs = board([0.25, 0.31, 0.12, 0.11, 0.10])
    best_set = study(inputs).verdict.set
    margin = gupta_constant(5, 0.95, 980.0) * (2 * 0.0144 / 50) ** 0.5
    assert best_set.margin == pytest.approx(margin)
    assert [(row.result, row.behind, row.margin, row.rival) for row in best_set.distances[:2]] == [
        (1, 0.0, pytest.approx(margin), 1), (0, pytest.approx(0.06), pytest.approx(margin), 1),
    ]  # fmt: skip
    assert (best_set.n_rows, best_set.confidence_level, best_set.method) == (5, 0.95, "gupta-means")
    down = study(replace(inputs, measure=MeasureFacts(name="AP", higher_is_better=False))).verdict
    assert (down.best.result, down.set.members) == (4, (4, 3, 2))
    assert down.set.distances[-1].behind == pytest.approx(0.21)
