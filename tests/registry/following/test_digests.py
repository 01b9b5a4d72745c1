"""What digests tell, to whom, when, and that they tell each change once."""

import re
import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from analysis.boards import METHODS
from registry.accounts.models import User
from registry.accounts.services import delete_account, set_active
from registry.core.jobs import KINDS, Kind
from registry.core.models import Job
from registry.following import documents, services
from registry.following.digests import SEND_DIGEST, compose_digests, look_after_digests, send_digest
from registry.following.documents import one_line
from registry.following.models import Digest, Following
from registry.following.queries import settled_entry
from registry.journal.models import Entry
from registry.results.models import CorrectionRequest
from registry.results.services.corrections import decline_correction, request_correction
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.gathering import say_model
from registry.results.services.merging import merge_systems, rename_system
from registry.results.services.unmerging import undo_merge
from tests.registry.accounts.people import make_person
from tests.registry.factory import (
    make_entry,
    make_leaderboard,
    make_measure,
    make_model,
    make_paper,
    make_result,
    make_system,
    make_user,
)
from tests.registry.following.world import digests, later, make_following, send_all
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.method_changes import analysed_by_earlier_methods

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def board():
    return make_board()


def the_digest(days: int = 2) -> str:
    (message,) = digests(days)
    return str(message.body)


def settle() -> None:
    """Let everything that was done so far be told already."""
    last = Entry.objects.order_by("-pk").first()
    Following.objects.update(told_entry=last.pk if last else 0)


# --- what it says


def test_new_results_are_told_with_their_pages(board):
    make_following(board)
    settle()
    result = make_run(board, "0.28", system=make_system("SPLADE"), paper=make_paper("Doe (2021)"))
    (message,) = digests()
    assert message.to == ["ada@example.org"]
    assert message.subject == f"[Plumbline] What changed: {board}"
    assert "1 new result:\n  - SPLADE, 0.28 (Doe (2021))\n" in message.body
    assert f"http://testserver{result.get_absolute_url()}\n" in message.body
    assert f"http://testserver{board.get_absolute_url()}\n" in message.body


def test_what_was_corrected_and_withdrawn_is_told_with_the_reason(board):
    first, second = board.results.order_by("pk")[:2]
    make_following(board)
    settle()
    new = supersede_result(result=first, changes={"printed": "0.21"}, actor=None, reason="typing error")
    withdraw_result(result=second, actor=None, reason="the paper was retracted")
    body = the_digest()
    assert f"1 corrected:\n  - run 0: 0.21, was 0.31: typing error\n    http://testserver/results/{new.pk}/" in body
    assert "1 withdrawn:\n  - run 1, 0.30: the paper was retracted\n" in body
    assert "new result" not in body


def test_a_followed_system_is_told_of_wherever_it_stands(board):
    system = make_system("BM25")
    make_following(system)
    settle()
    make_run(board, "0.28", system=system)
    make_run(board, "0.27")
    body = the_digest()
    assert f"1 new result:\n  - BM25, 0.28 (test), on {board}\n" in body
    assert "0.27" not in body


def test_a_followed_collection_is_told_of_all_its_leaderboards(board):
    make_following(board.collection)
    settle()
    other = make_leaderboard(board.collection, make_measure())
    make_run(other, "0.26")
    make_run(board, "0.28", system=make_system("BM25"))
    elsewhere = make_run(make_board(), "0.27", system=make_system("elsewhere"))
    body = the_digest()
    assert f"BM25, 0.28 (test), on {board}\n" in body
    assert f"on {other}\n" in body
    assert elsewhere.system.name not in body


def test_a_followed_paper_is_told_of_its_results(board):
    paper = make_paper("Doe (2021)")
    make_following(paper)
    settle()
    make_run(board, "0.28", paper=paper)
    assert "Doe (2021)\nhttp://testserver/papers/" in the_digest()


