"""What a worker finds of a leaderboard's topic scores, outside of any transaction."""

import warnings

from analysis.errors import DegenerateWarning
from registry.catalog.models import Leaderboard
from registry.tools.pairs.models import TopicStudy
from registry.tools.pairs.pipeline import PairFindings, study_matrix
from registry.tools.pairs.queries import Scored, measure_of, read_scored


def study_leaderboard(leaderboard_id: int) -> list[TopicStudy]:
    """A study, not saved yet, of the leaderboard's topic scores; none where it has none, or they are studied."""
    scored = read_scored(Leaderboard.objects.select_related("collection", "measure").get(pk=leaderboard_id))
    if scored is None or TopicStudy.objects.filter(pk=scored.digest).exists():
        return []
    return [TopicStudy.of(scored.digest, lambda: _find(scored))]


def _find(scored: Scored) -> PairFindings:
    measure = scored.board.measure
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateWarning)
        return study_matrix(scored.matrix, measure=measure_of(scored.board), higher_is_better=measure.higher_is_better)
