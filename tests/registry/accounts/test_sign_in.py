"""Signing in and out: who gets in, what is told to the others, and how often one may try."""

import pytest
from django.test import Client
from django.urls import reverse

from registry import settings as project_settings
from registry.accounts.models import User
from registry.core.limits import LIMITS
from tests.registry.accounts.people import PASSWORD, browser_of, is_signed_in, make_person, sign_in

WRONG = b"The email address or the password is wrong."


@pytest.fixture
def checked(monkeypatch):
    """The passwords that were compared with a hash, which is what costs."""
    passwords = []
    compare = User.check_password

    def note(user, password):
        passwords.append(password)
        return compare(user, password)

    monkeypatch.setattr(User, "check_password", note)
    return passwords


def test_the_right_password_opens_the_account(client):
    make_person()
    response = sign_in(client)
    assert response["Location"] == reverse("home:home")
    assert b'<a href="/accounts/" title="ada">ada</a>' in client.get("/").content


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client):
    make_person()
    wrong = sign_in(client, password="something else altogether")
    unknown = sign_in(client, email="grace@example.org")
    assert (wrong.status_code, unknown.status_code) == (200, 200)
    assert WRONG in wrong.content
    assert WRONG in unknown.content
    assert b"something else" not in wrong.content


def test_an_unknown_address_takes_as_long_as_a_wrong_password(client, monkeypatch):
    hashed = []
    monkeypatch.setattr(User, "set_password", lambda user, password: hashed.append(password))
    sign_in(client, email="grace@example.org")
    assert hashed == [PASSWORD]


def test_a_suspended_account_is_told_so_only_with_its_password(client):
    make_person(is_active=False)
    assert WRONG in sign_in(client, password="something else altogether").content
    assert sign_in(client)["Location"] == "/accounts/inactive/"
    assert not is_signed_in(client)


def test_suspending_ends_sessions_at_once(client):
    ada = make_person()
    sign_in(client)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("target", "ends_at"),
    [
        ("/collections/", "/collections/"),
        ("https://example.org/", "/"),
        ("//example.org/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\\example.org", "/"),
    ],
)
def test_it_returns_to_where_one_was_but_not_to_other_sites(client, target, ends_at):
    make_person()
    response = client.post("/accounts/login/", {"login": "ada@example.org", "password": PASSWORD, "next": target})
    assert response["Location"] == ends_at


@pytest.mark.parametrize("addresses", [["192.0.2.0"] * 14, [f"192.0.2.{n}" for n in range(14)]], ids=["one", "any"])
def test_ten_wrong_passwords_for_an_account_in_five_minutes(checked, addresses):
    make_person()
    clients = [Client(REMOTE_ADDR=address) for address in addresses]
    answers = [sign_in(client, password=f"guess number {number}") for number, client in enumerate(clients[:13])]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 3
    assert len(checked) == 10
    assert 0 < int(answers[-1]["Retry-After"]) <= 30
    assert b"Try again in" in answers[-1].content
    assert sign_in(clients[13]).status_code == 429


def test_right_passwords_do_not_count(monkeypatch):
    """More people in one room, behind one address, than may be wrong there."""
    for name in [name for name in LIMITS if name.startswith("login")]:
        monkeypatch.setitem(LIMITS, name, (3, 300))
    people = [make_person(f"student{number}") for number in range(5)]
    assert {sign_in(Client(), person.email).status_code for person in people} == {302}


def test_guessing_from_all_of_an_ipv6_network_is_guessing_from_one_address():
    answers = [
        sign_in(Client(REMOTE_ADDR=f"2001:db8:1:{number:x}::1"), f"user{number}@example.org").status_code
        for number in range(11)
    ]
    assert answers == [200] * 10 + [429]


def test_behind_a_proxy_visitors_are_told_apart(client, settings):
    settings.TRUSTED_PROXIES = 1
    make_person()
    answers = [
        sign_in(client, email=f"user{number}@example.org", headers={"x-forwarded-for": f"192.0.2.{number}"})
        for number in range(11)
    ]
    assert {answer.status_code for answer in answers} == {200}


def test_signing_out_takes_a_post(client):
    make_person()
    sign_in(client)
    assert client.get("/accounts/logout/").status_code == 200
    assert is_signed_in(client)
    assert client.post("/accounts/logout/").status_code == 302
    assert not is_signed_in(client)


def test_signing_out_everywhere_ends_ones_own_sessions():
    ada = make_person()
    here, elsewhere, other = browser_of(ada), browser_of(ada), browser_of(make_person("grace"))
    assert here.get("/accounts/sessions/end/").status_code == 405
    assert here.post("/accounts/sessions/end/")["Location"] == "/accounts/login/"
    assert [is_signed_in(client) for client in (here, elsewhere, other)] == [False, False, True]
    assert Client().post("/accounts/sessions/end/").status_code == 403


def test_the_admin_has_no_login_of_its_own(client):
    response = client.get("/admin/login/", {"next": "/admin/"})
    assert response["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    assert client.post("/admin/login/", {"username": "ada", "password": PASSWORD})["Location"] == "/accounts/login/"


def test_argon2_is_installed(settings):
    settings.PASSWORD_HASHERS = project_settings.PASSWORD_HASHERS
    ada = make_person()
    assert ada.password.startswith("argon2$argon2id$")
    assert sign_in(Client()).status_code == 302
