"""How the analysis of a leaderboard stands to its results."""

from datetime import datetime
from typing import Any

from django.db.models import TextChoices

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.core.templatetags.formatting import plural
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


_STATE_MESSAGES = {
    "current": "The analysis covers {words.basis}.",
    "stale": "Results or methods changed since this analysis; it is being made again.",
    "queued": "This {words.board} has not been analysed yet; it is about to be.",
}


def analysis_state(
    state: Any,
    obstacle: str,
    *,
    is_filtered: bool = False,
    words: Words = OF_RESULTS,
    obstacles: type[TextChoices] = Analysis.Obstacle,
) -> AnalysisState:
    reason = str(obstacles(obstacle).label) if obstacle else ""
    message = _STATE_MESSAGES.get(state, "").format(words=words)
    if reason and (state in {"current", "none"} or is_filtered):
        message = f"No analysis: {reason}."
    return AnalysisState(state=state, obstacle=obstacle, message=message)


def past_state(
    selection: Selection, recorded: RecordedRows, obstacle: str, *, has_snapshot: bool = True
) -> AnalysisState:
    """What is shown of an earlier day: of the registry, of the world, or of both.

    What the catalog said then is known by a snapshot until then; without one it is as of today, which is said.
    """
    sentences = []
    if selection.as_of and not recorded.rows:
        sentences.append("The registry knew none of these results on that day.")
    elif selection.as_of:
        sentences.append("The results as the registry knew them on that day, with their analysis.")
        if not (has_snapshot or obstacle):
            sentences.append(
                "No analysis from then can be read: this one takes the topics, variances, reference systems and suites"
                " of today."
            )
    if selection.published_by:
        sentences.append(f"Only results that were published by {selection.published_by}, analysed by themselves.")
    if recorded.n_undated:
        left_out = plural(recorded.n_undated, "result is left out because its,results are left out because their")
        sentences.append(f"{left_out} year is not known.")
    if obstacle and recorded.rows:
        sentences.append(f"No analysis: {Analysis.Obstacle(obstacle).label}.")
    return AnalysisState(state="past", obstacle=obstacle, message=" ".join(sentences))
