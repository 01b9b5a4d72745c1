"""The shapes of what is sent and answered, for the OpenAPI description: made of the documents, which say it all.

A document says what its fields are called, of which type they are and what they mean; msgspec describes that. Results
that are submitted are described as our own reader takes them.
"""

import types
import typing
from collections.abc import Hashable
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache, reduce
from inspect import cleandoc, getdoc
from operator import or_
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints

import msgspec
from django.db.models import TextChoices
from msgspec import Meta
from typing_extensions import TypedDict, is_typeddict

from analysis.readers.columns import COLUMNS as CELL_NAMES
from analysis.readers.rejections import ErrorPart
from analysis.readers.tables import FOR_ALL
from registry.api.forms import BodyForm
from registry.core.columns import COLUMNS

Schema = dict[str, Any]

#: The schemas that others name, by their names; they come here while the addresses are declared.
COMPONENTS: dict[str, Schema] = {}
_PLACE = "#/components/schemas/{name}"
#: What is described already.
_SHAPES: set[type] = set()
_NARROWED: dict[object, Any] = {int: Annotated[int, Meta(ge=0)], datetime: Annotated[datetime, Meta(tz=True)]}


def describe(name: str, *kinds: type, meaning: str = "", **fields: object) -> type:
    """Return the shape of documents under a name, several as the one object that they make together.

    ``kinds`` are dataclasses, typed dictionaries and bodies; ``fields`` are the types of fields that they lack or say
    less of; ``meaning`` is the description, where the first document has none.
    """
    hints: dict[str, object] = {}
    for kind in kinds:
        sent = msgspec.structs.fields(kind) if issubclass(kind, msgspec.Struct) else ()
        optional = {field.name for field in sent if not field.required}
        for field, hint in get_type_hints(kind, include_extras=True).items():
            hints[field] = NotRequired[hint] if field in optional else hint
    make: Any = TypedDict
    shape: type = make(name, {field: _plain(hint) for field, hint in (hints | fields).items()})
    shape.__doc__ = meaning or cleandoc(getdoc(kinds[0]) or "").split("\n\n")[0]
    _SHAPES.add(shape)
    return shape


def paged(name: str, row: type, *kinds: type, meaning: str = "") -> type:
    """Return the shape of a page of a list: its rows and where others are; ``kinds`` are its further fields."""
    address = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
    return describe(
        name,
        *kinds,
        meaning=meaning,
        count=Annotated[int, "On all pages."],
        next=Annotated[address | None, "Address of the next page."],
        previous=Annotated[address | None, "Address of the page before."],
        results=list[row],  # type: ignore[valid-type]
    )


def schema_of(*shapes: type) -> Schema:
    """Return the schema of an answer, or of one of several, and keep those that it names."""
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_PLACE)
    for name, schema in components.items():
        keep(name, schema)
    return schemas[0] if len(schemas) == 1 else {"oneOf": list(schemas)}


def keep(name: str, schema: Schema) -> Schema:
    """Keep a schema under its name, and return what refers to it."""
    if COMPONENTS.setdefault(name, schema) != schema:
        raise ValueError(f"two documents are described as {name}")
    return {"$ref": _PLACE.format(name=name)}


def add_components(result: Schema, **_: Any) -> Schema:
    """Put the schemas that others name into the description."""
    result["components"]["schemas"] = dict(sorted(COMPONENTS.items()))
    return result


@cache
def _shape_of(kind: Hashable) -> type:
    """Describe the document under its own name; names of the statistics say that they are."""
    assert isinstance(kind, type)
    is_statistic = kind.__module__.startswith("analysis.") and not kind.__module__.startswith("analysis.readers.")
    return describe(f"Found{kind.__name__}" if is_statistic else kind.__name__, kind)


