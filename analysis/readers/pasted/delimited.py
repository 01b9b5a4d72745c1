"""Reading grids whose cells stand between commas, semicolons or tabs, or between the bars of Markdown."""

import csv
import html
import re
from collections.abc import Iterator

from analysis.readers.grids import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    Aside,
    Cell,
    Flaw,
    Grid,
    GridRow,
    bare_label,
    numbered_lines,
)
from analysis.readers.rejections import Rejection
from analysis.readers.tables import read_text_records

_BAR = re.compile(r"((?:\\.|[^\\|]|\\$)*+)(?:\||$)")
#: A line that is drawn: under the header of a Markdown table, around the tables of terminals.
RULE = re.compile(r"\s*+[|+:]?\s*+:?(?:-|==|[─━═]{2})[\s|+:\-=─━═┼╪╬]*+")
#: The same where it can be no row of dashes for scores that are missing.
LONG_RULE = re.compile(r"[\s|:+]*+(?:[-=─━═]{3,}+[\s|:+┼╪╬]*+)++")

#: What polars and DuckDB print below the names of columns.
_TYPES = frozenset(
    re.findall(r"\w+", "str cat bool f32 f64 i32 i64 u32 u64 varchar boolean float double bigint integer")
)
#: A heading over a table: one of Markdown, or a line in bold.
_TITLE = re.compile(r"\s*(?:#{1,6}\s+(?P<heading>.*?)[\s#]*|\*\*(?P<bold>[^*]+?):?\*\*:?\s*)")


def read_delimited(text: str, form: str, delimiter: str) -> Grid:
    """Return a CSV text, whatever stands between its cells."""
    # Pages and spreadsheets put tabs between cells; what reaches over several is there once.
    grid = Grid(form, lacks_covered=delimiter == "\t")
    for record in read_text_records(text, delimiter=delimiter):
        if isinstance(record, Rejection):
            column = faulty_column(text, record.line or 1, delimiter)
            grid.rejections.append(
                Rejection(record.code, record.message, record.line, f"column {column}", fatal=record.fatal)
            )
        else:
            grid.add(*record)
    return grid


def faulty_column(text: str, line: int, delimiter: str) -> int:
    """Return the first column, from the line on, with a NUL, too long a cell, or quotes that don't match."""
    lines = text.splitlines(keepends=True) if text.isascii() else re.findall(r"[^\r\n]*(?:\r\n|\r|\n|$)", text)
    rest = "".join(lines[line - 1 :])[: 2 * csv.field_size_limit()]
    column, start, is_quoted = 1, 0, rest.startswith('"')
    for match in re.finditer(rf'"+|\0|[\r\n]|{re.escape(delimiter)}', rest):
        token = match[0]
        if token == "\0":
            return column
        if token[0] == '"':
            quotes = len(token) - (is_quoted and match.start() == start)
            if is_quoted and quotes % 2:
                is_quoted = False
                if match.end() < len(rest) and rest[match.end()] not in delimiter + "\r\n":
                    return column
        elif not is_quoted and token == delimiter:
            column, start, is_quoted = column + 1, match.end(), rest.startswith('"', match.end())
        elif not is_quoted:
            break
    return column


def read_markdown(text: str) -> list[Grid]:
    """Return the tables whose cells stand between bars: Markdown, or what database tools print.

    Another one begins with a row above a rule, behind a line that belongs to none.
    """
    grids = [Grid("Markdown", may_end_early=True)]
    beside: list[Cell] = []
    has_rule, begun = False, 0
    for line, content in numbered_lines(text):
        grid = grids[-1]
        if not content.strip():
            begun = len(grid.rows)
        elif RULE.fullmatch(content) and "|" in content and has_rule and 0 < begun == len(grid.rows) - 1:
            grids.append(Grid("Markdown", titles=beside, may_end_early=True))
            grids[-1].append(grid.rows.pop())
            beside, begun = [], 0
        elif (not has_rule and grid.rows and RULE.fullmatch(content)) or LONG_RULE.fullmatch(content):
            has_rule = True
        elif "|" not in content:
            begun = len(grid.rows)
            if match := _TITLE.fullmatch(content):
                beside = [Cell(printed_markdown(match["heading"] or match["bold"] or ""), line)]
                grid.titles = grid.titles if grid.rows else beside
            else:
                grid.asides.append(Aside(line, 0, content.strip(), "outside of the table"))
        elif content.count("|") - content.count("\\|") > MAX_COLUMNS + 1:
            raise Flaw("too_many_columns", f"the row has more than {MAX_COLUMNS} columns", line, fatal=True)
        elif _TYPES.issuperset(cells := _between_bars(content)):
            grid.asides.append(Aside(line, 0, content.strip(), "types of the columns"))
        else:
            grid.append(GridRow(line, tuple(_markdown_cell(cell, line) for cell in cells)))
    return grids


