"""Comparing answers with the OpenAPI description."""

import copy
from functools import cache
from typing import Any

import jsonschema_rs
from django.http import HttpResponse

from registry.api.schema import description


@cache
def strict_description() -> dict[str, Any]:
    """Return the description, made to refuse keys that it does not name."""
    strict = copy.deepcopy(description())
    for component in strict["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
    return strict


def operations(method: str = "") -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the path and the description of every operation, or of those with one method."""
    return {
        described["operationId"]: (path, described)
        for path, methods in strict_description()["paths"].items()
        for name, described in methods.items()
        if name == (method or name)
    }


def operation(operation_id: str) -> tuple[str, dict[str, Any]]:
    """Return the path and the description of an operation."""
    return operations()[operation_id]


def assert_conforms(response: HttpResponse, operation_id: str) -> None:
    """See that the body is what the description says for the operation and the status, to the key."""
    content = described_content(operation_id, response.status_code)
    content_type = response["Content-Type"].partition(";")[0]
    assert content_type in content, f"{response.request['PATH_INFO']}: {content_type}"
    if content_type != "application/json":
        return
    takes = validator(operation_id, response.status_code)
    problems = [f"{error.instance_path}: {error.message}" for error in takes.iter_errors(response.json())]
    assert not problems, f"{response.request['PATH_INFO']}: {problems[:5]}"
    assert response["Content-Type"] == "application/json"


def described_content(operation_id: str, status: int) -> dict[str, Any]:
    """Return what an operation may answer with a status, by type."""
    responses = operation(operation_id)[1]["responses"]
    content: dict[str, Any] = responses.get(str(status), responses["default"])["content"]
    return content


@cache
def validator(operation_id: str, status: int) -> jsonschema_rs.Draft202012Validator:
    """Return what finds the errors of a JSON answer."""
    schema = described_content(operation_id, status)["application/json"]["schema"]
    components = strict_description()["components"]
    return jsonschema_rs.Draft202012Validator({**schema, "components": components}, validate_formats=True)
