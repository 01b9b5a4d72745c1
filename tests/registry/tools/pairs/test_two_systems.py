"""What is said of two systems on the same topics: the conclusion by p-values, a margin, tests that can't be made."""

from dataclasses import replace

import numpy as np
import pytest
from django.utils import timezone

from analysis.comparisons import mean_interval
from registry.catalog.models import Leaderboard
from registry.tools.found_once import TopicStudy
from registry.tools.pairs import pipeline
from registry.tools.pairs.documents import pairs_document
from registry.tools.pairs.pair_documents import PairDocument, pair_document
from registry.tools.pairs.paired_tests import AppliedTest
from registry.tools.pairs.pipeline import PairFindings
from registry.tools.pairs.queries import read_two
from registry.tools.pairs.services import study_leaderboard
from tests.registry.factory import make_entry, make_system
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of

pytestmark = pytest.mark.django_db


def ids(board: Leaderboard) -> list[int]:
    return list(board.results.order_by("pk").values_list("pk", flat=True))


def pair(board: Leaderboard, first: int, second: int, margin: float | None = None) -> PairDocument:
    matrix = read_two(board, first, second)
    assert matrix is not None
    return pair_document(board, matrix, margin)


def applied(found: PairDocument, name: str) -> AppliedTest:
    return next(one for one in found.tests if one.test == name)


def study(board: Leaderboard) -> None:
    TopicStudy.keep(study_leaderboard(board.pk))


def keep(board: Leaderboard, pvalues: tuple[float, ...]) -> None:
    """What is known, with these p-values of all pairs by randomization instead."""
    (known,) = TopicStudy.objects.all()
    found = TopicStudy.read([known.pk], PairFindings)[known.pk]
    assert isinstance(found, PairFindings)
    tested = replace(found.tested[0], pvalues=pvalues)
    TopicStudy.objects.all().delete()
    TopicStudy.keep([TopicStudy.of(known.pk, lambda: replace(found, tested=(tested, *found.tested[1:])))])


def test_the_conclusion_says_who_is_ahead_and_what_the_other_pairs_make_of_it(client):
    base = scores_of(1)[0]
    noise = np.random.default_rng(8).normal(0, 0.03, 20)
    board = make_scored_board(np.vstack([base, base + 0.01, base + 0.02 + noise - noise.mean()]))
    low, _, high = ids(board)
    name = board.results.get(pk=high).system.name
    alone = pair(board, low, high)
    p = f"p = {alone.tests[0].found.pvalue:.3f}"
    assert 0.001 < alone.tests[0].found.pvalue < 0.02
    ahead = f"{name} is ahead by 0.0200, which is more than the choice of topics explains"
    assert alone.conclusion == f"{ahead}, if this one comparison was planned ({p})."
    assert (alone.n_pairs, [one.adjusted for one in alone.tests]) == (None, [None] * 5)
    study(board)
    # Pairs stand as best and second, best and worst, second and worst; Holm multiplies the least by 3.
    for least, said in (
        (0.05 / 3, f"{ahead}, even as one of 3 pairs (p = 0.050 after Holm’s correction)."),
        (0.017, f"{ahead} if this one comparison was planned ({p}), and not as one of 3 pairs (p = 0.051 after Holm’s"
         " correction)."),
        (0.0001, f"{ahead}, even as one of 3 pairs (p < 0.001 after Holm’s correction)."),
    ):  # fmt: skip
        keep(board, (0.5, least, 0.5))
        found = pair(board, low, high)
        assert (found.conclusion.replace("\N{NO-BREAK SPACE}", " "), found.n_pairs) == (said, 3)
        assert found.tests[0].adjusted == pytest.approx(3 * least)
    keep(board, (0.05, 0.050001, 0.2))
    told = pairs_document(board, "randomization", "none")
    assert [one.is_significant for one in told.pairs] == [True, False, False]
    assert told.n_significant == 1
    page = read(client, f"{board.get_absolute_url()}pairs/?correction=none")
    assert "Of 3 pairs, 1 differs by more than the choice of topics explains." in page.text


def test_each_pair_has_its_own_p_value_among_all():
    board = make_scored_board(scores_of(3))
    study(board)
    told = pairs_document(board, "t", "holm")
    assert (told.n_resamples, told.state, told.why) == (None, "studied", "")
    assert len({one.pvalue for one in told.pairs}) == 3
    for one in told.pairs:
        assert applied(pair(board, one.first, one.second), "t").adjusted == one.pvalue
    assert applied(pair(board, one.second, one.first), "t").adjusted == one.pvalue
    assert pairs_document(board, "randomization", "holm").n_resamples == 20_000


def test_two_systems_alone_are_one_planned_comparison():
    board = make_scored_board(scores_of(4)[[0, 3]])
    study(board)
    found = pair(board, *ids(board))
    assert found.n_pairs == 1
    assert ", if this one comparison was planned (p " in found.conclusion


