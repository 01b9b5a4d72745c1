"""Bodies of requests: how large, of which type, in which format; read to rows, or refused with everything wrong."""

import hashlib
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

import msgspec
from django.http import QueryDict, UnreadablePostError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from analysis.readers.exchange.formats import FORMATS, Format, cells_of, read_csv, read_results
from analysis.readers.grids import Flaw
from analysis.readers.rejections import Rejection
from analysis.readers.rows import FOR_ALL, NUMERIC_COLUMNS, as_record, fill_blanks
from analysis.readers.structured import Number, read_json
from analysis.readers.tables import Record
from analysis.readers.text import did_you_mean, shorten
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.forms import BodyForm
from registry.core.http import in_megabytes

Sent = TypeVar("Sent")
AnyBodyForm = TypeVar("AnyBodyForm", bound=BodyForm)

MAX_BODY_BYTES = 5_000_000
#: What a body may be called, by the media type of its format.
MEDIA_TYPES = {
    "application/json": ("application/json",),
    "text/csv": ("text/csv",),
    "application/yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
}
_TYPE_OF = {alias: media_type for media_type, aliases in MEDIA_TYPES.items() for alias in aliases}
#: What an object with results may say besides, and of which type.
_OPTIONS: dict[str, type] = {"note": str, "submit": bool}
_OPTIONS |= dict.fromkeys(FOR_ALL, str)
#: What our own files say of themselves.
_OF_FILES = {"format": "plumbline-results", "version": "1"}


class LeftUnread(BaseParser):
    """Leaves every body to ``read_bytes``, also where the framework looks into it for a form's CSRF token."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        return {}


def require_size(request: Request, most: int = MAX_BODY_BYTES) -> None:
    """413 for a body that is too large, 411 for one that does not say how large it is, before any of it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length[:20]) > most:
        raise Refusal(413, f"What you sent is larger than {in_megabytes(most)}, the most that fits at once.")
    if "Transfer-Encoding" in request.headers and not request.META.get("CONTENT_LENGTH"):
        raise Refusal(411, "Say how long the body is, in Content-Length.")


def read_bytes(request: Request, most: int = MAX_BODY_BYTES) -> bytes:
    """The body as it came."""
    try:
        return bytes(request._request.read(most))
    except UnreadablePostError as error:
        raise Refusal(400, "The body broke off.") from error


def require_no_body(request: Request) -> None:
    """400 for a body that says something, where all that is said stands in the address; ``{}`` says nothing."""
    if read_bytes(request).strip() not in {b"", b"{}"}:
        raise refusal(400, "", "body", "This takes no body; what is wished stands in the address. Nothing was done.")


def read_sent(request: Request, kind: type[Sent]) -> Sent:
    """The JSON body as an object of this kind; 415 for other types, 400 with the place for what is none."""
    require_size(request)
    return sent_as(read_bytes(request), request, kind)


def sent_as(content: bytes, request: Request, kind: type[Sent]) -> Sent:
    """Return the content as an object of this kind; refuse what ``read_sent`` refuses."""
    if request._request.content_type != "application/json":
        raise refusal(415, "Content-Type", "unsupported", "Send JSON, as application/json.")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise refusal(400, "", "malformed", f"The body can’t be read: {error}.") from error


def digest_of(request: Request, content: bytes) -> str:
    """Return what tells one request from another: method, address, type, version and body."""
    version = request.headers.get("If-Match", "")
    told = f"{request.method} {request.get_full_path()} {request.content_type} {version}\n".encode()
    return hashlib.sha256(told + content).hexdigest()


def format_of(request: Request, wanted: str = "") -> Format:
    """The format of the body: by its Content-Type, and by ``?format=`` where several have one."""
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
    candidates = [one for one in FORMATS.values() if one.media_type == media_type]
    if not wanted:
        if len(candidates) > 1 and media_type != "application/json":
            names = " or ?format=".join(candidate.name for candidate in candidates)
            message = f"Several formats are YAML; add ?format={names}."
            raise refusal(400, "format", "required", message)
        return candidates[0]
    if FORMATS[wanted] not in candidates:
        _refuse_type(f"The format {wanted} is sent as {FORMATS[wanted].media_type}, not as {media_type}.")
    return FORMATS[wanted]


