"""What stands of uploads, studies and collections of one's own: whose, since when, how far."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from registry.catalog.models import Curator
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
from registry.runs.models import Answer, OwnCollection, Upload, Work
from registry.runs.queries import (
    answers_left,
    standing_judgements,
)
from registry.runs.services.judging import put_judgements
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.runs.rows import make_judgements, make_own, make_study, make_upload, make_work

pytestmark = pytest.mark.django_db


def ago(**span: float) -> dict[str, object]:
    return {"created_at": timezone.now() - timedelta(**span)}


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


def test_judgements_of_others_leave_those_of_a_collection(django_assert_num_queries):
    collection = make_collection()
    put_judgements(collection=collection, content=b"t1 0 a 1\n", source="one")
    put_judgements(collection=make_collection(), content=b"t1 0 a 1\n", source="two")
    assert standing_judgements(collection).source == "one"
