"""Tables of text: what is taken, what is refused, and where the refusal points."""

import io

import pytest

from analysis.readers import tables
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.tables import Record, open_table, read_records, read_table


def read(content: bytes) -> list[Record | Rejection]:
    return list(read_table(io.BytesIO(content), required=("system", "value"), optional=("notes",)))


def rows(content: bytes) -> list[tuple[int, str, str, str]]:
    records = read(content)
    assert all(isinstance(record, Record) for record in records), records
    return [(record.line, record.cells["system"], record.cells["value"], record.cells["notes"]) for record in records]


def only_rejection(content: bytes) -> Rejection:
    (rejection,) = [record for record in read(content) if isinstance(record, Rejection)]
    return rejection


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_taken_and_counted(end):
    content = end.join(["system,value", "a,1", "b,2"]).encode()
    assert rows(content) == [(2, "a", "1", ""), (3, "b", "2", "")]


def test_quoted_line_ends_are_kept_and_lines_counted_behind_them():
    content = b'system,value,notes\na,1,"one\r\ntwo\nthree"\nb,2,\n'
    assert rows(content) == [(2, "a", "1", "one\r\ntwo\nthree"), (5, "b", "2", "")]


def test_commas_and_doubled_quotes_in_quoted_cells():
    assert rows(b'system,value\n"a, ""b""",1\n') == [(2, 'a, "b"', "1", "")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"PK\x03\x04" + b"\0" * 50, "a zip archive or a spreadsheet"),
        (b"\x1f\x8b\x08" + b"\0" * 50, "compressed with gzip"),
        (b"%PDF-1.7\n", "a PDF"),
        (bytes(range(256)) * 20, "binary"),
        ("system,value\n".encode("utf-16"), "UTF-16; save it with the encoding UTF-8"),
    ],
)
def test_what_is_no_table_is_refused_as_a_whole(content, message):
    rejection = only_rejection(content)
    assert message in rejection.message
    assert rejection.fatal
    assert all(isinstance(record, Rejection) and record.fatal for record in read_records(io.BytesIO(content)))


@pytest.mark.parametrize(
    ("header", "column", "message"),
    [
        (b"system", "value", "this column is missing"),
        (b"system,valeu", "valeu", "unknown column; did you mean value?"),
        (b"system,value,zzz", "zzz", "unknown column; the columns are system, value, notes"),
        (b"system,value,value", "value", "2 columns have this name"),
        (b"system,value,", "(blank)", "unknown column"),
    ],
)
def test_wrong_columns_are_named(header, column, message):
    rejections = [record for record in read(header + b"\na,1,x\n") if isinstance(record, Rejection)]
    assert (1, column, True) in {(rejection.line, rejection.column, rejection.fatal) for rejection in rejections}
    assert any(message in rejection.message for rejection in rejections)


@pytest.mark.parametrize(("character", "name"), [(b";", "semicolons"), (b"\t", "tabs"), (b"|", "bars")])
def test_other_separators_are_recognized(character, name):
    rejection = only_rejection(character.join([b"system", b"value"]) + b"\n")
    assert f"separated by {name}; save the file with commas" in rejection.message


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"a", "the row has 1 cells, the header has 2"),
        (b"a,1,234", "the row has 3 cells, the header has 2; is a comma missing its quotes?"),
        (b"a,\xe9", "is not UTF-8: byte 0xE9 after 2 characters of the line; save the file with the encoding UTF-8"),
        (b"a,\xed\xa0\x80", "is not UTF-8: byte 0xED"),
        (b"a,1\x00", "contains a NUL character (character 4 of the line)"),
        (b'"a"b,1', "a quoted cell goes on behind its closing quote"),
        (b'"a\x00"b,1', "a quoted cell goes on behind its closing quote"),
    ],
)
def test_a_bad_row_is_refused_and_reading_goes_on(row, message):
    records = read(b"system,value\nfirst,1\n" + row + b"\nlast,2\n")
    assert [record.cells["system"] for record in records if isinstance(record, Record)] == ["first", "last"]
    (rejection,) = [record for record in records if isinstance(record, Rejection)]
    assert message in rejection.message
    assert (rejection.line, rejection.fatal) == (3, False)


def test_bad_bytes_inside_a_quoted_cell_are_found_on_their_own_line():
    rejection = only_rejection(b'system,value\n"a\nb\xff",1\nc,2\n')
    assert (rejection.code, rejection.line) == ("encoding", 3)


def test_a_quote_that_is_never_closed_is_named_by_its_first_line():
    records = read(b'system,value\na,1\n"b,2\nc,3\n')
    assert isinstance(records[0], Record)
    assert (records[1].code, records[1].line, records[1].fatal) == ("unclosed_quote", 3, True)


def test_a_quote_that_swallows_the_file_stops_at_the_limit_of_a_cell():
    rejection = only_rejection(b'system,value\na,"1\n' + b"x,2\n" * 50_000)
    assert (rejection.code, rejection.line, rejection.fatal) == ("long_cell", 2, True)
    assert "131,072 characters" in rejection.message


def test_an_endless_line_is_not_read_to_its_end():
    stream = io.BytesIO(b"system,value\n" + b"x" * (10 * tables.MAX_LINE_LENGTH))
    (rejection,) = read_table(stream, required=("system", "value"), optional=())
    assert (rejection.code, rejection.line, rejection.fatal) == ("long_line", 2, True)
    assert stream.tell() < 3 * tables.MAX_LINE_LENGTH


def test_rejections_keep_what_may_be_written_instead():
    candidate = Candidate("robust04", "Robust04", "of 2004", {"year": "2004"})
    rejection = Refused("ambiguous", "is several", [candidate, Candidate("x", "X")], "Which one?").at(3, "collection")
    assert (rejection.line, rejection.question, rejection.fatal) == (3, "Which one?", False)
    assert rejection.as_document() == {
        "code": "ambiguous",
        "message": "is several",
        "field": "collection",
        "candidates": [
            {"value": "robust04", "label": "Robust04", "detail": "of 2004", "fills": {"year": "2004"}},
            {"value": "x", "label": "X", "detail": ""},
        ],
    }
    assert Rejection("x", "is wrong").as_document() == {"code": "x", "message": "is wrong", "field": ""}


def test_files_that_cannot_be_opened_are_refused(tmp_path):
    with pytest.raises(Refused, match="is a folder; name the files in it"):
        open_table(tmp_path)
    with pytest.raises(Refused, match="does not exist"):
        open_table(tmp_path / "nope.csv")
    with pytest.raises(Refused, match="is not a regular file"):
        open_table(type(tmp_path)("/dev/null"))


def test_a_file_that_may_not_be_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "secret.csv"
    path.write_text("system,value\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(Refused, match="cannot be read: Permission denied"):
        open_table(path)
