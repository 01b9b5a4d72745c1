"""What the model of variances is fitted on: the mean and the residual variance of scores, by collection and measure.

From pools of ten runs or more: fewer, and related ones, vary by a half to a third of what others do. Measures that no
matrix ships of are scored from runs and judgements that do.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

import pytrec_eval

from builder.tables import Row
from builder.variance import Variance, variance_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis.scores import ScoreMatrix

COLUMNS = ["collection", "measure", "mean", "residual_variance", "n_topics", "n_systems", "source", "note"]

_MIN_RUNS = 10
#: Of another kind: shares of a list, costs, sets.
_NOT_BY_RANK = ("NormArea", "SetR", "WSS@", "R@10%", "R@20%")

#: What is scored from runs: trec_eval's name, ours.
_SCORED = {
    "Rprec": "Rprec(rel=2)",
    "bpref": "Bpref(rel=2)",
    **{f"P_{cutoff}": f"P(rel=2)@{cutoff}" for cutoff in (5, 20, 30, 100)},
    **{f"recall_{cutoff}": f"R(rel=2)@{cutoff}" for cutoff in (5, 10, 20, 100)},
    **{f"ndcg_cut_{cutoff}": f"nDCG@{cutoff}" for cutoff in (3, 5, 20, 100)},
}
_COLLECTION, _RELEVANT = "trec-dl-2019-passage", 2
_SOURCE = "castorini/rank_llm, scored with trec_eval"


def build_variance_sample(runs: Path, variances: Sequence[Variance], recorded: Sequence[Row]) -> list[Row]:
    """The rows of ``variance_sample.csv``; where a pool's scores are not at hand, their mean is the published one."""
    published: dict[tuple[str, str], list[float]] = {}
    for row in recorded:
        if row["role"] == "trec_run":
            published.setdefault((row["collection"], row["measure"]), []).append(float(row["value"]))
    rows = []
    for one in [*variances, *_scored(runs / _COLLECTION)]:
        scores, note = published.get((one.collection, one.measure)), ""
        level = one.mean
        if level is None and scores:
            level, note = mean(scores), f"mean of {len(scores)} published results"
        if level is None or one.n_systems < _MIN_RUNS or one.measure.startswith(_NOT_BY_RANK):
            continue
        rows.append(
            {
                "collection": one.collection,
                "measure": one.measure,
                "mean": f"{level:.6f}",
                "residual_variance": f"{one.residual:.6f}",
                "n_topics": str(one.n_topics),
                "n_systems": str(one.n_systems),
                "source": one.source,
                "note": note,
            }
        )
    return sorted(rows, key=lambda row: (row["measure"], row["collection"]))


def _scored(folder: Path) -> Iterator[Variance]:
    judged: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in _lines(folder / "qrels.txt"):
        judged.setdefault(topic, {})[document] = int(grade)
    topics = [topic for topic, grades in judged.items() if max(grades.values()) >= _RELEVANT]
    scorer = pytrec_eval.RelevanceEvaluator(
        {topic: judged[topic] for topic in topics}, set(_SCORED), relevance_level=_RELEVANT
    )
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for path in sorted(folder.glob("*.run")):
        ranked: dict[str, dict[str, float]] = {}
        for topic, _, document, _, value, _ in _lines(path):
            ranked.setdefault(topic, {})[document] = float(value)
        scores[path.stem] = scorer.evaluate({topic: ranked[topic] for topic in topics if topic in ranked})
    for name, measure in _SCORED.items():
        table = [[found.get(topic, {}).get(name, 0.0) for topic in topics] for found in scores.values()]
        # One maker has run nearly all of them: near-copies alone are families here.
        yield variance_of(ScoreMatrix(list(scores), topics, table), _COLLECTION, measure, _SOURCE)


def _lines(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from (line.split() for line in file)
