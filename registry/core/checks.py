"""System checks: what can be misconfigured, said before it hurts. docs/settings.md explains every id.

``manage.py check`` runs those of the settings, ``check --database default`` those of the database as well (``migrate``
does too), ``check --deploy`` those that matter on a public site.
"""

import ipaddress
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.http.request import validate_host

from registry.core.http import OF_THIS_MACHINE, site_address
from registry.core.private import open_paths
from registry.core.storage import why_not_writable
from registry.core.triggers import existing_triggers, trigger_names

KEPT_AS_WRITTEN = ("journal_entry", "journal_head", "journal_seal", "leaderboards_snapshot")

_NETWORK_FILESYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs"}
_PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}


def _is_sqlite() -> bool:
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")


@register
def check_home(**_: Any) -> Iterator[CheckMessage]:
    """E001: what the site writes goes below PLUMBLINE_HOME."""
    if why := why_not_writable(settings.HOME):
        hint = "Make the folder writable for the user that runs Plumbline, or set PLUMBLINE_HOME."
        yield Error(f"Nothing can be written to {settings.HOME}: {why}", hint=hint, id="plumbline.E001")


@register
def check_private_files(**_: Any) -> Iterator[CheckMessage]:
    """W011: the settings close every private file, which a file system without permissions only pretends to do."""
    if paths := open_paths(settings.HOME):
        hint = "Keep PLUMBLINE_HOME on a file system that knows owners and rights."
        message = f"Other users of this machine can read {paths[0]}: rights cannot be taken away there."
        yield Warning(message, hint=hint, id="plumbline.W011")


@register
def check_sqlite_is_local(**_: Any) -> Iterator[CheckMessage]:
    """W002: SQLite's locks are not reliable over a network."""
    place = Path(str(settings.DATABASES["default"]["NAME"]))
    if _is_sqlite() and (kind := filesystem_type(place, Path("/proc/mounts"))) in _NETWORK_FILESYSTEMS:
        hint = "Keep PLUMBLINE_HOME on a local disk, or set DATABASE_URL."
        yield Warning(f"The SQLite database is on a network file system ({kind}).", hint=hint, id="plumbline.W002")


def filesystem_type(path: Path, mounts: Path) -> str:
    """Return the type of the file system of the path, by the system's table of mounts; blank without a table."""
    if not mounts.exists():
        return ""
    place = os.path.realpath(path)
    closest = ""
    longest = 0
    for line in mounts.read_text(errors="replace").splitlines():
        _, mount_point, kind, *_ = line.split()
        folder = mount_point.replace("\\040", " ").rstrip("/")
        if (place == folder or place.startswith(f"{folder}/")) and len(folder) >= longest:
            longest, closest = len(folder), kind
    return closest


@register
def check_sqlite_with_redis(**_: Any) -> Iterator[CheckMessage]:
    """W003: Redis invites workers on other machines, where SQLite's file is not."""
    if settings.REDIS_URL and _is_sqlite():
        message = "REDIS_URL is set, but the database is SQLite: every worker must run on this machine."
        yield Warning(message, hint="Set DATABASE_URL to a PostgreSQL database.", id="plumbline.W003")


@register
def check_hosts(**_: Any) -> Iterator[CheckMessage]:
    """W005: with the default hosts nobody but this machine gets an answer. W006: any host is too many."""
    if "*" in settings.ALLOWED_HOSTS:
        message = "PLUMBLINE_ALLOWED_HOSTS allows every host name: links in pages can be made to point anywhere."
        yield Warning(message, hint="List the names of the site.", id="plumbline.W006")
    elif not (_is_sqlite() or any(map(is_public_name, settings.ALLOWED_HOSTS))):
        message = f"The database is PostgreSQL, but the site answers only to {', '.join(settings.ALLOWED_HOSTS)}."
        yield Warning(message, hint="Set PLUMBLINE_ALLOWED_HOSTS to the name of the site.", id="plumbline.W005")


@register
def check_https(**_: Any) -> Iterator[CheckMessage]:
    """W007: a public name without HTTPS shows passwords to the network."""
    public = [host for host in settings.ALLOWED_HOSTS if is_public_name(host)]
    if public and not settings.HTTPS:
        hint = "Set PLUMBLINE_HTTPS=true, and PLUMBLINE_BEHIND_PROXY=true where a proxy ends the encryption."
        yield Warning(f"The site answers to {', '.join(public)} without HTTPS.", hint=hint, id="plumbline.W007")


