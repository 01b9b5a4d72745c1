"""GET /api/v1/schema/ and the description behind it."""

import json
import re
from pathlib import Path

import jsonschema_rs
import pytest
from drf_spectacular import validation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from registry.api.urls import urlpatterns
from tests.registry.api.shapes import operations, strict_description


def test_it_is_valid_and_raises_no_warning():
    GENERATOR_STATS.reset()
    described = SchemaGenerator().get_schema(request=None, public=True)
    warned = {**GENERATOR_STATS._warn_cache, **GENERATOR_STATS._error_cache}
    assert not warned
    assert len(described["paths"]) == len(urlpatterns)
    rules = json.loads(Path(validation.__file__).with_name("openapi_3_1_schema.json").read_text(encoding="utf-8"))
    valid = jsonschema_rs.validator_for(rules)
    assert not [error.message for error in valid.iter_errors(json.loads(OpenApiJsonRenderer().render(described)))]
    assert not valid.is_valid({"openapi": "3.1.0"})


def test_operations_have_names_that_can_be_read():
    verbs = {
        "get": "get|list",
        "post": "create|add|submit|take_back|compare|review|decide",
        "patch": "update",
        "delete": "delete|remove",
    }
    for method, known in verbs.items():
        assert operations(method)
        assert all(re.fullmatch(rf"({known})_[a-z_]+", name) for name in operations(method))


@pytest.mark.parametrize("name", sorted(operations()))
def test_every_operation_says_how_it_fails(name):
    _, described = operations()[name]
    error = {"$ref": "#/components/schemas/Error"}
    wanted = {"400", "406", "default"}
    if any(parameter["in"] == "path" for parameter in described.get("parameters", [])):
        wanted.add("404")
    if "text/csv" in described["responses"].get("200", {}).get("content", {}):
        wanted.remove("406")
    for status in wanted:
        assert described["responses"][status]["content"]["application/json"]["schema"] == error
    assert described["description"]


def test_fields_are_described_as_their_documents_declare_them():
    shapes = strict_description()["components"]["schemas"]
    assert shapes["RowDocument"]["properties"]["rank"]["description"] == (
        "1-2-2-4 among the rows that compete; null for the others."
    )
    assert "description" not in shapes["RowDocument"]["properties"]["team"]


def test_every_parameter_is_described():
    for name, (_, described) in operations().items():
        for parameter in described.get("parameters", []):
            assert parameter["in"] == "path" or parameter["description"], (name, parameter)
            assert "type" in parameter["schema"]
