"""What is said of the topics of a leaderboard: which are hard, and which split the systems."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis.reliability import VarianceComponents
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.tools.pairs.documents import OfLeaderboard, ScoredSystem, compared, page_of
from registry.tools.pairs.queries import read_known, results_of


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
    best: Annotated[
        tuple[int, ...], "Results with the best score, where fewer than half of the systems share it; else empty."
    ]


@dataclass(frozen=True, slots=True)
class TopicsDocument(OfLeaderboard):
    """The topics of a leaderboard, hardest first."""

    n_systems: Annotated[int, "Systems with scores on every topic; 0 where fewer than two have them."]
    components: Annotated[
        VarianceComponents | None,
        "How much of the variation is of systems, topics and neither; None until a worker found it.",
    ]
    systems: Annotated[tuple[ScoredSystem, ...], "Those that are best on a topic, by id."]
    topics: tuple[TopicDocument, ...]


def topics_document(board: Leaderboard) -> TopicsDocument:
    """Which topics are hard, and which split the systems."""
    known = read_known(board)
    scored = known.scored
    sign = 1.0 if board.measure.higher_is_better else -1.0
    topics = _topics(scored.matrix, sign) if scored else ()
    results = results_of(scored.matrix) if scored else {}
    best = sorted({pk for topic in topics for pk in topic.best})
    means = dict(zip(scored.matrix.systems, scored.matrix.means.tolist(), strict=True)) if scored else {}
    return TopicsDocument(
        **page_of(board, "topics"),
        n_systems=scored.matrix.n_systems if scored else 0,
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


def _correlation(one: np.ndarray, other: np.ndarray) -> float | None:
    if np.ptp(one) < _ROUNDING or np.ptp(other) < _ROUNDING:
        return None
    return float(np.corrcoef(one, other)[0, 1])
