"""A dump as a Data Package describes it (https://datapackage.org): its CSV files with their columns."""

from typing import Any

from registry.dumps.croissant import licences
from registry.dumps.formats import CSV
from registry.dumps.manifest import Manifest, TableEntry
from registry.dumps.tables import Kind

DATA_PACKAGE = "datapackage.json"

_TYPES: dict[Kind, dict[str, str]] = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "boolean": {"type": "boolean"},
    "moment": {"type": "datetime", "format": "any"},
    "day": {"type": "date"},
    "json": {"type": "any"},
    "bytes": {"type": "string"},
}


def data_package_of(manifest: Manifest) -> dict[str, Any]:
    """The description of a dump: every table once, as CSV, with the size and the SHA-256 of its file."""
    page = f"{manifest.site}/data/"
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "plumbline",
        "id": manifest.digest,
        "title": "Plumbline: published information-retrieval results, and what the best of them are worth",
        "homepage": page,
        "version": f"{manifest.made_at:%Y.%-m.%-d}",
        "created": f"{manifest.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "licenses": [{"path": one} if "://" in one else {"title": one} for one in licences(manifest.sources, page)],
        "sources": [{"title": one.name} | ({"path": one.address} if one.address else {}) for one in manifest.sources],
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
            "fields": [{"name": column.name, **_TYPES[column.kind]} for column in table.columns],
            "missingValues": [""],
        },
    }
