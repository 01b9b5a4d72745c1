"""The variance library: how much scores of collections vary from topic to topic beyond system and topic effects.

For a matrix of n topics and k runs, two values of one thing. The mean square of what run and topic effects leave,

    MSE = SS_residual / ((n - 1)(k - 1)),     s2_T = max(0, (MST - MSE) / k) the variance of the topics' difficulty,

in which every run weighs the same; and, for the collection's own leaderboards, one in which every pair of families of
runs does (``analysis.reliability.family_weighted_variance``). Families are those that makers and lineages tell, where
runs have names, and near-copies, everywhere; runs handed in twice count once, and runs with one score on all topics,
which failed, don't.

The model of variances is fitted on more observations: from real matrices, from runs scored with judgements, and from
the same runs with judgements thinned to about 1, 2, 4 and 10 documents a topic, drawn by how early runs have them: few
real pools are that sparse.
"""

import csv
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from builder.tables import Row
from builder.topic_scores import MATRICES, PARTICIPANTS

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis.reliability import family_weighted_variance, near_copies, two_way_anova
from analysis.scores import ScoreMatrix

COLUMNS = [
    "collection",
    "measure",
    "kind",
    "residual_variance",
    "mean_square",
    "topic_variance",
    "n_topics",
    "n_systems",
    "n_makers",
    "sources",
    "note",
]

OWN = "own-variance"

#: The family of each run of a matrix by what is known of it besides its scores.
Makers = Callable[[str, Sequence[str]], list[str]]


@dataclass(frozen=True)
class Variance:
    """The variances of one measure on one collection.

    ``n_makers`` is None where runs have no names, ``mean`` where nobody knows the runs' scores.
    """

    collection: str
    measure: str
    n_topics: int
    n_systems: int
    n_makers: int | None
    residual: float
    mean_square: float
    topic: float
    source: str
    note: str = ""
    mean: float | None = None

    @property
    def described(self) -> str:
        """Return what it was measured on, for people."""
        return f"{self.collection}: {self.n_systems} runs x {self.n_topics} topics, {self.source}"


_RANK_LLM_NOTE = "few and related systems: first stages and one reranker on each"
_TAR_NOTE = "many runs differ in one threshold only"

#: Matrices of runs with names: file, collection, measure, source, note.
_NAMED = [
    *(
        (
            f"trec-dl-2019-passage.rankllm__{ending}",
            "trec-dl-2019-passage",
            measure,
            "castorini/rank_llm",
            _RANK_LLM_NOTE,
        )
        for ending, measure in (
            ("AP-rel-2-at-100", "AP(rel=2)@100"),
            ("P-rel-2-at-10", "P(rel=2)@10"),
            ("RR-rel-2-at-10", "RR(rel=2)@10"),
            ("nDCG-at-10", "nDCG@10"),
        )
    ),
    *(
        (f"clef-tar-2019-abs__{ending}", "clef-tar-2019-abs", measure, "CLEF-TAR/tar", _TAR_NOTE)
        for ending, measure in (
            ("AP", "AP"),
            ("NormArea", "NormArea"),
            ("R-at-10", "R@10%"),
            ("R-at-20", "R@20%"),
            ("SetR", "SetR"),
            ("WSS-at-100", "WSS@100"),
            ("WSS-at-95", "WSS@95"),
        )
    ),
]

#: Matrices of the same publishers that the gathered folder leaves out: the square roots of the two variances, to
#: four decimals, as measured on them before, every run a family of its own. collection, measure, topics, runs,
#: residual, topic.
_MEASURED_BEFORE = [
    ("trec-6-adhoc", "AP", 50, 74, 0.1418, 0.1250, "julian-urbano/sigir2019-statistical"),
    ("trec-6-adhoc", "P@10", 50, 74, 0.2123, 0.2073, "julian-urbano/sigir2019-statistical"),
    ("trec-6-adhoc", "RR", 50, 74, 0.3250, 0.2274, "julian-urbano/sigir2019-statistical"),
    ("trec-2012-web", "ERR@20", 50, 48, 0.1970, 0.1671, "julian-urbano/sigir2019-statistical"),
    ("trec-2012-web", "nDCG(dcg='exp-log2')@20", 50, 48, 0.1259, 0.0993, "julian-urbano/sigir2019-statistical"),
    ("trec-2013-web", "ERR@20", 50, 34, 0.0960, 0.0759, "julian-urbano/sigir2019-statistical"),
    ("trec-2013-web", "nDCG(dcg='exp-log2')@20", 50, 34, 0.1316, 0.1259, "julian-urbano/sigir2019-statistical"),
    ("trec-2006-terabyte-adhoc-701-850", "AP", 149, 61, 0.0968, 0.1486, "julian-urbano/sigir2019-standardization"),
    ("trec-2006-terabyte-adhoc-701-850", "nDCG", 149, 61, 0.0993, 0.1437, "julian-urbano/sigir2019-standardization"),
]


