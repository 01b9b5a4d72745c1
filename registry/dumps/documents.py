"""A dump as its page and programs show it."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse

from registry.core.metadata import CONTEXT, set_signposts
from registry.dumps.formats import CSV, JSON_LINES, PARQUET
from registry.dumps.manifest import (
    CHECKSUMS,
    CROISSANT,
    DATA_PACKAGE,
    MANIFEST,
    FileEntry,
    Manifest,
    SourceEntry,
    TableEntry,
    licences,
    source_document,
)

_FORMATS = {PARQUET: "Parquet", CSV: "CSV", JSON_LINES: "JSON Lines"}
_MEDIA_TYPES = {PARQUET: "application/vnd.apache.parquet", CSV: "text/csv", JSON_LINES: "application/jsonl"}


def file_address(dump: Manifest, file: str) -> str:
    return reverse("dumps:dump-file", args=[dump.name, file])


def table_files(dump: Manifest) -> list[tuple[TableEntry, list[tuple[str, str, FileEntry]]]]:
    """Return each table with its files: the format, the address, and the entry in the manifest."""
    known = dump.by_name
    return [
        (
            table,
            [
                (label, file_address(dump, f"{table.name}{suffix}"), known[f"{table.name}{suffix}"])
                for suffix, label in _FORMATS.items()
            ],
        )
        for table in dump.tables
    ]


def source_terms(dump: Manifest) -> list[tuple[SourceEntry, list[str]]]:
    """Return the sources, those with the most results first, each with the tables that hold something of it."""
    sources = sorted(dump.sources, key=lambda source: (-source.n_results, source.name))
    return [(source, dump.tables_of(source)) for source in sources]


def with_links(response: HttpResponse, dump: Manifest) -> HttpResponse:
    """Add typed links to the page that offers the dump: to its parts and its descriptions."""
    described_by = {CROISSANT: "application/ld+json", DATA_PACKAGE: "application/json", MANIFEST: "application/json"}
    return set_signposts(
        response,
        cite_as=file_address(dump, MANIFEST),
        kind="Dataset",
        described_by={file_address(dump, file): media_type for file, media_type in described_by.items()},
        items={file_address(dump, f"{table.name}{PARQUET}"): _MEDIA_TYPES[PARQUET] for table in dump.tables},
    )


def dump_document(dump: Manifest) -> dict[str, Any]:
    return {
        "name": dump.name,
        "made_at": dump.made_at.isoformat(),
        "schema": dump.schema,
        "digest": dump.digest,
        "seals": dump.n_seals,
        "head": dump.head,
        "manifest": file_address(dump, MANIFEST),
        "croissant": file_address(dump, CROISSANT),
        "data_package": file_address(dump, DATA_PACKAGE),
        "checksums": file_address(dump, CHECKSUMS),
        "files": [
            {"name": file.name, "url": file_address(dump, file.name), "bytes": file.bytes, "sha256": file.sha256}
            for file in dump.files
        ],
        "sources": [
            {
                "name": source.name,
                "licence": source.licence,
                "terms": source.terms,
                "n_results": source.n_results,
                "tables": dump.tables_of(source),
            }
            for source in dump.sources
        ],
    }


def catalog_linked_data(dump: Manifest | None) -> dict[str, Any]:
    """Return the registry as a catalog of data, as search engines read it; with the dump as the data set in it."""
    page = f"{settings.SITE_URL}{reverse('dumps:dump-list')}"
    return {
        "@context": CONTEXT,
        "@type": "DataCatalog",
        "@id": f"{page}#catalog",
        "name": "Plumbline",
        "description": "Published information-retrieval results, and how good the best of them really are.",
        "url": page,
        "dataset": [_dataset(dump, page)] if dump else [],
    }


def _dataset(dump: Manifest, page: str) -> dict[str, Any]:
    return {
        "@type": "Dataset",
        "@id": f"{page}#dump",
        "name": "Plumbline, the whole public registry",
        "description": (
            "Published information-retrieval results, each as reported and with its source, the systems and papers "
            "behind them, and what was found about the best. No one licence holds for all of it: rows keep the terms "
            "of their sources."
        ),
        "url": page,
        "identifier": f"sha256:{dump.digest}",
        "datePublished": f"{dump.made_at:%Y-%m-%d}",
        "version": dump.name,
        "creator": {"@type": "Organization", "name": "Plumbline", "url": f"{settings.SITE_URL}/"},
        "license": licences(dump.sources, page),
        "isBasedOn": [source_document(source) for source in dump.sources],
        "isAccessibleForFree": True,
        "distribution": [
            {
                "@type": "DataDownload",
                "name": f"{table.name}, {label}",
                "contentUrl": f"{settings.SITE_URL}{address}",
                "encodingFormat": _MEDIA_TYPES[suffix],
                "contentSize": f"{file.bytes} B",
                "sha256": file.sha256,
            }
            for table, files in table_files(dump)
            for suffix, (label, address, file) in zip(_FORMATS, files, strict=True)
        ],
    }
