"""Who wins a suite by several rules: frozen suites as a separate computation has them, and made ones."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from analysis.boards import Evidence, MeasureFacts, SuiteInputs, SuiteMember, SuiteRow
from analysis.boards._suite_rules import reach_on_new, study_rules
from tests.analysis.boards.frozen_suites import collections, scores_on, teams
from tests.analysis.boards.test_views import BEIR_13, ENGLISH_V2
from tests.thoroughness import every

#: The collections of each suite.
SUITES = {
    "BEIR-13": [f"beir-{name}" for name in BEIR_13],
    "MTEB English v2": list(ENGLISH_V2),
    "MIRACL": [name for name in collections() if name.startswith("miracl-")],
    "MIRACL hard negatives": [name for name in collections() if name.startswith("mteb-miracl-hn-")],
    "BRIGHT": collections()[collections().index("bright-biology") :][:12],
    "RAR-b": collections()[-17:],
}


def suite_of(scores, names=None):
    members = tuple(
        SuiteMember(
            collection=f"c{place}", name=f"C{place}", snapshot="", n_topics=None, evidence=Evidence(kind="none")
        )
        for place in range(len(scores[0]))
    )
    rows = tuple(
        SuiteRow(id=number, system=name, scores=tuple(values), results=(None,) * len(values))
        for number, (name, values) in enumerate(zip(names or map(str, range(len(scores))), scores, strict=True))
    )
    return SuiteInputs(suite="s", name="S", measure=MeasureFacts(name="nDCG@10"), members=members, rows=rows)


def test_tasks_are_drawn_and_split_with_all_their_members():
    """Each member thrice, as one task: what winners and places are with each once."""
    scores = np.random.default_rng(4).normal(0.5, 0.1, (8, 10))
    thrice = suite_of(np.repeat(scores, 3, axis=1).tolist())
    tasks = tuple(replace(member, task=f"t{place // 3}") for place, member in enumerate(thrice.members))
    families = dict(enumerate(range(8)))
    once = study_rules(suite_of(scores.tolist()), families)
    by_task = study_rules(replace(thrice, members=tasks), families)
    assert (by_task.places, by_task.rules) == (once.places, once.rules)
    assert study_rules(thrice, families).places != once.places
    assert study_rules(replace(thrice, members=tuple(replace(each, task="t") for each in tasks)), families) is None


def frozen_suite(suite):
    """Return the suite, and whose each row is; scores of 0 left out."""
    scores = [scores_on(member) for member in SUITES[suite]]
    names = sorted({name for values in scores for name, value in values.items() if value})
    inputs = suite_of([[values.get(name) or None for values in scores] for name in names], names)
    makers = {name: team.casefold() or name.casefold() for name, team in teams().items()}
    numbers = {maker: number for number, maker in enumerate(sorted({makers[name] for name in names}))}
    return inputs, {place: numbers[makers[name]] for place, name in enumerate(names)}


def rules_of(suite):
    inputs, families = frozen_suite(suite)
    answer = study_rules(inputs, families)
    return inputs, answer, {rule.rule: rule for rule in answer.rules}


def test_on_beir_mean_rank_and_worst_rank_name_another_than_the_mean():
    inputs, answer, rules = rules_of("BEIR-13")
    winners = {rule: inputs.rows[by.winner].system for rule, by in rules.items()}
    assert len(answer.places) == 209
    assert {rule for rule, system in winners.items() if system == "TencentBAC/Conan-embedding-v2"} == {
        "mean-rank", "mean-rank-of-families", "worst-rank",
    }  # fmt: skip
    assert {system for rule, system in winners.items() if "rank" not in rule} == {"voyageai/voyage-3-m-exp"}
    assert inputs.rows[answer.beats_all].system == "voyageai/voyage-3-m-exp"
    assert (rules["mean"].wins, rules["mean"].halves) == pytest.approx((0.89, 0.69), abs=0.06)
    assert rules["mean-rank"].wins == pytest.approx(0.86, abs=0.06)
    assert rules["mean-rank-of-families"].wins == pytest.approx(0.82, abs=0.06)
    assert rules["worst-rank"].wins == pytest.approx(0.97, abs=0.04)


def test_on_mteb_english_v2_the_winner_depends_on_the_rule():
    inputs, answer, rules = rules_of("MTEB English v2")
    winners = {rule: inputs.rows[by.winner].system for rule, by in rules.items()}
    assert len(answer.places) == 203
    assert winners["mean"] == "IEITYuan/Yuan-embedding-2.0-en"
    for rule in ("mean-rank", "mean-rank-of-families", "copeland", "worst-rank"):
        assert winners[rule] == "Qwen/Qwen3-Embedding-8B"
    assert winners["median-rank"] == "jcorners/ingot-8b-r3"
    assert answer.beats_all is None
    assert (rules["mean"].wins, rules["mean"].halves) == pytest.approx((0.49, 0.06), abs=0.06)
    assert rules["median-rank"].wins == pytest.approx(0.41, abs=0.06)


@pytest.mark.parametrize(
    ("suite", "size", "winner", "wins", "halves"),
    [
        ("MIRACL", (46, 18), "Snowflake/snowflake-arctic-embed-l-v2.0", 1.00, 1.00),
        ("BRIGHT", (27, 12), "ByteDance-Seed/Seed1.5-Embedding", 0.99, 1.00),
        ("RAR-b", (137, 17), "codefuse-ai/F2LLM-v2-14B", 0.99, 0.95),
    ],
)
def test_three_suites_have_one_winner_by_every_rule(suite, size, winner, wins, halves):
    inputs, answer, rules = rules_of(suite)
    assert (len(answer.places), len(inputs.members)) == size
    assert {inputs.rows[rule.winner].system for rule in rules.values()} == {winner}
    assert inputs.rows[answer.beats_all].system == winner
    assert (rules["mean"].wins, rules["mean"].halves) == pytest.approx((wins, halves), abs=0.06)


def test_on_hard_negatives_of_miracl_two_tie_by_mean_rank_and_worst_rank_names_the_other():
    """The separate computation names one of the two that tie by mean rank: their ranks add up to 40 on 18 members."""
    inputs, answer, rules = rules_of("MIRACL hard negatives")
    geevec, nemotron = "geevec-ai/geevec-embeddings-1.0", "nvidia/llama-embed-nemotron-8b"
    assert (len(answer.places), len(inputs.members)) == (164, 18)
    assert inputs.rows[rules["mean"].winner].system == inputs.rows[answer.beats_all].system == geevec
    by_mean_rank = rules["mean-rank"].winner, *rules["mean-rank"].tied
    assert {inputs.rows[row].system for row in by_mean_rank} == {geevec, nemotron}
    assert inputs.rows[rules["worst-rank"].winner].system == nemotron
    wins = rules["mean"].wins, rules["mean"].halves, rules["mean-rank"].wins, rules["worst-rank"].wins
    assert wins == pytest.approx((0.51, 0.04, 0.52, 0.89), abs=0.07)


@pytest.mark.parametrize(
    ("suite", "covered", "width"),
    [
        ("BEIR-13", 0.924, 108),
        ("MTEB English v2", 0.903, 96),
        ("MIRACL", 0.949, 27),
        ("MIRACL hard negatives", 0.945, 70),
        ("BRIGHT", 0.920, 20),
        ("RAR-b", 0.943, 110),
    ],
)
def test_how_often_and_how_widely_places_hold_on_a_member_held_out(suite, covered, width):
    """The values of a separate computation: each member held out of the others, widths before the ends of the list."""
    inputs, _ = frozen_suite(suite)
    ranks = rankdata([[-score for score in row.scores] for row in inputs.rows if None not in row.scores], axis=0)
    rest = [np.delete(ranks, place, axis=1) for place in range(ranks.shape[1])]
    reach = np.array([reach_on_new(drawn) for drawn in rest])
    errors = np.array([np.abs(ranks[:, place] - drawn.mean(axis=1)) for place, drawn in enumerate(rest)])
    assert np.mean(errors <= reach) == pytest.approx(covered, abs=0.0006)
    assert 2 * reach.mean() == pytest.approx(width, abs=0.51)


def test_twenty_copies_of_a_familys_only_system_leave_the_vote_of_families():
    scores = np.random.default_rng(4).uniform(0.2, 0.6, (10, 7)).round(4).tolist()
    plain = study_rules(suite_of(scores), {n: n for n in range(10)})
    for copied in every(3, range(10), __file__):
        again = [*scores, *[scores[copied]] * 20]
        families = {n: n if n < 10 else copied for n in range(30)}
        answer = study_rules(suite_of(again), families)
        (vote,), (vote_again,) = ([r for r in q.rules if r.rule == "mean-rank-of-families"] for q in (plain, answer))
        assert scores[vote.winner] == again[vote_again.winner]


#: Steadily good but for one member, steadily middling, and best on that member alone.
THREE = [[0.60, 0.60, 0.60, 0.60, 0.05], [0.50] * 5, [0.10, 0.10, 0.10, 0.10, 0.99]]
OWN_FAMILIES = {0: 0, 1: 1, 2: 2}


def test_each_rule_has_its_winner_by_hand():
    """Means are .49, .50 and .278; ranks 1 1 1 1 3, all 2, and 3 3 3 3 1."""
    answer = study_rules(suite_of(THREE), OWN_FAMILIES)
    assert {rule.rule: rule.winner for rule in answer.rules} == {
        "mean": 1, "geometric-mean": 1, "mean-z": 0, "mean-rank": 0, "mean-rank-of-families": 0, "copeland": 0,
        "median-rank": 0, "worst-rank": 1,
    }  # fmt: skip
    assert all(rule.tied == () for rule in answer.rules)
    assert answer.beats_all == 0
    # The second has the best mean, and stands first; two of one family weigh as one.
    assert [place.result for place in answer.places] == [1, 0, 2]
    assert answer.guessed == ()


@pytest.mark.parametrize("facts", [{"higher_is_better": False}, {"low": None}, {"low": -1.0}])
def test_there_is_a_geometric_mean_of_shares_alone(facts):
    inputs = suite_of([[1 - score for score in values] for values in THREE] if "higher_is_better" in facts else THREE)
    inputs = replace(inputs, measure=MeasureFacts(name="x", **facts))
    answer = study_rules(inputs, OWN_FAMILIES)
    winners = {rule.rule: rule.winner for rule in answer.rules}
    assert "geometric-mean" not in winners
    assert (len(winners), winners["mean"], winners["mean-rank"], winners["worst-rank"]) == (7, 1, 0, 1)


def test_one_that_is_the_best_everywhere_wins_in_every_draw():
    scores = [[0.9 - 0.1 * number + 0.01 * place for place in range(9)] for number in range(3)]
    answer = study_rules(suite_of(scores), OWN_FAMILIES)
    assert {(rule.winner, rule.wins, rule.halves) for rule in answer.rules} == {(0, 1.0, 1.0)}
    places = [(place.result, place.low, place.high, place.low_on_new, place.high_on_new) for place in answer.places]
    assert places == [(number, number + 1, number + 1, number + 1, number + 1) for number in range(3)]


def test_ranks_on_nine_members_reach_as_far_as_the_ninth_largest_error():
    ranks = np.array([[1.0] * 8 + [9.0], [2.0] * 9])
    # Eight of ten parts are nine of nine: the member of which the others say 1.
    assert reach_on_new(ranks) == pytest.approx([8.0, 0.0])
    # Of twenty, the nineteenth: of the two that are off, the one that is less.
    many = np.array([[1.0] * 18 + [5.0, 9.0]])
    assert reach_on_new(many) == pytest.approx([5.0 - (18 + 9) / 19])


def test_places_on_a_new_member_are_as_wide_as_their_reach_and_whole_within_the_field():
    ability = np.linspace(0.6, 0.3, 7)[:, None]
    inputs = suite_of((ability + 0.2 * np.random.default_rng(4).random((7, 10))).tolist())
    places = study_rules(inputs, dict.fromkeys(range(7), 0)).places
    ranks = rankdata([[-score for score in row.scores] for row in inputs.rows], axis=0)
    means, reach = ranks.mean(axis=1), reach_on_new(ranks)
    low, high = np.maximum(1, np.floor(means - reach)), np.minimum(7, np.ceil(means + reach))
    assert [place.low_on_new for place in places] == [low[place.result] for place in places]
    assert [place.high_on_new for place in places] == [high[place.result] for place in places]
    assert (np.ceil(means + reach) < 7).any()


def test_a_place_guessed_from_four_members_counts_half_of_those_that_are_level():
    scores = [[0.9 - 0.1 * number] * 6 for number in range(6)]
    for value, place in ((0.95, 1), (0.7, 3), (0.69, 4), (0.3, 6)):
        gaps = [[value] * 4 + [None] * 2, [0.95] * 3 + [None] * 3]
        answer = study_rules(suite_of([*scores, *gaps]), {number: number for number in range(8)})
        (guess,) = answer.guessed
        assert (guess.result, guess.place, guess.within) == (6, place, 1)
    turned = suite_of([[1 - score for score in values] for values in scores] + [[0.31] * 4 + [None] * 2])
    turned = replace(turned, measure=MeasureFacts(name="x", higher_is_better=False))
    assert study_rules(turned, {number: number for number in range(7)}).guessed[0].place == 4
