"""Bring database, shipped data and static files up to date, before the site starts. Quick where nothing changed."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from registry.core.loading import garbage_left
from registry.core.storage import make_database, require_own_database


class Command(BaseCommand):
    help = "Migrate, load the shipped data, collect static files: whatever of that is due."
    requires_system_checks = []

    def handle(self, *, verbosity: int, **options: Any) -> None:
        try:
            make_database()
            self._migrate()
            call_command("load_shipped_data", verbosity=verbosity, brief=True)
            self._collect_static_files()
        except (DatabaseError, OSError) as error:
            raise CommandError(f"{self._cause(error)}: {error}") from error

    def _migrate(self) -> None:
        self.check(databases=[DEFAULT_DB_ALIAS])
        executor = MigrationExecutor(connection)
        require_own_database(executor.loader)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if plan:
            self.stdout.write(f"Preparing the database ({len(plan)} migrations) …")
            with garbage_left():
                call_command("migrate", interactive=False, verbosity=0)

    def _collect_static_files(self) -> None:
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        digest = _digest_of_static_files()
        if stamp.exists() and stamp.read_text() == digest:
            return
        started = time.monotonic()
        self.stdout.write("Collecting static files …")
        with _readable_by_all():
            call_command("collectstatic", interactive=False, verbosity=0)
            stamp.write_text(digest)
        self.stdout.write(f"Static files are collected ({time.monotonic() - started:.0f} s).")

    def _cause(self, error: Exception) -> str:
        text = str(error)
        if "No space left" in text or "disk is full" in text or "disk I/O" in text:
            return f"The disk is full, or cannot be written ({settings.HOME})"
        if isinstance(error, DatabaseError):
            return "The database cannot be used"
        return "A file cannot be used"


@contextmanager
def _readable_by_all() -> Iterator[None]:
    """Let everybody read new files, whatever the umask: a proxy reads these."""
    umask = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(umask)


def _digest_of_static_files() -> str:
    """Return what changes when a static file does: names, sizes and times, without reading the files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(None):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
