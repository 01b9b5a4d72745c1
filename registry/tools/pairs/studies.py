"""What a worker finds of a leaderboard's topic scores, outside of any transaction."""

import warnings

import msgspec

from analysis.errors import ArgumentError, DegenerateWarning
from registry.catalog.models import Leaderboard
from registry.tools.pairs.models import TopicStudy
from registry.tools.pairs.pipeline import study_matrix
from registry.tools.pairs.queries import Scored, measure_of, read_findings, read_scored


def study_leaderboard(leaderboard_id: int) -> TopicStudy | None:
    """A study, not saved yet, of the leaderboard's topic scores; None where it has none, or they are studied."""
    scored = read_scored(Leaderboard.objects.select_related("collection", "measure").get(pk=leaderboard_id))
    if scored is None or read_findings(scored.digest) is not None:
        return None
    return _study(scored)


def _study(scored: Scored) -> TopicStudy:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DegenerateWarning)
            found = study_matrix(
                scored.matrix,
                measure=measure_of(scored.board),
                higher_is_better=scored.board.measure.higher_is_better,
            )
    except DegenerateWarning as warning:
        return TopicStudy(digest=scored.digest, obstacle=str(warning))
    except ArgumentError as error:
        return TopicStudy(digest=scored.digest, obstacle=f"the {error.argument} {error.reason}")
    return TopicStudy(digest=scored.digest, content=msgspec.json.encode(found).decode())
