"""Which tests run: those of ``./test``, with thorough ones for none of the files, for all, or for a share of them.

``PLUMBLINE_THOROUGH`` is ``none``, ``all`` or a share as ``2/5``; ``./test`` sets it. Without it, pytest runs what it
is asked for. A thorough file runs its slow tests, makes thousands of examples, and runs on both databases.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar
from zlib import crc32

TESTS = Path(__file__).parent
Item = TypeVar("Item")

#: What runs on PostgreSQL and Redis each time, by folder: it has SQL, locks or a vendor's ways of its own, loads or
#: matches in bulk, counts and orders lists, or asks every address of the API once.
ON_BOTH_DATABASES = {
    "accounts": "delete_account errands tokens",
    "api": "as_of conformance get_catalog list_leaderboards paging submissions_retries",
    "catalog": "catalog_names constraints load_catalog variances",
    "curation/cautions": "decisions",
    "core": "backup cache checks enqueue_jobs health isolation keep_as_written kept_response limits loading move_site "
    "outages prepare run_job send_again staging sweep turns update_rows",
    "dumps": "dump",
    "following": "digests",
    "leaderboards": "analyse_leaderboard collection_list earlier_days earlier_topic_scores left_out verify_snapshots",
    "curation/lineage": "load_lineage twins",
    "curation/oddities": "oddities",
    "results": "constraints decide_correction earlier_days load_papers load_results load_topic_scores log "
    "merge_and_rename models replicates supersede_result undo_batch undo_merge withdraw_result",
    "runs": "judgements",
    "search": "files_of_lists lists search",
    "submissions": "drafting idempotency limits publish_submission reviewing tasks telling unmasking",
    "curation/suites": "suites",
    "tools/home": "home",
}

#: Whose slow tests take too long for one share: each share does a part of what they go over.
IN_EVERY_SHARE = {TESTS / "data" / "test_every_board.py"}


def share() -> tuple[int, int] | None:
    """Which of how many shares this run is, from 0; None where it is none."""
    number, is_share, n_shares = os.environ.get("PLUMBLINE_THOROUGH", "").partition("/")
    return (int(number) - 1, int(n_shares)) if is_share else None


def is_thorough(path: Path) -> bool:
    """Whether the tests of a file are thorough in this run."""
    part = share()
    if part is None:
        return os.environ.get("PLUMBLINE_THOROUGH") == "all"
    return crc32(path.relative_to(TESTS).as_posix().encode()) % part[1] == part[0]


def part_of_share(items: Sequence[Item]) -> Sequence[Item]:
    """What this share goes over, for a file that is in every one: the shares together have each item once."""
    number, n_shares = share() or (0, 1)
    return items[number::n_shares]


def every(step: int, items: Iterable[Item], file: str, *, start: int = 0) -> list[Item]:
    """One of ``step`` items, other ones for another ``start``; all of them where the file is thorough.

    Where anything may be sent to anything, each place hears some of it in every run, and everything is heard somewhere.
    """
    return list(items) if is_thorough(Path(file)) else list(islice(items, start % step, None, step))


def runs_slow_tests(path: Path) -> bool:
    """Whether the slow tests of a file run: without ``./test``, whoever names them wants them."""
    is_in_all = share() is not None and path in IN_EVERY_SHARE
    return not os.environ.get("PLUMBLINE_THOROUGH") or is_in_all or is_thorough(path)


def examples_of(path: Path) -> str:
    """The profile of Hypothesis for a file, by how many examples its properties are tried."""
    if not os.environ.get("PLUMBLINE_THOROUGH"):
        return "usual"
    return "thorough" if is_thorough(path) else "plain"


def runs_here(path: Path) -> bool:
    """Whether a file has tests for the database and the broker at hand."""
    is_for_a_team = os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")
    if not (os.environ.get("PLUMBLINE_THOROUGH") and is_for_a_team and path.name.startswith("test_")):
        return True
    return path in files_on_both_databases() or is_thorough(path)


def files_on_both_databases() -> set[Path]:
    """The files that ``ON_BOTH_DATABASES`` names."""
    return {
        TESTS / "registry" / folder / f"test_{name}.py"
        for folder, names in ON_BOTH_DATABASES.items()
        for name in names.split()
    }
