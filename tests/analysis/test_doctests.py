"""The examples in the docstrings of the statistics and of the readers print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import analysis

MODULES = sorted(module.name for module in pkgutil.walk_packages(analysis.__path__, "analysis."))


def test_the_modules_are_found():
    assert {"analysis.scores._matrix", "analysis.readers.text"} <= {*MODULES}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_module(name):
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.failed == 0, f"{results.failed} of {results.attempted} examples of {name} fail"
