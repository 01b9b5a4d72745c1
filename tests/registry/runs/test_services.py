"""Handing in, scoring and keeping: what is charged, what is kept of what was found, and until when."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.core.limits import Limited
from registry.core.models import Bucket, Job
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.runs.models import Answer, Upload, Work
from registry.runs.services import scoring, uploading
from registry.runs.services.judging import put_judgements
from registry.runs.services.own_collections import (
    add_measure,
    begin,
    change,
    forget_collection,
    keep_collection,
    remove_measure,
)
from registry.runs.services.scoring import record_recomputed
from registry.runs.services.studying import study_own_boards
from registry.runs.services.uploading import hand_in, keep
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_topics, make_user
from tests.registry.runs.rows import make_judgements, make_own, make_upload, make_work

DAY = timedelta(days=1)


def near(moment, expected) -> bool:
    return abs(moment - expected) < timedelta(minutes=1)


def test_a_visitors_budget_is_taken_from_for_what_cost_something(rf):
    uploading.charge_visitor("", 5.0)
    uploading.charge_visitor("somebody", 0.0)
    assert not Bucket.objects.exists()
    uploading.charge_visitor("somebody", 0.5)
    assert Bucket.objects.count() == 1
    visitor = uploading.take_visitors_run(rf.post("/runs/"))
    assert len(visitor) == 64
    # Refused for what it cost, nothing else is taken.
    uploading.charge_visitor(visitor, 120.0)
    n = Bucket.objects.count()
    for _ in range(40):
        with pytest.raises(Limited, match="120 seconds"):
            uploading.take_visitors_run(rf.post("/runs/"))
    assert Bucket.objects.count() == n


def test_what_is_handed_in_is_kept_as_long_as_is_said():
    collection, measure, owner = make_collection(), make_measure(), make_user()
    now = timezone.now()

    def until(**fields):
        return hand_in(name="x", collection=collection, measure=measure, content=b"1", **fields).forgotten_at

    hour, most = now + timedelta(hours=1), now + timedelta(days=366)
    assert near(until(owner=owner), hour)
    assert near(until(owner=owner, kept_until=now + 3 * DAY), now + 3 * DAY)
    assert near(until(owner=owner, kept_until=now + 400 * DAY), most)
    assert near(until(owner=None, visitor="v", kept_until=now + 3 * DAY), hour)
    assert Work.objects.count() == 1
    upload = Upload.objects.get(owner=None)
    assert (upload.visitor, upload.work.kind, upload.measure, upload.work.measures) == ("v", "matrix", measure, {})
    keep(upload=upload, owner=owner, until=now + 400 * DAY)
    upload.refresh_from_db()
    assert (upload.owner, upload.visitor, near(upload.forgotten_at, most)) == (owner, "", True)
    keep(upload=upload, owner=owner, until=now + 2 * DAY)
    upload.refresh_from_db()
    assert near(upload.forgotten_at, now + 2 * DAY)
    # Somebody else who has the address, and asked at the same moment.
    keep(upload=upload, owner=make_user(), until=now + 9 * DAY)
    upload.refresh_from_db()
    assert (upload.owner, near(upload.forgotten_at, now + 2 * DAY)) == (owner, True)
    assert Job.objects.filter(kind="runs.score").count() == 1


def test_what_is_sent_is_worked_off_once_for_the_same_judgements_and_measures():
    collection = make_collection()
    make_leaderboard(collection, make_measure("AP"))
    with pytest.raises(Refused, match="Send scores by topic instead"):
        hand_in(owner=None, name="x", collection=collection, content=b"1")
    judgements = make_judgements(collection)
    upload = hand_in(owner=None, name="x", collection=collection, content=b"1")
    assert (upload.work.kind, upload.work.judgements, upload.work.measures, bytes(upload.work.content)) == (
        "run", judgements, {"AP": "AP"}, b"1",
    )  # fmt: skip
    # What was done is not done again; what was given up is.
    Work.objects.update(state="done", content=b"")
    Job.objects.all().delete()
    assert hand_in(owner=None, name="y", collection=collection, content=b"1").work == upload.work
    assert not Job.objects.exists()
    Work.objects.update(state="refused", refusal="too dear", is_passing=True)
    hand_in(owner=None, name="y", collection=collection, content=b"1")
    stored = Work.objects.get()
    assert (stored.state, stored.refusal, stored.is_passing, bytes(stored.content)) == ("waiting", "", False, b"1")
    assert Job.objects.count() == 1
    make_leaderboard(collection, make_measure("P@5"))
    other = hand_in(owner=None, name="x", collection=type(collection).objects.get(pk=collection.pk), content=b"1")
    assert other.work_id != upload.work_id
    assert hand_in(owner=None, name="x", collection=collection, content=b"2").work_id != upload.work_id


def test_sealed_judgements_are_for_people_and_one_measure(settings):
    settings.PLUMBLINE_SEALED_ANSWERS = 1
    collection, owner = make_collection(), make_user()
    sealed = make_judgements(collection, is_sealed=True, sha256="s")
    for name in ("AP", "P@5"):
        make_leaderboard(collection, make_measure(name))
    with pytest.raises(Refused, match="are sealed: their answers are for people who sign in"):
        hand_in(owner=None, name="x", collection=collection, content=b"1")
    with pytest.raises(Refused, match="sealed without a measure"):
        hand_in(owner=owner, name="x", collection=collection, content=b"1")
    sealed.measure = make_measure("R@7")
    sealed.save()
    with pytest.raises(Refused, match=r"No measure of .* can be computed here"):
        hand_in(owner=owner, name="x", collection=collection, content=b"1")
    sealed.measure = collection.leaderboards.get(measure__name="P@5").measure
    sealed.save()
    upload = hand_in(owner=owner, name="x", collection=collection, content=b"1")
    assert upload.work.measures == {"P@5": "P@5"}
    Answer.objects.create(judgements=sealed, is_refused=False)
    with pytest.raises(Refused, match=r"give 1 answers in all, for everybody together. They are used up"):
        hand_in(owner=owner, name="x", collection=collection, content=b"2")
    # The answer that was given is there for whoever sends the same; tables ask nothing of judgements.
    assert hand_in(owner=owner, name="x", collection=collection, content=b"1").work == upload.work
    assert hand_in(owner=owner, name="x", collection=collection, content=b"2", measure=sealed.measure)


REPORT = {
    "tag": "x", "n_lines": 2, "n_topics": 1, "n_documents": 2, "foreign": [[1, "t9"]], "n_foreign": 0, "missing": [],
    "n_missing": 0, "tied": [], "n_tied": 0, "disordered": [], "n_disordered": 0, "n_judged_topics": 2, "n_answered": 2,
    "n_unjudged": 1, "n_unjudged_at_10": 1, "n_at_10": 2, "n_top": 2, "n_judged_at_top": 1, "n_hardly_judged": 0,
    "remarks": [],
}  # fmt: skip


def answer_of(**fields) -> dict:
    return {
        "topics": ["t1", "t2"], "scores": {"AP": [0.25, 0.755]}, "report": REPORT, "head": ["# a\n", "# b\n"],
        "rankings": {"t1": "a b"}, "precision": {"AP": {"low": 0.1}}, "seconds": 1.5,
    } | fields  # fmt: skip


@pytest.fixture
def child(monkeypatch) -> SimpleNamespace:
    """What a child is asked; it answers what is put here, or raises it. What is charged is noted."""
    noted = SimpleNamespace(answer=answer_of(), charged=[], order=None, wanted=None)

    def do_in_child(order, *, tell, is_wanted):
        noted.order, noted.wanted = order, is_wanted()
        tell(5)
        tell(3)
        if isinstance(noted.answer, Exception):
            raise noted.answer
        return noted.answer

    monkeypatch.setattr(scoring, "do_in_child", do_in_child)
    monkeypatch.setattr(scoring, "charge_visitor", lambda visitor, seconds: noted.charged.append((visitor, seconds)))
    return noted


def waiting(**fields) -> Work:
    collection = make_collection()
    judgements = put_judgements(collection=collection, content=b"t1 0 a 1\nt2 0 a 1\n", source="s")
    return make_work(**({"state": "waiting", "content": b"sent", "judgements": judgements,
                         "measures": {"AP": "AP"}} | fields))  # fmt: skip


def test_an_answer_of_sealed_judgements_is_one_rounded_mean_and_counted(child, settings):
    settings.PLUMBLINE_SEALED_ANSWERS = 2
    work = waiting()
    work.judgements.n_judged = 300
    work.judgements.is_sealed = True
    work.judgements.content = b""
    work.judgements.save()
    owner = make_user()
    upload = make_upload(work, owner=owner)
    make_upload(work)
    scoring.lines_of, original = (lambda judgements: b""), scoring.lines_of
    try:
        done = scoring.score(work.digest)
    finally:
        scoring.lines_of = original
    assert child.order.is_sealed
    assert Upload.objects.get(pk=upload.pk).n_done == 0
    assert (done.answer.user_id, done.answer.is_refused, done.answer.judgements) == (owner.pk, False, work.judgements)
    assert (done.fields["means"], done.fields["scores"], done.fields["rankings"]) == ({"AP": 0.5}, b"", b"")
    assert set(done.fields["report"]) == {
        "tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered", "n_disordered", "remarks",
    }  # fmt: skip
    scoring.save_score(done)
    assert Answer.objects.get().user == owner
    # Done meanwhile, it is not counted again; with none left, nothing is told.
    scoring.save_score(
        scoring.ScoredWork(work.digest, done.fields, Answer(judgements=work.judgements, is_refused=True))
    )
    assert Answer.objects.count() == 1
    Answer.objects.create(judgements=work.judgements, is_refused=False)
    Work.objects.update(state="waiting")
    scoring.save_score(
        scoring.ScoredWork(work.digest, done.fields, Answer(judgements=work.judgements, is_refused=True))
    )
    work.refresh_from_db()
    assert (work.state, work.refusal, work.is_passing, Answer.objects.count()) == (
        "refused", "All answers that the sealed judgements of this collection give are used up.", True, 2,
    )  # fmt: skip


def test_a_collection_of_ones_own_is_begun_changed_and_kept():
    owner, now = make_user(), timezone.now()
    facts = {"name": "AP", "ir_measures": "AP", "low": 0.0, "high": 1.0, "higher_is_better": True, "decimals": 3}
    own = begin(owner=owner, name="One", visibility="public", topics=("t1",), measures=[facts])
    assert (own.owner, own.name, own.visibility, own.topics) == (owner, "One", "public", ["t1"])
    assert near(own.forgotten_at, now + 366 * DAY)
    assert begin(owner=owner, name="Two", visibility="private", topics=()).measure_names == []
    measure = own.measures.get()
    assert (measure.name, measure.low, measure.high, measure.decimals) == ("AP", 0.0, 1.0, 3)
    upload = make_upload(make_work({"AP": [0.1, 0.2]}), own_collection=own)
    study_own_boards(upload)
    before = measure.board_study
    change(collection=own, name="Three", visibility="unlisted", topics=["t2"])
    own.refresh_from_db()
    assert (own.name, own.visibility, own.topics) == ("Three", "unlisted", ["t2"])
    assert measure.board_study not in (before, None)
    keep_collection(collection=own, until=now + 5 * DAY)
    own.refresh_from_db()
    upload.refresh_from_db()
    assert near(own.forgotten_at, now + 5 * DAY)
    assert upload.forgotten_at == own.forgotten_at
    keep_collection(collection=own, until=now + 900 * DAY)
    own.refresh_from_db()
    assert near(own.forgotten_at, now + 366 * DAY)
    other = make_upload(own_collection=make_own())
    add_measure(collection=own, facts=facts | {"name": "P@5", "ir_measures": "P@5"})
    assert Job.objects.filter(kind="runs.score_again").count() == 1
    table = make_upload(make_work(kind="matrix"), own_collection=own, own_measure=measure)
    remove_measure(measure=measure)
    assert set(Upload.objects.all()) == {upload, other}
    assert not Work.objects.filter(pk=table.work_id).exists()
    forget_collection(collection=own)
    assert list(Work.objects.all()) == [other.work]
    assert list(Upload.objects.all()) == [other]


def test_a_run_is_recorded_on_the_topics_that_are_on_record():
    board = make_leaderboard(measure=make_measure("AP"))
    result = make_result(board, printed="0.50")
    work = make_work({"AP": [0.25, 0.75]}, topics=["t1", "t2"])
    upload = make_upload(work, collection=board.collection, claimed=result)
    make_topics(board.collection, ["t2", "t3"])
    with pytest.raises(ValidationError, match="The judgements have other topics than those on record"):
        record_recomputed(upload=upload)
    board.collection.topics.all().delete()
    make_topics(board.collection, ["t2", "t1"])
    other = make_upload(work, collection=board.collection, claimed=result)
    editor = make_user()
    recorded = record_recomputed(upload=upload, actor=editor)
    assert (recorded.provenance, recorded.printed, recorded.ended_at) == (Result.Provenance.RECOMPUTED, "0.50", None)
    assert TopicScores.objects.standing().get(result=recorded).scores == [0.75, 0.25]
    assert {sent.claimed for sent in Upload.objects.filter(pk__in=(upload.pk, other.pk))} == {recorded}
    assert "recomputed from its run" in {entry.reason for entry in Entry.objects.filter(actor=editor)}
    with pytest.raises(ValidationError):
        record_recomputed(upload=upload)
