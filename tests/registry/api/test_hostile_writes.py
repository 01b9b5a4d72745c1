"""Whatever is sent, the answer is as described, never a fault of ours; and what was stored can be read afterwards."""

import logging
import warnings
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.catalog.models import Collection
from registry.core.limits import LIMITS
from registry.runs.services.judging import put_judgements
from registry.runs.services.own_collections import add_measure, begin
from registry.runs.services.uploading import hand_in
from registry.submissions.models import Submission
from tests.registry.accounts.people import make_person
from tests.registry.api.programs import LIST, Program
from tests.registry.api.shapes import operations
from tests.registry.api.test_hostile_requests import VALUES
from tests.registry.runs.world import QRELS, run_of
from tests.registry.submissions.world import make_robust04, make_submission, make_submitted, row
from tests.thoroughness import every

_numbers = count()

BODIES = (
    "null",
    "0",
    "[]",
    "{}",
    '{"results": null}',
    '{"results": [null]}',
    '{"results": [{}]}',
    '{"results": [{"": ""}]}',
    '{"results": [{"system": {"system": "A"}}]}',
    '{"results": [{"value": 1e400}]}',
    '{"results": [{"value": ' + "9" * 5_000 + "}]}",
    '{"results": [{"value": 0.1' + "0" * 5_000 + "}]}",
    '{"results": [{"year": -0}]}',
    '{"\\u0000": []}',
    '{"\\ud800": []}',
    '{"results": [{"\\ud800": "a"}]}',
    "\ufeff{}",
    "\0",
    "{" * 5_000,
    '{"a":' * 5_000,
    b"\xff\xfe{\x00}\x00",
    b"\x1f\x8b\x08\x00",
    b"PK\x03\x04",
    "<?xml version='1.0'?><results/>",
)
HEADERS = ("", " ", '"1"', "1", "*", 'W/"1"', '"-1"', '"' + "9" * 30 + '"', "x" * 5_000, "ü", "\t", '"٣"')
TYPES = ("application/json", "text/csv", "application/yaml", "text/html", "a/b; charset=x", "application/json; charset")


@pytest.fixture
def program(monkeypatch):
    board = make_robust04()
    put_judgements(collection=board.collection, content=QRELS, source="the track")
    for name in LIMITS:
        monkeypatch.setitem(LIMITS, name, (1_000_000, 3600))
    return Program()


def seen(submission: Submission) -> dict:
    return {"id": submission.pk, "version": submission.version}


def assert_all_readable(program) -> None:
    listed = program.ask("list_submissions", f"{LIST}?page_size=200").json()
    for submission in listed["results"]:
        program.get(submission)


@pytest.mark.parametrize(
    ("number", "column"), list(enumerate(["collection", "measure", "system", "value", "date", "paper_url", "notes"]))
)
def test_cells_may_hold_anything(program, number, column):
    draft = seen(make_submission(program.user))
    for value in every(20, VALUES, __file__, start=number):
        response = program.create([row(**{column: value}), {column: value}], query="?dry_run=true")
        assert response.status_code in {200, 400}, value
        response = program.change("update_row", draft, "rows/1/", {column: value})
        assert response.status_code in {200, 400}, value
        draft["version"] = Submission.objects.get(pk=draft["id"]).version
    assert_all_readable(program)


def test_bodies_may_be_anything(program):
    draft = seen(make_submission(program.user))
    for number, body in enumerate(BODIES):
        for content_type in every(12, TYPES, __file__, start=number):
            for query in ("", "?dry_run=true&format=every_eval_ever", "?format=run_card"):
                response = program.ask("create_submission", LIST + query, body, content_type=content_type)
                assert response.status_code < 500, (body[:40], content_type, query)
            for operation, path in (("add_rows", "rows/"), ("update_row", "rows/1/")):
                response = program.change(operation, draft, path, body, content_type=content_type)
                assert response.status_code < 500, (body[:40], content_type, path)
                draft["version"] = Submission.objects.get(pk=draft["id"]).version
    assert_all_readable(program)


@pytest.mark.parametrize(("number", "name"), list(enumerate(["note", "submit", "format"])))
def test_wishes_may_be_anything(program, number, name):
    for value in every(10, [*VALUES, None, True, 1, 1.5, [], {}], __file__, start=number):
        response = program.create([row(system=f"S{next(_numbers)}")], **{name: value})
        assert response.status_code in {200, 201, 400}, value
    assert_all_readable(program)


@pytest.mark.parametrize(
    ("number", "name"), list(enumerate(["If-Match", "Idempotency-Key", "Accept", "Authorization", "Content-Encoding"]))
)
def test_headers_may_hold_anything(program, number, name):
    draft = seen(make_submission(program.user))
    for value in every(6, HEADERS, __file__, start=number):
        for operation, path in (("update_row", "rows/1/"), ("submit_submission", "submit/")):
            response = program.change(operation, draft, path, {"value": "0.2"}, headers={name.lower(): value})
            assert response.status_code < 500, value
        response = program.create([row(system=f"S{next(_numbers)}")], headers={name.lower(): value})
        assert response.status_code < 500, value
    assert_all_readable(program)


