"""Reviewing: every change of state that is allowed, every one that is not, and what two people at once are told."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404

from registry.accounts.services import delete_account
from registry.catalog.models import Collection
from registry.journal.models import Entry
from registry.results.models import Result
from registry.results.services.endings import withdraw_result
from registry.submissions import access
from registry.submissions.models import Submission
from registry.submissions.services.changing import RowsRefused, WrongState
from registry.submissions.services.drafting import delete_draft, submit, take_back, update_row
from registry.submissions.services.reviewing import (
    check_again,
    publish_submission,
    refuse_submission,
    return_submission,
    start_review,
)
from tests.registry.factory import make_collection, make_user
from tests.registry.submissions.world import make_published, make_submission, make_submitted, outcomes, row

pytestmark = pytest.mark.usefixtures("board")


def editor():
    return make_user(is_editor=True)


def act(service, submission, actor=None, **options):
    """Return the submission as the service leaves it, done on its present version."""
    return service(submission=submission, version=submission.version, actor=actor or editor(), **options)


def in_state(state: str, contributor=None) -> Submission:
    """Make a submission that came into this state as submissions do."""
    submission = make_submission(contributor)
    if state == "draft":
        return submission
    submission = act(submit, submission, submission.contributor)
    ways = {
        "submitted": lambda: submission,
        "in_review": lambda: act(start_review, submission),
        "returned": lambda: act(return_submission, submission, reason="which table?"),
        "refused": lambda: act(refuse_submission, submission, reason="not published"),
        "published": lambda: act(publish_submission, submission),
    }
    return ways[state]()


ALLOWED = {
    "submit": {"draft": "submitted", "returned": "submitted"},
    "take_back": {"submitted": "draft"},
    "delete": {"draft": None, "returned": None},
    "start": {"submitted": "in_review"},
    "return": {"submitted": "returned", "in_review": "returned"},
    "refuse": {"submitted": "refused", "in_review": "refused"},
    "publish": {"submitted": "published", "in_review": "published"},
}
ACTIONS = {
    "submit": (submit, {}),
    "take_back": (take_back, {}),
    "delete": (delete_draft, {}),
    "start": (start_review, {}),
    "return": (return_submission, {"reason": "which table?"}),
    "refuse": (refuse_submission, {"reason": "not published"}),
    "publish": (publish_submission, {}),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("state", Submission.State.values)
def test_each_state_allows_what_it_should(action, state):
    submission = in_state(state)
    service, options = ACTIONS[action]
    n_entries = Entry.objects.count()
    if state in ALLOWED[action]:
        act(service, submission, **options)
        after = Submission.objects.filter(pk=submission.pk).values_list("state", flat=True).first()
        assert after == ALLOWED[action][state]
        assert Entry.objects.count() > n_entries
        return
    with pytest.raises(WrongState, match="can’t be"):
        act(service, submission, **options)
    submission.refresh_from_db()
    assert submission.state == state
    assert Entry.objects.count() == n_entries
    assert Result.objects.count() == (state == "published")


def test_handing_in_again_forgets_the_decision():
    returned = in_state("returned")
    again = act(submit, returned, returned.contributor)
    assert (again.state, again.decided_by, again.decision_reason) == ("submitted", None, "")


HANDED_IN = """
from registry.accounts.models import User
from registry.catalog.models import Collection, Measure
from registry.submissions.services.drafting import create_submission
from registry.submissions.services.drafting import submit

Collection.objects.create(slug="c", name="c")
Measure.objects.create(name="m", low=0, high=1)
User.objects.create_user("reviewer", is_editor=True)
cells = {"collection": "c", "measure": "m", "system": "s", "value": "0.1", "role": "baseline", "source": "a table"}
made = create_submission(contributor=User.objects.create_user("ada"), way="form", rows=[cells])
submit(submission=made, version=1, actor=made.contributor)
"""
DECISIONS = """
from concurrent.futures import ThreadPoolExecutor
from registry.accounts.models import User
from registry.submissions.models import Submission
from registry.submissions.services.changing import Conflict
from registry.submissions.services.reviewing import publish_submission, refuse_submission, return_submission

services = [publish_submission, return_submission, refuse_submission]

def decide(number):
    given = {"submission": Submission.objects.get(), "actor": User.objects.get(username="reviewer")}
    try:
        services[number % 3](version=2, reason="decided", **given)
    except Conflict:
        return 0
    return 1

