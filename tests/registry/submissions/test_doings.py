"""What is done with submissions by pages and services: what each answers, what it waits for, and what it locks."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry.accounts.errands import services as errands
from registry.catalog.models import Collection
from registry.core.limits import LIMITS
from registry.core.models import Job
from registry.journal.models import Entry
from registry.results.models import Confirmation, Paper, Result
from registry.submissions import access
from registry.submissions.models import Comment, IdempotencyKey, Submission, SubmittedPaper, UpstreamUpdate
from registry.submissions.pipeline.upstream import Comparison, is_same_number
from registry.submissions.services import drafting
from registry.submissions.services.changing import check_submission
from registry.submissions.services.drafting import add_rows, remove_rows, take_in_percent, update_row
from registry.submissions.services.idempotency import Answer, MalformedKey, ReusedKey, answer_once, kept_answer
from registry.submissions.services.reviewing import (
    RowsRefused,
    add_comment,
    check_again,
    count_second_readings,
    delete_draft,
    publish_submission,
    return_submission,
    start_review,
    submit,
    take_back,
    unmask_contributor,
)
from registry.submissions.services.telling import tell_contributor
from registry.submissions.services.upstream import _packed, apply_update, drop_update
from registry.submissions.views import moderation, submissions
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_collection, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in
from tests.registry.submissions.world import (
    make_published,
    make_robust04,
    make_submission,
    make_submitted,
    outcomes,
    row,
)

pytestmark = pytest.mark.django_db

REFUSED = row(system="Model Z", value="23.4")


@pytest.fixture(autouse=True)
def board():
    return make_robust04()


def soon():
    return timezone.now().date() + timedelta(days=9)


def test_addresses_stay_as_they_are():
    pk = "00000000-0000-4000-8000-000000000000"
    at = f"/submissions/{pk}/"
    expected = {
        "result-submit": "/submit/",
        "table-submit": "/submit/table/",
        "suggestion-list": "/submit/suggestions.json",
        "prospect-detail": "/submit/standing/",
        "submission-list": "/submissions/",
        "submission-detail": at,
        "submission-progress": f"{at}progress.json",
        "row-add": f"{at}rows/add/",
        "rows-remove": f"{at}rows/remove/",
        "rows-percent": f"{at}rows/percent/",
        "submission-submit": f"{at}submit/",
        "submission-take-back": f"{at}take-back/",
        "submission-delete": f"{at}delete/",
        "terms-change": f"{at}terms/",
        "check-restart": f"{at}check/",
        "readings-count": f"{at}count-readings/",
        "comment-add": f"{at}comment/",
        "update-list": "/updates/",
        "update-feed": "/updates.atom",
        "submission-queue": "/moderation/",
        "bibliography-import": "/moderation/papers/",
        "submission-review": f"/moderation/{pk}/",
        "review-start": f"/moderation/{pk}/start/",
        "contributor-unmask": f"/moderation/{pk}/unmask/",
    }
    found = {name: reverse(f"submissions:{name}", args=[pk] if pk in path else []) for name, path in expected.items()}
    assert found == expected
    assert reverse("submissions:row-edit", args=[pk, 7]) == f"{at}rows/7/"
    assert reverse("submissions:update-detail", args=[7]) == "/updates/7/"


def test_who_reviews_needs_a_second_factor_where_the_site_requires_one(settings):
    grace, ada = make_user("grace", is_editor=True), make_user("ada")
    root = make_user("root", is_superuser=True)
    submitted, of_root = make_submitted(ada), make_submitted(root, rows=[row(system="Model Y")])
    settings.PLUMBLINE_REQUIRE_SECOND_FACTOR = True
    refused = (
        lambda: access.require_reviewer(grace),
        lambda: access.get_visible_submission(submitted.pk, grace),
        lambda: access.get_reviewable_submission(of_root.pk, root),
        lambda: access.get_masked_submission(submitted.pk, root),
    )
    for ask in refused:
        with pytest.raises(PermissionDenied, match="This needs a second factor"):
            ask()
    assert access.get_visible_submission(submitted.pk, ada) == submitted
    assert access.get_visible_submission(of_root.pk, root) == of_root
    for person in (grace, root):
        Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={})
    assert access.require_reviewer(grace) == grace
    assert access.get_visible_submission(submitted.pk, grace) == submitted
    assert access.get_reviewable_submission(of_root.pk, root) == of_root


@pytest.fixture
def locked(monkeypatch) -> list[str]:
    """The models of which rows are locked, in the order in which that is asked for."""
    found = []
    lock = QuerySet.select_for_update

    def select_for_update(self, *args, **options):
        found.append(self.model.__name__)
        return lock(self, *args, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", select_for_update)
    return found


def test_what_two_may_do_at_once_is_locked_first(locked, monkeypatch):
    root = make_user("root", is_superuser=True)
    submission = make_submission(embargo_until=soon(), is_anonymous=True)
    assert locked == ["User"]
    del locked[:]
    submission = submit(submission=submission, version=1, actor=submission.contributor)
    unmask_contributor(submission=submission, actor=root, reason="asked by the chairs")
    assert locked == ["Submission"]
    del locked[:]
    check_again(submission=submission, version=2)
    assert locked == ["Submission"]
    content = _packed(Comparison(), [])
    counts = {"n_new": 0, "n_changed": 0, "n_gone": 0}
    given = {"source": "lists", "base": "a", "commit": "b", "committed_on": soon(), "content": content} | counts
    for decide in (apply_update, drop_update):
        del locked[:]
        decide(update=UpstreamUpdate.objects.create(**given), actor=None)
        assert locked[0] == "UpstreamUpdate"
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 1)
    long = make_submission(rows=[row(), row(system="Model Y")])
    del locked[:]
    check_submission(str(long.pk))
    assert "SubmittedRow" in locked
    assert outcomes(long) == ["new", "new"]


def test_numbers_are_the_same_to_as_many_decimals_as_the_shorter_has():
    pairs = (("0.7176470588235293", "0.717647"), ("0.717647", "0.7176470588235293"), ("0.30", "0.300"), ("7", "7.4"))
    assert all(is_same_number(one, other) for one, other in pairs)
    assert not any(is_same_number(one, other) for one, other in (("0.4485", "0.4857"), ("0.717647", "0.71766")))


# --- services


def test_what_is_refused_altogether_cannot_be_handed_in():
    submission = make_submission(rows=[REFUSED])
    with pytest.raises(ValidationError, match="all of its rows are refused; there is nothing to submit") as refused:
        submit(submission=submission, version=1, actor=submission.contributor, drop_refused=True)
    assert refused.value.code == "empty"
    assert outcomes(submission) == ["refused"]
    with pytest.raises(RowsRefused, match="a row cannot be taken as it stands; correct or remove what is refused"):
        submit(submission=submission, version=1, actor=submission.contributor)
    two = make_submission(rows=[REFUSED, row(), row(system="Model Y", value="high")])
    with pytest.raises(RowsRefused, match="2 rows cannot be taken as they stand") as kept:
        submit(submission=two, version=1, actor=two.contributor)
    assert (kept.value.n_rows, kept.value.submission) == (2, two)
    submit(submission=two, version=1, actor=two.contributor, drop_refused=True)
    entry = Entry.objects.get(action="submissions.submission.submitted")
    assert entry.after == {"version": 2, "rows_dropped": 2}


def test_nothing_is_done_while_a_single_row_is_unchecked(monkeypatch):
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 1)
    submission = make_submission(rows=[row(), row(system="Model Y")])
    submission.rows.filter(line=1).update(outcome="new")
    options = {"submission": submission, "version": 1, "actor": submission.contributor}
    for act in (
        lambda: submit(**options),
        lambda: update_row(line=1, cells=row(), **options),
        lambda: add_rows(rows=[row()], **options),
        lambda: remove_rows(lines=[1], **options),
        lambda: take_in_percent(**options),
    ):
        with pytest.raises(ValidationError, match="its rows are still being checked; wait until they are") as refused:
            act()
        assert refused.value.code == "unchecked"


def test_what_is_done_is_journaled_with_how_much_of_it():
    ada = make_user("ada")
    submission = make_submission(ada, rows=[row(), REFUSED], way="table")
    created = Entry.objects.get(action="submissions.submission.created")
    assert (created.actor, created.after) == (ada, {"version": 1, "way": "table", "rows": 2})
    submission = take_in_percent(submission=submission, version=1, actor=ada)
    assert outcomes(submission) == ["new", "new"]
    assert submission.rows.get(line=2).cells == REFUSED | {"unit": "percent"}
    with pytest.raises(ValidationError, match="there are no such rows any more"):
        take_in_percent(submission=submission, version=2, actor=ada)
    submission = add_rows(submission=submission, rows=[row(system="A"), row(system="B")], version=2, actor=ada)
    submission = remove_rows(submission=submission, lines=[3, 4], version=3, actor=ada)
    delete_draft(submission=submission, version=4, actor=ada)
    told = {
        "rows.taken_in_percent": (None, {"version": 2, "rows": 1}),
        "rows.added": (None, {"version": 3, "rows": 2}),
        "rows.removed": ({"cells": {"3": row(system="A"), "4": row(system="B")}}, {"version": 4, "rows": 2}),
        "submission.deleted": ({"rows": 2}, {"version": 5}),
    }
    for action, (before, after) in told.items():
        entry = Entry.objects.get(action=f"submissions.{action}")
        assert (entry.actor, entry.before, entry.after) == (ada, before, after)
    assert not Submission.objects.exists()


def test_an_hour_of_second_readings_has_an_end_and_each_is_of_what_stands(monkeypatch):
    make_published(make_user(), rows=[row(), row(system="Model Y")])
    again = make_submission(make_user(), rows=[row(), row(system="Model Y"), row(system="Model Z")])
    assert count_second_readings(submission=again, actor=again.contributor) == 2
    assert set(Confirmation.objects.values_list("kind", flat=True)) == {"second_transcription"}
    for one in again.rows.exclude(existing=None):
        assert one.existing.ended_at is None
    kept_back = make_submission(make_user(), rows=[row()], embargo_until=soon())
    with pytest.raises(ValidationError, match="this submission is kept back"):
        count_second_readings(submission=kept_back, actor=kept_back.contributor)


def test_a_decision_is_told_by_mail_to_who_is_still_there():
    submission = make_submitted(make_person("ada"))
    refused = return_submission(submission=submission, version=2, actor=editor(), reason="which table?")
    entry = Entry.objects.get(action="submissions.submission.returned")
    assert tell_contributor(entry.pk) is True
    Submission.objects.filter(pk=refused.pk).delete()
    assert tell_contributor(entry.pk) is False
    (job,) = Job.objects.filter(kind="submissions.tell_contributor")
    assert job.args == {"entry_id": entry.pk}


def test_what_was_answered_before_is_found_without_doing_it_again():
    user, digest = make_user(), "d" * 64
    assert kept_answer(user=user, key="k", digest=digest) is None
    answer_once(user=user, key="k", digest=digest, act=lambda: Answer(201, {"id": 1}))
    assert kept_answer(user=user, key="k", digest=digest) == Answer(201, {"id": 1}, is_replayed=True)
    assert kept_answer(user=make_user(), key="k", digest=digest) is None
    assert kept_answer(user=user, key="other", digest=digest) is None
    with pytest.raises(ReusedKey):
        kept_answer(user=user, key="k", digest="e" * 64)
    with pytest.raises(MalformedKey):
        kept_answer(user=user, key="a b", digest=digest)
    IdempotencyKey.objects.update(status=None)
    assert kept_answer(user=user, key="k", digest=digest) is None


def test_names_are_left_out_of_a_reason_that_everybody_reads():
    orcid = {"orcid": "0000-0001-2345-6789", "orcid_verified_at": timezone.now()}
    ada = make_user("ada-l", email="countess@example.org", full_name="Ada M Lovelace", **orcid)
    submission = make_submitted(ada, embargo_until=soon(), is_anonymous=True)
    reason = " Is Ada-L, ADA M LOVELACE or Lovelace (countess@example.org, countess) 0000-0001-2345-6789 Adamant? M "
    entry = unmask_contributor(submission=submission, actor=make_user(is_superuser=True), reason=reason)
    gone = "[contributor]"
    assert entry.reason == f"Is {gone}, {gone} or {gone} ({gone}, {gone}) {gone} Adamant? M"
    assert (entry.action, entry.subject_type) == ("submissions.submission.unmasked", "submission")
    for text, code in (("", "reason"), ("  ", "reason")):
        with pytest.raises(ValidationError, match="say why: everybody can read the reason") as refused:
            unmask_contributor(submission=submission, actor=make_user(is_superuser=True), reason=text)
        assert refused.value.code == code
    known = make_submitted(ada, rows=[row(system="Model Y")])
    with pytest.raises(ValidationError, match="the name is not kept back any more"):
        unmask_contributor(submission=known, actor=make_user(is_superuser=True), reason="why not")


def test_rows_say_in_which_collections_they_are():
    other = make_collection("trec-8")
    here, there = make_submitted(), make_submitted(rows=[row(collection="trec-8")])
    both = make_submitted(rows=[row(), row(collection="trec-8")])
    nowhere = make_submission(rows=[row(collection="nowhere")])
    robust = Collection.objects.get(slug="trec-2004-robust")
    found = {
        "within robust": Submission.objects.within([robust]),
        "within both": Submission.objects.within([robust, other]),
        "within none": Submission.objects.within([]),
        "on robust": Submission.objects.on(robust),
        "on trec-8": Submission.objects.on(other),
    }
    assert {name: set(some) for name, some in found.items()} == {
        "within robust": {here},
        "within both": {here, there, both},
        "within none": set(),
        "on robust": {here, both},
        "on trec-8": {there, both},
    }
    cells = {one.pk: one.first_cells for one in Submission.objects.with_first_row()}
    assert cells[both.pk] == row()
    Submission.objects.get(pk=nowhere.pk).rows.all().delete()
    assert Submission.objects.with_first_row().get(pk=nowhere.pk).first_cells is None


def test_submissions_that_are_due_are_accepted_and_their_day_has_come():
    today = timezone.now().date()
    made = {}
    for name, days in (("today", 0), ("yesterday", -1), ("tomorrow", 1), ("waiting", 0)):
        state = "in_review" if name == "waiting" else "accepted"
        made[name] = make_submitted(make_user(), rows=[row(system=name)])
        decided = timezone.now() if state == "accepted" else None
        Submission.objects.filter(pk=made[name].pk).update(
            state=state, embargo_until=today + timedelta(days=days), decided_at=decided
        )
    assert set(Submission.objects.due(today)) == {made["today"], made["yesterday"]}
    assert {name for name, one in made.items() if Submission.objects.get(pk=one.pk).is_embargoed} == {"tomorrow"}


def test_things_are_called_by_what_they_say():
    ada = make_user("ada")
    submission = make_submission(ada, rows=[row()])
    assert str(submission) == f"submission {str(submission.pk)[:8]}"
    assert str(submission.rows.get()) == f"row 1 of {submission.pk}"
    assert str(add_comment(submission=submission, author=ada, text=" Hello ")) == "Hello"
    paper = SubmittedPaper(identity="doi:1", description={"title": "A model"})
    assert (str(paper), str(SubmittedPaper(identity="doi:1", description={}))) == ("A model", "doi:1")
    assert str(UpstreamUpdate(source="lists", commit="abcdef0123456789")) == "lists at abcdef0123"
    assert str(IdempotencyKey(key="k")) == "k"
    with pytest.raises(ValidationError, match="the comment is empty"):
        add_comment(submission=submission, author=ada, text=" \n")
    assert Comment.objects.count() == 1


def test_what_a_row_says_is_kept_for_the_catalog_that_read_it():
    stored = make_submission().rows.get()
    said = stored.said()
    assert said is not None
    catalog = stored.content.split('"')[1]
    assert stored.said(catalog) == said
    assert stored.said("another") is None
    stored.line = 9
    assert stored.said(catalog).line == 9
    stored.content = f'["{catalog}",{{"line":1}}]'
    assert stored.said(catalog) is None
    assert not stored.is_unreadable
    stored.cells, stored.rejections = {}, []
    assert not stored.is_unreadable
    stored.rejections = [{"code": "x", "message": "y", "field": ""}]
    assert stored.is_unreadable


# --- pages


def act(client: Client, submission: Submission, action: str, **data: object) -> list[str]:
    """What is said on the page that one comes to."""
    version = Submission.objects.get(pk=submission.pk).version
    response = client.post(f"{submission.get_absolute_url()}{action}/", {"version": version, **data}, follow=True)
    assert response.status_code == 200
    return [str(one) for one in response.context["messages"]]


def test_several_rows_are_counted_in_what_is_said_of_them():
    ada = make_user("ada")
    rows = [row(system=f"Model {number}") for number in range(4)]
    submission = make_submission(ada, [*rows, *(row(system=f"P {n}", value=f"4{n}.1") for n in range(3))], way="table")
    client = signed_in(ada)
    assert act(client, submission, "rows/percent") == ["3 rows are taken in percent."]
    assert act(client, submission, "rows/percent") == ["There are no such rows any more."]
    assert act(client, submission, "rows/remove", lines=["1", "2"]) == ["2 rows are removed."]
    assert act(client, submission, "rows/remove", lines=["3"]) == ["The row is removed."]
    assert act(client, submission, "terms", note="hurry") == ["It is saved."]
    one = make_submission(ada, [row(), REFUSED])
    assert act(client, one, "rows/percent") == ["The row is taken in percent."]
    assert act(client, one, "terms", embargo_until="x") == ["Keep back until: Enter a valid date."]
    assert act(client, one, "delete") == ["The draft is deleted."]


def test_many_rows_are_left_to_a_worker_and_counted_once(monkeypatch):
    monkeypatch.setattr(errands, "MAX_ROWS_HERE", 2)
    monkeypatch.setitem(LIMITS, "check rows: account", (1000, 300))
    ada, grace = make_user("ada"), editor()
    three = [row(system=f"Model {number}") for number in range(3)]
    submission = make_submission(ada, three, way="table")
    client = signed_in(ada)
    at = submission.get_absolute_url()
    of_rows = {
        "rows/remove/": {"lines": ["1"]},
        "rows/percent/": {},
        "delete/": {},
        "rows/1/": row(value="0.4"),
        "rows/add/": row(system="New"),
        "count-readings/": {},
    }
    for action, data in of_rows.items():
        response = client.post(at + action, {"version": 1, **data})
        assert response.url.startswith("/errands/"), action
    assert Submission.objects.get(pk=submission.pk).version == 1
    for action, data in {"terms/": {"note": "x"}, "submit/": {}, "take-back/": {}}.items():
        version = Submission.objects.get(pk=submission.pk).version
        assert not client.post(at + action, {"version": version, **data}).url.startswith("/errands/"), action
    submitted = submit(submission=Submission.objects.get(pk=submission.pk), version=4, actor=ada)
    reviewer = signed_in(grace)
    for path, data in (
        (f"/moderation/{submission.pk}/start/", {}),
        (f"/moderation/{submission.pk}/", {"decision": "publish"}),
    ):
        assert reviewer.post(path, {"version": submitted.version, **data}).url.startswith("/errands/"), path
    monkeypatch.setitem(LIMITS, "check rows: account", (3, 300))
    monkeypatch.setattr(errands, "MAX_ROWS_HERE", 100)
    eve = make_user("eve")
    hers, mine = signed_in(eve), make_submission(eve, three, way="table")
    assert act(hers, mine, "rows/remove", lines=["1"]) == ["The row is removed."]
    (said,) = act(hers, mine, "rows/remove", lines=["2"])
    assert "3 rows checked in five minutes" in said
    assert outcomes(mine) == ["new", "new"]
    # Reviewers check what others hand in, and are not counted.
    for _ in range(3):
        reviewer.post(f"/moderation/{submitted.pk}/", {"version": 1, "decision": "publish"})
    assert reviewer.post(f"/moderation/{submitted.pk}/start/", {"version": submitted.version}).status_code == 302
    assert Submission.objects.get(pk=submitted.pk).state == "in_review"


def test_readings_are_counted_in_what_is_said(monkeypatch):
    make_published(make_user(), rows=[row(), row(system="Model Y")])
    ada = make_user("ada")
    again = make_submission(ada, rows=[row(), row(system="Model Y")])
    client, at = signed_in(ada), f"{again.get_absolute_url()}count-readings/"
    (said,) = client.post(at, follow=True).context["messages"]
    assert (str(said), said.level_tag) == ("Thank you. 2 results are double-checked now.", "success")
    (said,) = client.post(at, follow=True).context["messages"]
    assert said.level_tag == "info"
    kept_back = make_submission(ada, rows=[row()], embargo_until=soon())
    (said,) = client.post(f"{kept_back.get_absolute_url()}count-readings/", follow=True).context["messages"]
    assert (str(said), said.level_tag) == (
        "This submission is kept back; have it counted once that is over.", "error",
    )  # fmt: skip


def test_pages_have_so_many_rows_and_submissions(monkeypatch):
    monkeypatch.setattr(submissions, "ROWS_PER_PAGE", 2)
    monkeypatch.setattr(submissions, "SUBMISSIONS_PER_PAGE", 2)
    monkeypatch.setattr(moderation, "ROWS_PER_PAGE", 2)
    monkeypatch.setattr(moderation, "SUBMISSIONS_PER_PAGE", 2)
    ada = make_user("ada")
    submitted = make_submitted(ada, rows=[row(system=f"Model {number}") for number in range(3)])
    drafts = [make_submission(ada, [row(system=f"Draft {number}")]) for number in range(2)]
    client, reviewer = signed_in(ada), signed_in(editor())
    first, second = (client.get("/submissions/", {"page": page}).context["submissions"] for page in (1, 2))
    assert [one.pk for one in [*first, *second]] == [drafts[1].pk, drafts[0].pk, submitted.pk]
    assert len(first) == 2
    for browser, at in ((client, submitted.get_absolute_url()), (reviewer, f"/moderation/{submitted.pk}/")):
        shown = [browser.get(at, {"page": page}).context["rows"] for page in (1, 2)]
        assert [len(rows) for rows in shown] == [2, 1]
    for number in range(2):
        make_submitted(make_user(), rows=[row(system=f"Other {number}")])
    waiting = [reviewer.get("/moderation/", {"page": page}).context["submissions"] for page in (1, 2)]
    assert [len(some) for some in waiting] == [2, 1]
    assert waiting[0][0].pk == submitted.pk


def test_the_page_of_a_submission_offers_what_can_be_done_with_it_now(monkeypatch):
    make_published(make_user(), rows=[row(system="Model S")])
    ada = make_user("ada")
    draft = make_submission(ada, [row(), REFUSED, row(system="Model S")], way="table")
    client = signed_in(ada)
    context = client.get(draft.get_absolute_url()).context
    told = {name: context[name] for name in ("may_edit", "n_in_percent", "n_second_readings", "progress")}
    assert told == {"may_edit": True, "n_in_percent": 1, "n_second_readings": 1, "progress": None}
    assert (context["version"].initial, context["terms"].initial["version"]) == ({"version": 1}, 1)
    assert context["next"].startswith("Nobody but you sees it.")
    kept_back = make_submission(ada, [row(system="Model S")], embargo_until=soon())
    assert client.get(kept_back.get_absolute_url()).context["n_second_readings"] == 0
    submitted = make_submitted(ada, rows=[row(system="Model Q")])
    context = client.get(submitted.get_absolute_url()).context
    assert (context["may_edit"], context["terms"]) == (False, None)
    progress = client.get(f"{submitted.get_absolute_url()}progress.json")
    assert progress.json() == {"rows": 1, "checked": 1, "done": True, "message": ""}
    assert "no-store" in progress["Cache-Control"]
    grace = signed_in(editor())
    assert grace.get(f"{submitted.get_absolute_url()}?outcome=new")["Location"] == (
        f"/moderation/{submitted.pk}/?outcome=new"
    )
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 1)
    long = make_submission(ada, [row(system="L"), row(system="M")], way="table")
    assert client.get(long.get_absolute_url()).context["may_edit"] is False
    progress = client.get(f"{long.get_absolute_url()}progress.json").json()
    assert (progress["rows"], progress["checked"], progress["done"]) == (2, 0, False)
    assert progress["message"].startswith("Nobody is at work on it")


def test_a_check_is_started_again_where_it_was_given_up_and_not_while_it_goes_on(monkeypatch):
    monkeypatch.setattr(drafting, "MAX_ROWS_AT_ONCE", 1)
    ada = make_user("ada")
    submission = make_submission(ada, [row(system="L"), row(system="M")], way="table")
    client, at = signed_in(ada), f"{submission.get_absolute_url()}check/"
    client.post(at)
    assert Job.objects.count() == 1
    Job.objects.update(state="failed")
    assert client.post(at).url == submission.get_absolute_url()
    assert Job.objects.filter(state="queued").count() == 1
    submission.rows.update(outcome="new")
    Job.objects.all().delete()
    client.post(at)
    assert not Job.objects.exists()


def test_a_reviewer_comes_back_to_the_queue_with_what_was_done():
    client = signed_in(editor())
    for number, (decision, reason, said) in enumerate((
        ("publish", "", "It is published."),
        ("return", "which table?", "It is back with its contributor."),
        ("refuse", "made up", "It is refused."),
    )):  # fmt: skip
        submission = make_submitted(make_user(), rows=[row(system=f"Model {number}")])
        given = {"decision": decision, "version": 2, "reason": reason}
        response = client.post(f"/moderation/{submission.pk}/", given, follow=True)
        assert [str(one) for one in response.context["messages"]] == [said]
    kept_back = make_submitted(make_user(), rows=[row(system="Kept back")], embargo_until=soon())
    response = client.post(f"/moderation/{kept_back.pk}/", {"decision": "publish", "version": 2}, follow=True)
    (said,) = response.context["messages"]
    assert str(said) == "It is accepted, and published by itself when its embargo is over."
    again = client.post(f"/moderation/{kept_back.pk}/", {"decision": "publish", "version": 3, "reason": "once more"})
    assert again.status_code == 200
    wrong = client.post(f"/moderation/{kept_back.pk}/", {"decision": "return", "version": 2, "reason": "once more"})
    assert wrong.status_code == 409
    form = wrong.context["form"]
    assert (form["reason"].value(), form["version"].value()) == ("once more", 3)
    assert Result.objects.count() == 1


def test_the_page_of_a_review_says_what_its_reader_may_do(board):
    board.collection.curators.create(user=(curator := make_user("curator")))
    submission = make_submitted(make_user("ada"), rows=[row()])
    expected = {"may_edit": True, "may_undo": True, "is_masked": False, "may_unmask": False, "entry": None, "why": None}
    context = signed_in(editor()).get(f"/moderation/{submission.pk}/").context
    assert {name: context[name] for name in expected} == expected
    assert context["form"].initial == {"version": 2}
    context = signed_in(curator).get(f"/moderation/{submission.pk}/").context
    assert {name: context[name] for name in expected} == expected | {"may_undo": False}
    masked = make_submitted(make_user("eve"), rows=[row(system="M")], embargo_until=soon(), is_anonymous=True)
    context = signed_in(make_user(is_superuser=True)).get(f"/moderation/{masked.pk}/").context
    assert (context["is_masked"], context["may_unmask"]) == (True, True)
    started = start_review(submission=masked, version=2, actor=editor())
    with pytest.raises(Exception, match="in review and cannot be taken back"):
        take_back(submission=started, version=3, actor=masked.contributor)


def test_a_name_is_looked_up_on_a_page_with_a_reason():
    root = make_user("root", is_superuser=True)
    masked = make_submitted(make_user("eve"), embargo_until=soon(), is_anonymous=True)
    client, at = signed_in(root), f"/moderation/{masked.pk}/unmask/"
    assert client.get(at).status_code == 200
    assert "This field is required" in client.post(at, {"reason": " "}).content.decode()
    assert client.post(at, {"reason": "asked by the chairs"}).url == f"/moderation/{masked.pk}/"
    assert Entry.objects.get(action="submissions.submission.unmasked").reason == "asked by the chairs"
    assert client.get(at).status_code == 404
    assert signed_in(editor()).get(at).status_code == 403


def test_a_comment_leads_back_to_where_its_reader_belongs():
    ada = make_user("ada")
    submission = make_submitted(ada)
    at = f"{submission.get_absolute_url()}comment/"
    assert signed_in(ada).post(at, {"text": "Hello"}).url == f"{submission.get_absolute_url()}#history"
    assert signed_in(editor()).post(at, {"text": "Hello"}).url == f"/moderation/{submission.pk}/#history"
    assert read(signed_in(ada), at).status == 200


def test_a_paper_is_described_by_what_was_told_of_it_alone():
    from analysis.readers.bibliography.bibtex import read_bibtex

    entry = "@article{k, title={A Study}, author={Doe, Jane}, year={2021}, doi={10.1145/1.2}}"
    draft = read_bibtex(entry)
    submission = make_submission(rows=[row(**draft.cells()), row(system="Model Y")], paper=draft)
    submission = submit(submission=submission, version=1, actor=submission.contributor)
    grace = editor()
    published = publish_submission(submission=submission, version=2, actor=grace, reason="as printed")
    assert dict(Paper.objects.values_list("cite", "title")) == {"Doe (2021)": "A Study", "Doe (SIGIR 2021)": ""}
    described = Entry.objects.get(action="results.paper.described")
    assert (described.actor, described.reason) == (grace, "as printed")
    entry = Entry.objects.get(action="submissions.submission.published")
    assert (entry.subject_id, entry.reason, entry.actor) == (str(published.pk), "as printed", grace)
    assert set(published.rows.values_list("result__system__name", flat=True)) == {"Model X", "Model Y"}