def test_a_followed_model_is_told_of_all_its_systems_and_of_those_that_come(board):
    model, curator = make_model(), make_user()
    make_following(model)
    system, other = make_system("splade-v3.onnx", model=model), make_system("Pyserini splade-v3")
    make_result(board, system, "0.71")
    say_model(system=other, model="splade-v3", actor=curator, reason="its card")
    (mail,) = digests()
    assert mail.subject.endswith("What changed: SPLADE-v3")
    assert "splade-v3.onnx, 0.71" in mail.body
    assert f"System {other.pk} is of SPLADE-v3 now, and was of no model: its card" in mail.body
    say_model(system=other, model="", actor=curator, reason="another one")
    assert f"System {other.pk} is of no model now, and was of SPLADE-v3: another one" in digests(4)[0].body


def test_another_best_result_and_other_candidates_are_told(board):
    analyse(board)
    make_following(board)
    make_run(board, "0.60", system=make_system("winner"))
    mark_changed(board)
    snapshot = analyse(board).snapshot
    body = the_digest()
    assert f"The best result is now winner, 0.60; it was run 0 ({board.collection.slug}), 0.31." in body
    assert "May be the best now as well: winner." in body
    assert "May be the best no longer: " in body
    assert f"http://testserver/snapshots/{snapshot.pk}/" in body


def test_newer_methods_are_told_once_for_all_that_somebody_follows():
    user, boards = make_person(), [make_board() for _ in range(3)]
    for board, n_members in zip(boards, (8, 8, None), strict=True):
        analysed_by_earlier_methods(board, **({"n_members": n_members} if n_members else {}))
        make_following(board, user)
        analyse(board)
    settle()
    body = the_digest()
    assert body.count(f"Methods {METHODS.version} in place of earlier ones") == 1
    assert "2 leaderboards that you follow say something else now:" in body
    assert [str(board) in body for board in boards] == [True, True, False]
    assert f"http://testserver/methods/changes/{METHODS.version}/" in body
    assert "First analysis" not in body
    assert not digests(4)


def test_what_results_did_after_newer_methods_is_told_of_the_leaderboard(board):
    analysed_by_earlier_methods(board, n_members=8)
    make_following(board)
    analyse(board)
    make_run(board, "0.60", system=make_system("winner"))
    mark_changed(board)
    analyse(board)
    body = the_digest()
    assert "The best result is now winner, 0.60" in body
    assert "1 leaderboard that you follow says something else now:" in body


def test_a_first_analysis_and_the_end_of_one_are_told(board):
    make_following(board)
    analyse(board)
    assert "First analysis: the best result is run 0" in the_digest()
    for result in board.results.all():
        withdraw_result(result=result, actor=None, reason="all wrong")
    board.refresh_from_db()
    analyse(board)
    assert "There is no analysis any more: no comparable result is recorded." in the_digest(3)


def test_disputes_and_what_became_of_them_are_told(board):
    result, somebody = board.results.order_by("pk").first(), make_user("grace")
    make_following(board)
    settle()
    request_correction(result=result, requester=somebody, kind="dispute", reason="table 3 says 0.21")
    assert "Called into question: run 0, 0.31: table 3 says 0.21" in the_digest()
    decline_correction(request=CorrectionRequest.objects.get(), actor=somebody, reason="that is table 4")
    assert "The dispute of run 0, 0.31 was declined: that is table 4" in the_digest(3)


def test_of_a_renamed_system_the_new_name_is_told_and_followed(board):
    system = make_system("BM 25")
    make_run(board, "0.28", system=system)
    make_following(system)
    aside = make_following(make_paper(), make_user())
    settle()
    target = rename_system(system=system, name="BM25", team="", actor=None, reason="as its authors write it")
    body = the_digest()
    assert "BM25\nhttp://testserver" in body
    assert "BM 25 is now called BM25: as its authors write it" in body
    assert "BM 25, 0.28 now stands under BM25" in body
    assert "merged" not in body
    assert Following.objects.exclude(pk=aside.pk).get().system == target
    assert Following.objects.get(pk=aside.pk).thing == aside.thing


