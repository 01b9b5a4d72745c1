"""What uploaded runs say of how much scores vary on a leaderboard where it was not measured."""

from dataclasses import dataclass

from analysis.boards import Verdict, read_snapshot
from registry.leaderboards.five_runs import ENOUGH, NOT_MEASURED_HERE
from registry.leaderboards.stored import read_stored
from registry.runs.models import Study


@dataclass(frozen=True, slots=True)
class Band:
    """What a verdict rests on, and how much it leaves open.

    Attributes
    ----------
    evidence : str
        Kind of evidence.
    residual_variance, degrees_of_freedom : float or None
        How much scores vary beyond system and topic, and as how surely that is known.
    margin : float or None
        How far a result may be behind the best without being told from it.
    n_members : int or None
        Results that can't be told from the best; None without a set.
    """

    evidence: str
    residual_variance: float | None
    degrees_of_freedom: float | None
    margin: float | None
    n_members: int | None


@dataclass(frozen=True, slots=True)
class Settled:
    """A leaderboard before runs with scores by topic came, and with them among its results.

    Attributes
    ----------
    n_systems, n_topics : int
        Systems with scores by topic, and topics.
    is_enough : bool
        Whether they are five or more.
    before, after : Band
    """

    n_systems: int
    n_topics: int
    is_enough: bool
    before: Band
    after: Band


def settled_by(study: Study) -> Settled | None:
    """What the uploads of a study changed; None where the leaderboard's own topics were known before, or aren't yet."""
    if study.is_alone or not study.content:
        return None
    stored = read_stored([study.leaderboard_id]).get(study.leaderboard_id)
    if stored is None or stored.findings.verdict.evidence.kind not in NOT_MEASURED_HERE:
        return None
    after = read_snapshot(study.content).findings.verdict
    evidence = after.evidence
    if evidence.kind not in ("own-variance", "own-topics") or not (evidence.n_systems and evidence.n_topics):
        return None
    return Settled(
        n_systems=evidence.n_systems,
        n_topics=evidence.n_topics,
        is_enough=evidence.n_systems >= ENOUGH,
        before=_band(stored.findings.verdict),
        after=_band(after),
    )


def _band(verdict: Verdict) -> Band:
    return Band(
        evidence=verdict.evidence.kind,
        residual_variance=verdict.evidence.residual_variance,
        degrees_of_freedom=verdict.evidence.degrees_of_freedom,
        margin=verdict.set.margin if verdict.set else None,
        n_members=verdict.set.n_members if verdict.set else None,
    )
