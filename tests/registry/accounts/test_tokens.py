"""Tokens on the page: made, shown once, listed, revoked."""

import hashlib
import logging
from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from analysis.readers.rejections import Refused
from registry.accounts.models import ApiToken
from registry.accounts.services import create_token
from registry.core.limits import LIMITS
from tests.registry.accounts.people import browser_of, make_person

pytestmark = pytest.mark.django_db

PAGE = "/accounts/tokens/"


@pytest.fixture
def ada():
    return make_person()


@pytest.fixture
def signed_in(ada):
    return browser_of(ada)


def make(client, **fields):
    return client.post(PAGE, {"name": "nightly evaluation", "scopes": ["submit", "read"], "days": "30"} | fields)


def secret_of(response) -> str:
    return str(response.context["new"].secret)


def test_it_is_made_and_shown(signed_in, ada):
    response = make(signed_in)
    secret = secret_of(response)
    assert f'<code class="secret">{secret}</code>' in response.content.decode()
    token = ada.api_tokens.get()
    assert (token.name, token.scopes) == ("nightly evaluation", ["read", "submit"])
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)


def test_it_is_random_with_256_bits_and_says_what_it_is(signed_in):
    secrets = {secret_of(make(signed_in)) for _ in range(5)}
    assert len(secrets) == 5
    assert all(secret.startswith("plumb_") and len(secret) == len("plumb_") + 43 for secret in secrets)


def test_only_its_hash_is_stored(signed_in, ada, caplog):
    """A dump of every table, and the log of making it, have no trace of the secret but its first characters."""
    caplog.set_level(logging.DEBUG)
    secret = secret_of(make(signed_in))
    dump = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            dump.append(str(cursor.fetchall()))
    assert hashlib.sha256(secret.encode()).hexdigest() in "".join(dump)
    assert secret[:14] in "".join(dump)
    assert secret[:16] not in "".join(dump)
    assert secret[:16] not in caplog.text
    assert secret[:16] not in str(mail.outbox[-1].body)


def test_it_is_shown_once(signed_in):
    secret = secret_of(make(signed_in))
    page = signed_in.get(PAGE).content.decode()
    assert secret not in page
    assert secret[:14] in page


def test_the_page_that_shows_it_is_not_kept(signed_in):
    assert make(signed_in)["Cache-Control"] == "no-store"


def test_the_owner_is_told_by_mail(signed_in):
    make(signed_in)
    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (["ada@example.org"], "[Plumbline] A token was made")
    assert "It may: read, submit." in mail.outbox[-1].body


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("days", "0"),
        ("days", "366"),
        ("days", "x"),
        ("scopes", []),
        ("scopes", ["admin"]),
        ("name", ""),
        ("name", "a" * 101),
        ("name", "nightly\u202eevaluation"),
    ],
)
def test_what_it_cannot_be_is_refused_and_what_was_typed_stays(signed_in, ada, field, value):
    response = make(signed_in, **{field: value})
    assert field in response.context["form"].errors
    if field != "name":
        assert 'value="nightly evaluation"' in response.content.decode()
    assert not ada.api_tokens.exists()


def test_the_service_refuses_the_same(ada):
    for wrong in ({"days": 366}, {"days": 0}, {"scopes": []}, {"scopes": ["admin"]}):
        with pytest.raises(Refused):
            create_token(user=ada, **({"name": "x", "scopes": ["read"], "days": 1} | wrong))


def test_the_database_refuses_one_that_never_was_valid(ada):
    token = create_token(user=ada, name="x", scopes=["read"], days=1).token
    token.expires_at = token.created_at
    with pytest.raises(IntegrityError), transaction.atomic():
        token.save()


def test_it_takes_certainty(ada):
    response = make(browser_of(ada, is_certain=False))
    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert not ada.api_tokens.exists()


def test_looking_takes_none(ada):
    assert browser_of(ada, is_certain=False).get(PAGE).status_code == 200


def test_revoking_ends_it(signed_in, ada):
    make(signed_in)
    token = ada.api_tokens.get()
    assert signed_in.post(f"{PAGE}{token.pk}/revoke/")["Location"] == PAGE
    first = ada.api_tokens.get().revoked_at
    assert first is not None
    signed_in.post(f"{PAGE}{token.pk}/revoke/")
    assert ada.api_tokens.get().revoked_at == first
    assert b"revoked" in signed_in.get(PAGE).content


def test_somebody_elses_is_not_there(signed_in):
    grace = make_person("grace")
    token = create_token(user=grace, name="for Grace", scopes=["read"], days=1).token
    assert signed_in.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert ApiToken.objects.get().revoked_at is None
    assert b"for Grace" not in signed_in.get(PAGE).content


@pytest.mark.parametrize("path", ["99999/revoke/", "x/revoke/"])
def test_a_token_that_is_none_is_not_there(signed_in, path):
    assert signed_in.post(PAGE + path).status_code == 404


def test_revoking_takes_a_post(signed_in, ada):
    make(signed_in)
    assert signed_in.get(f"{PAGE}{ada.api_tokens.get().pk}/revoke/").status_code == 405
    assert ada.api_tokens.live().count() == 1


def test_twenty_live_ones_are_enough(ada):
    for number in range(20):
        create_token(user=ada, name=f"token {number}", scopes=["read"], days=1)
    signed_in = browser_of(ada)
    response = make(signed_in)
    assert b"You have 20 tokens. Revoke one first." in response.content
    assert ada.api_tokens.count() == 20


def test_one_too_many_in_a_day_waits(signed_in, ada, monkeypatch):
    assert LIMITS["token"] == (20, 86_400)
    monkeypatch.setitem(LIMITS, "token", (4, 86_400))
    statuses = []
    for _ in range(5):
        statuses.append(make(signed_in).status_code)
        ada.api_tokens.update(revoked_at=timezone.now())
    assert statuses == [200] * 4 + [429]


def test_strangers_are_sent_to_sign_in():
    assert Client().get(PAGE)["Location"] == f"/accounts/login/?next={PAGE}"
    assert Client().post(f"{PAGE}1/revoke/").status_code == 403
