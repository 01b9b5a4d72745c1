"""docs/importing.md does what it says: its examples load, and what it refuses is refused with what to do."""

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
from tests.registry.results.loading import COLUMNS, line, load

PAGE = (settings.BASE_DIR / "docs" / "importing.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\| (.*?) \|$", PAGE.partition("## What is refused")[2], re.MULTILINE)
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
        path=tmp_path / "scores.csv", collection=board.collection, measure=board.measure, origin=Origin(role="baseline")
    )
    assert (report.added, report.refused) == (2, 0), list(report.lines())
    assert TopicScores.objects.count() == 2


def test_the_catalog_loads(tmp_path):
    for name in ("collections", "measures", "leaderboards", "variance_library", "densities"):
        (tmp_path / f"{name}.csv").write_text(example(name), encoding="utf-8")
    reports = load_catalog(directory=tmp_path)
    assert [(report.added, report.refused) for report in reports] == [(1, 0), (1, 0), (1, 0), (1, 0), (1, 0)]
    assert (Collection.objects.get().slug, Measure.objects.get().name) == ("my-collection", "nDCG@10")
    assert (Leaderboard.objects.get().n_topics, ResidualVariance.objects.get().n_systems) == (49, 12)


@pytest.mark.parametrize(("column", "cell", "message"), CELLS)
def test_every_refused_cell_says_what_the_page_says(robust04, tmp_path, column, cell, message):
    (rejection,) = load(tmp_path, line(**{column: cell})).rejections
    assert (rejection.column, rejection.line) == (column, 2)
    assert message in rejection.message


ROW = line().encode()
#: What is no file of results (None: a folder), and what is said of it.
FILES = {
    "a folder": (None, "is a folder; name the files in it"),
    "a header alone": (HEADER, "has a header and no results"),
    "another encoding": (
        HEADER + b"\nFr\xe9",
        "is not UTF-8: byte 0xE9 after 2 characters of the line; save the file with",
    ),
    "a row twice": (b"\n".join([HEADER, ROW, ROW]), "is the same result as line 2; leave one out"),
    "two values": (b"\n".join([HEADER, ROW, line(value="0.9").encode()]), "keep the right one"),
}


@pytest.mark.parametrize(("content", "message"), FILES.values(), ids=FILES)
def test_a_refused_file_is_told_what_to_do(robust04, tmp_path: Path, content, message):
    path = tmp_path if content is None else tmp_path / "results.csv"
    if content is not None:
        path.write_bytes(content)
    assert message in "\n".join(load_results_file(path=path).lines())
    assert not Result.objects.exists()


def test_before_there_is_a_catalog_and_without_a_file_nothing_loads(tmp_path: Path):
    assert "does not exist" in "\n".join(load_results_file(path=tmp_path / "results.csv").lines())
    assert "run load_catalog first" in "\n".join(load(tmp_path, line()).lines())
