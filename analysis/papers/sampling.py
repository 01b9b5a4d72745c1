"""Executions of a system that samples: a ranking of which each time other shards of the documents are left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.papers.paper import JudgedRanking
from analysis.scores import InstanceScores, ScoreMatrix

SEED = 2014
#: Parts of about as many documents, in the order of their names: of one source, and of one time.
N_SHARDS = 50
N_EXECUTIONS = 100
_DEPTH = 10
WHOLE, SAMPLED, RIVAL = "whole ranking", "sampled", "sampled, 4 % left out"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A run as numbers: of each topic with relevant documents the documents, best first, and their gains.

    ``shards`` has the shard of each document, and ``ideal`` the largest DCG@10 that the topic allows.
    """

    topics: tuple[str, ...]
    shards: NDArray[np.int64]
    documents: tuple[NDArray[np.int64], ...]
    gains: tuple[Floats, ...]
    ideal: Floats


def ranking_of(run: JudgedRanking) -> Ranking:
    """Return the run on the topics that it answers and that have relevant documents."""
    numbers: dict[str, int] = {}
    topics, documents, gains, ideal = [], [], [], []
    for topic, grades in run.grades.items():
        ranked = run.rankings.get(topic, ())
        best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:_DEPTH]
        if not best or not ranked:
            continue
        topics.append(topic)
        documents.append(np.array([numbers.setdefault(document, len(numbers)) for document in ranked]))
        gains.append(np.array([max(grades.get(document, 0), 0) for document in ranked], dtype=np.float64))
        ideal.append(float(np.sum(best * _DISCOUNTS[: len(best)])))
    places = {name: place for place, name in enumerate(sorted(numbers))}
    shards = np.array([places[name] for name in numbers], dtype=np.int64) * N_SHARDS // max(len(numbers), 1)
    return Ranking(tuple(topics), shards, tuple(documents), tuple(gains), np.array(ideal))


_DISCOUNTS = 1 / np.log2(np.arange(2, _DEPTH + 2))


def scores_of(ranking: Ranking, is_kept: NDArray[np.bool_]) -> Floats:
    """Return nDCG@10 by topic of the documents that are kept."""
    gained = []
    for documents, gains in zip(ranking.documents, ranking.gains, strict=True):
        first = gains[is_kept[documents]][:_DEPTH]
        gained.append(float(first @ _DISCOUNTS[: len(first)]))
    return np.array(gained) / ranking.ideal


def executions(ranking: Ranking, left_out: float, *, n: int = N_EXECUTIONS, seed: int = 0) -> ScoreMatrix:
    """Return the scores of ``n`` executions, each of which leaves out this share of the shards, for all topics."""
    rng = np.random.default_rng([SEED, round(1e6 * left_out), seed])
    n_out = round(left_out * N_SHARDS)
    rows = [scores_of(ranking, ~np.isin(ranking.shards, rng.choice(N_SHARDS, n_out, replace=False))) for _ in range(n)]
    return ScoreMatrix([str(number + 1) for number in range(n)], ranking.topics, rows)


def whole(ranking: Ranking) -> ScoreMatrix:
    """Return the scores of the whole ranking."""
    return ScoreMatrix([WHOLE], ranking.topics, [scores_of(ranking, np.ones(ranking.shards.size, dtype=bool))])


def against_whole(sampled: ScoreMatrix, whole_ranking: ScoreMatrix) -> InstanceScores:
    """Return executions beside a ranking that is always the same."""
    return InstanceScores.from_matrices({SAMPLED: sampled, WHOLE: whole_ranking}, deterministic=[WHOLE])


def groups(pool: ScoreMatrix, size: int, n_draws: int, seed: int) -> Sequence[InstanceScores]:
    """Return two groups of so many executions of one system, drawn again and again: they don't differ."""
    rng = np.random.default_rng([SEED, size, seed])
    drawn = []
    for _ in range(n_draws):
        order = [pool.systems[place] for place in rng.permutation(pool.n_systems)[: 2 * size]]
        parts = {SAMPLED: pool.select(order[:size]), RIVAL: pool.select(order[size:])}
        drawn.append(InstanceScores.from_matrices(parts))
    return drawn
