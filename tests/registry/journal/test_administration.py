"""What administrators may look at and change, each edit with its entry; which nights verify what; what health says."""

from datetime import date, timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import transaction
from django.forms import modelform_factory
from django.test import RequestFactory
from django.utils import timezone

from registry.journal.admin import EntryAdmin, JournalledAdmin, ReadOnlyAdmin
from registry.journal.keys import check_references
from registry.journal.models import Entry, VerifiedShare
from registry.journal.sealing import KINDS as SEALED_KINDS
from registry.journal.sealing import Content, content_of, last_head, seal, seal_new
from registry.journal.services import record, record_many
from registry.journal.verifying import NIGHTS, Check, Report, Share, health, verify_when_due
from registry.results.models import Paper, Result, Source
from tests.registry.factory import make_entry, make_paper, make_result, make_user

pytestmark = pytest.mark.django_db


class SourceAdmin(JournalledAdmin):
    list_filter = ("licence",)
    date_hierarchy = "seen"

    def after_edit(self, obj):
        super().after_edit(obj)
        self.edited = [*getattr(self, "edited", []), obj.name]


class NamedSourceAdmin(SourceAdmin):
    def subject_id(self, obj):
        return obj.name


@pytest.fixture
def request_of_ada(rf: RequestFactory):
    request = rf.post("/admin/")
    request.user = make_user("ada", is_staff=True)
    return request


def save(admin, request, source: Source, *, change: bool, **changed: object) -> None:
    form_class = modelform_factory(Source, fields=["name", "what", "licence"])
    said = {name: getattr(source, name) for name in form_class.base_fields} | changed
    form = form_class(said, instance=source)
    assert form.is_valid(), form.errors
    admin.save_model(request, form.save(commit=False), form, change)


def test_what_is_edited_in_place_has_an_entry_with_what_was_there_before(request_of_ada):
    admin = SourceAdmin(Source, site)
    source = Source(address="https://example.org/a")
    save(admin, request_of_ada, source, change=False, name="a survey", what="numbers")
    added = Entry.objects.get()
    assert (added.action, added.subject_type, added.subject_id) == ("results.source.added", "source", str(source.pk))
    assert (added.actor, added.before) == (request_of_ada.user, None)
    assert added.after == {"name": "a survey", "what": "numbers"}
    save(admin, request_of_ada, source, change=True)
    assert Entry.objects.count() == 1
    save(admin, request_of_ada, source, change=True, what="scores", licence="MIT")
    edited = Entry.objects.order_by("pk").last()
    assert (edited.action, edited.before, edited.after) == (
        "results.source.edited", {"what": "numbers", "licence": ""}, {"what": "scores", "licence": "MIT"}
    )  # fmt: skip
    assert Source.objects.get().licence == "MIT"
    assert admin.edited == ["a survey", "a survey"]
    save(NamedSourceAdmin(Source, site), request_of_ada, source, change=True, what="more")
    assert Entry.objects.order_by("pk").last().subject_id == "a survey"


def test_an_entry_keeps_numbers_and_blanks_as_they_are_and_all_else_as_text(request_of_ada):
    day = date(2026, 3, 4)
    result = make_result(notes="as read")
    form = modelform_factory(Result, fields=["date", "system", "notes"])(
        {"date": "2026-03-04", "system": result.system_id, "notes": ""}, instance=result
    )
    assert form.is_valid(), form.errors
    JournalledAdmin(Result, site).save_model(request_of_ada, form.save(commit=False), form, change=True)
    edited = Entry.objects.get(action="results.result.edited")
    assert (edited.before, edited.after) == ({"date": None, "notes": "as read"}, {"date": str(day), "notes": ""})
    assert Result.objects.get().date == day
    paper = make_paper("Doe (2020)", year=2020)
    form = modelform_factory(Paper, fields=["year", "merged_into"])(
        {"year": 2021, "merged_into": make_paper("Roe (2020)").pk}, instance=paper
    )
    assert form.is_valid(), form.errors
    JournalledAdmin(Paper, site).save_model(request_of_ada, form.save(commit=False), form, change=True)
    edited = Entry.objects.get(action="results.paper.edited")
    assert edited.before == {"year": 2020, "merged_into": None}
    assert edited.after == {"year": 2021, "merged_into": "Roe (2020)"}


