"""Bodies of requests as they are read: their type and format, their rows, what they say besides."""

import json
import re

import msgspec
import pytest
from django.http import QueryDict, UnreadablePostError
from django.test import RequestFactory
from rest_framework.request import Request

from analysis.readers.exchange.formats import FORMATS
from analysis.readers.rows import BLANKS
from registry.api import bodies
from registry.api.bodies import (
    format_of,
    read_bytes,
    read_cells,
    read_object,
    read_rows,
    read_sent,
    read_text,
    require_no_body,
)
from registry.api.errors import InvalidParameters, Refusal
from registry.api.forms import BodyForm, CreationForm

ROW = {"collection": "robust", "measure": "AP", "system": "A", "value": "0.2"}


class Sent(msgspec.Struct):
    """What is sent."""

    text: str


def sent(content: bytes = b"x", content_type: str = "application/json", **headers: str) -> Request:
    return Request(RequestFactory().generic("POST", "/", content, content_type, headers=headers))


def asked(query: str = "", kind: type[BodyForm] = CreationForm) -> BodyForm:
    form = kind(QueryDict(query))
    assert form.is_valid(), form.errors
    return form


def refused(call, *arguments, **options) -> tuple[int, str, list[tuple[str, str, str]]]:
    """Status, message and parts of the refusal that a call ends with."""
    with pytest.raises(Refusal) as caught:
        call(*arguments, **options)
    parts = [(one["field"], one["code"], one["message"]) for one in caught.value.errors]
    return caught.value.status_code, str(caught.value.detail), parts


def rows_of(content: bytes | str | dict, query: str = "", content_type: str = "application/json"):
    """Line and filled cells of each row, and the wishes."""
    text = json.dumps(content) if isinstance(content, dict) else content
    records, form = read_rows(
        sent(content_type=content_type), text if isinstance(text, bytes) else text.encode(), asked(query)
    )
    return [(one.line, {name: cell for name, cell in one.cells.items() if cell}) for one in records], form


def test_a_body_is_read_up_to_the_most_and_one_that_breaks_off_is_refused():
    assert read_bytes(sent(b"abc"), 2) == b"ab"
    assert read_bytes(sent(b"abc")) == b"abc"

    class Broken:
        def read(self, most: int) -> bytes:
            raise UnreadablePostError

    request = sent()
    request._request = Broken()
    assert refused(read_bytes, request) == (400, "The body broke off.", [])


@pytest.mark.parametrize("content", [b"", b"{}", b" {}\n", b"\n"])
def test_a_body_that_says_nothing_is_none(content):
    require_no_body(sent(content))
    message = "This takes no body; what is wished stands in the address. Nothing was done."
    assert refused(require_no_body, sent(content + b"x")) == (400, message, [("", "body", message)])


def test_json_that_is_sent_is_an_object_of_its_kind():
    assert read_sent(sent(b'{"text": "x"}'), Sent) == Sent("x")
    assert read_sent(sent(b'{"text": "x"}', "application/json; charset=utf-8"), Sent) == Sent("x")
    for content in (b"{", b'{"text": 1}', b'{"text": "\xff"}', b'"\xff"', b" ", b"{}", b"\xff"):
        status, message, [(field, code, said)] = refused(read_sent, sent(content), Sent)
        assert (status, field, code, said) == (400, "", "malformed", message), content
        assert message.startswith("The body can’t be read: "), content
    status, message, parts = refused(read_sent, sent(b'{"text": "x"}', "text/plain"), Sent)
    assert (status, parts) == (415, [("Content-Type", "unsupported", "Send JSON, as application/json.")])
    assert refused(read_sent, sent(b"x", **{"content-length": "6000000"}), Sent)[0] == 413


@pytest.mark.parametrize(
    ("content_type", "wanted", "name"),
    [
        ("application/json", "", "json"),
        ("Application/JSON; charset=UTF-8", "", "json"),
        ('application/json; charset="utf-8"', "json", "json"),
        ("application/json; charset=US-ASCII", "every_eval_ever", "every_eval_ever"),
        ("text/csv; charset=utf8", "", "csv"),
        ("text/csv", "csv", "csv"),
        ("application/yaml", "run_card", "run_card"),
        ("application/x-yaml", "ir_metadata", "ir_metadata"),
        ("text/yaml", "ir_metadata", "ir_metadata"),
        ("text/x-yaml", "run_card", "run_card"),
    ],
)
def test_the_format_of_a_body_is_that_of_its_type_or_the_one_that_is_wanted(content_type, wanted, name):
    assert format_of(sent(content_type=content_type), wanted).name == name
    assert format_of(sent(content_type=content_type, **{"content-encoding": "identity"}), wanted).name == name


