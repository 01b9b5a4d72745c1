"""Settings from the environment: what is right is read, and what is wrong stops the process by its name."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.core import env
from tests.databases import ROOT

NAME = "PLUMBLINE_TRIED"


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch):
    """Sets the variable; None takes it away."""

    def set_to(text: str | None) -> None:
        if text is None:
            monkeypatch.delenv(NAME, raising=False)
        else:
            monkeypatch.setenv(NAME, text)

    return set_to


def refused(message: str):
    return pytest.raises(ImproperlyConfigured, match=f"^{NAME} must {message}")


def test_blanks_around_a_text_are_none_of_it(given):
    given("  a b ")
    assert env.env_text(NAME) == "a b"
    given(None)
    assert (env.env_text(NAME), env.env_text(NAME, "usual")) == ("", "usual")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        *[(text, True) for text in ("1", "TRUE", "yes", " on ")],
        *[(text, False) for text in ("0", "False", "no", "OFF")],
    ],
)
def test_true_and_false_are_written_in_four_ways(given, text, read):
    given(text)
    assert env.env_bool(NAME, not read) is read


def test_what_is_neither_true_nor_false_is_refused_and_nothing_is_the_default(given):
    for nothing in (None, "", "  "):
        given(nothing)
        assert env.env_bool(NAME, True) is True
        assert env.env_bool(NAME, False) is False
    given("Perhaps")
    with refused("be true or false, not 'perhaps'"):
        env.env_bool(NAME, True)


def test_a_whole_number_has_a_least(given):
    for text, read in ((None, 7), ("", 7), ("0", 0), ("12", 12)):
        given(text)
        assert env.env_int(NAME, 7) == read
    given("3")
    assert env.env_int(NAME, 7, minimum=3) == 3
    for text in ("2", "-4", "3.5", "many", "٣"):
        given(text)
        with refused("be a whole number, 3 or more"):
            env.env_int(NAME, 7, minimum=3)


def test_a_word_is_one_of_some(given):
    for text, read in ((None, "B"), ("", "B"), ("a", "A"), ("B", "B")):
        given(text)
        assert env.env_choice(NAME, "B", ("A", "B")) == read
    given("c")
    with refused("be one of A, B, not 'C'"):
        env.env_choice(NAME, "B", ("A", "B"))


def test_a_site_answers_to_names(given):
    given("localhost, .example.org,[::1],*")
    assert env.env_hosts(NAME, ()) == ["localhost", ".example.org", "[::1]", "*"]
    given("")
    assert env.env_hosts(NAME, ("localhost",)) == ["localhost"]


@pytest.mark.parametrize(
    "text", ["https://a.org", "a.org:8000", "a.org/", "*.a.org", "::1", "a.org b.org", "bücher.example"]
)
def test_what_no_host_can_be_is_refused(given, text):
    given(f"localhost,{text}")
    with refused(f"be names as plumbline.example.org, separated by commas, not {re.escape(repr(text))}"):
        env.env_hosts(NAME, ())


def test_origins_are_as_browsers_write_them(given):
    given("https://a.org/, https://*.b.org:8443")
    assert env.env_origins(NAME) == ["https://a.org", "https://*.b.org:8443"]
    given("")
    assert env.env_origins(NAME) == []


@pytest.mark.parametrize("text", ["a.org", "*", "https://a.org/forms", "ftp://a.org"])
def test_what_is_no_origin_is_refused(given, text):
    given(f"https://b.org,{text}")
    with refused(f"look like https://plumbline.example.org, not {re.escape(repr(text))}"):
        env.env_origins(NAME)


@pytest.mark.parametrize(
    "text", ["", "redis://a.org", "redis://a.org:6379/0", "rediss://:p%40ss@a.org:6380/2?ssl_cert_reqs=none"]
)
def test_a_redis_has_an_address(given, text):
    given(text)
    assert env.env_redis(NAME) == text


@pytest.mark.parametrize(
    "text",
    ["a.org:6379", "http://a.org", "redis://", "redis://a.org:many/0", "redis://:se/cret@a.org", "redis://a.org/x"],
)
def test_another_redis_is_refused_without_its_password(given, text):
    given(text)
    with refused("look like redis://") as told:
        env.env_redis(NAME)
    assert "cret" not in str(told.value)


def test_mails_are_from_an_address(given):
    for text, read in (
        ("", "usual@example.org"),
        ("ada@example.org", "ada@example.org"),
        ("Ada <ada@example.org>", "Ada <ada@example.org>"),
    ):
        given(text)
        assert env.env_sender(NAME, "usual@example.org") == read
    for text in ("ada", "Ada <ada>", "Ada <", "@example.org"):
        given(text)
        with refused("look like Plumbline <plumbline@example.org>"):
            env.env_sender(NAME, "usual@example.org")


def test_a_list_has_commas_and_no_blanks(given):
    given(" a, b,,c , ")
    assert env.env_list(NAME, ("x",)) == ["a", "b", "c"]
    given(None)
    assert env.env_list(NAME, ("x", "y")) == ["x", "y"]
    assert env.env_list(NAME) == []


def test_a_secret_is_made_once_and_is_its_owners(given, tmp_path: Path):
    file = tmp_path / "new" / "home" / "secret"
    given(None)
    made = env.env_secret(NAME, file)
    assert len(made) == 64
    other = file.with_name("other")
    assert env.env_secret(NAME, other) != made, "in the same folder, which is there"
    other.write_text("written by hand\n")
    assert env.env_secret(NAME, other) == "written by hand"
    assert env.env_secret(NAME, file) == made
    other.write_text("\n")
    with pytest.raises(ImproperlyConfigured, match="other is empty: put its copy back, or remove it"):
        env.env_secret(NAME, other)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    given("from outside")
    assert env.env_secret(NAME, file) == "from outside"
    given(None)
    with refused("be set when DATABASE_URL is"):
        env.env_secret(NAME, None)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", ""),
        ("https://plumbline.example.org/", "https://plumbline.example.org"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_has_no_slash_at_its_end(given, text, read):
    given(text)
    assert env.env_address(NAME) == read


@pytest.mark.parametrize("text", ["plumbline.example.org", "ftp://a.org", "https://a.org/path", "https://a b.org"])
def test_what_is_no_address_of_a_site_is_refused(given, text):
    given(text)
    with refused("look like https://"):
        env.env_address(NAME)


@pytest.mark.parametrize(
    ("text", "read"),
    [("", ""), ("ada@example.org", "mailto:ada@example.org"), ("https://example.org/us", "https://example.org/us")],
)
def test_somebody_is_reached_by_mail_or_on_a_page(given, text, read):
    given(text)
    assert env.env_contact(NAME) == read


@pytest.mark.parametrize("text", ["ada", "ada@", "http://example.org", "Ada <ada@example.org>"])
def test_who_cannot_be_reached_so_is_refused(given, text):
    given(text)
    with refused("be an e-mail address or begin with https://"):
        env.env_contact(NAME)


def test_a_database_of_postgresql_is_read_from_its_address(given, tmp_path: Path):
    given("postgres://ada:p%40ss@db.example.org:5433/plumb%20line?sslmode=require&connect_timeout=9")
    found = env.env_database(NAME, tmp_path / "unused", {})
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "plumb line",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": "5433",
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": "9",
            "keepalives_idle": "15",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "30000",
            "sslmode": "require",
            "options": "-c statement_timeout=60000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000",
        },
    }
    given("postgresql:///registry")
    found = env.env_database(NAME, tmp_path / "unused", {})
    assert [found[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == ["registry", "", "", "", ""]


def test_a_database_of_sqlite_is_a_file_that_nobody_else_reads(given, tmp_path: Path):
    for text, file in (
        ("", tmp_path / "usual" / "a.sqlite3"),
        (f"sqlite://{tmp_path}/my%20own/b", tmp_path / "my own/b"),
    ):
        file.parent.mkdir()
        file.touch(mode=0o644)
        given(text)
        found = env.env_database(NAME, tmp_path / "usual" / "a.sqlite3", {"timeout": 5})
        assert found == {
            "ENGINE": "registry.core.sqlite3",
            "NAME": str(file),
            "OPTIONS": {"timeout": 5},
            "CONN_MAX_AGE": None,
        }
        assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text",
    [
        "mysql://ada:secret@host/b",
        "postgres://host",
        "postgres://host/",
        "registry",
        "sqlite://",
        "postgres://ada:sec/ret@host/b",
        "postgres://host:many/b",
    ],
)
def test_another_database_is_refused_without_its_password(given, text, tmp_path: Path):
    given(text)
    with refused("look like postgres://") as told:
        env.env_database(NAME, tmp_path / "unused", {})
    assert "sec" not in str(told.value)


@pytest.mark.parametrize(
    "command", ["registry.serving --port {taken}", "celery -A registry worker", "celery -A registry beat"]
)
def test_whatever_is_started_with_a_wrong_setting_says_so_in_one_line(command, tmp_path: Path):
    wrong = os.environ | {"PLUMBLINE_HOME": str(tmp_path), "PLUMBLINE_HTTPS": "maybe"}
    with socket.socket() as another:
        another.bind(("127.0.0.1", 0))
        another.listen()
        arguments = command.format(taken=another.getsockname()[1]).split()
        ended = subprocess.run([sys.executable, "-m", *arguments], env=wrong, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stdout + ended.stderr == "Wrong settings: PLUMBLINE_HTTPS must be true or false, not 'maybe'\n"
