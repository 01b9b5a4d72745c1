"""Loading what is known of models: their addresses, which stay, their makers, papers and days."""

import re
from pathlib import Path

from django.db import transaction

from analysis.readers.paper_facts import paper_facts
from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_url, comparison_key
from registry.accounts.models import User
from registry.core.loading import LoadReport, good_rows
from registry.journal.services import record_file
from registry.results.models import Model, Paper
from registry.results.services.gathering import gather_models

MODELS_LOADED = "results.models.loaded"

_REQUIRED = ("slug", "name", "source")
_OPTIONAL = ("maker", "base", "paper_url", "published", "released")
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_DAY = re.compile(r"(?:[0-9]{4}(?:-[0-9]{2}){0,2})?")


def load_models_file(*, path: Path, actor: User | None = None, reason: str = "") -> LoadReport:
    """Let what is known of models be what this file says, all or nothing; models that it does not name stay.

    Systems on record are then gathered by the rules that read their names (``gathering``).
    """
    report = LoadReport(path.name, path=str(path), superseded_word="changed")
    known = {model.slug: model for model in Model.objects.all()}
    # A model that rules or people named first goes by the address that the file gives it.
    by_name = {model.name_key: model for model in known.values()}

    def read(record: Record) -> tuple[dict[str, str], str]:
        fields, address = _read(record)
        other = by_name.get(fields["name_key"])
        if other and fields["slug"] in known and fields["slug"] != other.slug:
            raise Refused("name", f"gives the model {fields['slug']} the name of the model {other.slug}")
        return fields, address

    rows = good_rows(
        report,
        read,
        required=_REQUIRED,
        optional=_OPTIONAL,
        keys=lambda row: [(name, row[0][name]) for name in ("slug", "name_key")],
        again="names a model that stands in the file already; leave one out",
    )
    if report.refused:
        return report
    with transaction.atomic():
        papers = _papers({address for _, address in rows if address})
        for fields, address in rows:
            said = {**fields, "paper_id": papers.get(address)}
            model = known.get(fields["slug"]) or by_name.get(fields["name_key"])
            if model is None:
                Model.objects.create(**said)
                report.added += 1
                continue
            # No other row means this one.
            del known[model.slug], by_name[model.name_key]
            if any(getattr(model, field) != value for field, value in said.items()):
                Model.objects.filter(pk=model.pk).update(**said)
                report.superseded += 1
            else:
                report.unchanged += 1
        gather_models(by=record_file(report, action=MODELS_LOADED, actor=actor, reason=reason))
    return report


def _papers(addresses: set[str]) -> dict[str, int]:
    """The ids of the papers at these addresses, as far as they are on record."""
    identities = {address: facts.identity for address in addresses if (facts := paper_facts("", address))}
    found = Paper.objects.filter(identity__in=set(identities.values())).values_list("identity", "pk", "merged_into_id")
    ids = {identity: merged or pk for identity, pk, merged in found}
    return {address: ids[identity] for address, identity in identities.items() if identity in ids}


def _read(row: Record) -> tuple[dict[str, str], str]:
    """What a row says, and where its paper is."""
    cells, name = row.cells, clean_name(row.cells["name"])
    if not name or not _SLUG.fullmatch(cells["slug"]) or len(cells["slug"]) > 100:
        raise Refused("slug", "names no model, or its address is none; write it in small letters, as bge-m3")
    fields = {"slug": cells["slug"], "name": name, "name_key": comparison_key(name)}
    fields |= {column: clean_name(cells[column]) for column in ("maker", "base", "source")}
    for column in ("published", "released"):
        if not _DAY.fullmatch(cells[column]):
            raise Refused("day", f"{column} is no day, month or year; write 2021-12-02, 2021-12 or 2021")
        fields[column] = cells[column]
    return fields, clean_url(cells["paper_url"])
