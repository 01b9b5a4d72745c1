"""What whoever runs the site does on the server, and what runs by itself."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from registry.accounts.models import User
from registry.accounts.services import prune
from tests.registry import factory
from tests.registry.accounts.people import make_administrator, make_person, sign_in
from tests.registry.accounts.test_sign_up import sign_up

EIGHT_DAYS = timedelta(days=8)


@pytest.mark.parametrize("name", ["ada", "ADA", "ada@example.org"])
def test_verify_email_opens_the_account(capsys, name):
    sign_up(Client())
    call_command("account", name, verify_email=True)
    assert capsys.readouterr().out == "ada@example.org is verified; ada can sign in.\n"
    assert sign_in(Client())["Location"] == "/"
    call_command("account", name, verify_email=True)


def test_a_superuser_of_the_command_line_can_sign_in():
    call_command("createsuperuser", username="root", email="Root@Example.org", interactive=False)
    root = User.objects.get()
    root.set_password("as long as a winter night")
    root.save()
    assert sign_in(Client(), "root@example.org")["Location"] == "/accounts/confirm-email/"
    call_command("account", "root", verify_email=True)
    assert sign_in(Client(), "root@example.org")["Location"] == "/"


def test_verify_email_says_what_is_wrong():
    factory.make_user("ada")
    with pytest.raises(CommandError, match="'nobody'"):
        call_command("account", "nobody", verify_email=True)
    with pytest.raises(CommandError, match="Say what to change"):
        call_command("account", "ada")
    with pytest.raises(CommandError, match="ada has no email address"):
        call_command("account", "ada", verify_email=True)


def test_set_role_keeps_the_last_administrator():
    make_administrator()
    with pytest.raises(CommandError, match="There is no other administrator"):
        call_command("account", "root", role="contributor")


def test_sign_ups_that_nobody_verified_are_forgotten():
    sign_up(Client())
    prune()
    assert User.objects.filter(username="ada").exists()
    User.objects.update(date_joined=timezone.now() - EIGHT_DAYS)
    people = [make_person("verified"), make_administrator(), factory.make_user("editor", is_editor=True)]
    factory.make_entry(actor=factory.make_user("contributor"))
    User.objects.update(date_joined=timezone.now() - EIGHT_DAYS)
    prune()
    assert not User.objects.filter(username="ada").exists()
    assert User.objects.count() == len(people) + 1


def test_sessions_that_ended_are_forgotten(client):
    make_person()
    sign_in(client)
    sign_in(Client())
    ended = Session.objects.first()
    Session.objects.filter(pk=ended.pk).update(expire_date=timezone.now() - timedelta(seconds=1))
    prune()
    assert Session.objects.count() == 1
