"""Prints how often intervals of nDCG@10 by the same resampling of documents hold what they should.

Run from the repository: python -m tests.analysis.reference.ndcg_coverage [FOLDER], with a folder of real runs (those of
rank_llm) for the halves of real collections. About a minute; the page on precision of AP quotes what it prints.
Resampled as average precision is: each document occurs Poisson(1) times, copies together.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from analysis.documents._split_collection import collection_half
from analysis.scores import parse_judgements, parse_run

K, TOP, N_LISTS, N_RESAMPLES, Z = 10, 60, 1000, 1000, 1.959964
DISCOUNTED = np.concatenate([[0.0], np.cumsum(1.0 / np.log2(np.arange(2, K + 2)))])
#: About so many relevant documents, how far the system tells them apart, and whether a third have grade 2.
SOURCES = [(3, 3.0, False), (20, 2.0, False), (20, 4.0, False), (100, 1.5, False), (100, 3.0, False),
           (20, 3.0, True), (100, 2.0, True)]  # fmt: skip
REAL = ["trec-dl-2019-passage", "beir-trec-covid"]

Floats = NDArray[np.float64]
#: Gains of the first documents, and how many documents there are of each gain, the highest first.
List = tuple[Floats, list[tuple[int, int]]]


def ndcg(counts: NDArray[np.int64], gains: Floats, totals: Sequence[tuple[int, NDArray[np.int64]]]) -> Floats:
    """Return nDCG@10 where the documents occur so often, a row each."""
    ends = np.minimum(counts.cumsum(axis=1), K)
    starts = np.hstack([np.zeros((len(counts), 1), dtype=np.int64), ends[:, :-1]])
    sums = (gains * (DISCOUNTED[ends] - DISCOUNTED[starts])).sum(axis=1)
    ideal, place = np.zeros(len(counts)), np.zeros(len(counts), dtype=np.int64)
    for gain, n in totals:
        end = np.minimum(place + n, K)
        ideal += gain * (DISCOUNTED[end] - DISCOUNTED[place])
        place = end
    return np.divide(sums, ideal, out=np.full(len(counts), np.nan), where=ideal > 0)


def value(ranked: List) -> float:
    gains, totals = ranked
    counts = np.ones((1, len(gains)), dtype=np.int64)
    return float(ndcg(counts, gains, [(gain, np.array([n])) for gain, n in totals])[0])


def resampled(ranked: List, rng: np.random.Generator) -> Floats:
    gains, totals = ranked
    counts = rng.poisson(1.0, (N_RESAMPLES, len(gains)))
    drawn = []
    for gain, n in totals:
        here = gains == gain
        drawn.append((gain, counts[:, here].sum(axis=1) + rng.poisson(n - here.sum(), N_RESAMPLES)))
    values = ndcg(counts, gains, drawn)
    return values[~np.isnan(values)]


def limits(ranked: List, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Return normal intervals on the scale of nDCG and of its logit, and percentiles."""
    estimate, values = value(ranked), resampled(ranked, rng)
    odds, middle = clipped(values), clipped(estimate)
    by_logit = expit(middle - Z * odds.std()), expit(middle + Z * odds.std())
    low, high = np.quantile(values, [0.025, 0.975])
    spread = Z * values.std()
    return {"linear": (estimate - spread, estimate + spread), "logit": by_logit, "percentile": (low, high)}


def clipped(values: Floats | float) -> Floats:
    return logit(np.clip(values, 1e-5, 1 - 1e-5))


def simulated(rng: np.random.Generator, expected: int, separation: float, *, graded: bool) -> List:
    """Simulate a list as tests.analysis.ranked_lists does: a Poisson process of documents, relevant ones further up."""
    parts = [(2, expected / 3, separation + 1.0), (1, 2 * expected / 3, separation)] if graded else []
    parts = parts or [(1, float(expected), separation)]
    totals: list[tuple[int, int]] = []
    while not sum(n for _, n in totals):
        totals = [(gain, int(rng.poisson(mean))) for gain, mean, _ in parts]
    scores = [rng.normal(part[2], 1.0, n) for part, (_, n) in zip(parts, totals, strict=True)]

    others = -ndtri(np.minimum(np.cumsum(rng.exponential(size=TOP)) / 20_000, 1.0))
    every = np.concatenate([*scores, others])
    gains = np.concatenate([*(np.full(n, gain) for gain, n in totals), np.zeros(TOP)])
    return gains[np.argsort(-every)][:TOP].astype(float), totals


def tell(name: str, lists: Sequence[List], others: Sequence[List], expected: float | None = None) -> None:
    """Print shares of intervals that hold the expected value, and those below, in and above which the other list is."""
    rng = np.random.default_rng(1)
    ends, second = [limits(ranked, rng) for ranked in lists], np.array([value(ranked) for ranked in others])
    for method in ends[0]:
        low, high = np.array([by_method[method] for by_method in ends]).T
        below, above = 100 * (second < low - 1e-12).mean(), 100 * (second > high + 1e-12).mean()
        holds = f"holds E {((low <= expected) & (expected <= high)).mean():.3f}; " if expected is not None else ""
        print(f"{name} {method:10}: {holds}{below:.1f} / {100 - below - above:.1f} / {above:.1f}  ({len(ends)} lists)")


def real(folder_of_runs: Path) -> None:
    """Split real collections: ``qrels.txt`` and ``*.run`` in a folder each, topics that both halves can measure."""
    for collection in REAL:
        folder = folder_of_runs / collection
        qrels = parse_judgements((folder / "qrels.txt").read_bytes()).grades
        halves: tuple[list[List], list[List]] = ([], [])
        for path in sorted(folder.glob("*.run")):
            for topic, documents in parse_run(path.read_bytes()).rankings.items():
                both = [half_of(documents, qrels.get(topic, {}), side) for side in (0, 1)]
                if all(totals and len(gains) for gains, totals in both):
                    for half, ranked in zip(halves, both, strict=True):
                        half.append(ranked)
        tell(f"{collection}, B against A", *halves)
        tell(f"{collection}, A against B", *reversed(halves))


def half_of(documents: Sequence[str], grades: dict[str, int], side: int) -> List:
    own = [max(grades.get(document, 0), 0) for document in documents if collection_half(document) == side][:TOP]
    judged = [grade for document, grade in grades.items() if grade > 0 and collection_half(document) == side]
    return np.array(own, dtype=float), [(grade, judged.count(grade)) for grade in sorted({*judged}, reverse=True)]


if __name__ == "__main__":
    print("expected of the other collection, from a normal interval: 8.3 / 83.4 / 8.3")
    for expected, separation, graded in SOURCES:
        rng = np.random.default_rng(2006)
        mean = np.mean([value(simulated(rng, expected, separation, graded=graded)) for _ in range(5000)])
        lists, others = (
            [simulated(rng, expected, separation, graded=graded) for _ in range(N_LISTS)] for _ in range(2)
        )
        tell(f"R {expected:3} sep {separation} grades {2 if graded else 1} E {mean:.3f}", lists, others, float(mean))
    for name in sys.argv[1:2]:
        real(Path(name))
