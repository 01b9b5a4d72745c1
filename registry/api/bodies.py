"""Bodies of requests: how large, of which type, in which format; read to rows, or refused with everything wrong."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

import msgspec
from django.http import QueryDict, UnreadablePostError
from msgspec import Meta
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from analysis.readers.exchange.formats import FORMATS, cells_of, read_csv, read_results
from analysis.readers.grids import Flaw
from analysis.readers.recognizing import recognize
from analysis.readers.rejections import Rejection
from analysis.readers.structured import Number, read_json
from analysis.readers.tables import FOR_ALL, NUMERIC_COLUMNS, Record, as_record, fill_blanks
from analysis.readers.text import did_you_mean, shorten
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.forms import BodyForm
from registry.core.http import in_megabytes
from registry.results.models import Result
from registry.submissions.table_forms import PastedForm
from registry.tools.review_table.shapes import SentTable

Sent = TypeVar("Sent")
AnyBodyForm = TypeVar("AnyBodyForm", bound=BodyForm)

MAX_BODY_BYTES = 5_000_000
#: Texts that are told by what they look like, and read as they are when somebody pastes them.
PASTED = (
    "text/plain", "text/markdown", "text/html", "text/tab-separated-values", "text/x-tex", "application/x-tex",
)  # fmt: skip
#: What a body may be called, by the media type of its format.
MEDIA_TYPES = {
    "application/json": ("application/json",),
    "text/csv": ("text/csv",),
    "application/yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
    **{media_type: (media_type,) for media_type in PASTED},
}
_TYPE_OF = {alias: media_type for media_type, aliases in MEDIA_TYPES.items() for alias in aliases}
#: What an object with results may say besides, and of which type.
_OPTIONS: dict[str, type] = {"note": str, "submit": bool}
_OPTIONS |= dict.fromkeys(FOR_ALL, str)
#: What an object with a table may say of that.
_OF_TABLE = ("text", "form", "answers", "own")
#: What our own files say of themselves.
_OF_FILES = {"format": "plumbline-results", "version": "1"}


class SentDecision(msgspec.Struct, forbid_unknown_fields=True):
    """The decision on another person’s submission."""

    decision: Literal["publish", "part", "return", "refuse"]
    reason: Annotated[str, Meta(max_length=5_000, description="Needed to return or refuse.")] = ""
    confirmed_rows: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="How many results it takes off the record, where it was a `mass_change`."),
    ] = None
    lines: Annotated[list[int], Meta(description="Of the rows that `part` publishes.")] = []


class LeftUnread(BaseParser):
    """Leaves every body to ``read_bytes``, also where the framework looks into it for a form's CSRF token."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        return {}


