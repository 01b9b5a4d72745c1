"""The examples in the docstrings of the statistics print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import analysis

#: Those of the readers are run beside their tests.
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(analysis.__path__, "analysis.")
    if not module.name.startswith("analysis.readers.")
)


def test_the_modules_are_found():
    assert "analysis.scores._matrix" in MODULES


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_module(name):
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.failed == 0, f"{results.failed} of {results.attempted} examples of {name} fail"
