"""Runs that ship, met with the judgements that ship."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.scores import Judgements, Run, parse_judgements, parse_run
from registry.core.judged_files import JUDGEMENTS_MANIFEST, list_runs, read_judgements, read_run

#: From which grade on documents are relevant, where that is not 1, as the track has it for measures of two grades.
_GRADES = {"trec-dl-2019-passage": 2, "trec-dl-2021-passage": 2, "trec-2021-cast": 2}


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """A run with the judgements of its collection: ``depth`` is how many documents a topic it was cut at, ``grade`` the
    one from which on documents are relevant."""

    collection: str
    system: str
    depth: int
    grade: int
    run: Run
    judgements: Judgements

    @property
    def rankings(self) -> Mapping[str, tuple[str, ...]]:
        """Documents by topic, best first."""
        return self.run.rankings

    @property
    def grades(self) -> Mapping[str, Mapping[str, int]]:
        """Grades of documents by topic."""
        return self.judgements.grades

    def relevant(self, topic: str) -> frozenset[str]:
        """Relevant documents of a topic, retrieved or not."""
        return self.judgements.relevant(topic, self.grade)


def shipped_rankings(data: Path, collection: str = "", system: str = "") -> Iterator[JudgedRanking]:
    """The runs of a folder that ships, in the order of its manifest: all, or those of a collection, or of a system."""
    for one in list_runs(data):
        if collection not in ("", one.collection) or system not in ("", one.system):
            continue
        yield JudgedRanking(
            one.collection, one.system, one.cut_at, _GRADES.get(one.collection, 1),
            parse_run(read_run(data, one)), shipped_judgements(data, one.collection),
        )  # fmt: skip


@cache
def shipped_judgements(data: Path, collection: str) -> Judgements:
    """The judgements of a collection that ship."""
    with (data / JUDGEMENTS_MANIFEST).open(encoding="utf-8", newline="") as stream:
        (row,) = (row for row in csv.DictReader(stream) if row["collection"] == collection)
    return parse_judgements(read_judgements(data / JUDGEMENTS_MANIFEST.parent / row["file"], row["sha256"]))
