"""Loading which judgements ship: their files stay where they are, and are read when a run is scored."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.core.judged_files import JUDGEMENTS_MANIFEST
from registry.core.loading import LoadReport, Progress, good_rows, silent
from registry.journal.queries import is_to_load
from registry.journal.services import record_file
from registry.runs.models import Judgements

JUDGEMENTS_LOADED = "runs.judgements.loaded"
COLUMNS = ("file", "collection", "n_topics", "n_judged", "sha256", "source", "licence", "terms", "note")


def load_shipped_judgements(
    *, directory: Path, actor: User | None = None, reason: str = "", progress: Progress = silent
) -> Iterator[LoadReport]:
    """Have runs be scored against the judgements that a folder lists, unless the list is as it was before."""
    path = directory / JUDGEMENTS_MANIFEST
    if path.exists() and is_to_load(path, JUDGEMENTS_LOADED):
        progress(f"reading {JUDGEMENTS_MANIFEST}", 0)
        yield load_judgements(path=path, actor=actor, reason=reason)


def load_judgements(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Have runs be scored against the judgements of a manifest, all or nothing; those that people put in stand."""
    report = LoadReport(path.name, path=str(path))
    collections = {one.slug: one for one in Collection.objects.all()}
    read = partial(_parsed, folder=path.parent, collections=collections)
    wanted = {_slug(row): row for row in good_rows(report, read, required=COLUMNS)}
    if report.refused:
        return report
    with transaction.atomic():
        _save(wanted, report)
        record_file(report, action=JUDGEMENTS_LOADED, actor=actor, reason=reason)
    return report


def _parsed(record: Record, folder: Path, collections: dict[str, Collection]) -> Judgements | list[Rejection]:
    row, line = record.cells, record.line
    collection = collections.get(row["collection"])
    if collection is None:
        return [Rejection("unknown_collection", "there is no such collection here", line, "collection")]
    file = folder / row["file"]
    if not file.is_file():
        return [Rejection("file", "there is no such file beside the manifest", line, "file")]
    if not (row["n_topics"].isdecimal() and row["n_judged"].isdecimal()):
        return [Rejection("number", "is no whole number, or the number of judged documents is none", line, "n_topics")]
    is_ours = file.is_relative_to(settings.BASE_DIR)
    return Judgements(
        collection=collection,
        file=str(file.relative_to(settings.BASE_DIR) if is_ours else file.resolve()),
        n_topics=int(row["n_topics"]),
        n_judged=int(row["n_judged"]),
        **{name: row[name] for name in ("sha256", "source", "licence", "terms", "note")},
    )


def _slug(judgements: Judgements) -> str:
    assert judgements.collection is not None
    return judgements.collection.slug


_SAID = ("file", "sha256", "source", "licence", "terms", "note")


def _save(wanted: dict[str, Judgements], report: LoadReport) -> None:
    of_collections = Judgements.objects.select_for_update(of=("self",)).filter(
        ended_at=None, collection__slug__in=wanted
    )
    standing = {_slug(one): one for one in of_collections.select_related("collection").defer("content")}
    for slug, row in wanted.items():
        before = standing.get(slug)
        if before and (not before.file or all(getattr(before, name) == getattr(row, name) for name in _SAID)):
            report.unchanged += 1
            continue
        if before:
            Judgements.objects.filter(pk=before.pk).update(ended_at=timezone.now())
            report.superseded += 1
        else:
            report.added += 1
        row.save()