def _refuse_type(message: str) -> NoReturn:
    raise refusal(415, "Content-Type", "unsupported", message, headers={"Accept-Post": ", ".join(MEDIA_TYPES)})


def read_text(content: bytes) -> str:
    """The body as text."""
    if not content.strip():
        raise refusal(400, "", "empty", "The body is empty; send results in it.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"line {line}: byte 0x{content[error.start]:02X} is not UTF-8"
        raise Refusal(400, "The body is not UTF-8.", [{"field": "", "code": "encoding", "message": message}]) from error


def read_rows(request: Request, content: bytes, query: AnyBodyForm) -> tuple[list[Record], AnyBodyForm]:
    """The rows of a body, filled in with what holds for all of them; the wishes of the address and of the body as one.

    Refused as a whole where any part of it cannot be read: a program that writes one row wrongly will write others so.
    """
    given = format_of(request, query.cleaned_data["format"])
    text = read_text(content)
    if given.name == "csv":
        return readable(fill_blanks(read_csv(text, texts=query.defaults()), query.defaults())), query
    if given.name != "json":
        return readable(fill_blanks(given.read(text), query.defaults())), query
    document = read_object(text, '{"results": [{"collection": …}, …]}')
    form = type(query)(_with_options(query, document))
    if not form.is_valid():
        raise InvalidParameters(form, "The body asks for something that cannot be done.")
    return readable(fill_blanks(read_results(document), form.defaults())), form


def read_cells(request: Request, content: bytes, line: int) -> dict[str, str]:
    """The cells of a body that is one row: those named, blank where they are null."""
    if format_of(request).name != "json":
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
    """The object that the text is in JSON, with every number as it was written; ``example`` shows what one says."""
    try:
        document = read_json(text)
    except Flaw as flaw:
        _refuse([flaw.rejection])
    if isinstance(document, dict):
        return document
    _refuse([Rejection("shape", f"is not an object: {example}", 1, "", fatal=True)])


def readable(records: Sequence[Record | Rejection]) -> list[Record]:
    """The records, where all of them could be read; 400 with the reasons otherwise."""
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
    """The address's query and the wishes of the body as one; refused where a key is unknown, or of another type."""
    faults = []
    known = [name for name in _OPTIONS if name in query.fields]
    options = QueryDict(mutable=True)
    for name, values in query.data.lists():
        options.setlist(name, values)
    for name, value in document.items():
        if name == "results" or (name in _OF_FILES and str(value) == _OF_FILES[name]):
            continue
        if name not in known:
            faults.append(_fault(name, "unknown", f"unknown key{_hint(name, known)}"))
        elif value is not None and not _is_of_type(value, name):
            wanted = "true or false" if _OPTIONS[name] is bool else "a text"
            faults.append(_fault(name, "type", f"is not {wanted}"))
        elif value is not None:
            options.appendlist(name, str(value).lower() if _OPTIONS[name] is bool else value)
    if faults:
        raise Refusal(400, "The body cannot be read as it stands; nothing was stored.", faults)
    return options


def _is_of_type(value: Any, name: str) -> bool:
    is_digits = isinstance(value, Number) and name in NUMERIC_COLUMNS
    return is_digits or type(value) is _OPTIONS[name]


def _hint(name: str, known: list[str]) -> str:
    if name == "evaluation_results":
        return "; for a log of Every Eval Ever add ?format=every_eval_ever to the address"
    return did_you_mean(name, ["results", *known]) or f"; known here: {', '.join(['results', *known])}"


def _fault(name: str, code: str, message: str) -> dict[str, str]:
    return {"field": ascii(shorten(name))[1:-1], "code": code, "message": message}