def test_a_small_difference_may_be_of_the_topics():
    base, noise = scores_of(1)[0], np.tile([0.02, -0.02], 10)
    board = make_scored_board(np.vstack([base, base + noise + 0.001, base + noise + 0.00004, base + noise]))
    first, second, third, fourth = ids(board)
    found = pair(board, first, second)
    p, name = found.tests[0].found.pvalue, board.results.get(pk=second).system.name
    assert found.conclusion == (
        f"{name} is ahead by 0.0010, which the choice of topics may explain (p = {p:.3f}). That is no proof that they"
        " are equally good."
    )
    name = board.results.get(pk=third).system.name
    assert pair(board, first, third).conclusion.startswith(f"{name} is ahead by less than 0.0001, which the choice of ")
    assert pair(board, first, fourth).conclusion == "Their means are equal, so that neither is ahead."


def test_what_a_margin_shows_of_either_direction():
    rng = np.random.default_rng(5)
    base = rng.uniform(0.3, 0.5, 20)
    board = make_scored_board(np.vstack([base, base + 0.1 + rng.normal(0, 0.02, 20)]))
    worse, better = ids(board)

    def said(first: int, second: int) -> list[str]:
        found = [pair(board, first, second, margin) for margin in (0.2, 0.05, gap)]
        assert [(one.margin, one.equivalence.equivalent) for one in found] == [(0.2, True), (0.05, False), (gap, False)]
        return [one.margin_conclusion for one in found]

    within = "The 95 % interval of the difference lies within the margin: neither is better by as much."
    first, second = (f"The {one} is better by more than the margin." for one in ("first", "second"))
    first_is_no_worse, second_is_no_worse = (
        f"The {one} is not worse by as much; whether it is better is open." for one in ("first", "second")
    )
    without = pair(board, better, worse)
    gap = without.difference
    assert (without.margin_conclusion, without.margin, without.equivalence) == ("", None, None)
    assert said(better, worse) == [within, first, first_is_no_worse]
    board.measure.higher_is_better = False
    assert said(better, worse) == [within, second, second_is_no_worse]
    level = make_scored_board(np.vstack([base, base + np.tile([0.1, -0.1], 10)]))
    assert pair(level, *ids(level), 0.01).margin_conclusion == (
        "Nothing follows: either may be better by more than the margin."
    )


def test_means_have_bca_intervals_and_a_system_that_never_varies_none():
    scores = scores_of(2)
    scores[1] = 0.9
    board = make_scored_board(scores)
    first, second = ids(board)
    board.results.filter(pk=first).update(system=make_system("Zeta", "Alpha team"))
    found = pair(board, first, second)
    expected = mean_interval(scores[0], pipeline.SEED, method="bca")
    assert (found.first_mean.method, found.first_mean.interval) == ("bca", expected.interval)
    assert (found.second_mean, found.second.mean) == (None, pytest.approx(0.9))
    assert (found.first.result, found.first.system, found.first.team) == (first, "Zeta", "Alpha team")
    assert (found.first.mean, found.first.came_first) == (pytest.approx(scores[0].mean()), None)


def test_where_two_differ_by_the_same_everywhere_a_test_says_why_it_can_not_be_made(client):
    board = make_scored_board(np.vstack([scores_of(2), scores_of(2)[:1] + 0.1]))
    first, second, shifted = ids(board)
    study(board)
    found = pair(board, first, shifted, 0.01)
    t = applied(found, "t")
    assert (t.found, t.adjusted) == (None, None)
    assert t.why_none.startswith("the first must not differ from second by the same amount on every topic")
    assert (found.equivalence, found.margin_conclusion, found.reversals) == (None, "", None)
    page = read(client, f"{board.get_absolute_url()}pairs/{first}/{shifted}/?margin=0.01")
    assert "No test is possible: the differences don’t vary." in page.text
    assert {row[0]: tuple(row[2:3] + row[-1:]) for row in page.rows if len(row) == 7} == {
        "Test": ("of the", "Asks"),
        "Randomization test": ("mean", "is the mean difference 0?"),
        "Wilcoxon’s signed-rank test": ("pseudo-median", "do differences lie symmetrically around 0?"),
        "Sign test": ("share of wins", "does each win on as many topics?"),
    }
    assert (
        "Nothing can be said by this test, because the" in read(client, f"{board.get_absolute_url()}pairs/?test=t").text
    )
    told = pairs_document(board, "t", "holm")
    assert (told.state, told.pairs, told.n_resamples) == ("impossible", (), None)
    assert told.why.startswith("the ")
    t = applied(pair(board, first, second), "t")
    assert (t.found.pvalue > 0, t.adjusted, t.why_none) == (True, None, "")


def test_a_system_that_is_not_among_the_best_is_compared_without_the_others(monkeypatch):
    monkeypatch.setattr(pipeline, "MOST_SYSTEMS", 2)
    board = make_scored_board(scores_of(3))
    study(board)
    low, middle, high = ids(board)
    assert [pair(board, *two).n_pairs for two in ((low, high), (middle, high))] == [None, 1]


def test_a_withdrawn_result_is_compared_with_nothing():
    board = make_scored_board(scores_of(3))
    first, second, third = ids(board)
    assert read_two(board, first, third).systems == (str(first), str(third))
    board.results.filter(pk=third).update(ended_at=timezone.now(), ended_by=make_entry(), ending="withdrawn")
    assert read_two(board, first, third) is None
    assert read_two(board, first, second) is not None
