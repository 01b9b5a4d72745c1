"""The topics of a leaderboard: by hand, of four systems on four topics."""

import numpy as np
import pytest
from django.utils import timezone

from registry.catalog.models import Leaderboard
from registry.core.models import Job
from registry.results.models import TopicScores
from registry.tools.found_once import TopicStudy
from registry.tools.pairs.documents import pairs_document
from registry.tools.pairs.services import STUDY_LEADERBOARD, enqueue_missing, study_leaderboard
from registry.tools.pairs.topic_documents import topics_document
from tests.registry.factory import make_leaderboard, make_result, make_system, make_topic_scores
from tests.registry.pages import read
from tests.registry.tools.resolution.test_collection_resolution import make_scored_board, scores_of
from tests.registry.tools.resolution.test_collection_resolution import study as study_collection

pytestmark = pytest.mark.django_db

#: On t0 one is ahead, on t1 two are, t2 turns them round, and on t3 all are equal.
SCORES = np.array([[0.8, 0.5, 0.1, 0.6], [0.6, 0.5, 0.3, 0.6], [0.4, 0.2, 0.3, 0.6], [0.2, 0.0, 0.5, 0.6]])


@pytest.fixture
def board() -> Leaderboard:
    made = make_scored_board(SCORES)
    for name, result in zip(("Ann", "Bob", "Cas", "Dan"), made.results.order_by("pk"), strict=True):
        result.system = make_system(name, f"{name}’s team")
        result.save()
    return made


def test_topics_by_hand(board, client):
    found = topics_document(board)
    first, _, _, fourth = board.results.order_by("pk").values_list("pk", flat=True)
    assert (found.n_systems, found.components) == (4, None)
    assert [one.topic for one in found.topics] == ["t1", "t2", "t0", "t3"]
    t1, t2, t0, t3 = found.topics
    assert [one.mean for one in found.topics] == pytest.approx([0.3, 0.3, 0.5, 0.6])
    assert [one.sd for one in found.topics] == pytest.approx([0.06**0.5, (0.08 / 3) ** 0.5, (0.2 / 3) ** 0.5, 0.0])
    assert [(one.low, one.high) for one in found.topics] == [(0.0, 0.5), (0.1, 0.5), (0.2, 0.8), (0.6, 0.6)]
    assert [one.best for one in found.topics] == [(), (fourth,), (first,), ()]
    assert [(one.result, one.system, one.team) for one in found.systems] == [
        (first, "Ann", "Ann’s team"),
        (fourth, "Dan", "Dan’s team"),
    ]
    assert [one.mean for one in found.systems] == pytest.approx([0.5, 0.325])
    assert t3.agreement is None
    assert t2.agreement == pytest.approx(np.corrcoef(SCORES[:, 2], np.delete(SCORES, 2, axis=1).mean(axis=1))[0, 1])
    assert t2.agreement < -0.9
    residuals = SCORES - SCORES.mean(axis=0) - SCORES.mean(axis=1)[:, None] + SCORES.mean()
    parts = (residuals**2).sum(axis=0) / (residuals**2).sum()
    assert [one.own_share for one in (t0, t1, t2, t3)] == pytest.approx(parts.tolist())
    overview = read(client, f"{board.get_absolute_url()}topics/")
    assert (overview.row("t0")[7], overview.row("t1")[7]) == ("Ann", "half of them or more share the best score")
    assert overview.row("t0")[6] == f"{100 * parts[0]:.1f} %"
    assert "Scores vary with" not in overview.text
    board.measure.higher_is_better = False
    turned = topics_document(board)
    assert [one.topic for one in turned.topics] == ["t3", "t0", "t1", "t2"]
    assert [one.best for one in turned.topics] == [(), (fourth,), (fourth,), (first,)]


def test_where_the_other_topics_do_not_vary_a_topic_neither_agrees_nor_disagrees_with_them():
    board = make_scored_board(np.array([[0.2, 0.5, 0.3], [0.4, 0.5, 0.3]]))
    assert [one.agreement for one in topics_document(board).topics] == [None, None, None]


