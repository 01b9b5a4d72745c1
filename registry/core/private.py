"""Files that only the site's own user may read: the database, mails, logs, keys. Others on the machine get nothing.

Called by the settings, so by every command and every process, before anything else is opened.
"""

import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

#: Our files below the home, except for static files, which anybody may read.
_PRIVATE = (
    "*.sqlite3*", "secret_key", "run.lock", "turn-*.lock", "worker.lock", "dumps.lock", "made", "beat-schedule*",
    "logs", "mail", "metrics", "wake", "broker", "media", "backups", "dumps", "kept",
)  # fmt: skip
_STATIC, _OF_THE_DISK = "static", "lost+found"
#: Files by which the folder is known to be ours.
_MARKS = ("plumbline.sqlite3", "secret_key", "static/.collected")
_OTHERS = 0o077
_MAY_PASS = 0o011


def keep_private(home: Path, *, is_passable: bool) -> None:
    """Make the home if it is missing, and close it, with all that is in it, to other users.

    With ``is_passable`` others may pass through the home, and not list it, so that a proxy can read the static files.

    Raises
    ------
    ImproperlyConfigured
        If something belongs to another user, or the home is open to others and not recognizably ours to close.
    """
    others = _OTHERS & ~_MAY_PASS if is_passable else _OTHERS
    with _explained(home):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _refuse_foreign(home)
        if home.stat().st_mode & others and not _is_ours(home):
            raise ImproperlyConfigured(
                f"{home} is open to other users and holds other things than Plumbline's. Name a folder of its own in "
                f"PLUMBLINE_HOME, or close this one: chmod 700 {home}"
            )
        _set_rights(home, forbidden=others, granted=_MAY_PASS if is_passable else 0)
        for path in _private_paths(home):
            _close(path)


def keep_database_private(file: Path) -> None:
    """Close the file of a SQLite database to others, with what SQLite keeps beside it; make none.

    Raises
    ------
    ImproperlyConfigured
        If it belongs to another user.
    """
    with _explained(file):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))):
            _close(path)


def make_private(path: Path) -> bool:
    """Make an empty file that only its owner can read; return False, and do nothing, if there is one."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def open_paths(home: Path) -> list[Path]:
    """Return private paths below the home that others can read all the same: the file system has no permissions."""
    readable = []
    for path in _private_paths(home):
        with suppress(FileNotFoundError):
            # It may be newer than the settings, which closed all there was: Celery's beat makes such a file.
            _set_rights(path, forbidden=_OTHERS)
            readable += [path] if path.stat().st_mode & _OTHERS else []
    return readable


def _private_paths(home: Path) -> Iterator[Path]:
    for pattern in _PRIVATE:
        for path in home.glob(pattern):
            yield path
            for folder, folders, files in os.walk(path):
                yield from (Path(folder, name) for name in (*folders, *files))


def _is_ours(home: Path) -> bool:
    """Return whether the folder is Plumbline's by its contents, or contains nothing else."""
    if any((home / mark).exists() for mark in _MARKS):
        return True
    ours = {path.name for pattern in (*_PRIVATE, _STATIC, _OF_THE_DISK) for path in home.glob(pattern)}
    return {path.name for path in home.iterdir()} <= ours


def _close(path: Path) -> None:
    with suppress(FileNotFoundError):  # messages and SQLite's files come and go meanwhile
        _refuse_foreign(path)
        _set_rights(path, forbidden=_OTHERS)


def _set_rights(path: Path, *, forbidden: int, granted: int = 0) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    wanted = mode & ~forbidden | granted
    if mode != wanted:
        path.chmod(wanted)


def _refuse_foreign(path: Path) -> None:
    owner, own = path.stat().st_uid, os.geteuid()
    if owner != own:
        raise ImproperlyConfigured(
            f"{path} belongs to {_name(owner)}, and Plumbline runs as {_name(own)}. Start it as {_name(owner)}, or "
            f"hand the files over: chown -R {_name(own)} {path}"
        )


def _name(user: int) -> str:
    """Return the user's name, else number."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Say which file stands in the way, and where that is set."""
    try:
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"{error.filename or place} cannot be kept for this user alone: {error.strerror}. PLUMBLINE_HOME names "
            "another folder for all that is written."
        ) from error
