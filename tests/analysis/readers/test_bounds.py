"""Where readers begin to refuse, and what they say then: lengths, ranges, depths and numbers on either side."""

import io
from datetime import date

import pytest

from analysis.readers import grids, structured, tables
from analysis.readers.columns import COLUMNS
from analysis.readers.grids import Cell, Flaw, Grid, GridRow, is_score, numbered_lines, split_score
from analysis.readers.names import collection_key, measure_name, split_head
from analysis.readers.numbers import (
    is_number,
    may_be_percent,
    parse_date,
    parse_number,
    parse_printed,
    parse_whole,
    parse_year,
    stands_for_nothing,
)
from analysis.readers.paper_facts import paper_facts
from analysis.readers.questions import Question
from analysis.readers.recognizing import Reading, recognize
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.rows import (
    BLANKS,
    as_record,
    as_records,
    fill_blanks,
    filled,
    only_run,
    runs_of,
    shown_name,
)
from analysis.readers.slugs import letters_of, slug_of_paper, slug_of_system
from analysis.readers.structured import Number, read_json, read_yaml, write_yaml
from analysis.readers.tables import (
    Record,
    decode,
    guard_formula,
    open_table,
    parse_cells,
    read_records,
    read_table,
    read_text_records,
    read_text_table,
    unguard_formula,
    unguarded,
)
from analysis.readers.text import clean_name, clean_text, clean_url, did_you_mean, nearest, shorten
from tests.analysis.readers.examples import Names

TODAY = date(2026, 11, 21)


def refusal(read, *given, **options) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        read(*given, **options)
    return refused.value.code, refused.value.message


def flaw(read, *given) -> tuple[str, str, int | None, str, bool]:
    with pytest.raises(Flaw) as found:
        read(*given)
    one = found.value.rejection
    return one.code, one.message, one.line, one.column, one.fatal


# --- text


def test_texts_have_a_length():
    assert clean_name("a" * 300) == clean_text("a" * 300)
    assert refusal(clean_name, "a" * 301) == ("too_long", "has 301 characters; the most is 300")
    assert clean_text("a" * 10_000)
    assert refusal(clean_text, "é" * 10_001) == ("too_long", "has 10,001 characters; the most is 10,000")
    assert clean_url("http://e.org/" + "a" * 487)
    assert refusal(clean_url, "http://e.org/" + "a" * 488)[0] == "too_long"
    assert clean_name("  a \n b\tc ") == "a b c"
    assert clean_name("e\u0301") == "é"
    assert clean_text(" a \r\n b\rc\u00e9 ") == "a \n b\ncé"
    assert clean_text("a\tb\nc") == "a\tb\nc"
    assert (shorten("a" * 60), shorten("a" * 61)) == ("a" * 60, "a" * 59 + "…")
    assert shorten("abcd", 3) == "ab…"


def test_what_cannot_be_seen_is_named():
    assert refusal(clean_name, "a\u200bb") == (
        "invisible_character", "contains U+200B (zero width space), which cannot be seen; delete it",
    )  # fmt: skip
    assert refusal(clean_text, "a\x07b")[1].startswith("contains U+0007 (control character), which")
    assert clean_name("e" + "\u0316" * 8)
    assert refusal(clean_name, "e" + "\u0316" * 9) == (
        "combining", "stacks more than 8 combining signs on one letter; remove them",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("https://example.org/a b", "url", "has blanks or control characters in it; percent-encode them"),
        ("https://example.org/a\x07", "url", "has blanks or control characters"),
        ("https://[::1", "url", "is not a web address: "),
        ("https://example.org:99999/", "url", "is not a web address: "),
        ("ftp://example.org/", "url", "is not a web address; write it in full"),
        ("example.org", "url", "is not a web address; write it in full"),
        ("https:///path", "url", "is not a web address; write it in full"),
        ("https://ada@example.org/", "url", "carries a user name or password; leave them out"),
    ],
)
def test_what_is_no_address_says_why(text, code, said):
    found = refusal(clean_url, text)
    assert found[0] == code
    assert said in found[1]
    assert clean_url("  ") == ""
    assert clean_url(" HTTPS://example.org ") == "HTTPS://example.org"


def test_near_names_are_told():
    known = ["measure", "Value", "system", "systems"]
    assert nearest("VALU", known) == ["Value"]
    assert nearest("sytem", known, n=2) == ["system", "systems"]
    assert nearest("xyz", known) == []
    assert did_you_mean("sytem", known, n=2) == "; did you mean system or systems?"
    assert did_you_mean("xyz", known) == ""


# --- numbers