def measure_variances(folder: Path, makers: Makers) -> list[Variance]:
    """Return what the matrices show, by measure and collection."""
    variances = [
        _from_matrix(folder / f"{matrix.stem}.csv", matrix.collection, matrix.measure, matrix.source, matrix.note)
        for matrix in MATRICES
        if matrix.runs == PARTICIPANTS
    ]
    variances += [
        _from_matrix(folder / f"{stem}.csv", collection, measure, source, note, makers)
        for stem, collection, measure, source, note in _NAMED
    ]
    for collection, measure, n_topics, n_systems, residual, topic, source in _MEASURED_BEFORE:
        variances.append(
            Variance(collection, measure, n_topics, n_systems, None, residual**2, residual**2, topic**2, source)
        )
    return sorted(variances, key=lambda variance: (variance.measure, variance.collection))


def build_variance_library(variances: list[Variance]) -> list[Row]:
    """Return the rows of ``variance_library.csv``."""
    return [_row(variance) for variance in variances]


def _from_matrix(
    path: Path, collection: str, measure: str, source: str, note: str, makers: Makers | None = None
) -> Variance:
    """Return the variances of a topics x runs matrix without missing cells."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    scores = np.array([[float(cell) for cell in line[1:]] for line in lines]).T
    matrix = ScoreMatrix(header[1:], [line[0] for line in lines], scores)
    return variance_of(matrix, collection, measure, source, note, makers)


def variance_of(
    matrix: ScoreMatrix, collection: str, measure: str, source: str, note: str = "", makers: Makers | None = None
) -> Variance:
    """Return the variances of a matrix; runs that are the same as others count once."""
    every = matrix
    distinct = {tuple(run): name for run, name in zip(every.scores, every.systems, strict=True) if np.ptp(run) > 0}
    matrix = every.select(list(distinct.values()))
    made_by = makers(source, matrix.systems) if makers else None
    residual = family_weighted_variance(matrix, near_copies(matrix, made_by).families)
    n_makers = len(set(made_by)) if made_by else None
    parts = two_way_anova(every)
    return Variance(
        collection,
        measure,
        matrix.n_topics,
        every.n_systems,
        n_makers,
        residual,
        parts.residual_mean_square,
        parts.topic_variance,
        source,
        note,
        float(matrix.means.mean()),
    )


def _row(variance: Variance) -> Row:
    return {
        "collection": variance.collection,
        "measure": variance.measure,
        "kind": OWN,
        "residual_variance": f"{variance.residual:.6f}",
        "mean_square": f"{variance.mean_square:.6f}",
        "topic_variance": f"{variance.topic:.6f}",
        "n_topics": str(variance.n_topics),
        "n_systems": str(variance.n_systems),
        "n_makers": "" if variance.n_makers is None else str(variance.n_makers),
        "sources": variance.described,
        "note": variance.note,
    }


_NUMBERS = [
    "n_topics",
    "n_systems",
    "mean",
    "best",
    "top_mean",
    "top_square",
    "top_square_inverse",
    "residual_variance",
    "log_sd_topics",
]
OBSERVATION_COLUMNS = ["collection", "group", "measure", "kind", "is_shared_task", *_NUMBERS, "source"]
_KINDS = {"matrix": "matrix", "runs": "runs", "thin": "thinned judgements"}


def build_variance_observations(record: Path) -> list[Row]:
    """Return the rows of ``variance_observations.csv``, by group, collection and measure."""
    with (record / "variance_observations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    observations = [
        {
            **{name: row[name] for name in ("collection", "group", "measure", "source", *_NUMBERS)},
            "kind": _KINDS[row["kind"]],
            "is_shared_task": "true" if row["shared_task"] == "1" else "false",
        }
        for row in rows
    ]
    return sorted(
        observations, key=lambda row: (row["group"], row["collection"], row["kind"], row["measure"], row["source"])
    )
