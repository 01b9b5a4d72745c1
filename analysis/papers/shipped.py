"""The data that ship, read where they stand; judgements and runs are packed by ``data/builder/judgements.py``."""

import csv
import gzip
import hashlib
import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.papers.paper import JudgedRanking
from analysis.scores import Judgements, ScoreMatrix, parse_judgements, parse_run, parse_score_table

#: Below the folder that ships, beside the files that they list.
JUDGEMENTS_MANIFEST = Path("judgements") / "manifest.csv"
RUNS_MANIFEST = Path("runs") / "manifest.csv"


class FileChanged(Exception):
    """A file that ships is gone, or another than was loaded."""


@dataclass(frozen=True, slots=True)
class ShippedRun:
    """A run as the manifest has it: whose it is, how many documents a topic it was cut at, on what terms it stands."""

    file: str
    collection: str
    system: str
    kind: str
    cut_at: int
    n_lines: int
    sha256: str
    source: str
    licence: str
    terms: str
    note: str

    @property
    def name(self) -> str:
        """Return its name in addresses, among the runs of its collection."""
        return self.file.removesuffix(".xz").split("__", 1)[1]

    @property
    def repository(self) -> str:
        """The repository of its source, in the state that was read."""
        return self.source.partition(":")[0]

    @property
    def tag(self) -> str:
        """The last field of its lines."""
        return self.system.replace(" ", "_")


def read_judgements(path: Path, sha256: str) -> bytes:
    """Return lines of topic, iteration, document, grade, whose digest is given; ``FileChanged`` if they are others."""
    lines = []
    for line in _unpacked(path).splitlines():
        topic, grade, *documents = line.split(" ")
        lines += [f"{topic} 0 {document} {grade}\n" for document in documents]
    return _checked("".join(lines).encode(), path, sha256)


def list_runs(folder: Path) -> list[ShippedRun]:
    """Return the runs of a folder that ships, in the order of its manifest; none where it has no manifest."""
    path = folder / RUNS_MANIFEST
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return [_run_of(row) for row in rows]


def _run_of(row: dict[str, str]) -> ShippedRun:
    texts = {name: text for name, text in row.items() if name not in ("cut_at", "n_lines")}
    return ShippedRun(**texts, cut_at=int(row["cut_at"]), n_lines=int(row["n_lines"]))


def read_run(folder: Path, run: ShippedRun) -> bytes:
    """Return the lines of a run, as it was sent somewhere: topic, ``Q0``, document, rank, score, tag.

    Raises
    ------
    FileChanged
        If the file is gone, or another.
    """
    path = folder / RUNS_MANIFEST.parent / run.file
    lines = []
    for line in _unpacked(path).splitlines():
        topic, documents, scores = line.split("\t")
        ranked = enumerate(zip(documents.split(" "), scores.split(" "), strict=True), 1)
        lines += [f"{topic} Q0 {document} {rank} {score} {run.tag}\n" for rank, (document, score) in ranked]
    return _checked("".join(lines).encode(), path, run.sha256)


def _unpacked(path: Path) -> str:
    try:
        return lzma.decompress(path.read_bytes()).decode()
    except (OSError, lzma.LZMAError) as error:
        raise FileChanged(f"{path} can't be read: {error}. {_REMEDY}") from error


def _checked(lines: bytes, path: Path, sha256: str) -> bytes:
    if hashlib.sha256(lines).hexdigest() != sha256:
        raise FileChanged(f"{path} is not the file that was loaded. {_REMEDY}")
    return lines


_REMEDY = "Bring the folder that ships back as it was, or load it again by manage.py load_shipped_data"


#: From which grade on documents are relevant, where that is not 1, as the track has it for measures of two grades.
_GRADES = {"trec-dl-2019-passage": 2, "trec-dl-2021-passage": 2, "trec-2021-cast": 2}


@dataclass(frozen=True, slots=True)
class ShippedFolder:
    """A folder in the layout of ``data/``, as ``analysis.papers`` reads it."""

    folder: Path

    def unnamed(self, name: str) -> ScoreMatrix:
        """Return topic scores of runs without names, such as ``trec-7-adhoc__AP``."""
        path = self.folder / "topic_scores" / "unnamed" / f"{name}.csv"
        packed = path.with_name(f"{path.name}.gz")
        return parse_score_table(path.read_bytes() if path.exists() else gzip.decompress(packed.read_bytes()))

    def named(self, name: str) -> ScoreMatrix:
        """Return topic scores of named systems."""
        return parse_score_table((self.folder / "topic_scores" / f"{name}.csv").read_bytes())

    def results(self, file: str, collection: str, role: str = "") -> list[dict[str, str]]:
        """Return the rows of a file of published results under AP; in one role, or in all."""
        results = _rows(self.folder / "results" / file)
        rows = [row for row in results if (row["collection"], row["measure"]) == (collection, "AP")]
        return [row for row in rows if role in ("", row["role"])]

    def most_tried(self, n: int) -> list[tuple[str, int]]:
        """Return the collections and measures with the most results, and how many these are."""
        counts: Counter[str] = Counter()
        for path in sorted((self.folder / "results").glob("*.csv")):
            counts.update(f"{row['collection']}, {row['measure']}" for row in _rows(path))
        return counts.most_common(n)

    def n_papers(self, venue: str, first: int, last: int) -> int:
        """Return how many papers of a venue are on record, by year."""
        rows = [row for row in _rows(self.folder / "papers.csv") if row["year"]]
        return sum(venue in row["venue"].split() and first <= int(row["year"]) <= last for row in rows)

    def rankings(self, collection: str = "", system: str = "") -> Iterator[JudgedRanking]:
        """Return the runs in the order of their manifest: all, or those of a collection, or of a system."""
        for run in list_runs(self.folder):
            if collection in ("", run.collection) and system in ("", run.system):
                yield JudgedRanking(
                    run.collection, run.system, run.cut_at, _GRADES.get(run.collection, 1),
                    parse_run(read_run(self.folder, run)), self.judgements(run.collection),
                )  # fmt: skip

    def judgements(self, collection: str) -> Judgements:
        """Return the judgements of a collection."""
        return _judgements(self.folder, collection)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


@cache
def _judgements(folder: Path, collection: str) -> Judgements:
    (row,) = (row for row in _rows(folder / JUDGEMENTS_MANIFEST) if row["collection"] == collection)
    return parse_judgements(read_judgements(folder / JUDGEMENTS_MANIFEST.parent / row["file"], row["sha256"]))