def require_size(request: Request, most: int = MAX_BODY_BYTES) -> None:
    """Refuse a body that is too large (413) or does not say how large it is (411), before any of it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length[:20]) > most:
        raise Refusal(413, f"What you sent is larger than {in_megabytes(most)}, the most that fits at once.")
    if "Transfer-Encoding" in request.headers and not request.META.get("CONTENT_LENGTH"):
        raise Refusal(411, "Say how long the body is, in Content-Length.")


def read_bytes(request: Request, most: int = MAX_BODY_BYTES) -> bytes:
    try:
        return bytes(request._request.read(most))
    except UnreadablePostError as error:
        raise Refusal(400, "The body broke off.") from error


def require_no_body(request: Request) -> None:
    """Refuse a body with 400 where everything stands in the address; ``{}`` says nothing."""
    if read_bytes(request).strip() not in {b"", b"{}"}:
        raise refusal(400, "", "body", "This takes no body; what is wished stands in the address. Nothing was done.")


def read_sent(request: Request, kind: type[Sent]) -> Sent:
    """Return the JSON body as an object of this kind; 415 for other types, 400 with the place of a fault."""
    require_size(request)
    return sent_as(read_bytes(request), request, kind)


def sent_as(content: bytes, request: Request, kind: type[Sent]) -> Sent:
    """Return the content as an object of this kind, refused as by ``read_sent``."""
    if request._request.content_type != "application/json":
        raise refusal(415, "Content-Type", "unsupported", "Send JSON, as application/json.")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise refusal(400, "", "malformed", f"The body can’t be read: {error}.") from error


def digest_of(request: Request, content: bytes) -> str:
    """Return the digest of a request: its method, address, type, version and body."""
    version = request.headers.get("If-Match", "")
    head = f"{request.method} {request.get_full_path()} {request.content_type} {version}\n".encode()
    return hashlib.sha256(head + content).hexdigest()


def media_type_of(request: Request) -> str:
    """Return the media type of the body by its Content-Type; 415 where none is read here."""
    django_request = request._request
    media_type = _TYPE_OF.get((django_request.content_type or "").lower(), "")
    charset = (django_request.content_params or {}).get("charset", "utf-8").lower().strip('"')
    if (
        charset not in {"utf-8", "utf8", "us-ascii"}
        or request.headers.get("Content-Encoding", "identity") != "identity"
    ):
        _refuse_type("Send plain UTF-8, without compression.")
    if not media_type:
        _refuse_type(f"Say what the body is in Content-Type: {', '.join(MEDIA_TYPES)}.")
    return media_type


def _refuse_type(message: str) -> NoReturn:
    raise refusal(415, "Content-Type", "unsupported", message, headers={"Accept-Post": ", ".join(MEDIA_TYPES)})


def read_text(content: bytes) -> str:
    if not content.strip():
        raise refusal(400, "", "empty", "The body is empty; send results in it.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"line {line}: byte 0x{content[error.start]:02X} is not UTF-8"
        raise Refusal(400, "The body is not UTF-8.", [{"field": "", "code": "encoding", "message": message}]) from error


class ReadBody(NamedTuple, Generic[AnyBodyForm]):
    """The rows of a body, the wishes of the address and of the body as one, and whether it was a table that somebody
    pasted, without a word of whose its rows are."""

    rows: Sequence[Record | Rejection]
    wishes: AnyBodyForm
    is_table: bool = False


def read_rows(request: Request, content: bytes, query: AnyBodyForm) -> ReadBody[AnyBodyForm]:
    """Return the rows of a body, filled in with the cells that hold for all of them.

    A program's format is refused whole where a part can't be read; a table row by row.
    """
    media_type, wanted = media_type_of(request), query.cleaned_data["format"]
    if wanted and FORMATS[wanted].media_type != media_type:
        _refuse_type(f"The format {wanted} is sent as {FORMATS[wanted].media_type}, not as {media_type}.")
    text = read_text(content)
    known = FORMATS.get(wanted or recognize(text))
    if media_type in PASTED:
        return _rows_of(_pasted(SentTable(text), query), query)
    if known is None or known.media_type != media_type:
        return _read_undeclared(text, media_type, query)
    if known.name == "json":
        return _read_ours(read_object(text, _RESULTS), query)
    if known.name == "csv":
        return ReadBody(readable(fill_blanks(read_csv(text, texts=query.defaults()), query.defaults())), query)
    return ReadBody(readable(fill_blanks(known.read(text), query.defaults())), query)


_RESULTS = '{"results": [{"collection": …}, …]}'


def _read_ours(document: dict[str, Any], query: AnyBodyForm) -> ReadBody[AnyBodyForm]:
    is_table = "text" in document and "results" not in document
    of_table = {name: document[name] for name in _OF_TABLE if name in document} if is_table else {}
    form = type(query)(_with_options(query, {name: value for name, value in document.items() if name not in of_table}))
    if not form.is_valid():
        raise InvalidParameters(form, "The body asks for something that cannot be done.")
    if not is_table:
        return ReadBody(readable(fill_blanks(read_results(document), form.defaults())), form)
    try:
        sent = msgspec.convert(of_table, SentTable)
    except msgspec.ValidationError as error:
        raise refusal(400, "", "type", f"The table can’t be read: {error}.") from error
    return _rows_of(_pasted(sent, form), form, sent.own)


def _read_undeclared(text: str, media_type: str, query: AnyBodyForm) -> ReadBody[AnyBodyForm]:
    """Return the rows of a text that is none of the formats: a table, a tool's output, or a format with faults."""
    document = read_object(text, _RESULTS) if media_type == "application/json" and text.lstrip()[:1] == "{" else {}
    if "text" in document:
        return _read_ours(document, query)
    pasted = _pasted(SentTable(text), query)
    if pasted.is_valid() and not (media_type == "text/csv" and pasted.missing()):
        return _rows_of(pasted, query)
    if media_type == "text/csv":
        return ReadBody(readable(fill_blanks(read_csv(text, texts=query.defaults()), query.defaults())), query)
    if media_type == "application/json":
        return _read_ours(document or read_object(text, _RESULTS), query)
    names = " or ?format=".join(each.name for each in FORMATS.values() if each.media_type == media_type)
    raise refusal(400, "format", "required", f"Several formats are YAML; add ?format={names}.")


def _pasted(sent: SentTable, query: BodyForm) -> PastedForm:
    """Return the form of the page filled in with a table and the cells that hold for all of its rows."""
    defaults = query.defaults()
    wishes = {name: getattr(sent, name) or defaults.get(name, "") for name in PastedForm.FOR_ALL}
    return PastedForm(msgspec.structs.replace(sent, **wishes).as_form())