def test_who_follows_both_of_two_merged_systems_follows_one():
    user, old, new = make_person(), make_system("old"), make_system("new")
    make_following(old, user)
    make_following(new, user)
    settle()
    aside = make_following(make_system("aside"), user)
    merge_systems(source=old, target=new, actor=None, reason="one and the same")
    assert the_digest().count("old was merged into new: one and the same") == 1
    assert {one.system for one in Following.objects.all()} == {new, aside.system}


def test_who_follows_either_hears_that_a_merge_was_undone():
    old, new = make_system("old"), make_system("new")
    make_result(system=old)
    merge_systems(source=old, target=new, actor=None, reason="one and the same")
    make_following(new)
    settle()
    undo_merge(entry=Entry.objects.get(action="results.system.merged"), actor=None, reason="they are two")
    body = the_digest()
    assert body.count("old is no longer merged into new: they are two") == 1
    assert Following.objects.get().system == new


def test_long_lists_are_cut_and_counted(board):
    make_following(board)
    settle()
    entry = make_entry()
    for number in range(25):
        make_run(board, f"0.1{number:02}", recorded_by=entry)
    body = the_digest()
    assert "25 new results:" in body
    assert body.count("  - system") == 10
    assert "  - and 15 more\n" in body
    told = re.findall(r"  - system[^,]*, (0\.\d+)", body)
    assert told == [f"0.1{number:02}" for number in range(24, 14, -1)], "the best first"


def test_several_things_come_in_one_mail(board):
    user = make_person()
    system = make_system()
    make_following(board, user)
    make_following(system, user)
    settle()
    make_run(board, "0.28", system=system)
    (message,) = digests()
    assert message.subject == f"[Plumbline] What changed: {board} and 1 more"


@pytest.mark.parametrize("text", ["a\nBcc: eve@example.org", "<b>&amp;</b>", "x" * 290])
def test_names_and_reasons_stay_one_line_of_plain_text(board, text):
    system = make_system(text)
    result = make_run(board, "0.28", system=system)
    make_following(system)
    settle()
    withdraw_result(result=result, actor=None, reason=text)
    (message,) = digests()
    assert "\n" not in message.subject
    assert len(message.subject) < 200
    assert max(map(len, one_line(text * 99).split("\n"))) == 200
    assert "\nBcc" not in message.body
    assert "&lt;" not in message.body


# --- when, and to whom


def test_nothing_is_sent_when_nothing_changed(board):
    make_following(board)
    settle()
    assert digests() == []
    assert not Digest.objects.exists()


def test_what_was_long_before_is_not_told(board, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(services, "settled_entry", lambda now: settled_entry(now + DAY))
        make_following(board)
    assert digests() == []


MONDAY = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("every", "told", "now", "is_due"),
    [
        ("day", MONDAY, MONDAY + timedelta(hours=11), False),
        ("day", MONDAY, MONDAY + DAY, True),
        ("day", MONDAY, MONDAY + DAY - timedelta(hours=8), False),
        ("week", MONDAY, MONDAY + 6 * DAY, False),
        ("week", MONDAY, MONDAY + 7 * DAY, True),
        ("week", MONDAY + 3 * DAY, MONDAY + 7 * DAY, True),
        ("week", MONDAY, MONDAY + 7 * DAY - timedelta(hours=8), False),
        ("never", MONDAY, MONDAY + 70 * DAY, False),
    ],
)
def test_daily_ones_come_every_day_and_weekly_ones_on_mondays(every, told, now, is_due):
    make_following(make_system(), every=every)
    Following.objects.update(told_on=told.date())
    assert Following.objects.due(now).exists() is is_due


