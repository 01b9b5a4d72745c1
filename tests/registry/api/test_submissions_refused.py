"""What is refused as a whole: nothing is stored, and the answer says what to do."""

import pytest

from registry.submissions.models import Submission
from tests.registry.api.programs import LIST, Program, errors, messages
from tests.registry.submissions.world import row


def refused(program, body, status=400, query="", **options):
    response = program.ask("create_submission", LIST + query, body, **options)
    errors_listed = errors(response, status)
    assert not Submission.objects.exists()
    return errors_listed, messages(response)


@pytest.mark.parametrize(
    ("body", "field", "code", "message"),
    [
        (" ", "", "empty", "send results in it"),
        ("{", "column 2", "json", "is not JSON"),
        ("[]", "", "shape", '{"results":'),
        ("{}", "results", "shape", '{"results":'),
        ('{"results": []}', "results", "empty", "there are no results"),
        ('{"result": []}', "result", "unknown", "did you mean results?"),
        ('{"results": [], "notes": ""}', "notes", "unknown", "did you mean note?"),
        ('{"evaluation_results": []}', "column 1", "version", "schema version None"),
        ('{"results": [{"sytem": "A"}]}', "sytem", "unknown_column", "did you mean system?"),
        ('{"results": [\n{"system": "NaN", "value": NaN}]}', "column 28", "not_finite", "line 2: NaN is not a number"),
        ('{"results": [{}], "submit": "true"}', "submit", "type", "is not true or false"),
        ('{"results": [{}], "note": 1}', "note", "type", "is not a text"),
        ('{"results": [{}], "note": "a\\u202eb"}', "note", "invisible_character", "U+202E"),
        ('{"results": [{}], "note": "' + "x" * 5001 + '"}', "note", "too_long", "5,000"),
        ('{"results": [{}], "embargo_until": "2026-01-31"}', "embargo_until", "unknown", "unknown key"),
        ('{"results": [{}], "format": "other"}', "format", "unknown", "unknown key"),
        (b'{"results": [{"system": "\xff"}]}', "", "encoding", "byte 0xFF is not UTF-8"),
        ('{"results": [' + ",".join(["{}"] * 10_001) + "]}", "results", "too_many_rows", "Send them in parts"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_bodies_that_cannot_be_read(program, body, field, code, message):
    errors_listed, messages = refused(program, body)
    assert errors_listed[0] == (field, code)
    assert message in messages


@pytest.mark.parametrize(
    ("media_type", "query", "text", "code"),
    [
        ("text/csv", "", "system,value\nA,0.1\n", "missing_column"),
        ("text/csv", "", "collection,measure,system,value,role\nrobust04,AP,A,0.1\n", "ragged"),
        ("application/yaml", "?format=ir_metadata", "a: &a [*a]", "alias"),
        ("application/yaml", "?format=run_card", "run: {name: x}", "empty"),
        ("application/json", "?format=every_eval_ever", "{}", "shape"),
        ("application/yaml", "", "a: b", "required"),
    ],
)
def test_other_formats_that_cannot_be_read(program, media_type, query, text, code):
    errors_listed, messages = refused(program, text, query=query, content_type=media_type)
    assert code in {listed_code for _, listed_code in errors_listed}
    assert messages


@pytest.mark.parametrize(
    ("content_type", "query", "message"),
    [
        ("application/pdf", "", "application/json, text/csv, application/yaml, text/plain"),
        ("application/x-www-form-urlencoded", "", "Content-Type"),
        ("multipart/form-data; boundary=x", "", "Content-Type"),
        ("", "", "Content-Type"),
        ("application/json; charset=latin-1", "", "UTF-8"),
        ("text/csv", "?format=json", "sent as application/json"),
        ("application/json", "?format=run_card", "sent as application/yaml"),
    ],
)
def test_types_that_are_not_read(program, content_type, query, message):
    errors_listed, messages = refused(program, "{}", 415, query, content_type=content_type)
    assert errors_listed == [("Content-Type", "unsupported")]
    assert message in messages


def test_bodies_that_are_too_large_are_not_read(program):
    body = '{"results": [' + " " * 5_000_000 + "]}"
    assert "larger than 5 MB" in refused(program, body, 413)[1]


def test_a_body_says_how_long_it_is(program):
    headers = program.headers | {"Transfer-Encoding": "chunked"}
    response = program.client.generic("POST", LIST, b"", content_type="application/json", headers=headers)
    assert response.status_code == 411


def test_no_more_than_fifty_errors_are_listed(program):
    errors_listed, messages = refused(program, {"results": [{"x": "1"}] * 120})
    assert len(errors_listed) == 50
    assert "The first 50 of 120 errors are listed." in messages


def test_a_token_without_the_scope(program):
    reader = Program(scopes=["read"])
    errors_listed, messages = refused(reader, {"results": [row()]}, 403)
    assert errors_listed == [("Authorization", "wrong_scope")]
    assert "“submit”; this one has: read" in messages
    writer = Program(scopes=["submit"])
    assert errors(writer.ask("list_submissions", LIST), 403) == [("Authorization", "wrong_scope")]
