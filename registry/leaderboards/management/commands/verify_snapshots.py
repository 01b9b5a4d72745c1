"""``manage.py verify_snapshots``: are the snapshots what they were, and do their numbers come out again?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.core.listing import MAX_LISTED, in_words
from registry.leaderboards.models import Snapshot
from registry.leaderboards.verification import verify_snapshot


class Command(BaseCommand):
    help = "Recompute ids and results of all snapshots, or of those named, and name any that differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", help="ids of snapshots; all when none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        snapshots = Snapshot.objects.order_by("created_at")
        if options["ids"]:
            snapshots = snapshots.filter(pk__in=options["ids"])
            missing = set(options["ids"]) - set(snapshots.values_list("pk", flat=True))
            if missing:
                raise CommandError(f"No snapshot has the id {in_words(sorted(missing), separator=', ')}.")
        n_wrong = n_said = 0
        for snapshot in snapshots.select_related("leaderboard__collection", "leaderboard__measure").iterator():
            problems = verify_snapshot(snapshot)
            n_wrong += bool(problems)
            for problem in problems[: max(0, MAX_LISTED - n_said)]:
                self.stdout.write(f"{snapshot.pk}: {problem}")
            n_said += len(problems)
        if n_said > MAX_LISTED:
            self.stdout.write(f"and {n_said - MAX_LISTED:,} more")
        self.stdout.write(f"{snapshots.count()} snapshots verified, {n_wrong} differ")
        if n_wrong:
            raise CommandError("Some snapshots are not what they were; see above.")
