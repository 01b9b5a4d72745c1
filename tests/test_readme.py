"""The README keeps its promises: commands, links, picture, example, figures."""

import csv
import doctest
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_are_there_and_can_be_run():
    commands = re.findall(r"^\./(\w+)", TEXT, re.MULTILINE)
    assert commands == ["run", "test"]
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)]+)\)", TEXT))
def test_links_and_pictures_lead_somewhere(target):
    assert (ROOT / target).exists()


def test_the_example_comes_out():
    test = doctest.DocTestParser().get_doctest(TEXT, {}, "README.md", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_as_many_results_ship_as_it_says():
    (promised,) = re.findall(r"more than ([\d,]+) results", TEXT)
    shipped = 0
    for path in (ROOT / "data" / "results").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            shipped += sum(1 for _ in csv.reader(stream)) - 1
    assert shipped > int(promised.replace(",", ""))
