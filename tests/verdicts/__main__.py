"""``python -m tests.verdicts`` counts contradictions in the verdicts of all leaderboards, and what they say.

It reads the site below ``PLUMBLINE_HOME``, and ends with 1 where a verdict contradicts itself.
"""

import os
import sys
from collections.abc import Iterator

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup()

import analysis.boards as boards  # noqa: E402 - needs the apps
from registry.leaderboards.documents.boards import leaderboard_document  # noqa: E402
from registry.leaderboards.documents.suites import suite_document  # noqa: E402
from registry.leaderboards.forms import Selection  # noqa: E402
from registry.leaderboards.models import Analysis, Snapshot  # noqa: E402
from registry.leaderboards.queries.boards import read_kept, read_shown  # noqa: E402
from registry.leaderboards.queries.suites import suite_boards  # noqa: E402
from tests.verdicts.coherence import POINTS, count_checks  # noqa: E402
from tests.verdicts.contradictions import Studied  # noqa: E402
from tests.verdicts.places import Difference, differences  # noqa: E402


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
    n_shown, differing = 0, 0
    for name, differing_places in _differences():
        n_shown += 1
        differing += bool(differing_places)
        for difference in differing_places[:2]:
            print(f"{name}: {difference}", file=sys.stderr)
    print(f"\n{n_shown:,} leaderboards and benchmarks say it in nine places: on {differing:,} two of these differ.")
    for count in wrong:
        print(f"{count.check.words}: {', '.join(count.first)}{' …' if count.n > 3 else ''}", file=sys.stderr)
    return 1 if wrong or differing else 0


def _read_verdicts() -> Iterator[Studied]:
    analyses = Analysis.objects.filter(snapshot__isnull=False).order_by("pk")
    names = ("snapshot", "leaderboard__collection", "leaderboard__measure")
    for analysis in analyses.select_related(*names).iterator(chunk_size=50):
        if stored := read_kept(analysis.snapshot, boards.Snapshot):
            board = analysis.leaderboard
            yield Studied(f"{board.collection.slug} {board.measure.name}", stored.inputs, stored.findings)


def _differences() -> Iterator[tuple[str, list[Difference]]]:
    """Yield the differences between the places of each verdict, with its name."""
    for analysis in (
        Analysis.objects.filter(snapshot__isnull=False).order_by("pk").values_list("leaderboard", flat=True)
    ):
        board = read_shown(analysis)
        yield str(board), differences(leaderboard_document(board, Selection()), board.analysis.snapshot)
    for suite in suite_boards():
        document = suite_document(suite)
        if document.verdict and document.snapshot:
            yield str(suite), differences(document, Snapshot.objects.get(pk=document.snapshot.id))


if __name__ == "__main__":
    sys.exit(main())