def test_numbers_end_where_their_measure_does():
    assert parse_printed("1", low=0, high=1, name="AP") == parse_printed(" 1 ", high=1)
    assert parse_printed("0", low=0) == "0"
    assert refusal(parse_printed, "1.1", low=0, high=1, name="AP") == (
        "range", '1.1 is above 1, where AP ends; if it is a percentage, write "0.011"',
    )  # fmt: skip
    assert refusal(parse_printed, "5.5", high=5, name="Gain") == ("range", "5.5 is above 5, where Gain ends")
    assert refusal(parse_printed, "-0.1", low=0, name="AP") == ("range", "-0.1 is below 0, where AP begins")
    assert parse_printed("999999999999") == "999999999999"
    assert refusal(parse_printed, "1000000000000") == ("range", "1000000000000 is beyond any score")
    assert refusal(parse_printed, "-1000000000000")[0] == "range"
    assert parse_printed("0." + "1" * 38)
    assert refusal(parse_printed, "0." + "1" * 39)[1].endswith("has 41 characters; the most is 40")
    assert parse_printed("1e-20") == "1e-20"
    assert refusal(parse_printed, "1e-21")[0] == "scientific"
    assert (parse_number(" .5 "), is_number("0.5"), is_number("x"), is_number("")) == (0.5, True, False, False)


def test_what_may_be_a_percentage():
    told = [may_be_percent(value, 0, 1) for value in (1.0, 1.1, 100, 100.1)]
    assert told == [False, True, True, False]
    assert may_be_percent(50, None, 1)
    assert may_be_percent(50, 0.5, 1)
    assert not may_be_percent(50, 0.6, 1)
    assert not may_be_percent(50, 0, 10)
    assert not may_be_percent(50, 0, None)


def test_whole_numbers_years_and_days_have_ends():
    assert [parse_whole(text) for text in ("", " 50 ", "1,234", "0")] == [None, 50, 1234, 0]
    assert parse_whole("10", minimum=10, maximum=10) == 10
    assert refusal(parse_whole, "9", minimum=10, maximum=1234) == ("range", "9 is not between 10 and 1,234")
    assert refusal(parse_whole, "1235", maximum=1234) == ("range", "1235 is not between 0 and 1,234")
    for text in ("12345", "1,23", "٣", "-1", "1.0", "x"):
        assert refusal(parse_whole, text, maximum=1234)[0] == "whole_number"
    assert [parse_year(text, today=TODAY) for text in ("", "1950", " 2027 ")] == [None, 1950, 2027]
    assert refusal(parse_year, "1949", today=TODAY) == ("year", "'1949' is not a year between 1950 and 2027")
    assert refusal(parse_year, "2028", today=TODAY)[1] == "'2028' is not a year between 1950 and 2027"
    assert refusal(parse_year, "2020a", today=TODAY)[1].endswith("; did you mean 2020?")
    assert refusal(parse_year, "2028a", today=TODAY)[1].endswith("and 2027")
    assert refusal(parse_year, "1949a", today=TODAY)[1].endswith("and 2027")
    assert refusal(parse_year, "٢٠٢٠", today=TODAY)[0] == "year"
    assert parse_date("", today=TODAY) is None
    assert parse_date(" 2026-11-22 ", today=TODAY) == date(2026, 11, 22)
    assert parse_date("1950-01-01", today=TODAY) == date(1950, 1, 1)
    for text in ("2026-11-23", "1949-12-31"):
        assert refusal(parse_date, text, today=TODAY) == ("date", f"{text} is before 1950 or in the future")
    for text in ("2026-02-30", "20261121", "21.11.2026"):
        assert refusal(parse_date, text, today=TODAY)[1].endswith("is not a date; write year-month-day, as 2004-11-19")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("N/A", "no_value", "'N/A' is no value; leave out results that have none"),
        ("+NaN", "not_finite", "'+NaN' is not a score; leave out results that have none"),
        ("5%", "percent", "'5%' is a percentage; divide by 100 and write it without the sign, as 0.234"),
        ("٣", "digits", "'٣' is not written with the digits 0 to 9 and a point or minus of plain text"),
        ("1,234", "comma", "'1,234' has a comma in it; write 1234, or 1.234 for a decimal comma"),
        ("12,34", "comma", "'12,34' has a comma in it; write 12.34 for a decimal comma"),
        ("1,234,567", "comma", "'1,234,567' has a comma in it; write 1234567"),
        ("1,2,3", "comma", "'1,2,3' has a comma in it; write it without"),
        ("0,123.5", "comma", "'0,123.5' has a comma in it; write it without"),
        ("1_0", "digits", "'1_0' has underscores in it; write the digits alone"),
        ("1e99", "scientific", "'1e99' is in scientific notation; no score is of that size"),
        ("abc", "not_a_number", "'abc' is not a number; write a plain decimal, as 0.2345"),
    ],
)
def test_what_is_no_number_says_what_to_write(text, code, message):
    assert refusal(parse_printed, text) == (code, message)


