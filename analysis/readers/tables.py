"""Tables of text (CSV), read as a stream, and the rows of cells that every format of exchange shares.

Reading is strict about what it takes, and exact about where something is wrong.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from analysis.readers.columns import COLUMNS
from analysis.readers.grids import MAX_CELL_LENGTH
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import comparison_key, did_you_mean, shorten

MAX_LINE_LENGTH = 1_000_000
_SAMPLE_BYTES = 8192
_TEXT_BYTES = bytes([7, 8, 9, 10, 11, 12, 13, *range(32, 127), *range(128, 256)])
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
    (b"\x1f\x8b", "compressed with gzip"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "an SQLite database"),
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


NONE: Mapping[str, str] = MappingProxyType({})
#: A spreadsheet takes a cell that starts with one of these for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a table: the line it starts on, and its cells by column; columns the file lacks are blank.

    ``topics`` are the scores by topic that its score is the mean of, where the table has them. ``whose`` says why it
    may be its author's own: it is ``bold``, or in the ``last`` group of rows; blank without a sign.
    """

    line: int
    cells: dict[str, str]
    topics: Mapping[str, float] = field(default_factory=dict)
    whose: str = ""

    def having(self, cells: Mapping[str, str]) -> "Record":
        """Return the same row with these cells in the place of its own."""
        return replace(self, cells=self.cells | dict(cells))


def parse_cells(
    cells: Mapping[str, str], parsers: Mapping[str, Callable[[str], Any]], line: int
) -> tuple[dict[str, Any], list[Rejection]]:
    """Return what the parsers make of the cells of their columns, and what is wrong with the others."""
    fields, rejections = {}, []
    for column, parse in parsers.items():
        try:
            fields[column] = parse(cells[column])
        except Refused as refused:
            rejections.append(refused.at(line, column))
    return fields, rejections


