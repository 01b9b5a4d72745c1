"""Loading what is known of the places that figures were taken from."""

import re
from pathlib import Path

from django.db import transaction

from registry.accounts.models import User
from registry.core.loading import LoadReport, digest_of
from registry.core.rejections import Refused, Rejection
from registry.core.tables import Record, open_table, read_table
from registry.core.text import clean_name, clean_text, clean_url
from registry.journal.services import record
from registry.results.models import Source

SOURCES_LOADED = "results.sources.loaded"

_REQUIRED = ("source", "what", "address")
_OPTIONAL = ("state", "file_address", "licence", "terms")


def load_sources_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let what is known of sources be what this file says, all or nothing; sources that it does not name stay."""
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = _good_rows(path, report)
    if report.refused:
        return report
    with transaction.atomic():
        known = {source.name: source for source in Source.objects.filter(name__in=rows)}
        for name, fields in rows.items():
            source = known.get(name)
            if source is None:
                report.added += 1
            elif any(getattr(source, field) != value for field, value in fields.items()):
                report.superseded += 1
            else:
                report.unchanged += 1
                continue
            Source.objects.update_or_create(name=name, defaults=fields)
        counts = {"added": report.added, "changed": report.superseded, "unchanged": report.unchanged}
        after = {"digest": report.digest, **counts}
        record(
            action=SOURCES_LOADED, subject_type="file", subject_id=path.name, actor=actor, reason=reason, after=after
        )
    return report


def _good_rows(path: Path, report: LoadReport) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    try:
        with open_table(path) as stream:
            report.digest = digest_of(path)
            for record_ in read_table(stream, required=_REQUIRED, optional=_OPTIONAL):
                try:
                    name, fields = _read(record_)
                    if name in rows:
                        raise Refused("duplicate", "names a source that stands in the file already; leave one out")
                    rows[name] = fields
                except Refused as refused:
                    report.refuse([refused.at(getattr(record_, "line", None))])
    except Refused as refused:
        report.refuse([refused.at(None, fatal=True)])
    return rows


def _read(row: Record | Rejection) -> tuple[str, dict[str, str]]:
    if isinstance(row, Rejection):
        raise Refused(row.code, row.message)
    cells = row.cells
    name = clean_name(cells["source"], max_length=200)
    address, file_address = clean_url(cells["address"]), cells["file_address"].strip()
    if not name or not address:
        raise Refused("blank", "names no source, or not where it is; fill in source and address")
    if file_address and "{path}" not in file_address:
        raise Refused("address", "file_address says nowhere where the path goes; write {path} there")
    clean_url(re.sub(r"\{(?:path|state)\}", "x", file_address))
    fields = {"what": clean_name(cells["what"]), "address": address, "file_address": file_address}
    fields |= {name: clean_name(cells[name], max_length=100) for name in ("state", "licence")}
    return name, fields | {"terms": clean_text(cells["terms"])}
