"""Per-topic scores that may be shipped, under the system names of the published rows they are the topics of."""

import csv
from dataclasses import dataclass
from pathlib import Path

from builder.executions import REPEATED, REPEATED_NAME, REPEATED_STEM
from builder.tables import Row, write_table

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


_SETS = [
    Matrices("per_topic", "trec-dl-2019-passage.rankllm", "trec-dl-2019-passage", _DEEP_LEARNING, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("replicates", REPEATED_STEM, "trec-dl-2019-passage", REPEATED, REPEATED_NAME,
             _RANK_LLM | {"paper": "", "paper_url": ""}, "baseline", "__gpt-3-5"),
    Matrices("per_topic", "trec-dl-2021-passage.rankllm", "trec-dl-2021-passage", _DEEP_LEARNING, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("per_topic", "beir-trec-covid.rankllm", "beir-trec-covid", _COVID, "rank_llm ",
             _RANK_LLM, "reference_implementation"),
    Matrices("per_topic", "clef-tar-2019-abs", "clef-tar-2019-abs", _TAR, "", _CLEF_TAR, "trec_run"),
]  # fmt: skip


def build_topic_scores(shared: Path, output: Path) -> list[Row]:
    """Write the matrices and return the rows of their manifest."""
    manifest = []
    for matrices in _SETS:
        for ending, measure in matrices.measures.items():
            name = f"{matrices.collection}__{_file_safe(measure)}{matrices.suffix}.csv"
            path = shared / matrices.folder / f"{matrices.stem}__{ending}.csv"
            _write_matrix(path, output / "topic_scores" / name, matrices.prefix)
            manifest.append(
                {
                    "file": name,
                    "collection": matrices.collection,
                    "measure": measure,
                    "role": matrices.role,
                    "run_type": "automatic" if matrices.prefix else "",
                    **matrices.facts,
                }
            )
    return manifest


def _file_safe(measure: str) -> str:
    """A measure's name as part of a file name: nDCG@10 as nDCG-at-10, R@10% as R-at-10-percent."""
    safe = measure.replace("@", "-at-").replace("%", "-percent")
    return "-".join(part for part in "".join(c if c.isalnum() else "-" for c in safe).split("-") if part)


def _write_matrix(source: Path, target: Path, prefix: str) -> None:
    """Copy a topics x runs matrix, its columns under the names of the published rows."""
    with source.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    columns = ["topic", *(f"{prefix}{name.removeprefix('rep')}" for name in header[1:])]
    write_table(target, columns, (dict(zip(columns, line, strict=True)) for line in lines))