with ThreadPoolExecutor(6) as pool:
    print(sum(pool.map(decide, range(12))))
"""


def test_of_many_simultaneous_decisions_one_is_made(lab, at_once):
    """Two processes with six threads each, on the database of an installation of its own."""
    at_once(HANDED_IN)
    assert sum(map(int, at_once(DECISIONS, DECISIONS))) == 1
    ((state, version),) = lab.query("SELECT state, version FROM submissions_submission")
    assert version == 3
    assert lab.query("SELECT count(*) FROM results_result") == [(int(state == "published"),)]
    assert lab.query("SELECT count(*) FROM core_job WHERE kind = 'submissions.tell_contributor'") == [(1,)]


# --- the record changed meanwhile


def test_what_was_withdrawn_meanwhile_is_not_published():
    result = make_published(make_user()).rows.get().result
    rows = [row(locator="Table 9"), row(system="Model Y")]
    submission = make_submitted(make_user(), rows=rows)
    assert outcomes(submission) == ["differs", "new"]
    withdraw_result(result=result, actor=editor(), reason="an erratum")
    with pytest.raises(RowsRefused, match="1 row is refused"):
        act(publish_submission, submission)
    assert not Result.objects.standing().exists()
    submission.refresh_from_db()
    assert submission.state == "submitted"
    check_again(submission=submission, version=submission.version)
    assert outcomes(submission) == ["refused", "new"]
    assert "withdrawn for a reason" in submission.rows.get(line=1).rejections[0]["message"]


def test_starting_the_review_compares_anew():
    submission = make_submitted(make_user())
    make_published(make_user(), rows=[row(value="0.3099")])
    assert outcomes(submission) == ["new"]
    act(start_review, submission)
    assert outcomes(submission) == ["differs"]
    assert submission.rows.get().existing.printed == "0.3099"


# --- who may


def curator_of(slug: str):
    user = make_user()
    Collection.objects.get(slug=slug).curators.create(user=user)
    return user


def test_nobody_decides_on_their_own():
    submission = in_state("submitted", editor())
    with pytest.raises(PermissionDenied, match="Another curator decides"):
        access.get_reviewable_submission(submission.pk, submission.contributor)
    assert access.get_reviewable_submission(submission.pk, editor()) == submission


def test_a_curator_reviews_what_is_on_the_collection_alone():
    curator = curator_of("trec-2004-robust")
    make_collection("trec-8")
    inside = in_state("submitted")
    outside = make_submitted(make_user(), rows=[row(collection="trec-8")])
    mixed = make_submitted(make_user(), rows=[row(system="Model Y"), row(collection="trec-8")])
    assert list(access.reviewable_by(curator)) == [inside]
    assert access.may_edit(inside, curator)
    for submission in (outside, mixed):
        with pytest.raises(Http404):
            access.get_reviewable_submission(submission.pk, curator)


def test_a_row_that_cannot_be_read_does_not_take_it_from_the_curator():
    curator = curator_of("trec-2004-robust")
    submission = make_submitted(make_user(), rows=[row(), row(system="Model Y")])
    act(update_row, submission, curator, line=2, cells=row(system="Model Y", value="high"))
    assert access.get_reviewable_submission(submission.pk, curator).rows.refused().count() == 1


def test_reviewing_takes_a_second_factor_where_the_site_says_so(settings):
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    submission = in_state("submitted")
    for user in (editor(), curator_of("trec-2004-robust")):
        with pytest.raises(PermissionDenied, match="second factor"):
            access.get_reviewable_submission(submission.pk, user)
    assert access.get_visible_submission(submission.pk, submission.contributor) == submission
    # Administrators take one for what they submitted themselves, too.
    own = make_submitted(make_user(is_superuser=True))
    with pytest.raises(PermissionDenied, match="second factor"):
        access.get_reviewable_submission(own.pk, own.contributor)
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = False
    assert access.get_reviewable_submission(own.pk, own.contributor) == own


def test_nothing_is_returned_to_who_left():
    submission = in_state("submitted")
    delete_account(user=submission.contributor)
    with pytest.raises(ValidationError, match="Its contributor has left"):
        act(return_submission, submission, reason="which table?")
    assert act(publish_submission, submission).state == "published"
