"""``python -m tests.verdicts`` counts contradictions in the verdicts of all leaderboards, and what they say.

It reads the site below ``PLUMBLINE_HOME``, and ends with 1 where a verdict contradicts itself.
"""

import os
import sys
from collections.abc import Iterator

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup()

from analysis.boards import Snapshot  # noqa: E402 - needs the apps
from registry.leaderboards.models import Analysis  # noqa: E402
from registry.leaderboards.verification import read_kept  # noqa: E402
from tests.verdicts.coherence import POINTS, count_checks  # noqa: E402
from tests.verdicts.contradictions import Studied  # noqa: E402


def main() -> int:
    """Print every count; return 1 where a verdict contradicts itself."""
    n, counts = count_checks(_read_verdicts())
    print(f"{n:,} leaderboards carry a verdict.")
    for point, words in POINTS.items():
        print(f"\n{point}. {words}")
        for count in counts:
            if count.check.point == point:
                sign = "must be 0" if count.check.is_contradiction else ""
                print(f"{count.n:>7,}  {count.check.words:<61}{sign}".rstrip())
    wrong = [count for count in counts if count.check.is_contradiction and count.n]
    for count in wrong:
        print(f"{count.check.words}: {', '.join(count.first)}{' …' if count.n > 3 else ''}", file=sys.stderr)
    return 1 if wrong else 0


def _read_verdicts() -> Iterator[Studied]:
    analyses = Analysis.objects.filter(snapshot__isnull=False).order_by("pk")
    names = ("snapshot", "leaderboard__collection", "leaderboard__measure")
    for analysis in analyses.select_related(*names).iterator(chunk_size=50):
        if stored := read_kept(analysis.snapshot, Snapshot):
            board = analysis.leaderboard
            yield Studied(f"{board.collection.slug} {board.measure.name}", stored.inputs, stored.findings)


if __name__ == "__main__":
    sys.exit(main())
