"""How much somebody may submit, store and have checked."""

from datetime import timedelta

import pytest
from django.utils import timezone

from registry.accounts.services import create_token
from registry.core.limits import LIMITS, Limited
from registry.submissions.access import require_place
from registry.submissions.models import Submission
from tests.registry.accounts.people import make_person
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_submission, row


def n_taken(user, attempts=70, token=None):
    for number in range(attempts):
        try:
            require_place(user, token)
        except Limited:
            return number
        Submission.objects.create(contributor=user, way="table", state="submitted", submitted_at=timezone.now())
    return attempts


def old(username):
    return make_person(username, date_joined=timezone.now() - timedelta(days=8))


def make_token(user):
    return create_token(user=user, name="nightly", scopes=["submit"], days=30).token


def test_new_accounts_have_little_room_and_programs_more():
    ada = make_person()
    assert n_taken(ada, token=make_token(ada)) == 5
    assert n_taken(old("grace")) == 20
    curt = old("curt")
    assert n_taken(curt, token=make_token(curt)) == 60


def test_there_is_room_again_an_hour_after_the_first():
    ada = make_person()
    assert n_taken(ada) == 5
    first = Submission.objects.earliest("submitted_at")
    Submission.objects.filter(pk=first.pk).update(submitted_at=timezone.now() - timedelta(minutes=50))
    with pytest.raises(Limited, match="may submit 5 times an hour") as limited:
        require_place(ada)
    assert 590 < limited.value.retry_after <= 600
    Submission.objects.filter(pk=first.pk).update(submitted_at=timezone.now() - timedelta(minutes=61))
    assert n_taken(ada) == 1
    # What is taken back takes no place, and the parts of one table take one together.
    Submission.objects.update(state="draft", submitted_at=None)
    assert n_taken(ada) == 5
    Submission.objects.update(submitted_at=timezone.now())
    assert n_taken(ada) == 4


PERSON = "from tests.registry.accounts.people import make_person; make_person('ada')"
ATTEMPTS = """
from concurrent.futures import ThreadPoolExecutor
from django.db import connection, transaction
from django.utils import timezone
from registry.accounts.models import User
from registry.core.limits import Limited
from registry.submissions.access import require_place
from registry.submissions.models import Submission

def attempt(number):
    user = User.objects.get(username="ada")
    try:
        with transaction.atomic():
            require_place(user)
            Submission.objects.create(contributor=user, way="table", state="submitted", submitted_at=timezone.now())
    except Limited:
        return 0
    finally:
        connection.close()
    return 1

with ThreadPoolExecutor(6) as pool:
    print(sum(pool.map(attempt, range(24))))
"""


def test_of_many_simultaneous_submissions_as_many_pass_as_there_are_places(at_once):
    at_once(PERSON)
    assert sum(map(int, at_once(ATTEMPTS, ATTEMPTS))) == 5


def press(submission, action):
    address = f"{submission.get_absolute_url()}{action}/"
    response = signed_in(submission.contributor).post(address, {"version": submission.version}, follow=True)
    submission.refresh_from_db()
    return response.text


def test_the_accounts_of_one_network_share_its_places(board, monkeypatch):
    monkeypatch.setitem(LIMITS, "submission: address", (3, 3600))
    ada, grace = make_person("ada"), make_person("grace")
    press(make_submission(ada, [row(value="n/a")]), "submit")  # refused rows keep it back: it takes no place
    drafts = [make_submission(user, [row(value=f"0.{n}")]) for n, user in enumerate((ada, grace, ada, grace), 1)]
    for draft in drafts[:3]:
        press(draft, "submit")
    assert "From one network 3 submissions an hour" in press(drafts[3], "submit")
    assert [draft.state for draft in drafts] == ["submitted"] * 3 + ["draft"]
    press(drafts[0], "take-back")
    press(drafts[3], "submit")
    assert [draft.state for draft in drafts] == ["draft", *["submitted"] * 3]