def _between_bars(content: str) -> list[str]:
    content = content.strip()
    cells = [match[1].strip() for match in _BAR.finditer(content.removeprefix("|"))]
    # The pattern also matches the nothing behind the last bar, or behind the last cell.
    return cells[:-1] or [""]


def _markdown_cell(source: str, line: int) -> Cell:
    text = printed_markdown(source) if len(source) <= MAX_CELL_LENGTH else source
    label = bare_label(text) if "<sup" in source.lower() else text
    is_bold = source.lower().startswith(("**", "__", "<b>", "<strong>"))
    return Cell(label, line, text if label != text else "", is_bold=is_bold)


def consistent_delimiter(lines: Iterator[str], candidates: str) -> str:
    """Return the character between the cells: it stands in the first line, and equally often below."""
    sample = [line for _, line in zip(range(20), lines, strict=False)]
    counts = {candidate: [_outside_quotes(line, candidate) for line in sample] for candidate in candidates}
    # A comma in the title of a table separates nothing: what does stands in the lines below as well.
    present = [
        candidate
        for candidate in candidates
        if counts[candidate] and counts[candidate][0] and (len(sample) == 1 or any(counts[candidate][1:3]))
    ]
    return max(present, key=lambda mark: (counts[mark].count(counts[mark][0]), counts[mark][0]), default="")


def _outside_quotes(line: str, character: str) -> int:
    return re.sub(r'"[^"]*"', "", line).count(character)


_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)"
    r"|<(?P<tag>/?(?:br|sup|sub|b|i|u|s|em|strong|code|span|mark|small|ins|del))(?:\s[^<>]*)?/?>"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|!?\[(?P<link>[^\[\]\\`]*)\]\([^()\s]*\)"
    r"|(?P<plain>[^\\`<&!\[]+|.)",
    re.DOTALL | re.IGNORECASE,
)
_EMPHASIS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<open>\*\*)(?=[^\s*])[^*]*(?<=[^\s*])(?P<close>\*\*)",
        r"(?P<open>~~)(?=[^\s~])[^~]*(?<=[^\s~])(?P<close>~~)",
        r"(?<!\w)(?P<open>__)(?=[^\s_])[^_]*(?<=[^\s_])(?P<close>__)(?!\w)",
        r"(?<![\w*])(?P<open>\*)(?=[^\s*])[^*]*(?<=[^\s*])(?P<close>\*)(?![\w*])",
        r"(?<!\w)(?P<open>_)(?=[^\s_])[^_]*(?<=[^\s_])(?P<close>_)(?!\w)",
    )
)
_TAGS = {"br": "\n", "sup": "^{", "/sup": "}", "sub": "_"}
#: Stands for a character that is meant as itself, while emphasis is looked for. No text that is read has it.
_HIDDEN = "\0"


def printed_markdown(source: str) -> str:
    """Return what the source shows: without emphasis, links, tags and escapes; raised text is ``^{…}``."""
    if source.isascii() and source.replace(".", "").replace(" ", "").isalnum():
        return source.strip()
    shown, masked = _resolve(source)
    for pattern in _EMPHASIS:
        while match := pattern.search(masked):
            pieces = [(match.start("close"), match.end("close")), (match.start("open"), match.end("open"))]
            for start, end in pieces:
                shown = shown[:start] + shown[end:]
                masked = masked[:start] + masked[end:]
    # A deviation is printed below the line as well as behind a score.
    return re.sub(r"_(?=[±∓])", " ", shown).strip()


def _resolve(source: str) -> tuple[str, str]:
    """Return the text, and the same with what is meant as itself hidden."""
    shown: list[str] = []
    masked: list[str] = []
    position = 0
    while match := _TOKEN.match(source, position):
        position = match.end()
        if match["ticks"]:
            closing = re.compile(rf"(?<!`){match['ticks']}(?!`)").search(source, position)
            literal = source[position : closing.start()] if closing else match["ticks"]
            position = closing.end() if closing else position
            text, mask = literal, _HIDDEN * len(literal)
        elif match["tag"]:
            text = mask = _TAGS.get(match["tag"].lower(), "")
        elif match["escaped"]:
            text, mask = match["escaped"], _HIDDEN
        elif match["entity"]:
            text = html.unescape(match["entity"])
            mask = _HIDDEN * len(text)
        else:
            text = mask = match["link"] if match["link"] is not None else match["plain"]
        shown.append(text)
        masked.append(mask)
    return "".join(shown), "".join(masked)
