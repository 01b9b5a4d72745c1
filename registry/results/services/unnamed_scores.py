"""Keeping topic scores of runs without names, for what they tell of a collection."""

import gzip
import json
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import cast

import numpy as np
from django.db import transaction

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, open_table, read_records, read_table
from analysis.scores import ScoreMatrix
from registry.accounts.models import User
from registry.catalog.models import Measure
from registry.catalog.queries import CatalogNames
from registry.core.loading import LoadReport, Progress, digest_of, silent
from registry.journal.queries import loaded_digests
from registry.journal.services import record
from registry.results.models import UnnamedScores
from registry.results.pipeline.topic_scores import read_topic_table

UNNAMED_LOADED = "results.unnamed_scores.loaded"
_REQUIRED = ("file", "collection", "measure", "runs", "source", "licence")


def load_unnamed_scores(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load the tables that a folder's ``manifest.csv`` names, one report for each that is not as it was before."""
    manifest = directory / "manifest.csv"
    if not manifest.exists():
        return
    known, names = loaded_digests(UNNAMED_LOADED), CatalogNames()
    with open_table(manifest) as stream:
        for row in read_table(stream, required=_REQUIRED, optional=("note",)):
            if isinstance(row, Rejection):
                yield LoadReport("topic_scores/unnamed/manifest.csv").refusing(row)
                continue
            path = directory / Path(row.cells["file"]).name
            report = LoadReport(f"topic_scores/unnamed/{path.name}", path=str(path), superseded_word="changed")
            progress(f"reading {report.label}", 0)
            try:
                with open_table(path):
                    report.digest = digest_of(path)
                if known.get(report.label) != report.digest:
                    _load(path, report, row, names, actor, reason)
                    yield report
            except Refused as refused:
                yield report.refusing(refused.at(row.line, row.cells["file"]))


@transaction.atomic
def _load(path: Path, report: LoadReport, row: Record, names: CatalogNames, actor: User | None, reason: str) -> None:
    collection, measure = names.collection(row.cells["collection"]), names.measure(row.cells["measure"])
    matrix = _read(path, measure)
    if isinstance(matrix, list):
        report.refuse(matrix)
        return
    content = {"topics": matrix.topics, "runs": matrix.systems, "scores": matrix.scores.tolist()}
    facts = {
        "collection": collection,
        "measure": measure,
        "n_topics": matrix.n_topics,
        "n_runs": matrix.n_systems,
        "content": zlib.compress(json.dumps(content).encode()),
        "sha256": report.digest,
        **{name: row.cells[name] for name in ("runs", "source", "licence", "note")},
    }
    _, is_new = UnnamedScores.objects.update_or_create(label=report.label, defaults=facts)
    report.added, report.superseded = (matrix.n_systems, 0) if is_new else (0, matrix.n_systems)
    after = {"digest": report.digest, "collection": collection.slug, "measure": measure.name, "runs": matrix.n_systems}
    record(action=UNNAMED_LOADED, subject=("file", report.label), actor=actor, reason=reason, after=after)


def _read(path: Path, measure: Measure) -> ScoreMatrix | list[Rejection]:
    """Return the matrix of a file whose cells all hold a score; otherwise what is wrong with it."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        return [Rejection("gzip", f"is no complete gzip file: {error}", fatal=True)]
    if (matrix := _read_numbers(content, measure)) is not None:
        return matrix
    table = read_topic_table(BytesIO(content), measure)
    if isinstance(table, list):
        return table
    return [Rejection("blank", "has a topic without a score; leave such runs out", fatal=True)]


def _read_numbers(content: bytes, measure: Measure) -> ScoreMatrix | None:
    """The matrix where every cell is a number in the measure's range and every name stands once; None otherwise.

    A million cells a second, where reading that says what is wrong takes ten times as long.
    """
    records = list(read_records(BytesIO(content)))
    if len(records) < 2 or any(isinstance(record, Rejection) for record in records):
        return None
    header, *lines = (cells for _, cells in cast(list[tuple[int, list[str]]], records))
    try:
        scores = np.array([[float(cell) for cell in cells[1:]] for cells in lines])
        matrix = ScoreMatrix(header[1:], [cells[0] for cells in lines], scores.T)
    except ValueError:  # What is no number, ragged, or named twice: reading it slowly says what and where.
        return None
    is_within = (measure.low is None or scores.min() >= measure.low) and (
        measure.high is None or scores.max() <= measure.high
    )
    return matrix if is_within and header[0] == "topic" else None
