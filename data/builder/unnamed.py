"""Topic scores whose runs go without names: they tell how a collection's scores vary, and stand behind no result.

The runs of participants were anonymised by their publishers, with the organisers' permission, and stay so here: their
columns are not matched with names. Grids are named by their configuration, and no system of anybody's.
"""

import csv
import gzip
import io
from dataclasses import dataclass
from pathlib import Path

from builder.tables import Row, file_safe

COLUMNS = ["file", "collection", "measure", "runs", "source", "licence", "note"]

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
