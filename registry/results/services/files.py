"""Loading files of results, and the folder of files that ships with the product.

Topic scores of runs without names are kept for what they tell of a collection; they stand behind no result.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import cast

import numpy as np
from django.db import transaction

from analysis.readers.columns import FORMER_COLUMNS, OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record, open_table, read_records, read_table, unguarded
from analysis.scores import ScoreMatrix
from registry.accounts.models import User
from registry.catalog.models import Measure
from registry.catalog.queries import CatalogNames
from registry.catalog.services import FILE_LOADED as CATALOG_LOADED
from registry.catalog.services import catalog_files, load_catalog
from registry.core.loading import LoadReport, Progress, digest_of, silent
from registry.journal.queries import is_to_load, loaded_digests
from registry.journal.services import record
from registry.results.models import UnnamedScores
from registry.results.pipeline.rows import parse_results
from registry.results.pipeline.topic_scores import read_topic_table
from registry.results.services import fact_files
from registry.results.services.papers import PAPERS_LOADED, load_papers_file
from registry.results.services.recording import FILE_LOADED as RESULTS_LOADED
from registry.results.services.recording import record_results
from registry.results.services.topic_scores import TOPIC_SCORES_LOADED, Origin, load_topic_scores

UNNAMED_LOADED = "results.unnamed_scores.loaded"
_MANIFEST_COLUMNS = (*(field.name for field in fields(Origin)), "licence")
_UNNAMED_COLUMNS = ("file", "collection", "measure", "runs", "source", "licence")

#: Files of what is known beside results, in the order in which they build on each other.
_FACTS: tuple[tuple[str, Callable[..., LoadReport], str], ...] = (
    ("sources.csv", fact_files.load_sources_file, fact_files.SOURCES_LOADED),
    ("papers.csv", load_papers_file, PAPERS_LOADED),
    ("models.csv", fact_files.load_models_file, fact_files.MODELS_LOADED),
    ("system_names.csv", fact_files.load_system_names_file, fact_files.SYSTEM_NAMES_LOADED),
)


def load_results_file(
    *,
    path: Path,
    label: str = "",
    unit: str = "",
    actor: User | None = None,
    reason: str = "",
    dry_run: bool = False,
    keep_good: bool = False,
    progress: Progress = silent,
    names: CatalogNames | None = None,
) -> LoadReport:
    """Record the results of one CSV file; ``label`` is its name in the journal, by default that of the file.

    ``unit`` is the unit of scores in rows that name none: percent, or blank for the unit of their measure. ``names``
    saves reading the catalog's names for every one of many files.
    """
    label = label or path.name
    try:
        stream = open_table(path)
    except Refused as refused:
        report = LoadReport(label, path=str(path))
        report.refuse([refused.at(None, fatal=True)])
        return report
    with stream:
        records = read_table(stream, required=REQUIRED_COLUMNS, optional=OPTIONAL_COLUMNS, former=FORMER_COLUMNS)
        rows = parse_results(
            map(unguarded, records),
            names or CatalogNames(),
            today=date.today(),
            default_source=path.name,
            default_unit=unit,
        )
        return record_results(
            rows=rows,
            label=label,
            digest=digest_of(path),
            path=str(path),
            actor=actor,
            reason=reason,
            dry_run=dry_run,
            keep_good=keep_good,
            progress=progress,
        )


def load_shipped_results(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load catalog, sources, papers, models, names of systems, results and topic scores of a folder like ``data/``.

    Yield a report for each file that was not loaded as it is before.
    """
    known = loaded_digests(CATALOG_LOADED)
    if any(known.get(path.name) != digest_of(path) for path in catalog_files(directory)):
        yield from load_catalog(directory=directory, actor=actor, reason=reason)
    for name, load, action in _FACTS:
        if is_to_load(directory / name, action):
            yield load(path=directory / name, actor=actor, reason=reason)
    known, of_catalog = loaded_digests(RESULTS_LOADED), CatalogNames()
    for path in sorted((directory / "results").glob("*.csv")):
        label = f"results/{path.name}"
        if known.get(label) != digest_of(path):
            yield load_results_file(
                path=path, label=label, actor=actor, reason=reason, progress=progress, names=of_catalog
            )
    folder = directory / "topic_scores"
    yield from _load_topic_scores_folder(folder, of_catalog, actor, reason)
    yield from load_unnamed_scores(directory=folder / "unnamed", actor=actor, reason=reason, progress=progress)


