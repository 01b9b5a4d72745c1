"""Jobs that study the topic scores of leaderboards, by a worker, outside of any transaction."""

import warnings
from collections.abc import Iterable
from typing import Any

from analysis.errors import DegenerateWarning
from registry.catalog.models import Leaderboard
from registry.core.services import enqueue_jobs
from registry.tools.models import TopicStudy
from registry.tools.pairs.pipeline import PairFindings, study_matrix
from registry.tools.pairs.queries import Scored, measure_of, read_scored, scored_leaderboards

STUDY_LEADERBOARD = "pairs.study_leaderboard"


def enqueue_changed(*, leaderboard_ids: Iterable[int], **_: Any) -> None:
    """Have these leaderboards studied, whose topic scores change."""
    enqueue_jobs(kind=STUDY_LEADERBOARD, args=[{"leaderboard_id": pk} for pk in leaderboard_ids])


def enqueue_missing(**_: Any) -> int:
    """Have every leaderboard studied that is not yet; return the number of jobs added."""
    scored = filter(None, map(read_scored, scored_leaderboards()))
    wanted = [({"leaderboard_id": matrix.board.pk}, {matrix.digest}) for matrix in scored]
    return TopicStudy.enqueue_missing(STUDY_LEADERBOARD, wanted)


def study_leaderboard(leaderboard_id: int) -> list[TopicStudy]:
    """Return a study, not saved yet, of the leaderboard's topic scores; none where they are missing or studied."""
    scored = read_scored(Leaderboard.objects.select_related("collection", "measure").get(pk=leaderboard_id))
    if scored is None or TopicStudy.objects.filter(pk=scored.digest).exists():
        return []
    return [TopicStudy.of(scored.digest, lambda: _find(scored))]


def _find(scored: Scored) -> PairFindings:
    measure = scored.board.measure
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateWarning)
        return study_matrix(scored.matrix, measure=measure_of(scored.board), higher_is_better=measure.higher_is_better)
