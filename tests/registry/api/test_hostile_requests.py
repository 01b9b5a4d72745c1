"""Whatever is asked, the answer is as described, never a fault of ours; and what others ask stays answered."""

import logging
import re
import warnings
from itertools import count
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.registry.api.shapes import assert_conforms, operation, operations
from tests.registry.leaderboards.boards import analyse, make_board
from tests.registry.leaderboards.suites import analyse_all, make_members
from tests.thoroughness import every

VALUES = (
    "",
    " ",
    "\0",
    "\x1b[2J",
    "..",
    "../../etc/passwd",
    "%",
    "%25",
    "'",
    '"',
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "\u202eevil",
    "\u200b",
    "\ufeff",
    "\ufffd",
    "e" + "\u0301" * 50,
    "😀",
    "Ω" * 300,
    "a" * 5000,
    "nan",
    "inf",
    "-1",
    "0",
    "1e400",
    "1_000",
    "٣",
    "9" * 400,
    "0x10",
    "true",
    "None",
    "0001-01-01",
    "9999-12-31",
    "2026-02-30",
    "-0001-01-01",
    "[]",
    "a\nb",
    "a\r\nSet-Cookie: x=1",
)
RAW = ("%ED%A0%80", "%C0%80", "%FF", "%00", "+", "%2F", "%2e%2e", "%E2%80%AE", ";", "a&b=c", "=", "&&", "?", "[]=1")
ANYTHING = (*(quote(value, safe="") for value in VALUES), *RAW)


@pytest.fixture
def addresses(db) -> dict[str, str]:
    """One existing address of every operation."""
    board = make_board()
    analyse_all(make_members())
    known = {"suite": "beir", "collection": board.collection.slug, "measure": board.measure.name}
    ids = {"get_snapshot": analyse(board).snapshot_id, "get_result": board.results.first().pk}
    ids["get_system"] = board.results.first().system_id
    # No run, pair, topic, model and year of that name is there: that they are not found is an answer, too.
    known |= {"key": "unknown", "slug": "unknown", "first": "1", "second": "2", "label": "unknown", "year": "1901"}
    return {
        name: path.format(**known, id=ids.get(name, 1))
        for name, (path, described) in operations("get").items()
        if not described.get("security")
    }


def parameters(operation_id: str) -> list[str]:
    _, described = operation(operation_id)
    return [parameter["name"] for parameter in described["parameters"] if parameter["in"] == "query"]


def assert_answered(client, address: str, operation_id: str) -> None:
    response = client.get(address)
    assert response.status_code < 500, address
    if response.status_code not in {301, 304}:
        assert_conforms(response, operation_id)


def test_parameters_and_names_may_hold_anything(client, addresses):
    number = count()
    for operation_id, address in addresses.items():
        for name in [*parameters(operation_id), "unknown"]:
            for value in every(len(ANYTHING), ANYTHING, __file__, start=next(number)):
                assert_answered(client, f"{address}?{name}={value}", operation_id)
    for number, (path, _) in enumerate(operations("get").values()):
        for value in every(40, ANYTHING, __file__, start=number):
            address = value.join(re.split(r"{\w+}", path))
            if address != path:
                assert client.get(address).status_code in {200, 301, 404, 400, 401}, address
    for operation_id, address in addresses.items():
        assert_answered(client, address, operation_id)


@pytest.mark.slow
@pytest.mark.usefixtures("open_connection")
def test_generated_requests_are_answered_as_described(addresses, caplog):
    caplog.set_level(logging.CRITICAL, "django.request")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of the generator's own libraries.
        from tests.registry.api.generated import generated_operations

        for operation in generated_operations():
            if operation.definition.raw["operationId"] in addresses:
                visit(operation, addresses)


def visit(operation, addresses) -> None:
    """Ask an operation what its description allows, of names that exist as often as of others.

    Values that the description allows may still be refused: a page token must have been given out.
    """
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    from tests.registry.api.generated import as_many

    template = operation.path.strip("/").split("/")
    known = addresses[operation.definition.raw["operationId"]].strip("/").split("/")
    names = {part.strip("{}"): value for part, value in zip(template, known, strict=True) if part.startswith("{")}

    @as_many(30)
    @given(case=operation.as_strategy(), is_known=st.booleans())
    def ask(case, is_known: bool) -> None:
        if is_known and names:
            case.path_parameters = dict(names)
        case.validate_response(case.call(), excluded_checks=[positive_data_acceptance])

    ask()
