"""The topic scores of a leaderboard, and what was found of them."""

import hashlib
import json
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.core.listing import grouped
from registry.leaderboards.queries.boards import read_topic_scores
from registry.leaderboards.versions import read_board_version
from registry.results.models import Result, TopicScores
from registry.tools.models import Resolution, TopicStudy
from registry.tools.pairs.pipeline import PairFindings
from registry.tools.resolution.queries import read_systems

#: Counted up whenever ``pipeline.study_matrix`` answers otherwise, so that everything is studied again.
METHODS_VERSION = "5"


@dataclass(frozen=True, slots=True)
class Scored:
    """The topic scores of a leaderboard's systems, by result id, and the digest of their study."""

    board: Leaderboard
    matrix: ScoreMatrix
    digest: str


@dataclass(frozen=True, slots=True)
class Known:
    """Topic scores of a leaderboard and findings, each None where missing; ``why`` nothing can be found, or blank."""

    scored: Scored | None
    findings: PairFindings | None
    why: str


def read_scored(board: Leaderboard) -> Scored | None:
    """Return the topic scores of the leaderboard; None where fewer than two systems have them."""
    matrix = read_systems(board)
    if matrix is None:
        return None
    scores = json.dumps([matrix.systems, matrix.topics, matrix.scores.tolist()])
    text = f"{METHODS_VERSION} {measure_of(board)} {board.measure.higher_is_better} {scores}"
    return Scored(board, matrix, hashlib.sha256(text.encode()).hexdigest())


def measure_of(board: Leaderboard) -> str:
    """Return the leaderboard's measure as ir-measures writes it; its name where ir-measures doesn't know it."""
    return board.measure.ir_measures or board.measure.name


def read_known(board: Leaderboard) -> Known:
    scored = read_scored(board)
    study = TopicStudy.read([scored.digest], PairFindings).get(scored.digest) if scored else None
    return Known(scored, None, study) if isinstance(study, str) else Known(scored, study, "")


def read_two(board: Leaderboard, first: int, second: int) -> ScoreMatrix | None:
    """Return topic scores of two comparable results that stand on the leaderboard; None where either has none."""
    results = Result.objects.for_leaderboard(board).comparable()
    # Not pk__in, which hands SQLite numbers that it can't hold.
    known = set(results.filter(Q(pk=first) | Q(pk=second)).values_list("pk", flat=True))
    return read_topic_scores(board, [first, second]) if known == {first, second} else None


def read_executions(board: Leaderboard) -> dict[str, ScoreMatrix]:
    """Return topic scores of each system's executions, by the id of the result that the others repeat."""
    results = Result.objects.for_leaderboard(board).comparable()
    first_of = {str(pk): str(first or pk) for pk, first in results.order_by("pk").values_list("pk", "replicate_of")}
    matrix = read_topic_scores(board, [int(label) for label in first_of])
    if matrix is None:
        return {}
    return {members[0]: matrix.select(members) for members in grouped(matrix.systems, first_of.__getitem__).values()}


def results_of(*matrices: ScoreMatrix) -> dict[str, Result]:
    """Return the results that the labels of matrices name, with their systems."""
    rows = Result.objects.with_names().filter(pk__in=[int(label) for matrix in matrices for label in matrix.systems])
    return {str(row.pk): row for row in rows}


def scored_leaderboards() -> QuerySet[Leaderboard]:
    """Return the leaderboards on which two systems or more have topic scores."""
    scored = TopicScores.objects.standing().values("result__leaderboard").annotate(n=Count("pk")).filter(n__gt=1)
    boards = Leaderboard.objects.filter(pk__in=scored.order_by().values("result__leaderboard"))
    return boards.select_related("collection", "measure").order_by("pk")


def comparisons_version(board: Leaderboard) -> str:
    """Return a text that changes whenever the leaderboard's comparisons do."""
    studied = [rows.version() for rows in (TopicStudy, Resolution)]
    return f"{METHODS_VERSION} {read_board_version(*board.names)} {studied}"
