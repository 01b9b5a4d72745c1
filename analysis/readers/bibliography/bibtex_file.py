"""The papers of a whole BibTeX file: entry by entry, so that a broken one costs no other."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from analysis.readers.bibliography.bibtex import crossref, inherit, paper_of_entry
from analysis.readers.bibliography.bibtex_entries import Entry, Fault, read_entries, refuse_text
from analysis.readers.bibliography.papers import PaperDraft
from analysis.readers.rejections import Rejection

#: Where an entry begins: at the start of a line, or behind the brace that ends another.
_BEGINS = re.compile(r"(?:^|\})[ \t]*(?=@\s*[A-Za-z]+\s*[{(])", re.MULTILINE)
#: Volumes that papers stand in; they are read for what papers take from them.
_VOLUMES = frozenset({"proceedings", "collection"})


@dataclass(frozen=True, slots=True)
class FileEntry:
    """An entry of a file as written, the line that it begins in, and its paper or what is wrong with it."""

    line: int
    text: str
    paper: PaperDraft | None = None
    rejections: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """The text from the beginning of one entry to that of the next."""

    line: int
    text: str
    entries: tuple[Entry, ...] = ()
    fault: Rejection | None = None


def read_bibtex_file(text: str) -> Iterator[FileEntry]:
    """Yield every entry in the order of the file, volumes of proceedings aside.

    Reading goes on where the next entry begins, whatever was wrong with the one before; lines are those of the file.
    """
    pieces = [_read(line, piece) for line, piece in _divide(text.removeprefix("\ufeff"))]
    volumes = {entry.key.casefold(): (entry, piece) for piece in pieces for entry in piece.entries if entry.key}
    for piece in pieces:
        if piece.fault:
            yield FileEntry(piece.line, piece.text.strip(), rejections=_placed([piece.fault], piece.line))
        for entry in piece.entries:
            if entry.kind not in _VOLUMES:
                yield _paper(entry, piece, volumes.get(crossref(entry)))


def _divide(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text of each entry with the line that it begins in; what stands before the first is a comment."""
    starts = [match.end() for match in _BEGINS.finditer(text)]
    line, before = 1, 0
    for start, end in pairwise([*starts, len(text)]):
        line, before = line + text.count("\n", before, start), start
        yield line, text[start:end]


def _read(line: int, text: str) -> _Piece:
    try:
        refuse_text(text)
        return _Piece(line, text, tuple(read_entries(text)))
    except Fault as fault:
        return _Piece(line, text, fault=fault.rejection)


def _paper(entry: Entry, piece: _Piece, volume: tuple[Entry, _Piece] | None) -> FileEntry:
    line = piece.line + entry.line - 1
    text = piece.text[entry.start : entry.end]
    verbatim = text
    if volume:
        parent, around = volume
        entry = inherit(entry, parent)
        verbatim = f"{text}\n\n{around.text[parent.start : parent.end]}"
    draft = paper_of_entry(entry, verbatim)
    if isinstance(draft, PaperDraft):
        return FileEntry(line, text, paper=draft)
    return FileEntry(line, text, rejections=_placed(draft, piece.line))


def _placed(rejections: Iterable[Rejection], first_line: int) -> tuple[Rejection, ...]:
    """Return the rejections with the lines of the file, none of them fatal: other entries may be right."""
    return tuple(
        replace(rejection, line=first_line + (rejection.line or 1) - 1, fatal=False) for rejection in rejections
    )
