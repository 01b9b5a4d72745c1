"""docs/importing.md does what it says: its examples load, and every refusal it lists is said."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from analysis.readers.columns import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from registry.catalog.models import Collection, Leaderboard, Measure, ResidualVariance
from registry.catalog.services import load_catalog
from registry.results.models import Result, TopicScores
from registry.results.services.files import load_results_file
from registry.results.services.topic_scores import Origin, load_topic_scores
from tests.registry import factory
from tests.registry.results.loading import COLUMNS, line, load, make_robust04

pytestmark = pytest.mark.django_db

PAGE = (settings.BASE_DIR / "docs" / "importing.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\| (.*?) \|$", PAGE.partition("## What is refused")[2], re.MULTILINE)
TABLE_OF_FILES = PAGE.partition("| file | message |\n| --- | --- |\n")[2].partition("\n\n")[0]
FILES = dict(re.findall(r"^\| (.*?) \| (.*?) \|$", TABLE_OF_FILES, re.MULTILINE))
HEADER = ",".join(COLUMNS).encode()


def example(name: str) -> str:
    (content,) = re.findall(rf"^```csv {name}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return content


def test_every_column_is_documented():
    table = PAGE.partition("## Results")[2].partition("### What makes")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == {*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS}


def test_the_results_load(robust04, tmp_path):
    (tmp_path / "results.csv").write_text(example("results"), encoding="utf-8")
    report = load_results_file(path=tmp_path / "results.csv")
    assert (report.added, report.refused) == (2, 0), list(report.lines())
    assert {result.paper.cite for result in Result.objects.all()} == {"Diaz (CIKM 2005)"}


def test_the_topic_scores_load(tmp_path):
    board = factory.make_leaderboard(factory.make_collection("robust04", n_topics=3), factory.make_measure("AP"))
    (tmp_path / "scores.csv").write_text(example("topic_scores"), encoding="utf-8")
    report = load_topic_scores(
        path=tmp_path / "scores.csv",
        collection=board.collection,
        measure=board.measure,
        origin=Origin(role="baseline"),
    )
    assert (report.added, report.refused) == (2, 0), list(report.lines())
    assert TopicScores.objects.count() == 2


def test_the_catalog_loads(tmp_path):
    for name in ("collections", "measures", "leaderboards", "variance_library", "densities"):
        (tmp_path / f"{name}.csv").write_text(example(name), encoding="utf-8")
    reports = load_catalog(directory=tmp_path)
    assert [(report.added, report.refused) for report in reports] == [(1, 0), (1, 0), (1, 0), (1, 0), (1, 0)]
    assert (Collection.objects.get().slug, Measure.objects.get().name) == ("my-collection", "nDCG@10")
    assert (Leaderboard.objects.get().n_topics, ResidualVariance.objects.get(kind="own-variance").n_systems) == (49, 12)


@pytest.mark.parametrize(("column", "cell", "message"), CELLS)
def test_every_refused_cell_says_what_the_page_says(robust04, tmp_path, column, cell, message):
    (rejection,) = load(tmp_path, line(**{column: cell})).rejections
    assert (rejection.column, rejection.line) == (column, 2)
    assert message in rejection.message


def file_contents() -> dict[str, bytes | None]:
    """What is tried for each line of the table of files; None for what is no file."""
    row, other = line().encode(), line(value="0.9").encode()
    return {
        "a folder": None,
        "no such file": None,
        "empty": b"",
        "a header alone": HEADER,
        "an image, a program": bytes(range(256)) * 40,
        "a spreadsheet, a zip": b"PK\x03\x04" + bytes(100),
        "UTF-16": HEADER.decode().encode("utf-16"),
        "another encoding": b"\n".join([HEADER, b"Fr\xe9"]),
        "semicolons": HEADER.replace(b",", b";"),
        "a column too few": b"collection,measure,system,value\n",
        "a column misspelled": HEADER.replace(b"system", b"sytem"),
        "cells too many": b"\n".join([HEADER, row + b",more"]),
        "an open quote": b"\n".join([HEADER, row, b'"open']),
        "NUL characters": b"\n".join([HEADER, b"\x00" + row]),
        "one row twice": b"\n".join([HEADER, row, row]),
        "two values": b"\n".join([HEADER, row, other]),
        "an empty catalog": b"\n".join([HEADER, row]),
    }


@pytest.mark.parametrize(("what", "message"), FILES.items())
def test_every_refused_file_says_what_the_page_says(tmp_path: Path, what, message):
    if what != "an empty catalog":
        make_robust04()
    content = file_contents()[what]
    path = tmp_path if what == "a folder" else tmp_path / "results.csv"
    if content is not None:
        path.write_bytes(content)
    said = "\n".join(load_results_file(path=path).lines())
    assert message in said
    assert not Result.objects.exists()
