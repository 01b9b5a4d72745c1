"""What is said of the topics of a leaderboard: which are hard, which split the systems, and one of them alone."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from analysis.reliability import VarianceComponents
from analysis.scores import ScoreMatrix
from registry.catalog.models import Leaderboard
from registry.tools.pairs.documents import OfLeaderboard, ScoredSystem, compared, page_of
from registry.tools.pairs.queries import read_known, read_scored, results_of


@dataclass(frozen=True, slots=True)
class TopicDocument:
    """What the systems do on one topic."""

    topic: Annotated[str, "Its label."]
    url: Annotated[str, "Address of its page."]
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


@dataclass(frozen=True, slots=True)
class ScoreOnTopic:
    """A system on one topic."""

    result: Annotated[int, "Id of its result."]
    system: str
    team: str
    score: Annotated[float, "On this topic."]
    rest: Annotated[float, "Its mean over the other topics."]
    place: Annotated[int, "Where it stands by each; equal ones share the better place."]
    place_on_rest: Annotated[int, "Where it stands by each; equal ones share the better place."]


@dataclass(frozen=True, slots=True)
class OneTopicDocument(OfLeaderboard):
    """One topic of a leaderboard."""

    topic: TopicDocument
    n_topics: Annotated[int, "Topics of the leaderboard."]
    hardness: Annotated[int, "Its place among them, the hardest first; equal ones share the better place."]
    splitting: Annotated[int, "Likewise, the one on which systems differ most first."]
    even_share: Annotated[float, "What its ``own_share`` would be if it were the same for every topic."]
    systems: Annotated[tuple[ScoreOnTopic, ...], "Best on it first."]


def topics_document(board: Leaderboard) -> TopicsDocument:
    """Which topics are hard, and which split the systems."""
    known = read_known(board)
    scored = known.scored
    topics = _topics(board, scored.matrix) if scored else ()
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


def topic_document(board: Leaderboard, label: str) -> OneTopicDocument | None:
    """One topic; None where the leaderboard has no scores on a topic of this label."""
    scored = read_scored(board)
    if scored is None or label not in scored.matrix.topics:
        return None
    matrix, sign = scored.matrix, _sign(board)
    topics = _topics(board, matrix)
    (topic,) = (one for one in topics if one.topic == label)
    column = matrix.scores[:, matrix.topics.index(label)]
    rest = (matrix.scores.sum(axis=1) - column) / (matrix.n_topics - 1)
    results = results_of(matrix)
    places, places_on_rest = _places(sign * column), _places(sign * rest)
    rows = [
        ScoreOnTopic(
            result=results[system].pk,
            system=results[system].system.name,
            team=results[system].system.team,
            score=float(column[row]),
            rest=float(rest[row]),
            place=places[row],
            place_on_rest=places_on_rest[row],
        )
        for row, system in enumerate(matrix.systems)
    ]
    return OneTopicDocument(
        **page_of(board, "topic", label),
        topic=topic,
        n_topics=matrix.n_topics,
        hardness=1 + sum(sign * one.mean < sign * topic.mean - _ROUNDING for one in topics),
        splitting=1 + sum(one.sd > topic.sd + _ROUNDING for one in topics),
        even_share=1 / matrix.n_topics,
        systems=tuple(sorted(rows, key=lambda one: (one.place, one.place_on_rest, one.system))),
    )


_ROUNDING = 1e-12


def _sign(board: Leaderboard) -> float:
    return 1.0 if board.measure.higher_is_better else -1.0


def _places(gains: np.ndarray) -> list[int]:
    return [1 + int((gains > gain + _ROUNDING).sum()) for gain in gains]


def _topics(board: Leaderboard, matrix: ScoreMatrix) -> tuple[TopicDocument, ...]:
    scores, sign = matrix.scores, _sign(board)
    others = (scores.sum(axis=1, keepdims=True) - scores) / (matrix.n_topics - 1)
    residuals = scores - scores.mean(axis=0)
    own = np.square(residuals - residuals.mean(axis=1, keepdims=True)).sum(axis=0)
    total = float(own.sum())
    rows = [
        TopicDocument(
            topic=label,
            url=page_of(board, "topic", label)["url"],
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
