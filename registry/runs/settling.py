"""What uploaded runs say of how much scores vary on a leaderboard where it was not measured."""

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from analysis.boards import Verdict, read_snapshot
from registry.leaderboards.five_runs import ENOUGH, NOT_MEASURED_HERE
from registry.leaderboards.stored import read_stored
from registry.runs.models import Study


@dataclass(frozen=True, slots=True)
class Band:
    """What a verdict rests on, and how much it leaves open."""

    evidence: Annotated[str, Doc("Kind of evidence.")]
    residual_variance: Annotated[float | None, Doc("How much scores vary beyond system and topic.")]
    degrees_of_freedom: Annotated[float | None, Doc("As how surely that is known.")]
    margin: Annotated[float | None, Doc("How far a result may be behind the best without being told from it.")]
    n_members: Annotated[int | None, Doc("Results that can't be told from the best; None without a set.")]


@dataclass(frozen=True, slots=True)
class Settled:
    """A leaderboard before runs with scores by topic came, and with them among its results."""

    n_systems: Annotated[int, Doc("Systems with scores by topic, and topics.")]
    n_topics: Annotated[int, Doc("Systems with scores by topic, and topics.")]
    is_enough: Annotated[bool, Doc("Whether they are five or more.")]
    before: Band
    after: Band


def settled_by(study: Study) -> Settled | None:
    """What the uploads of a study changed; None where the leaderboard's own topics were known before, or aren't yet."""
    if study.is_alone or study.leaderboard_id is None or not study.content:
        return None
    stored = read_stored([study.leaderboard_id]).get(study.leaderboard_id)
    if stored is None or stored.findings.verdict.evidence.kind not in NOT_MEASURED_HERE:
        return None
    after = read_snapshot(study.content).findings.verdict
    evidence = after.evidence
    is_own = evidence.kind in ("own-and-predicted", "own-variance", "own-topics")
    if not is_own or not (evidence.n_systems and evidence.n_topics):
        return None
    return Settled(
        n_systems=evidence.n_systems,
        n_topics=evidence.n_topics,
        is_enough=evidence.n_systems >= ENOUGH,
        before=_band(stored.findings.verdict),
        after=_band(after),
    )


def _band(verdict: Verdict) -> Band:
    found = verdict.shown.set
    return Band(
        evidence=verdict.evidence.kind,
        residual_variance=verdict.evidence.residual_variance,
        degrees_of_freedom=verdict.evidence.degrees_of_freedom,
        margin=found.margin if found else None,
        n_members=found.n_members if found else None,
    )
