"""Reading BibTeX entries as they are written, without expanding anything.

A small reader of our own: the entry of one paper is all that is wanted, a refusal has to name the line and the field,
and what can turn a short text into a huge one (``@string``, ``#``) is refused before anything is made of it.
"""

import re
from dataclasses import dataclass, field

from analysis.readers.rejections import Rejection
from analysis.readers.text import shorten

MAX_BYTES = 64_000
_MAX_FIELDS = 100
_START = re.compile(r"@\s*(?P<kind>[A-Za-z]+)\s*(?P<brace>[{(])")
_KEY = re.compile(r"\s*([^\s,{}()=\"#%\\]*)\s*")
_NAME = re.compile(r"[\s,]*([A-Za-z][A-Za-z0-9_:.+/-]*)\s*(=?)\s*")
_BARE = re.compile(r"[A-Za-z0-9_:.+/-]+")
#: Abbreviations that every bibliography style defines, and the names that they stand for.
_MONTH_NAMES = """
    jan feb mar apr may jun jul aug sep sept oct nov dec
    january february march april june july august september october november december
"""
_MONTHS = frozenset(_MONTH_NAMES.split())
_NOT_KEPT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Value:
    """The text of a field as written, and the line it begins on."""

    text: str
    line: int


@dataclass
class Entry:
    """An entry as written: its fields by lower-case name, and the places that it stands between."""

    kind: str
    line: int
    start: int
    key: str = ""
    end: int = 0
    fields: dict[str, Value] = field(default_factory=dict)


class Fault(Exception):
    """A fault that keeps the whole text from being read, with its place."""

    def __init__(self, code: str, message: str, line: int, column: str = "") -> None:
        super().__init__(message)
        self.rejection = Rejection(code, message, line, column or "entry", fatal=True)


def refuse_text(text: str) -> None:
    """Refuse a text that is too long, or holds what cannot be seen or kept."""
    if not text.strip():
        raise Fault("empty", "there is nothing in it", 1)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise Fault("too_long", f"has {size:,} bytes; the most for one paper is {MAX_BYTES:,}", 1)
    match = _NOT_KEPT.search(text)
    if match:
        line = text.count("\n", 0, match.start()) + 1
        message = f"contains U+{ord(match[0]):04X}, which cannot be seen; delete it"
        raise Fault("invisible_character", message, line)


def read_entries(text: str) -> list[Entry]:
    """Return the entries of a text; what stands between them is a comment, as for BibTeX."""
    entries: list[Entry] = []
    position = 0
    while match := _START.search(text, position):
        kind = match["kind"].lower()
        reader = _Reader(text, match.end(), "}" if match["brace"] == "{" else ")")
        if kind == "comment":
            position = reader.skip_group()
            continue
        if kind in {"string", "preamble"}:
            message = f"@{kind} is not taken; write what it stands for into the entry"
            raise Fault(kind, message, reader.line(match.start()))
        entry = Entry(kind, reader.line(match.start()), match.start())
        reader.read_entry(entry)
        entries.append(entry)
        position = entry.end = reader.position
    return entries


@dataclass
class _Reader:
    text: str
    position: int
    closing: str

    def line(self, position: int | None = None) -> int:
        return self.text.count("\n", 0, self.position if position is None else position) + 1

    def read_entry(self, entry: Entry) -> None:
        """Read key and fields; the position is behind the entry afterwards."""
        match = _KEY.match(self.text, self.position)
        entry.key = match[1] if match else ""
        self.position = match.end() if match else self.position
        if not self._at(",") and not self._at(self.closing):
            if self.position >= len(self.text):
                raise self._cut_off(entry.line, "")
            message = f"after @{entry.kind} and its brace comes a key and a comma: @{entry.kind}{{key,"
            raise Fault("key", message, self.line())
        while not self._take_end(entry):
            self._read_field(entry)

    def _take_end(self, entry: Entry) -> bool:
        while self.position < len(self.text) and (self.text[self.position] in ", \t\r\n"):
            self.position += 1
        if self.position >= len(self.text):
            last = next(reversed(entry.fields), "")
            raise self._cut_off(
                entry.line, f"; the last complete field is {last}, or a brace is missing in it" if last else ""
            )
        if self._at(self.closing):
            self.position += 1
            return True
        return False

    def _read_field(self, entry: Entry) -> None:
        match = _NAME.match(self.text, self.position)
        if match is None or not match[2]:
            shown = shorten(self.text[self.position : self.position + 40].split("\n")[0], 30)
            if match and match.end() >= len(self.text):
                raise self._cut_off(entry.line, f" in {match[1]}")
            message = f"{shown!r} is no field; a field is written name = {{text}}, with a comma behind it"
            raise Fault("field", message, self.line())
        name = match[1].lower()
        self.position = match.end()
        line = self.line()
        if name in entry.fields:
            raise Fault("duplicate_field", f"the field stands in line {entry.fields[name].line} already", line, name)
        if len(entry.fields) >= _MAX_FIELDS:
            raise Fault("too_many_fields", f"the entry has more than {_MAX_FIELDS} fields", line, name)
        entry.fields[name] = Value(self._read_value(name, line), line)
        self._skip_blanks()
        if self._at("#"):
            raise Fault("concatenation", "pieces joined by # are not taken; write the text in one piece", line, name)
        if self.position < len(self.text) and not self._at(",") and not self._at(self.closing):
            raise Fault("comma", "the comma behind the field is missing, or a brace in it", line, name)

    def _read_value(self, name: str, line: int) -> str:
        if self._at("{"):
            self.position += 1
            start, self.position = self.position, self._end_of_group("}", line, name)
            return self.text[start : self.position - 1]
        if self._at('"'):
            self.position += 1
            start, self.position = self.position, self._end_of_group('"', line, name)
            return self.text[start : self.position - 1]
        match = _BARE.match(self.text, self.position)
        if match is None:
            if self.position >= len(self.text):
                raise self._cut_off(line, f" in {name}", name)
            raise Fault("value", "has no value; write it in braces", line, name)
        self.position = match.end()
        if self.position >= len(self.text):
            raise self._cut_off(line, f" in {name}", name)
        if not match[0].isdigit() and match[0].lower() not in _MONTHS:
            message = f"{shorten(match[0])!r} is an abbreviation; write the text itself, in braces"
            raise Fault("abbreviation", message, line, name)
        return match[0]

    def _end_of_group(self, closing: str, line: int, name: str) -> int:
        """Return the place behind the brace or quote that ends the value; braces count, whatever stands before them."""
        depth = 0
        for match in re.compile(r'[{}"]').finditer(self.text, self.position):
            if match[0] == closing and not depth:
                return match.end()
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth < 0:
                raise Fault("brace", "a brace is closed here that was not opened", self.line(match.start()), name)
        raise self._cut_off(line, f" in {name}, which begins here", name)

    def skip_group(self) -> int:
        """Return the place behind the group that the position is in."""
        depth = 0
        for match in re.compile(r"[{}]").finditer(self.text, self.position):
            depth += 1 if match[0] == "{" else -1
            if depth < 0:
                return match.end()
        raise Fault("cut_off", "a comment begins here and is never closed", self.line())

    def _skip_blanks(self) -> None:
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1

    def _at(self, character: str) -> bool:
        return self.text.startswith(character, self.position)

    def _cut_off(self, line: int, where: str, column: str = "") -> Fault:
        message = f"the entry is cut off{where}; copy it up to the {self.closing} that closes it"
        return Fault("cut_off", message, line, column)
