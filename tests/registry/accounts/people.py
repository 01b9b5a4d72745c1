"""People for tests, who have verified addresses, passwords, and browsers that are signed in."""

import re
from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from registry.accounts.models import User
from tests.registry import factory

PASSWORD = "as long as a winter night"
OTHER_PASSWORD = "as short as a summer night"


def make_person(username: str = "ada", **fields: Any) -> User:
    """Make somebody whose address is verified: ada@example.org."""
    email = fields.pop("email", f"{username}@example.org")
    user = factory.make_user(username, email=email, password=PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def make_administrator(username: str = "root", **fields: Any) -> User:
    return make_person(username, is_staff=True, is_superuser=True, **fields)


def sign_in(client: Client, email: str = "ada@example.org", password: str = PASSWORD, **extra: Any) -> HttpResponse:
    """Return what the form answers."""
    return client.post("/accounts/login/", {"login": email, "password": password}, **extra)


def browser_of(user: User, *, is_certain: bool = True) -> Client:
    """Return a browser in which somebody is signed in, and a moment ago told the password again."""
    client = Client()
    assert sign_in(client, user.email).status_code == 302
    if is_certain:
        response = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/"})
        assert response.status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def link_in_last_mail() -> str:
    """Return the path of the first link in the last mail that was sent."""
    (path,) = re.findall(r"^http://testserver(/\S+)$", str(mail.outbox[-1].body), flags=re.MULTILINE)[:1]
    return str(path)
