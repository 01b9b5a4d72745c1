"""Forgetting a password, changing it, and having none."""

from django.core import mail
from django.test import Client

from tests.registry.accounts.people import (
    OTHER_PASSWORD,
    PASSWORD,
    browser_of,
    is_signed_in,
    link_in_last_mail,
    make_person,
    sign_in,
)


def ask(client, email="ada@example.org"):
    return client.post("/accounts/password/reset/", {"email": email})


def follow(client, link, password=OTHER_PASSWORD):
    form = client.get(link)["Location"]
    return client.post(form, {"password1": password, "password2": password})


def test_a_link_sets_a_new_password_once(client):
    make_person()
    assert ask(client)["Location"] == "/accounts/password/reset/done/"
    assert mail.outbox[0].to == ["ada@example.org"]
    link = link_in_last_mail()
    assert client.get(link)["Location"].endswith("-set-password/"), "the key does not stay in the address"
    assert follow(client, link).status_code == 302
    assert not is_signed_in(client)
    assert sign_in(Client()).status_code == 200
    assert sign_in(client, password=OTHER_PASSWORD).status_code == 302
    assert b"This link does not work any more" in Client().get(link).content


def test_a_link_ends_when_somebody_signs_in(client):
    ada = make_person()
    ask(client)
    link = link_in_last_mail()
    browser_of(ada)
    assert b"This link does not work any more" in client.get(link).content


def test_whether_an_address_has_an_account_is_not_told(client):
    make_person()
    known, unknown = ask(client), ask(client, "grace@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"], ["grace@example.org"]]
    assert mail.outbox[1].subject == "[Plumbline] No account with this address"


def test_a_sixth_link_in_a_day_waits():
    make_person()
    answers = [ask(Client(REMOTE_ADDR=f"192.0.2.{number}")) for number in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) > 4 * 3600
    assert len(mail.outbox) == 5


def test_changing_it_keeps_this_session_and_ends_the_others():
    ada = make_person()
    here, elsewhere = browser_of(ada), browser_of(ada)
    form = {"oldpassword": PASSWORD, "password1": OTHER_PASSWORD, "password2": OTHER_PASSWORD}
    assert here.post("/accounts/password/change/", form)["Location"] == "/accounts/"
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert mail.outbox[-1].subject == "[Plumbline] Your password was changed"


def test_who_has_none_sets_one(client):
    ada = make_person()
    ada.set_unusable_password()
    ada.save()
    client.force_login(ada)
    assert client.get("/accounts/password/change/")["Location"] == "/accounts/password/set/"
    new = {"password1": OTHER_PASSWORD, "password2": OTHER_PASSWORD}
    assert client.post("/accounts/password/set/", new).status_code == 302
    assert sign_in(Client(), password=OTHER_PASSWORD).status_code == 302
