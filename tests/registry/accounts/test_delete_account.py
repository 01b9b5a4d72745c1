"""Deleting an account: nothing personal stays, and nothing public is lost."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client

from registry.accounts.models import ApiToken
from registry.accounts.services import create_token, delete_account
from registry.catalog.services import appoint_curator
from tests.registry import factory
from tests.registry.accounts.people import browser_of, is_signed_in, make_administrator, make_person, sign_in
from tests.registry.accounts.test_second_factor import set_up

PAGE = "/accounts/delete/"


@pytest.fixture
def ada():
    return make_person(full_name="Ada Lovelace")


def delete(client, username="ada"):
    return client.post(PAGE, {"username": username})


def test_the_account_is_nobodys(ada):
    client = browser_of(ada)
    elsewhere = browser_of(ada)
    assert b"Your account is deleted" in delete(client).content
    ada.refresh_from_db()
    assert (ada.username, ada.public_name) == (f"former-contributor-{ada.pk}", "former contributor")
    assert (ada.email, ada.full_name, ada.is_active, ada.last_login) == ("", "", False, None)
    assert not ada.has_usable_password()
    assert not is_signed_in(client)
    assert not is_signed_in(elsewhere)
    assert sign_in(Client()).status_code == 200


def test_no_table_keeps_the_name_or_the_address(ada):
    """Everything somebody can leave here, and then a look into every column of every table."""
    client = browser_of(ada)
    set_up(client)
    SocialAccount.objects.create(user=ada, provider="orcid", uid="0000-0002-1825-0097")
    create_token(user=ada, name="token of Lovelace", scopes=["read"], days=3)
    appoint_curator(collection=factory.make_collection(), user=ada, actor=ada, reason="")
    ada.refresh_from_db()
    assert ada.orcid == "0000-0002-1825-0097"
    delete(client)
    dump = ""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            dump += str(cursor.fetchall())
    for trace in ("ada@example.org", "Lovelace", "0000-0002-1825-0097", "'ada'"):
        assert trace not in dump
    for model in (ApiToken, Authenticator, SocialAccount, EmailAddress):
        assert not model.objects.filter(user=ada).exists()
    assert not ada.curated.exists()


def test_what_is_of_others_stays(ada):
    grace, group, permission = make_person("grace"), Group.objects.create(name="g"), Permission.objects.first()
    for person in (ada, grace):
        create_token(user=person, name="nightly", scopes=["read"], days=3)
        SocialAccount.objects.create(user=person, provider="github", uid=person.username)
        Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={})
        person.groups.add(group)
        person.user_permissions.add(permission)
    delete_account(user=ada)
    kinds = (ApiToken, SocialAccount, Authenticator, EmailAddress)
    assert [[row.user for row in kind.objects.all()] for kind in kinds] == [[grace]] * len(kinds)
    assert [[*person.groups.all(), *person.user_permissions.all()] for person in (ada, grace)] == [
        [],
        [group, permission],
    ]


def test_it_takes_the_user_name(ada):
    client = browser_of(ada)
    assert client.get(PAGE).status_code == 200
    for wrong in ("", "grace", "ADA"):
        assert delete(client, wrong).context["form"].errors["username"]
    ada.refresh_from_db()
    assert ada.deleted_at is None


def test_the_last_administrator_stays():
    root = make_administrator()
    assert b"There is no other administrator." in delete(browser_of(root), "root").content
    root.refresh_from_db()
    assert root.deleted_at is None
