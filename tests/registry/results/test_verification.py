"""What is asked of results when the record is verified: what they print, and that the journal says how they ended."""

import pytest

from registry.journal.models import Entry
from registry.journal.verifying import Share
from registry.results.models import Result
from registry.results.services.confirming import confirm_result
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.undoing import undo_batch
from registry.results.verification import check_endings, check_scores
from tests.registry.factory import make_entry, make_result, make_user

pytestmark = pytest.mark.django_db


def problems_of_endings() -> list[str]:
    return check_endings(Share()).problems


def test_a_value_that_is_not_what_is_printed_is_named():
    result = make_result(printed="0.2500")
    percent = make_result(printed="31.2", unit="percent")
    report = check_scores(Share())
    assert (report.n, report.problems) == (2, [])
    Result.objects.filter(pk=result.pk).update(value=0.26)
    Result.objects.filter(pk=percent.pk).update(value=0.3)
    report = check_scores(Share())
    assert report.n == 2
    assert sorted(report.problems) == sorted(
        [
            f"result {result.pk}: prints 0.2500, and counts as 0.26",
            f"result {percent.pk}: prints 31.2 %, and counts as 0.3",
        ]
    )


def test_everything_that_left_the_record_by_the_book_is_in_order():
    make_result()
    supersede_result(result=make_result(), changes={"printed": "0.3", "year": 2004}, actor=None, reason="misread")
    withdraw_result(result=make_result(), actor=None, reason="no such run")
    confirm_result(
        result=make_result(printed="0.2500"),
        user=make_user(),
        kind="second_transcription",
        printed="0.2500",
        unit="",
    )
    batch = make_entry()
    for _ in range(2):
        make_result(recorded_by=batch)
    undo_batch(entry=batch, actor=None, reason="the wrong file")
    report = check_endings(Share())
    assert (report.n, report.problems) == (5, [])


def test_what_ended_otherwise_than_the_journal_says_is_named():
    stands, gone, other = (make_result() for _ in range(3))
    withdraw_result(result=gone, actor=None, reason="no such run")
    withdraw_result(result=other, actor=None, reason="no such run")
    gone.refresh_from_db()
    other.refresh_from_db()
    # Not ended, and the journal says so.
    Result.objects.filter(pk=other.pk).update(ended_at=None, ended_by=None, ending="")
    # Ended, and the entry says so of another.
    Result.objects.filter(pk=stands.pk).update(ended_at=gone.ended_at, ended_by=gone.ended_by, ending="withdrawn")
    assert sorted(problems_of_endings()) == sorted(
        [
            f"result {other.pk}: entry {other.ended_by_id} says that it was withdrawn",
            f"result {stands.pk}: withdrawn, and no entry says so of it",
        ]
    )
    Result.objects.filter(pk=stands.pk).update(ended_at=None, ended_by=None, ending="")
    Result.objects.filter(pk=other.pk).update(ended_at=gone.ended_at, ended_by=other.ended_by, ending="withdrawn")
    Result.objects.filter(pk=gone.pk).update(ending="superseded")
    assert problems_of_endings() == [f"result {gone.pk}: entry {gone.ended_by_id} says that it was withdrawn"]
    Result.objects.filter(pk=gone.pk).update(ending="withdrawn", ended_by=make_entry("results.batch.undone"))
    assert problems_of_endings() == [f"result {gone.pk}: entry {gone.ended_by_id} says that it was withdrawn"]


def test_content_that_is_not_what_the_journal_says_is_named():
    old = make_result(printed="0.2500", notes="as printed")
    new = supersede_result(result=old, changes={"printed": "0.2600"}, actor=None, reason="misread")
    entry = Entry.objects.get(action="results.result.superseded").pk
    Result.objects.filter(pk=old.pk).update(printed="0.2400")
    assert problems_of_endings() == [f"result {old.pk}: printed is 0.2400, and was 0.2500 before entry {entry}"]
    Result.objects.filter(pk=old.pk).update(printed="0.2500")
    Result.objects.filter(pk=new.pk).update(printed="0.2700")
    assert problems_of_endings() == [f"result {new.pk}: printed is 0.2700, and was 0.2600 by entry {entry}"]
    # How far a score is trusted changes with whoever reads it again.
    before = {"printed": "0.2500", "provenance": "topic_scores", "no column": 1}
    said = make_entry(
        "results.result.superseded", subject_type="result", subject_id=str(old.pk), before=before, after=None
    )
    Result.objects.filter(pk=new.pk).update(printed="0.2600")
    Result.objects.filter(pk=old.pk).update(ended_by=said)
    assert problems_of_endings() == []
