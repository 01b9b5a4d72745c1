"""A run on the scale of systems that stay as they are: runs of its year, whose names are withheld."""

import numpy as np
import pytest
from django.test import Client
from scipy import stats

from analysis.comparisons import adjust_pvalues
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard, Measure
from registry.runs.documents import upload_document
from registry.runs.services.judging import put_judgements
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
)
from tests.registry.leaderboards.boards import analyse_again
from tests.registry.pages import page_of
from tests.registry.runs.world import run_of, score
from tests.registry.tools.standardization.test_collection_standardized import put_unnamed

TOPICS = [str(number) for number in range(401, 421)]


def make_judged() -> Leaderboard:
    """Make AP on twenty topics with a relevant document each."""
    collection = make_collection(n_topics=len(TOPICS))
    put_judgements(collection=collection, content="".join(f"{name} 0 d 1\n" for name in TOPICS).encode(), source="NIST")
    return make_leaderboard(collection, Measure.objects.filter(name="AP").first() or make_measure("AP"))


def scored(scores: np.ndarray, topics: list[str]):
    """Return a run with AP 1/2 on every topic, and such a field of systems on its collection."""
    board = make_judged()
    field = ScoreMatrix([f"run{n}" for n in range(len(scores))], topics, scores)
    put_unnamed(board.collection, board.measure, field, board.collection.slug, "participants’ runs, names withheld")
    return score(run_of("other", "d", topics=TOPICS), board.collection)


def test_z_is_the_mean_over_topics_of_deviations_from_the_runs_of_the_year():
    scores = np.random.default_rng(1).uniform(0.1, 0.7, (30, 20))
    # These have numbers of their own, in the order of those of the judgements.
    shuffled = [f"topic{n}" for n in range(1, 21)]
    upload = scored(scores[:, ::-1], shuffled[::-1])
    (standardized,) = upload_document(upload).standardized
    by_topic = (0.5 - scores.mean(axis=0)) / scores.std(axis=0, ddof=1)
    assert standardized.z == pytest.approx(by_topic.mean())
    assert standardized.topics == pytest.approx(dict(zip(TOPICS, by_topic, strict=True)))
    assert standardized.low < standardized.z < standardized.high
    assert standardized.n_better == (scores.mean(axis=1) > 0.5).sum()
    pvalues = adjust_pvalues(stats.ttest_1samp(0.5 - scores, 0, axis=1).pvalue)
    signs = np.sign(0.5 - scores.mean(axis=1))[pvalues <= 0.05]
    assert list(standardized.told_apart) == [(signs > 0).sum(), (signs < 0).sum()]
    assert (standardized.reference, standardized.n_systems) == ("participants’ runs, names withheld", 30)
    assert Client().get(f"/api/v1{upload.get_absolute_url()}").json()["standardized"][0]["z"] == standardized.z


def test_systems_of_other_topics_or_too_close_together_are_no_scale():
    scores = np.random.default_rng(1).uniform(0.1, 0.7, (30, 20))
    assert upload_document(scored(scores, [f"q{n}" for n in range(20)])).standardized == ()
    close = np.vstack([np.full((7, 20), 0.3) + scores[:7] * 1e-3, scores[:6]])
    assert upload_document(scored(close, TOPICS)).standardized == ()


def test_an_incomplete_run_has_no_z():
    collection = scored(np.random.default_rng(1).uniform(0.1, 0.7, (30, 20)), TOPICS).collection
    part = score(run_of("d", topics=TOPICS[:9]), collection)
    assert upload_document(part).standardized == ()
    assert "On a fixed scale" not in page_of(Client().get(part.get_absolute_url())).text


def test_toolkits_runs_with_scores_by_topic_are_compared_topic_by_topic():
    board = make_judged()
    make_topics(board.collection, TOPICS)
    rng = np.random.default_rng(5)
    by_topic = np.round(rng.uniform(0.0, 0.6, (8, 20)) + np.linspace(0.0, 0.8, 8)[:, None], 4)
    for number, scores in enumerate(by_topic):
        role = "reference_implementation" if number < 7 else "leaderboard"
        make_topic_scores(make_result(board, printed=f"{scores.mean():.4f}", role=role), scores.tolist())
    analyse_again(board)
    upload = score(run_of("other", "d", topics=TOPICS), board.collection)
    page = page_of(Client().get(upload.get_absolute_url()))
    means, errors = by_topic.mean(axis=1), (0.5 - by_topic).std(axis=1, ddof=1) / 20**0.5
    nearest = [int(np.argmax(np.where(means < 0.5, means, 0))), int(np.argmin(np.where(means[:7] > 0.5, means[:7], 9)))]
    weaker = 7 - (7 + 1) // 2 - 1
    pvalues = {place: stats.ttest_1samp(0.5 - by_topic[place], 0).pvalue for place in {*nearest, weaker}}
    surest = min(pvalues, key=lambda place: pvalues[place])
    margin = stats.t.ppf(1 - 0.025 / len(pvalues), 19) * errors[surest]
    verdict = "Significant" if len(pvalues) * pvalues[surest] <= 0.05 else "Not significant"
    assert f"{verdict} topic by topic: {margin:.4f} needed ({len(pvalues)} comparisons, Holm)." in page.text
