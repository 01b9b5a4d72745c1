"""Inserting and changing many rows by one statement."""

import uuid
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from registry.core.bulk import insert_rows, prepare_rows, update_rows
from registry.core.models import Bucket, Job
from registry.submissions.models import SubmittedRow
from tests.registry.factory import make_collection
from tests.registry.submissions.world import make_submission, row

pytestmark = pytest.mark.django_db


def test_each_row_gets_its_own_values():
    first, second, third = make_submission(rows=[row(system=name) for name in "abc"]).rows.order_by("line")
    collection = make_collection()
    told = [{"code": "ä", "message": "0.30 “quoted” ' \\", "field": ""}]
    values = [(first.pk, "new", told, collection.pk), (second.pk, "refused", [], None)]
    update_rows(SubmittedRow, ["outcome", "rejections", "collection_id"], values)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.outcome, first.rejections, first.collection) == ("new", told, collection)
    assert (second.outcome, second.rejections, second.collection) == ("refused", [], None)
    assert SubmittedRow.objects.filter(rejections__0__code="ä").get() == first
    before = third.outcome
    third.refresh_from_db()
    assert third.outcome == before


def test_rows_are_inserted_as_they_are_given_and_read_back_as_they_were():
    made, moment = uuid.uuid4(), datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
    blank = dict.fromkeys(("leased_until", "published_at", "awaited_at", "finished_at"))
    row = {"id": made, "kind": "a", "args": {"ü": [1]}, "key": "k", "state": "done", "attempts": 3, "error": "",
           "created_at": moment} | blank  # fmt: skip
    insert_rows(Job, [row], with_keys=True)
    assert Job.objects.values(*row).get() == row
    with pytest.raises(KeyError):
        insert_rows(Job, [{"kind": "b"}], with_keys=True)
    insert_rows(Job, [])
    assert Job.objects.count() == 1


def test_a_row_that_is_there_already_is_left_out_where_that_is_asked_for_and_else_an_error():
    first, other = (datetime(year, 1, 1, tzinfo=UTC) for year in (2025, 2026))
    insert = prepare_rows(Bucket, [{"name": "a", "full_at": first}], with_keys=True)
    assert not Bucket.objects.exists(), "it is only prepared"
    insert()
    again = [{"name": "a", "full_at": other}, {"name": "b", "full_at": other}]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Bucket, again, with_keys=True)
    insert_rows(Bucket, again, with_keys=True, ignore_conflicts=True)
    assert dict(Bucket.objects.values_list("name", "full_at")) == {"a": first, "b": other}