def guard_formula(text: str) -> str:
    """Return the text of a cell, with a quote before what a spreadsheet would run; numbers stay as they are.

    Texts that start with quotes before such a character get one more, so that taking one off is always right.
    """
    if text.lstrip("'").startswith(_FORMULA_STARTS) and not _PLAIN_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def unguard_formula(text: str) -> str:
    """Return the text as it was before ``guard_formula``."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_FORMULA_STARTS) else text


def unguarded(record: Record | Rejection) -> Record | Rejection:
    """Return the row as it was before its texts were guarded against spreadsheets."""
    if isinstance(record, Rejection) or not any(text.startswith("'") for text in record.cells.values()):
        return record
    return Record(record.line, {column: unguard_formula(text) for column, text in record.cells.items()})


def open_table(path: Path) -> BinaryIO:
    """Return the file, opened; refused with the reason where there is none to read."""
    if path.is_dir():
        raise Refused("folder", "is a folder; name the files in it")
    try:
        if not path.is_file() and path.exists():
            raise Refused("not_a_file", "is not a regular file")
        stream = path.open("rb")
    except FileNotFoundError as error:
        raise Refused("missing", "does not exist") from error
    except OSError as error:
        raise Refused("unreadable", f"cannot be read: {error.strerror or error}") from error
    return stream


def read_table(
    stream: BinaryIO, *, required: Sequence[str], optional: Sequence[str], former: Mapping[str, str] = NONE
) -> Iterator[Record | Rejection]:
    """Return the rows of a CSV file with these columns in any order, and a rejection for each row that cannot be read.

    ``former`` has what a column was called once, and what it is called now.
    """
    return _as_table(read_records(stream), required, optional, former)


def read_text_table(
    text: str, *, required: Sequence[str], optional: Sequence[str], former: Mapping[str, str] = NONE
) -> Iterator[Record | Rejection]:
    """Return the rows as ``read_table`` does, from text at hand, which may hold what a file would be refused for."""
    return _as_table(read_text_records(text.removeprefix("\ufeff")), required, optional, former)


def _as_table(
    records: Iterator[tuple[int, list[str]] | Rejection],
    required: Sequence[str],
    optional: Sequence[str],
    former: Mapping[str, str],
) -> Iterator[Record | Rejection]:
    header = next(records, None)
    if header is None:
        yield Rejection("empty", "the file is empty", fatal=True)
        return
    if isinstance(header, Rejection):
        yield replace(header, fatal=True)
        return
    names = [comparison_key(name) for name in header[1]]
    columns = [former.get(name, name) for name in names]
    faults = list(_separator_fault(*header)) or list(_header_faults(header[0], columns, required, optional))
    if faults:
        yield from faults
        return
    blanks = dict.fromkeys([*required, *optional], "")
    for record in records:
        yield record if isinstance(record, Rejection) else _record_of(record, columns, blanks)


def _record_of(record: tuple[int, list[str]], columns: list[str], blanks: dict[str, str]) -> Record | Rejection:
    line, cells = record
    if len(cells) != len(columns):
        hint = "; is a comma missing its quotes?" if len(cells) > len(columns) else ""
        return Rejection("ragged", f"the row has {len(cells)} cells, the header has {len(columns)}{hint}", line)
    return Record(line, blanks | dict(zip(columns, cells, strict=True)))


def _separator_fault(line: int, cells: list[str]) -> Iterator[Rejection]:
    for character, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        if len(cells) == 1 and character in cells[0]:
            message = f"the columns seem to be separated by {name}; save the file with commas"
            yield Rejection("separator", message, line, fatal=True)


def _header_faults(
    line: int, columns: list[str], required: Sequence[str], optional: Sequence[str]
) -> Iterator[Rejection]:
    known = [*required, *optional]
    free = [name for name in known if name not in columns]
    for name, count in Counter(columns).items():
        # Half a character cannot be shown.
        shown = shorten(name).encode("utf-8", "replace").decode() or "(blank)"
        if count > 1:
            yield Rejection("duplicate_column", f"{count} columns have this name", line, shown, fatal=True)
        if name not in known:
            hint = did_you_mean(name, free) or f"; the columns are {', '.join(known)}"
            yield Rejection("unknown_column", f"unknown column{hint}", line, shown, fatal=True)
    for name in required:
        if name not in columns:
            yield Rejection("missing_column", "this column is missing", line, name, fatal=True)


def read_records(stream: BinaryIO) -> Iterator[tuple[int, list[str]] | Rejection]:
    """Yield the rows of a CSV file as (line, cells); rows without any content are passed over.

    UTF-8 with or without byte-order mark; lines end in LF, CRLF or CR; quoted cells may hold line ends. A row that
    cannot be read becomes a rejection, and reading goes on behind it where the place to go on is certain.
    """
    buffered = io.BufferedReader(stream)  # type: ignore[type-var]
    text = io.TextIOWrapper(buffered, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        fault = _not_text(buffered.peek(_SAMPLE_BYTES)[:_SAMPLE_BYTES])
        if fault:
            yield fault
        else:
            yield from _rows_of(_Lines(text))
    finally:
        # The stream is the caller's to close; a wrapper that is thrown away would close it.
        text.detach()
        buffered.detach()


def read_text_records(text: str, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]] | Rejection]:
    """Return the rows as ``read_records`` does, from text at hand, with another character between cells if need be."""
    return _rows_of(_Lines(io.StringIO(text, newline="")), delimiter)


def decode(content: bytes) -> str:
    """Return the text of a file that was sent, UTF-8, without its byte-order mark; others are refused."""
    fault = _not_text(content[:_SAMPLE_BYTES])
    if fault:
        raise Refused(fault.code, fault.message)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(
            "encoding",
            f"is not UTF-8: byte 0x{content[error.start]:02X} in line {line}; save the file with the encoding UTF-8",
        ) from error


def _rows_of(lines: "_Lines", delimiter: str = ",") -> Iterator[tuple[int, list[str]] | Rejection]:
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.number + 1
        try:
            cells = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            rejection = _csv_rejection(str(error), start)
            yield rejection
            if rejection.fatal:
                break
            lines.flaws.clear()
            continue
        if lines.flaws:
            yield from lines.flaws
            lines.flaws.clear()
        elif any(cell.strip() for cell in cells):
            yield start, cells
    if lines.too_long:
        message = f"the line is longer than {MAX_LINE_LENGTH:,} characters; is this a table?"
        yield Rejection("long_line", message, lines.number, fatal=True)


class _Lines:
    """The lines of a text, counted; ``flaws`` holds what is wrong with those read since it was cleared."""

    def __init__(self, text: io.TextIOWrapper | io.StringIO) -> None:
        self._text = text
        self.number = 0
        self.flaws: list[Rejection] = []
        self.too_long = False

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._text.readline(MAX_LINE_LENGTH)
        if not line or self.too_long:
            raise StopIteration
        self.number += 1
        if len(line) >= MAX_LINE_LENGTH and line[-1] not in "\r\n":
            self.too_long = True
            raise StopIteration
        if "\0" in line:
            column = line.index("\0") + 1
            message = f"contains a NUL character (character {column} of the line); delete it"
            self.flaws.append(Rejection("nul", message, self.number))
        if not line.isascii() and (bad := _UNDECODABLE.search(line)):
            byte = ord(bad[0]) - 0xDC00
            message = (
                f"is not UTF-8: byte 0x{byte:02X} after {bad.start()} characters of the line; "
                "save the file with the encoding UTF-8"
            )
            self.flaws.append(Rejection("encoding", message, self.number))
        return line


def _not_text(sample: bytes) -> Rejection | None:
    if not sample or sample == b"\xef\xbb\xbf":
        return Rejection("empty", "the file is empty", fatal=True)
    for signature, kind in _SIGNATURES:
        if sample.startswith(signature):
            return Rejection("binary", f"the file is {kind}, not CSV text; export the table as CSV", fatal=True)
    if sample.startswith(_UTF_16):
        return Rejection("encoding", "the file is UTF-16; save it with the encoding UTF-8", fatal=True)
    if len(sample.translate(None, _TEXT_BYTES)) > max(4, 0.05 * len(sample)):
        return Rejection("binary", "the file is binary, not CSV text", fatal=True)
    return None


def _csv_rejection(error: str, line: int) -> Rejection:
    if "unexpected end of data" in error:
        message = "a quote is opened in the row that begins here and never closed"
        return Rejection("unclosed_quote", message, line, fatal=True)
    if "field larger than field limit" in error:
        limit = csv.field_size_limit()
        message = f"a cell of the row that begins here has more than {limit:,} characters; is a quote not closed?"
        return Rejection("long_cell", message, line, fatal=True)
    message = "a quoted cell goes on behind its closing quote; a quote inside a quoted cell is written twice"
    return Rejection("quote", f"{message} (the row begins here)", line)


MAX_RESULTS = 10_000
#: The columns that programs may write as numbers.
NUMERIC_COLUMNS = frozenset({"value", "year", "n_topics"})
BLANKS = dict.fromkeys(COLUMNS, "")
#: What databases cannot keep: half characters, and the character that ends texts in other languages.
NO_TEXT = re.compile("[\0\ud800-\udfff]")

#: What may be said once for all rows, beside them.
FOR_ALL = ("collection", "measure", "system", "role", "unit", "paper", "paper_url", "year", "source", "locator")

Row = Mapping[str, str]


def as_record(number: int, cells: Mapping[str, str]) -> Record | Rejection:
    """Return the row with all its columns, once it is known that a database can keep it."""
    for column, text in cells.items():
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS) or f"; the columns are {', '.join(COLUMNS)}"
            return Rejection("unknown_column", f"unknown column{hint}", number, shown_name(column))
        if not isinstance(text, str):
            return Rejection("not_text", "is not text; write scores as text, exactly as reported", number, column)
        if match := NO_TEXT.search(text):
            return Rejection("no_text", f"contains U+{ord(match[0]):04X}, which is no text; delete it", number, column)
        if len(text) > MAX_CELL_LENGTH:
            message = f"has {len(text):,} characters; the most is {MAX_CELL_LENGTH:,}"
            return Rejection("too_long", message, number, column)
    return Record(number, BLANKS | dict(cells))


def shown_name(column: str) -> str:
    """Return the name of a column nobody knows, as it can be shown and stored."""
    return ascii(shorten(column))[1:-1] or "(blank)"


def as_records(rows: Sequence[Mapping[str, str] | Rejection]) -> list[Record | Rejection]:
    """Return the rows, numbered from 1; refused as a whole where there are none or too many."""
    if not rows:
        return [Rejection("empty", "there are no results in it", 1, "results", fatal=True)]
    if len(rows) > MAX_RESULTS:
        message = f"has {len(rows):,} results; the most is {MAX_RESULTS:,}. Send them in parts"
        return [Rejection("too_many_rows", message, MAX_RESULTS + 1, "results", fatal=True)]
    return [row if isinstance(row, Rejection) else as_record(number, row) for number, row in enumerate(rows, 1)]


def filled(row: Row) -> dict[str, str]:
    """Return the cells that hold something, in the order of the columns."""
    return {column: row[column] for column in COLUMNS if row.get(column)}


def runs_of(rows: Iterable[Row]) -> list[list[Row]]:
    """Return the rows in groups that differ in measure and value only: each is one run, as run cards describe it."""
    groups: dict[tuple[tuple[str, str], ...], list[Row]] = {}
    for row in rows:
        shared = tuple((column, text) for column, text in filled(row).items() if column not in {"measure", "value"})
        groups.setdefault(shared, []).append(row)
    return list(groups.values())


def only_run(rows: Sequence[Row]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return what the rows of one run share, and their measures with values; refused where they are of several runs."""
    runs = runs_of(rows)
    if len(runs) != 1:
        raise Refused("several_runs", f"the format holds one run, and these rows are of {len(runs)}")
    shared = {column: text for column, text in filled(rows[0]).items() if column not in {"measure", "value"}}
    return shared, [(row.get("measure", ""), row.get("value", "")) for row in rows]


def fill_blanks(records: Iterable[Record | Rejection], defaults: Row) -> list[Record | Rejection]:
    """Return the records, with what holds for all of them in the cells that are blank."""
    return [
        record
        if isinstance(record, Rejection)
        else record.having({k: text for k, text in defaults.items() if not record.cells.get(k)})
        for record in records
    ]
