"""Loading what is known of the places that figures were taken from."""

import re
from pathlib import Path

from django.db import transaction

from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_text, clean_url
from registry.accounts.models import User
from registry.core.loading import LoadReport, good_rows
from registry.journal.services import record_file
from registry.results.models import Source

SOURCES_LOADED = "results.sources.loaded"

_REQUIRED = ("source", "what", "address")
_OPTIONAL = ("state", "file_address", "licence", "terms")


def load_sources_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let what is known of sources be what this file says, all or nothing; sources that it does not name stay."""
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    rows = good_rows(
        report,
        _read,
        required=_REQUIRED,
        optional=_OPTIONAL,
        keys=lambda row: row[:1],
        again="names a source that stands in the file already; leave one out",
    )
    if report.refused:
        return report
    with transaction.atomic():
        known = {source.name: source for source in Source.objects.filter(name__in=[name for name, _ in rows])}
        for name, fields in rows:
            source = known.get(name)
            if source is None:
                report.added += 1
            elif any(getattr(source, field) != value for field, value in fields.items()):
                report.superseded += 1
            else:
                report.unchanged += 1
                continue
            Source.objects.update_or_create(name=name, defaults=fields)
        record_file(report, action=SOURCES_LOADED, actor=actor, reason=reason)
    return report


def _read(row: Record) -> tuple[str, dict[str, str]]:
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
