"""Tables as Croissant describes data sets (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html)."""

from collections.abc import Iterable
from typing import Any

#: Names of the vocabulary, which stand for themselves.
_TERMS = """
    arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject fileSet
    format includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex
    repeated replace samplingRate separator source subField transform
"""
#: As the specification gives it: programs compare it.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _TERMS.split()},
}


def describe_dataset(**said: Any) -> dict[str, Any]:
    """A data set with what is said of it: at least ``name``, ``url``, ``license``, ``distribution``, ``recordSet``."""
    fixed = {"@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1"}
    return fixed | said


def describe_file(name: str, address: str, media_type: str, **said: Any) -> dict[str, Any]:
    """One of its files."""
    named = {"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": address}
    return named | {"encodingFormat": media_type} | said


def describe_table(name: str, file: str, columns: Iterable[tuple[str, str, str]], **said: Any) -> dict[str, Any]:
    """The columns of a file as a record set: each with its type, and what it holds where that is said."""
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        **said,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                **({"description": about} if about else {}),
                "dataType": kind,
                "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
            }
            for column, kind, about in columns
        ],
    }
