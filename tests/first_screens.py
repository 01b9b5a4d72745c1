"""``python -m tests.first_screens [N]`` ranks leaderboards of the site of PLUMBLINE_HOME by what is above the figure.

An estimate, in pixels of a phone, from the texts of the verdicts that stand; browsers then look at the first ones.
"""

import json
import math
import sys

#: Pixels of a line, and characters that it holds, on a phone: of the title, a name and meaning of a number, the claim.
_TITLE, _NAME, _MEANING, _EVIDENCE, _CLAIM = (28, 24), (22, 30), (17, 54), (22, 46), (24, 32)


def estimates() -> list[tuple[int, str]]:
    """Each leaderboard that has a figure, as the pixels before it and its address, most first."""
    import django

    django.setup()
    from analysis.boards import Snapshot
    from registry.catalog.models import Leaderboard
    from registry.leaderboards import wording
    from registry.leaderboards.documents.suites import any_snapshot_document
    from registry.leaderboards.drawings.pages import drawn_snapshot
    from registry.leaderboards.queries.boards import read_kept

    boards = Leaderboard.objects.filter(analysis__snapshot__isnull=False)
    found = []
    for board in boards.select_related("analysis__snapshot", "collection", "measure"):
        stored = read_kept(board.analysis.snapshot, Snapshot)
        if stored is None or stored.findings.verdict.tries.n_results < 2:
            continue
        document = any_snapshot_document(board.analysis.snapshot)
        verdict, rows = document.verdict, drawn_snapshot(document, stored).results
        height = _lines(str(board), _TITLE) + _lines(wording.evidence_in_short(verdict), _EVIDENCE)
        height += _lines(wording.claim(document, verdict, rows), _CLAIM) + 30 * bool(verdict.views)
        facts = wording.facts(document, verdict, rows)
        height += sum(_lines(fact.name + fact.value, _NAME) + _lines(fact.meaning, _MEANING) for fact in facts)
        found.append((height, board.get_absolute_url()))
    return sorted(found, reverse=True)


def _lines(text: str, size: tuple[int, int]) -> int:
    height, characters = size
    return height * math.ceil(len(text) / characters)


if __name__ == "__main__":
    print(json.dumps(estimates()[: int(sys.argv[1]) if len(sys.argv) > 1 else None], indent=1))
