"""Papers of BibTeX: their titles, authors, venues and identifiers, from one entry or from all of a file."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from analysis.readers.bibliography.bibtex_entries import Entry, Fault, read_entries, refuse_text
from analysis.readers.bibliography.papers import Authors, PaperDraft, draft_of_addresses, read_authors
from analysis.readers.grids import show_raised
from analysis.readers.identifiers import arxiv_address, dblp_address, doi_address
from analysis.readers.latex.text import printed
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.text import clean_name, clean_text, clean_url, shorten

Read = TypeVar("Read")

_ESCAPED = re.compile(r"\\([_%&#$~{}])")
_YEAR = re.compile(r"((?:19|20)[0-9]{2})(?:-[0-9]{2}(?:-[0-9]{2})?)?")
#: arXiv ids where there is no field for them: ``arXiv preprint arXiv:1904.09171``, ``CoRR`` with the volume ``abs/…``.
_PREPRINT = re.compile(r"(?:arxiv:|\babs/)\s*([0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})", re.IGNORECASE)
_VENUES = ("booktitle", "journal", "journaltitle", "school", "institution", "howpublished")
#: The short name of a conference, before its year: ``SIGIR '05``, ``CIKM 2005``.
_ACRONYM = re.compile(r"\b([A-Z][A-Za-z-]*[A-Z][A-Za-z]*)\b(?=[ '’]*(?:19|20)?[0-9]{2}\b)")


def read_bibtex(text: str) -> PaperDraft | list[Rejection]:
    """Return the paper of a BibTeX entry, or everything that is wrong with the entry.

    The entry is kept as it was given. A second entry is taken only where the first refers to it by ``crossref``.
    """
    text = text.removeprefix("\ufeff")
    try:
        refuse_text(text)
        entries = read_entries(text)
        entry = _only_entry(entries)
    except Fault as fault:
        return [fault.rejection]
    return paper_of_entry(entry, text[entries[0].start : entries[-1].end])


def paper_of_entry(entry: Entry, verbatim: str) -> PaperDraft | list[Rejection]:
    """Return the paper of an entry that was read, or everything that is wrong with its fields."""
    return _Paper(entry).read(verbatim)


def _only_entry(entries: list[Entry]) -> Entry:
    """Return the entry, with what it takes from the proceedings that it refers to where these stand beside it."""
    if not entries:
        raise Fault("no_entry", "there is no BibTeX entry in it; an entry begins as @article{key,", 1)
    first, *others = entries
    if not others:
        return first
    parent = others[0]
    if len(others) == 1 and parent.key and crossref(first) == parent.key.casefold():
        return inherit(first, parent)
    message = f"there are {len(entries)} entries in it, and this is the second; paste the entry of one paper"
    raise Fault("several_entries", message, parent.line)


def crossref(entry: Entry) -> str:
    """Return the key of the proceedings that the entry refers to, in lower case; blank where it refers to none."""
    return entry.fields["crossref"].text.strip().casefold() if "crossref" in entry.fields else ""


def inherit(entry: Entry, parent: Entry) -> Entry:
    """Return the entry, with what it takes from the proceedings that it refers to."""
    inherited = dict(parent.fields)
    if title := inherited.pop("title", None):
        inherited["booktitle"] = title
    return replace(entry, fields=inherited | entry.fields)


class _Paper:
    """An entry on its way to a paper; what is wrong is noted field by field."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._rejections: list[Rejection] = []

    def read(self, verbatim: str) -> PaperDraft | list[Rejection]:
        title = self._checked("title", lambda: _required(clean_name(self._printed("title"), max_length=500)))
        by = "author" if "author" in self._entry.fields else "editor"
        authors = self._checked(by, lambda: read_authors(self._written(by)), Authors())
        names = self._checked(by, lambda: clean_text(str(authors)))
        year = self._checked("year", self._year, None)
        where = next((name for name in _VENUES if name in self._entry.fields), "booktitle")
        venue = self._checked(where, lambda: clean_name(shorten(self._printed(where), 200)))
        cite = self._checked(by, lambda: self._cite(authors, title, year))
        draft = draft_of_addresses(self._addresses(), cite)
        if self._rejections or draft is None:
            return self._rejections
        return replace(draft, cite=cite, title=title, authors=names, venue=venue, year=year, bibtex=verbatim)

    def _checked(self, name: str, read: Callable[[], Read], instead: Read = "") -> Read:  # type: ignore[assignment]
        """Return what is read, or something instead once it is noted why the field cannot be taken."""
        try:
            return read()
        except Refused as refused:
            line = self._entry.fields[name].line if name in self._entry.fields else self._entry.line
            self._rejections.append(refused.at(line, name))
            return instead

    def _written(self, name: str) -> str:
        return self._entry.fields[name].text if name in self._entry.fields else ""

    def _printed(self, name: str) -> str:
        return show_raised(printed(self._written(name)).text)

    def _bare(self, name: str) -> str:
        """Return an address or identifier: as written, without braces and LaTeX's escapes."""
        text = self._written(name).strip().removeprefix("\\url")
        return _ESCAPED.sub(r"\1", text).replace("{", "").replace("}", "").strip()

    def _year(self) -> int | None:
        text = self._bare("year") or self._bare("date")
        match = _YEAR.fullmatch(text)
        if text and not match:
            raise Refused("year", f"{shorten(text)!r} is not a year; write it as 2004, or leave it out")
        return int(match[1]) if match else None

    def _cite(self, authors: Authors, title: str, year: int | None) -> str:
        """Return the paper in short: ``Doe and Roe (SIGIR 2005)``."""
        place = " ".join(filter(None, [self._acronym(), str(year) if year else ""]))
        names = shorten(authors.short or title, 200)
        return clean_name(f"{names} ({place})" if place else names)

    def _acronym(self) -> str:
        """Return what the conference or journal is called for short, where the entry shows it."""
        if match := re.match(r"DBLP:(?:conf|journals)/([a-z0-9]+)/", self._entry.key):
            return "CoRR" if match[1] == "corr" else match[1].upper()
        for name in ("series", "booktitle"):
            if match := _ACRONYM.search(self._printed(name)):
                return match[1]
        journal = self._printed("journal") or self._printed("journaltitle")
        if "arxiv" in journal.lower():
            return "arXiv"
        return journal if len(journal) <= 40 else ""

    def _addresses(self) -> list[str]:
        """Return the addresses of all identifiers that the entry shows; only without any it needs one of its own."""
        addresses = [
            self._checked("doi", lambda: doi_address(self._bare("doi"))) if self._bare("doi") else "",
            self._checked("eprint", self._arxiv),
            dblp_address(self._entry.key) if self._entry.key.startswith("DBLP:") else "",
        ]
        try:
            addresses.append(clean_url(self._bare("url")))
        except Refused as refused:
            if not any(addresses):
                self._rejections.append(refused.at(self._entry.fields["url"].line, "url"))
        return list(filter(None, addresses))

    def _arxiv(self) -> str:
        """Return the address on arXiv: of the entry's eprint, or of what bibliographies write in its place."""
        archive = self._bare("archiveprefix") or self._bare("eprinttype") or "arxiv"
        if self._bare("eprint") and archive.lower() == "arxiv":
            return arxiv_address(self._bare("eprint"))
        text = f"{self._bare('journal')} {self._bare('volume')} {self._bare('howpublished')}"
        match = _PREPRINT.search(text)
        return arxiv_address(match[1]) if match else ""


def _required(text: str) -> str:
    if not text:
        raise Refused("blank", "is missing")
    return text


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
