"""The boards that uploads make, alone or among the results on record: rows, topics and what tells studies apart."""

import json

import numpy as np
import pytest

from analysis.boards import TopicScoresInput
from analysis.scores import ScoreMatrix
from registry.runs import studies
from registry.runs.documents import boards_of_own, own_collection_document, public_own_collection
from registry.runs.models import Study, Upload, Work
from registry.runs.pipeline.packing import pack_scores
from registry.runs.studies import (
    FIRST_ID,
    Found,
    OwnRow,
    SharedTopics,
    digest_of,
    inputs_of,
    matrix_of,
    rows_of,
    shared_topics,
    study,
)
from tests.registry.factory import (
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.leaderboards.boards import mark_changed
from tests.registry.runs.rows import make_own, make_study, make_upload, make_work

pytestmark = pytest.mark.django_db


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
    one = Upload(name="one", work=Work(kind="run", means={"AP": 0.5}, scores=pack_scores(["t1"], {"AP": [0.5]})))
    assert matrix_of([run, other], "AP") is None, "on other topics"
    assert matrix_of([other, one], "AP") is None, "on one topic"


def test_topics_that_all_have_and_those_that_something_lacks():
    own = make_own("AP")
    measure = own.measures.get()

    def entry(*topics: str, left_out: tuple[str, ...] = ()) -> Upload:
        scores = {"AP": [0.1 * place for place, _ in enumerate(topics)]}
        work = make_work(scores, topics=topics, report={"left_out": list(left_out)} if left_out else {})
        return make_upload(work, own_collection=own)

    assert shared_topics([], "AP") == SharedTopics((), ())
    one, other = entry("t3", "t1", "t2"), entry("t2", "t3", "t9", left_out=("t8",))
    assert shared_topics([one, other], "AP") == SharedTopics(("t3", "t2"), ("t1", "t9", "t8"))
    own.topics = ["t2", "t5"]
    one.own_collection = own
    assert shared_topics([one, other], "AP") == SharedTopics(("t2",), ("t5", "t3", "t1", "t9", "t8"))
    table = make_upload(make_work({"AP": [0.5, 0.7]}, topics=("t2", "t3"), kind="matrix"), own_collection=own,
                        own_measure=measure, name="table")  # fmt: skip
    one.own_collection.topics = []
    rows = rows_of([one, other, table], "AP")
    assert [row.name for row in rows] == ["mine", "mine (2)", "AP"]
    assert rows[0] == OwnRow("mine", pytest.approx(0.1), {"t3": 0.0, "t2": 0.2})
    assert rows[2] == OwnRow("AP", pytest.approx(0.6), {"t3": 0.7, "t2": 0.5})
    assert rows_of([one, entry("t7")], "AP") == []


def test_what_enters_a_study_tells_it_from_others():
    board, other = make_leaderboard(), make_leaderboard()
    work = make_work({"AP": [0.1, 0.2]})
    one, two = (make_upload(work, collection=board.collection, name=name) for name in ("one", "two"))
    own = make_own("AP")
    measure = own.measures.get()
    known = digest_of([one], board, is_alone=False)
    assert known == digest_of([make_upload(work, collection=board.collection, name="one")], board, is_alone=False)
    differing = {
        known,
        digest_of([one], board, is_alone=True),
        digest_of([one], other, is_alone=False),
        digest_of([two], board, is_alone=False),
        digest_of([one, two], board, is_alone=False),
        digest_of([two, one], board, is_alone=False),
        digest_of([make_upload(name="one")], board, is_alone=False),
        digest_of([one], measure.board, is_alone=True),
        digest_of([one], measure.board, is_alone=True, own_measure=measure),
    }
    assert len(differing) == 9
    mark_changed(board)
    assert digest_of([one], board, is_alone=False) != known
    assert digest_of([one], board, is_alone=True) in differing
    before = digest_of([one], measure.board, is_alone=True, own_measure=measure)
    measure.collection.topics = ["t1"]
    assert digest_of([one], measure.board, is_alone=True, own_measure=measure) != before


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
    found = [(row.printed, row.id >= FIRST_ID) for row in inputs.rows]
    expected = [("0.400", False), ("0.312", True), ("0.26", True), ("0.200", False), ("0.100", True)]
    assert found == (expected if higher else expected[::-1])
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


@pytest.fixture
def asked(monkeypatch) -> tuple[Study, list]:
    """A study of a table of two systems alone; whatever a child is asked is noted, and answered or raised."""
    board = make_leaderboard(measure=make_measure("AP"))
    rng = np.random.default_rng(1)
    scores = {name: rng.uniform(0, 1, 12).tolist() for name in ("a", "b", "c")}
    work = make_work(scores, topics=[f"t{place}" for place in range(12)], kind="matrix")
    upload = make_upload(work, collection=board.collection, measure=board.measure)
    answers: list = []

    def do_in_child(order, *, tell, is_wanted):
        answers.append((order, is_wanted()))
        if isinstance(answers[0], Exception):
            raise answers[0]
        return {"content": "found"}

    monkeypatch.setattr(studies, "do_in_child", do_in_child)
    return make_study(upload, board), answers


def test_a_study_is_made_where_it_is_waited_for(asked):
    waited, answers = asked
    found = study(waited.pk)
    assert found == Found(waited.digest, "found")
    ((order, is_wanted),) = answers
    content = json.loads(order.content)
    assert (order.kind, order.measures, is_wanted) == ("study", {}, True)
    assert {row["system"] for row in content["inputs"]["rows"]} == {"a", "b", "c"}
    assert content["matrix"]["topics"][:2] == ["t0", "t1"]
    assert ScoreMatrix(**content["matrix"]).systems == (str(FIRST_ID), str(FIRST_ID + 1), str(FIRST_ID + 2))
    assert study(waited.pk + 1000) is None
    Study.objects.update(state="done")
    assert study(waited.pk) is None
    again = make_study(waited.upload, waited.leaderboard, digest="another")
    Study.objects.filter(pk=waited.pk).update(digest="another", content="known", upload=make_upload())
    assert study(again.pk) == Found("another", "known", "")
    Study.objects.filter(pk=waited.pk).update(obstacle="too long", content="")
    assert study(again.pk) == Found("another", "found")
    assert len(answers) == 2


def test_boards_of_a_collection_of_ones_own_say_what_enters_them_and_what_they_lack():
    owner = make_user("ada")
    own = make_own("AP", "P@5", owner=owner, name="Mine", visibility="public", topics=["t1", "t2"])
    ap, precision = own.measures.get(name="AP"), own.measures.get(name="P@5")
    run = make_upload(make_work({"AP": [0.1, 0.2]}), own_collection=own, name="run")
    table = make_upload(make_work({"a": [0.3], "b": [0.4]}, topics=["t1"], kind="matrix"), own_collection=own,
                        own_measure=ap, name="table")  # fmt: skip
    make_upload(make_work(state="waiting", content=b"x", kind="matrix"), own_collection=own, own_measure=precision)
    studied = make_study(run, own_measure=ap, others=[table.pk], state="done", content='{"found": 1}')
    boards, runs = boards_of_own(own)
    assert runs == [run]
    first, second = boards
    assert (first.measure, first.tables, first.n_entries, first.lacking) == (ap, (table,), 2, ())
    assert first.topics == SharedTopics(("t1",), ("t2",))
    assert (first.study, first.progress.is_done) == (studied, True)
    assert (second.measure, len(second.tables), second.n_entries, second.lacking) == (precision, 1, 0, (run,))
    assert (second.topics, second.study, second.progress) == (SharedTopics((), ()), None, None)
    document = own_collection_document(own)
    assert (document.name, document.visibility, document.is_private, document.owner) == ("Mine", "public", False, "ada")
    assert (document.topics, document.is_judged, document.url) == (("t1", "t2"), False, own.get_absolute_url())
    assert document.sent == tuple(one.get_absolute_url() for one in own.uploads.order_by("created_at", "pk"))
    one, other = document.boards
    assert (one.measure, one.n_entries, one.topics, one.left_out) == ("AP", 2, ("t1",), ("t2",))
    assert (one.state, one.message, one.content, one.url) == ("done", "", {"found": 1}, ap.get_absolute_url())
    assert (other.state, other.lacking, other.content) == ("empty", (run.get_absolute_url(),), None)
    own.visibility = "unlisted"
    assert own_collection_document(own).owner == ""
    own.n_sent = 3
    listed = public_own_collection(own)
    assert (listed.url, listed.name, listed.owner, listed.measures, listed.n_sent) == (
        own.get_absolute_url(), "Mine", "ada", ("AP", "P@5"), 3,
    )  # fmt: skip
    assert listed.begun == own.created_at.date().isoformat()
