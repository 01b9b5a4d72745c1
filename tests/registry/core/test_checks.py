"""Every system check, with the settings that set it off and those that do not."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project_settings
from django.core.checks import CheckMessage, run_checks
from django.db import connection, connections
from django.db.utils import ConnectionHandler

from registry.core import checks

# Checks read the setting; the connection to the test database stays as it is.
pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")

SQLITE = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "/tmp/plumbline.sqlite3"}}
POSTGRESQL = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "plumbline"}}
LOCAL = ["localhost", "127.0.0.1", "[::1]"]
PUBLIC = ["plumbline.example.org"]
SMTP = "django.core.mail.backends.smtp.EmailBackend"
KEPT = "registry.core.mail.KeptMail"

Check = Callable[..., Iterable[CheckMessage]]


def ids_of(check: Check, **options: Any) -> list[str]:
    return [message.id for message in check(**options)]


@pytest.mark.parametrize(
    ("check", "overrides", "expected"),
    [
        (checks.check_sqlite_with_redis, {"DATABASES": SQLITE, "REDIS_URL": ""}, []),
        (checks.check_sqlite_with_redis, {"DATABASES": POSTGRESQL, "REDIS_URL": "redis://r"}, []),
        (checks.check_sqlite_with_redis, {"DATABASES": SQLITE, "REDIS_URL": "redis://r"}, ["plumbline.W003"]),
        (checks.check_hosts, {"DATABASES": SQLITE, "ALLOWED_HOSTS": LOCAL}, []),
        (checks.check_hosts, {"DATABASES": POSTGRESQL, "ALLOWED_HOSTS": PUBLIC}, []),
        (checks.check_hosts, {"DATABASES": POSTGRESQL, "ALLOWED_HOSTS": LOCAL + PUBLIC}, []),
        (checks.check_hosts, {"DATABASES": POSTGRESQL, "ALLOWED_HOSTS": LOCAL}, ["plumbline.W005"]),
        (checks.check_hosts, {"DATABASES": SQLITE, "ALLOWED_HOSTS": ["*"]}, ["plumbline.W006"]),
        (checks.check_https, {"HTTPS": False, "ALLOWED_HOSTS": LOCAL}, []),
        (checks.check_mail, {"EMAIL_BACKEND": SMTP, "DEFAULT_FROM_EMAIL": "P <plumbline@example.org>"}, []),
        (
            checks.check_mail,
            {"EMAIL_BACKEND": SMTP, "DEFAULT_FROM_EMAIL": "P <plumbline@localhost>"},
            ["plumbline.E006"],
        ),
        (checks.check_mail, {"EMAIL_BACKEND": KEPT, "ALLOWED_HOSTS": LOCAL}, []),
        (checks.check_mail, {"EMAIL_BACKEND": KEPT, "ALLOWED_HOSTS": LOCAL + PUBLIC}, ["plumbline.W010"]),
        (
            checks.check_mail,
            {"EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend", "ALLOWED_HOSTS": PUBLIC},
            [],
        ),
        (checks.check_site_address, {"SITE_URL": "", "ALLOWED_HOSTS": LOCAL}, []),
        (checks.check_site_address, {"SITE_URL": "", "ALLOWED_HOSTS": PUBLIC + LOCAL}, ["plumbline.W012"]),
        (checks.check_site_address, {"SITE_URL": "", "ALLOWED_HOSTS": ["registry.lan"]}, ["plumbline.W012"]),
        (checks.check_site_address, {"SITE_URL": "", "ALLOWED_HOSTS": LOCAL, "BEHIND_PROXY": True}, ["plumbline.W012"]),
        (checks.check_site_address, {"SITE_URL": f"https://{PUBLIC[0]}", "ALLOWED_HOSTS": PUBLIC}, []),
        (checks.check_site_address, {"SITE_URL": "http://[::1]:8000", "ALLOWED_HOSTS": LOCAL}, []),
        (checks.check_site_address, {"SITE_URL": "https://example.net", "ALLOWED_HOSTS": PUBLIC}, ["plumbline.W013"]),
        (
            checks.check_site_address,
            {"SITE_URL": "https://example.net", "ALLOWED_HOSTS": PUBLIC, "BEHIND_PROXY": True},
            [],
        ),
        (checks.check_https, {"HTTPS": True, "ALLOWED_HOSTS": PUBLIC}, []),
        (checks.check_https, {"HTTPS": False, "ALLOWED_HOSTS": PUBLIC + LOCAL}, ["plumbline.W007"]),
    ],
)
def test_settings_are_checked(check: Check, overrides: dict[str, Any], expected: list[str], settings: Any) -> None:
    for name, value in overrides.items():
        setattr(settings, name, value)
    messages = check()
    assert [message.id for message in messages] == expected
    assert all(message.hint for message in messages), "what to do is said"


@pytest.mark.parametrize(
    ("host", "is_public"),
    [
        ("plumbline.example.org", True),
        (".example.org", True),
        ("8.8.8.8", True),
        ("[2001:4860:4860::8888]", True),
        ("localhost", False),
        ("registry", False),
        ("registry.local", False),
        ("Registry.LOCAL.", False),
        ("127.0.0.1", False),
        ("[::1]", False),
        ("10.1.2.3", False),
    ],
)
def test_public_names_are_told_from_private_ones(host: str, is_public: bool) -> None:
    assert checks.is_public_name(host) is is_public


def test_a_home_that_cannot_be_written_is_an_error(settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path / "new" / "home"
    for _ in range(2):
        assert ids_of(checks.check_home) == []
    assert settings.HOME.stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    settings.HOME = tmp_path / "file" / "var"
    (error,) = checks.check_home()
    assert (error.id, error.msg) == ("plumbline.E001", f"Nothing can be written to {settings.HOME}: Not a directory")
    assert "PLUMBLINE_HOME" in error.hint


def test_sqlite_on_a_network_file_system_is_warned_of(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATABASES = SQLITE
    assert ids_of(checks.check_sqlite_is_local) == []
    monkeypatch.setattr(Path, "read_text", lambda mounts, **_: "server:/export / nfs4 rw 0 0\n")
    (warning,) = checks.check_sqlite_is_local()
    assert (warning.id, warning.hint) == ("plumbline.W002", "Keep PLUMBLINE_HOME on a local disk, or set DATABASE_URL.")
    settings.DATABASES = POSTGRESQL
    assert ids_of(checks.check_sqlite_is_local) == []


def test_missing_static_files_are_warned_of(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    (warning,) = checks.check_static_files()
    assert (warning.id, warning.hint) == ("plumbline.W008", "Run manage.py collectstatic.")
    settings.DEBUG = True
    assert ids_of(checks.check_static_files) == []
    settings.DEBUG = False
    (tmp_path / "staticfiles.json").touch()
    assert ids_of(checks.check_static_files) == []


@pytest.fixture
def another() -> Iterator[ConnectionHandler]:
    """What takes another database, called ``other``."""
    yield connections
    del connections["other"]


class FakeConnection:
    """A database that answers every question with the next of the given rows."""

    def __init__(self, vendor: str, answers: list[Any]) -> None:
        self.vendor, self.answers = vendor, iter(answers)

    def is_in_memory_db(self) -> bool:
        return False

    def cursor(self) -> "FakeConnection":
        return self

    __enter__ = cursor

    def __exit__(self, *error: object) -> None: ...

    def execute(self, statement: str) -> "FakeConnection":
        return self

    def fetchone(self) -> tuple[Any]:
        return (next(self.answers),)


@pytest.mark.parametrize(
    ("check", "vendor", "answers", "expected"),
    [
        (checks.check_sqlite_pragmas, "sqlite", ["wal", 2, 1, 1], []),
        (checks.check_sqlite_pragmas, "sqlite", ["delete", 2, 1, 1], ["plumbline.E004"]),
        (checks.check_sqlite_pragmas, "sqlite", ["wal", 2, 1, 0], ["plumbline.E004"]),
        (checks.check_sqlite_pragmas, "postgresql", [], []),
        (checks.check_encoding, "postgresql", ["UTF8"], []),
        (checks.check_encoding, "postgresql", ["SQL_ASCII"], ["plumbline.E005"]),
        (checks.check_encoding, "sqlite", [], []),
    ],
)
def test_databases_are_checked(
    check: Check, vendor: str, answers: list[Any], expected: list[str], another: ConnectionHandler
) -> None:
    another["other"] = FakeConnection(vendor, answers)
    messages = list(check(databases=["other"]))
    assert [message.id for message in messages] == expected
    assert all(message.hint for message in messages)
    assert ids_of(check) == [], "no database is asked unless it is named"


def test_every_pragma_that_is_wrong_is_named(another: ConnectionHandler) -> None:
    another["other"] = FakeConnection("sqlite", ["delete", 1, 1, 0])
    (error,) = checks.check_sqlite_pragmas(databases=["other"])
    assert error.msg == (
        "SQLite runs with other pragmas: journal_mode is delete, not wal; synchronous is 1, not 2; "
        "recursive_triggers is 0, not 1."
    )


@pytest.mark.django_db
def test_the_project_passes_its_own_checks() -> None:
    messages = run_checks(databases=["default"])
    ours = [message for message in messages if message.id and message.id.startswith("plumbline.E")]
    assert ours == []
    assert connection.vendor in ("sqlite", "postgresql")


def test_every_check_is_documented() -> None:
    source = Path(checks.__file__).read_text()
    page = (project_settings.BASE_DIR / "docs" / "settings.md").read_text()
    ids = set(re.findall(r'id="(plumbline\.[EW]\d+)"', source))
    assert ids
    assert {name for name in ids if f"`{name}`" not in page} == set()
