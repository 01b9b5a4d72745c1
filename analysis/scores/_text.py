"""Reading text strictly: lines, the fields of a line, decimal numbers."""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

import numpy as np

from analysis._validation import LARGEST, check_labels
from analysis.errors import ArgumentError, FormatError

Value = TypeVar("Value")

#: Text, bytes (UTF-8), or lines of either. Never a path.
Source = str | bytes | Iterable[str] | Iterable[bytes]

TOKEN = r"[\x21-\x7e]{1,256}"
NUMBER = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?"
GRADE = r"[+-]?[0-9]{1,9}(?:\.0{0,20})?"
#: Stands in the place of a topic where a value is over all of them.
SUMMARY = "all"

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
_PATTERNS = {rule: re.compile(rule) for rule in _RULES}
#: Of a number that is kept in single precision, or that a statistic treats.
_LARGEST = {"single": float(np.finfo(np.float32).max), "double": LARGEST}

#: So many faults of a file are kept and told; the rest are counted, so that memory stays bounded whatever the file.
MAX_FAULTS = 100


class Faults:
    """The faults of a file, in the order of its lines."""

    def __init__(self) -> None:
        self._kept: list[FormatError] = []
        self._n_untold = 0

    def add(self, fault: FormatError) -> None:
        """Keep a fault, or count it where there are too many."""
        if len(self._kept) < MAX_FAULTS:
            # A copy: the one that was raised holds on to the line that it was raised for, however long that is.
            self._kept.append(FormatError(fault.message, line=fault.line, column=fault.column))
        else:
            self._n_untold += 1

    def attempt(self, check: Callable[..., Value], *arguments: object) -> Value | None:
        """Return what a check gives; None where it finds a fault, which is kept."""
        try:
            return check(*arguments)
        except FormatError as fault:
            self.add(fault)
            return None

    def refuse_any(self) -> None:
        """Raise all faults, as one error."""
        if self._kept:
            first, *others = self._kept
            raise FormatError(
                first.message, line=first.line, column=first.column, others=others, n_untold=self._n_untold
            )


def read_records(source: Source, fields: Mapping[str, str], what: str, take: Callable[..., None]) -> None:
    """Give (line number, *fields) of every line that is not blank to ``take``, and refuse at the end all that failed.

    ``fields`` maps each name to its pattern. ``take`` raises FormatError where a record can't be used.
    """
    pattern = re.compile("[ \t]*" + _BLANKS.join(f"({rule})" for rule in fields.values()) + "[ \t]*")
    faults = Faults()
    for number, line in lines(source, faults):
        match = pattern.fullmatch(line)
        if match:
            try:
                take(number, *match.groups())
            except FormatError as fault:
                faults.add(fault)
        elif line.strip(" \t"):
            for problem in _diagnosis(line, number, fields, what):
                faults.add(problem)
    faults.refuse_any()