def test_what_stands_for_nothing():
    assert all(map(stands_for_nothing, ("", " ", "-", "—", "N/A", "n.r.", "OOM", "not reported")))
    assert not any(map(stands_for_nothing, ("0", "nan", "x")))


# --- questions


def test_an_answer_is_one_of_the_choices():
    question = Question("unit", "Percent?", choices=(("percent", "yes"), ("fraction", "no")))
    assert question.is_open
    assert question.answered({question.key: "percent"}).answer == "percent"
    assert not question.answered({question.key: "percent"}).is_open
    assert question.answered({question.key: "maybe"}).answer == ""
    assert question.answered({}, "fraction").answer == "fraction"
    assert question.answered({question.key: "x"}, "fraction").answer == "fraction"
    assert not Question("system", "Which?").is_open
    others = [
        Question("unit", "Percent!", choices=question.choices),
        Question("commas", "Percent?", choices=question.choices),
        Question("unit", "Percent?", choices=question.choices[:1]),
    ]
    assert len({one.key for one in [question, *others]}) == 4


def test_a_reading_is_open_while_a_question_is_and_takes_a_name():
    asked = Question("unit", "Percent?", choices=(("a", "b"),))
    system, other = Question("system", "Which?"), Question("collection", "Which?")
    record, rejection = Record(1, {}), Rejection("x", "y", 2)
    reading = Reading("CSV", [record, rejection], questions=(system, other))
    assert (reading.is_open, reading.rows, reading.rejections) == (False, [record], [rejection])
    assert Reading("CSV", [], questions=(system, asked)).is_open
    assert [one.suggestions for one in reading.suggesting("system", "bm25").questions] == [("bm25",), ()]
    assert reading.suggesting("system", "") == reading


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('\ufeff {"results": []}', "json"),
        ('{"evaluation_results": [], "results": []}', "every_eval_ever"),
        ('{"scores": 1}', ""),
        ("# ir_metadata.start\ntag: x", "ir_metadata"),
        ("schema-version: 0.1\n", "ir_metadata"),
        ("---\nresearch goal:\n", "ir_metadata"),
        ("tag: x\nresearch goal:\n", ""),
        ("run:\n  name: x\n", "run_card"),
        ("run: # one\n", "run_card"),
        ("run: x\n", ""),
        ("role,value,system,measure,collection\n", "csv"),
        ('"role",VALUE, system ,measure,collection,notes\n', "csv"),
        ("role,value,system,measure,collection,mood\n", ""),
        ("value,system,measure,collection\n", ""),
        ("", ""),
    ],
)
def test_formats_are_told_by_their_looks(text, form):
    assert recognize(text) == form


# --- rows


def test_rows_are_records_or_say_why_not():
    cells = {"system": "a", "value": "0.1"}
    assert as_record(3, cells) == Record(3, BLANKS | cells)
    assert as_record(3, {"sytem": "a"}) == Rejection(
        "unknown_column", "unknown column; did you mean system?", 3, "sytem"
    )
    unknown = as_record(3, {"é": "a"})
    assert (unknown.column, unknown.message) == ("\\xe9", f"unknown column; the columns are {', '.join(COLUMNS)}")
    assert as_record(3, {"notes": "a\ud800"}).message == "contains U+D800, which is no text; delete it"
    assert isinstance(as_record(3, {"notes": "a" * 20_000}), Record)
    long = as_record(3, {"notes": "a" * 20_001})
    assert (long.code, long.message) == ("too_long", "has 20,001 characters; the most is 20,000")
    assert shown_name("") == "(blank)"
    (empty,) = as_records([])
    assert (empty.code, empty.line, empty.fatal) == ("empty", 1, True)
    rejection = Rejection("x", "y", 9)
    assert as_records([cells, rejection, cells]) == [Record(1, BLANKS | cells), rejection, Record(3, BLANKS | cells)]
    assert len(as_records([cells] * 10_000)) == 10_000
    (many,) = as_records([cells] * 10_001)
    assert (many.code, many.line, many.fatal) == ("too_many_rows", 10_001, True)
    assert many.message == "has 10,001 results; the most is 10,000. Send them in parts"


