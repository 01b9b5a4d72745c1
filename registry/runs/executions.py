"""Columns of an uploaded table as executions of one system, with baselines: Jayasinghe et al. (2015), as leaderboards
have it."""

from collections.abc import Sequence

import numpy as np

from analysis.errors import ArgumentError
from analysis.readers.rejections import Refused
from analysis.scores import ScoreMatrix
from registry.runs.models import Upload, Work
from registry.runs.pipeline.packing import unpack_scores
from registry.tools.pairs.documents import ScoredSystem
from registry.tools.pairs.execution_documents import ExecutedSystem, executed_system


def columns_of(upload: Upload) -> ScoreMatrix | None:
    """The table that somebody sent; None of runs, of one column and of what is not read yet."""
    work = upload.work
    if work.kind != Work.Kind.MATRIX or work.state != Work.State.DONE or len(work.means) < 2:
        return None
    table = unpack_scores(bytes(work.scores))
    return ScoreMatrix(list(table.scores), table.topics, list(table.scores.values()))


def analyse_executions(
    matrix: ScoreMatrix,
    executions: Sequence[str],
    baselines: Sequence[str],
    margin: float | None,
    *,
    higher_is_better: bool,
) -> ExecutedSystem:
    """Columns that are executions of one system against others, each of which was executed once.

    Raises
    ------
    Refused
        If the executions don't differ, or nothing can be computed of them.
    """
    own = matrix.select(list(executions))
    if not np.ptp(own.scores, axis=0).any():
        raise Refused("executions", "These columns are the same on every topic, so they are no executions that vary.")
    known = {executions[0]: own} | {one: matrix.select([one]) for one in baselines}
    try:
        return executed_system(known, executions[0], margin, _named, higher_is_better=higher_is_better)
    except ArgumentError as error:
        raise Refused("executions", f"This can’t be computed: {error.argument} {error.reason}.") from error


def _named(name: str, mean: float) -> ScoredSystem:
    return ScoredSystem(0, name, "", mean)
