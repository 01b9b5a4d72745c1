"""Ending digests by the link in them, without signing in (RFC 8058)."""

import re
from email import message_from_bytes, policy

import pytest
from django.core import mail
from django.test import Client

from registry.following.access import read_stop_token, stop_token
from registry.following.digests import compose_digests
from registry.following.models import Digest, Following
from registry.following.services import stop_digests
from tests.registry.accounts.people import make_person
from tests.registry.factory import make_result, make_system, make_user
from tests.registry.following.world import digests, later, make_following, send_all
from tests.registry.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    user = make_person()
    system = make_system("BM25")
    make_following(system, user)
    make_result(system=system)
    return user


def link(message) -> str:
    header = message.extra_headers["List-Unsubscribe"]
    assert (header[0], header[-1]) == ("<", ">")
    return header[1:-1].removeprefix("http://testserver")


def test_they_are_ended_whole_or_not_at_all(ada, monkeypatch):
    def fail(*_):
        raise InterruptedError

    monkeypatch.setattr(Digest.objects, "waiting", fail)
    with pytest.raises(InterruptedError):
        stop_digests(user_id=ada.pk)
    assert Following.objects.get().every != "never"


def test_mail_programs_end_them_with_one_post(ada):
    (message,) = digests()
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    # Each is signed when it is written: the text before the mail is sent.
    (told,) = re.findall(
        r"^Stop all of these mails: http://testserver(/following/stop/\S+)$", message.body, re.MULTILINE
    )
    for address in (told, link(message)):
        assert read_stop_token(address.removeprefix("/following/stop/").rstrip("/")) == ada.pk
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(link(message), {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert set(Following.objects.filter(user=ada).values_list("every", flat=True)) == {"never"}
    make_result(system=Following.objects.get().system)
    assert digests(3) == []


def test_the_headers_survive_the_way_to_the_mail_server(ada):
    (message,) = digests()
    sent = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    assert sent["List-Unsubscribe"].strip() == message.extra_headers["List-Unsubscribe"]
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent["Message-ID"] == message.extra_headers["Message-ID"]
    assert max(map(len, message.message().as_bytes().splitlines())) < 998


def test_opening_the_link_changes_nothing_before_the_button(ada, client):
    (message,) = digests()
    page = read(client, link(message))
    assert page.headings[0] == (1, "Stop all digests?")
    assert Following.objects.get().every == "day"
    assert [one["method"] for one in page.of("form") if "action" not in one] == ["post"]
    assert b"No more digests" in client.post(link(message)).content
    assert Following.objects.get().every == "never"


def test_what_waits_is_not_sent_either(ada, client):
    compose_digests(now=later())
    client.post(f"/following/stop/{stop_token(ada.pk)}/")
    send_all()
    assert mail.outbox == []
    assert Digest.objects.get().state == "dropped"


def test_it_ends_only_the_digests_of_its_owner(ada, client):
    of_other = make_following(make_system(), make_user())
    client.post(f"/following/stop/{stop_token(ada.pk)}/")
    of_other.refresh_from_db()
    assert of_other.every == "day"


def test_twice_does_no_harm(ada, client):
    path = f"/following/stop/{stop_token(ada.pk)}/"
    assert [client.post(path).status_code for _ in range(2)] == [200, 200]


def test_of_a_deleted_account_it_still_answers(client):
    assert client.post(f"/following/stop/{stop_token(999_999)}/").status_code == 200


@pytest.mark.parametrize("token", ["1", "MQ:1:x", "a.b.c"])
def test_a_link_that_nobody_signed_is_404(ada, client, token):
    assert client.post(f"/following/stop/{token}/").status_code == 404
    assert "This link is not complete." in read(client, f"/following/stop/{token}/", status=404).text
    assert Following.objects.get().every == "day"