@pytest.mark.parametrize(
    ("content_type", "headers", "wanted", "message"),
    [
        ("text/html", {}, "", "Say what the body is in Content-Type: application/json, text/csv, application/yaml."),
        ("", {}, "", "Say what the body is in Content-Type: application/json, text/csv, application/yaml."),
        ("text/csv; charset=latin-1", {}, "", "Send plain UTF-8, without compression."),
        ("text/csv", {"content-encoding": "gzip"}, "", "Send plain UTF-8, without compression."),
        ("text/csv; charset=utf-16", {"content-encoding": "gzip"}, "", "Send plain UTF-8, without compression."),
        ("text/csv", {}, "json", "The format json is sent as application/json, not as text/csv."),
        ("application/yaml", {}, "csv", "The format csv is sent as text/csv, not as application/yaml."),
    ],
)
def test_a_body_of_another_type_is_refused_with_the_types_that_are_read(content_type, headers, wanted, message):
    request = sent(content_type=content_type, **headers)
    assert refused(format_of, request, wanted) == (415, message, [("Content-Type", "unsupported", message)])
    with pytest.raises(Refusal) as caught:
        format_of(request, wanted)
    assert caught.value.headers == {"Accept-Post": "application/json, text/csv, application/yaml"}


def test_of_several_formats_in_yaml_one_has_to_be_named():
    message = "Several formats are YAML; add ?format=ir_metadata or ?format=run_card."
    assert refused(format_of, sent(content_type="text/yaml")) == (400, message, [("format", "required", message)])


def test_an_empty_body_is_refused():
    message = "The body is empty; send results in it."
    for content in (b"", b" \n"):
        assert refused(read_text, content) == (400, message, [("", "empty", message)])
    assert read_text(b" x") == " x"
    assert refused(read_text, b"\xff")[2] == [("", "encoding", "line 1: byte 0xFF is not UTF-8")]


def test_rows_take_what_holds_for_all_of_them_where_they_are_blank():
    text = "system,value,role,year\nA,0.2,baseline,\nB,0.3,,1999\n"
    rows, form = rows_of(text, "collection=robust&measure=AP&year=2004", "text/csv")
    same = {"collection": "robust", "measure": "AP"}
    assert rows == [
        (2, same | {"system": "A", "value": "0.2", "role": "baseline", "year": "2004"}),
        (3, same | {"system": "B", "value": "0.3", "year": "1999"}),
    ]
    assert form.cleaned_data["collection"] == "robust"
    document = {"results": [{"system": "A", "value": "0.2"}], "measure": "AP", "year": 2004, "note": "Said."}
    rows, form = rows_of(document, "collection=robust&submit=true")
    assert rows == [(1, {"collection": "robust", "measure": "AP", "system": "A", "value": "0.2", "year": "2004"})]
    assert (form.cleaned_data["note"], form.wants("submit"), form.wants("dry_run")) == ("Said.", True, False)
    card = FORMATS["run_card"].write([BLANKS | {"system": "A", "value": "0.2", "measure": "AP"}])
    ((_, cells),), _ = rows_of(card, "format=run_card&collection=robust&measure=RR", "text/yaml")
    assert (cells["collection"], cells["measure"], cells["system"], cells["value"]) == ("robust", "AP", "A", "0.2")


def test_rows_that_cannot_be_read_are_refused_together():
    document = {"results": [ROW, [], ROW | {"system": 5}, ROW | {"nonsense": "x"}]}
    status, message, parts = refused(rows_of, document)
    assert (status, message) == (400, "The body cannot be read as it stands; nothing was stored.")
    assert parts[:2] == [
        ("results", "shape", "line 2: is not an object with a cell for each column"),
        ("system", "type", "line 3: is a number; write it as text"),
    ]
    assert [(field, code) for field, code, _ in parts[2:]] == [("nonsense", "unknown_column")]
    with pytest.raises(InvalidParameters) as caught:
        rows_of({"results": [ROW], "role": "emperor"})
    assert [one["field"] for one in caught.value.errors] == ["role"]
    assert str(caught.value.detail) == "The body asks for something that cannot be done."
    with pytest.raises(InvalidParameters) as caught:
        rows_of({"results": [ROW], "note": "again"}, "note=first")
    assert [(one["field"], one["code"]) for one in caught.value.errors] == [("note", "repeated")]


