"""What the database itself refuses, whoever writes to it."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from registry.core.bulk import insert_rows
from registry.results.models import Result, System
from tests.registry import factory


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"value": float("nan")}, "result_value_finite|NOT NULL"),
        ({"value": float("inf")}, "result_value_finite"),
        ({"value": float("-inf")}, "result_value_finite"),
        ({"printed": ""}, "result_keeps_what_was_printed"),
        ({"year": 1066}, "result_year_real"),
        ({"year": 20044}, "result_year_real"),
        ({"role": "hero"}, "result_role_known"),
        ({"ending": "withdrawn"}, "result_ends_with_a_reason"),
        ({"ended_at": timezone.now()}, "result_ends_with_a_reason"),
        ({"ended_at": timezone.now(), "ending": "withdrawn"}, "result_ends_with_a_reason"),
        ({"ended_at": timezone.now(), "ending": "forgotten"}, "result_ends_with_a_reason"),
    ],
)
def test_a_result_that_cannot_be_is_refused(fields, constraint):
    result = factory.make_result()
    with pytest.raises((IntegrityError, DataError), match=constraint), transaction.atomic():
        Result.objects.filter(pk=result.pk).update(**fields)


@pytest.mark.parametrize("has_paper", [True, False])
def test_one_standing_result_of_system_paper_and_source(has_paper):
    paper = factory.make_paper() if has_paper else None
    first = factory.make_result(paper=paper)
    same = {"leaderboard": first.leaderboard, "system": first.system, "paper": paper}
    with pytest.raises(IntegrityError), transaction.atomic():
        factory.make_result(**same)
    factory.make_result(**same, source="another")
    ended = {"ended_at": timezone.now(), "ended_by": factory.make_entry(), "ending": "withdrawn"}
    Result.objects.filter(pk=first.pk).update(**ended)
    assert factory.make_result(**same).pk


def test_the_fast_way_in_meets_the_same_constraints():
    result = factory.make_result()
    row = {field.attname: getattr(result, field.attname) for field in Result._meta.concrete_fields}
    insert_rows(Result, [row | {"source": "another"}])
    assert Result.objects.filter(source="another").get().recorded_at == result.recorded_at
    for wrong in ({"value": float("inf")}, {"role": "hero"}, {"source": "another"}, {"printed": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            insert_rows(Result, [row | {"source": "third"} | wrong])


def test_one_system_of_one_name_and_team():
    factory.make_system("BM25", "Lab")
    with pytest.raises(IntegrityError), transaction.atomic():
        factory.make_system("bm25", "LAB")
    with pytest.raises(IntegrityError, match="system_has_name"), transaction.atomic():
        System.objects.create(name="x", name_key="")


def test_no_result_is_its_own_replicate():
    result = factory.make_result()
    with pytest.raises(IntegrityError, match="result_not_its_own_replicate"), transaction.atomic():
        Result.objects.filter(pk=result.pk).update(replicate_of=result)
