"""Per-topic scores that may be shipped: under the names of systems that have published rows, and without names.

Scores without names tell how a collection's scores vary, and stand behind no result. The runs of participants were
anonymised by their publishers, with the organisers' permission, and stay so here: their columns are not matched with
names. Grids are named by their configuration, and no system of anybody's.
"""

import csv
import gzip
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from builder.executions import REPEATED, REPEATED_NAME, REPEATED_STEM
from builder.tables import Row, file_safe, write_table

COLUMNS = [
    "file",
    "collection",
    "measure",
    "role",
    "run_type",
    "team",
    "year",
    "paper",
    "paper_url",
    "source",
    "licence",
]

_RANK_LLM = {
    "team": "castorini",
    "year": "2023",
    "paper": "Pradeep et al. (arXiv 2309.15088)",
    "paper_url": "https://arxiv.org/abs/2309.15088",
    "source": "castorini/rank_llm",
    "licence": "Apache-2.0",
}
_CLEF_TAR = {
    "team": "",
    "year": "2019",
    "paper": "",
    "paper_url": "https://github.com/CLEF-TAR/tar",
    "source": "CLEF-TAR/tar",
    "licence": "MIT",
}

_CAST_RUNS = {"team": "TREC CAsT organisers", "year": "2021", "source": "daltonj/treccastweb", "licence": "MIT"}
_TOUCHE_RUNS = {
    "team": "castorini",
    "year": "2024",
    "source": "castorini/touche-error-analysis",
    "licence": "Apache-2.0",
}

#: Ending of a matrix's file name -> measure.
_DEEP_LEARNING = {
    "AP-rel-2-at-100": "AP(rel=2)@100",
    "P-rel-2-at-10": "P(rel=2)@10",
    "R-rel-2-at-100": "R(rel=2)@100",
    "RR-rel-2-at-10": "RR(rel=2)@10",
    "nDCG-at-10": "nDCG@10",
}
_COVID = {"AP-at-100": "AP@100", "P-at-10": "P@10", "P-at-5": "P@5", "R-at-100": "R@100", "nDCG-at-10": "nDCG@10"}
_TAR = {
    "AP": "AP",
    "NormArea": "NormArea",
    "R-at-10": "R@10%",
    "R-at-20": "R@20%",
    "SetR": "SetR",
    "WSS-at-100": "WSS@100",
    "WSS-at-95": "WSS@95",
}


@dataclass(frozen=True)
class Matrices:
    """Matrices of one collection: where they lie, what they measure, how their columns are called here."""

    folder: str
    stem: str
    collection: str
    measures: dict[str, str]
    prefix: str
    facts: Row
    role: str
    suffix: str = ""


_CAST = {
    "AP-rel-2-at-100": "AP(rel=2)@100",
    "R-rel-2-at-100": "R(rel=2)@100",
    "RR-rel-2": "RR(rel=2)",
    "nDCG-at-3": "nDCG@3",
    "nDCG-at-5": "nDCG@5",
    "nDCG-at-500": "nDCG@500",
}
_TOUCHE = {
    "AP-at-100": "AP@100",
    "AP-at-1000": "AP@1000",
    "P-at-10": "P@10",
    "R-at-100": "R@100",
    "R-at-1000": "R@1000",
    "RR-at-10": "RR@10",
    "nDCG-at-10": "nDCG@10",
    "nDCG-at-100": "nDCG@100",
}

