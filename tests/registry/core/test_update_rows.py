"""Changing many rows by one statement."""

import pytest
from django.db import IntegrityError

from registry.core.inserting import update_rows
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


def test_no_rows_are_no_work(django_assert_max_num_queries):
    with django_assert_max_num_queries(1):
        update_rows(SubmittedRow, ["outcome"], [])


def test_constraints_hold():
    submission = make_submission()
    with pytest.raises(IntegrityError):
        update_rows(SubmittedRow, ["outcome"], [(submission.rows.get().pk, "unheard of")])
