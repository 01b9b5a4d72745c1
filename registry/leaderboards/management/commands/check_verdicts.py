"""``manage.py check_verdicts``: does any leaderboard contradict itself, and what do the others rest on?"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.boards import Snapshot
from registry.core.templatetags.formatting import number_of
from registry.leaderboards.coherence import POINTS, count_checks
from registry.leaderboards.contradictions import Studied
from registry.leaderboards.models import Analysis
from registry.leaderboards.verification import read_kept


class Command(BaseCommand):
    help = "Count contradictions in the verdicts of all leaderboards, and what they say; fail where there is one."

    def handle(self, *args: Any, **options: Any) -> None:
        n, counts = count_checks(_studied())
        self.stdout.write(f"{number_of(n, 'leaderboard carries', 'leaderboards carry')} a verdict.")
        for point, words in POINTS.items():
            self.stdout.write(f"\n{point}. {words}")
            for count in counts:
                if count.check.point == point:
                    sign = "must be 0" if count.check.is_contradiction else ""
                    self.stdout.write(f"{count.n:>7,}  {count.check.words:<61}{sign}".rstrip())
        wrong = [count for count in counts if count.check.is_contradiction and count.n]
        for count in wrong:
            self.stderr.write(f"{count.check.words}: {', '.join(count.first)}{' …' if count.n > 3 else ''}")
        if wrong:
            raise CommandError("Some verdicts contradict themselves; see above.")


def _studied() -> Iterator[Studied]:
    analyses = Analysis.objects.filter(snapshot__isnull=False).order_by("pk")
    names = ("snapshot", "leaderboard__collection", "leaderboard__measure")
    for analysis in analyses.select_related(*names).iterator(chunk_size=50):
        if stored := read_kept(analysis.snapshot, Snapshot):
            board = analysis.leaderboard
            yield Studied(f"{board.collection.slug} {board.measure.name}", stored.inputs, stored.findings)
