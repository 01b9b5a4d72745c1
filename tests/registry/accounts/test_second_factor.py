"""Codes from an app, and recovery codes."""

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.test import Client

from tests.registry.accounts.people import PASSWORD, browser_of, is_signed_in, sign_in
from tests.registry.keeping import forget_kept_answers


def code_for(secret: str) -> str:
    """Return what an app shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def set_up(client) -> tuple[str, list[str]]:
    """Set a second factor up; return its key and its recovery codes."""
    secret = client.get("/accounts/2fa/totp/activate/").context["form"].secret
    response = client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    codes = client.get(response["Location"]).context["unused_codes"]
    # Another thirty seconds, as far as the note of used codes is concerned.
    forget_kept_answers()
    return secret, codes


def enter(client, code):
    return client.post("/accounts/2fa/authenticate/", {"code": code})


@pytest.fixture
def protected(ada):
    """The key and recovery codes of somebody who has a second factor."""
    return set_up(browser_of(ada))


@pytest.mark.parametrize(("seconds", "is_right"), [(-60, False), (-30, True), (30, True), (60, False)])
def test_a_phone_whose_clock_is_half_a_minute_off_is_understood(protected, client, monkeypatch, seconds, is_right):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    code = code_for(protected[0])
    monkeypatch.setattr(time, "time", lambda: now)
    sign_in(client)
    enter(client, code)
    assert is_signed_in(client) == is_right


@pytest.mark.parametrize("code_of", [lambda secret, _: code_for(secret), lambda _, codes: codes[0]])
def test_a_code_works_once(protected, code_of):
    code = code_of(*protected)
    first, second = Client(), Client()
    sign_in(first)
    sign_in(second)
    assert enter(first, code).status_code == 302
    assert is_signed_in(first)
    assert enter(second, code).status_code == 200
    assert not is_signed_in(second)


def test_a_sixth_code_in_five_minutes_waits(protected):
    statuses = []
    for number in range(6):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        sign_in(client)
        statuses.append(enter(client, "000000").status_code)
    assert statuses == [200] * 5 + [429]
    sign_in(client)
    assert enter(client, code_for(protected[0])).status_code == 429


def test_the_key_is_encrypted_in_the_database(protected):
    secret, codes = protected
    stored = " ".join(map(str, Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert codes[0] not in stored


def test_a_lost_key_of_the_site_is_told(protected, client, settings):
    settings.SECRET_KEY = "another key of the site, which is long enough, and quite new"
    sign_in(client)
    for code in (code_for(protected[0]), protected[1][0]):
        answer = enter(client, code)
        assert answer.status_code == 200
        assert "An administrator can take the factor away." in answer.content.decode()
    assert not is_signed_in(client)


@pytest.mark.parametrize("page", ["recovery-codes/", "recovery-codes/generate/"])
def test_recovery_codes_of_a_lost_key_are_told(ada, settings, page):
    client = browser_of(ada)
    set_up(client)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the site, which is long enough, and quite new"
    assert client.get(f"/accounts/2fa/{page}").status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    answer = client.get(f"/accounts/2fa/{page}")
    assert answer.status_code == 503
    assert "add that key to SECRET_KEY_FALLBACKS" in answer.content.decode()


def test_setting_it_up_takes_certainty_and_the_right_code(ada):
    uncertain = browser_of(ada, is_certain=False)
    assert uncertain.get("/accounts/2fa/totp/activate/")["Location"].startswith("/accounts/reauthenticate/")
    client = browser_of(ada)
    client.get("/accounts/2fa/totp/activate/")
    assert client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()


def test_removing_it_takes_certainty(protected, ada):
    client = Client()
    sign_in(client)
    enter(client, code_for(protected[0]))
    assert "reauthenticate" in client.post("/accounts/2fa/totp/deactivate/")["Location"]
    assert Authenticator.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/"})
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    assert mail.outbox[-1].subject == "[Plumbline] The second factor was removed"


def test_resetting_the_password_does_not_get_around_it(protected, client):
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    assert sign_in(client)["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(client)