_SETS = [
    Matrices("per_topic", "trec-dl-2019-passage.rankllm", "trec-dl-2019-passage", _DEEP_LEARNING, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("replicates", REPEATED_STEM, "trec-dl-2019-passage", REPEATED, REPEATED_NAME,
             _RANK_LLM | {"paper": "", "paper_url": ""}, "baseline", "__gpt-3-5"),
    Matrices("per_topic", "trec-dl-2021-passage.rankllm", "trec-dl-2021-passage", _DEEP_LEARNING, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("per_topic", "beir-trec-covid.rankllm", "beir-trec-covid", _COVID, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("more/per_topic", "trec-2021-cast.treccastweb", "trec-2021-cast", _CAST, "",
             _CAST_RUNS, "reference_implementation"),
    Matrices("more/per_topic", "beir-webis-touche2020.toucheerror", "beir-webis-touche2020", _TOUCHE, "",
             _TOUCHE_RUNS, "reference_implementation"),
    Matrices("per_topic", "clef-tar-2019-abs", "clef-tar-2019-abs", _TAR, "", _CLEF_TAR, "trec_run"),
]  # fmt: skip


def build_topic_scores(shared: Path, output: Path) -> list[Row]:
    """Write the matrices and return the rows of their manifest."""
    manifest = []
    for matrices in _SETS:
        for ending, measure in matrices.measures.items():
            name = f"{matrices.collection}__{file_safe(measure)}{matrices.suffix}.csv"
            path = shared / matrices.folder / f"{matrices.stem}__{ending}.csv"
            _write_matrix(path, output / "topic_scores" / name, matrices.prefix)
            manifest.append(
                {
                    "file": name,
                    "collection": matrices.collection,
                    "measure": measure,
                    "role": matrices.role,
                    "run_type": "automatic" if "castorini" in matrices.facts["source"] else "",
                    **matrices.facts,
                }
            )
    return manifest


def rows_with_scores(manifest: Iterable[Row], output: Path) -> set[tuple[str, str, str]]:
    """Return collection, measure and system of each column of the matrices that were written."""
    columns = set()
    for row in manifest:
        with (output / "topic_scores" / row["file"]).open(encoding="utf-8", newline="") as file:
            columns |= {(row["collection"], row["measure"], system) for system in next(csv.reader(file))[1:]}
    return columns


def recorded_by_matrices(shared: Path) -> list[Row]:
    """Return the systems that have no rows in ``results/``: their results are the means of their scores."""
    systems = {}
    for matrices in _SETS:
        if not matrices.prefix:
            ending = next(iter(matrices.measures))
            with (shared / matrices.folder / f"{matrices.stem}__{ending}.csv").open(
                encoding="utf-8", newline=""
            ) as file:
                for name in next(csv.reader(file))[1:]:
                    facts = {"paper_url": "", **matrices.facts}
                    systems[name] = {"system": name, "role": matrices.role, **facts}
    return list(systems.values())


def _write_matrix(source: Path, target: Path, prefix: str) -> None:
    """Copy a topics x runs matrix, its columns under the names of the published rows."""
    with source.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    columns = ["topic", *(f"{prefix}{name.removeprefix('rep')}" for name in header[1:])]
    write_table(target, columns, (dict(zip(columns, line, strict=True)) for line in lines))


UNNAMED_COLUMNS = ["file", "collection", "measure", "runs", "source", "licence", "note"]

#: What the columns are.
PARTICIPANTS = "participants' runs, names withheld"
GRID = "configurations of toolkits"

#: Larger files are compressed.
_LARGEST_PLAIN = 100_000


@dataclass(frozen=True)
class Unnamed:
    """One matrix: its file among the gathered ones, what it measures, where it is from."""

    stem: str
    collection: str
    measure: str
    source: str
    licence: str = "CC BY-SA 4.0"
    runs: str = PARTICIPANTS
    suffix: str = ""
    note: str = ""

    @property
    def file(self) -> str:
        """Its name here, without the ending."""
        return f"{self.collection}__{file_safe(self.measure)}{self.suffix}"


_STATISTICAL = "julian-urbano/sigir2019-statistical"
_STANDARDIZATION = "julian-urbano/sigir2019-standardization"
_RELIABILITY = "julian-urbano/irj2015-reliability"
_SIMIREFF = {"source": "julian-urbano/simIReff", "licence": "MIT"}
_GRID_OF_POINTS = {
    "source": "gridofpoints/trec-sigir2016",
    "licence": "Apache-2.0",
    "runs": GRID,
    "suffix": "__grid-of-points",
    "note": "560 combinations of stop list, stemmer and model",
}
_GDEVAL = "nDCG(dcg='exp-log2')@20"

MATRICES = [
    *(
        Unnamed(f"{collection}__{ending}", collection, measure, _STATISTICAL)
        for collection in ("trec-5-adhoc", "trec-7-adhoc", "trec-8-adhoc")
        for ending, measure in (("AP", "AP"), ("P-at-10", "P@10"), ("RR", "RR"))
    ),
    Unnamed("trec-2003-robust__AP", "trec-2003-robust", "AP", _RELIABILITY),
    *(
        Unnamed(
            f"trec-2004-robust.99topics__{measure}",
            "trec-2004-robust",
            measure,
            _STANDARDIZATION,
            note="99 of the 249 topics",
        )
        for measure in ("AP", "nDCG")
    ),
    *(
        Unnamed(f"trec-2010-web.simireff__{ending}", "trec-2010-web", measure, **_SIMIREFF)
        for ending, measure in (("AP", "AP"), ("P-at-20", "P@20"), ("RR", "RR"))
    ),
    *(
        Unnamed(f"{collection}__{ending}", collection, measure, _STATISTICAL)
        for collection in ("trec-2010-web", "trec-2011-web")
        for ending, measure in (("ERR-at-20", "ERR@20"), ("nDCG-dcg-exp-log2-at-20", _GDEVAL))
    ),
    *(
        Unnamed(f"{collection}.gop-sigir2016__AP", collection, "AP", **_GRID_OF_POINTS)
        for collection in ("trec-7-adhoc", "trec-8-adhoc")
    ),
]


def build_unnamed(shared: Path, output: Path) -> list[Row]:
    """Write the matrices and return the rows of their manifest."""
    return [
        {
            "file": _write(shared / "per_topic" / f"{matrix.stem}.csv", output / "topic_scores" / "unnamed", matrix),
            "collection": matrix.collection,
            "measure": matrix.measure,
            "runs": matrix.runs,
            "source": matrix.source,
            "licence": matrix.licence,
            "note": matrix.note,
        }
        for matrix in MATRICES
    ]


def _write(source: Path, folder: Path, matrix: Unnamed) -> str:
    """Copy a topics x runs matrix in one form of CSV; the name of the file."""
    text = io.StringIO()
    with source.open(encoding="utf-8", newline="") as file:
        csv.writer(text, lineterminator="\n").writerows(csv.reader(file))
    content, name = text.getvalue().encode("utf-8"), f"{matrix.file}.csv"
    if len(content) > _LARGEST_PLAIN:
        content, name = gzip.compress(content, compresslevel=9, mtime=0), f"{name}.gz"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return name
