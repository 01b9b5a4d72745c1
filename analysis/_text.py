"""Reading text strictly: lines, the fields of a line, decimal numbers; used by :mod:`analysis.formats`."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from analysis.errors import ArgumentError, FormatError

#: Text, bytes (UTF-8), or lines of either. Never a path.
Source = str | bytes | Iterable[str] | Iterable[bytes]

TOKEN = r"[\x21-\x7e]{1,256}"
NUMBER = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?"
GRADE = r"[+-]?[0-9]{1,9}"

_RULES = {
    TOKEN: "must be 1 to 256 printable ASCII characters without blanks",
    NUMBER: "must be a decimal number such as 12.5 or -1e-3",
    GRADE: "must be a whole number",
}
_BLANKS = r"[ \t]+"
_COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_LARGEST = {"single": float(np.finfo(np.float32).max), "double": float(np.finfo(np.float64).max)}


def records(source: Source, fields: Mapping[str, str], what: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The fields of every line that is not blank, with its number; ``fields`` maps each name to its pattern."""
    pattern = re.compile("[ \t]*" + _BLANKS.join(f"({rule})" for rule in fields.values()) + "[ \t]*")
    for number, line in lines(source):
        match = pattern.fullmatch(line)
        if match:
            yield number, match.groups()
        elif line.strip(" \t"):
            raise _diagnosis(line, number, fields, what)


def table_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV or tab-separated table that are not blank, with their lines; cells without outer spaces."""
    every = [line for _, line in lines(source)]
    first = next((line for line in every if line.strip(" \t")), "")
    if "," not in first and "\t" not in first:
        hint = " (semicolons are not)" if ";" in first else ""
        raise FormatError(f"has no header of columns separated by commas or tabs{hint}; got {shown(first)}", line=1)
    reader = csv.reader(every, delimiter="," if "," in first else "\t", strict=True)
    line = 1
    try:
        for row in reader:
            if reader.line_num > line:
                raise FormatError("has a quoted cell that does not end on its line", line=line)
            if any(cell.strip(" ") for cell in row):
                yield line, [cell.strip(" ") for cell in row]
            line += 1
    except csv.Error as error:
        raise FormatError(f"can't be read as CSV: {error}", line=line) from error


def lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without a byte order mark and line ends."""
    if isinstance(source, bytes):
        source = _decoded(source)
    if isinstance(source, str):
        # Only \n ends a line here; str.splitlines would also break at form feeds and U+2028 inside a field.
        source = io.StringIO(source, newline="\n")
    if not isinstance(source, Iterable):
        raise ArgumentError("source", source, "must be text, bytes or lines; open a path first")
    for number, item in enumerate(source, start=1):
        text = _decoded(item, number) if isinstance(item, bytes) else item
        if not isinstance(text, str):
            raise ArgumentError("source", item, "must hold lines of text or bytes")
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield number, text.removesuffix("\n").removesuffix("\r")


def check_field(value: str, rule: str, line: int, column: str) -> None:
    """Refuse a value that does not match its pattern."""
    if not re.fullmatch(rule, value):
        raise FormatError(f"{_RULES[rule]}; got {shown(value)}", line=line, column=column)


def as_number(text: str, line: int, column: str, precision: str = "double") -> float:
    """The number written as text, refused where it is not a decimal number or overflows."""
    check_field(text, NUMBER, line, column)
    value = float(text)
    if not abs(value) <= _LARGEST[precision]:
        raise FormatError(f"must lie within ±{_LARGEST[precision]:.3g}; got {shown(text)}", line=line, column=column)
    return value


def shown(text: str) -> str:
    """The text in ASCII, short enough for a message whatever it holds."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."


def _diagnosis(line: str, number: int, fields: Mapping[str, str], what: str) -> FormatError:
    """Why a line is not a record; only called for lines that are not."""
    values = re.split(_BLANKS, line.strip(" \t"))
    if len(values) == len(fields):
        try:
            for (name, rule), value in zip(fields.items(), values, strict=True):
                check_field(value, rule, number, name)
        except FormatError as error:
            return error
    expected = f"{what} has {len(fields)}: {' '.join(fields)}"
    if "\r" in line:
        expected += " (a carriage return alone does not end a line)"
    return FormatError(f"has {len(values)} fields where {expected}; got {shown(line)}", line=number)


def _decoded(data: bytes, first_line: int = 1) -> str:
    if first_line == 1:
        kind = next((kind for magic, kind in _COMPRESSED.items() if data.startswith(magic)), None)
        if kind is not None:
            raise FormatError(f"is compressed ({kind}); unpack it first")
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FormatError("is UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise FormatError(f"is not UTF-8 text (byte {data[error.start]:#04x})", line=line) from error
