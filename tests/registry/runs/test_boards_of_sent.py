"""The boards that uploads make, alone or among the results on record: rows, topics and what tells studies apart."""

import pytest

from analysis.boards import TopicScoresInput
from registry.runs.executions import OwnRow, matrix_of, rows_of
from registry.runs.models import Upload, Work
from registry.runs.pipeline.packing import pack_scores
from registry.runs.services.studying import FIRST_ID, inputs_of
from tests.registry.factory import make_leaderboard, make_measure, make_result, make_topic_scores, make_topics
from tests.registry.leaderboards.boards import mark_changed


def test_rows_of_runs_and_tables_on_a_collection_on_record():
    run = Upload(name="my run", work=Work(kind="run", means={"AP": 0.5, "P@5": 0.2}, scores=pack_scores(
        ["t1", "t2"], {"AP": [0.4, 0.6], "P@5": [0.2, 0.2]})))  # fmt: skip
    table = Upload(name="my table", work=Work(kind="matrix", means={"a": 0.1, "b": 0.3}, scores=pack_scores(
        ["t1", "t2"], {"a": [0.1, 0.1], "b": [0.2, 0.4]})))  # fmt: skip
    sealed = Upload(name="sealed", work=Work(kind="run", means={"AP": 0.25}))
    assert rows_of([run, table, sealed], "AP") == [
        OwnRow("my run", 0.5, {"t1": 0.4, "t2": 0.6}),
        OwnRow("a", 0.1, {"t1": 0.1, "t2": 0.1}),
        OwnRow("b", 0.3, {"t1": 0.2, "t2": 0.4}),
        OwnRow("sealed", 0.25, {}),
    ]
    assert rows_of([run], "RR") == []
    assert rows_of([], "AP") == []
    matrix = matrix_of([run, table, sealed], "AP")
    assert (matrix.systems, matrix.topics) == (("my run", "a", "b"), ("t1", "t2"))
    assert matrix.scores.tolist() == [[0.4, 0.6], [0.1, 0.1], [0.2, 0.4]]
    assert matrix_of([run, sealed], "AP") is None
    other = Upload(name="other", work=Work(kind="run", means={"AP": 0.5}, scores=pack_scores(["t1"], {"AP": [0.5]})))
    second = Upload(name="one", work=Work(kind="run", means={"AP": 0.5}, scores=pack_scores(["t1"], {"AP": [0.5]})))
    assert matrix_of([run, other], "AP") is None, "on other topics"
    assert matrix_of([other, second], "AP") is None, "on one topic"


@pytest.mark.parametrize("higher", [True, False])
def test_uploads_are_ranked_among_the_results_on_record(higher):
    board = make_leaderboard(measure=make_measure("AP", higher_is_better=higher, decimals=3))
    make_topics(board.collection, ["t1", "t2", "t3"])
    for printed, scores in (("0.400", [0.3, 0.4, 0.5]), ("0.200", [0.1, 0.2, 0.3])):
        make_topic_scores(make_result(board, printed=printed), scores)
    mark_changed(board)
    rows = [
        OwnRow("whole", 0.31239, {"t3": 0.5, "t1": 0.1, "t2": 0.3}),
        OwnRow("elsewhere", 0.1, {"t1": 0.1}),
        OwnRow("sealed", 0.26, {}),
    ]
    inputs, matrix = inputs_of(rows, board, is_alone=False)
    ranked = [(row.printed, row.id >= FIRST_ID) for row in inputs.rows]
    expected = [("0.400", False), ("0.312", True), ("0.26", True), ("0.200", False), ("0.100", True)]
    assert ranked == (expected if higher else expected[::-1])
    whole = next(row for row in inputs.rows if row.id == FIRST_ID)
    assert (whole.system, whole.value, whole.role, whole.provenance) == ("whole", 0.31239, "proposed", "recomputed")
    assert matrix.topics == ("t1", "t2", "t3")
    assert len(matrix.systems) == 3
    assert matrix.systems[-1] == str(FIRST_ID)
    stood = [[0.3, 0.4, 0.5], [0.1, 0.2, 0.3]]
    assert matrix.scores.tolist() == [*(stood if higher else stood[::-1]), [0.1, 0.3, 0.5]]
    assert inputs.topic_scores == TopicScoresInput.of(matrix)
    assert inputs.n_topics == 50
    alone, matrix = inputs_of(rows, board, is_alone=True)
    assert [row.system for row in alone.rows] == (
        ["whole", "sealed", "elsewhere"] if higher else ["elsewhere", "sealed", "whole"]
    )
    assert (matrix, alone.topic_scores, alone.references) == (None, None, ())
    assert (alone.variances, alone.elsewhere, alone.cleared) == ((), None, ())
    two = [rows[0], OwnRow("other", 0.2, {"t1": 0.2, "t2": 0.2, "t3": 0.2})]
    alone, matrix = inputs_of(two, board, is_alone=True)
    assert (matrix.systems, matrix.topics) == ((str(FIRST_ID), str(FIRST_ID + 1)), ("t3", "t1", "t2"))
    assert matrix.scores.tolist() == [[0.5, 0.1, 0.3], [0.2, 0.2, 0.2]]
    assert alone.n_topics == 3
