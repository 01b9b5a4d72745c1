"""What is read of followed things: who is due, how far was told, in which order changes are listed."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import signing
from django.http import Http404
from django.urls import resolve, reverse
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.core.models import Job
from registry.following import services, views
from registry.following.access import get_followable, get_own_following, read_stop_token, stop_token
from registry.following.digests import (
    Sending,
    _message,
    close_digest,
    compose_digests,
    follow_merges,
    look_after_digests,
    send_digest,
)
from registry.following.documents import _because, _names, export_followings, one_line
from registry.following.forms import FollowForm, FollowingListForm
from registry.following.models import KINDS, Digest, Following
from registry.following.queries import (
    MAX_LISTED,
    SETTLED,
    NamedVerdict,
    _listed,
    read_changes,
    read_verdict,
    settled_entry,
)
from registry.following.querysets import digest_day
from registry.following.templatetags.following import following_of
from registry.journal.models import Entry
from registry.leaderboards.models import MethodChange, Snapshot
from registry.results.models import Result, System
from registry.results.services.endings import withdraw_result
from tests.registry.accounts.people import make_person
from tests.registry.factory import (
    make_collection,
    make_entry,
    make_leaderboard,
    make_model,
    make_paper,
    make_result,
    make_results,
    make_system,
    make_user,
)
from tests.registry.following.world import SITE, make_following
from tests.registry.leaderboards.boards import analyse, make_board, make_run, mark_changed
from tests.registry.leaderboards.method_changes import OLD

pytestmark = pytest.mark.django_db


def test_every_address_has_its_name(client):
    for name, address, view, kwargs in (
        ("digests-stop", "/following/stop/abc/", views.digests_stop, {"token": "abc"}),
        ("following-edit", "/following/system/5/", views.following_edit, {"kind": "system", "pk": 5}),
        ("following-list", "/accounts/following/", views.following_list, {}),
    ):
        assert reverse(f"following:{name}", kwargs=kwargs) == address
        assert (resolve(address).func, resolve(address).kwargs) == (view, kwargs)
        assert client.put(address).status_code in (302, 403, 405)
    for address in ("/following/system/5/", "/accounts/following/"):
        assert client.get(address)["Location"].startswith("/accounts/login/")


def test_each_kind_of_thing_is_found_by_its_number():
    things = {
        "collection": [make_collection() for _ in range(2)], "leaderboard": [make_leaderboard() for _ in range(2)],
        "system": [make_system() for _ in range(2)], "paper": [make_paper() for _ in range(2)],
        "model": [make_model(f"M{n}", f"m{n}") for n in range(2)],
    }  # fmt: skip
    assert set(things) == set(KINDS)
    for kind, (first, second) in things.items():
        assert get_followable(kind, second.pk) == second
        assert get_followable(kind, first.pk) == first
        with pytest.raises(Http404, match="99999"):
            get_followable(kind, 99999)
    with pytest.raises(Http404, match="Nobody can follow a user"):
        get_followable("user", 1)
    first, second = things["system"]
    System.objects.filter(pk=first.pk).update(merged_into=second)
    assert get_followable("system", first.pk) == second
    user, other = make_user(), make_user()
    mine = services.follow(user=user, thing=second, every="day", site=SITE)
    services.follow(user=user, thing=things["paper"][0], every="day", site=SITE)
    assert get_own_following(user, "system", second.pk) == mine
    assert get_own_following(other, "system", second.pk) is None
    assert get_own_following(user, "system", first.pk) is None
    assert get_own_following(user, "model", second.pk) is None


def test_a_link_that_stops_digests_is_for_that_alone():
    assert read_stop_token(stop_token(7)) == 7
    for token in (signing.dumps(7), stop_token(7)[:-1], ""):
        with pytest.raises(Http404, match="This link is not complete"):
            read_stop_token(token)


def test_how_something_is_followed_is_ones_own():
    board, user = make_leaderboard(), make_user()
    following = services.follow(user=user, thing=board, every="day", site=SITE)
    assert following_of(user, "leaderboard", str(board.pk)) == following
    assert following_of(make_user(), "leaderboard", board.pk) is None


def test_forms_offer_to_stop_what_is_followed():
    following = Following(pk=3, every="day", model=make_model())
    assert [value for value, _ in FollowForm(None, following).fields["every"].choices] == [
        "day",
        "week",
        "never",
        "stop",
    ]
    new = FollowForm(None, None)
    assert [value for value, _ in new.fields["every"].choices] == ["day", "week", "never"]
    assert (new.initial["every"], FollowForm(None, following).initial["every"]) == ("week", "day")
    assert not FollowForm({"every": "stop"}, None).is_valid()
    listed = FollowingListForm({"every-3": "week"}, [following])
    assert listed.is_valid()
    assert listed.changes() == [(following, "week")]
    assert [(one, field.name) for one, field in listed.rows()] == [(following, "every-3")]
    assert listed.fields["every-3"].label == "How often about SPLADE-v3"
    same = FollowingListForm({"every-3": "day"}, [following])
    assert same.is_valid()
    assert same.changes() == []


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (datetime(2026, 3, 2, 4, 59, tzinfo=UTC), date(2026, 3, 1)),
        (datetime(2026, 3, 2, 5, 0, tzinfo=UTC), date(2026, 3, 2)),
    ],
)
def test_a_day_of_digests_begins_at_five(now, day):
    assert digest_day(now) == day


def test_digests_are_for_people_who_can_get_mail():
    now = datetime(2026, 3, 4, 12, tzinfo=UTC)  # A Wednesday.
    person = make_person("ada")
    following = make_following(make_system(), person)
    for every, told_on, is_due in (
        ("day", date(2026, 3, 3), True), ("day", date(2026, 3, 4), False), ("week", date(2026, 3, 1), True),
        ("week", date(2026, 3, 2), False), ("never", date(2026, 1, 1), False),
    ):  # fmt: skip
        Following.objects.update(every=every, told_on=told_on)
        assert list(Following.objects.due(now)) == ([following] if is_due else []), (every, told_on)
    Following.objects.update(every="day", told_on=date(2026, 3, 3))
    address = person.emailaddress_set
    for fields in ({"verified": False}, {"primary": False}):
        address.update(**fields)
        assert not Following.objects.due(now).exists()
        address.update(verified=True, primary=True)
    type(person).objects.update(is_active=False)
    assert not Following.objects.due(now).exists()
    type(person).objects.update(is_active=True)
    assert Following.objects.due(now).exists()


def test_what_somebody_follows_is_in_the_order_of_beginning(django_assert_num_queries):
    person = make_user()
    things = [
        make_leaderboard(),
        make_system("A", "T"),
        make_paper("Doe (2020)"),
        make_model(),
        make_collection("robust"),
    ]
    for place, thing in enumerate(things):
        one = make_following(thing, person, "week" if place else "day")
        Following.objects.filter(pk=one.pk).update(since=datetime(2026, 1, 9 - place, tzinfo=UTC))
    make_following(make_system(), make_user())
    with django_assert_num_queries(1):
        exported = export_followings(person)
    assert [one["kind"] for one in exported] == ["collection", "model", "paper", "system", "leaderboard"]
    assert exported[-1] == {
        "kind": "leaderboard", "name": str(things[0]), "url": things[0].get_absolute_url(), "every": "day",
        "since": "2026-01-09T00:00:00+00:00",
    }  # fmt: skip
    assert [one["name"] for one in exported[:2]] == ["robust", "SPLADE-v3"]


def test_what_is_settled_is_an_hour_old():
    assert settled_entry(timezone.now()) == 0
    first, second = make_entry(), make_entry()
    at = max(one.recorded_at for one in (first, second))
    assert settled_entry(at + SETTLED) == second.pk
    assert settled_entry(min(first.recorded_at, second.recorded_at) + SETTLED - timedelta(seconds=1)) == 0
    assert timedelta(hours=1) == SETTLED


def test_changes_are_listed_in_their_order_and_counted_beyond_ten(django_assert_num_queries):
    board = make_leaderboard()
    before, later = make_entry(), make_entry()
    low, high = (make_result(board, printed=value, recorded_by=later) for value in ("0.1", "0.9"))
    first = make_result(board, printed="0.5", recorded_by=before)
    equal = make_result(board, printed="0.9", recorded_by=later)
    following = Following(leaderboard=board, told_entry=0)
    found = read_changes(following, later.pk)
    assert found.recorded.results == [first, high, equal, low]
    assert (found.recorded.n, found.until, found.snapshot_id, found.obstacle) == (4, later.pk, None, "")
    assert (found.before, found.after, found.methods) == (None, None, None)
    assert read_changes(Following(leaderboard=board, told_entry=before.pk), later.pk).recorded.n == 3
    assert read_changes(following, before.pk).recorded.results == [first]
    entry = make_entry()
    make_results(board, [0.2] * (MAX_LISTED - 4), recorded_by=entry)
    with django_assert_num_queries(1):
        ten = _listed(Result.objects.for_leaderboard(board).order_by("pk"))
    assert (len(ten.results), ten.n) == (10, 10)
    make_result(board, recorded_by=entry)
    with django_assert_num_queries(2):
        eleven = _listed(Result.objects.for_leaderboard(board).order_by("pk"))
        assert (len(eleven.results), eleven.n) == (10, 11)
        assert {str(one.leaderboard) for one in eleven.results} == {str(board)}
        assert all(one.system.name and one.superseded_by is None for one in eleven.results)


def test_endings_are_told_by_how_they_ended():
    board = make_leaderboard()
    kept, gone, other = make_result(board), make_result(board), make_result()
    last = Entry.objects.order_by("-pk")[0].pk
    withdraw_result(result=gone, actor=None, reason="misread")
    withdraw_result(result=other, actor=None, reason="elsewhere")
    until = Entry.objects.order_by("-pk")[0].pk
    found = read_changes(Following(leaderboard=board, told_entry=last), until)
    assert (found.withdrawn.results, found.superseded.n, found.recorded.n) == ([gone], 0, 0)
    assert read_changes(Following(leaderboard=board, told_entry=until), until + 1).withdrawn.n == 0
    assert read_changes(Following(leaderboard=board, told_entry=0), last).withdrawn.n == 0
    assert kept.ended_at is None


def test_verdicts_are_told_where_another_analysis_stands():
    board = make_board()
    first = analyse(board)
    told = Following(leaderboard=board, told_entry=0, told_snapshot_id=first.snapshot_id)
    same = read_changes(told, 10**6)
    assert (same.before, same.after, same.snapshot_id) == (None, None, first.snapshot_id)
    make_run(board, "0.9", system=make_system("new", team="ours"))
    mark_changed(board)
    second = analyse(board)
    changed = read_changes(told, 10**6)
    assert changed.snapshot_id == second.snapshot_id
    assert (changed.before.best, changed.before.printed) == (f"run 0 ({board.collection.slug})", "0.31")
    assert (changed.after.best, changed.after.printed) == ("new (ours)", "0.9")
    assert "new (ours)" in changed.after.candidates
    assert read_verdict(None) is None
    assert isinstance(read_verdict(first.snapshot_id), NamedVerdict)
    system = Following(system=make_system(), told_entry=0)
    assert read_changes(system, 10**6).snapshot_id is None
    # What newer methods found first is what results changed since.
    MethodChange.objects.create(
        leaderboard=board, version="14", version_before="13", before={"a": 1}, after={"a": 2},
        snapshot_before=first.snapshot, snapshot=second.snapshot, is_of_same_results=False,
    )  # fmt: skip
    newer = read_changes(told, 10**6)
    assert (newer.methods.version, newer.before, newer.after) == ("14", None, None)
    known = Following(leaderboard=board, told_entry=0, told_snapshot_id=second.snapshot_id)
    assert read_changes(known, 10**6).methods is None
    assert read_changes(Following(leaderboard=board, told_entry=0), 10**6).methods is None
    old = Snapshot.objects.create(pk="0" * 20, leaderboard=board, content=OLD)
    assert read_verdict(old.pk) is None


def test_names_in_mails_are_cut_and_counted():
    assert _names([]) == ""
    assert _names(["x" * 61, "b"]) == f"b, {'x' * 59}…"
    assert _names(["x" * 60]) == "x" * 60
    assert one_line(" a\n b ") == "a b"
    assert one_line("x" * 201) == "x" * 199 + "…"
    assert (_because(""), _because("a\nb")) == ("", ": a b")


def test_following_begins_at_what_is_settled_and_is_told_from_there():
    board, person = make_board(), make_user()
    old = make_entry()
    analysis = analyse(board)
    following = services.follow(user=person, thing=board, every="week", site="https://x.org")
    assert (following.every, following.site, following.told_snapshot_id) == (
        "week",
        "https://x.org",
        analysis.snapshot_id,
    )
    assert following.told_entry == settled_entry(timezone.now()) < old.pk
    assert following.told_on == digest_day(timezone.now())
    again = services.follow(user=person, thing=board, every="never", site="https://y.org")
    assert (again.pk, again.every, again.site) == (following.pk, "never", "https://x.org")
    Following.objects.update(told_on=date(2020, 1, 1), told_entry=10**6, told_snapshot=None)
    quiet = services.set_every(following=following, every="never")
    assert (quiet.told_on, quiet.told_entry) == (date(2020, 1, 1), 10**6)
    woken = services.set_every(following=following, every="day")
    assert (woken.told_on, woken.told_entry) == (digest_day(timezone.now()), settled_entry(timezone.now()))
    assert woken.told_snapshot_id == analysis.snapshot_id
    Following.objects.update(told_on=date(2020, 1, 1))
    assert services.set_every(following=following, every="week").told_on == date(2020, 1, 1)
    system = services.follow(user=person, thing=make_system(), every="day", site=SITE)
    assert (system.told_snapshot_id, system.kind) == (None, "system")
    other = services.follow(user=make_user(), thing=board, every="day", site=SITE)
    services.set_every_for_all(user=person, every="never")
    assert set(Following.objects.filter(every="never")) == {following, system}
    services.unfollow(following=system)
    assert set(Following.objects.all()) == {following, other}


def test_two_hundred_things_are_the_most(monkeypatch):
    monkeypatch.setattr(services, "MAX_FOLLOWED", 2)
    person, other = make_user(), make_user()
    things = [make_system() for _ in range(3)]
    for thing in things[:2]:
        services.follow(user=person, thing=thing, every="day", site=SITE)
    with pytest.raises(Refused, match="You follow 2 things, which is the most"):
        services.follow(user=person, thing=things[2], every="day", site=SITE)
    assert services.follow(user=person, thing=things[0], every="week", site=SITE).every == "week"
    assert services.follow(user=other, thing=things[2], every="week", site=SITE)


def digest(user, **fields) -> Digest:
    return Digest.objects.create(
        user=user, **({"subject": "What changed", "body": "b", "site": "https://x.org"} | fields)
    )


def test_stopping_and_forgetting_are_of_one_person():
    ada, other = make_person("ada"), make_person("bob")
    sent = digest(ada, state="sent", closed_at=timezone.now())
    waiting, theirs = digest(ada), digest(other)
    mine, his = make_following(make_system(), ada), make_following(make_system(), other)
    services.stop_digests(user_id=ada.pk)
    assert [(one.pk, one.every) for one in Following.objects.order_by("pk")] == [(mine.pk, "never"), (his.pk, "day")]
    states = {one.pk: (one.state, one.closed_at is None) for one in Digest.objects.all()}
    assert states == {sent.pk: ("sent", False), waiting.pk: ("dropped", False), theirs.pk: ("waiting", True)}
    services.forget_follower(ada)
    assert (list(Following.objects.all()), list(Digest.objects.all())) == ([his], [theirs])


def test_a_digest_is_closed_once_with_what_became_of_it():
    one, other = digest(make_person("ada")), digest(make_person("bob"))
    close_digest(None)
    close_digest(Sending(one.pk, "refused"))
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.state, one.closed_at is None, other.state) == ("refused", False, "waiting")
    close_digest(Sending(one.pk, "sent"))
    assert Digest.objects.get(pk=one.pk).state == "refused"
    assert send_digest(one.pk) is None
    assert send_digest(other.pk) == Sending(other.pk, "sent")
    assert send_digest(digest(make_user()).pk).state == "dropped"


def test_a_mail_says_whose_it_is_and_how_it_ends(settings):
    settings.ACCOUNT_EMAIL_SUBJECT_PREFIX = "[P] "
    one = digest(make_person("ada"))
    message = _message(one, "ada@example.org")
    assert (message.subject, message.body, message.to) == ("[P] What changed", "b", ["ada@example.org"])
    assert message.extra_headers == {
        "Message-ID": f"<digest-{one.pk}-{one.created_at:%Y%m%d%H%M%S}@x.org>",
        "List-Unsubscribe": f"<https://x.org/following/stop/{stop_token(one.user_id)}/>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "List-Id": "Plumbline digests <digests.x.org>",
        "Auto-Submitted": "auto-generated",
    }  # fmt: skip
    one.site = ""
    assert _message(one, "a@b.c").extra_headers["Message-ID"].endswith("@localhost>")


def test_digests_that_wait_have_a_job_and_closed_ones_go_after_a_week():
    ada = make_person("ada")
    now = timezone.now()
    waiting = digest(ada)
    old = digest(ada, state="sent", closed_at=now - timedelta(days=7, minutes=1))
    young = digest(ada, state="sent", closed_at=now - timedelta(days=6, hours=23))
    look_after_digests()
    assert set(Digest.objects.all()) == {waiting, young}
    assert not Digest.objects.filter(pk=old.pk).exists()
    assert [one.args for one in Job.objects.filter(kind="following.send_digest")] == [{"digest_id": waiting.pk}]


def test_followers_of_what_was_merged_follow_what_took_it_in():
    ada, bob = make_person("ada"), make_person("bob")
    for make in (make_system, make_paper):
        kept, gone, other = make(), make(), make()
        both, moved = make_following(kept, ada), make_following(gone, bob)
        make_following(gone, ada)
        stays = make_following(other, ada)
        type(gone).objects.filter(pk=gone.pk).update(merged_into=kept)
        follow_merges()
        kind = type(gone)._meta.model_name
        found = Following.objects.filter(**{f"{kind}__isnull": False}).order_by("pk")
        assert [(one.pk, one.thing) for one in found] == [(both.pk, kept), (moved.pk, kept), (stays.pk, other)]


def test_digests_are_written_for_those_who_are_due_and_only_where_something_changed():
    board, other = make_board(), make_board()
    ada, bob, eve = make_person("ada"), make_person("bob"), make_person("eve")
    for thing, person in ((board, ada), (board, bob), (other, eve)):
        make_following(thing, person)
    Following.objects.filter(user=bob).update(every="never")
    now = timezone.now() + timedelta(days=2)
    Following.objects.update(told_entry=Entry.objects.order_by("-pk")[0].pk)
    make_run(board, "0.9")
    assert compose_digests(now=now) == 1
    (written,) = Digest.objects.all()
    assert (written.user, written.site, written.subject) == (ada, "http://testserver", f"What changed: {board}")
    last = Entry.objects.order_by("-pk")[0].pk
    assert set(Following.objects.exclude(user=bob).values_list("told_entry", "told_on")) == {(last, digest_day(now))}
    assert compose_digests(now=now) == 0
    assert compose_digests(now=now + timedelta(days=1)) == 0
