"""Loading files of results, and the folder of files that ships with the product."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import date
from pathlib import Path

from analysis.readers.columns import FORMER_COLUMNS, OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import open_table, read_table, unguarded
from registry.accounts.models import User
from registry.catalog.queries import CatalogNames
from registry.catalog.services import FILE_LOADED as CATALOG_LOADED
from registry.catalog.services import catalog_files, load_catalog
from registry.core.loading import LoadReport, Progress, digest_of, silent
from registry.journal.queries import is_to_load, loaded_digests
from registry.results.pipeline.rows import parse_results
from registry.results.services.fact_files import (
    MODELS_LOADED,
    SOURCES_LOADED,
    SYSTEM_NAMES_LOADED,
    load_models_file,
    load_sources_file,
    load_system_names_file,
)
from registry.results.services.papers import PAPERS_LOADED, load_papers_file
from registry.results.services.recording import FILE_LOADED as RESULTS_LOADED
from registry.results.services.recording import record_results
from registry.results.services.topic_scores import TOPIC_SCORES_LOADED, Origin, load_topic_scores
from registry.results.services.unnamed_scores import load_unnamed_scores

#: Files of what is known beside results, in the order in which they build on each other.
_FACTS: tuple[tuple[str, Callable[..., LoadReport], str], ...] = (
    ("sources.csv", load_sources_file, SOURCES_LOADED),
    ("papers.csv", load_papers_file, PAPERS_LOADED),
    ("models.csv", load_models_file, MODELS_LOADED),
    ("system_names.csv", load_system_names_file, SYSTEM_NAMES_LOADED),
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
    """Record the results of one CSV file; ``label`` is what the journal calls it, by default its name.

    ``unit`` is that of the scores whose rows name none: percent, or blank for the unit of their measure. ``names`` are
    those of the catalog of now, for whoever loads many files.
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

    One report a file that was not loaded as it is before.
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
    """The tables of per-topic scores that a folder's ``manifest.csv`` names."""
    manifest = directory / "manifest.csv"
    if not manifest.exists():
        return
    known = loaded_digests(TOPIC_SCORES_LOADED)
    report = LoadReport("topic_scores/manifest.csv", digest_of(manifest), str(manifest))
    with open_table(manifest) as stream:
        for record in read_table(stream, required=("file", "collection", "measure"), optional=_MANIFEST_COLUMNS):
            if isinstance(record, Rejection):
                report.refuse([record])
                continue
            cells = record.cells
            path = directory / Path(cells["file"]).name
            label = f"topic_scores/{path.name}"
            try:
                digest = _digest_with(path, cells)
                if known.get(label) == digest:
                    continue
                collection = names.collection(cells["collection"], under=cells["measure"])
                measure = names.measure(cells["measure"], on=collection)
            except Refused as refused:
                report.refuse([refused.at(record.line, cells["file"])])
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
    """The digest of a file together with what the manifest says of it."""
    with open_table(path):
        said = "\x1f".join(f"{name}={cells[name]}" for name in sorted(cells))
    return hashlib.sha256(f"{digest_of(path)} {said}".encode()).hexdigest()


_MANIFEST_COLUMNS = (*(field.name for field in fields(Origin)), "licence")
