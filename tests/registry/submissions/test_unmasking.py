"""Who an anonymous author is, and what is in a draft, is kept from administrators too; looking it up leaves a trace."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry.accounts.models import User
from registry.core.models import Job
from registry.core.services import run_job
from registry.journal.models import Entry
from registry.submissions.models import Submission
from registry.submissions.services.changing import Conflict
from registry.submissions.services.drafting import update_row
from registry.submissions.services.reviewing import (
    add_comment,
    count_second_readings,
    publish_submission,
    start_review,
    submit,
    unmask_contributor,
)
from registry.submissions.services.telling import TELL_CONTRIBUTOR
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_user
from tests.registry.submissions.world import make_robust04, make_submission, outcomes, row
from tests.thoroughness import every

pytestmark = pytest.mark.django_db

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
    """An anonymous submission that is being reviewed, with everything in its history that its author can do."""
    day = timezone.now().date() + timedelta(days=100)
    made = make_submission(author, embargo_until=day, is_anonymous=True)
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


def admin_addresses() -> list[str]:
    """Every list of the admin, and every row of it that administrators can open."""
    found = []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found.append(reverse(f"{name}_changelist"))
        for pk in model.objects.values_list("pk", flat=True):
            found += [reverse(f"{name}_change", args=[pk]), reverse(f"{name}_history", args=[pk])]
    return found


# --- what administrators see


def test_no_table_of_the_admin_tells_of_a_submission_or_a_draft(submission, draft, root):
    browser = browser_of(root)
    entries = set(Entry.objects.filter(subject_type="submission").values_list("pk", flat=True))
    assert len(entries) >= 6
    for address in admin_addresses():
        said = browser.get(address, follow=True).content.decode()
        assert str(submission.pk) not in said, address
        assert str(draft.pk) not in said, address
        assert DRAFTED not in said, address
    for pk in entries:
        # Django sends people to its first page, saying that there is no such row.
        assert browser.get(f"/admin/journal/entry/{pk}/change/")["Location"] == "/admin/"


def test_no_table_of_the_admin_can_be_asked_for_the_author(submission, root):
    browser = browser_of(root)
    entry = Entry.objects.filter(subject_type="submission").first()
    for asked in (
        {"submissions": submission.pk},
        {"submissions__id__exact": submission.pk},
        {"submissions__isnull": "0"},
        {"entries": entry.pk},
        {"entries__id__in": entry.pk},
    ):
        assert browser.get(f"/admin/accounts/user/?{urlencode(asked)}").status_code == 400
    found = browser.get("/admin/journal/entry/?q=hidden-author").content.decode()
    assert "submissions.submission" not in found
    assert browser.get(f"/admin/journal/entry/?actor={submission.contributor_id}").status_code == 400


def test_no_list_of_the_admin_takes_a_relation_that_is_no_filter_of_its(root, subtests):
    browser = browser_of(root)
    asked = []
    for model, listed in admin.site._registry.items():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        relations = {field.name for field in model._meta.get_fields() if field.is_relation}
        asked += [f"{address}?{name}=1" for name in sorted(relations - set(listed.list_filter))]
    # What tells of people and what they hand in is asked in every run, and a part of the rest.
    private = [one for one in asked if one.startswith(("/admin/accounts/", "/admin/journal/", "/admin/submissions/"))]
    for address in dict.fromkeys([*private, *every(3, asked, __file__)]):
        with subtests.test(address):
            assert browser.get(address).status_code == 400


def test_what_opens_an_account_is_not_given_out_in_the_admin(root, author):
    browser = browser_of(root)
    for path in ("account/emailaddress", "socialaccount/socialaccount", "socialaccount/socialtoken", "auth/group"):
        assert browser.get(f"/admin/{path}/").status_code == 404
    assert browser.get("/admin/mfa/authenticator/add/").status_code == 403


def test_a_second_factor_is_taken_away_with_a_trace(root, author):
    from allauth.mfa.models import Authenticator

    factor = Authenticator.objects.create(user=author, type=Authenticator.Type.TOTP, data={"secret": "SECRET"})
    browser = browser_of(root)
    assert b"SECRET" not in browser.get(f"/admin/mfa/authenticator/{factor.pk}/change/").content
    assert browser.post(f"/admin/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.exists()
    entry = Entry.objects.get(action="accounts.user.second_factor_removed")
    assert (entry.actor, entry.subject_id) == (root, str(author.pk))


def test_the_pages_and_the_api_name_nobody(submission, root):
    browser = browser_of(root)
    for address in (
        "/moderation/",
        f"/moderation/{submission.pk}/",
        f"/moderation/{submission.pk}/unmask/",
        f"/submissions/{submission.pk}/",
        f"/api/v1/submissions/{submission.pk}/",
        "/log/",
        "/log/?actor=hidden-author",
        "/log.atom",
        f"/people/{NAME}/",
        f"/accounts/people/{NAME}/",
    ):
        response = browser.get(address, follow=True)
        said = response.content.decode()
        if "people" in address:
            assert str(submission.pk) not in said, address
        else:
            said = re.sub(r'value="hidden-author"|actor=hidden-author', "", said)
            assert not re.search("hidden-author|Ada Hidden|secretly", said), address
    with pytest.raises(Conflict, match="its contributor: row changed 1") as conflict:
        update_row(submission=submission, line=1, cells=row(), version=1, actor=root)
    assert NAME not in str(conflict.value)


def test_a_draft_is_nobodys_business(draft, root):
    browser = browser_of(root)
    for address in (f"/submissions/{draft.pk}/", f"/moderation/{draft.pk}/", f"/api/v1/submissions/{draft.pk}/"):
        assert browser.get(address).status_code == 404
    assert browser.post(f"/moderation/{draft.pk}/unmask/", {"reason": "curious"}).status_code == 404


# --- looking it up


def test_an_administrator_looks_it_up_with_a_reason(submission, root):
    browser = browser_of(root)
    page = browser.get(f"/moderation/{submission.pk}/").content.decode()
    assert "from an anonymous contributor" in page
    assert f"/moderation/{submission.pk}/unmask/" in page
    response = browser.post(f"/moderation/{submission.pk}/unmask/", {"reason": "Two submissions look forged."})
    assert response["Location"] == f"/moderation/{submission.pk}/"
    page = browser.get(f"/moderation/{submission.pk}/").content.decode()
    assert f"from <bdi>{NAME}</bdi>" in page
    assert "/unmask/" not in page
    assert browser.get(f"/api/v1/submissions/{submission.pk}/").json()["contributor"] == NAME


def test_everybody_else_sees_no_more_than_before(submission, root):
    unmask_contributor(submission=submission, actor=root, reason="Two submissions look forged.")
    others = [
        make_user("second-root", email="r@example.org", is_superuser=True),
        User.objects.get(username="an-editor"),
    ]
    for other in others:
        page = browser_of(other).get(f"/moderation/{submission.pk}/").content.decode()
        assert "from an anonymous contributor" in page
        assert NAME not in page
        assert browser_of(other).get(f"/api/v1/submissions/{submission.pk}/").json()["contributor"] is None


def test_the_public_log_says_that_it_was_done_and_names_no_author(submission, root, client):
    entry = unmask_contributor(submission=submission, actor=root, reason="Two submissions look forged.")
    for address in ("/log/", "/log.atom", f"/log/{entry.pk}/"):
        said = client.get(address).content.decode()
        assert "Two submissions look forged" in said
        assert "root" in said
        assert not re.search("hidden-author|Ada Hidden|secretly|Model X|0.301", said), address


@pytest.mark.parametrize(
    ("reason", "public"),
    [
        ("It is Hidden-Author again", "It is [contributor] again"),
        ("ask ada hidden.", "ask [contributor]."),
        ("mail to secretly@example.org", "mail to [contributor]"),
        ("HIDDEN (and others) wrote Adaptive IR", "[contributor] (and others) wrote Adaptive IR"),
    ],
)
def test_a_reason_that_names_the_author_is_public_without_the_name(submission, root, client, reason, public):
    entry = unmask_contributor(submission=submission, actor=root, reason=reason)
    assert entry.reason == public
    assert not re.search(NAME, client.get(f"/log/{entry.pk}/").content.decode(), re.IGNORECASE)


@pytest.mark.parametrize(
    ("name", "reason", "public"),
    [
        ("Li Wei", "Li again, as Wei was before", "[contributor] again, as [contributor] was before"),
        ("Xu O", "Xu writes to O. of Linz", "[contributor] writes to O. of Linz"),
    ],
)
def test_short_names_are_names_too_but_for_initials(submission, root, author, name, reason, public):
    User.objects.filter(pk=author.pk).update(full_name=name)
    assert unmask_contributor(submission=submission, actor=root, reason=reason).reason == public


@pytest.mark.parametrize("guess", [NAME, "stranger"])
def test_trying_names_leaves_the_trace_whoever_is_named(submission, root, guess):
    make_user("stranger", email="s@example.org")
    assert browser_of(root).post(f"/moderation/{submission.pk}/unmask/", {"reason": guess}).status_code == 302
    assert Entry.objects.filter(action__endswith="unmasked").count() == 1


def test_without_a_reason_nothing_is_shown(submission, root):
    response = browser_of(root).post(f"/moderation/{submission.pk}/unmask/", {"reason": "  "})
    assert response.status_code == 200
    assert NAME not in response.content.decode()
    with pytest.raises(ValidationError, match="say why"):
        unmask_contributor(submission=submission, actor=root, reason=" ")
    assert not Entry.objects.filter(action__endswith="unmasked").exists()


def test_its_author_is_told(submission, root, author, settings):
    settings.SITE_URL = "https://plumbline.example.org"
    unmask_contributor(submission=submission, actor=root, reason="Two submissions look forged.")
    (job,) = Job.objects.filter(kind=TELL_CONTRIBUTOR)
    run_job(str(job.pk))
    (message,) = mail.outbox
    assert message.subject.endswith("An administrator looked up who handed in a submission of yours")
    assert message.body.startswith("root, an administrator of this site, looked up who handed in your submission of ")
    assert "root says:\n\nTwo submissions look forged." in message.body
    history = browser_of(author).get(f"/submissions/{submission.pk}/").content.decode()
    assert "<bdi>root</bdi>: unmasked" in history


def test_twice_is_once(submission, root):
    for reason in ("Two submissions look forged.", "once more"):
        unmask_contributor(submission=submission, actor=root, reason=reason)
    assert Entry.objects.filter(action="submissions.submission.unmasked").count() == 1
    assert Job.objects.filter(kind=TELL_CONTRIBUTOR).count() == 1


def test_it_changes_nothing_of_the_submission(submission, root):
    unmask_contributor(submission=submission, actor=root, reason="Two submissions look forged.")
    assert Submission.objects.get(pk=submission.pk).version == submission.version
    with pytest.raises(Conflict) as conflict:
        update_row(submission=submission, line=1, cells=row(), version=1, actor=root)
    assert not any("unmasked" in change for change in conflict.value.changes)


def test_others_cannot_look_it_up(submission, author):
    address = f"/moderation/{submission.pk}/unmask/"
    asked: dict[str, Any] = {"reason": "curious"}
    editor = browser_of(User.objects.get(username="an-editor"))
    assert editor.get(address).status_code == editor.post(address, asked).status_code == 403
    assert "/unmask/" not in editor.get(f"/moderation/{submission.pk}/").content.decode()
    stranger = browser_of(make_user("stranger", email="s@example.org"))
    assert stranger.get(address).status_code == stranger.post(address, asked).status_code == 404
    assert Client().post(address, asked).status_code == 302
    assert not Entry.objects.filter(action__endswith="unmasked").exists()


def test_a_name_that_is_not_kept_back_is_not_looked_up(author, root):
    plain = submit(submission=make_submission(author), version=1, actor=author)
    assert browser_of(root).get(f"/moderation/{plain.pk}/unmask/").status_code == 404
    with pytest.raises(ValidationError, match="not kept back any more"):
        unmask_contributor(submission=plain, actor=root, reason="curious")


# --- what would tell of it otherwise


def test_a_reading_is_not_counted_while_the_submission_is_kept_back(author):
    first = make_submission(make_user("first", email="f@example.org"))
    first = submit(submission=first, version=1, actor=first.contributor)
    publish_submission(submission=first, version=2, actor=make_user("an-editor", is_editor=True))
    day = timezone.now().date() + timedelta(days=100)
    kept_back = make_submission(author, embargo_until=day, is_anonymous=True)
    assert outcomes(kept_back) == ["same"]
    with pytest.raises(ValidationError, match="kept back"):
        count_second_readings(submission=kept_back, actor=author)
    assert "I read it in the paper" not in browser_of(author).get(f"/submissions/{kept_back.pk}/").content.decode()
    Submission.objects.filter(pk=kept_back.pk).update(embargo_until=timezone.now().date())
    assert count_second_readings(submission=Submission.objects.get(pk=kept_back.pk), actor=author) == 1
