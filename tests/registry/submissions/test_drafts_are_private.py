"""What is in a draft is kept from administrators too."""

import pytest
from django.test import Client

from registry.accounts.models import User
from registry.submissions.models import Submission
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import add_comment, start_review, submit
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_robust04, make_submission, row

NAME = "hidden-author"
DRAFTED = "Drafted Model"


@pytest.fixture
def author() -> User:
    make_robust04()
    person = make_person(NAME)
    User.objects.filter(pk=person.pk).update(full_name="Ada Hidden", email="secretly@example.org")
    return User.objects.get(pk=person.pk)


@pytest.fixture
def root() -> User:
    return make_user("root", is_superuser=True, is_staff=True)


@pytest.fixture
def submission(author: User) -> Submission:
    """A submission that is being reviewed, with everything in its history that its author can do."""
    made = make_submission(author)
    made = update_row(submission=made, line=1, cells=row(value="0.3013"), version=1, actor=author)
    made = submit(submission=made, version=2, actor=author)
    made = start_review(submission=made, version=3, actor=make_user("an-editor", is_editor=True))
    add_comment(submission=made, author=author, text="As Table 2 says")
    return made


@pytest.fixture
def draft(author: User) -> Submission:
    made = make_submission(author, rows=[row(system=DRAFTED)], note="not yet")
    return update_row(submission=made, line=1, cells=row(system=DRAFTED, value="0.5"), version=1, actor=author)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_a_draft_is_nobodys_business(draft, root):
    browser = browser_of(root)
    for address in (f"/submissions/{draft.pk}/", f"/moderation/{draft.pk}/", f"/api/v1/submissions/{draft.pk}/"):
        assert browser.get(address).status_code == 404
