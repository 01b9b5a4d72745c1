"""Correcting a single result: a new row takes its place."""

import pytest
from django.core.exceptions import ValidationError

from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services.endings import supersede_result, withdraw_result
from tests.registry import factory


def correct(result: Result, **changes: object) -> Result:
    return supersede_result(result=result, changes=changes, actor=None, reason="the paper says so")


def test_the_new_row_is_the_old_one_but_for_the_changes_and_one_journal_entry_says_so():
    old = factory.make_result(printed="0.2500", notes="typed", year=2004)
    new = correct(old, printed="0.2600", locator="Table 3")
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.printed, old.ending, old.superseded_by) == ("0.2500", "superseded", new)
    assert (new.printed, new.value, new.notes, new.year, new.system) == ("0.2600", 0.26, "typed", 2004, old.system)
    assert Result.objects.standing().get() == new
    assert old.ended_at == new.recorded_at
    entry = Entry.objects.get(action="results.result.superseded")
    assert old.ended_by == new.recorded_by == entry
    assert (entry.before, entry.after) == (
        {"printed": "0.2500", "locator": ""},
        {"printed": "0.2600", "locator": "Table 3"},
    )
    assert entry.reason == "the paper says so"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"printed": "23.4"}, "if it is in percent, say so"),
        ({"printed": "n/a"}, "is no value"),
        ({"role": "hero"}, "is not a valid choice"),
        ({"locator": "x" * 201}, "at most 200 characters"),
        ({"unit": "percent", "printed": "123"}, "123 % is above 100 %"),
        ({"leaderboard": 3}, "these are not part of a result's content: leaderboard"),
    ],
)
def test_wrong_changes_are_refused(changes, message):
    old = factory.make_result()
    with pytest.raises(ValidationError) as caught:
        correct(old, **changes)
    assert message in str(caught.value)
    assert Result.objects.standing().get() == old


def test_a_reason_is_required():
    with pytest.raises(ValidationError, match="say why"):
        supersede_result(result=factory.make_result(), changes={"notes": "x"}, actor=None, reason="")


def test_what_is_off_the_record_is_past_correcting():
    result = withdraw_result(result=factory.make_result(), actor=None, reason="an erratum")
    with pytest.raises(ValidationError, match="it was withdrawn"):
        correct(result, notes="x")
