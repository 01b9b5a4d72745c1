"""Tokens on the page: made, shown once, listed, revoked."""

import hashlib
import logging

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction

from analysis.readers.rejections import Refused
from registry.accounts.models import ApiToken
from registry.accounts.services import create_token
from tests.registry.accounts.people import browser_of, make_person

PAGE = "/accounts/tokens/"


def make(client, **fields):
    return client.post(PAGE, {"name": "nightly evaluation", "scopes": ["submit", "read"], "days": "30"} | fields)


def secret_of(response) -> str:
    return str(response.context["new"].secret)


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


def test_twenty_live_ones_are_enough(ada):
    for number in range(20):
        create_token(user=ada, name=f"token {number}", scopes=["read"], days=1)
    signed_in = browser_of(ada)
    response = make(signed_in)
    assert b"You have 20 tokens. Revoke one first." in response.content
    assert ada.api_tokens.count() == 20
