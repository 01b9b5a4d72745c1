"""Topics that come in groups, as turns of conversations: what a set, a value and an error make of them."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from analysis.best import corrected_best
from analysis.boards import TopicGroups, TopicScoresInput, describe_evidence, study
from analysis.comparisons import ttest_rel
from analysis.ranks import tie_tiers
from analysis.reliability import near_copies
from analysis.scores import MeasureKind, ScoreMatrix
from tests.analysis.boards.test_prediction import ROWS, board
from tests.analysis.matrices import shipped_matrix

TURNS = TopicGroups(kind="conversation", n_groups=19)


def test_topics_paired_in_the_order_of_their_file():
    """s2 and the value as another computation has them, TREC-7 with nine runs that may be the best."""
    trec_7 = shipped_matrix("trec-7-adhoc__AP")
    pairs = [str(place // 2) for place in range(50)]
    families = near_copies(trec_7).families
    known = {"kind": MeasureKind.MANY_VALUED, "families": families, "n_in_set": 9}
    corrected = corrected_best(trec_7, topic_groups=pairs, **known)
    assert (round(corrected.residual_variance, 6), round(corrected.estimate, 6)) == (0.012664, 0.363213)
    assert corrected.half_width > corrected_best(trec_7, **known).half_width
    by_topic = corrected_best(trec_7, topic_groups=[str(place) for place in range(50)], **known)
    assert by_topic.estimate == pytest.approx(corrected_best(trec_7, **known).estimate)


def test_copies_of_every_topic_tell_nothing_new():
    """Each topic thrice, as one group: the same set and value as of the topics once."""
    scores = 0.4 + np.random.default_rng(1).normal(0, 0.1, (8, 40)) + np.linspace(0, 0.1, 8)[:, None]
    names = list("abcdefgh")
    once = ScoreMatrix(names, [str(topic) for topic in range(40)], scores)
    thrice = ScoreMatrix(names, [f"{topic}_{turn}" for turn in range(3) for topic in range(40)], np.tile(scores, 3))
    groups = [topic.split("_")[0] for topic in thrice.topics]
    best_set = tie_tiers(thrice, 1, topic_groups=groups).best_set
    margins = {entry.system: entry.margin for entry in tie_tiers(once, 1).best_set.entries}
    for entry in best_set.entries:
        assert entry.margin == pytest.approx(margins[entry.system], rel=0.05)
    value = corrected_best(thrice, kind=MeasureKind.MANY_VALUED, topic_groups=groups)
    assert value.half_width == pytest.approx(corrected_best(once, kind=MeasureKind.MANY_VALUED).half_width)
    assert value.interval_other_topics.low == pytest.approx(
        corrected_best(once, kind=MeasureKind.MANY_VALUED).interval_other_topics.low
    )


def test_standard_errors_of_differences_between_systems_on_turns_of_conversations():
    """CAsT 2021, nDCG@3: 1.11 times as large by conversation in the median of pairs, 1.28 times at most."""
    turns = shipped_matrix("trec-2021-cast__nDCG-at-3")
    groups = [topic.rpartition("_")[0] for topic in turns.topics]
    ratios = []
    for first, second in combinations(turns.scores, 2):
        by_turn, together = ttest_rel(first, second), ttest_rel(first, second, topic_groups=groups)
        ratios.append(by_turn.statistic / together.statistic)
    assert (len(set(groups)), round(np.median(ratios), 2), round(max(ratios), 2)) == (19, 1.11, 1.28)


def test_means_over_turns_take_more_in_the_set_and_the_error_and_the_same_in_the_value():
    plain, turns = study(board("AP")).verdict, study(board("AP", topic_groups=TURNS)).verdict
    assert turns.set.margin == pytest.approx(1.2**0.5 * plain.set.margin)
    assert turns.corrected.half_width == pytest.approx(1.2**0.5 * plain.corrected.half_width)
    assert turns.evidence.residual_variance == plain.evidence.residual_variance
    words = describe_evidence(board("AP", topic_groups=TURNS), study(board("AP", topic_groups=TURNS)))
    assert words.endswith(
        "Topics here are turns of 19 conversations, counted as topics; set and ± take 1.2 times the variance for that."
    )


def test_of_wordings_the_needs_are_counted():
    needs = TopicGroups(kind="need", n_groups=30)
    wordings, thirty = study(board("AP", n_topics=90, topic_groups=needs)), study(board("AP", n_topics=30))
    assert wordings.verdict.set == thirty.verdict.set
    assert wordings.verdict.corrected.half_width == pytest.approx(thirty.verdict.corrected.half_width, rel=1e-3)
    nobody_counted = study(board("AP", n_topics=90, topic_groups=replace(needs, n_groups=None))).verdict
    assert nobody_counted.set is None
    assert nobody_counted.why_no_set == "the number of topics behind these means is not known"


def with_scores(n_conversations: int, shared: float):
    """Return a board with topic scores of every row, of turns that share so much of what a conversation does to it."""
    rng = np.random.default_rng(3)
    of_conversation = np.repeat(rng.normal(0, shared, (len(ROWS), n_conversations)), 6, axis=1)
    scores = (
        np.array([row.value for row in ROWS])[:, None] + of_conversation + rng.normal(0, 0.1, of_conversation.shape)
    )
    scores += (np.array([row.value for row in ROWS]) - scores.mean(axis=1))[:, None]
    topics = [f"{place // 6}_{place % 6}" for place in range(scores.shape[1])]
    matrix = ScoreMatrix([str(row.id) for row in ROWS], topics, scores)
    groups = TopicGroups(
        kind="conversation", n_groups=n_conversations, of_topics=tuple(topic.split("_")[0] for topic in topics)
    )
    inputs = replace(board("AP"), n_topics=len(topics), topic_scores=TopicScoresInput.of(matrix))
    return inputs, replace(inputs, topic_groups=groups), matrix


def test_turns_of_one_conversation_count_together_where_topic_scores_are_known():
    plain, grouped, matrix = with_scores(30, 0.1)
    by_topic, together = study(plain, topic_scores=matrix), study(grouped, topic_scores=matrix)
    effect = together.verdict.evidence.group_effect
    assert effect == pytest.approx(3.5, abs=1.2), "one plus five times a half"
    assert by_topic.verdict.evidence.group_effect is None
    ratio = together.verdict.corrected.half_width / by_topic.verdict.corrected.half_width
    assert ratio == pytest.approx(effect**0.5, rel=0.25)
    assert set(by_topic.verdict.set.members) < set(together.verdict.set.members)
    words = describe_evidence(grouped, together)
    assert "Topics here are turns of 30 conversations. Those of one count together" in words
    assert f"is {effect:.2f} times what it is with each by itself" in words


def test_fewer_than_ten_groups_give_no_set_of_their_own():
    _, grouped, matrix = with_scores(9, 0.05)
    verdict = study(grouped, topic_scores=matrix).verdict
    assert verdict.evidence.kind == "predicted"
    assert verdict.evidence.of_groups == 1.2


@pytest.mark.parametrize(("n_conversations", "is_verified"), [(20, False), (30, True)])
def test_a_leader_is_verified_on_25_conversations_whatever_their_turns(n_conversations, is_verified):
    _, grouped, matrix = with_scores(n_conversations, 0.01)
    ahead = ScoreMatrix(matrix.systems, matrix.topics, matrix.scores + 0.3 * np.eye(len(ROWS), 1))
    verdict = study(replace(grouped, topic_scores=TopicScoresInput.of(ahead)), topic_scores=ahead).verdict
    assert (verdict.set.n_members, verdict.leader_verified) == (1, is_verified)
    assert verdict.evidence.coverage is None, "no sets from groups were simulated"


def test_of_few_rows_turns_of_one_conversation_count_together():
    _, grouped, matrix = with_scores(30, 0.1)
    first, second = (row.id for row in ROWS[:2])
    pair = matrix.select([str(first), str(second)])
    few = replace(grouped, rows=ROWS[:2], topic_scores=TopicScoresInput.of(pair))
    (distance,) = study(few, topic_scores=pair).verdict.pairs
    by_group = ttest_rel(*pair.scores, topic_groups=grouped.topic_groups.of_topics)
    assert distance.margin == pytest.approx((by_group.interval.high - by_group.interval.low) / 2)
