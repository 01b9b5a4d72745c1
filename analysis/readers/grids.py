"""A table as it stands in a text: rows of cells with their lines, before anything is known of what they mean."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from analysis.readers.rejections import Rejection

#: Beyond these a text is no table of results: what is longer or wider is refused before it takes up memory.
MAX_CELL_LENGTH = 20_000
MAX_COLUMNS = 200
MAX_ROWS = 11_000
MAX_CELLS = 400_000

#: What papers put beside a score: significance, footnotes.
_SIGNS = "*∗⋆★☆†‡§¶‖∥#▲△▴▵▼▽▾▿↑↓•◦⋄♢♣♡♠✓✗✅🥇🥈🥉🏆"
_RAISED = "ªº²³¹⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
_NUMBER = r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
# A number raised below zero is no footnote but a power of ten.
_MARK = rf"[{_SIGNS}{_RAISED}]|\^\{{(?![-−–])[^{{}}]*\}}(?:_[0-9a-z]+)?"
#: What is printed below the line. A whole number there may be part of what a program wrote: 1_000.
_BELOW = r"_(?:\([^()]{1,20}\)|[+\-−–]?[0-9]*\.[0-9]+|[a-z]{1,6}(?![0-9a-z]))"
_SPREAD = rf"(?:±|\+/-|\+-|∓)\s*{_NUMBER}(?P<percent>%)?"
#: By how much it is better or worse, as behind an arrow or a sign.
_GAIN = rf"(?:[↑↓⇑⇓▲▼△▽]\s*|(?<=\s)[+−-]){_NUMBER}%?"
_REMARK = r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]"
_SCORE = re.compile(
    rf"(?:(?:[{_SIGNS}]|\^\{{[{_SIGNS}]+\}})\s*)*(?P<score>[+-]?(?:[0-9]+,[0-9]+|{_NUMBER})(?:[eE][+-]?[0-9]{{1,3}})?%?)"
    rf"(?:\s*(?:{_GAIN}|{_MARK}|{_BELOW}|{_SPREAD}|{_REMARK}))*"
)
#: The letters of the systems that are beaten, as a copy out of a PDF leaves them: 0.2903ab.
_LETTERS = re.compile(r"(?P<bare>[+-]?[0-9]*\.[0-9]+)(?P<letters>[a-z](?:,?[a-z])*)(?![0-9A-Za-z.+\-%])")
_UNITS = frozenset({"b", "g", "h", "k", "m", "ms", "s", "x"})
_LIKE_A_SCORE = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?%?")
_FOOTNOTE = re.compile(rf"\s*\^\{{(?:[{_SIGNS}]|[a-z0-9](?=[,}}]))[{_SIGNS},a-z0-9 ]*\}}|\s*[†‡]+$")
_RAISED_SIGNS = re.compile(rf"\^\{{([{_SIGNS}]+)\}}")
_RAISED_TEXT = re.compile(r"\^\{([^{}]*)\}")


def split_score(text: str, *, may_have_letters: bool = False) -> tuple[str, str]:
    """Return the score as printed without the marks around it, and the whole text where there were any.

    Letters behind a score are marks only where raised ones were copied as if they were not raised.

    >>> split_score("0.234 ± 0.003"), split_score(".312"), split_score("6e-05*")
    (('0.234', '0.234 ± 0.003'), ('.312', ''), ('6e-05', '6e-05*'))

    Text that is no score with marks stays as it is:

    >>> split_score("23.4%"), split_score("0,234")
    (('23.4%', ''), ('0,234', ''))
    """
    text = text.strip()
    bare = _without_letters(text) if may_have_letters else text
    match = _SCORE.fullmatch(bare) if len(text) <= 200 else None
    if match is None or match["score"] == text:
        return text, ""
    # What is behind the spread holds for the score as well: 88.1 ± 0.9%.
    sign = "%" if match["percent"] and not match["score"].endswith("%") else ""
    return match["score"] + sign, text


def _without_letters(text: str) -> str:
    """Return the text without letters that mark significance: in their order, and none of them a unit."""
    match = _LETTERS.match(text)
    letters = match["letters"].replace(",", "") if match else ""
    if match is None or letters in _UNITS or sorted(set(letters)) != list(letters):
        return text
    return match["bare"] + text[match.end() :]


def is_score(text: str) -> bool:
    """Say whether a cell looks like a score, whatever stands around it and however the number is written."""
    return bool(_LIKE_A_SCORE.fullmatch(split_score(text, may_have_letters=True)[0]))


def bare_label(text: str) -> str:
    """Return a name that was printed with raised text, without footnote marks.

    >>> bare_label("BERT^{†}"), bare_label("SPLADE^{++}")
    ('BERT', 'SPLADE++')
    """
    return _RAISED_TEXT.sub(r"\1", _FOOTNOTE.sub("", text)).strip()


def show_raised(text: str) -> str:
    """Return a text with raised parts as people write it in one line: ``0.31†``, ``0.31^ab``."""
    text = _RAISED_TEXT.sub(r"^\1", _RAISED_SIGNS.sub(r"\1", text))
    return re.sub(r"(?<=[(\[]) | (?=[)\]])", "", text)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, its line, what was printed where marks were taken off, and the texts of its footnotes.

    ``is_covered`` is true in the cells that another one reaches over; they hold its text.
    """

    text: str
    line: int
    printed: str = ""
    is_covered: bool = False
    footnotes: tuple[str, ...] = ()
    is_bold: bool = False

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row, the line it starts on, and whether a rule is drawn above it."""

    line: int
    cells: tuple[Cell, ...]
    is_below_rule: bool = False

    @property
    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells]


@dataclass(frozen=True, slots=True)
class Aside:
    """Something that stands in the text and became part of no result, and why; column from 1, 0 for a whole line."""

    line: int
    column: int
    text: str
    why: str


class Flaw(Exception):
    """Something in a table that cannot be read, with its place; column from 1."""

    def __init__(self, code: str, message: str, line: int, column: int = 1, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.rejection = Rejection(code, message, line, f"column {column}", fatal=fatal)


@dataclass
class Grid:
    """A table's rows, what of it could not be read, and what stands beside it."""

    form: str
    rows: list[GridRow] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    #: Rows that end early are complete in LaTeX; elsewhere a cell is missing.
    may_end_early: bool = False
    #: Cells that another one reaches over are not there, as where a table is copied from a page.
    lacks_covered: bool = False
    #: What is said of the table beside it, and the headings that it stands under.
    caption: str = ""
    titles: list[Cell] = field(default_factory=list)
    #: Scores by topic, by the line of the score over all of them.
    topics: dict[int, dict[str, float]] = field(default_factory=dict)
    n_cells: int = 0

    @property
    def line(self) -> int:
        """Return the line of the first row; of what is wrong where there is none."""
        return self.rows[0].line if self.rows else next((fault.line or 1 for fault in self.rejections), 1)

    @property
    def name(self) -> str:
        """Return what tells the table from others of its text: its caption or heading, and its first row."""
        titles = [self.caption, *(title.text for title in self.titles)]
        heads = ", ".join(dict.fromkeys(text for row in self.rows[:1] for text in row.texts if text.strip()))
        return ": ".join(filter(None, [next(filter(None, titles), ""), heads]))

    def append(self, row: GridRow) -> None:
        """Take one more row; a Flaw that is fatal where the table gets too large."""
        self.n_cells += len(row.cells)
        if len(row.cells) > MAX_COLUMNS:
            raise Flaw("too_many_columns", f"the row has more than {MAX_COLUMNS} columns", row.line, fatal=True)
        if len(self.rows) >= MAX_ROWS or self.n_cells > MAX_CELLS:
            message = f"the table has more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells; split it"
            raise Flaw("too_many_rows", message, row.line, fatal=True)
        self.rows.append(row)

    def add(self, line: int, texts: Iterable[str]) -> None:
        """Take one more row, of these texts."""
        self.append(GridRow(line, tuple(Cell(text, line) for text in texts)))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines of a text from 1; ends are LF, CRLF or CR, as in files, and nothing else."""
    return enumerate(re.split(r"\r\n|\r|\n", text), 1)