@register
def check_mail(**_: Any) -> Iterator[CheckMessage]:
    """E006: nobody takes mail from localhost. W010: people sign up by mail."""
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and "@localhost" in settings.DEFAULT_FROM_EMAIL:
        message = f"Mail is sent from {settings.DEFAULT_FROM_EMAIL}, which other servers refuse."
        yield Error(message, hint="Set PLUMBLINE_MAIL_FROM.", id="plumbline.E006")
    if settings.EMAIL_BACKEND.endswith("KeptMail") and any(map(is_public_name, settings.ALLOWED_HOSTS)):
        message = f"Mail is not sent but kept in {settings.MAIL_FOLDER}: nobody can sign up without you."
        yield Warning(message, hint="Set EMAIL_URL.", id="plumbline.W010")


@register
def check_site_address(**_: Any) -> Iterator[CheckMessage]:
    """W012: mails and citations lead where the site is guessed to be. W013: or to a name that it refuses."""
    name = urlsplit(settings.SITE_URL).hostname or ""
    if not settings.SITE_URL:
        if settings.BEHIND_PROXY or not OF_THIS_MACHINE.issuperset(settings.ALLOWED_HOSTS):
            guess = site_address()
            message = f"The site has another name than localhost, but no address: links lead to {guess}, a guess."
            hint = "Set PLUMBLINE_SITE_URL to the address under which others know the site."
            yield Warning(message, hint=hint, id="plumbline.W012")
    # A proxy may ask for it under another name.
    elif not settings.BEHIND_PROXY and not validate_host(f"[{name}]" if ":" in name else name, settings.ALLOWED_HOSTS):
        message = f"Mails and citations link to {settings.SITE_URL}, but the site does not answer to {name}."
        yield Warning(message, hint="Add the name to PLUMBLINE_ALLOWED_HOSTS.", id="plumbline.W013")


def is_public_name(host: str) -> bool:
    """Return whether a host of ALLOWED_HOSTS can be reached from outside of a private network, as far as its name
    tells."""
    name = host.strip("[].").lower()
    try:
        return ipaddress.ip_address(name).is_global
    except ValueError:
        return "." in name and not name.endswith((".localhost", ".local", ".test", ".internal", ".lan"))


@register(deploy=True)
def check_static_files(**_: Any) -> Iterator[CheckMessage]:
    """W008: pages name their static files by the manifest that collectstatic writes."""
    if not (settings.DEBUG or (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()):
        message = f"No static files are collected in {settings.STATIC_ROOT}: pages will fail."
        yield Warning(message, hint="Run manage.py collectstatic.", id="plumbline.W008")


@register(Tags.database)
def check_sqlite_pragmas(databases: Sequence[str] | None = None, **_: Any) -> Iterator[CheckMessage]:
    """E004: SQLite keeps its promises only with these pragmas."""
    for connection in _connections(databases, "sqlite"):
        if connection.is_in_memory_db():
            continue
        with connection.cursor() as cursor:
            pragmas = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in _PRAGMAS}
        wrong = [
            f"{name} is {pragmas[name]}, not {value}" for name, value in _PRAGMAS.items() if pragmas[name] != value
        ]
        if wrong:
            hint = "Another program may hold the database, or its file system lacks shared memory."
            message = f"SQLite runs with other pragmas: {'; '.join(wrong)}."
            yield Error(message, hint=hint, id="plumbline.E004")


@register(Tags.database)
def check_encoding(databases: Sequence[str] | None = None, **_: Any) -> Iterator[CheckMessage]:
    """E005: text is stored as it was sent."""
    for connection in _connections(databases, "postgresql"):
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_encoding")
            (encoding,) = cursor.fetchone()
        if encoding != "UTF8":
            hint = "Make the database with ENCODING 'UTF8'."
            yield Error(f"The database stores text as {encoding}, not UTF8.", hint=hint, id="plumbline.E005")


@register(Tags.database)
def check_triggers(databases: Sequence[str] | None = None, **_: Any) -> Iterator[CheckMessage]:
    """W009: what is kept as written is kept by the database. A warning, as ``migrate`` is what mends it."""
    for connection in _connections(databases, "sqlite", "postgresql"):
        tables = set(connection.introspection.table_names()) & set(KEPT_AS_WRITTEN)
        wanted = set().union(*(trigger_names(table, connection.vendor) for table in tables))
        missing = sorted(wanted - existing_triggers(connection))
        if missing:
            hint = "Run manage.py migrate; after restoring a dump, restore its triggers too."
            yield Warning(f"Triggers are missing: {', '.join(missing)}.", hint=hint, id="plumbline.W009")


def _connections(databases: Sequence[str] | None, *vendors: str) -> list[Any]:
    return [connections[alias] for alias in databases or () if connections[alias].vendor in vendors]
