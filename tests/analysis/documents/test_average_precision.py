"""Average precision: cases by hand, trec_eval's and printed values, removal, small-sample limits."""

from itertools import combinations

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

from analysis.documents import (
    RankedList,
    average_precision,
    judge_run,
    lead_balloon_limit,
    silver_bullet_limit,
    unseen_proportion,
)
from analysis.documents._average_precision import leave_one_out
from analysis.scores import parse_judgements, parse_run
from tests.analysis.documents import dl_2019
from tests.analysis.matrices import shipped_matrix

JUDGEMENTS = parse_judgements("1 0 a 1\n1 0 c 2\n1 0 z 1\n2 0 a 0\n3 0 a 1\n")
RUN = parse_run("1 Q0 a 1 9 mine\n1 Q0 b 2 8 mine\n1 Q0 c 3 7 mine\n9 Q0 a 1 1 mine\n")


class TestJudgeRun:
    def test_topics_are_accounted_for(self):
        judged = judge_run(RUN, JUDGEMENTS)
        assert judged.topics == ("1", "3")
        assert judged.undefined_topics == ("2",)
        assert judged.unanswered_topics == ("3",)
        assert [average_precision(ranked) for ranked in judged.lists] == [pytest.approx((1 + 2 / 3) / 3), 0.0]

    def test_unanswered_topics_can_be_skipped(self):
        judged = judge_run(RUN, JUDGEMENTS, unanswered="skip")
        assert (judged.topics, judged.unanswered_topics) == (("1",), ("3",))

    def test_grade_and_depth_decide_what_counts(self):
        assert judge_run(RUN, JUDGEMENTS, minimum_grade=2).lists[0].to_dict()["relevant_ranks"] == [3]
        shallow = judge_run(RUN, JUDGEMENTS, depth=2).lists[0]
        assert (shallow.relevant_ranks.tolist(), shallow.n_relevant, shallow.depth) == ([1], 3, 2)


class TestAveragePrecision:
    @pytest.mark.parametrize("depth", [10, 50, 100])
    def test_it_is_that_of_trec_eval(self, depth):
        qrels, run = dl_2019.judgements(), dl_2019.run_of("REP_LLAMA")
        grades = {topic: dict(judged) for topic, judged in qrels.grades.items()}
        evaluator = pytrec_eval.RelevanceEvaluator(grades, {f"map_cut.{depth}"}, relevance_level=2)
        scores = {topic: dict(zip(run.rankings[topic], run.scores[topic], strict=True)) for topic in run.topics}
        theirs = evaluator.evaluate(scores)
        judged = judge_run(run, qrels, minimum_grade=2, depth=depth)
        for topic, ranked in zip(judged.topics, judged.lists, strict=True):
            assert average_precision(ranked) == pytest.approx(theirs[topic][f"map_cut_{depth}"], abs=1e-14)

    def test_every_topic_of_every_run_has_the_printed_value(self):
        printed = shipped_matrix("trec-dl-2019-passage__AP-rel-2-at-100")
        assert printed.n_systems == 11
        for system, scores in zip(printed.systems, printed.scores, strict=True):
            run = dl_2019.run_of(system.removeprefix("rank_llm "))
            judged = judge_run(run, dl_2019.judgements(), minimum_grade=2, depth=100)
            ours = {topic: average_precision(ranked) for topic, ranked in zip(judged.topics, judged.lists, strict=True)}
            assert [round(ours[topic], 4) for topic in printed.topics] == scores.tolist()


class TestLeaveOneOut:
    @pytest.mark.parametrize(
        ("ranks", "n_relevant"),
        [([1, 3], 3), ([1, 2, 3], 3), ([2, 5, 6, 9], 6), ([4], 2), ([], 3), ([1], 2), ([3, 4, 8], 3)],
    )
    def test_it_is_the_removal_of_each_document(self, ranks, n_relevant):
        depth = 10
        values, counts = leave_one_out(RankedList(ranks, n_relevant, depth))
        removed = []
        for position in range(1, depth + 1):
            ranks_left = [rank - (rank > position) for rank in ranks if rank != position]
            removed.append(average_precision(RankedList(ranks_left, n_relevant - (position in ranks), depth)))
        for _ in range(n_relevant - len(ranks)):
            removed.append(average_precision(RankedList(ranks, n_relevant - 1, depth)))
        unchanged = average_precision(RankedList(ranks, n_relevant, depth))
        expected = sorted(value for value in removed if abs(value - unchanged) > 1e-12)
        changed = sorted(value for value in np.repeat(values, counts) if abs(value - unchanged) > 1e-12)
        assert changed == pytest.approx(expected, abs=1e-14)


class TestSmallSampleLimits:
    def test_unseen_proportion_of_four_documents_is_that_of_the_paper(self):
        assert unseen_proportion(4) == pytest.approx(0.527129, abs=5e-7)
        assert round(unseen_proportion(4), 2) == 0.53

    @pytest.mark.parametrize("n_relevant", [1, 2, 10, 1000])
    def test_unseen_proportion_leaves_the_allowed_chance(self, n_relevant):
        assert (1 - unseen_proportion(n_relevant, 0.9)) ** n_relevant == pytest.approx(0.1, rel=1e-10)

    @pytest.mark.parametrize(("n_relevant", "depth"), [(1, 4), (2, 5), (3, 6), (5, 3), (4, 1)])
    def test_silver_bullets_by_enumeration_of_all_places(self, n_relevant, depth):
        proportion, expected = unseen_proportion(n_relevant), 0.0
        for bullets in range(n_relevant + 1):
            places = list(combinations(range(1, depth + 1), min(bullets, depth)))
            mean = np.mean([average_precision(RankedList(ranks, n_relevant, depth)) for ranks in places])
            expected += stats.binom.pmf(bullets, n_relevant, proportion) * mean
        assert silver_bullet_limit(n_relevant, depth) == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize(("n_relevant", "depth"), [(4, 1000), (30, 100), (1, 1000)])
    def test_silver_bullets_by_dynamic_programming(self, n_relevant, depth):
        proportion = unseen_proportion(n_relevant)
        expected = sum(
            stats.binom.pmf(bullets, n_relevant, proportion) * _expected_by_programming(bullets, n_relevant, depth)
            for bullets in range(n_relevant + 1)
        )
        assert silver_bullet_limit(n_relevant, depth) == pytest.approx(expected, rel=1e-10)

    def test_lead_balloons_by_enumeration(self):
        proportion = unseen_proportion(3)
        values = [average_precision(RankedList(np.arange(1, n_found + 1), 3, 9)) for n_found in range(4)]
        assert lead_balloon_limit(3) == pytest.approx(np.sum(stats.binom.pmf(range(4), 3, 1 - proportion) * values))


def _expected_by_programming(bullets, n_relevant, depth):
    """Compute E(AP) of ``bullets`` relevant documents at random ranks, rank by rank over the number placed so far."""
    placed = np.zeros(bullets + 1)
    placed[0], total = 1.0, 0.0
    numbers = np.arange(bullets + 1)
    for rank in range(1, depth + 1):
        here = placed * (bullets - numbers) / (depth - rank + 1)
        total += np.sum(here * (numbers + 1)) / rank
        placed = placed - here
        placed[1:] += here[:-1]
    return total / n_relevant