def test_rows_of_one_run_differ_in_measure_and_value_alone():
    rows = [
        {"system": "a", "measure": "AP", "value": "0.1"},
        {"system": "b", "measure": "AP", "value": "0.2"},
        {"value": "0.3", "measure": "RR", "system": "a", "notes": ""},
    ]
    assert runs_of(rows) == [[rows[0], rows[2]], [rows[1]]]
    assert only_run([rows[0], rows[2]]) == ({"system": "a"}, [("AP", "0.1"), ("RR", "0.3")])
    assert refusal(only_run, rows) == ("several_runs", "the format holds one run, and these rows are of 2")
    assert list(filled({"value": "1", "system": "a", "mood": "x", "team": ""})) == ["system", "value"]
    rejection = Rejection("x", "y", 9)
    given = [Record(1, {"system": "a", "team": ""}), rejection]
    assert fill_blanks(given, {"system": "b", "team": "Lab"}) == [Record(1, {"system": "a", "team": "Lab"}), rejection]


# --- tables of text


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", "empty", "the file is empty"),
        (b"\xef\xbb\xbf", "empty", "the file is empty"),
        (b"PK\x03\x04x", "binary", "the file is a zip archive or a spreadsheet, not CSV text; export the table as CSV"),
        (b"\xd0\xcf\x11\xe0", "binary", "the file is an old spreadsheet"),
        (b"\x1f\x8b", "binary", "compressed with gzip"),
        (b"%PDF-1", "binary", "a PDF"),
        (b"\xff\xfea\0", "encoding", "the file is UTF-16; save it with the encoding UTF-8"),
        (b"\xfe\xffa\0", "encoding", "the file is UTF-16"),
        (b"abcd" + bytes([1] * 5), "binary", "the file is binary, not CSV text"),
        (b"a" * 100 + bytes([1] * 6), "binary", "the file is binary"),
        (b"a\nb\nc\xe9", "encoding", "is not UTF-8: byte 0xE9 in line 3; save the file with the encoding UTF-8"),
    ],
)
def test_what_is_no_text_says_what_it_is(content, code, said):
    found = refusal(decode, content)
    assert found[0] == code
    assert said in found[1]
    if code != "encoding" or content[0] > 200:
        (rejection,) = read_records(io.BytesIO(content))
        assert (rejection.code, rejection.fatal) == (code, True)


def test_a_few_odd_bytes_are_still_text():
    assert decode(b"abcd\x01\x01\x01\x01") == "abcd\x01\x01\x01\x01"
    assert decode(b"a" * 95 + b"\x01" * 5)
    assert decode(b"\xef\xbb\xbfa\xc3\xa9") == "aé"
    stream = io.BytesIO(b'\xef\xbb\xbfa,b\r\n\r\n1,"x\ry"\r3,4')
    assert list(read_records(stream)) == [(1, ["a", "b"]), (3, ["1", "x\ry"]), (5, ["3", "4"])]
    assert not stream.closed


def table(text: str, **options) -> list:
    given = {"required": ["system", "value"], "optional": ["notes"]} | options
    return list(read_text_table(text, **given))


def told(found: list) -> list[tuple[str, str, int | None, str, bool]]:
    return [(one.code, one.message, one.line, one.column, one.fatal) for one in found if isinstance(one, Rejection)]


def test_a_table_has_its_columns_in_any_order_and_each_once():
    assert table("\ufeffVALUE, System \n0.1,a\n\n0.2,b\n") == [
        Record(2, {"system": "a", "value": "0.1", "notes": ""}),
        Record(4, {"system": "b", "value": "0.2", "notes": ""}),
    ]
    assert table("score,system\n1,a\n", former={"score": "value"})[0].cells["value"] == "1"
    assert told(table("")) == [("empty", "the file is empty", None, "", True)]
    assert told(table("system\n")) == [("missing_column", "this column is missing", 1, "value", True)]
    assert told(table("system,value,vale,system\n")) == [
        ("duplicate_column", "2 columns have this name", 1, "system", True),
        ("unknown_column", "unknown column; the columns are system, value, notes", 1, "vale", True),
    ]
    assert told(table("system,vale,\n")) == [
        ("unknown_column", "unknown column; did you mean value?", 1, "vale", True),
        ("unknown_column", "unknown column; the columns are system, value, notes", 1, "(blank)", True),
        ("missing_column", "this column is missing", 1, "value", True),
    ]
    for text, name in (("system;value\n", "semicolons"), ("system\tvalue\n", "tabs"), ("system|value\n", "bars")):
        said = f"the columns seem to be separated by {name}; save the file with commas"
        assert told(table(text)) == [("separator", said, 1, "", True)]
    ragged = table("system,value\na\na,1,2\nb,3\n")
    assert told(ragged) == [
        ("ragged", "the row has 1 cells, the header has 2", 2, "", False),
        ("ragged", "the row has 3 cells, the header has 2; is a comma missing its quotes?", 3, "", False),
    ]
    assert ragged[2].line == 4
    assert [one.fatal for one in table('system,value\n"a"x,1\nb,2\n')[:1]] == [False]
    (header,) = table('"system"x,value\nb,2\n')
    assert (header.code, header.fatal, header.line) == ("quote", True, 1)
    assert list(read_table(io.BytesIO(b"system,value\na,1\n"), required=["system", "value"], optional=[])) == [
        Record(2, {"system": "a", "value": "1"})
    ]