def _plain(hint: Any) -> Any:
    """Return the type as msgspec describes it: documents by their names, and an annotation's text as a meaning."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _SHAPES:
        return hint
    if hint in _NARROWED:
        return _NARROWED[hint]
    if isinstance(hint, type) and issubclass(hint, TextChoices):
        return Literal[tuple(hint.values)]
    if is_dataclass(hint) or is_typeddict(hint):
        return _shape_of(hint)
    if origin is Annotated:
        kind, *notes = arguments
        # A type beside a type is what the text is: a day, or one of some choices.
        kind = next((note for note in notes if isinstance(note, type)), kind)
        metas = (Meta(description=note) if isinstance(note, str) else note for note in notes)
        limits = [meta for meta in metas if isinstance(meta, Meta)]
        plain = kind if any(limit.ge is not None for limit in limits) else _plain(kind)
        return reduce(lambda hint, limit: Annotated[hint, limit], limits, plain)
    if origin in (types.UnionType, typing.Union):
        return reduce(or_, map(_plain, arguments))
    if origin is NotRequired:
        return NotRequired[_plain(arguments[0])]
    if origin is dict:
        return types.GenericAlias(dict, (str, _plain(arguments[1])))
    if origin in (list, tuple):
        return types.GenericAlias(
            origin, tuple(argument if argument is ... else _plain(argument) for argument in arguments)
        )
    return hint


class ErrorDocument(TypedDict):
    """Every error has this shape."""

    ok: Annotated[bool, "false"]
    status: Annotated[int, "The HTTP status."]
    error: Annotated[str, "What went wrong, in a sentence."]
    errors: list[ErrorPart]


ERROR = schema_of(describe("Error", ErrorDocument))


#: Digits come as text, or as a number, of which the digits are kept as they are written.
_DIGITS = {"value", "year", "n_topics"}
#: What columns mean otherwise than in files that the site writes (``core.columns``).
_CELLS = {
    "collection": "Slug, id in ir_datasets or alias.",
    "measure": "Name or alias, as `nDCG@10`.",
    "system": "As the source calls it.",
    "value": 'The score exactly as reported: best as text, `"0.30"`.',
    "paper_url": "Address of the paper; best one with its DOI, arXiv, ACL or DBLP id.",
    "provenance": "Left blank: it is raised by others who read the same, or by per-topic scores.",
    "replicate_of": "The first instance, where this is another execution of the same system.",
    "self_reported": "`yes` where nobody but the system's maker ran it, and the source says so.",
}


def _cells(meanings: dict[str, str]) -> Schema:
    text = {"type": ["string", "null"], "maxLength": 20_000}
    digits = {"type": ["string", "number", "null"]}
    return {
        name: (digits if name in _DIGITS else text) | {"description": meaning} for name, meaning in meanings.items()
    }


def _body(name: str, meaning: str, properties: Schema, **options: Any) -> Schema:
    return keep(name, {"type": "object", "description": meaning, "properties": properties, **options})


CELLS = _body(
    "Cells",
    "A result as its source gives it; columns that are left out are blank. docs/importing.md explains each.",
    _cells({name: _CELLS[name] if name in _CELLS else COLUMNS[name].meaning for name in CELL_NAMES}),
    additionalProperties=False,
)
_ROWS = _cells({name: str(BodyForm.base_fields[name].help_text) for name in FOR_ALL}) | {
    "format": {"enum": ["plumbline-results"], "type": "string", "description": "As our own files say."},
    "version": {"type": "integer", "minimum": 1, "maximum": 1, "description": "As our own files say."},
    "results": {"type": "array", "items": CELLS, "minItems": 1, "maxItems": 10_000},
    "text": {"type": "string", "description": "In place of results: a table, read as the form reads a paste."},
    "form": {"type": "string", "description": "Of the text, as the form names it; detected by default."},
    "answers": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "To the questions of the text that `errors` ask, by the key behind `answers.`",
    },
    "own": {
        "type": ["array", "null"],
        "items": {"type": "string"},
        "description": "Systems of the text that its author proposes; the others are baselines.",
    },
}
_ONE_OF = [{"required": ["results"]}, {"required": ["text"]}]
ROWS_BODY = _body(
    "RowsBody",
    "Results in our format; as CSV and in the other formats the body is a text.\n\n"
    "What stands beside the results holds for those that leave it blank.",
    _ROWS,
    oneOf=_ONE_OF,
    additionalProperties=False,
)
RESULTS_BODY = _body(
    "ResultsBody",
    "Results in our format, with what is wished for them.",
    _ROWS | {"note": {"type": ["string", "null"], "maxLength": 5_000}, "submit": {"type": ["boolean", "null"]}},
    oneOf=_ONE_OF,
    additionalProperties=False,
)
RESULTS_FILE = _body(
    "ResultsFile",
    "Results in our format, which can be submitted again. Every Eval Ever is JSON as well, and has a schema of its"
    " own.",
    {
        "format": {"type": "string"},
        "version": {"type": "integer", "minimum": 0},
        "results": {"type": "array", "items": CELLS},
    },
)
