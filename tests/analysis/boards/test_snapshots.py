"""Snapshots: what they are refused for, what is found wrong with them, and the command line that checks them."""

import pytest

from analysis.boards import (
    METHODS,
    BoardInputs,
    BoardRow,
    MeasureFacts,
    SuiteSnapshot,
    make_snapshot,
    read_snapshot,
    snapshot_id,
    verify_snapshot,
)
from analysis.boards.__main__ import main
from analysis.boards._snapshots import differences
from analysis.errors import ArgumentError
from tests.analysis.boards.test_study import by_topics, drawn


def snapshot_of(**row):
    fields = {"id": 1, "system": "BM25", "printed": "0.2531", "value": 0.2531} | row
    return make_snapshot(
        BoardInputs(collection="x", measure=MeasureFacts(name="AP", high=None), rows=(BoardRow(**fields),))
    )


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({}, None),
        ({"value": 0.25314}, None),
        ({"value": 0.25305}, None),
        ({"value": 0.25316}, "inputs: row 1 prints 0.2531, and its value is 0.25316"),
        ({"printed": "25.3", "unit": "percent", "value": 0.2534}, None),
        ({"printed": "25.3", "unit": "percent", "value": 0.2536},
         "inputs: row 1 prints 25.3 percent, and its value is 0.2536"),
        ({"printed": "25", "unit": "percent", "value": 0.2549}, None),
        ({"printed": "none", "value": 0.2531}, "inputs: row 1 prints none, and its value is 0.2531"),
    ],
)  # fmt: skip
def test_a_value_rounds_to_what_its_row_prints(row, problem):
    assert verify_snapshot(snapshot_of(**row).text) == ([problem] if problem else [])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda text: read_snapshot(text, dict), "kind must be Snapshot or SuiteSnapshot"),
        (lambda text: read_snapshot(text, SuiteSnapshot), "must be of the format plumbline-suite/1; the release that"),
        (
            lambda text: read_snapshot(text.replace("snapshot/2", "snapshot/1")),
            "of the format plumbline-snapshot/2; the",
        ),
        (lambda text: verify_snapshot(text, expected_id=5), "expected_id must be a text"),
    ],
)
def test_what_is_no_snapshot_is_refused(call, message):
    with pytest.raises(ArgumentError, match=message):
        call(snapshot_of().text)


def test_values_differ_beyond_rounding_alone():
    assert differences({"a": [1.0, True], "b": "x"}, {"a": [1.0 + 1e-9, True], "b": "x"}) == []
    assert differences({"a": 1e-13}, {"a": 0.0}) == []
    assert differences({"a": 1.0}, {"a": 1.0 + 1e-7}) == [("findings.a", f"1.0 is stored, {1.0 + 1e-7!r} comes out")]
    assert differences({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}) == [("findings.a.b[1]", "2 is stored, 3 comes out")]
    assert differences({"a": [1]}, {"a": [1, 2]}) == [("findings.a", "[1] is stored, [1, 2] comes out")]
    assert differences({"b": 1}, {"a": 1}) == [
        ("findings.a", "None is stored, 1 comes out"), ("findings.b", "1 is stored, None comes out"),
    ]  # fmt: skip
    assert differences(True, 1.5, "x") == [("x", "True is stored, 1.5 comes out")]
    assert differences("1", 1) == [("findings", "'1' is stored, 1 comes out")]


class TestTheCommandLine:
    def test_topic_scores_are_read_from_a_table(self, tmp_path, capsys):
        inputs, matrix = by_topics(drawn([0.0, 0.1, 0.2]))
        path, table = tmp_path / "it.json", tmp_path / "scores.csv"
        text = make_snapshot(inputs, matrix).text
        path.write_text(f"{text}\n", encoding="utf-8")
        lines = [",".join(["topic", *matrix.systems])]
        lines += [
            ",".join([topic, *map(repr, row.tolist())])
            for topic, row in zip(matrix.topics, matrix.scores.T, strict=True)
        ]
        table.write_text("\n".join(lines), encoding="utf-8")
        assert main(["verify", str(path), str(table)]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "No id was compared: give --id, or name the file by the id that it was cited by.",
            f"{snapshot_id(text)}: every number comes out again (methods {METHODS.version}).",
        ]
        assert main(["verify", str(path)]) == 2
        assert capsys.readouterr().err.startswith("Cannot be done: topic_scores must be the vectors")

    def test_the_id_is_that_given_else_that_of_the_file_else_that_of_the_folder(self, tmp_path, capsys):
        text = snapshot_of().text
        own, other = snapshot_id(text), "0123456789abcdef0123"
        for place, arguments, code in (
            (f"{own}.json", [], 0),
            (f"{other}.json", [], 1),
            (f"{other}.json", ["--id", own], 0),
            (f"{other}/snapshot-{own}.json", [], 0),
            (f"{other}/it.json", [], 1),
            (f"plumbline-{other}/snapshot.json", [], 1),
            # Twenty of more digits are no id.
            (f"a{other}.json", [], 0),
        ):
            path = tmp_path / "folder" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            assert main(["verify", str(path), *arguments]) == code, place
            output = capsys.readouterr().out
            assert ("No id was compared" in output) == place.startswith("a0")
            if code:
                assert output == f"the content has the id {own}, not {other}\n"

    def test_what_cannot_be_read_is_said(self, tmp_path, capsys):
        assert main(["verify", str(tmp_path / "missing.json")]) == 2
        path = tmp_path / "it.json"
        path.write_bytes(b"\xff")
        assert main(["verify", str(path)]) == 2
        path.write_text("{", encoding="utf-8")
        assert main(["verify", str(path)]) == 2
        assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()] == ["Cannot be done"] * 3
        with pytest.raises(SystemExit):
            main([])
