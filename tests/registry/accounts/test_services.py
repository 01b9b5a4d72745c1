"""Signing in through ORCID and GitHub (``service_walk`` has the walks, because which services are on is a setting)."""

import ast
import json
from pathlib import Path

import pytest

from tests.registry.core.lab import Lab

SOURCE = Path(__file__).with_name("service_walk.py")
HELPERS = {"main"}
NAMES = [
    node.name
    for node in ast.parse(SOURCE.read_text()).body
    if isinstance(node, ast.FunctionDef) and not node.args.args and node.name not in HELPERS
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("services"))
    on = {
        "PLUMBLINE_ORCID_CLIENT_ID": "APP-1",
        "PLUMBLINE_ORCID_SECRET": "s",
        "PLUMBLINE_GITHUB_CLIENT_ID": "2",
        "PLUMBLINE_GITHUB_SECRET": "s",
    }
    yield json.loads(lab.run("-m", "tests.registry.accounts.service_walk", **on))
    lab.close()


@pytest.mark.parametrize("name", NAMES)
def test_walk(outcomes, name):
    assert outcomes[name] == "", outcomes[name]