def test_rows_that_cannot_be_read_are_told_and_the_others_read(monkeypatch):
    found = list(read_text_records('a,b\nx\0y,1\n"c"d,2\ne,3\n"open\n'))
    assert [one for one in found if not isinstance(one, Rejection)] == [(1, ["a", "b"]), (4, ["e", "3"])]
    assert [(one[0], one[2], one[4]) for one in told(found)] == [
        ("nul", 2, False), ("quote", 3, False), ("unclosed_quote", 5, True),
    ]  # fmt: skip
    assert told(found)[0][1] == "contains a NUL character (character 2 of the line); delete it"
    bytes_of = list(read_records(io.BytesIO(b"a,b\nc\xff,1\nd,2\n")))
    assert told(bytes_of)[0][:3] == (
        "encoding",
        "is not UTF-8: byte 0xFF after 1 characters of the line; save the file with the encoding UTF-8",
        2,
    )
    assert bytes_of[-1] == (3, ["d", "2"])
    assert list(read_text_records("a\tb\n", delimiter="\t")) == [(1, ["a", "b"])]
    monkeypatch.setattr(tables, "MAX_LINE_LENGTH", 6)
    assert list(read_text_records("abcde\n")) == [(1, ["abcde"])]
    (long,) = read_text_records("abcdef")
    assert (long.code, long.line, long.fatal) == ("long_line", 1, True)
    assert long.message == "the line is longer than 6 characters; is this a table?"
    found = list(read_text_records("a\nabcdefg\nb\n"))
    assert found[0] == (1, ["a"])
    assert (found[-1].code, found[-1].line) == ("long_line", 2)


def test_files_that_cannot_be_opened_say_why(tmp_path):
    assert refusal(open_table, tmp_path) == ("folder", "is a folder; name the files in it")
    assert refusal(open_table, tmp_path / "none.csv") == ("missing", "does not exist")
    path = tmp_path / "a.csv"
    path.write_bytes(b"x")
    with open_table(path) as stream:
        assert stream.read() == b"x"
    assert refusal(open_table, path / "b.csv")[0] in {"missing", "unreadable"}


def test_formulas_are_guarded_and_unguarded():
    for text in ("=1", "+x", "-x", "@x", "\tx", "'=1", "''=1"):
        assert guard_formula(text) == f"'{text}"
        assert unguard_formula(guard_formula(text)) == text
    for text in ("-1", "+0.5", "-.5e-3", "a=1", "'a", "", "1"):
        assert guard_formula(text) == text == unguard_formula(text)
    record, plain = Record(1, {"a": "'=1", "b": "x"}), Record(1, {"a": "x"})
    assert unguarded(record) == Record(1, {"a": "=1", "b": "x"})
    assert unguarded(plain) is plain
    rejection = Rejection("x", "y")
    assert unguarded(rejection) is rejection
    fields, rejections = parse_cells({"a": "1", "b": "x"}, {"a": parse_whole, "b": parse_whole}, 7)
    assert (fields, [(one.line, one.column) for one in rejections]) == ({"a": 1}, [(7, "b")])


# --- grids


def test_a_grid_has_so_many_rows_columns_and_cells(monkeypatch):
    def row(line: int, n: int) -> GridRow:
        return GridRow(line, tuple(Cell("x", line) for _ in range(n)))

    grid = Grid("CSV")
    grid.append(row(1, 200))
    assert flaw(grid.append, row(2, 201)) == (
        "too_many_columns", "the row has more than 200 columns", 2, "column 1", True,
    )  # fmt: skip
    monkeypatch.setattr(grids, "MAX_ROWS", 3)
    monkeypatch.setattr(grids, "MAX_CELLS", 10)
    grid = Grid("CSV")
    for line in (1, 2, 3):
        grid.append(row(line, 1))
    assert (len(grid.rows), grid.n_cells) == (3, 3)
    found = flaw(grid.append, row(4, 1))
    assert (found[0], found[2], found[4]) == ("too_many_rows", 4, True)
    grid = Grid("CSV")
    grid.append(row(1, 10))
    assert flaw(grid.append, row(2, 1))[0] == "too_many_rows"
    assert list(numbered_lines("a\r\nb\rc\nd\x0be")) == [(1, "a"), (2, "b"), (3, "c"), (4, "d\x0be")]


