"""Nobody but the site's own user reads what is private, whatever command made it and whatever stood there before."""

import logging
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from registry.accounts.models import User
from registry.accounts.services import TOKEN_PREFIX
from registry.core.checks import check_private_files
from registry.core.logs import without_keys
from registry.core.private import keep_database_private, keep_private, make_private
from tests.registry.core.lab import ROOT

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")


def rights(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"


def wide(home: Path) -> list[str]:
    """Return what others can do anything with, the home itself and the static files aside."""
    paths = [path for path in home.rglob("*") if path.stat().st_mode & 0o077]
    return sorted(str(path.relative_to(home)) for path in paths if path.relative_to(home).parts[0] != "static")


@pytest.fixture
def old_home(tmp_path: Path) -> Path:
    """What an earlier version left: everything is there for everybody."""
    home = tmp_path / "var"
    for name in ("logs/web.log", "mail/2026.txt", "broker/celery/1.msg", "backups/monday.sqlite3", "static/.collected"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("secret")
    for name in ("plumbline.sqlite3", "plumbline.sqlite3-wal", "plumbline.sqlite3-shm", "secret_key", "copy.sqlite3"):
        (home / name).write_text("secret")
    for path in (home, *home.rglob("*")):
        path.chmod(0o775 if path.is_dir() else 0o664)
    return home


def test_wide_files_are_closed_and_behind_a_proxy_others_may_pass_to_the_static_files(old_home: Path) -> None:
    for is_passable, of_home in ((False, "0700"), (True, "0711"), (False, "0700")):
        keep_private(old_home, is_passable=is_passable)
        assert rights(old_home) == of_home
        assert wide(old_home) == []
    assert rights(old_home / "logs") == rights(old_home / "broker" / "celery") == "0700"
    assert rights(old_home / "plumbline.sqlite3-wal") == rights(old_home / "mail" / "2026.txt") == "0600"
    assert rights(old_home / "static" / ".collected") == "0664"


@needs_root
def test_another_user_reads_the_static_files_alone(old_home: Path) -> None:
    # Every pytest that starts closes the folder that all of them share.
    with tempfile.TemporaryDirectory() as folder:
        home = shutil.copytree(old_home, Path(folder, "var"))
        for above in home.parents:
            if not above.stat().st_mode & 0o001:
                above.chmod(0o711)
        keep_private(home, is_passable=True)
        readable = [path for path in home.rglob("*") if path.is_file() and reads_as_nobody(path)]
        assert readable == [home / "static" / ".collected"]


def reads_as_nobody(path: Path) -> bool:
    return subprocess.run(["cat", path], user=NOBODY, group=NOBODY, capture_output=True).returncode == 0


def test_a_new_home_is_private_from_the_start(tmp_path: Path) -> None:
    keep_private(tmp_path / "new" / "home", is_passable=False)
    keep_database_private(tmp_path / "data" / "site.db")
    assert not (tmp_path / "data" / "site.db").exists()
    assert make_private(tmp_path / "data" / "site.db") is True
    (tmp_path / "data" / "site.db").write_text("rows")
    assert make_private(tmp_path / "data" / "site.db") is False
    assert (tmp_path / "data" / "site.db").read_text() == "rows"
    keep_database_private(tmp_path / "far" / "away" / "site.db")
    assert rights(tmp_path / "far" / "away") == "0700"
    assert rights(tmp_path / "new" / "home") == rights(tmp_path / "data") == "0700"
    assert rights(tmp_path / "data" / "site.db") == "0600"


def test_a_database_elsewhere_is_closed_with_what_stands_beside_it(tmp_path: Path) -> None:
    names = ("site.db", "site.db-wal", "site.db-shm", "of-somebody-else")
    for name in names:
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    keep_database_private(tmp_path / "site.db")
    assert [rights(tmp_path / name) for name in names] == ["0600", "0600", "0600", "0644"]


def test_a_folder_that_is_not_ours_is_never_closed_but_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ImproperlyConfigured, match="is open to other users and holds other things than Plumbline's"):
        keep_private(tmp_path, is_passable=False)
    assert rights(tmp_path) == "0755"
    tmp_path.chmod(0o700)
    keep_private(tmp_path, is_passable=False)


@needs_root
def test_one_file_of_another_user_stops_every_command(old_home: Path) -> None:
    os.chown(old_home / "mail" / "2026.txt", 4_000_001, -1)
    environment = os.environ | {"PLUMBLINE_HOME": str(old_home), "DATABASE_URL": "", "SECRET_KEY": "x" * 50}
    done = subprocess.run(
        [sys.executable, "manage.py", "jobs"], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"{old_home}/mail/2026.txt belongs to 4000001, and Plumbline runs as root." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_command_leaves_nothing_for_others_to_read(tmp_path: Path) -> None:
    environment = os.environ | {"PLUMBLINE_HOME": str(tmp_path / "var"), "DATABASE_URL": "", "SECRET_KEY": ""}
    backup = tmp_path / "backups" / "monday.sqlite3"
    for arguments in (["migrate", "--create", "-v0", "contenttypes"], ["backup", str(backup)]):
        subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=environment,
            cwd=ROOT,
            check=True,
            umask=0,
            stdout=subprocess.DEVNULL,
        )
    assert rights(tmp_path / "var") == rights(backup.parent) == "0700"
    assert {path.name for path in (tmp_path / "var").iterdir()} >= {"plumbline.sqlite3", "secret_key"}
    assert wide(tmp_path / "var") == []
    assert rights(backup) == "0600"


@pytest.mark.sqlite
@pytest.mark.django_db
def test_a_backup_is_private_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def look(file: Path) -> None:
        seen.append(rights(file))
        raise sqlite3.OperationalError("full")

    monkeypatch.setattr(sqlite3, "connect", look)
    (tmp_path / "copy.unfinished").write_text("of a backup that was killed")
    (tmp_path / "copy.unfinished").chmod(0o644)
    with pytest.raises(CommandError, match="full"):
        call_command("backup", tmp_path / "copy")
    assert seen == ["0600"]


def test_a_file_system_without_rights_is_told(
    settings: object, old_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOME = old_home  # type: ignore[attr-defined]
    with monkeypatch.context() as without_rights:
        without_rights.setattr(Path, "chmod", lambda path, mode: None)
        (warning,) = check_private_files()
    assert (warning.id, warning.msg.startswith(f"Other users of this machine can read {old_home}/")) == (
        "plumbline.W011",
        True,
    )
    assert warning.hint == "Keep PLUMBLINE_HOME on a file system that knows owners and rights."
    # What was made since the start is closed, and nothing to warn of.
    assert list(check_private_files()) == []
    assert rights(old_home / "secret_key") == "0600"


# --- the log


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """The lines that the site's own handler writes."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Lines()
    (console,) = (handler for handler in logging.getLogger().handlers if handler.name == "console")
    handler.setFormatter(console.formatter)
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize(
    "text",
    [
        "Internal Server Error: /accounts/password/reset/key/1-SECRET/",
        "Not Found: /accounts/confirm-email/MQ:SECRET:x/",
        "Forbidden (CSRF cookie not set.): /accounts/password/reset/key/1-SECRET/",
        "Not Found: /runs/SECRET/studies/3/",
        "Not Found: /runs/own/SECRET/boards/1.json",
        '"GET /accounts/orcid/login/callback/?code=SECRET&state=SECRET HTTP/1.1" 302',
        f"Authorization: Bearer {TOKEN_PREFIX}SECRET-xyz_1",
        "Cookie: sessionid=SECRET; csrftoken=SECRET",
        "Cookie: __Host-sessionid=SECRET",
    ],
)
def test_no_line_has_a_key(text: str) -> None:
    assert "SECRET" not in without_keys(text)
    assert "[key]" in without_keys(text)


def test_every_address_with_a_key_in_it_is_covered() -> None:
    paths = [path for path in addresses(get_resolver(), "/") if "SECRET" in path]
    assert len(paths) >= 3
    assert [path for path in paths if "SECRET" in without_keys(path)] == []


def addresses(resolver: URLResolver, prefix: str) -> Iterator[str]:
    """Return the address of every page that takes a key or a token, with SECRET in its place."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = prefix + str(pattern.pattern).strip("^$")
            yield from addresses(pattern, inner)
        elif isinstance(pattern, URLPattern) and set(pattern.pattern.regex.groupindex) & {"key", "token"}:
            yield prefix + without_parameters(str(pattern.pattern))


def without_parameters(route: str) -> str:
    """Return the route with SECRET for every parameter but what is done there."""
    route = route.replace("<slug:act>", "delete")
    route = re.sub(r"\(\?P<\w+>(?:\[[^]]*\]|[^)\[])*\)", "SECRET", route)
    return re.sub(r"<[^>]+>", "SECRET", route).strip("^$").replace("\\", "")


def test_a_person_who_signs_up_without_mail_server_leaves_no_link_in_the_log(
    client: Client, settings: object, tmp_path: Path, logged: list[str], db: None
) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"  # type: ignore[attr-defined]
    settings.EMAIL_BACKEND = "registry.core.mail.KeptMail"  # type: ignore[attr-defined]
    User.objects.create_user("ada", "ada@example.org", "password-of-ada")
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    (mail,) = (tmp_path / "mail").iterdir()
    assert any(str(mail) in line for line in logged)
    assert not any("http" in line or "ada@" in line for line in logged)
