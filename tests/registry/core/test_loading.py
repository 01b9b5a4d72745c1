"""What becomes of the rows of a file, and of the garbage collector: while much is loaded, it is left in peace."""

import gc
import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.readers.rejections import Refused, Rejection
from analysis.readers.tables import Record
from registry.core import shipping
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


def test_while_much_is_loaded_garbage_is_looked_for_seldom_and_only_in_what_is_new(monkeypatch: pytest.MonkeyPatch):
    did: list[object] = []
    fake = SimpleNamespace(
        get_threshold=lambda: (7, 8, 9),
        set_threshold=lambda *thresholds: did.append(thresholds),
        freeze=lambda: did.append("frozen"),
        unfreeze=lambda: did.append("as before"),
    )
    monkeypatch.setattr("registry.core.loading.gc", fake)
    with garbage_left():
        assert did == ["frozen", (50_000, 20, 100)]
        did.clear()
    assert did == [(7, 8, 9), "as before"]


def read(tmp_path: Path, text: str, *, keys: bool = False) -> tuple[LoadReport, list[str]]:
    """What becomes of the rows of a file whose names must not begin with x."""
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


def test_of_rows_with_one_key_the_first_is_taken(tmp_path: Path) -> None:
    report, rows = read(tmp_path, "name\na\nb\nA\n", keys=True)
    assert rows == ["a", "b"]
    assert [(one.line, one.code, one.message) for one in report.rejections] == [
        (4, "duplicate", "is there already, in line 2")
    ]
    assert read(tmp_path, "name\na\nb\nA\n")[1] == ["a", "b", "A"]
    report, rows = read(tmp_path, "name\na\nxb\nb,more\nA\nc\n", keys=True)
    assert (rows, report.refused) == (["a", "c"], 3), "what is refused has no key"


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


def test_what_is_wrong_with_a_file_as_a_whole_stands_first_and_is_not_forgotten() -> None:
    report = LoadReport("a.csv")
    report.refuse([Rejection("x", "is wrong", 3)])
    report.refuse([Rejection("y", "is no table", None, fatal=True)])
    report.refuse([Rejection("x", "is wrong", 2)])
    assert list(report.lines()) == ["a.csv: is no table", "a.csv:2: is wrong", "a.csv:3: is wrong"]
    assert report.is_fatal


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({}, "a.csv: 0 added, 0 unchanged, 0 superseded, 0 refused (nothing changed)"),
        ({"unchanged": 1234}, "a.csv: 0 added, 1,234 unchanged, 0 superseded, 0 refused (nothing changed)"),
        ({"added": 1}, "a.csv: 1 added, 0 unchanged, 0 superseded, 0 refused"),
        ({"superseded": 2, "superseded_word": "changed"}, "a.csv: 0 added, 0 unchanged, 2 changed, 0 refused"),
        ({"refused": 1}, "a.csv: 0 added, 0 unchanged, 0 superseded, 1 refused"),
        (
            {"added": 1, "withdrawn": 3},
            "a.csv: 1 added, 0 unchanged, 0 superseded, 3 left out because they were withdrawn, 0 refused",
        ),
        ({"path": "/data/a.csv", "added": 1}, "/data/a.csv: 1 added, 0 unchanged, 0 superseded, 0 refused"),
    ],
)
def test_a_line_says_what_became_of_a_file(counts: dict[str, Any], said: str) -> None:
    assert LoadReport("a.csv", **counts).summary() == said


def test_the_end_of_a_load_is_told_where_something_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[str, object, str]] = []
    reports = [LoadReport("a", unchanged=1), LoadReport("b", superseded=1)]

    def part(*, directory: Path, actor: object, reason: str, progress: object) -> Iterator[LoadReport]:
        calls.append(("part", directory, reason))
        yield from reports

    monkeypatch.setattr(shipping, "_PARTS", [])
    monkeypatch.setattr(shipping, "_FINISHES", [])
    shipping.register(part, lambda *, actor, reason: calls.append(("first", actor, reason)))
    shipping.register_finish(lambda *, actor, reason: calls.append(("second", actor, reason)))
    assert list(shipping.load_shipped_data(directory=tmp_path)) == reports
    why = "ships with Plumbline"
    assert calls == [("part", tmp_path, why), ("first", None, why), ("second", None, why)]
    calls.clear()
    reports.pop()
    assert len(list(shipping.load_shipped_data(directory=tmp_path, reason="again"))) == 1
    assert calls == [("part", tmp_path, "again")]
    calls.clear()
    reports.insert(0, LoadReport("c", added=1))
    assert [report.label for report in shipping.load_shipped_data(directory=tmp_path, reason="more")] == ["c", "a"]
    assert [name for name, *_ in calls] == ["part", "first", "second"]


def test_a_table_that_ships_is_read_with_its_line_breaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipping, "SHIPPED", tmp_path)
    (tmp_path / "made up.csv").write_bytes('a,b\r\n"x\r\ny",ü\r\n'.encode())
    assert shipping.shipped_rows("made up.csv") == ({"a": "x\r\ny", "b": "ü"},)
    assert shipping.shipped_rows("not there.csv") == ()