def test_who_begins_to_listen_is_not_told_of_the_analysis_that_stands(board):
    snapshot = analyse(board).snapshot
    assert make_following(board).told_snapshot == snapshot
    assert make_following(board.collection, make_user()).told_snapshot is None


def test_what_happened_this_hour_waits(board):
    make_following(board)
    settle()
    Following.objects.update(told_on=timezone.now().date() - 9 * DAY)
    make_run(board, "0.28")
    assert compose_digests(now=timezone.now()) == 0
    assert "0.28" in the_digest()


def test_without_a_verified_address_nothing_is_told_before_there_is_one(board):
    user = make_user("ada", email="ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=False, primary=True)
    make_following(board, user)
    settle()
    make_run(board, "0.28")
    assert digests() == []
    EmailAddress.objects.update(verified=True)
    assert "0.28" in the_digest()


@pytest.mark.parametrize(
    "leave", [delete_account, lambda user: set_active(user=user, is_active=False, actor=None, reason="x")]
)
def test_who_left_gets_nothing_even_of_what_waits(board, leave):
    user = make_person()
    make_following(board, user)
    settle()
    make_run(board, "0.28")
    assert compose_digests(now=later()) == 1
    leave(user) if leave is not delete_account else delete_account(user=user)
    send_all()
    assert mail.outbox == []
    assert digests(3) == []


def test_nothing_is_written_for_an_account_that_is_closed(board):
    make_following(board, make_person())
    settle()
    make_run(board, "0.28")
    User.objects.update(is_active=False)
    assert compose_digests(now=later()) == 0


def test_what_happened_while_no_mail_was_wanted_is_not_told(board):
    following = make_following(board, every="never")
    make_run(board, "0.28")
    assert digests() == []
    services.set_every(following=following, every="day")
    settle()
    make_run(board, "0.27")
    body = the_digest()
    assert "0.27" in body
    assert "0.28" not in body


# --- once


def test_many_followers_of_one_thing_are_told_by_few_queries(board, django_assert_max_num_queries):
    for _ in range(2):
        make_following(board, make_person(f"reader{Following.objects.count()}"))
    settle()
    make_run(board, "0.28")
    with django_assert_max_num_queries(100) as two:
        assert compose_digests(now=later()) == 2
    for _ in range(3):
        make_following(board, make_person(f"reader{Following.objects.count()}"))
    settle()
    make_run(board, "0.27")
    with django_assert_max_num_queries(100) as five:
        assert compose_digests(now=later(3)) == 5
    n_each = (len(five) - len(two)) / 3
    assert n_each < 18, "what changed is read once and not once a person"


def test_each_change_is_told_once(board):
    make_following(board)
    settle()
    make_run(board, "0.28")
    assert "0.28" in the_digest()
    assert digests(3) == []
    make_run(board, "0.27")
    body = the_digest(4)
    assert "0.27" in body
    assert "0.28" not in body


def test_what_was_told_is_not_told_again_after_a_run_that_looked_less_far(board):
    make_following(board)
    settle()
    make_run(board, "0.28")
    assert "0.28" in the_digest()
    Following.objects.update(told_on=timezone.now().date() - 9 * DAY)
    assert compose_digests(now=timezone.now()) == 0
    assert digests(3) == []


def test_a_crash_while_it_is_written_tells_it_the_next_time(board, monkeypatch):
    make_following(board)
    settle()
    make_run(board, "0.28")
    with monkeypatch.context() as patched:
        patched.setattr("registry.following.digests.enqueue_jobs", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            compose_digests(now=later())
    assert not Digest.objects.exists()
    assert "0.28" in the_digest()


def test_of_two_that_write_at_once_one_writes(board, monkeypatch):
    make_following(board)
    settle()
    make_run(board, "0.28")
    describe = documents.describe_changes

    def meanwhile(changes):
        monkeypatch.setattr("registry.following.digests.describe_changes", describe)
        assert compose_digests(now=later()) == 1
        return describe(changes)

    monkeypatch.setattr("registry.following.digests.describe_changes", meanwhile)
    assert compose_digests(now=later()) == 0
    assert Digest.objects.count() == 1
    send_all()
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("changed", [{"every": "week"}, {"told_entry": 10**9}, {"told_on": MONDAY.date()}])
def test_what_somebody_chose_meanwhile_counts_first(board, monkeypatch, caplog, changed):
    caplog.set_level("INFO", "registry.following.digests")
    following = make_following(board)
    settle()
    make_run(board, "0.28")
    describe = documents.describe_changes

    def meanwhile(changes):
        Following.objects.filter(pk=following.pk).update(**changed)
        return describe(changes)

    monkeypatch.setattr("registry.following.digests.describe_changes", meanwhile)
    assert compose_digests(now=later()) == 0
    assert not Digest.objects.exists()
    following.refresh_from_db()
    assert all(getattr(following, name) == value for name, value in changed.items())
    assert [one.getMessage() for one in caplog.records if one.name == "registry.following.digests"] == [
        f"what person {following.user_id} follows changed while a digest was written; the next run writes it"
    ]


def expire_leases() -> None:
    Job.objects.filter(state="running").update(leased_until=timezone.now() - DAY)


def test_a_server_that_is_down_gets_it_later(board, monkeypatch):
    make_following(board)
    settle()
    make_run(board, "0.28")
    with monkeypatch.context() as patched:
        patched.setattr(EmailMessage, "send", lambda self: (_ for _ in ()).throw(ConnectionRefusedError()))
        compose_digests(now=later())
        for _ in range(settings.PLUMBLINE_JOB_MAX_ATTEMPTS):
            send_all()
            expire_leases()
    assert Job.objects.get(kind=SEND_DIGEST).state == "failed"
    look_after_digests()
    assert Job.objects.filter(kind=SEND_DIGEST, state="queued").count() == 0, "not before its time"
    Job.objects.update(finished_at=timezone.now() - DAY)
    look_after_digests()
    send_all()
    assert len(mail.outbox) == 1
    assert Digest.objects.get().state == "sent"


def test_a_crash_after_sending_repeats_the_same_message(board, monkeypatch):
    make_following(board)
    settle()
    make_run(board, "0.28")
    compose_digests(now=later())
    with monkeypatch.context() as patched:
        patched.setitem(KINDS, SEND_DIGEST, Kind("", send_digest, lambda sending: 1 / 0))
        send_all()
    assert Digest.objects.get().state == "waiting"
    expire_leases()
    send_all()
    send_all()
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
    assert Digest.objects.get().state == "sent"


@pytest.mark.parametrize(("code", "state"), [(550, "refused"), (450, "waiting")])
def test_an_address_that_is_refused_for_good_is_not_tried_again(board, monkeypatch, code, state):
    make_following(board)
    settle()
    make_run(board, "0.28")
    refusal = smtplib.SMTPRecipientsRefused({"ada@example.org": (code, b"no")})
    monkeypatch.setattr(EmailMessage, "send", lambda self: (_ for _ in ()).throw(refusal))
    compose_digests(now=later())
    send_all()
    assert Digest.objects.get().state == state


def test_what_was_sent_is_forgotten_after_a_week(board):
    make_following(board)
    settle()
    make_run(board, "0.28")
    the_digest()
    look_after_digests()
    assert Digest.objects.count() == 1
    Digest.objects.update(closed_at=timezone.now() - 8 * DAY)
    look_after_digests()
    assert not Digest.objects.exists()


def test_links_lead_to_the_site_as_it_is_configured(board, settings):
    settings.SITE_URL = "https://plumbline.example.org"
    make_following(board)
    settle()
    make_result(board)
    body = the_digest()
    assert f"https://plumbline.example.org{board.get_absolute_url()}" in body
    assert "testserver" not in body
