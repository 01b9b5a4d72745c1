"""What is said of the systems of a leaderboard topic by topic, as objects for the pages and their JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from django.urls import reverse

from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.pairs.pipeline import Findings, Opinion, RankedBy, adjusted
from registry.pairs.queries import read_findings, read_scored, results_of
from registry.resolution.reversals import Reversals, read_reversals
from registry.results.models import Result

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system with topic scores on the leaderboard.

    Attributes
    ----------
    result : int
        Id of its result.
    system, team : str
        Its name and who made it.
    mean : float
        Its mean over the topics, in the unit of the measure.
    came_first : float or None
        Share of 10,000 redrawings of the topics in which it has the best mean; None where that was not asked.
    """

    result: int
    system: str
    team: str
    mean: float
    came_first: float | None = None


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two systems in a family of comparisons.

    Attributes
    ----------
    first, second : int
        Ids of their results, the better mean first.
    difference : float
        First minus second, in the unit of the measure.
    pvalue : float
        Adjusted for the number of pairs as the family says.
    is_significant : bool
        Whether that is at most 0.05.
    """

    first: int
    second: int
    difference: float
    pvalue: float
    is_significant: bool


@dataclass(frozen=True, slots=True)
class PairsDocument:
    """All pairs of systems of a leaderboard, judged together.

    Attributes
    ----------
    collection, measure, url : str
        Names of the leaderboard, and the address of the page.
    state : {"studied", "waiting", "impossible", "no-scores"}
        Whether there are findings, a worker is still to find them, there can be none, or there are no topic scores.
    why : str
        Why there can be none; else blank.
    test, correction : str
        By what is judged; the correction is blank where the test treats all pairs at once.
    n_resamples : int or None
        Resamples of the test, if it takes any.
    n_systems, n_topics : int
        Systems with scores on every topic, and topics.
    systems : list of ScoredSystem
        The best of them (at most 100), which are compared, best first.
    pairs : list of ComparedPair
        Every pair of these.
    ranked : list of RankedBy
        What the ranks of ``systems`` are worth by three methods; empty on fewer than 25 topics.
    opinions : list of Opinion
        What the mean of the best is worth by methods of the literature.
    reversals : list of Reversals
        How often significant pairs that differ by as much were reversed on other topics of the collection, by how much;
        empty where that was not studied.
    by_chance : float or None
        Probability that the best of as many systems would reach that mean, had all the mean of all as their true mean
        and did their errors go together as the scores do.
    """

    collection: str
    measure: str
    url: str
    state: Literal["studied", "waiting", "impossible", "no-scores"]
    why: str
    test: str
    correction: str
    n_resamples: int | None
    n_systems: int
    n_topics: int
    systems: tuple[ScoredSystem, ...]
    pairs: tuple[ComparedPair, ...]
    ranked: tuple[RankedBy, ...]
    opinions: tuple[Opinion, ...]
    reversals: tuple[Reversals, ...]
    by_chance: float | None

    @property
    def n_significant(self) -> int:
        return sum(pair.is_significant for pair in self.pairs)


def pairs_document(board: Leaderboard, test: str, correction: str) -> PairsDocument:
    """All pairs of the leaderboard by a test and a correction of ``pipeline``."""
    scored = read_scored(board)
    found = read_findings(scored.digest) if scored else None
    findings = found if isinstance(found, Findings) else None
    tested = findings.by(test) if findings else None
    why = found if isinstance(found, str) else tested.why_none if tested else ""
    return PairsDocument(
        collection=board.collection.slug,
        measure=board.measure.name,
        url=reverse("pairs:pairs", args=[board.collection.slug, board.measure.name]),
        state="no-scores" if scored is None else "impossible" if why else "studied" if findings else "waiting",
        why=why,
        test=test,
        correction=correction,
        n_resamples=tested.n_resamples if tested else None,
        n_systems=scored.matrix.n_systems if scored else 0,
        n_topics=scored.matrix.n_topics if scored else 0,
        systems=_systems(scored.matrix, findings) if scored and findings else (),
        pairs=tuple(_pairs(findings, adjusted(findings.by(test), correction))) if findings else (),
        ranked=findings.ranked if findings else (),
        opinions=findings.opinions if findings else (),
        reversals=read_reversals(board) if findings else (),
        by_chance=findings.by_chance if findings else None,
    )


def _systems(matrix: ScoreMatrix, findings: Findings) -> tuple[ScoredSystem, ...]:
    results = results_of(matrix)
    rows = zip(findings.systems, findings.means, findings.first_places, strict=True)
    return tuple(compared(results[label], mean, share) for label, mean, share in rows)


def compared(result: Result, mean: float, came_first: float | None = None) -> ScoredSystem:
    """The system of a result as comparisons name it."""
    return ScoredSystem(result.pk, result.system.name, result.system.team, mean, came_first)


def _pairs(findings: Findings, pvalues: tuple[float, ...]) -> Iterator[ComparedPair]:
    if not pvalues:
        return
    labels = combinations(findings.systems, 2)
    for (first, second), difference, pvalue in zip(labels, findings.estimates, pvalues, strict=True):
        yield ComparedPair(int(first), int(second), difference, pvalue, pvalue <= LEVEL)
