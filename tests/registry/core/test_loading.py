"""What becomes of the rows of a file, and of the garbage collector: while much is loaded, it is left in peace."""

import gc
import hashlib
from pathlib import Path

import pytest

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from registry.core.loading import LoadReport, garbage_left, good_rows


def fail() -> None:
    with garbage_left():
        assert gc.get_threshold() > (10_000, 0, 0)
        assert gc.get_freeze_count()
        raise OSError("a bad disk")


def test_the_collector_is_as_it_was_afterwards_whatever_happens():
    before = gc.get_threshold()
    with pytest.raises(OSError, match="a bad disk"):
        fail()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def read(tmp_path: Path, text: str, *, keys: bool = False) -> tuple[LoadReport, list[str]]:
    """Return what becomes of the rows of a file whose names must not begin with x."""
    (tmp_path / "names.csv").write_text(text)
    report = LoadReport("names.csv", path=str(tmp_path / "names.csv"))

    def parse(record: Record) -> str | list[Rejection]:
        name = record.cells["name"]
        if name == "raised":
            raise Refused("raised", "is raised")
        return [Rejection("x", "begins with x", record.line, "name")] if name.startswith("x") else name

    rows = good_rows(
        report, parse, required=("name",), optional=("note",), keys=lambda name: [name.lower()] if keys else []
    )
    return report, rows


def test_good_rows_are_read_and_each_refused_one_is_counted(tmp_path: Path) -> None:
    report, rows = read(tmp_path, "name,note\na,\nxb,\nraised,\nc,\n")
    assert rows == ["a", "c"]
    assert (report.refused, report.n_rejections, report.is_fatal) == (2, 2, False)
    path = str(tmp_path / "names.csv")
    assert list(report.lines()) == [f"{path}:3: name: begins with x", f"{path}:4: is raised"]
    assert report.digest == hashlib.sha256((tmp_path / "names.csv").read_bytes()).hexdigest()


def test_a_file_that_is_no_such_table_is_refused_as_a_whole(tmp_path: Path) -> None:
    report, rows = read(tmp_path, "note\na\n")
    assert (rows, report.refused, report.is_fatal) == ([], 1, True)
    report = LoadReport("gone.csv", path=str(tmp_path / "gone.csv"))
    assert good_rows(report, lambda record: record, required=("name",)) == []
    assert (report.refused, report.is_fatal) == (1, True)
    (line,) = report.lines()
    assert line.startswith(f"{tmp_path / 'gone.csv'}: ")


def test_the_first_fifty_rejections_are_listed_by_line_and_all_are_counted() -> None:
    report = LoadReport("a.csv")
    for line in range(60, 0, -1):
        report.refuse([Rejection("x", "is wrong", line)])
    report.refuse([Rejection("x", "is wrong", 70), Rejection("y", "is wrong too", 70)])
    assert (report.refused, report.n_rejections) == (61, 62)
    lines = list(report.lines())
    assert lines[0] == "a.csv:1: is wrong"
    assert lines[-1] == "a.csv: and 12 more"
    assert len(lines) == 51
