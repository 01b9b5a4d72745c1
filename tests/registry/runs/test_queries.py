"""What stands of uploads, studies and collections of one's own: whose, since when, how far."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from registry.accounts.models import User
from registry.catalog.models import Curator
from registry.core.models import Heartbeat, Job
from registry.core.services import enqueue_jobs
from registry.results.models import Result
from registry.runs.access import (
    get_changeable_collection,
    get_own_collection,
    get_own_measure,
    get_own_upload,
    get_study,
    get_upload,
    may_change,
    may_record,
)
from registry.runs.models import Answer, OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.personal import erase_own_collections, erase_uploads, export_own_collections, export_uploads
from registry.runs.queries import (
    Progress,
    agreement_of,
    answers_left,
    delisted_collections,
    measures_of,
    measures_to_seal,
    own_collections_of,
    progress_of_study,
    progress_of_upload,
    public_own_collections,
    sent_to_own,
    standing_judgements,
    uploads_of,
)
from registry.runs.services.judging import put_judgements, put_own_judgements
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.runs.rows import later, make_judgements, make_own, make_study, make_upload, make_work

pytestmark = pytest.mark.django_db


def ago(**span: float) -> dict[str, object]:
    return {"created_at": timezone.now() - timedelta(**span)}


def test_what_somebody_sent_is_listed_latest_first_in_one_query(django_assert_num_queries):
    owner = make_user()
    board = make_leaderboard()
    claimed = make_result(board)
    own = make_own("AP", owner=owner)
    first = make_upload(make_work({"AP": [0.1, 0.2]}), owner=owner, collection=board.collection, claimed=claimed)
    second = make_upload(own_collection=own, own_measure=own.measures.get())
    judgements = make_judgements(make_collection())
    third = make_upload(make_work(judgements=judgements), owner=owner, measure=board.measure)
    for upload, days in ((first, 1), (second, 3), (third, 2)):
        Upload.objects.filter(pk=upload.pk).update(**ago(days=days))
    over = make_upload(owner=owner)
    Upload.objects.filter(pk=over.pk).update(forgotten_at=timezone.now(), **ago(days=1))
    make_upload()
    with django_assert_num_queries(1):
        found = list(uploads_of(owner))
        assert found == [first, third, second]
        assert [one.place for one in found] == [board.collection, third.collection, own]
        assert [one.under for one in found] == [None, board.measure, second.own_measure]
        assert [one.work.judgements for one in found] == [None, judgements, None]
        assert found[0].claimed.leaderboard.measure == board.measure
    with django_assert_num_queries(2):
        assert found[0].work.content == b""
        assert found[0].work.rankings == b""


def test_collections_of_ones_own_are_listed_for_those_who_may_see_them(django_assert_num_queries):
    owner, other, gone = make_person("one"), make_user(), make_person("gone", is_active=False)
    private, unlisted, public = (
        make_own("P@5", "AP", owner=owner, name=seen, visibility=seen) for seen in ("private", "unlisted", "public")
    )
    delisted = make_own("AP", owner=other, name="off", visibility="unlisted", delisted_for="no")
    hidden = make_own(owner=other, name="hidden", visibility="private", delisted_for="no")
    of_suspended = make_own(owner=gone, name="suspended", visibility="public")
    over = make_own("AP", owner=owner, visibility="public")
    for place, one in enumerate((public, private, unlisted)):
        OwnCollection.objects.filter(pk=one.pk).update(**ago(days=place + 1))
    OwnCollection.objects.filter(pk=over.pk).update(forgotten_at=timezone.now(), **ago(days=9))
    make_upload(own_collection=public)
    make_upload(own_collection=public, own_measure=public.measures.first())
    with django_assert_num_queries(2):
        found = list(own_collections_of(owner))
        assert found == [public, private, unlisted]
        assert [(one.n_sent, one.measure_names, one.owner) for one in found] == [
            (2, ["AP", "P@5"], owner), (0, ["AP", "P@5"], owner), (0, ["AP", "P@5"], owner),
        ]  # fmt: skip
    assert list(own_collections_of(other)) == [hidden, delisted]
    assert list(public_own_collections()) == [public]
    assert list(delisted_collections()) == [delisted]
    User.objects.filter(pk=gone.pk).update(is_active=True)
    assert set(public_own_collections()) == {public, of_suspended}


def test_what_was_sent_to_a_collection_of_ones_own_is_in_that_order(django_assert_num_queries):
    own = make_own("AP")
    first = make_upload(own_collection=own, own_measure=own.measures.get())
    second = make_upload(own_collection=own)
    Upload.objects.filter(pk=second.pk).update(**ago(days=1))
    make_upload(own_collection=make_own())
    with django_assert_num_queries(1):
        found = sent_to_own(own)
        assert found == [second, first]
        assert [(one.place, one.under, one.work.state) for one in found] == [
            (own, None, "done"), (own, first.own_measure, "done"),
        ]  # fmt: skip


def test_measures_that_can_be_computed_and_those_that_can_be_sealed(django_assert_num_queries):
    collection = make_collection()
    assert measures_of(collection) == ({name: name for name in ("AP", "P@10", "R@1000", "RR", "nDCG@10")}, [])
    collection = make_collection()
    for name, fields in (
        ("nDCG@10", {}), ("Clicks", {"ir_measures": "Clicks"}), ("AP", {}), ("Cost", {"ir_measures": ""}),
        ("P@5", {"high": None}), ("R@5", {"low": 0.5}), ("MRR", {"ir_measures": "RR"}), ("Bpref", {"high": 2}),
    ):  # fmt: skip
        make_leaderboard(collection, make_measure(name, **fields))
    with django_assert_num_queries(2):
        known, unknown = measures_of(collection)
    assert list(known.items()) == [
        ("AP", "AP"), ("Bpref", "Bpref"), ("MRR", "RR"), ("P@5", "P@5"), ("R@5", "R@5"), ("nDCG@10", "nDCG@10"),
    ]  # fmt: skip
    assert unknown == ["Clicks", "Cost"]
    assert [one.name for one in measures_to_seal(collection)] == ["AP", "MRR", "nDCG@10"]


def test_judgements_stand_until_others_take_their_place(settings, django_assert_num_queries):
    collection, measure = make_collection(), make_measure("AP")
    assert standing_judgements(collection) is None
    make_judgements(collection, ended_at=timezone.now(), is_sealed=True)
    make_judgements(make_collection())
    standing = make_judgements(collection, is_sealed=True, measure=measure)
    with django_assert_num_queries(1):
        found = standing_judgements(collection)
        assert (found, found.measure.name) == (standing, "AP")
    settings.PLUMBLINE_SEALED_ANSWERS = 3
    assert answers_left(collection) == 3
    for refused in (True, False):
        Answer.objects.create(judgements=standing, is_refused=refused)
    assert (answers_left(collection), answers_left(collection.pk)) == (1, 1)
    Answer.objects.bulk_create([Answer(judgements=standing, is_refused=False)] * 2)
    assert answers_left(collection) == 0


WAITS = "It waits: no worker is running at the moment. Nothing is lost."


def test_how_far_an_upload_is():
    work = make_work(state="waiting", content=b"x")
    upload = make_upload(work)
    given_up = Progress(
        False,
        True,
        "It could not be done, and was given up. Delete it and send it again; if that does not help, tell us.",
    )
    assert progress_of_upload(upload) == given_up
    key = {"digest": work.digest}
    enqueue_jobs(kind="runs.score", args=[key])
    job = Job.objects.filter(key=Job.key_for("runs.score", key))
    assert progress_of_upload(upload) == Progress(False, False, WAITS)
    Heartbeat.objects.create(name=Heartbeat.WORKER, beaten_at=timezone.now())
    assert progress_of_upload(upload) == Progress(False, False, "It waits for a worker.")
    job.update(state="running")
    assert progress_of_upload(upload) == Progress(False, False, "A worker is at it.")
    upload.n_done = 1234
    assert progress_of_upload(upload) == Progress(False, False, "1,234 topics scored so far.")
    work.kind = upload.work.kind = "matrix"
    assert progress_of_upload(upload) == Progress(False, False, "1,234 read so far.")
    job.update(state="failed", **ago(hours=1))
    assert progress_of_upload(upload) == given_up
    # The latest job tells.
    enqueue_jobs(kind="runs.score", args=[key])
    assert progress_of_upload(upload).message == "It waits for a worker."
    for state in ("done", "refused"):
        upload.work.state = state
        assert progress_of_upload(upload) == Progress(True, False, "")


@pytest.mark.parametrize(
    ("kind", "job"),
    [("board", "runs.study"), ("documents", "runs.study_documents"), ("figures", "runs.draw_figures")],
)
def test_how_far_a_study_is(kind, job):
    study = make_study(make_upload(), kind=kind)
    assert progress_of_study(study).is_failed
    enqueue_jobs(kind=job, args=[{"study_id": study.pk}])
    assert progress_of_study(study) == Progress(False, False, WAITS)
    Job.objects.update(state="running")
    assert progress_of_study(study).message == "A worker is at it."
    study.n_done = 1000
    assert progress_of_study(study).message == "1,000 ranked lists resampled so far."
    study.state = Study.State.DONE
    assert progress_of_study(study) == Progress(True, False, "")


@pytest.mark.parametrize(
    ("printed", "mean", "sealed", "is_same"),
    [
        ("0.250", 0.2505, False, True), ("0.250", 0.2496, False, True), ("0.250", 0.25051, False, False),
        ("0.250", 0.2494, False, False), ("0.25", 0.2549, False, True), ("0.25", 0.2551, False, False),
        ("0.2549", 0.25, True, True), ("0.2551", 0.25, True, False), ("0.2", 0.25, True, True),
        ("0.2", 0.26, True, False),
    ],
)  # fmt: skip
def test_a_mean_is_the_printed_one_as_far_as_its_digits_tell(printed, mean, sealed, is_same):
    result = make_result(make_leaderboard(measure=make_measure("AP")), printed=printed)
    upload = Upload(claimed=result, work=Work(means={"AP": mean}, scores=b"" if sealed else b"x"))
    found = agreement_of(upload)
    assert (found.measure, found.printed, found.mean, found.is_same) == ("AP", printed, mean, is_same)
    assert agreement_of(Upload(claimed=result, work=Work(means={"nDCG@10": mean}))) is None
    assert agreement_of(Upload(work=Work(means={"AP": mean}))) is None


def test_an_upload_is_there_for_whoever_has_its_address_until_its_day(django_assert_num_queries):
    upload = make_upload(make_work({"AP": [0.1, 0.3]}))
    visitor = AnonymousUser()
    with django_assert_num_queries(1):
        found = get_upload(upload.pk, visitor)
        assert (found, found.collection, found.owner, found.work.means) == (
            upload, upload.collection, upload.owner, {"AP": 0.2},
        )  # fmt: skip
    with pytest.raises(PermissionDenied, match="Only its owner may do this"):
        get_own_upload(upload.pk, visitor)
    with pytest.raises(PermissionDenied):
        get_own_upload(upload.pk, make_user())
    assert get_own_upload(upload.pk, upload.owner) == upload
    Upload.objects.update(owner=None)
    assert get_own_upload(upload.pk, visitor) == upload
    Upload.objects.update(forgotten_at=timezone.now(), **ago(days=1))
    with pytest.raises(Http404, match="There is nothing here, or no longer"):
        get_upload(upload.pk, visitor)


def test_a_private_collection_is_there_for_its_owner_alone():
    own = make_own("AP", "P@5")
    other, visitor = make_user(), AnonymousUser()
    upload = make_upload(own_collection=own)
    study = make_study(upload)
    measure = own.measures.get(name="P@5")
    for user in (other, visitor):
        for look in (
            lambda user=user: get_own_collection(own.pk, user),
            lambda user=user: get_changeable_collection(own.pk, user),
            lambda user=user: get_own_measure(own.pk, measure.pk, user),
            lambda user=user: get_upload(upload.pk, user),
            lambda user=user: get_study(upload.pk, study.pk, user),
        ):
            with pytest.raises(Http404, match="There is nothing here"):
                look()
    assert get_changeable_collection(own.pk, own.owner) == own
    assert get_own_measure(own.pk, measure.pk, own.owner) == measure
    with pytest.raises(Http404):
        get_own_measure(own.pk, measure.pk + 1000, own.owner)
    assert get_study(upload.pk, study.pk, own.owner) == study
    OwnCollection.objects.update(visibility="unlisted")
    assert get_own_collection(own.pk, visitor) == own
    assert get_upload(upload.pk, other) == upload
    with pytest.raises(PermissionDenied, match="Only its owner"):
        get_changeable_collection(own.pk, other)
    assert not may_change(visitor, own)
    with pytest.raises(Http404):
        get_study(make_upload(own_collection=own).pk, study.pk, own.owner)
    OwnCollection.objects.update(forgotten_at=timezone.now(), **ago(days=1))
    with pytest.raises(Http404):
        get_own_collection(own.pk, own.owner)


def test_a_study_brings_what_its_page_says(django_assert_num_queries):
    board, own = make_leaderboard(), make_own("AP")
    upload = make_upload(collection=board.collection)
    study = make_study(upload, board)
    with django_assert_num_queries(2):
        found = get_study(upload.pk, study.pk, upload.owner)
        assert (found.board.collection, found.board.measure) == (board.collection, board.measure)
        assert found.upload.work.state == "done"
    sent = make_upload(own_collection=own)
    study = make_study(sent, own_measure=own.measures.get())
    with django_assert_num_queries(2):
        assert get_study(sent.pk, study.pk, own.owner).board.collection.name == "Mine"


def test_a_run_is_put_behind_its_result_by_those_who_may_and_once():
    board = make_leaderboard()
    editor, curator, owner = make_user(is_editor=True), make_user(), make_user()
    Curator.objects.create(user=curator, collection=board.collection)
    result = make_result(board)
    upload = make_upload(make_work({"AP": [0.5, 0.5]}), owner=owner, collection=board.collection, claimed=result)
    assert [may_record(user, upload) for user in (editor, curator, owner, AnonymousUser())] == [
        True,
        True,
        False,
        False,
    ]
    for fields in ({"kind": "matrix"}, {"state": "waiting"}, {"scores": b""}):
        changed = Work(**({"kind": "run", "state": "done", "scores": b"x"} | fields))
        assert not may_record(editor, Upload(claimed=result, work=changed))
    assert not may_record(editor, Upload(work=upload.work))
    result.provenance = Result.Provenance.RECOMPUTED
    assert not may_record(editor, Upload(claimed=result, work=upload.work))
    result.provenance, result.ended_at = Result.Provenance.TRANSCRIBED, timezone.now()
    assert not may_record(editor, Upload(claimed=result, work=upload.work))


def test_an_account_exports_what_it_sent_and_erases_it_alone():
    owner, other = make_user(), make_user()
    collection, own = make_collection("robust"), make_own("AP", "P@5", owner=owner, topics=["t1"], visibility="public")
    shared = make_work({"AP": [0.25, 0.75]})
    mine = make_upload(shared, owner=owner, collection=collection, forgotten_at=later(days=3))
    theirs = make_upload(shared, owner=other, collection=collection)
    on_own = make_upload(make_work(kind="matrix"), own_collection=own, own_measure=own.measures.get(name="AP"))
    put_own_judgements(collection=own, content=b"t1 0 a 1\n")
    their_own = make_own(owner=other, delisted_for="no", visibility="unlisted")
    uploads = {one["collection"]: one for one in export_uploads(owner)}
    assert uploads == {
        "robust": {
            "name": "mine", "collection": "robust", "kind": "run", "state": "done", "means": {"AP": 0.5},
            "created": mine.created_at.isoformat(timespec="seconds"),
            "forgotten": mine.forgotten_at.isoformat(timespec="seconds"),
        },
        "Mine": {
            "name": "mine", "collection": "Mine", "kind": "matrix", "state": "done", "means": {},
            "created": on_own.created_at.isoformat(timespec="seconds"),
            "forgotten": on_own.forgotten_at.isoformat(timespec="seconds"),
        },
    }  # fmt: skip
    assert export_own_collections(owner) == [
        {
            "name": "Mine", "visibility": "public", "delisted_for": "", "topics": ["t1"], "measures": ["AP", "P@5"],
            "judgements": ["t1 0 a 1\n"], "created": own.created_at.isoformat(timespec="seconds"),
            "forgotten": own.forgotten_at.isoformat(timespec="seconds"),
        }
    ]  # fmt: skip
    sealed = Answer.objects.create(judgements=make_judgements(collection), user=owner, is_refused=False)
    of_other = Answer.objects.create(judgements=sealed.judgements, user=other, is_refused=False)
    erase_own_collections(owner)
    assert set(Upload.objects.all()) == {mine, theirs}
    assert list(OwnCollection.objects.all()) == [their_own]
    assert list(Work.objects.all()) == [shared]
    assert not OwnMeasure.objects.exists()
    erase_uploads(owner)
    assert list(Upload.objects.all()) == [theirs]
    assert list(Work.objects.all()) == [shared]
    assert list(Answer.objects.order_by("pk").values_list("pk", "user")) == [(sealed.pk, None), (of_other.pk, other.pk)]
    erase_uploads(other)
    assert not Work.objects.exists()


def test_judgements_of_others_leave_those_of_a_collection(django_assert_num_queries):
    collection = make_collection()
    put_judgements(collection=collection, content=b"t1 0 a 1\n", source="one")
    put_judgements(collection=make_collection(), content=b"t1 0 a 1\n", source="two")
    assert standing_judgements(collection).source == "one"
