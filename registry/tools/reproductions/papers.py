"""Papers computed again, each kept in a file that ships, which ``manage.py reproduce_papers`` writes."""

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from analysis.papers.paper import SLUGS, JudgedRanking, Reproduction
from analysis.scores import Judgements, ScoreMatrix, parse_judgements, parse_run, parse_score_table
from registry.core.judged_files import JUDGEMENTS_MANIFEST, list_runs, read_judgements, read_run

_FOUND = Path(__file__).with_name("found")


@cache
def reproductions() -> dict[str, Reproduction]:
    """Return what was found of each paper, by its name in the address."""
    files = {slug: _FOUND / f"{slug}.json" for slug in SLUGS}
    return {
        slug: msgspec.json.decode(path.read_bytes(), type=Reproduction) for slug, path in files.items() if path.exists()
    }


def write_reproduction(found: Reproduction) -> None:
    """Keep what was found in the file that ships."""
    (_FOUND / f"{found.slug}.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


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
        found = _rows(self.folder / "results" / file)
        rows = [row for row in found if (row["collection"], row["measure"]) == (collection, "AP")]
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