def options_of(document: dict, query: str = "", kind: type[BodyForm] = CreationForm) -> dict[str, list[str]]:
    return dict(bodies._with_options(asked(query, kind), document).lists())


def test_what_a_body_says_besides_its_rows_is_taken_with_the_address():
    document = {
        "format": "plumbline-results", "version": 1, "results": [], "note": "A Note",
        "submit": False, "system": "Big Model",
    }  # fmt: skip
    assert options_of(document, "collection=robust") == {
        "collection": ["robust"], "note": ["A Note"], "submit": ["false"],
        "system": ["Big Model"],
    }  # fmt: skip
    assert options_of({"results": [], "year": read_object('{"n": 2004}', "")["n"]}) == {"year": ["2004"]}
    assert options_of({"measure": "AP", "results": []}, kind=BodyForm) == {"measure": ["AP"]}
    options = bodies._with_options(asked("note=a"), {"note": "b"})
    assert options.getlist("note") == ["a", "b"]


def test_keys_that_nobody_knows_or_of_another_type_are_all_named():
    number = read_object('{"n": 5}', "")["n"]
    document = {
        "format": "another", "version": 2, "notes": "x", "note": 5, "submit": "true", "system": number,
        "source": True, "evaluation_results": [], "wholly_different": 1, "ü" * 70: 1,
    }  # fmt: skip
    status, message, parts = refused(bodies._with_options, asked(), document)
    assert (status, message) == (400, "The body cannot be read as it stands; nothing was stored.")
    known = "results, note, submit, collection, measure, system, role, unit"
    known += ", paper, paper_url, year, source, locator"
    assert parts[:9] == [
        ("format", "unknown", parts[0][2]),
        ("version", "unknown", parts[1][2]),
        ("notes", "unknown", "unknown key; did you mean note?"),
        ("note", "type", "is not a text"),
        ("submit", "type", "is not true or false"),
        ("system", "type", "is not a text"),
        ("source", "type", "is not a text"),
        (
            "evaluation_results",
            "unknown",
            "unknown key; for a log of Every Eval Ever add ?format=every_eval_ever to the address",
        ),
        ("wholly_different", "unknown", f"unknown key; known here: {known}"),
    ]
    assert parts[9][0] == "\\xfc" * 59 + "\\u2026"
    only_rows = refused(bodies._with_options, asked(kind=BodyForm), {"note": "x", "submit": None})
    assert [(field, code) for field, code, _ in only_rows[2]] == [("note", "unknown"), ("submit", "unknown")]


def test_a_body_that_is_one_row_is_an_object_of_cells():
    assert read_cells(sent(), b'{"value": 0.30, "locator": null}', 3) == {"value": "0.30", "locator": ""}
    assert read_cells(sent(), b'{"model": "A"}', 3) == {"system": "A"}
    message = "One row is sent as application/json: an object of cells by column."
    assert refused(read_cells, sent(content_type="text/csv"), b"value\n1\n", 3)[:2] == (415, message)
    assert refused(read_cells, sent(), b'{"system": 5}', 3)[2] == [
        ("system", "type", "line 3: is a number; write it as text")
    ]
    (unknown,) = refused(read_cells, sent(), b'{"nonsense": "x"}', 3)[2]
    assert unknown[:2] == ("nonsense", "unknown_column")
    assert unknown[2].startswith("line 3: ")
    (halved,) = refused(read_cells, sent(), b'{"notes": "\\ud800"}', 4)[2]
    assert halved[0] == "notes"
    assert halved[2].startswith("line 4: ")


def test_what_is_no_object_is_refused_with_one():
    assert read_object('{"a": 1.10}', "") == {"a": read_object('{"b": 1.10}', "")["b"]}
    assert str(read_object('{"a": 1.10}', "")["a"]) == "1.10"
    for text in ("[]", "1", '"x"', "null"):
        assert refused(read_object, text, '{"results": …}') == (
            400,
            "The body cannot be read as it stands; nothing was stored.",
            [("", "shape", 'line 1: is not an object: {"results": …}')],
        )
    (part,) = refused(read_cells, sent(), b"[]", 4)[2]
    assert part == ("", "shape", 'line 1: is not an object: {"value": "0.3012"}')
    (part,) = refused(read_object, '{"a":\n1,,}', "")[2]
    assert re.match(r"line 2: ", part[2])