def test_rows_are_narrowed_down_by_what_their_page_offers_alone(request_of_ada):
    admin = SourceAdmin(Source, site)
    allowed = ["licence", "licence__exact", "seen__year"]
    refused = ["name", "results__recorded_by__actor", "licences"]
    assert [admin.lookup_allowed(one, "x", request_of_ada) for one in allowed + refused] == [True] * 3 + [False] * 3
    reading = ReadOnlyAdmin(Source, site)
    for may in (reading.has_change_permission, reading.has_delete_permission):
        assert may(request_of_ada) is False
        assert may(request_of_ada, Source()) is False
    assert reading.has_add_permission(request_of_ada) is False


def test_administrators_read_the_journal_without_what_contributors_did_with_drafts(
    rf: RequestFactory, request_of_ada, django_assert_max_num_queries
):
    grace = make_user("grace")
    for action in ("accounts.user.changed", "submissions.submission.opened", "results.result.withdrawn"):
        record(action=action, subject=("thing", action), actor=grace, reason=f"because of {action}")
    admin = EntryAdmin(Entry, site)
    shown = admin.get_queryset(request_of_ada)
    assert {entry.action for entry in shown} == {"accounts.user.changed", "results.result.withdrawn"}
    record_many(
        [{"action": "results.result.added", "subject_type": "thing", "subject_id": number} for number in range(9)],
        actor=grace,
        reason="a batch",
    )
    looking = rf.get("/admin/journal/entry/", {"q": "grace"})
    looking.user = request_of_ada.user
    with django_assert_max_num_queries(3):
        listed = admin.get_changelist_instance(looking).result_list
        found = [(entry.actor_name, entry.action, entry.reason) for entry in listed]
    assert found.count(("grace", "results.result.added", "a batch")) == 9
    assert {action for _, action, _ in found} == {
        "results.result.added", "accounts.user.changed", "results.result.withdrawn"
    }  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Share]:
    """The shares for which a check was run that finds one thing wrong, and another that finds nothing."""
    shares: list[Share] = []

    def find(share: Share) -> Report:
        shares.append(share)
        return Report(n=1234, problems=[f"thing {number}: gone" for number in range(51)])

    checks = [Check("thing", "things", find), Check("other thing", "other things", lambda share: Report(n=1))]
    monkeypatch.setattr("registry.journal.verifying.CHECKS", checks)
    return shares


def test_each_night_verifies_the_share_that_waits_longest(asked):
    today = timezone.now().date()
    verify_when_due()
    assert asked == []
    due = dict(VerifiedShare.objects.values_list("number", "due_on"))
    assert due == {number: today + timedelta(days=number + 1) for number in range(NIGHTS)}
    VerifiedShare.objects.filter(number=4).update(due_on=today)
    VerifiedShare.objects.filter(number=2).update(due_on=today - timedelta(days=1))
    verify_when_due()
    verify_when_due()
    verify_when_due()
    assert asked == [Share(2, NIGHTS), Share(4, NIGHTS)]
    kept = VerifiedShare.objects.get(number=4)
    assert (kept.due_on, len(kept.problems), kept.problems[0]) == (today + timedelta(days=NIGHTS), 50, "thing 0: gone")
    document, problems = health()
    assert document == {"last_full_check": None, "nights": 7, "found": 50, "seals": 0, "head": ""}
    assert problems == ("not what was recorded: 50 things; see manage.py verify",)
    VerifiedShare.objects.update(checked_at=kept.checked_at)
    assert health()[0]["last_full_check"] == kept.checked_at.isoformat()


