"""What mails say, where their links lead, and what happens when they cannot be sent."""

import smtplib

import pytest
from django.core import mail

from registry.accounts.models import User
from tests.registry.accounts.people import sign_in
from tests.registry.accounts.test_sign_up import sign_up


class DeadServer:
    """A mail server that nobody reaches."""

    def __init__(self, error):
        self.error = error

    def send_messages(self, messages):
        raise self.error


@pytest.fixture(
    params=[ConnectionRefusedError("refused"), TimeoutError("silent"), smtplib.SMTPRecipientsRefused({})], ids=repr
)
def no_server(request, monkeypatch):
    monkeypatch.setattr(mail, "get_connection", lambda **options: DeadServer(request.param))


def test_links_lead_to_the_site_as_it_is_configured(client, settings):
    settings.SITE_URL = "https://plumbline.example.org"
    sign_up(client)
    assert "\nhttps://plumbline.example.org/accounts/confirm-email/" in mail.outbox[0].body
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    assert "\nhttps://plumbline.example.org/accounts/password/reset/key/" in mail.outbox[1].body


def test_a_foreign_host_gets_no_mail(client):
    response = client.post("/accounts/password/reset/", {"email": "ada@example.org"}, headers={"host": "evil.example"})
    assert response.status_code == 400
    assert mail.outbox == []


def test_a_sign_up_without_mail_is_said_and_kept(client, no_server):
    response = sign_up(client)
    assert response.status_code == 503
    assert response["Retry-After"] == "60"
    assert b"The mail could not be sent." in response.content
    assert User.objects.filter(username="ada").exists()


def test_the_mail_is_sent_once_the_server_is_back(client, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(mail, "get_connection", lambda **options: DeadServer(OSError()))
        sign_up(client)
    assert sign_in(client)["Location"] == "/accounts/confirm-email/"
    assert len(mail.outbox) == 1
