"""A dump as Croissant describes datasets (https://docs.mlcommons.org/croissant/docs/croissant-spec.html)."""

from collections.abc import Iterable
from typing import Any

from registry.core.linked_data import licence_address
from registry.dumps.formats import CSV, JSON_LINES, PARQUET
from registry.dumps.manifest import FileEntry, Manifest, SourceEntry, TableEntry
from registry.dumps.tables import Kind

CROISSANT = "croissant.json"

MEDIA_TYPES = {
    PARQUET: "application/vnd.apache.parquet",
    CSV: "application/gzip",
    JSON_LINES: "application/gzip",
}

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES: dict[Kind, str] = {
    "integer": "sc:Integer",
    "number": "sc:Float",
    "text": "sc:Text",
    "boolean": "sc:Boolean",
    "moment": "sc:DateTime",
    "day": "sc:Date",
    "json": "sc:Text",
    "bytes": "sc:Text",
}


def croissant_of(manifest: Manifest) -> dict[str, Any]:
    """The dump's description: its files, and the columns of its Parquet tables as record sets."""
    page = f"{manifest.site}/data/"
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "plumbline",
        "description": (
            "Published information-retrieval results, each as printed and with its source, and what was found about "
            "the best of them. No one licence holds for all of it: rows keep the terms of the sources that they were "
            "taken from. Each record set has the licences that stand in it, and isBasedOn the terms of each source."
        ),
        "url": page,
        "license": licences(manifest.sources, page),
        "isBasedOn": [source_document(source) for source in manifest.sources],
        "version": f"{manifest.made_at:%Y.%-m.%-d}",
        "datePublished": f"{manifest.made_at:%Y-%m-%d}",
        "citeAs": f"Plumbline, dump of {manifest.made_at:%Y-%m-%d}, digest {manifest.digest}. {page}",
        "isLiveDataset": False,
        "distribution": [_file_object(file) for file in manifest.files],
        "recordSet": [_record_set(table, manifest.sources_of(table), page) for table in manifest.tables],
    }


def licences(sources: Iterable[SourceEntry], page: str) -> list[str]:
    """Where the licences of these sources stand; of those that state none, the page that tells their terms."""
    return sorted({licence_address(one.licence) if one.licence else f"{page}#terms" for one in sources})


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
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": MEDIA_TYPES[suffix].replace("application/vnd.apache.parquet", "application/x-parquet"),
        "sha256": file.sha256,
    }


def _record_set(table: TableEntry, sources: list[SourceEntry], page: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.about,
        "license": licences(sources, page),
        "isBasedOn": [{"@type": "CreativeWork", "name": source.name} for source in sources],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{table.name}/{column.name}",
                "name": f"{table.name}/{column.name}",
                "dataType": _TYPES[column.kind],
                "source": {"fileObject": {"@id": f"{table.name}{PARQUET}"}, "extract": {"column": column.name}},
            }
            for column in table.columns
        ],
    }
