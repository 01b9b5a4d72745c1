"""The systems of a leaderboard compared topic by topic, as objects for the pages and their JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np
from django.urls import reverse

from analysis.reliability import VarianceComponents
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.results.models import Result
from registry.tools.pairs.pipeline import Opinion, PairFindings, RankedBy, adjusted
from registry.tools.pairs.queries import read_known, results_of
from registry.tools.resolution.queries import Reversals, read_reversals

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system with topic scores on the leaderboard."""

    result: Annotated[int, "Id of its result; 0 of what somebody sent."]
    system: Annotated[str, "Its name and who made it."]
    team: Annotated[str, "Its name and who made it."]
    mean: Annotated[float, "Its mean over the topics, in the unit of the measure."]
    came_first: Annotated[float | None, "Share of 10,000 redrawings of topics where it is best; None unasked."] = None


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two systems in a family of comparisons."""

    first: Annotated[int, "Ids of their results, the better mean first."]
    second: Annotated[int, "Ids of their results, the better mean first."]
    difference: Annotated[float, "First minus second, in the unit of the measure."]
    pvalue: Annotated[float, "Adjusted for the number of pairs as the family says."]
    is_significant: Annotated[bool, "Whether that is at most 0.05."]


@dataclass(frozen=True, slots=True)
class OfLeaderboard:
    """The opening fields of every page about the topics of a leaderboard."""

    collection: Annotated[str, "Names of the leaderboard, and the address of the page."]
    measure: Annotated[str, "Names of the leaderboard, and the address of the page."]
    url: Annotated[str, "Names of the leaderboard, and the address of the page."]


def page_of(board: Leaderboard, name: str, *more: str) -> dict[str, Any]:
    """Return the fields of ``OfLeaderboard`` for the page of this name; ``more`` is the rest of its address."""
    names = board.collection.slug, board.measure.name
    return {"collection": names[0], "measure": names[1], "url": reverse(f"pairs:{name}", args=[*names, *more])}


@dataclass(frozen=True, slots=True)
class PairsDocument(OfLeaderboard):
    """All pairs of systems of a leaderboard, judged together."""

    state: Annotated[
        Literal["studied", "waiting", "impossible", "no-scores"],
        "Whether there are findings, a worker is still to find them, there can be none, or there are no topic scores.",
    ]
    why: Annotated[str, "Why there can be none; else blank."]
    test: Annotated[str, "By what is judged; the correction is blank where the test treats all pairs at once."]
    correction: Annotated[str, "By what is judged; the correction is blank where the test treats all pairs at once."]
    n_resamples: Annotated[int | None, "Resamples of the test, if it takes any."]
    n_systems: Annotated[int, "Systems with scores on every topic, and topics."]
    n_topics: Annotated[int, "Systems with scores on every topic, and topics."]
    systems: Annotated[tuple[ScoredSystem, ...], "The best of them (at most 100), which are compared, best first."]
    pairs: Annotated[tuple[ComparedPair, ...], "Every pair of these."]
    ranked: Annotated[tuple[RankedBy, ...], "What their ranks are worth by three methods; empty below 25 topics."]
    opinions: Annotated[tuple[Opinion, ...], "What the mean of the best is worth by methods of the literature."]
    reversals: Annotated[
        tuple[Reversals, ...],
        "How often significant pairs that differ by as much were reversed on other topics of the collection, by how"
        " much; empty where that was not studied.",
    ]
    by_chance: Annotated[
        float | None,
        "Probability that the best of as many systems would reach that mean, if all had the mean of all as their true "
        "mean and their errors went together as the scores do.",
    ]

    @property
    def n_significant(self) -> int:
        return sum(pair.is_significant for pair in self.pairs)


def pairs_document(board: Leaderboard, test: str, correction: str) -> PairsDocument:
    """Return all pairs of the leaderboard by a test and a correction of ``pipeline``."""
    known = read_known(board)
    scored, findings = known.scored, known.findings
    tested = findings.by(test) if findings else None
    why = tested.why_none if tested else known.why
    return PairsDocument(
        **page_of(board, "pairs"),
        state="no-scores" if scored is None else "impossible" if why else "studied" if findings else "waiting", why=why,
        test=test, correction=correction, n_resamples=tested.n_resamples if tested else None,
        n_systems=scored.matrix.n_systems if scored else 0, n_topics=scored.matrix.n_topics if scored else 0,
        systems=_systems(scored.matrix, findings) if scored and findings else (),
        pairs=tuple(_pairs(findings, adjusted(findings.by(test), correction))) if findings else (),
        ranked=findings.ranked if findings else (), opinions=findings.opinions if findings else (),
        reversals=read_reversals(board) if findings else (), by_chance=findings.by_chance if findings else None,
    )  # fmt: skip


def _systems(matrix: ScoreMatrix, findings: PairFindings) -> tuple[ScoredSystem, ...]:
    results = results_of(matrix)
    rows = zip(findings.systems, findings.means, findings.first_places, strict=True)
    return tuple(compared(results[label], mean, share) for label, mean, share in rows)


def compared(result: Result, mean: float, came_first: float | None = None) -> ScoredSystem:
    return ScoredSystem(result.pk, result.system.name, result.system.team, mean, came_first)


def _pairs(findings: PairFindings, pvalues: tuple[float, ...]) -> Iterator[ComparedPair]:
    if not pvalues:
        return
    labels = combinations(findings.systems, 2)
    for (first, second), difference, pvalue in zip(labels, findings.estimates, pvalues, strict=True):
        yield ComparedPair(int(first), int(second), difference, pvalue, pvalue <= LEVEL)


@dataclass(frozen=True, slots=True)
class TopicDocument:
    """What the systems do on one topic."""

    topic: Annotated[str, "Its label."]
    mean: Annotated[float, "Of the systems' scores: mean, standard deviation (ddof=1), smallest, largest."]
    sd: Annotated[float, "Of the systems' scores: mean, standard deviation (ddof=1), smallest, largest."]
    low: Annotated[float, "Of the systems' scores: mean, standard deviation (ddof=1), smallest, largest."]
    high: Annotated[float, "Of the systems' scores: mean, standard deviation (ddof=1), smallest, largest."]
    agreement: Annotated[
        float | None,
        "Correlation of the systems' scores on it with their means over the other topics: near 1 where it orders "
        "the systems as the others do, below 0 where it turns them round. None where either does not vary.",
    ]
    own_share: Annotated[
        float | None,
        "Its part in what is neither of systems nor of topics: of the squared residuals, once the means of systems "
        "and topics are taken off, those on it over those on all topics. None where there are none.",
    ]
    best: Annotated[tuple[int, ...], "Results with the best score; empty where half of the systems share it."]


@dataclass(frozen=True, slots=True)
class TopicsDocument(OfLeaderboard):
    """The topics of a leaderboard, hardest first."""

    n_systems: Annotated[int, "Systems with scores on every topic; 0 where fewer than two have them."]
    components: Annotated[VarianceComponents | None, "How much varies by system, topic and neither; None until found."]
    systems: Annotated[tuple[ScoredSystem, ...], "Those that are best on a topic, by id."]
    topics: tuple[TopicDocument, ...]


def topics_document(board: Leaderboard) -> TopicsDocument:
    known, page = read_known(board), page_of(board, "topics")
    if known.scored is None:
        return TopicsDocument(**page, n_systems=0, components=None, systems=(), topics=())
    matrix = known.scored.matrix
    topics = _topics(matrix, 1.0 if board.measure.higher_is_better else -1.0)
    results, means = results_of(matrix), dict(zip(matrix.systems, matrix.means.tolist(), strict=True))
    best = sorted({pk for topic in topics for pk in topic.best})
    return TopicsDocument(
        **page,
        n_systems=matrix.n_systems,
        components=known.findings.components if known.findings else None,
        systems=tuple(compared(results[str(pk)], means[str(pk)]) for pk in best),
        topics=topics,
    )


_ROUNDING = 1e-12


def _topics(matrix: ScoreMatrix, sign: float) -> tuple[TopicDocument, ...]:
    scores = matrix.scores
    others = (scores.sum(axis=1, keepdims=True) - scores) / (matrix.n_topics - 1)
    residuals = scores - scores.mean(axis=0)
    own = np.square(residuals - residuals.mean(axis=1, keepdims=True)).sum(axis=0)
    total = float(own.sum())
    rows = [
        TopicDocument(
            topic=label,
            mean=float(column.mean()),
            sd=float(column.std(ddof=1)),
            low=float(column.min()),
            high=float(column.max()),
            agreement=_correlation(column, others[:, place]),
            own_share=float(own[place]) / total if total > _ROUNDING else None,
            best=_best(matrix, sign * column),
        )
        for place, (label, column) in enumerate(zip(matrix.topics, scores.T, strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: sign * row.mean))


def _best(matrix: ScoreMatrix, gains: np.ndarray) -> tuple[int, ...]:
    winners = np.flatnonzero(gains >= gains.max() - _ROUNDING)
    return tuple(int(matrix.systems[row]) for row in winners) if 2 * winners.size < gains.size else ()


def _correlation(scores: np.ndarray, other: np.ndarray) -> float | None:
    if np.ptp(scores) < _ROUNDING or np.ptp(other) < _ROUNDING:
        return None
    return float(np.corrcoef(scores, other)[0, 1])
