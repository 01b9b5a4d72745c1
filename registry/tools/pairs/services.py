"""Writing what was found of leaderboards' topic scores, and seeing to it that it is found."""

from collections.abc import Iterable
from typing import Any

from registry.core.services import enqueue_jobs, enqueue_overdue_jobs
from registry.tools.pairs.models import TopicStudy
from registry.tools.pairs.queries import read_scored, scored_leaderboards

STUDY_LEADERBOARD = "pairs.study_leaderboard"


def save_study(study: TopicStudy | None) -> None:
    """Keep what was found; what another worker kept in the meantime is the same."""
    if study is not None:
        TopicStudy.objects.bulk_create([study], ignore_conflicts=True)


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    """Have these leaderboards studied, where they have topic scores."""
    boards = scored_leaderboards().filter(pk__in=list(leaderboard_ids))
    enqueue_jobs(kind=STUDY_LEADERBOARD, args=[{"leaderboard_id": board.pk} for board in boards])


def enqueue_missing() -> int:
    """Have every leaderboard studied that is not; the number of jobs added."""
    digests = {board.pk: scored.digest for board in scored_leaderboards() if (scored := read_scored(board))}
    known = set(TopicStudy.objects.filter(pk__in=digests.values()).values_list("pk", flat=True))
    missing = [{"leaderboard_id": pk} for pk, digest in digests.items() if digest not in known]
    return enqueue_overdue_jobs(kind=STUDY_LEADERBOARD, args=missing)


def enqueue_after_loading(**_: Any) -> None:
    """The same, at the end of a load."""
    enqueue_missing()
