"""A row that says what stands already counts as a second transcription, when somebody says so."""

import pytest
from django.core.exceptions import ValidationError

from registry.results.models import Confirmation, Result
from registry.results.services import endings
from registry.submissions.services.reviewing import count_second_readings
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_published, make_submission, make_submitted, row

pytestmark = pytest.mark.usefixtures("board")


ROWS = [row(system=f"Model {name}") for name in "XYZ"]


def count(submission, actor=None) -> int:
    return count_second_readings(submission=submission, actor=actor or submission.contributor)


@pytest.mark.parametrize("is_reviewed", [False, True])
def test_the_same_row_by_somebody_else_raises_the_tier_whoever_has_it_counted(is_reviewed):
    make_published(make_user())
    again = make_submitted(make_user()) if is_reviewed else make_submission(make_user())
    actor = make_user(is_editor=True) if is_reviewed else again.contributor
    assert again.rows.get().outcome == "same"
    assert Result.objects.get().provenance == "transcribed"
    assert count(again, actor) == 1
    standing = Result.objects.standing().get()
    assert (standing.provenance, standing.recorded_by.actor) == ("double_checked", actor)
    confirmation = Confirmation.objects.get()
    assert (confirmation.user, confirmation.printed) == (again.contributor, "0.3012")
    assert count(again, actor) == 0


def test_ones_own_row_counts_nothing():
    ada = make_user()
    make_published(ada)
    again = make_submission(ada, note="again")
    assert again.rows.get().outcome == "same"
    assert count(again) == 0
    assert Result.objects.get().provenance == "transcribed"


def test_an_account_has_only_so_many_counted_within_an_hour(monkeypatch):
    monkeypatch.setattr(endings, "MOST_CHANGES", 2)
    make_published(make_user(), rows=ROWS)
    again = make_submission(make_user(), rows=ROWS)
    assert count(again) == 2
    with pytest.raises(ValidationError, match="Continue later"):
        count(again)
    assert Result.objects.standing().filter(provenance="double_checked").count() == 2
