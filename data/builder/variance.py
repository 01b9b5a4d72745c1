"""The variance library: how much scores vary from topic to topic beyond system and topic effects.

For matrices of runs x topics, the two-way analysis of variance without replication gives

    MSE = SS_residual / ((n - 1)(k - 1))      the residual variance: what two runs' difference on a topic is made of
    s2_T = max(0, (MST - MSE) / k)            the variance of the topics' difficulty

with k runs and n topics. Matrices whose runs are anonymised are used for these two numbers alone.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from builder.tables import Row

COLUMNS = [
    "collection",
    "measure",
    "n_topics",
    "n_systems",
    "residual_variance",
    "topic_variance",
    "source",
    "family",
    "note",
]


@dataclass(frozen=True)
class Variance:
    """The residual and topic variance of one measure on one collection."""

    collection: str
    measure: str
    n_topics: int
    n_systems: int
    residual: float
    topic: float
    source: str


#: Matrix file -> collection, measure, where its figures come from.
_POOLS = {
    "trec-5-adhoc__AP": ("trec-5-adhoc", "AP", "julian-urbano/sigir2019-statistical"),
    "trec-5-adhoc__P-at-10": ("trec-5-adhoc", "P@10", "julian-urbano/sigir2019-statistical"),
    "trec-5-adhoc__RR": ("trec-5-adhoc", "RR", "julian-urbano/sigir2019-statistical"),
    "trec-7-adhoc__AP": ("trec-7-adhoc", "AP", "julian-urbano/sigir2019-statistical"),
    "trec-7-adhoc__P-at-10": ("trec-7-adhoc", "P@10", "julian-urbano/sigir2019-statistical"),
    "trec-7-adhoc__RR": ("trec-7-adhoc", "RR", "julian-urbano/sigir2019-statistical"),
    "trec-8-adhoc__AP": ("trec-8-adhoc", "AP", "julian-urbano/sigir2019-statistical"),
    "trec-8-adhoc__P-at-10": ("trec-8-adhoc", "P@10", "julian-urbano/sigir2019-statistical"),
    "trec-8-adhoc__RR": ("trec-8-adhoc", "RR", "julian-urbano/sigir2019-statistical"),
    "trec-2003-robust__AP": ("trec-2003-robust", "AP", "julian-urbano/irj2015-reliability"),
    "trec-2004-robust.99topics__AP": ("trec-2004-robust", "AP", "julian-urbano/sigir2019-standardization"),
    "trec-2004-robust.99topics__nDCG": ("trec-2004-robust", "nDCG", "julian-urbano/sigir2019-standardization"),
    "trec-2010-web.simireff__AP": ("trec-2010-web", "AP", "julian-urbano/simIReff"),
    "trec-2010-web.simireff__P-at-20": ("trec-2010-web", "P@20", "julian-urbano/simIReff"),
    "trec-2010-web.simireff__RR": ("trec-2010-web", "RR", "julian-urbano/simIReff"),
    "trec-2010-web__ERR-at-20": ("trec-2010-web", "ERR@20", "julian-urbano/sigir2019-statistical"),
    "trec-2010-web__nDCG-dcg-exp-log2-at-20": (
        "trec-2010-web",
        "nDCG(dcg='exp-log2')@20",
        "julian-urbano/sigir2019-statistical",
    ),
    "trec-2011-web__ERR-at-20": ("trec-2011-web", "ERR@20", "julian-urbano/sigir2019-statistical"),
    "trec-2011-web__nDCG-dcg-exp-log2-at-20": (
        "trec-2011-web",
        "nDCG(dcg='exp-log2')@20",
        "julian-urbano/sigir2019-statistical",
    ),
    "trec-dl-2019-passage.rankllm__AP-rel-2-at-100": ("trec-dl-2019-passage", "AP(rel=2)@100", "castorini/rank_llm"),
    "trec-dl-2019-passage.rankllm__P-rel-2-at-10": ("trec-dl-2019-passage", "P(rel=2)@10", "castorini/rank_llm"),
    "trec-dl-2019-passage.rankllm__RR-rel-2-at-10": ("trec-dl-2019-passage", "RR(rel=2)@10", "castorini/rank_llm"),
    "trec-dl-2019-passage.rankllm__nDCG-at-10": ("trec-dl-2019-passage", "nDCG@10", "castorini/rank_llm"),
    "clef-tar-2019-abs__AP": ("clef-tar-2019-abs", "AP", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__NormArea": ("clef-tar-2019-abs", "NormArea", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__R-at-10": ("clef-tar-2019-abs", "R@10%", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__R-at-20": ("clef-tar-2019-abs", "R@20%", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__SetR": ("clef-tar-2019-abs", "SetR", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__WSS-at-100": ("clef-tar-2019-abs", "WSS@100", "CLEF-TAR/tar"),
    "clef-tar-2019-abs__WSS-at-95": ("clef-tar-2019-abs", "WSS@95", "CLEF-TAR/tar"),
}

#: Matrices of the same publishers that the gathered folder leaves out: the square roots of the two variances, to
#: four decimals, as measured on them with the formulas above. collection, measure, topics, runs, residual, topic.
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

#: Collections whose figure is not taken into the typical value of a measure: another task, near-copies among the runs.
_APART = ("clef-tar-",)

#: Measures without a matrix of their own -> the measure whose typical value stands in, and why that is fair.
_FAMILIES = {
    "AP@100": ("AP", "cut at 100 results"),
    "AP@1000": ("AP", "cut at 1000 results, where trec_eval's AP stops too"),
    "AP(rel=2)": ("AP", "stricter relevance"),
    "AP(rel=2)@1000": ("AP", "stricter relevance"),
    "AP(rel=2)@100": ("AP", "stricter relevance, cut at 100 results"),
    "infAP": ("AP", "an estimate of AP; sampling the judgements adds to it, so this is a lower bound"),
    "P@5": ("P@10", "nearest cutoff; shorter lists vary more, so this is a lower bound"),
    "P@15": ("P@10", "nearest cutoff with several matrices"),
    "P@30": ("P@20", "nearest cutoff"),
    "P(rel=2)@10": ("P@10", "stricter relevance"),
    "RR@10": ("RR", "cut at 10 results"),
    "RR@100": ("RR", "cut at 100 results"),
    "RR(rel=2)": ("RR", "stricter relevance"),
    "RR(rel=2)@10": ("RR", "stricter relevance, cut at 10 results"),
    "RR(rel=2)@100": ("RR", "stricter relevance, cut at 100 results"),
    "nDCG@1000": ("nDCG", "cut at 1000 results, where trec_eval's nDCG stops too"),
    "nDCG@20": ("nDCG(dcg='exp-log2')@20", "linear instead of exponential gain"),
    "nDCG@30": ("nDCG(dcg='exp-log2')@20", "nearest cutoff, linear instead of exponential gain"),
    "nDCG@5": ("nDCG@10", "nearest cutoff; shorter lists vary more, so this is a lower bound"),
    "nDCG@100": ("nDCG(dcg='exp-log2')@20", "between this and nDCG without a cutoff, of which it is the larger"),
    "ERR": ("ERR@20", "without a cutoff; later ranks add next to nothing"),
}

#: MTEB collections whose topics have many judged documents, as those of the pools have.
_DENSE = {
    "beir-dbpedia-entity", "beir-dbpedia-entity-dev", "beir-nfcorpus", "beir-pl-nfcorpus", "beir-pl-trec-covid",
    "beir-trec-covid", "beir-webis-touche2020", "mteb-dbpedia-hn", "mteb-msmarco-hn", "mteb-msmarco-test",
    "mteb-touche2020-v3",
}  # fmt: skip


def build_variance_library(folder: Path, in_mteb: set[str]) -> list[Row]:
    """The rows of ``variance_library.csv``: collections first, then typical values, then what is borrowed."""
    found = [_from_matrix(folder / f"{name}.csv", *facts) for name, facts in _POOLS.items()]
    for collection, measure, n_topics, n_systems, residual, topic, source in _MEASURED_BEFORE:
        found.append(Variance(collection, measure, n_topics, n_systems, residual**2, topic**2, source))
    found.sort(key=lambda variance: (variance.measure, variance.collection))
    typical = _typical_rows(found)
    return [_row(variance) for variance in found] + typical + _borrowed_rows(typical) + _sparse_rows(typical, in_mteb)


def _from_matrix(path: Path, collection: str, measure: str, source: str) -> Variance:
    """The variances of a topics x runs matrix without missing cells."""
    with path.open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    scores = np.array([[float(cell) for cell in line[1:]] for line in lines])
    n_topics, n_systems = scores.shape
    by_topic, by_system, overall = scores.mean(axis=1), scores.mean(axis=0), scores.mean()
    residuals = scores - by_topic[:, None] - by_system[None, :] + overall
    residual = float((residuals**2).sum()) / ((n_topics - 1) * (n_systems - 1))
    topic_square = n_systems * float(((by_topic - overall) ** 2).sum()) / (n_topics - 1)
    return Variance(
        collection, measure, n_topics, n_systems, residual, max(0.0, (topic_square - residual) / n_systems), source
    )


def _row(variance: Variance) -> Row:
    note = ""
    if variance.source.startswith("castorini"):
        note = "few and related systems (first stages and one reranker on each)"
    elif variance.source.startswith("CLEF-TAR"):
        note = "many runs differ in one threshold only, so other pools will vary more"
    elif variance.collection == "trec-2004-robust":
        note = "99 of the 249 topics"
    return {
        "collection": variance.collection,
        "measure": variance.measure,
        "n_topics": str(variance.n_topics),
        "n_systems": str(variance.n_systems),
        "residual_variance": f"{variance.residual:.6f}",
        "topic_variance": f"{variance.topic:.6f}",
        "source": f"two-way ANOVA of {variance.n_systems} runs x {variance.n_topics} topics, {variance.source}",
        "note": note,
    }


def _typical_rows(found: list[Variance]) -> list[Row]:
    """For each measure the squared median of the residual standard deviations, over collections."""
    rows = []
    for measure in sorted({variance.measure for variance in found}):
        ours = [
            variance
            for variance in found
            if variance.measure == measure and not variance.collection.startswith(_APART) and measure not in _FAMILIES
        ]
        if not ours:
            continue
        deviations = sorted(variance.residual**0.5 for variance in ours)
        typical = median(deviations)
        names = ", ".join(sorted(variance.collection for variance in ours))
        rows.append(
            {
                "measure": measure,
                "residual_variance": f"{typical**2:.6f}",
                "topic_variance": f"{median(variance.topic**0.5 for variance in ours) ** 2:.6f}",
                "source": f"median residual sd of {len(ours)} {'pools' if len(ours) > 1 else 'pool'}: {names}",
                "note": f"residual sd {typical:.4f}, from {deviations[0]:.4f} to {deviations[-1]:.4f}",
            }
        )
    return rows


def _borrowed_rows(typical: list[Row]) -> list[Row]:
    """Rows of measures that have no matrix, with the typical value of the measure named in ``family``."""
    by_measure = {row["measure"]: row for row in typical}
    return [
        by_measure[family]
        | {
            "measure": measure,
            "source": f"as {family}: {by_measure[family]['source']}",
            "family": family,
            "note": f"borrowed from {family}: {reason}; {by_measure[family]['note']}",
        }
        for measure, (family, reason) in _FAMILIES.items()
    ]


def _sparse_rows(typical: list[Row], in_mteb: set[str]) -> list[Row]:
    """nDCG@10 where a topic has a relevant document or a few: there it depends on the first relevant rank, as RR does.

    The nDCG@10 of pools with many judged documents a topic would be far too narrow for these.
    """
    reciprocal_rank = next(row for row in typical if row["measure"] == "RR")
    return [
        reciprocal_rank
        | {
            "collection": collection,
            "measure": "nDCG@10",
            "source": f"as RR: {reciprocal_rank['source']}",
            "family": "RR",
            "note": f"borrowed from RR: few relevant documents a topic; {reciprocal_rank['note']}",
        }
        for collection in sorted(in_mteb - _DENSE)
    ]
