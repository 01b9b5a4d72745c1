"""Reading settings from the environment: a wrong value stops the process with the variable's name in the message."""

import csv
import os
import re
import secrets
import sys
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from registry.core.private import keep_database_private

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_HOST = re.compile(r"\*|[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")
_MAIL = re.compile(r"[^@\s<>\"]+@[\w.-]+")
#: libpq options that detect a server which vanished: on connecting, and while waiting for an answer.
_WATCHFUL = {
    "connect_timeout": "5",
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


def require_settings() -> None:
    """Read the settings; end the process with one line, which names the variable, where one cannot be used."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    try:
        _ = settings.INSTALLED_APPS
    except ImproperlyConfigured as error:
        sys.exit(f"Wrong settings: {error}")


def refuse_removed(table: Path) -> None:
    """Raise for the first variable of a table that is set and no longer read, with what took its place."""
    for removed in csv.DictReader(table.read_text(encoding="utf-8").splitlines()):
        if env_text(removed["name"]):
            raise ImproperlyConfigured(f"{removed['name']} is no longer a setting. {removed['advice']}")


def env_text(name: str) -> str:
    """Return the variable's text without surrounding blanks."""
    return os.environ.get(name, "").strip()


def env_bool(name: str, default: bool) -> bool:
    """Return true or false; refuse anything else rather than read it as false."""
    text = env_text(name).lower()
    if not text:
        return default
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}")


def env_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """Return one of the words, however it is capitalized."""
    text = env_text(name).upper() or default
    if text not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {text!r}")
    return text


def env_int(name: str, default: int, *, minimum: int = 0) -> int:
    """Return a whole number, ``minimum`` or more."""
    text = env_text(name)
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < minimum:
        raise ImproperlyConfigured(f"{name} must be a whole number, {minimum} or more, not {text!r}")
    return int(text)


def env_list(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return comma-separated items without blanks."""
    text = env_text(name)
    return [item.strip() for item in text.split(",") if item.strip()] if text else list(default)


def env_hosts(name: str, default: tuple[str, ...]) -> list[str]:
    """Return names that a site answers to, without scheme or port; ``.example.org`` for all below it, ``*`` for any."""
    hosts = env_list(name, default)
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} must be names as plumbline.example.org, separated by commas, not {host!r}"
            )
    return hosts


def env_origins(name: str) -> list[str]:
    """Return other sites that may send forms, each with its scheme and without a slash at its end."""
    origins = [origin.rstrip("/") for origin in env_list(name)]
    for origin in origins:
        if not _ADDRESS.fullmatch(origin.replace("://*.", "://")):
            raise ImproperlyConfigured(f"{name} must look like https://plumbline.example.org, not {origin!r}")
    return origins


def env_secret(name: str, file: Path | None) -> str:
    """Return the secret from the environment, else from ``file``, which is made on first use; None for no such file.

    The file is for the embedded default only: one machine, one user. Elsewhere several processes must share the
    secret, and inventing one would log people out at random.
    """
    text = env_text(name)
    if text:
        return text
    if file is None:
        raise ImproperlyConfigured(f"{name} must be set when DATABASE_URL is; make one with: openssl rand -base64 48")
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass  # another process made it between the two lines
        else:
            with os.fdopen(descriptor, "w") as stream:
                stream.write(secrets.token_urlsafe(48))
    text = file.read_text().strip()
    if not text:
        raise ImproperlyConfigured(f"{file} is empty: put its copy back, or remove it to have another one made")
    return text


def env_address(name: str) -> str:
    """Return the address of a site, ``https://plumbline.example.org``, without a path or a slash at its end."""
    text = env_text(name).rstrip("/")
    if text and not _ADDRESS.fullmatch(text):
        raise ImproperlyConfigured(f"{name} must look like https://plumbline.example.org, not {text!r}")
    return text


def env_own_host(name: str) -> str:
    """Return the host that a site listens on, as addresses have it; that of this machine where it listens on all."""
    host = env_text(name).strip("[]")
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def env_contact(name: str) -> str:
    """Return how to reach somebody: an email address as ``mailto:…``, or the address of a page; blank for neither."""
    text = env_text(name)
    if not text or text.startswith("https://"):
        return text
    if not _MAIL.fullmatch(text):
        raise ImproperlyConfigured(f"{name} must be an email address or begin with https://, not {text!r}")
    return f"mailto:{text}"


def env_login(name: str, secret: str) -> dict[str, str]:
    """Return what this site is to a login service: its id there, from the environment, and its secret; empty without
    both."""
    client_id = env_text(name)
    if bool(client_id) != bool(secret):
        raise ImproperlyConfigured(f"{name} and the …_SECRET that belongs to it must be set together")
    return {"client_id": client_id, "secret": secret} if client_id else {}


def env_sender(name: str, default: str) -> str:
    """Return the sender of mails: an email address, or a name with one."""
    text = env_text(name) or default
    if not _MAIL.fullmatch(parseaddr(text)[1]):
        raise ImproperlyConfigured(f"{name} must look like Plumbline <plumbline@example.org>, not {text!r}")
    return text


def env_redis(name: str) -> str:
    """Return the address of a Redis; blank for none."""
    url = env_text(name)
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in {"redis", "rediss"} and parts.hostname and parts.port != 0
    except ValueError:
        is_right = False
    if url and not (is_right and re.fullmatch(r"(/[0-9]*)?", parts.path)):
        # The value is not repeated: it may hold a password.
        raise ImproperlyConfigured(f"{name} must look like redis://host:6379/0")
    return url


def env_mail(name: str) -> dict[str, object]:
    """Return Django's mail settings from ``smtp://user:password@host:587`` (STARTTLS) or ``smtps://…:465`` (TLS).

    ``smtp+plain://host:25`` is for a relay on the same machine. Unset, mail is kept in files.
    """
    url = env_text(name)
    if not url:
        return {"EMAIL_BACKEND": "registry.core.mail.KeptMail"}
    try:
        parts = urlsplit(url)
        port = parts.port or {"smtp": 587, "smtps": 465, "smtp+plain": 25}[parts.scheme]
        is_right = parts.hostname and not (parts.path.strip("/") or parts.query or parts.fragment)
    except (KeyError, ValueError):
        is_right = False
    if not is_right or bool(parts.username) != bool(parts.password):
        # The value is not repeated: it may hold a password.
        raise ImproperlyConfigured(f"{name} must look like smtp://user:password@host:587 (or smtps://, smtp+plain://)")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }


def env_database(name: str, sqlite_file: Path, sqlite_options: dict[str, object]) -> dict[str, object]:
    """Return Django's database settings from ``postgres://…`` or ``sqlite:///path``; by default of ``sqlite_file``."""
    url = env_text(name)
    try:
        parts = urlsplit(url)
        port, database = parts.port, unquote(parts.path.strip("/"))
    except ValueError:
        database = ""
    if url and not (database and parts.scheme in {"sqlite", "postgres", "postgresql"}):
        # The value is not repeated: it may hold a password.
        raise ImproperlyConfigured(
            f"{name} must look like postgres://user:password@host:5432/name, with special characters percent-encoded"
        )
    if not url or parts.scheme == "sqlite":
        path = Path(unquote(parts.path)) if url else sqlite_file
        keep_database_private(path)
        # A connection costs a millisecond of pragmas: kept open for the life of the process.
        engine = "registry.core.sqlite3"
        return {"ENGINE": engine, "NAME": str(path), "OPTIONS": sqlite_options, "CONN_MAX_AGE": None}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": _WATCHFUL
        | dict(parse_qsl(parts.query))
        | {"options": "-c statement_timeout=60000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000"},
    }
