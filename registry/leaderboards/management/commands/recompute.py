"""``manage.py recompute``: bring analyses up to date here and now, without a worker."""

import os
import time
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.models import QuerySet
from django.http import Http404

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.core.templatetags.formatting import plural
from registry.curation.suites.services import refresh_elsewhere
from registry.leaderboards.access import get_visible_leaderboard
from registry.leaderboards.queries.boards import stale_leaderboards
from registry.leaderboards.queries.suites import stale_suite_boards
from registry.leaderboards.services import save_finding, save_suite_finding
from registry.leaderboards.studies import analyse_leaderboard, analyse_suite


class Command(BaseCommand):
    help = (
        "Analyse one leaderboard, or every leaderboard that is behind its results, or with --all every one; then those"
        " on which systems were flagged elsewhere, and the suites that are behind their members."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("collection", nargs="?", help="slug or alias of the collection")
        parser.add_argument("measure", nargs="?", help="name or alias of the measure")
        parser.add_argument("--all", action="store_true", help="also the leaderboards that are up to date")
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: one a core")

    def handle(self, *args: Any, **options: Any) -> None:
        self._analyse(self._wanted(options), options)
        if not options["collection"] and refresh_elsewhere(reason="verdicts were computed"):
            self._analyse(_stale(), options)
        stale = stale_suite_boards()
        for board in stale:
            save_suite_finding(analyse_suite(*board.names))
        if stale:
            self.stdout.write(f"{plural(len(stale), 'suite,suites')} analysed")

    def _analyse(self, leaderboard_ids: list[int], options: dict[str, Any]) -> None:
        started = time.perf_counter()
        n_written = 0
        for done, is_written in enumerate(_results(leaderboard_ids, options["all"], options["processes"]), start=1):
            n_written += is_written
            if options["verbosity"] and (done % 100 == 0 or done == len(leaderboard_ids)):
                self.stderr.write(f"\r{done} of {len(leaderboard_ids)} leaderboards", ending="")
        seconds = time.perf_counter() - started
        if leaderboard_ids and options["verbosity"]:
            self.stderr.write("")
        looked_at = plural(len(leaderboard_ids), "leaderboard,leaderboards")
        speed = f" ({len(leaderboard_ids) / seconds:.0f} a second)" if leaderboard_ids else ""
        self.stdout.write(f"{looked_at} looked at, {n_written} analysed in {seconds:.1f} s{speed}")

    def _wanted(self, options: dict[str, Any]) -> list[int]:
        if bool(options["collection"]) != bool(options["measure"]):
            raise CommandError("Name a collection and a measure, or neither.")
        if options["collection"]:
            try:
                return [get_visible_leaderboard(options["collection"], options["measure"]).pk]
            except Http404 as error:
                raise CommandError(str(error)) from error
        return _ids(Leaderboard.objects.filter(results_version__gt=0)) if options["all"] else _stale()


def _stale() -> list[int]:
    return _ids(stale_leaderboards(METHODS.version))


def _ids(boards: QuerySet[Leaderboard]) -> list[int]:
    return list(boards.order_by("pk").values_list("pk", flat=True))


def _results(leaderboard_ids: list[int], is_forced: bool, n_processes: int) -> Any:
    """Yield whether each leaderboard was analysed, as they get done."""
    if n_processes <= 1 or len(leaderboard_ids) < 50:
        yield from (_recompute(pk, is_forced) for pk in leaderboard_ids)
        return
    # A connection must not be shared with a forked process.
    connections.close_all()
    with ProcessPoolExecutor(n_processes) as pool:
        yield from pool.map(_recompute, leaderboard_ids, [is_forced] * len(leaderboard_ids), chunksize=20)


def _recompute(leaderboard_id: int, is_forced: bool) -> bool:
    return save_finding(analyse_leaderboard(leaderboard_id, is_forced=is_forced)) is not None