@pytest.mark.parametrize(
    ("text", "score", "printed"),
    [
        ("0.25", "0.25", ""),
        (" 0.25* ", "0.25", "0.25*"),
        ("88.1 ± 0.9%", "88.1%", "88.1 ± 0.9%"),
        ("88.1% ± 0.9%", "88.1%", "88.1% ± 0.9%"),
        ("0.25 (3)", "0.25", "0.25 (3)"),
        ("†0.25", "0.25", "†0.25"),
        ("^{†*} 0.25", "0.25", "^{†*} 0.25"),
        ("^{2}0.25", "^{2}0.25", ""),
        ("0.25^{ab}", "0.25", "0.25^{ab}"),
        ("0.25 x", "0.25 x", ""),
        ("0.2" + "*" * 197, "0.2", "0.2" + "*" * 197),
        ("0.2" + "*" * 198, "0.2" + "*" * 198, ""),
    ],
)
def test_scores_are_split_from_their_marks(text, score, printed):
    assert split_score(text) == (score, printed)


def test_letters_behind_a_score_may_mark_significance():
    told = {
        text: split_score(text, may_have_letters=True)[0] for text in ("0.29ab", "0.29ba", "0.29aa", "0.29s", "1.2k")
    }
    assert told == {"0.29ab": "0.29", "0.29ba": "0.29ba", "0.29aa": "0.29aa", "0.29s": "0.29s", "1.2k": "1.2k"}
    assert split_score("0.29a,c†", may_have_letters=True) == ("0.29", "0.29a,c†")
    assert split_score("0.29ab") == ("0.29ab", "")
    assert all(map(is_score, ("0.25", "0,25", "25%", "6e-5", "0.25ab†", "5")))
    assert not any(map(is_score, ("", "x", "-", "0.25 x")))


# --- JSON and YAML


def test_json_is_read_within_bounds_and_numbers_as_they_are_written(monkeypatch):
    found = read_json('\ufeff{"a": [0.30, 1, "x", true, null]}')
    assert found == {"a": ["0.30", "1", "x", True, None]}
    assert [type(one) for one in found["a"][:3]] == [Number, Number, str]
    assert flaw(read_json, '{"a": 1,\n "a": 2}')[:2] == ("duplicate_key", "the key 'a' stands twice in one object")
    assert flaw(read_json, '{\n  "a": }')[0:4:2] == ("json", 2)
    assert flaw(read_json, '{\n  "a": }')[3] == "column 8"
    assert flaw(read_json, '{"NaN": "NaN",\n "a": NaN}') == (
        "not_finite", "NaN is not a number of JSON; leave out results that have none", 2, "column 7", True,
    )  # fmt: skip
    assert flaw(read_json, "[-Infinity]")[1].startswith("-Infinity is not a number")
    assert read_json("[" * 32 + "]" * 32)
    nested = flaw(read_json, "\n" + "[" * 33 + "]" * 33)
    assert (nested[0], nested[2]) == ("nesting", 2)
    assert read_json('["' + "[" * 50 + '"]')
    assert read_json('["\\"' + "[" * 50 + '"]')
    monkeypatch.setattr(structured, "MAX_NODES", 3)
    assert read_json("[[],[]]") == [[], []]
    assert flaw(read_json, "[[],[],[]]")[0] == "nesting"
    monkeypatch.setattr(structured, "MAX_JSON_LENGTH", 4)
    assert read_json("[12]") == ["12"]
    assert flaw(read_json, "[123]") == ("too_long", "has 5 characters; the most is 4", 1, "column 1", True)


