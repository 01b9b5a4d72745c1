"""Submitting, scoring and keeping: what is charged, what is kept of what was found, and until when."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.core.limits import Limited
from registry.core.models import Bucket, Job
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from registry.runs.models import Upload, Work
from registry.runs.services import uploading
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
    judgements = make_judgements(collection)
    upload = hand_in(owner=None, name="x", collection=collection, content=b"1")
    assert (upload.work.kind, upload.work.judgements, upload.work.measures, bytes(upload.work.content)) == (
        "run", judgements, {"AP": "AP"}, b"1",
    )  # fmt: skip
    # What was done is not done again.
    Work.objects.update(state="done", content=b"")
    Job.objects.all().delete()
    assert hand_in(owner=None, name="y", collection=collection, content=b"1").work == upload.work
    assert not Job.objects.exists()
    make_leaderboard(collection, make_measure("P@5"))
    other = hand_in(owner=None, name="x", collection=type(collection).objects.get(pk=collection.pk), content=b"1")
    assert other.work_id != upload.work_id
    assert hand_in(owner=None, name="x", collection=collection, content=b"2").work_id != upload.work_id


def test_sealed_judgements_answer_under_one_measure_that_can_be_computed():
    collection, owner = make_collection(), make_user()
    sealed = make_judgements(collection, is_sealed=True, sha256="s")
    for name in ("AP", "P@5"):
        make_leaderboard(collection, make_measure(name))
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
    # Tables ask nothing of judgements.
    assert hand_in(owner=None, name="x", collection=collection, content=b"2", measure=sealed.measure)


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
