"""The examples in the docstrings of the pipeline print what they say."""

import doctest
import importlib
import pkgutil

import pytest

from registry.submissions import pipeline

MODULES = sorted(module.name for module in pkgutil.walk_packages(pipeline.__path__, f"{pipeline.__name__}."))


def test_examples_are_found():
    assert "registry.submissions.pipeline.typed" in MODULES


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_module(name):
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.failed == 0, f"{results.failed} of {results.attempted} examples of {name} fail"