def test_yaml_is_read_within_bounds_and_scalars_as_text(monkeypatch):
    assert read_yaml("a: 0.30\nb: [1, {c: yes}]\nd:\n") == {"a": "0.30", "b": ["1", {"c": "yes"}], "d": ""}
    assert read_yaml("\ufeffx") == "x"
    assert read_yaml("") is None
    assert read_yaml("a: ! 12") == {"a": "12"}
    assert flaw(read_yaml, "a: 1\na: 2\n") == ("duplicate_key", "the key 'a' stands twice", 2, "column 1", True)
    assert flaw(read_yaml, "a: &x 1\n")[:4] == (
        "alias", "anchors and aliases are not taken; write the text out", 1, "column 4",
    )  # fmt: skip
    assert flaw(read_yaml, "a: !!int 1\n")[0] == "tag"
    assert flaw(read_yaml, "a: 1\n---\nb: 2\n")[:3] == ("several_documents", "a second document begins here", 2)
    assert flaw(read_yaml, "? [a]\n: 1\n")[:2] == ("key", "a key is text, not a list or a mapping")
    broken = flaw(read_yaml, "a: 1\nb: [\n")
    assert (broken[0], broken[1].startswith("is not YAML: ")) == ("yaml", True)
    odd = flaw(read_yaml, "a: 1\nb: \x07\n")
    assert (odd[1], odd[2]) == ("is not YAML: it contains a character that is not allowed", 2)
    assert read_yaml("[" * 32 + "]" * 32)
    assert flaw(read_yaml, "[" * 33 + "]" * 33)[:2] == ("nesting", "is nested more than 32 deep")
    monkeypatch.setattr(structured, "MAX_NODES", 3)
    assert read_yaml("[a, b]") == ["a", "b"]
    assert flaw(read_yaml, "[a, b, c]")[:2] == ("nesting", "has more than 3 parts")
    monkeypatch.setattr(structured, "MAX_YAML_LENGTH", 4)
    assert read_yaml("a: 1") == {"a": "1"}
    assert flaw(read_yaml, "a: 12")[:2] == ("too_long", "has 5 characters; the most is 4")


def test_yaml_is_written_with_each_text_on_a_line_of_its_own():
    value = {"z": "é", "a": "one\ntwo", "list": ["x" * 500, {"b": "1"}]}
    text = write_yaml(value)
    assert text.splitlines()[:2] == ["z: é", 'a: "one\\ntwo"']
    assert read_yaml(text) == value
    assert f"- {'x' * 500}" in text.splitlines()


# --- names


def test_names_are_spelled_so_long_and_cut_so_deep():
    assert measure_name("P@999999") == "P@999999"
    assert measure_name("P@0") == measure_name("P@1000k") == measure_name("P@1000000") == ""
    assert measure_name("P@999k") == "P@999000"
    assert measure_name("P@1,000") == "P@1000"
    assert measure_name("AP" + " " * 58) == "AP"
    assert measure_name("AP" + " " * 59) == ""
    assert (measure_name("N@10"), measure_name("N 10"), measure_name("P 10")) == ("nDCG@10", "", "P@10")
    assert (measure_name("R@10 (capped)"), measure_name("P@10 (capped)")) == ("R_cap@10", "")
    assert measure_name("AP(rel=2)") == measure_name("AP (rel≥2)") == "AP(rel=2)"
    assert measure_name("AP(rel=1)@10 (rel=2)") == ""
    assert (measure_name("MAP@"), measure_name("P"), measure_name("AP")) == ("", "", "AP")
    assert collection_key("2019-2020") == "2019 2020"
    assert collection_key("TREC-8 (ad hoc)") == "trec8adhoc"


@pytest.mark.parametrize(
    ("text", "collection", "measure"),
    [
        ("Robust04", "Robust04", ""),
        ("MAP", "", "MAP"),
        ("Robust04 MAP", "Robust04", "MAP"),
        ("MAP (Robust04)", "Robust04", "MAP"),
        ("P@10 [ Robust04 ]", "Robust04", "P@10"),
        ("Robust04: P@10", "Robust04", "P@10"),
        ("Robust04 and MAP", "", ""),
        ("a b c d e f g h i j k MAP", "", ""),
        ("", "", ""),
        ("Robust04" + " " * 300 + "MAP", "Robust04", "MAP"),
        ("x" * 201, "", ""),
    ],
)
def test_a_head_names_a_collection_a_measure_or_both(text, collection, measure):
    found = split_head(text, Names())
    assert (found.collection, found.measure) == (collection, measure)


# --- what stands in addresses


