"""How the analysis of a leaderboard stands to its results."""

from datetime import datetime
from typing import Any

from django.db.models import TextChoices

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.core.messages import say
from registry.leaderboards.documents.shapes import AnalysisState
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries.boards import RecordedRows
from registry.leaderboards.words import OF_RESULTS, Words


def standing_snapshot(leaderboard: Leaderboard, moment: datetime | None) -> tuple[Snapshot | None, str]:
    """The snapshot to show, and the state of the analysis."""
    if moment is not None:
        past = Snapshot.objects.filter(leaderboard=leaderboard, created_at__lte=moment).order_by("-created_at").first()
        return past, "past"
    analysis: Analysis | None = getattr(leaderboard, "analysis", None)
    return analysis.snapshot if analysis else None, state_of(leaderboard, analysis)


def state_of(leaderboard: Leaderboard, analysis: Analysis | None) -> str:
    if analysis is None:
        return "queued" if leaderboard.results_version else "none"
    is_current = (analysis.results_version, analysis.methods_version) == (leaderboard.results_version, METHODS.version)
    if not is_current:
        return "stale"
    return "current" if analysis.snapshot_id else "none"


def analysis_state(
    state: Any,
    obstacle: str,
    *,
    is_filtered: bool = False,
    words: Words = OF_RESULTS,
    obstacles: type[TextChoices] = Analysis.Obstacle,
) -> AnalysisState:
    """Return a state with its message, which says why there is no analysis where something is in its way."""
    message = say(f"state-{state}", rows=words.row) if state in {"current", "stale", "queued"} else ""
    if obstacle and (state in {"current", "none"} or is_filtered):
        message = say("state-obstacle", why=str(obstacles(obstacle).label))
    return AnalysisState(state=state, obstacle=obstacle, message=message)


def past_state(
    selection: Selection, recorded: RecordedRows, obstacle: str, *, has_snapshot: bool = True
) -> AnalysisState:
    """What is shown of an earlier day: of the registry, of the world, or of both.

    What the catalog said then is known by a snapshot until then; without one it is as of today, which is said.
    """
    sentences = []
    if selection.as_of:
        sentences.append(say("past-as-known" if recorded.rows else "past-nothing"))
        if recorded.rows and not (has_snapshot or obstacle):
            sentences.append(say("past-made-anew"))
    if selection.published_by:
        sentences.append(say("past-published-by", day=str(selection.published_by)))
    if recorded.n_undated:
        sentences.append(say("past-undated", n=recorded.n_undated))
    if obstacle and recorded.rows:
        sentences.append(say("state-obstacle", why=str(Analysis.Obstacle(obstacle).label)))
    return AnalysisState(state="past", obstacle=obstacle, message=" ".join(sentences))