def _load_topic_scores_folder(
    directory: Path, names: CatalogNames, actor: User | None, reason: str
) -> Iterator[LoadReport]:
    """Load the tables of per-topic scores that a folder's ``manifest.csv`` names."""
    manifest = directory / "manifest.csv"
    if not manifest.exists():
        return
    known = loaded_digests(TOPIC_SCORES_LOADED)
    report = LoadReport("topic_scores/manifest.csv", digest_of(manifest), str(manifest))
    with open_table(manifest) as stream:
        for row in read_table(stream, required=("file", "collection", "measure"), optional=_MANIFEST_COLUMNS):
            if isinstance(row, Rejection):
                report.refuse([row])
                continue
            cells = row.cells
            path = directory / Path(cells["file"]).name
            label = f"topic_scores/{path.name}"
            try:
                digest = _digest_with(path, cells)
                if known.get(label) == digest:
                    continue
                collection = names.collection(cells["collection"], under=cells["measure"])
                measure = names.measure(cells["measure"], on=collection)
            except Refused as refused:
                report.refuse([refused.at(row.line, cells["file"])])
                continue
            yield load_topic_scores(
                path=path,
                collection=collection,
                measure=measure,
                origin=Origin(**{field.name: cells[field.name] for field in fields(Origin)}),
                label=label,
                digest=digest,
                actor=actor,
                reason=reason,
                names=names,
            )
    if report.refused:
        yield report


def _digest_with(path: Path, cells: dict[str, str]) -> str:
    """Return the digest of a file together with its row in the manifest."""
    with open_table(path):
        facts = "\x1f".join(f"{name}={cells[name]}" for name in sorted(cells))
    return hashlib.sha256(f"{digest_of(path)} {facts}".encode()).hexdigest()


def load_unnamed_scores(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Load the tables of unnamed runs that a folder's ``manifest.csv`` names; yield a report for each that changed."""
    manifest = directory / "manifest.csv"
    if not manifest.exists():
        return
    known, names = loaded_digests(UNNAMED_LOADED), CatalogNames()
    with open_table(manifest) as stream:
        for row in read_table(stream, required=_UNNAMED_COLUMNS, optional=("note",)):
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
                    _load_unnamed(path, report, row, names, actor, reason)
                    yield report
            except Refused as refused:
                yield report.refusing(refused.at(row.line, row.cells["file"]))


@transaction.atomic
def _load_unnamed(
    path: Path, report: LoadReport, row: Record, names: CatalogNames, actor: User | None, reason: str
) -> None:
    collection, measure = names.collection(row.cells["collection"]), names.measure(row.cells["measure"])
    matrix = _read_matrix(path, measure)
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


def _read_matrix(path: Path, measure: Measure) -> ScoreMatrix | list[Rejection]:
    """Return the matrix of a file whose cells all hold a score, or what is wrong with it."""
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
    """Return the matrix if every cell is a number in the measure's range and every name stands once; else None.

    It reads a million cells a second; reading that says what is wrong takes ten times as long.
    """
    records = list(read_records(BytesIO(content)))
    if len(records) < 2 or any(isinstance(record, Rejection) for record in records):
        return None
    header, *lines = (cells for _, cells in cast(list[tuple[int, list[str]]], records))
    try:
        scores = np.array([[float(cell) for cell in cells[1:]] for cells in lines])
        matrix = ScoreMatrix(header[1:], [cells[0] for cells in lines], scores.T)
    except ValueError:  # No number, a ragged row or a name twice: the slow reading says what and where.
        return None
    is_within = (measure.low is None or scores.min() >= measure.low) and (
        measure.high is None or scores.max() <= measure.high
    )
    return matrix if is_within and header[0] == "topic" else None