def test_addresses_say_a_name_in_full_where_their_letters_can():
    assert slug_of_system("bm25", "") == "bm25"
    assert slug_of_system("bm25", "castorini") == "bm25--castorini"
    assert slug_of_system("7", "").startswith("7-")
    assert slug_of_system("7", "lab") == "7--lab"
    assert slug_of_system("lab/model", "lab") == "lab__model"
    tail = slug_of_system("lab/model", "other")
    assert tail.startswith("lab-model-other-")
    assert len(tail.rpartition("-")[2]) == 5
    assert slug_of_system("lab/my model", "lab").startswith("lab-my-model-")
    assert slug_of_system("a" * 90, "") == "a" * 90
    assert slug_of_system("a" * 91, "") == f"{'a' * 90}-{slug_of_system('a' * 91, '').rpartition('-')[2]}"
    assert slug_of_system("a" * 45, "b" * 45) == f"{'a' * 45}--{'b' * 45}"
    assert "--" not in slug_of_system("a" * 45, "b" * 46)
    assert slug_of_paper("acl:p19-1001") == "acl-p19-1001"
    assert slug_of_paper("dblp:conf/sigir/x") == "dblp-conf-sigir-x"
    assert slug_of_paper("doi:10.1145/1-2") == "10.1145-1-2"
    assert slug_of_paper("doi:10.1145/1--2").startswith("10-1145-1-2-")
    assert slug_of_paper("cite:doe (sigir 2021)").startswith("doe-sigir-2021-")
    assert slug_of_paper("url:example.org/a doe (2021)").startswith("doe-2021-")
    assert slug_of_paper("url:example.org/a").startswith("example-org-a-")
    long = "doi:10.1145/" + "1" * 82
    assert slug_of_paper(long) == "10.1145-" + "1" * 82
    assert slug_of_paper(long + "1") != "10.1145-" + "1" * 83
    assert letters_of("a" * 101) == "a" * 100
    assert letters_of("aé + b--", 4) == "ae-p"
    assert letters_of("ab c", 3) == "ab"
    assert letters_of("!!") == ""


@pytest.mark.parametrize(
    ("cite", "url", "identity", "known"),
    [
        ("Doe (2021)", "", "cite:doe (2021)", {}),
        ("", "https://doi.org/10.1145/AB.12/full", "doi:10.1145/ab.12", {"doi": "10.1145/ab.12"}),
        ("", "https://arxiv.org/pdf/1904.09171v2.pdf", "arxiv:1904.09171", {"arxiv_id": "1904.09171"}),
        ("", "https://doi.org/10.48550/arXiv.1904.09171v2", "arxiv:1904.09171",
         {"arxiv_id": "1904.09171", "doi": "10.48550/arxiv.1904.09171v2"}),
        ("", "https://www.aclweb.org/anthology/p19-1001.pdf", "acl:p19-1001", {"acl_id": "P19-1001"}),
        ("", "https://aclanthology.org/2020.acl-main.1/", "acl:2020.acl-main.1", {"acl_id": "2020.acl-main.1"}),
        ("", "https://doi.org/10.18653/v1/P19-1001", "acl:p19-1001",
         {"acl_id": "P19-1001", "doi": "10.18653/v1/p19-1001"}),
        ("", "https://dblp.org/rec/conf/sigir/Doe21.html", "dblp:conf/sigir/doe21", {"dblp_key": "conf/sigir/Doe21"}),
        ("Doe", "https://www.example.org/a/?x=1#y", "url:example.org/a?x=1 doe", {}),
        ("", "https://example.org/abs/1904.09171", "url:example.org/abs/1904.09171", {}),
        ("", "https://example.org/P19-1001", "url:example.org/P19-1001", {}),
        ("", "https://example.org/rec/conf/sigir/x", "url:example.org/rec/conf/sigir/x", {}),
    ],
)  # fmt: skip
def test_what_tells_a_paper_is_read_from_its_address(cite, url, identity, known):
    found = paper_facts(cite, url)
    assert (found.identity, found.cite, found.url) == (identity, cite, url)
    told = {name: getattr(found, name) for name in ("doi", "arxiv_id", "acl_id", "dblp_key") if getattr(found, name)}
    assert told == known
    assert paper_facts("", "") is None


def test_identifiers_say_when():
    told = {
        "https://arxiv.org/abs/1904.09171": (2019, 4),
        "https://arxiv.org/abs/cs/9909001": (1999, 9),
        "https://arxiv.org/abs/1913.09171": (None, None),
        "https://arxiv.org/abs/1900.09171": (None, None),
        "https://arxiv.org/abs/1912.09171": (2019, 12),
        "https://aclanthology.org/P19-1001": (2019, None),
        "https://aclanthology.org/P60-1001": (1960, None),
        "https://aclanthology.org/P59-1001": (2059, None),
        "https://aclanthology.org/2020.acl-main.1": (2020, None),
        "https://example.org/": (None, None),
    }
    assert {url: paper_facts("", url).published for url in told} == told
    assert paper_facts("a" * 895, "").identity == "cite:" + "a" * 895
    assert paper_facts("a" * 896, "").identity.startswith("cite:sha256:")
