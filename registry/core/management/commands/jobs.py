"""List the background jobs that are unfinished or failed, and start failed ones anew."""

from argparse import ArgumentParser
from textwrap import indent
from typing import Any

from django.core.management.base import BaseCommand

from registry.core.models import Job, RoutineState
from registry.core.queries import read_workload
from registry.core.services import retry_failed_jobs
from registry.core.templatetags.formatting import number_of


class Command(BaseCommand):
    help = "List unfinished and failed jobs, and failing routines, with -v 2 whole errors; --retry starts jobs anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--retry", action="store_true", help="start every failed job anew, with all its attempts")
        parser.add_argument("--limit", type=int, default=50, help="how many to list (default: 50)")

    def handle(self, *, retry: bool, limit: int, verbosity: int, **options: Any) -> None:
        if retry:
            again = number_of(retry_failed_jobs(), "failed job is", "failed jobs are")
            self.stdout.write(f"{again} queued again.")
        workload = read_workload()
        shown = (Job.objects.failed() | Job.objects.unfinished()).order_by("state", "created_at")
        n_listed = shown.count()
        for job in shown[:limit]:
            self.stdout.write(self._line(job))
            if verbosity > 1 and job.error:
                self.stdout.write(indent(job.error.strip(), "    "))
        for state in RoutineState.objects.exclude(n_failures=0).order_by("name"):
            self.stdout.write(f"{state.name}  failed {state.n_failures} times in a row  {_last_line(state.error)}")
            if verbosity > 1:
                self.stdout.write(indent(state.error.strip(), "    "))
        self.stdout.write(
            f"{workload.n_queued} queued, {workload.n_running} running, {workload.n_failed} failed"
            + (f" ({limit} shown, {n_listed - limit:,} more)" if n_listed > limit else "")
        )
        for problem in workload.problems:
            self.stdout.write(self.style.WARNING(problem))

    def _line(self, job: Job) -> str:
        parts = [f"{job.created_at:%Y-%m-%d %H:%M:%S}", job.state, f"attempt {job.attempts}", job.key]
        return "  ".join(part for part in [*parts, _last_line(job.error)] if part)


def _last_line(error: str) -> str:
    return error.strip().rpartition("\n")[2]