def table_rows(source: Source, faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV or tab-separated table that are not blank, with their lines; cells without outer spaces.

    A fault in the quoting ends the table: what the rows behind it hold is anybody's guess.
    """
    texts = (text for _, text in lines(source, faults))
    blank: list[str] = []
    for first in texts:
        if first.strip(" \t"):
            break
        blank.append(first)
    else:
        first = ""
    if "," not in first and "\t" not in first:
        hint = " (semicolons are not)" if ";" in first else ""
        message = f"has no header of columns separated by commas or tabs{hint}; got {shown(first)}"
        faults.add(FormatError(message, line=1))
        return
    reader = csv.reader(chain(blank, [first], texts), delimiter="," if "," in first else "\t", strict=True)
    line = 1
    try:
        for row in reader:
            if reader.line_num > line:
                faults.add(FormatError("has a quoted cell that does not end on its line", line=line))
                return
            if any(cell.strip(" \t") for cell in row):
                yield line, [cell.strip(" ") for cell in row]
            line += 1
    except csv.Error as error:
        faults.add(FormatError(f"can't be read as CSV: {error}", line=line))


def lines(source: Source, faults: Faults) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, without byte order mark and line ends; one that is not UTF-8 is a fault, and
    blank."""
    if isinstance(source, bytes):
        source = io.BytesIO(source)
    if isinstance(source, str):
        # Only \n ends a line here; str.splitlines would also break at form feeds and U+2028 inside a field.
        source = io.StringIO(source, newline="\n")
    if not isinstance(source, Iterable):
        raise ArgumentError("source", source, "must be text, bytes or lines; open a path first")
    for number, item in enumerate(source, start=1):
        if number == 1 and isinstance(item, bytes):
            _refuse_compressed(item)
        if isinstance(item, bytes):
            try:
                text = item.decode("utf-8")
            except UnicodeDecodeError as error:
                faults.add(FormatError(f"is not UTF-8 text (byte {item[error.start]:#04x})", line=number))
                text = ""
        elif isinstance(item, str):
            text = item
        else:
            raise ArgumentError("source", item, "must hold lines of text or bytes")
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield number, text.removesuffix("\n").removesuffix("\r")


def check_field(value: str, rule: str, line: int, column: str) -> None:
    """Refuse a value that does not match its pattern."""
    fault = _field_fault(value, rule, line, column)
    if fault:
        raise fault


def as_number(text: str, line: int, column: str, precision: str = "double") -> float:
    """Return the number written as text, refused where it is not a decimal number or too large."""
    if not _PATTERNS[NUMBER].fullmatch(text):
        check_field(text, NUMBER, line, column)
    value = float(text)
    if not abs(value) <= _LARGEST[precision]:
        raise FormatError(f"must lie within ±{_LARGEST[precision]:.3g}; got {shown(text)}", line=line, column=column)
    return value


def shown(text: str) -> str:
    """Return the text in ASCII, short enough for a message whatever it holds."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."


def known_topics(topics: Collection[str] | None) -> frozenset[str] | None:
    """Return the topics that may occur; None where any may."""
    return None if topics is None else frozenset(check_labels(topics, "topics"))


def check_topic(topic: str, known: frozenset[str] | None, line: int) -> None:
    """Refuse a topic that may not occur."""
    if known is not None and topic not in known:
        raise FormatError(f"{topic!r} is not a topic of this collection", line=line, column="topic")


def number_of(n: int, singular: str, plural: str) -> str:
    """Return so many of something, as a message says it."""
    return f"{n} {singular if n == 1 else plural}"


def _field_fault(value: str, rule: str, line: int, column: str) -> FormatError | None:
    if _PATTERNS[rule].fullmatch(value):
        return None
    return FormatError(f"{_RULES[rule]}; got {shown(value)}", line=line, column=column)


def _diagnosis(line: str, number: int, fields: Mapping[str, str], what: str) -> list[FormatError]:
    """Return why a line is not a record, field by field where it has as many; only called for lines that are not."""
    values = re.split(_BLANKS, line.strip(" \t"))
    if len(values) == len(fields):
        pairs = zip(fields.items(), values, strict=True)
        faults = [fault for (name, rule), value in pairs if (fault := _field_fault(value, rule, number, name))]
        if faults:
            return faults
    expected = f"{what} has {len(fields)}: {' '.join(fields)}"
    if len(values) == 1 and "," in line:
        expected += ", with blanks or tabs between them and no commas"
    if "\r" in line:
        expected += " (a carriage return alone does not end a line)"
    return [FormatError(f"has {len(values)} fields where {expected}; got {shown(line)}", line=number)]


def _refuse_compressed(data: bytes) -> None:
    """Refuse a file, or its first line, that begins as no text in UTF-8 does."""
    kind = next((kind for magic, kind in _COMPRESSED.items() if data.startswith(magic)), None)
    if kind is not None:
        raise FormatError(f"is compressed ({kind}); unpack it first")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("is UTF-16; save it as UTF-8")
