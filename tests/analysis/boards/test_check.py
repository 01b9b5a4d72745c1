"""What the published means of a board say of a score that does not stand on it, and of its baseline."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Evidence,
    KnownVariance,
    MeasureFacts,
    SuiteMember,
    TopicGroups,
    check_score,
    study,
)
from analysis.errors import ArgumentError
from tests.analysis.boards.test_study import by_topics, drawn

OWN = KnownVariance(kind="own-variance", value=0.0144, degrees_of_freedom=980.0, sources=("its runs",))
RUNS = (0.15, 0.18, 0.20, 0.22, 0.25, 0.30)
#: Of the mean of a topic score over fifty topics, and of the difference of two such means.
ERROR = (0.0144 / 50) ** 0.5
PAIR_ERROR = (2 * 0.0144 / 50) ** 0.5


def board(rows, *, n_topics=50, variances=(OWN,), **measure) -> BoardInputs:
    """Make a board; rows are values, or tuples of a value, a role and a year."""
    facts = [row if isinstance(row, tuple) else (row, "trec_run", 1990 + n) for n, row in enumerate(rows)]
    return BoardInputs(
        collection="x",
        measure=MeasureFacts(name="AP", **measure),
        rows=tuple(
            BoardRow(id=n, system=f"s{n}", printed=f"{value}", value=value, role=role, year=year)
            for n, (value, role, year) in enumerate(facts)
        ),
        n_topics=n_topics,
        variances=variances,
    )


class TestItsPlace:
    def test_a_score_beyond_the_best_is_behind_by_less_than_nothing(self):
        checked = check_score(board(RUNS), 0.32)
        assert (checked.n_better, checked.behind) == (0, pytest.approx(-0.02))

    def test_where_less_is_better_the_same_is_said_of_the_mirrored_board(self):
        checked = check_score(board([1 - value for value in RUNS], higher_is_better=False), 0.75, baseline=0.81)
        assert (checked.n_better, checked.behind) == (1, pytest.approx(0.05))
        assert checked.baseline.gain == pytest.approx(0.06)
        assert checked.baseline.runs.n_better == 4
        assert (checked.baseline.last_year_best, checked.baseline.first_year_better) == (1991, 1992)

    def test_it_may_be_the_best_up_to_the_margin_behind_it(self):
        margin = check_score(board(RUNS), 0.29).margin
        assert check_score(board(RUNS), 0.30 - margin + 0.001).may_be_best is True
        assert check_score(board(RUNS), 0.30 - margin - 0.001).may_be_best is False

    def test_rivals_are_the_others_that_may_be_the_best(self):
        alone = check_score(board([0.10, 0.11, 0.12, 0.13]), 0.30)
        assert (alone.may_be_best, alone.n_rivals) == (True, 0)
        assert (alone.ranks.low, alone.ranks.high) == (1, 1)
        second = check_score(board([0.10, 0.11, 0.12, 0.30]), 0.20)
        assert (second.may_be_best, second.n_rivals) == (False, 1)


class TestHeldBack:
    def test_the_best_is_the_best_of_the_others(self):
        checked = check_score(board([*RUNS, 0.60]), 0.29, held_back=[6])
        assert (checked.best, checked.n_held_back, checked.n_better) == (0.30, 1, 2)
        assert (checked.may_be_best, checked.may_be_best_unflagged) == (False, True)

    def test_a_replicate_goes_with_what_it_repeats(self):
        inputs = board([*RUNS, 0.60, 0.59])
        rows = (*inputs.rows[:7], replace(inputs.rows[7], replicate_of=6))
        assert check_score(replace(inputs, rows=rows), 0.29, held_back=[6]).may_be_best_unflagged is True


class TestTopicScores:
    def test_they_say_how_scores_vary_without_those_of_the_score(self):
        inputs, matrix = by_topics(drawn(np.linspace(0.0, 0.1, 12)))
        checked = check_score(inputs, 0.45, matrix)
        assert (checked.evidence, check_score(inputs, 0.45).evidence) == ("own-variance", "predicted-without-density")
        verdict = study(inputs, topic_scores=matrix).verdict
        assert check_score(inputs, 0.45, matrix, n_tried=2).luck == pytest.approx(
            (verdict.evidence.residual_variance / 30) ** 0.5 / np.pi**0.5
        )

    def test_those_of_rows_that_are_held_back_say_nothing(self):
        scores = drawn(np.linspace(0.0, 0.1, 12))
        inputs, matrix = by_topics([*scores, np.tile([0.0, 1.0], 15)])
        others, of_others = by_topics(scores)
        held_back = check_score(inputs, 0.45, matrix, held_back=[12])
        assert held_back.margin == check_score(others, 0.45, of_others).margin
        assert check_score(inputs, 0.45, matrix).margin > held_back.margin
        alone, pair = by_topics(scores[:2])
        assert check_score(alone, 0.45, pair, held_back=[1]).evidence == "predicted-without-density"


class TestCautions:
    def test_a_score_of_nothing_is_a_failed_run(self):
        assert check_score(board(RUNS), 0.0).cautions == ("failed-runs",)

    def test_one_far_beyond_a_field_stands_apart(self):
        field = (0.2 + 0.01 * stats.norm.ppf((np.arange(1, 31) - 0.5) / 30)).round(4).tolist()
        assert check_score(board(field), 0.90).cautions == ("stands-apart",)


class TestLuck:
    @pytest.mark.parametrize("n", [2, 10, 1000])
    def test_it_is_the_mean_of_the_largest_of_as_many_errors(self, n):
        normal = stats.norm(scale=ERROR)
        largest, _ = integrate.quad(
            lambda x: x * n * normal.pdf(x) * normal.cdf(x) ** (n - 1), -8 * ERROR, 8 * ERROR, points=[0, 3 * ERROR]
        )
        assert check_score(board(RUNS), 0.29, n_tried=n).luck == pytest.approx(largest, rel=1e-4)

    @pytest.mark.parametrize(("values", "direction"), [(RUNS, True), ([1 - value for value in RUNS], False)])
    def test_a_score_that_owes_its_place_to_luck_may_not_be_the_best_without_it(self, values, direction):
        inputs = board(values, higher_is_better=direction)
        margin = check_score(inputs, 0.29 if direction else 0.71).margin
        behind = margin - 0.01
        checked = check_score(inputs, 0.30 - behind if direction else 0.70 + behind, n_tried=1000)
        assert (checked.may_be_best, checked.may_be_best_counted) == (True, False)


def test_the_smallest_difference_is_that_of_a_paired_t_test_with_so_many_topics():
    effect = TTestPower().solve_power(nobs=50, alpha=0.05, power=0.8)
    checked = check_score(board(RUNS), 0.29)
    assert checked.smallest_difference == pytest.approx(effect * (2 * 0.0144) ** 0.5, rel=0.002)
    low, high = checked.smallest_difference_range
    assert low < checked.smallest_difference < high


def test_of_a_mean_over_collections_errors_are_those_of_its_members_topics():
    known = Evidence(kind="predicted", residual_variance=0.03, degrees_of_freedom=16.0)
    member = SuiteMember(collection="m", name="M", snapshot="", n_topics=300, evidence=known)
    inputs = replace(board(RUNS, n_topics=None, variances=()), n_topics_at_least=1200, members=(member,) * 4)
    checked, error = check_score(inputs, 0.29, n_tried=2), (0.03 / 300 / 4) ** 0.5
    assert checked.luck == pytest.approx(error / np.pi**0.5)
    effect = TTestPower().solve_power(nobs=1200, alpha=0.05, power=0.8) * 1200**0.5
    assert checked.smallest_difference == pytest.approx(effect * 2**0.5 * error, rel=0.002)


def test_the_smallest_difference_allows_for_turns_of_conversations():
    plain = board(RUNS)
    turns = check_score(replace(plain, topic_groups=TopicGroups(kind="conversation")), 0.29)
    assert turns.smallest_difference == pytest.approx(1.2**0.5 * check_score(plain, 0.29).smallest_difference)


class TestBaseline:
    def test_runs_are_a_field_from_five_on(self):
        place = check_score(board(RUNS[:5]), 0.29, baseline=0.20).baseline.runs
        assert (place.n, place.n_better, place.n_level, place.best, place.since) == (5, 2, 1, 4, None)
        # Two of five are worse, and half of the one that is level.
        assert place.percentile == pytest.approx(50)
        assert check_score(board(RUNS[:4]), 0.29, baseline=0.20).baseline.runs is None

    def test_baselines_count_from_the_last_five_years_alone(self):
        old = [(0.28, "baseline", 2005)]
        recent = [(value, "baseline", 2006 + n) for n, value in enumerate(RUNS[:5])]
        place = check_score(board([*old, *recent, (0.29, "proposed", 2020)]), 0.29, baseline=0.19).baseline.baselines
        assert (place.n, place.n_better, place.n_level, place.best, place.since) == (5, 3, 0, 5, 2006)

    def test_runs_of_toolkits_are_a_field_of_their_own(self):
        toolkits = [(value, "reference_implementation", 2015) for value in RUNS]
        checked = check_score(board([*RUNS[:4], *toolkits]), 0.29, baseline=0.21).baseline
        assert checked.runs is checked.baselines is None
        assert (checked.reference_implementations.n, checked.reference_implementations.n_better) == (6, 3)

    def test_it_was_the_best_until_the_year_before_a_better_one(self):
        rows = [(0.15, "proposed", 1995), (0.20, "proposed", 1998), (0.19, "proposed", 2000), (0.25, "proposed", 2003)]
        baseline = check_score(board(rows), 0.29, baseline=0.20).baseline
        assert (baseline.last_year_best, baseline.first_year_better) == (2000, 2003)
        baseline = check_score(board(rows), 0.29, baseline=0.26).baseline
        assert (baseline.last_year_best, baseline.first_year_better) == (2003, None)
        baseline = check_score(board(rows), 0.29, baseline=0.10).baseline
        assert (baseline.last_year_best, baseline.first_year_better) == (None, 1995)

    def test_a_row_that_is_held_back_makes_no_baseline_weak(self):
        rows = [(0.15, "proposed", 1995), (0.60, "proposed", 1998), (0.19, "proposed", 2000), (0.25, "proposed", 2003)]
        baseline = check_score(board(rows), 0.29, baseline=0.20, held_back=[1]).baseline
        assert (baseline.last_year_best, baseline.first_year_better) == (2000, 2003)

    def test_a_gain_is_resolved_from_the_margin_of_a_pair_on(self):
        # Student's two-sided 5 % point with 980 degrees of freedom times the standard error of a difference.
        margin = stats.t.ppf(0.975, 980) * PAIR_ERROR
        baseline = check_score(board(RUNS), 0.20 + margin + 0.001, baseline=0.20).baseline
        assert (baseline.margin, baseline.gain_is_resolved) == (pytest.approx(margin, rel=1e-6), True)
        assert check_score(board(RUNS), 0.20 + margin - 0.001, baseline=0.20).baseline.gain_is_resolved is False

    def test_the_best_of_many_needs_more(self):
        alone = check_score(board(RUNS), 0.29, baseline=0.20).baseline
        assert check_score(board(RUNS), 0.29, baseline=0.20, n_tried=10).baseline.margin > alone.margin


@pytest.mark.parametrize(
    "arguments", [{"score": 1.1}, {"score": -0.1}, {"score": float("nan")}, {"baseline": 1.1}, {"held_back": [77]}]
)
def test_what_can_not_be_is_refused(arguments):
    with pytest.raises(ArgumentError, match=next(iter(arguments))):
        check_score(board(RUNS, low=0.0, high=1.0), **({"score": 0.29} | arguments))
