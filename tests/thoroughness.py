"""Which tests run: those of ``./test``, with thorough ones for none of the files, for all, or for a share of them.

``PLUMBLINE_THOROUGH`` is ``none``, ``all`` or a share as ``2/5``; ``./test`` sets it. Without it, pytest runs what it
is asked for. A thorough file runs its slow tests, makes thousands of examples, and runs on both databases.
"""

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeVar
from zlib import crc32

TESTS = Path(__file__).parent
Item = TypeVar("Item")

#: What runs on PostgreSQL and Redis each time, by folder: it has SQL, locks or a vendor's ways of its own, loads or
#: matches in bulk, counts and orders lists, or asks every address of the API once. Of a file with a colon, of which
#: most tests look at rules and pages, only the named tests have.
ON_BOTH_DATABASES = {
    "accounts": """
        delete_account
        tokens: only_its_hash_is_stored, the_database_refuses_one_that_never_was_valid, revoking_ends_it,
            twenty_live_ones_are_enough
    """,
    "api": """
        as_of paging
        list_leaderboards: suite_language_and_number_of_results_narrow_it_down,
            collections_are_searched_like_on_the_page
        submissions_retries: the_same_request_again_has_the_first_answer, a_key_is_used_for_one_request,
            a_request_that_is_still_being_answered, simultaneous_requests_have_one_effect
    """,
    "catalog": """
        catalog_names constraints variances
        load_catalog: a_name_that_is_asked_about_everywhere_is_nobodys_alias_any_longer,
            what_differs_is_changed_in_place_with_a_journal_entry,
            questions_loaded_again_change_nothing_and_take_the_place_of_those_about_the_same_names,
            an_alias_moves_where_the_file_moves_it, an_edit_that_a_load_takes_back_is_journalled,
            leaderboards_that_it_matters_for_are_stale, the_journal_has_one_entry_for_each_file,
            a_name_may_be_asked_about_differently_in_different_places, everything_a_row_says_is_kept
    """,
    "core": """
        backup checks compose enqueue_jobs health isolation keep_as_written kept_response limits loading outages
        prepare run_job send_again sweep turns update_rows waiting
    """,
    "curation/lineage": "load_lineage loading twins",
    "curation/suites": "files suites",
    "dumps": """
        dump: what_is_loaded_is_the_registry_that_was_exported, what_was_loaded_goes_on_living_there,
            two_dumps_of_one_registry_have_one_digest_and_the_same_rows, people_are_names_that_nobody_can_sign_in_to,
            a_dump_of_an_earlier_schema_gets_what_it_lacks, a_dump_is_loaded_into_an_empty_site_alone,
            the_first_dump_waits_for_no_analysis_that_does_not_come, what_cannot_be_written_leaves_nothing_behind
    """,
    "journal": "underway verify",
    "leaderboards": """
        analyse_leaderboard collection_list left_out
        earlier_days: a_result_is_known_from_its_moment_on, a_withdrawn_result_is_known_until_its_moment,
            a_result_is_published_on_its_day_or_at_the_end_of_its_year, both_days_hold_together,
            the_page_the_files_and_the_api_agree
        earlier_topic_scores: scores_of_a_superseded_result_are_those_of_its_day,
            a_reload_of_other_scores_does_not_change_the_past, a_snapshot_is_verified_against_the_scores_of_its_time,
            what_the_catalog_said_then_holds_for_filters_of_that_day, a_day_shows_systems_under_the_names_of_that_day,
            a_day_shows_what_was_disputed_then
        verify_snapshots: an_honest_snapshot_has_no_problem_and_a_changed_one_is_named
    """,
    "results": """
        constraints decide_correction earlier_days load_papers load_results load_topic_scores log
        merge_and_rename models replicates supersede_result undo_batch undo_merge withdraw_result
    """,
    "runs": "judgements",
    "search": "lists search",
    "submissions": """
        drafting idempotency telling
        limits: there_is_room_again_an_hour_after_the_first,
            of_many_simultaneous_submissions_as_many_pass_as_there_are_places
        reviewing: of_many_simultaneous_decisions_one_is_made,
            what_was_withdrawn_meanwhile_is_not_published,
            starting_the_review_compares_anew, a_curator_reviews_what_is_on_the_collection_alone,
            a_row_that_cannot_be_read_does_not_take_it_from_the_curator
        drafts_are_private: no_table_of_the_admin_tells_of_a_submission_or_a_draft
    """,
    "tools/home": """
        home: what_other_methods_moved_is_no_news
    """,
}

#: Whose slow tests take too long for one share: each share does a part of what they go over.
IN_EVERY_SHARE = {TESTS / "data" / "test_every_board.py"}


def share() -> tuple[int, int] | None:
    """Return which of how many shares this run is, from 0; None where it is none."""
    number, is_share, n_shares = os.environ.get("PLUMBLINE_THOROUGH", "").partition("/")
    return (int(number) - 1, int(n_shares)) if is_share else None


def is_thorough(path: Path) -> bool:
    """Return whether the tests of a file are thorough in this run."""
    part = share()
    if part is None:
        return os.environ.get("PLUMBLINE_THOROUGH") == "all"
    return crc32(path.relative_to(TESTS).as_posix().encode()) % part[1] == part[0]


def part_of_share(items: Sequence[Item]) -> Sequence[Item]:
    """Return what this share goes over, for a file that is in every one: the shares together have each item once."""
    number, n_shares = share() or (0, 1)
    return items[number::n_shares]


def every(step: int, items: Iterable[Item], file: str, *, start: int = 0) -> list[Item]:
    """One of ``step`` items, other ones for another ``start``; all of them where the file is thorough.

    Where anything may be sent to anything, each place hears some of it in every run, and everything is heard somewhere.
    """
    return list(items) if is_thorough(Path(file)) else list(islice(items, start % step, None, step))


def runs_slow_tests(path: Path) -> bool:
    """Return whether the slow tests of a file run: without ``./test``, whoever names them wants them."""
    is_in_all = share() is not None and path in IN_EVERY_SHARE
    return not os.environ.get("PLUMBLINE_THOROUGH") or is_in_all or is_thorough(path)


def examples_of(path: Path) -> str:
    """The profile of Hypothesis for a file, by how many examples its properties are tried."""
    if not os.environ.get("PLUMBLINE_THOROUGH"):
        return "usual"
    return "thorough" if is_thorough(path) else "plain"


def runs_here(path: Path, test: str = "") -> bool:
    """Return whether a file, or a test of it, is for the database and the broker at hand."""
    is_for_a_team = os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")
    if not (os.environ.get("PLUMBLINE_THOROUGH") and is_for_a_team and path.name.startswith("test_")):
        return True
    named = on_both_databases().get(path)
    return is_thorough(path) or (named is not None and (not test or not named or test in named))


@cache
def on_both_databases() -> dict[Path, set[str]]:
    """The files that ``ON_BOTH_DATABASES`` names, each with the tests that it names of it; none where it is all."""
    found = {}
    for folder, text in ON_BOTH_DATABASES.items():
        for name, tests in re.findall(r"(\w+)(?::\s*(\w+(?:,\s+\w+)*))?", text):
            path = TESTS / "registry" / folder / f"test_{name}.py"
            found[path] = {f"test_{one}" for one in re.findall(r"\w+", tests)}
    return found
