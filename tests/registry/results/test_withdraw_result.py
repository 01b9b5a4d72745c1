"""Withdrawing a result: with a reason, once, and a tombstone stays."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from tests.registry import factory


def test_it_keeps_a_tombstone_and_the_journal_says_who_what_and_why():
    editor, result = factory.make_user("editor"), factory.make_result(printed="0.3333", notes="as printed")
    withdrawn = withdraw_result(result=result, actor=editor, reason="  the paper has an erratum ")
    withdrawn.refresh_from_db()
    assert (withdrawn.ending, withdrawn.printed, withdrawn.notes) == ("withdrawn", "0.3333", "as printed")
    assert withdrawn.ended_by.reason == "the paper has an erratum"
    assert withdrawn.superseded_by is None
    assert not Result.objects.standing().exists()
    assert Result.objects.known_at(withdrawn.recorded_at).get() == withdrawn
    entry = Entry.objects.get(action="results.result.withdrawn")
    assert (entry.actor, entry.subject_type, entry.subject_id) == (editor, "result", str(result.pk))
    assert (entry.before["printed"], entry.after) == ("0.3333", {"ending": "withdrawn"})


def test_twice_does_no_harm():
    result = factory.make_result()
    first = withdraw_result(result=result, actor=None, reason="an erratum")
    again = withdraw_result(result=result, actor=None, reason="another reason")
    assert (again.ended_at, again.ended_by) == (first.ended_at, first.ended_by)
    assert Entry.objects.filter(action="results.result.withdrawn").count() == 1


def test_a_superseded_result_is_past_withdrawing():
    result = factory.make_result(ending="superseded", ended_at=timezone.now(), ended_by=factory.make_entry())
    with pytest.raises(ValidationError, match="it was superseded"):
        withdraw_result(result=result, actor=None, reason="an erratum")


def test_replicates_go_first():
    leaderboard = factory.make_leaderboard()
    result = factory.make_result(leaderboard)
    replicate = factory.make_result(leaderboard, replicate_of=result)
    another = factory.make_result(leaderboard, replicate_of=result)
    for withdrawn, message in ((another, "2 replicates stand on this result; withdraw them first"),
                      (replicate, "1 replicate stands on this result; withdraw it first")):  # fmt: skip
        with pytest.raises(ValidationError, match=message):
            withdraw_result(result=result, actor=None, reason="an erratum")
        withdraw_result(result=withdrawn, actor=None, reason="an erratum")
    assert withdraw_result(result=result, actor=None, reason="an erratum").ending == "withdrawn"