def _rows_of(form: PastedForm, query: AnyBodyForm, own: Sequence[str] | None = None) -> ReadBody[AnyBodyForm]:
    """Return the rows of a table; where ``own`` names systems of its author, those of others are baselines."""
    records = require_told(form).records()
    if own is not None:
        require_systems("own", own, records)
        records = [_with_role(record, own) for record in records]
    return ReadBody(fill_blanks(records, query.defaults()), query, is_table=own is None)


def _with_role(record: Record | Rejection, own: Sequence[str]) -> Record | Rejection:
    if isinstance(record, Rejection) or record.cells["role"]:
        return record
    is_own = record.cells["system"] in own
    return record.having({"role": str(Result.Role.PROPOSED if is_own else Result.Role.BASELINE)})


def require_told(form: PastedForm) -> PastedForm:
    """Return the form of a table that leaves nothing open; 400 with the questions otherwise."""
    if not str(form.data["text"]).strip():
        raise refusal(400, "text", "required", "The table is empty; send it as text.")
    if not form.is_valid():
        raise InvalidParameters(form, "The table can’t be read.")
    questions: list[dict[str, object]] = [
        {
            "field": f"answers.{question.key}",
            "code": "open",
            "message": question.text,
            "candidates": [{"value": value, "label": label, "detail": ""} for value, label in question.choices],
        }
        for question in form.questions()
        if question.is_open
    ]
    for words in form.missing():
        field = words.removeprefix("the ")
        questions.append({"field": field, "code": "missing", "message": f"No row says {words}."})
    if questions:
        raise Refusal(400, "The table leaves something open.", questions)
    return form


def require_systems(
    field: str, named: Iterable[str], records: Iterable[Record | Rejection], others: Iterable[str] = ()
) -> None:
    """Refuse with 400 where one of these is no system of the rows, nor of the others."""
    systems = {record.cells["system"] for record in records if isinstance(record, Record)} | {*others}
    for name in named:
        if name not in systems:
            message = f"No row of the table is of {shorten(name)!r}{did_you_mean(name, systems) or '.'}"
            raise refusal(400, field, "unknown_system", message)


def read_cells(request: Request, content: bytes, line: int) -> dict[str, str]:
    """Return the cells of a body that is one row: those named, blank where they are null."""
    if media_type_of(request) != "application/json":
        _refuse_type("One row is sent as application/json: an object of cells by column.")
    document = read_object(read_text(content), '{"value": "0.3012"}')
    cells = cells_of(line, document)
    if isinstance(cells, dict):
        record = as_record(line, cells)
        if isinstance(record, Record):
            return cells
        _refuse([record])
    _refuse([cells])


def read_object(text: str, example: str) -> dict[str, Any]:
    """Return the JSON object of the text, with every number as it was written; ``example`` shows such an object."""
    try:
        document = read_json(text)
    except Flaw as flaw:
        _refuse([flaw.rejection])
    if isinstance(document, dict):
        return document
    _refuse([Rejection("shape", f"is not an object: {example}", 1, "", fatal=True)])


def readable(records: Sequence[Record | Rejection]) -> list[Record]:
    """Return the records, where all of them could be read; 400 with the reasons otherwise."""
    rejections = [record for record in records if isinstance(record, Rejection)]
    if rejections:
        _refuse(rejections)
    return [record for record in records if isinstance(record, Record)]


def _refuse(rejections: Sequence[Rejection]) -> NoReturn:
    parts = [
        {"field": rejection.column, "code": rejection.code, "message": f"line {rejection.line}: {rejection.message}"}
        for rejection in rejections
    ]
    raise Refusal(400, "The body cannot be read as it stands; nothing was stored.", parts)


def _with_options(query: BodyForm, document: dict[str, Any]) -> QueryDict:
    """Join the address's query and the wishes of the body; refused where a key is unknown, or of another type."""
    known = [name for name in _OPTIONS if name in query.fields]
    options, faults = QueryDict(mutable=True), []
    for name, values in query.data.lists():
        options.setlist(name, values)
    for name, value in document.items():
        if value is None or name == "results" or (name in _OF_FILES and str(value) == _OF_FILES[name]):
            continue
        if name not in known:
            hint = did_you_mean(name, ["results", *known]) or f"; known here: {', '.join(['results', *known])}"
            faults.append(_fault(name, "unknown", f"unknown key{hint}"))
        elif type(value) is _OPTIONS[name] or (isinstance(value, Number) and name in NUMERIC_COLUMNS):
            options.appendlist(name, str(value).lower() if isinstance(value, bool) else str(value))
        else:
            faults.append(_fault(name, "type", f"is not {'true or false' if _OPTIONS[name] is bool else 'a text'}"))
    if faults:
        raise Refusal(400, "The body cannot be read as it stands; nothing was stored.", faults)
    return options


def _fault(name: str, code: str, message: str) -> dict[str, str]:
    return {"field": ascii(shorten(name))[1:-1], "code": code, "message": message}
