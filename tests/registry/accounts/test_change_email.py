"""Another email address: it takes the place of the old one once it is verified."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from tests.registry.accounts.people import link_in_last_mail, make_person, sign_in


def change(client, email="lovelace@example.org", action="action_add"):
    return client.post("/accounts/email/", {"email": email, action: ""})


def test_nothing_changes_before_the_link_is_followed_which_changes_it_and_tells_the_old_address(signed_in, ada):
    assert change(signed_in).status_code == 302
    assert mail.outbox[-1].to == ["lovelace@example.org"]
    assert sign_in(Client()).status_code == 302
    assert sign_in(Client(), "lovelace@example.org")["Location"] == "/accounts/confirm-email/"
    signed_in.post(link_in_last_mail())
    ada.refresh_from_db()
    assert ada.email == "lovelace@example.org"
    assert set(EmailAddress.objects.values_list("email", "verified")) == {("lovelace@example.org", True)}
    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (
        ["ada@example.org"],
        "[Plumbline] Your email address was changed",
    )
    assert sign_in(Client()).status_code == 200
    assert sign_in(Client(), "lovelace@example.org").status_code == 302


def test_the_address_of_somebody_else_is_not_taken_and_not_told(signed_in, ada):
    make_person("grace")
    assert change(signed_in, "grace@example.org").status_code == 302
    link = link_in_last_mail()
    assert b"belongs to another account" in signed_in.get(link).content
    signed_in.post(link)
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"


@pytest.mark.parametrize("email", ["", "lovelace", "ada@example.org", "a" * 300 + "@example.org"])
def test_what_is_no_other_address_is_refused(signed_in, email):
    assert change(signed_in, email).context["form"].errors["email"]
    assert mail.outbox == []


def test_a_sixth_address_in_a_day_waits(signed_in):
    statuses = [change(signed_in, f"lovelace{number}@example.org").status_code for number in range(6)]
    assert statuses == [302] * 5 + [429]
