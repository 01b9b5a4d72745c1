"""``manage.py work``: the worker of a site without Redis."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.core.worker import AnotherWorksError, work


class Command(BaseCommand):
    help = (
        "Do background jobs and routines until asked to stop, where REDIS_URL is not set. Two processes more do "
        "nothing but what somebody waits for."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--processes", type=int, default=2, help="how many do any job (default: 2)")

    def handle(self, *, processes: int, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError("REDIS_URL is set, so Celery's workers do the jobs: celery -A registry worker")
        if processes < 1:
            raise CommandError("--processes must be 1 or more.")
        try:
            work(processes)
        except AnotherWorksError as error:
            raise CommandError(f"Another worker works for {settings.HOME}. Stop it first.") from error
