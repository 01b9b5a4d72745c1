"""Earlier days of a leaderboard: those between two changes show the same, so each stands for the last change before."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Max, Model, Q, QuerySet

from registry.core.days import end_of
from registry.journal.models import Entry
from registry.leaderboards.models import Snapshot
from registry.results.models import CorrectionRequest, Result, TopicScores

#: Entries of the journal about some leaderboards, whose own rows tell as much, or about none. All others, of names,
#: lineages, declared training and suites, may be about any.
_OF_SOME = (
    Q(action__startswith="results.result.")
    | Q(action__in=("results.file.loaded", "results.topic_scores.loaded"))
    | Q(action__startswith="submissions.")
    | Q(action__startswith="accounts.")
)


def last_change(leaderboard_id: int, day: date) -> date:
    """The last day until this one on which the registry got to know something else of the leaderboard.

    Before it knew anything, the day itself.
    """
    known = [*_changes(leaderboard_id), (Entry.objects.exclude(_OF_SOME), "recorded_at")]
    last = (rows.filter(**{f"{name}__lte": end_of(day)}).aggregate(last=Max(name))["last"] for rows, name in known)
    return max((moment.date() for moment in last if moment), default=day)


def _changes(leaderboard_id: int) -> Iterator[tuple[QuerySet[Any], str]]:
    """What the leaderboard consists of, with the names of the moments at which that changes."""
    yield Snapshot.objects.filter(leaderboard=leaderboard_id), "created_at"
    of_board: dict[type[Model], str] = {Result: "leaderboard", TopicScores: "result__leaderboard"}
    for model, path in of_board.items():
        for name in ("recorded_at", "ended_at"):
            yield model._default_manager.filter(**{path: leaderboard_id}), name
    for name in ("created_at", "decided_at"):
        yield CorrectionRequest.objects.filter(result__leaderboard=leaderboard_id), name


def last_publication(leaderboard_id: int, day: date) -> date:
    """The last day until this one on which the world could read one more of the leaderboard's results.

    Before the first, the day itself.
    """
    return Result.objects.filter(leaderboard=leaderboard_id).last_published(day) or day
