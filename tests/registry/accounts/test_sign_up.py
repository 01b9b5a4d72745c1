"""Making an account: a name, an address, a password, and a link that proves the address."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from registry.accounts.models import User
from tests.registry.accounts.people import PASSWORD, is_signed_in, link_in_last_mail, make_person, sign_in

SENT = "/accounts/confirm-email/"


def sign_up(client, **fields):
    form = {"username": "ada", "email": "ada@example.org", "password1": PASSWORD} | fields
    return client.post("/accounts/signup/", form)


def errors_of(response):
    return dict(response.context["form"].errors)


def test_the_link_in_the_mail_finishes_it(client):
    assert sign_up(client)["Location"] == SENT
    assert mail.outbox[0].to == ["ada@example.org"]
    link = link_in_last_mail()
    assert b"Is ada@example.org the address of ada?" in client.get(link).content
    assert client.post(link).status_code == 302
    assert EmailAddress.objects.get(email="ada@example.org").verified
    assert is_signed_in(client)


def test_a_link_works_once(client):
    sign_up(client)
    link = link_in_last_mail()
    client.post(link)
    assert b"This link does not work any more" in client.get(link).content
    assert client.post(link).status_code == 404


def test_whether_an_address_has_an_account_is_not_told(client):
    """The same answer, and the owner of the address learns by mail what happened."""
    make_person()
    taken, free = sign_up(client, username="lovelace"), sign_up(Client(), email="grace@example.org", username="grace")
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert client.get(SENT).content.count(b"<h1>") == 1
    known, verified = mail.outbox
    assert (known.to, known.subject) == (["ada@example.org"], "[Plumbline] You have an account")
    assert verified.subject == "[Plumbline] Verify your email address"
    assert not User.objects.filter(username="lovelace").exists()


def test_a_taken_address_takes_as_long_as_a_free_one(client, monkeypatch):
    """Hashing the password is what takes long, so it is done for both."""
    hashed = []
    monkeypatch.setattr("registry.accounts.forms.make_password", hashed.append)
    make_person()
    sign_up(client, username="lovelace")
    assert hashed == [PASSWORD]


def test_a_taken_user_name_is_refused_in_any_case(client):
    make_person("ada")
    assert errors_of(sign_up(client, username="ADA", email="else@example.org")) == {
        "username": ["This user name is taken."]
    }


ODD = ["", "a", "a b", "ada@example.org", "аda", "ada\u200b", "a" * 41, "x" * 10_000, "-ada", "ada-", "<b>", "ada\x00a"]


@pytest.mark.parametrize("name", [*ODD, "registry", "Admin", "former-contributor-7"])
def test_names_that_others_could_not_tell_apart_or_that_mean_something_are_refused(client, name):
    response = sign_up(client, username=name)
    assert "username" in errors_of(response)
    assert response.status_code == 200
    assert not User.objects.exists()


def test_an_unverified_claim_does_not_keep_the_owner_out(client):
    """Somebody signed up with an address that is not theirs; its owner gets the account by proving the address."""
    sign_up(client, username="squatter")
    owner = make_person("grace", email="grace@example.org")
    browser = Client()
    sign_in(browser, "grace@example.org")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/"})
    browser.post("/accounts/email/", {"action_add": "", "email": "ada@example.org"})
    browser.post(link_in_last_mail())
    owner.refresh_from_db()
    assert owner.email == "ada@example.org"
    assert not User.objects.filter(username="squatter").exists()


def test_a_sixth_mail_to_one_address_in_a_day_waits(client):
    for number in range(5):
        assert sign_up(Client(REMOTE_ADDR=f"192.0.2.{number}"), username=f"ada{number}").status_code == 302
    response = sign_up(Client(REMOTE_ADDR="192.0.2.9"), username="ada9")
    assert response.status_code == 429
    assert 4 * 3600 < int(response["Retry-After"]) <= 5 * 3600
    assert b"Try again in 5 hours." in response.content
    assert len(mail.outbox) == 5


@pytest.mark.parametrize("password", ["", "short", "eleven char", "password12345", "ada@example.org"])
def test_weak_passwords_are_refused(client, password):
    assert "password1" in errors_of(sign_up(client, password1=password))


def test_a_form_from_another_site_is_refused():
    response = sign_up(Client(enforce_csrf_checks=True))
    assert response.status_code == 403
    assert b"Send it again" in response.content
    assert not User.objects.exists()
