"""Putting judgements in, public or sealed ones; and loading those that ship, whose files are read when needed."""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from statistics import median
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.errors import FormatError
from analysis.papers.shipped import JUDGEMENTS_MANIFEST
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from analysis.runs.reading import Unreadable, told_briefly, unpacked
from analysis.runs.scoring import step_of
from analysis.scores import parse_judgements
from registry.accounts.models import User
from registry.catalog.models import Collection, Measure
from registry.core.loading import LoadReport, Progress, good_rows, silent
from registry.journal.queries import is_to_load
from registry.journal.services import record, record_file
from registry.runs.models import Judgements, OwnCollection
from registry.runs.pipeline.packing import DECIMALS, keyed_digest, seal
from registry.runs.pipeline.spawning import limits

JUDGEMENTS_PUT = "runs.judgements.put"
#: Judged documents that half of the topics must have: as many as are looked at of a run.
ENOUGH_TO_SEAL = 20
#: Judgements are read while somebody waits.
_MOST_BYTES = 60_000_000


def put_judgements(
    *,
    collection: Collection,
    content: bytes,
    source: str,
    licence: str = "",
    measure: Measure | None = None,
    actor: User | None = None,
) -> Judgements:
    """Have runs on the collection be scored against these judgements from now on, in place of those that stood.

    With a ``measure`` they are sealed, and runs are scored under it alone. Raise ``Refused`` if a line is none of
    judgements; of sealed ones, if they are too few to tell a run from what is none, or one of them moves the mean by
    more than it is rounded to.
    """
    grades, lines = _read(content)
    is_sealed = measure is not None
    if measure is not None:
        _refuse_few(grades)
        _refuse_coarse(grades, measure)
    with transaction.atomic():
        collection = Collection.objects.select_for_update().get(pk=collection.pk)
        Judgements.objects.filter(collection=collection, ended_at=None).update(ended_at=timezone.now())
        facts = {"measure": measure, "source": source, "licence": licence}
        judgements = _create(grades, lines, collection=collection, is_sealed=is_sealed, **facts)
        record(
            action=JUDGEMENTS_PUT,
            subject=("collection", collection.slug),
            actor=actor,
            after={"topics": len(grades), "is_sealed": is_sealed, "source": source},
        )
    return judgements


def put_own_judgements(*, collection: OwnCollection, content: bytes) -> Judgements:
    """Have runs on a collection of somebody's own be scored against these, or raise ``Refused``; none is journaled."""
    grades, lines = _read(content)
    with transaction.atomic():
        collection = OwnCollection.objects.select_for_update().get(pk=collection.pk)
        if collection.uploads.filter(own_measure=None).exists():
            raise Refused("scored", "Runs were scored against the judgements that stand. Delete these runs first.")
        collection.judgements.all().delete()
        return _create(grades, lines, own_collection=collection)


def _create(
    grades: Mapping[str, Mapping[str, int]], lines: bytes, *, is_sealed: bool = False, **facts: Any
) -> Judgements:
    packed = zlib.compress(lines, 6)
    return Judgements.objects.create(
        content=seal(packed) if is_sealed else packed,
        sha256=keyed_digest(lines) if is_sealed else hashlib.sha256(lines).hexdigest(),
        is_sealed=is_sealed,
        n_topics=len(grades),
        n_judged=sum(map(len, grades.values())),
        **facts,
    )


def _read(content: bytes) -> tuple[Mapping[str, Mapping[str, int]], bytes]:
    """Return grades by topic and document, and the lines that are kept of them."""
    source, most = BufferedReader(BytesIO(content)), replace(limits(), unpacked_bytes=_MOST_BYTES)
    try:
        grades = parse_judgements(b"".join(unpacked(source, most, line_bytes=_MOST_BYTES))).grades
    except (FormatError, Unreadable) as error:
        raise Refused("format", _reason(error, content)) from error
    lines = "".join(
        f"{topic} 0 {document} {grade}\n" for topic, of_topic in grades.items() for document, grade in of_topic.items()
    )
    return grades, lines.encode()


def _reason(error: FormatError | Unreadable, content: bytes) -> str:
    """Say what is wrong, with the first lines; of a run, that it is one."""
    if len(content.partition(b"\n")[0].split()) == 6:
        return "This looks like a run. Judgements have four fields a line: topic iteration document grade."
    return told_briefly(error, content) if isinstance(error, FormatError) else str(error)


def _refuse_few(grades: Mapping[str, Mapping[str, int]]) -> None:
    n_typical = median(map(len, grades.values()))
    if n_typical < ENOUGH_TO_SEAL:
        message = (
            f"Half of the topics have {n_typical:g} judged documents or fewer. Sealed judgements tell a run by how "
            f"many of its first documents are judged, so half of the topics must have {ENOUGH_TO_SEAL} or more"
        )
        raise Refused("few", message)


def _refuse_coarse(grades: Mapping[str, Mapping[str, int]], measure: Measure) -> None:
    step = step_of({topic: dict(of_topic) for topic, of_topic in grades.items()}, measure.ir_measures)
    if step > 10**-DECIMALS:
        message = (
            f"One document moves the mean {measure.name} over these {len(grades):,} topics by up to {step:.3f}, which "
            f"{DECIMALS} decimals don’t hide: single judgements could be read off. Choose a measure that looks further "
            "down, as P@10, or keep them public."
        )
        raise Refused("coarse", message)


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
    collections = {collection.slug: collection for collection in Collection.objects.all()}
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


_FACTS = ("file", "sha256", "source", "licence", "terms", "note")


def _save(wanted: dict[str, Judgements], report: LoadReport) -> None:
    of_collections = Judgements.objects.select_for_update(of=("self",)).filter(
        ended_at=None, collection__slug__in=wanted
    )
    standing = {_slug(row): row for row in of_collections.select_related("collection").defer("content")}
    for slug, row in wanted.items():
        before = standing.get(slug)
        if before and (not before.file or all(getattr(before, name) == getattr(row, name) for name in _FACTS)):
            report.unchanged += 1
            continue
        if before:
            Judgements.objects.filter(pk=before.pk).update(ended_at=timezone.now())
            report.superseded += 1
        else:
            report.added += 1
        row.save()