def test_shares_that_another_worker_made_a_moment_ago_stay(asked, monkeypatch):
    due_on = timezone.now().date() + timedelta(days=40)
    VerifiedShare.objects.create(number=3, due_on=due_on)
    monkeypatch.setattr(VerifiedShare.objects, "exists", lambda: False)
    verify_when_due()
    assert VerifiedShare.objects.count() == NIGHTS
    assert VerifiedShare.objects.get(number=3).due_on == due_on


def test_the_command_counts_what_it_verified_and_names_the_first_fifty(asked):
    make_entry()
    seal_new()
    place, head = last_head()
    out = StringIO()
    with pytest.raises(CommandError, match="The record is not what was recorded; see above"):
        call_command("verify", "--head", f"{place}:{head}", "--head", f"{place + 1}:{'0' * 64}", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == f"    1,234 {'things':<40}    0.0 s"
    assert lines[1] == f"        1 {'other thing':<40}    0.0 s"
    gone = f"seal {place + 1}: its head was {'0' * 16}…, as you give it; there is no such seal any more"
    assert lines[2:4] == [gone, "thing 0: gone"]
    assert lines[-2] == "… and 2 more."
    assert lines[-1] == "1,235 verified in 0.0 s of processor time, 52 problems"
    assert asked == [Share()]
    assert VerifiedShare.objects.filter(n_seals=place, head=head).count() == NIGHTS


def test_what_is_sealed_is_read_in_its_order_and_depends_on_its_salt():
    entries = [make_entry(), make_entry()]
    results = [make_result(recorded_by=entry) for entry in (entries[1], entries[0], entries[1])]
    kind = SEALED_KINDS["result"]
    groups = {subject: [row[0] for row in rows] for subject, rows in kind.groups()}
    by_entry = {str(entries[0].pk): [results[1].pk], str(entries[1].pk): [results[0].pk, results[2].pk]}
    assert groups == by_entry
    assert [subject for subject, rows in kind.groups([entries[1].pk])] == [str(entries[1].pk)]
    alone = SEALED_KINDS["entry"]
    rows = [(1, "a"), (2, "b")]
    plain = content_of(alone, rows, "")
    assert (plain.keys, len(plain.parts)) == ((1, 2), 4)
    assert len(content_of(kind, rows, "").parts) == 2
    assert content_of(alone, rows, "") == plain != content_of(alone, rows, "x")
    assert isinstance(plain, Content)
    assert seal("entry", []) == 0
    assert seal("entry", [10**6]) == 0
    assert seal("entry", [entries[0].pk]) == 2
    assert seal_new() == 2
    assert seal_new() == 0


def test_a_reference_to_what_is_gone_is_named():
    result = make_result()
    before = check_references(Share())
    assert before.problems == []
    n_references = before.n
    make_result(result.leaderboard, recorded_by=result.recorded_by)
    # The result's leaderboard, system and entry.
    assert check_references(Share()).n == n_references + 3
    # A group of a person is a row that names both.
    make_user("ada").groups.add(Group.objects.create(name="editors"))
    assert check_references(Share()).n == n_references + 5
    with transaction.atomic():
        Result.objects.filter(pk=result.pk).update(system=987_654)
        assert check_references(Share()).problems == [f"result {result.pk}: names system 987654, which is gone"]
        transaction.set_rollback(True)


def test_references_are_asked_of_each_table_once_and_of_none_that_is_not_ours(monkeypatch):
    make_result()

    def seen_as(*, managed: bool, proxy: bool) -> SimpleNamespace:
        meta = SimpleNamespace(managed=managed, proxy=proxy, concrete_fields=Result._meta.concrete_fields)
        meta.verbose_name = "result"
        return SimpleNamespace(_meta=meta, _base_manager=Result._base_manager)

    counted = []
    for others in ([], [seen_as(managed=True, proxy=True), seen_as(managed=False, proxy=False)]):
        models = [Result, *others]
        apps = SimpleNamespace(get_models=lambda include_auto_created, models=models: models)
        monkeypatch.setattr("registry.journal.keys.apps", apps)
        counted.append(check_references(Share()).n)
    # The result's leaderboard, system and entry.
    assert counted == [3, 3]