def test_what_scores_vary_with_adds_up(board, client):
    TopicStudy.keep(study_leaderboard(board.pk))
    parts = topics_document(board).components
    total = parts.system_variance + parts.topic_variance + parts.residual_variance
    page = read(client, f"{board.get_absolute_url()}topics/")
    said = "neither: systems do better on some topics than on others, and chance"
    for name, variance, error in (
        ("systems", parts.system_variance, parts.system_variance_error),
        ("topics", parts.topic_variance, parts.topic_variance_error),
        (said, parts.residual_variance, parts.residual_variance_error),
    ):
        assert page.row(name)[1:] == [f"{100 * variance / total:.0f} %", f"{variance:.5f}", f"{error:.5f}"]
    same = make_scored_board(np.full((3, 4), 0.5))
    TopicStudy.keep(study_leaderboard(same.pk))
    assert [one.own_share for one in topics_document(same).topics] == [None] * 4
    assert "Scores vary with" not in read(client, f"{same.get_absolute_url()}topics/").text
    told = pairs_document(same, "sign", "none")
    assert (told.state, told.systems, told.pairs, told.n_resamples) == ("impossible", (), (), None)
    assert told.why != ""


def test_of_all_pairs_there_is_nothing_before_a_worker_came_and_nothing_without_scores():
    board = make_scored_board(scores_of())
    study_collection(board.collection)
    waiting = pairs_document(board, "randomization", "holm")
    assert (waiting.state, waiting.why, waiting.n_systems, waiting.n_topics) == ("waiting", "", 8, 20)
    assert (waiting.systems, waiting.pairs, waiting.ranked, waiting.opinions, waiting.reversals) == ((), (), (), (), ())
    assert (waiting.by_chance, waiting.n_resamples) == (None, None)
    bare = make_leaderboard()
    none = pairs_document(bare, "t", "none")
    assert (none.state, none.n_systems, none.n_topics, none.systems) == ("no-scores", 0, 0, ())
    assert study_leaderboard(bare.pk) == []
    assert (topics_document(bare).n_systems, topics_document(bare).systems, topics_document(bare).topics) == (0, (), ())


def test_leaderboards_with_two_scored_systems_that_are_not_studied_are_missing():
    two, one, other = (make_scored_board(SCORES[:n]) for n in (2, 1, 3))
    # Its scores by topic were read again.
    TopicScores.objects.filter(result__leaderboard=one).update(ended_at=timezone.now())
    make_topic_scores(one.results.get(), SCORES[1].tolist())
    make_result(one)

    def waiting() -> set[int]:
        found = {job.args["leaderboard_id"] for job in Job.objects.filter(kind=STUDY_LEADERBOARD)}
        Job.objects.all().delete()
        return found

    assert enqueue_missing() == 2
    assert waiting() == {two.pk, other.pk}
    TopicStudy.keep(study_leaderboard(two.pk))
    assert enqueue_missing() == 1
    assert waiting() == {other.pk}


def test_what_is_chosen_stands_in_the_links(client, board):
    TopicStudy.keep(study_leaderboard(board.pk))
    path = f"{board.get_absolute_url()}pairs/"

    def choices(query: str) -> dict[str, str]:
        page = read(client, path + query)
        return {words: address for address, words in page.links if address.endswith("#pairs")}

    assert choices("") == {
        "Randomization test": "?#pairs",
        "t test": "?test=t#pairs",
        "Bootstrap test": "?test=bootstrap-shift#pairs",
        "Wilcoxon’s signed-rank test": "?test=wilcoxon#pairs",
        "Sign test": "?test=sign#pairs",
        "Holm": "?#pairs",
        "Benjamini & Hochberg": "?correction=benjamini-hochberg#pairs",
        "none": "?correction=none#pairs",
        "Step-down max-t": "?test=max-t#pairs",
        "Tukey’s HSD": "?test=tukey#pairs",
        "Randomized Tukey HSD": "?test=randomized-tukey#pairs",
    }
    corrected = choices("?test=t&correction=none")
    assert (corrected["Randomization test"], corrected["Holm"]) == ("?correction=none#pairs", "?test=t#pairs")
    assert "Tukey’s HSD" not in corrected
    joint = choices("?test=tukey")
    assert (joint["Randomization test"], joint["Randomized Tukey HSD"]) == ("?#pairs", "?test=randomized-tukey#pairs")
    assert "Holm" not in joint
    for query, chosen, said in (
        ("", 2, "Randomization test at 0.05, 16 resamples; with Holm’s correction, the chance of any false one"),
        ("?test=sign&correction=none", 2, "Sign test at 0.05; without a correction, one in twenty pairs"),
        ("?test=max-t", 1, "Step-down max-t at 0.05, 16 resamples; by this procedure, the chance of any false"),
    ):
        page = read(client, path + query)
        assert said in page.text
        assert page.source.count('aria-current="true"') == chosen
        assert page.link("JSON") == f"{path.removesuffix('/')}.json{query}"
