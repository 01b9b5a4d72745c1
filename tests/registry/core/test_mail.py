"""Mail that is kept instead of sent; what the variables say of sending it, of its links, and of whom to ask."""

import re
from pathlib import Path
from smtplib import SMTPRecipientsRefused
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage, get_connection

from registry.core.env import env_address, env_contact, env_login, env_mail
from registry.core.mail import NotSent, deliver

TEMPLATES = Path(__file__).parents[3] / "templates"


def send(body="Hello\n\nhttp://testserver/accounts/confirm-email/MQ:key/\n"):
    connection = get_connection("registry.core.mail.KeptMail")
    return connection.send_messages([EmailMessage("Verify", body, "from@example.org", ["ada@example.org"])])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://ada:p%40ss@mail.example.org", ("mail.example.org", 587, "ada", "p@ss", True, False)),
        ("smtp://ada:pass@mail.example.org:2525", ("mail.example.org", 2525, "ada", "pass", True, False)),
        ("smtps://ada:pass@mail.example.org", ("mail.example.org", 465, "ada", "pass", False, True)),
        ("smtp+plain://localhost", ("localhost", 25, "", "", False, False)),
        ("smtp+plain://localhost/", ("localhost", 25, "", "", False, False)),
    ],
)
def test_the_variable_says_how_to_send(monkeypatch, url, expected):
    monkeypatch.setenv("EMAIL_URL", url)
    settings = env_mail("EMAIL_URL")
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    assert tuple(settings[f"EMAIL_{name}"] for name in names) == expected
    assert settings["EMAIL_TIMEOUT"] == 10


def test_without_it_mail_is_kept(monkeypatch):
    monkeypatch.delenv("EMAIL_URL", raising=False)
    assert env_mail("EMAIL_URL") == {"EMAIL_BACKEND": "registry.core.mail.KeptMail"}


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org",
        "http://mail.example.org",
        "smtp://",
        "smtp://ada@mail.example.org",
        "smtp://:secret@mail.example.org",
        "smtp://mail.example.org:x",
        "smtp://mail.example.org:99999",
        "smtp://mail.example.org/path",
        "smtp://mail.example.org?tls=no",
        "smtp://mail.example.org#tls",
        "smtp://[mail",
    ],
)
def test_a_wrong_value_stops_the_process_without_repeating_it(monkeypatch, url):
    monkeypatch.setenv("EMAIL_URL", url)
    with pytest.raises(ImproperlyConfigured, match=r"EMAIL_URL must look like smtp://") as stopped:
        env_mail("EMAIL_URL")
    assert "secret" not in str(stopped.value)


def test_a_login_service_needs_both_its_values(monkeypatch):
    monkeypatch.delenv("PLUMBLINE_TEST_CLIENT_ID", raising=False)
    assert env_login("PLUMBLINE_TEST_CLIENT_ID", "") == {}
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_TEST_CLIENT_ID"):
        env_login("PLUMBLINE_TEST_CLIENT_ID", "secret")
    monkeypatch.setenv("PLUMBLINE_TEST_CLIENT_ID", "APP-1")
    assert env_login("PLUMBLINE_TEST_CLIENT_ID", "secret") == {"client_id": "APP-1", "secret": "secret"}
    with pytest.raises(ImproperlyConfigured, match="must be set together"):
        env_login("PLUMBLINE_TEST_CLIENT_ID", "")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", ""),
        ("https://plumbline.example.org/", "https://plumbline.example.org"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_the_address_of_the_site_is_read(monkeypatch, text, address):
    monkeypatch.setenv("PLUMBLINE_TEST_ADDRESS", text)
    assert env_address("PLUMBLINE_TEST_ADDRESS") == address


@pytest.mark.parametrize(
    "text",
    [
        "plumbline.example.org",
        "ftp://example.org",
        "https://",
        "https://example.org/registry",
        "https://a:b@example.org",
        "https://example.org:port",
        "https://example.org?x=1",
        "https://exa mple.org",
    ],
)
def test_an_address_that_no_link_can_begin_with_stops_the_process(monkeypatch, text):
    monkeypatch.setenv("PLUMBLINE_TEST_ADDRESS", text)
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_TEST_ADDRESS must look like https://"):
        env_address("PLUMBLINE_TEST_ADDRESS")


@pytest.mark.parametrize("text", ["javascript:alert(1)", "call us", "http://example.org"])
def test_a_contact_that_leads_nowhere_is_refused(monkeypatch, text):
    monkeypatch.setenv("PLUMBLINE_CONTACT", text)
    with pytest.raises(ImproperlyConfigured, match="PLUMBLINE_CONTACT must be an email address"):
        env_contact("PLUMBLINE_CONTACT")


def test_links_of_mails_are_whole_addresses():
    """Whoever reads a mail is on no page, from which a path would lead on."""
    mails = [*TEMPLATES.glob("*/email/*.txt"), *TEMPLATES.glob("*/*_mail.txt")]
    links = [
        (path.name, before)
        for path in mails
        for before in re.findall(r"(.{0,10})(?:{% url |{{ \w+\.(?:get_absolute_url|path) }})", path.read_text())
    ]
    assert len(links) >= 4
    assert [link for link in links if not link[1].endswith("{{ site }}")] == []


def test_an_address_that_is_refused_for_good_is_told_from_one_that_may_be_taken_later(caplog):
    def refusing(*codes: int) -> Any:
        def send() -> None:
            raise SMTPRecipientsRefused({f"{place}@example.org": (code, b"no") for place, code in enumerate(codes)})

        return SimpleNamespace(send=send)

    assert deliver(SimpleNamespace(send=lambda: 1))
    assert caplog.messages == []
    for codes in ((500,), (550, 599)):
        caplog.clear()
        assert not deliver(refusing(*codes))
        assert caplog.messages == [f"the mail server refuses an address for good: {list(codes)}"]
    for codes in ((), (450,), (550, 450), (499,), (600,)):
        with pytest.raises(SMTPRecipientsRefused):
            deliver(refusing(*codes))
    assert (NotSent().status, NotSent().retry_after) == (503, 60)
