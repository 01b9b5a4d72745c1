"""What a document takes of a snapshot, of an earlier day's catalog and of a verdict's views, function by function."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.boards import (
    BoardInputs,
    BoardRow,
    MeasureFacts,
    read_snapshot,
)
from registry.leaderboards.documents.boards import (
    _as_stored,
    _facets,
    _findings,
    _not_comparable,
    _on_the_spot,
    _seen_as,
    _training_in,
    _with_facts_of,
    leaderboard_document,
)
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Snapshot
from registry.leaderboards.queries.boards import read_board, read_rows
from registry.leaderboards.verification import is_by_present_methods, topic_scores_of, verify_snapshot
from registry.results.models import TopicScores
from tests.registry.factory import make_topic_scores, make_topics
from tests.registry.leaderboards.boards import analyse, make_board, mark_changed
from tests.registry.leaderboards.earlier_methods import OLD

pytestmark = pytest.mark.django_db


def row(pk: int, **fields: Any) -> BoardRow:
    return BoardRow(**{"id": pk, "system": f"s{pk}", "printed": "0.5", "value": 0.5} | fields)


def inputs(*rows: BoardRow, **fields: Any) -> BoardInputs:
    return BoardInputs(**{"collection": "c", "measure": MeasureFacts(name="AP"), "rows": rows} | fields)


def test_what_the_catalog_said_then_is_taken_of_the_snapshot_and_results_are_not():
    variance: Any = SimpleNamespace(value=0.1)
    then = inputs(
        row(1), n_topics=50, n_topics_at_least=40, variances=(variance,), references=("r",), task="known-item"
    )
    now = inputs(row(1), row(2), n_topics=60, task="b", name="C")
    found = _with_facts_of(now, then)
    assert (found.n_topics, found.n_topics_at_least, found.variances, found.references) == (50, 40, (variance,), ("r",))
    assert (found.rows, found.task, found.name) == (now.rows, "known-item", "C")


def test_reasons_and_choices_are_counted_the_most_frequent_first():
    reasons = ["b", "", "a", "a", "", ""]
    shown: Any = [SimpleNamespace(why_not_comparable=one) for one in reasons]
    told = _not_comparable(shown)
    assert [(one.reason, one.n) for one in told] == [("a", 2), ("b", 1)]
    rows = [row(1, role="baseline", run_type="manual"), row(2, role="proposed"), row(3, role="proposed")]
    assert {name: list(counts.items()) for name, counts in _facets(rows).items()} == {
        "role": [("proposed", 2), ("baseline", 1)], "run_type": [("manual", 1)], "provenance": [("transcribed", 3)],
    }  # fmt: skip


def test_training_is_as_it_entered():
    trained = _training_in(inputs(row(1, training="declares", training_split="train", declared_training="yes"), row(2)))
    assert set(trained) == {1, 2}
    assert (trained[1].word, trained[1].split, trained[1].answer) == ("declares", "train", "yes")
    assert trained[2].answer == "unknown"


def test_what_was_found_by_the_names_of_the_document():
    shown: Any = SimpleNamespace(findings=None)
    nothing = {"verdict": None, "n_results": None, "mean": None, "sd": None, "max": None, "best_result": None,
               "scales": {}, "why_no_best_result": ""}  # fmt: skip
    assert _findings(shown, Selection()) == nothing
    board = make_board()
    found = read_snapshot(analyse(board).snapshot.content)
    told = leaderboard_document(board, Selection())
    counted = found.findings.counted
    assert (told.n_results, told.mean, told.sd, told.max) == (8, counted.mean, counted.sd, 0.31)
    assert set(told.scales) == {one.scale for one in found.findings.equal_means} == {"published", "residual"}
    assert told.best_result == told.scales["published"]
    other = leaderboard_document(board, Selection(scale="residual", query={"scale": "residual"}))
    assert other.best_result == told.scales["residual"]
    assert other.snapshot == told.snapshot
    assert told.why_no_best_result == found.findings.why_no_equal_means


def test_another_view_of_a_verdict_verifies_nobody():
    stored = read_snapshot(analyse(make_board()).snapshot.content)
    verdict = replace(stored.findings.verdict, leader_verified=True, family_verified=True)
    kind = type(verdict).__mro__[1]
    names = ("best_unflagged", "corrected", "set")
    view = kind(best=replace(verdict.best, result=9), why_no_value="v", why_no_set="s", view="declared-none",
                **dict.fromkeys(names))  # fmt: skip
    other = _seen_as(verdict, view)
    assert (other.best.result, other.view, other.set, other.corrected) == (9, "declared-none", None, None)
    assert (other.why_no_value, other.why_no_set) == ("v", "s")
    assert (other.leader_verified, other.family_verified) == (False, False)
    assert (other.evidence, other.tries) == (verdict.evidence, verdict.tries)


def test_topic_scores_that_changed_meanwhile_are_studied_anew():
    board = make_board(n_topics=2, residual_variance=None)
    make_topics(board.collection, ["t1", "t2"])
    results = list(board.results.order_by("-value"))
    for place, one in enumerate(results):
        make_topic_scores(one, [one.value - 0.05 - place / 100, one.value + 0.05 + place / 100])
    mark_changed(board)
    snapshot = analyse(board).snapshot
    stored = read_snapshot(snapshot.content)
    recorded = read_rows(board)
    question = replace(Selection().question, role="trec_run")
    kept = _as_stored(recorded, Selection().question, snapshot, stored, is_current=True)
    assert (kept.findings, kept.snapshot, kept.obstacle) == (stored.findings, snapshot, "")
    asked = _as_stored(recorded, question, snapshot, stored, is_current=True)
    assert (asked.inputs, asked.snapshot, asked.obstacle) == (stored.inputs, None, "")
    assert asked.findings.verdict.best == stored.findings.verdict.best
    nobody = _as_stored(recorded, replace(question, role="baseline"), snapshot, stored, is_current=True)
    assert (nobody.findings, nobody.snapshot) == (None, None)
    assert nobody.obstacle
    matrix = topic_scores_of(snapshot)
    assert (matrix.systems, matrix.topics) == (
        tuple(str(one) for one in stored.inputs.topic_scores.results),
        ("t1", "t2"),
    )
    assert matrix.scores[0].tolist() == TopicScores.objects.get(result=results[0]).scores
    assert verify_snapshot(snapshot) == []

    on_the_spot = _on_the_spot(read_board(board.pk), Selection(), snapshot, stored)
    assert (on_the_spot.snapshot, on_the_spot.findings) == (snapshot, stored.findings)
    other = _on_the_spot(read_board(board.pk), Selection(question), snapshot, stored)
    assert (other.snapshot, other.findings.verdict.best) == (None, stored.findings.verdict.best)
    bare = _on_the_spot(read_board(board.pk), Selection(), None, None)
    assert (bare.snapshot, bare.findings, bare.obstacle) == (None, None, "")

    TopicScores.objects.filter(result=results[1]).update(scores=[0.1, 0.9])
    assert _as_stored(recorded, question, snapshot, stored, is_current=True) is None
    assert verify_snapshot(snapshot) == ["the topic scores behind it are not what they were"]
    TopicScores.objects.filter(result=results[1]).update(scores=[0.1, None])
    assert topic_scores_of(snapshot) is None
    TopicScores.objects.filter(result=results[1]).delete()
    assert topic_scores_of(snapshot) is None


def test_what_cannot_be_read_or_computed_again_is_checked_by_its_id_alone():
    board = make_board()
    analyse(board)
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    assert not is_by_present_methods(old)
    assert verify_snapshot(old) == ["the content does not have this id: it was changed"]
    assert topic_scores_of(board.analysis.snapshot) is None
    type(board.analysis).objects.filter(pk=board.analysis.pk).update(snapshot=old, methods_version="1")
    standing = type(board).objects.with_names().select_related("analysis__snapshot").get(pk=board.pk)
    document = leaderboard_document(standing, Selection())
    assert (document.verdict, document.snapshot, document.count) == (None, None, 8)
    assert [row.value for row in document.results][:2] == [0.31, 0.30]
