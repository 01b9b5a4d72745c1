"""What a worker finds of a leaderboard's topic scores, outside of any transaction."""

import warnings
from dataclasses import dataclass

import msgspec

from analysis.errors import ArgumentError, DegenerateWarning
from registry.catalog.models import Leaderboard
from registry.pairs.pipeline import study_matrix
from registry.pairs.queries import Scored, measure_of, read_findings, read_scored


@dataclass(frozen=True, slots=True)
class Study:
    """What was found of a matrix, as JSON, or why nothing can be."""

    digest: str
    content: str
    obstacle: str


def study_leaderboard(leaderboard_id: int) -> Study | None:
    """A study of the leaderboard's topic scores; None where it has none, or they are studied."""
    scored = read_scored(Leaderboard.objects.select_related("collection", "measure").get(pk=leaderboard_id))
    if scored is None or read_findings(scored.digest) is not None:
        return None
    return _study(scored)


def _study(scored: Scored) -> Study:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DegenerateWarning)
            found = study_matrix(
                scored.matrix,
                measure=measure_of(scored.board),
                higher_is_better=scored.board.measure.higher_is_better,
            )
    except DegenerateWarning as warning:
        return Study(scored.digest, "", str(warning))
    except ArgumentError as error:
        return Study(scored.digest, "", f"the {error.argument} {error.reason}")
    return Study(scored.digest, msgspec.json.encode(found).decode(), "")
