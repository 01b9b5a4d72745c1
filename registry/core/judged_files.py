"""Judgements and runs that ship, read where they stand: packed by ``data/builder/judged.py``."""

import csv
import hashlib
import lzma
from dataclasses import dataclass
from pathlib import Path

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
        """What its addresses call it, among the runs of its collection."""
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
    """Lines of topic, iteration, document, grade; ``sha256`` is theirs.

    Raises
    ------
    FileChanged
        If the file is gone, or another.
    """
    lines = []
    for line in _unpacked(path).splitlines():
        topic, grade, *documents = line.split(" ")
        lines += [f"{topic} 0 {document} {grade}\n" for document in documents]
    return _checked("".join(lines).encode(), path, sha256)


def list_runs(folder: Path) -> list[ShippedRun]:
    """The runs of a folder that ships, in the order of its manifest; none where it has no manifest."""
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
    """The lines of a run, as it was sent somewhere: topic, ``Q0``, document, rank, score, tag.

    Raises
    ------
    FileChanged
        If the file is gone, or another.
    """
    path = folder / RUNS_MANIFEST.parent / run.file
    lines = []
    for line in _unpacked(path).splitlines():
        topic, documents, scores = line.split("\t")
        found = enumerate(zip(documents.split(" "), scores.split(" "), strict=True), 1)
        lines += [f"{topic} Q0 {document} {rank} {score} {run.tag}\n" for rank, (document, score) in found]
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