def test_addresses_may_hold_anything(program):
    draft = make_submission(program.user)
    for value in ("0", "-1", "9" * 40, "x", "%00", "%ED%A0%80", "..", str(draft.pk).upper(), str(draft.pk)[:-1], "٣"):
        for path in (
            f"{LIST}{value}/",
            f"{LIST}{value}/rows/1/",
            f"{LIST}{draft.pk}/rows/{value}/",
            f"{LIST}?page={value}",
        ):
            for method in every(2, ("get", "post", "patch", "delete", "put"), __file__, start=next(_numbers)):
                answer = getattr(program.client, method)(path, headers=program.headers)
                assert answer.status_code < 500, (method, path)


# --- generated from the description

WRITING = [name for method in ("post", "patch", "delete") for name in operations(method)]
PRIVATE = [name for name in operations("get") if "submission" in name]


@pytest.mark.slow
@pytest.mark.usefixtures("open_connection")
def test_generated_requests_are_answered_as_described(program, caplog):
    caplog.set_level(logging.CRITICAL, "django.request")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of the generator's own libraries.
        from tests.registry.api.generated import generated_operations

        visited = set()
        for operation in generated_operations():
            name = operation.definition.raw["operationId"]
            if name in {*WRITING, *PRIVATE}:
                statuses = visit(operation, program)
                assert any(status < 300 for status in statuses), f"{name} was never done: {statuses}"
                visited.add(name)
    assert visited == {*WRITING, *PRIVATE}
    assert_all_readable(program)


def visit(operation, program) -> set[int]:
    """Ask an operation what its description allows and what it does not: of a submission that is there, in the version
    that it has, more often than of others. What it answered."""
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

    from tests.registry.api.generated import as_many

    name = operation.definition.raw["operationId"]
    statuses: set[int] = set()
    editor = make_person("grace", is_editor=True) if name == "decide_submission" else None
    asks = Program(editor, scopes=("read", "submit", "review")) if editor else program
    modes = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
    # Of a hundred, half are as described and a fifth of those JSON, the only type that random texts fit.
    known = st.sampled_from([True, True, True, False])

    @as_many(100 if name in {"create_submission", "add_rows", "update_row"} else 15)
    @given(case=modes.flatmap(operation.as_strategy), is_known=known)
    def ask(case, is_known: bool) -> None:
        if is_known:
            # Several wishes at random contradict each other nearly always.
            case.query = {"collection": "trec-2004-robust"} if name == "create_run" else {}
        if is_known and "id" in (case.path_parameters or {}):
            make = make_submitted if name in {"take_back_submission", "decide_submission"} else make_submission
            submission = make(program.user, rows=[row(system=f"System {next(_numbers)}") for _ in range(2)])
            case.path_parameters |= {"id": str(submission.pk)} | ({"line": 1} if "line" in case.path_parameters else {})
            # A key that was used before would keep the request from having any effect.
            headers = {name: text for name, text in (case.headers or {}).items() if name != "Idempotency-Key"}
            case.headers = headers | {"If-Match": f'"{submission.version}"'}
        if is_known and name == "delete_run":
            judged = Collection.objects.get(slug="trec-2004-robust")
            sent = hand_in(owner=program.user, name="mine", collection=judged, content=run_of("good"))
            case.path_parameters = {"key": sent.pk}
        if is_known and "_own_" in name and "key" in (case.path_parameters or {}):
            own = begin(owner=program.user, name="mine", visibility="private", topics=[])
            add_measure(collection=own, facts={"name": "Clicks"})
            case.path_parameters |= {"key": own.pk} | ({"measure": "Clicks"} if name == "delete_own_measure" else {})
            if name == "create_own_judgements":
                case.body = QRELS
        if is_known and name == "create_own_collection" and isinstance(case.body, dict):
            case.body = {"name": "mine"}  # Alike for changing one, where the name may be left out.
        if is_known and name == "decide_submission" and isinstance(case.body, dict):
            case.body = {"decision": "publish"}
        if is_known and name == "create_own_measure" and isinstance(case.body, dict):
            case.body = {"name": "Taps", "low": 0, "high": 1}
        if is_known and name == "review_table" and isinstance(case.body, dict):
            case.body = {"text": "system,AP\nours,0.39\ntheirs,0.2\n", "collection": "trec-2004-robust"}
        headers = {"Authorization": asks.headers["authorization"]}
        excluded = [positive_data_acceptance, negative_data_rejection]
        answer = case.call(headers=headers)
        statuses.add(answer.status_code)
        case.validate_response(answer, headers=headers, excluded_checks=excluded)

    ask()
    return statuses
