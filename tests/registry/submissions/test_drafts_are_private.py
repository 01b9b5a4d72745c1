"""What is in a draft is kept from administrators too, and the admin tells nothing of submissions."""

import re
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.urls import reverse

from registry.accounts.models import User
from registry.journal.models import Entry
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit, update_row
from registry.submissions.services.reviewing import add_comment, start_review
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_user
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, make_submission, row
from tests.thoroughness import every

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
    in_review = make_submission(author)
    in_review = update_row(submission=in_review, line=1, cells=row(value="0.3013"), version=1, actor=author)
    in_review = submit(submission=in_review, version=2, actor=author)
    in_review = start_review(submission=in_review, version=3, actor=make_user("an-editor", is_editor=True))
    add_comment(submission=in_review, author=author, text="As Table 2 says")
    return in_review


@pytest.fixture
def draft(author: User) -> Submission:
    drafted = make_submission(author, rows=[row(system=DRAFTED)], note="not yet")
    return update_row(submission=drafted, line=1, cells=row(system=DRAFTED, value="0.5"), version=1, actor=author)


def admin_addresses() -> list[str]:
    """Return every list of the admin, and every row of it that administrators can open."""
    addresses = []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses.append(reverse(f"{name}_changelist"))
        for pk in model.objects.values_list("pk", flat=True):
            addresses += [reverse(f"{name}_change", args=[pk]), reverse(f"{name}_history", args=[pk])]
    return addresses


# --- what administrators see


def test_no_table_of_the_admin_tells_of_a_submission_or_a_draft(submission, draft, root):
    browser = signed_in(root)
    entries = set(Entry.objects.filter(subject_type="submission").values_list("pk", flat=True))
    assert len(entries) >= 6
    for address in admin_addresses():
        text = browser.get(address, follow=True).content.decode()
        assert str(submission.pk) not in text, address
        assert str(draft.pk) not in text, address
        assert DRAFTED not in text, address
    for pk in entries:
        # Django sends people to its first page, saying that there is no such row.
        assert browser.get(f"/admin/journal/entry/{pk}/change/")["Location"] == "/admin/"


def test_no_table_of_the_admin_can_be_asked_for_the_author(submission, root):
    browser = signed_in(root)
    entry = Entry.objects.filter(subject_type="submission").first()
    for asked in (
        {"submissions": submission.pk},
        {"submissions__id__exact": submission.pk},
        {"submissions__isnull": "0"},
        {"entries": entry.pk},
        {"entries__id__in": entry.pk},
    ):
        assert browser.get(f"/admin/accounts/user/?{urlencode(asked)}").status_code == 400
    text = browser.get("/admin/journal/entry/?q=hidden-author").content.decode()
    assert "submissions.submission" not in text
    assert browser.get(f"/admin/journal/entry/?actor={submission.contributor_id}").status_code == 400


def test_no_list_of_the_admin_takes_a_relation_that_is_no_filter_of_its(root, subtests):
    browser = signed_in(root)
    asked = []
    for model, listed in admin.site._registry.items():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        relations = {field.name for field in model._meta.get_fields() if field.is_relation}
        asked += [f"{address}?{name}=1" for name in sorted(relations - set(listed.list_filter))]
    # What tells of people and what they submit is asked in every run, and a part of the rest.
    private = [path for path in asked if re.match("/admin/(accounts|journal|submissions)/", path)]
    for address in dict.fromkeys([*private, *every(3, asked, __file__)]):
        with subtests.test(address):
            assert browser.get(address).status_code == 400


def test_a_draft_is_nobodys_business(draft, root):
    browser = signed_in(root)
    for address in (f"/submissions/{draft.pk}/", f"/moderation/{draft.pk}/", f"/api/v1/submissions/{draft.pk}/"):
        assert browser.get(address).status_code == 404
