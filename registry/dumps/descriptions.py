"""A dump as Croissant describes data sets, and as a Data Package (https://datapackage.org)."""

from collections.abc import Iterable
from typing import Any

from registry.core.metadata import describe_dataset, describe_file, describe_table, licence_address
from registry.dumps.formats import CSV, JSON_LINES, PARQUET
from registry.dumps.manifest import FileEntry, Manifest, SourceEntry, TableEntry
from registry.dumps.tables import Kind

CROISSANT, DATA_PACKAGE = "croissant.json", "datapackage.json"

MEDIA_TYPES = {PARQUET: "application/vnd.apache.parquet", CSV: "application/gzip", JSON_LINES: "application/gzip"}

#: What values are called in either.
_TYPES: dict[Kind, tuple[str, dict[str, str]]] = {
    "integer": ("sc:Integer", {"type": "integer"}),
    "number": ("sc:Float", {"type": "number"}),
    "text": ("sc:Text", {"type": "string"}),
    "boolean": ("sc:Boolean", {"type": "boolean"}),
    "moment": ("sc:DateTime", {"type": "datetime", "format": "any"}),
    "day": ("sc:Date", {"type": "date"}),
    "json": ("sc:Text", {"type": "any"}),
    "bytes": ("sc:Text", {"type": "string"}),
}


def croissant_of(manifest: Manifest) -> dict[str, Any]:
    """The dump's description: its files, and the columns of its Parquet tables as record sets."""
    page = f"{manifest.site}/data/"
    return describe_dataset(
        name="plumbline",
        description=(
            "Published information-retrieval results, each as reported and with its source, and what was found about "
            "the best of them. No one licence holds for all of it: rows keep the terms of the sources that they were "
            "taken from. Each record set has the licences that stand in it, and isBasedOn the terms of each source."
        ),
        url=page,
        license=licences(manifest.sources, page),
        isBasedOn=[source_document(source) for source in manifest.sources],
        version=f"{manifest.made_at:%Y.%-m.%-d}",
        datePublished=f"{manifest.made_at:%Y-%m-%d}",
        citeAs=f"Plumbline, dump of {manifest.made_at:%Y-%m-%d}, digest {manifest.digest}. {page}",
        isLiveDataset=False,
        distribution=[_file_object(file) for file in manifest.files],
        recordSet=[_record_set(table, manifest.sources_of(table), page) for table in manifest.tables],
    )


def licences(sources: Iterable[SourceEntry], page: str) -> list[str]:
    """Return where the licences of these sources stand; of those that state none, the page that tells their terms."""
    return sorted({licence_address(source.licence) if source.licence else f"{page}#terms" for source in sources})


def source_document(source: SourceEntry) -> dict[str, Any]:
    """A source with its terms, in the words of schema.org."""
    said = {
        "name": source.name,
        "description": source.what,
        "url": source.address,
        "license": licence_address(source.licence),
        "usageInfo": source.terms,
    }
    return {"@type": "CreativeWork"} | {name: text for name, text in said.items() if text}


def _file_object(file: FileEntry) -> dict[str, Any]:
    suffix = next(suffix for suffix in MEDIA_TYPES if file.name.endswith(suffix))
    media_type = MEDIA_TYPES[suffix].replace("application/vnd.apache.parquet", "application/x-parquet")
    return describe_file(file.name, file.name, media_type, contentSize=f"{file.bytes} B", sha256=file.sha256)


def _record_set(table: TableEntry, sources: list[SourceEntry], page: str) -> dict[str, Any]:
    return describe_table(
        table.name,
        f"{table.name}{PARQUET}",
        ((column.name, _TYPES[column.kind][0], "") for column in table.columns),
        description=table.about,
        license=licences(sources, page),
        isBasedOn=[{"@type": "CreativeWork", "name": source.name} for source in sources],
    )


def data_package_of(manifest: Manifest) -> dict[str, Any]:
    """The description of a dump: every table once, as CSV, with the size and the SHA-256 of its file."""
    page = f"{manifest.site}/data/"
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "plumbline",
        "id": manifest.digest,
        "title": "Plumbline: published information-retrieval results, adjusted for luck",
        "homepage": page,
        "version": f"{manifest.made_at:%Y.%-m.%-d}",
        "created": f"{manifest.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "licenses": [
            {"path": licence} if "://" in licence else {"title": licence}
            for licence in licences(manifest.sources, page)
        ],
        "sources": [
            {"title": source.name} | ({"path": source.address} if source.address else {}) for source in manifest.sources
        ],
        "resources": [_resource(table, manifest) for table in manifest.tables],
    }


def _resource(table: TableEntry, manifest: Manifest) -> dict[str, Any]:
    file = manifest.by_name[f"{table.name}{CSV}"]
    return {
        "name": table.name,
        "description": table.about,
        "type": "table",
        "path": file.name,
        "format": "csv",
        "mediatype": "text/csv",
        "compression": "gz",
        "encoding": "utf-8",
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
        "schema": {
            "fields": [{"name": column.name, **_TYPES[column.kind][1]} for column in table.columns],
            "missingValues": [""],
        },
    }
