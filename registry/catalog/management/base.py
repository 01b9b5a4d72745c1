"""The base of the loading commands: options, progress on stderr, one closing line a file."""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.readers.text import did_you_mean
from registry.accounts.models import User
from registry.core.loading import LoadReport

_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_ON_A_TERMINAL = 0.2


def find_actor(username: str) -> User | None:
    """Return the user of this name; None for blank, which is the registry itself."""
    if not username:
        return None
    user = User.objects.filter(username=username).first()
    if user is None:
        known = User.objects.values_list("username", flat=True)
        raise CommandError(f"there is no user named {username!r}{did_you_mean(username, known)}")
    return user


class LoadingCommand(BaseCommand):
    """A command that loads files, and exits with 1 where anything was refused."""

    _shown_at = 0.0

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--actor", default="", metavar="NAME", help="username that the journal names")
        parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the journal")

    def for_journal(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return actor and reason, as the services take them."""
        return {"actor": find_actor(options["actor"]), "reason": options["reason"]}

    def progress(self, what: str, n_rows: int) -> None:
        """Rewrite one line on a terminal; elsewhere, write a line every ten seconds."""
        now = time.monotonic()
        terminal = self.stderr.isatty()
        pause = _SECONDS_ON_A_TERMINAL if terminal else _SECONDS_BETWEEN_LINES
        if not self._shown_at or now - self._shown_at < pause:
            self._shown_at = self._shown_at or now
            return
        self._shown_at = now
        if terminal:
            self.stderr.write(f"\r{what}: {n_rows:,} rows …\x1b[K", ending="")
        else:
            self.stderr.write(f"{what}: {n_rows:,} rows …")
        self.stderr.flush()

    def show(self, report: LoadReport, *, verbosity: int) -> None:
        """Print rejections on stderr and the closing line on stdout."""
        if self.stderr.isatty():
            self.stderr.write("\r\x1b[K", ending="")
        for line in report.lines():
            self.stderr.write(line)
        if verbosity or report.refused:
            for remark in report.remarks:
                self.stdout.write(f"{report.path or report.label}: {remark}")
            self.stdout.write(report.summary())

    def exit(self, reports: Sequence[LoadReport]) -> None:
        """Exit with 1 where anything was refused."""
        if any(report.refused for report in reports):
            sys.exit(1)


class LoadingFiles(LoadingCommand):
    """A command that loads any number of files, each by itself."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument("--keep-good", action="store_true", help="load the good rows of a file that has bad ones")

    def load(self, load_file: Callable[..., LoadReport], options: dict[str, Any], **more: Any) -> None:
        """Load every file with the options of the command, and ``more``."""
        chosen = {"dry_run": options["dry_run"], "keep_good": options["keep_good"], **self.for_journal(options), **more}
        reports = []
        for path in options["files"]:
            reports.append(load_file(path=path, **chosen))
            self.show(reports[-1], verbosity=options["verbosity"])
        self.exit(reports)
