"""The header of a table: its rows, the columns that each of its texts stands over, and cells with several scores."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from analysis.readers.columns import field_of, find_names, without_raised
from analysis.readers.grids import Cell, Flaw, Grid, GridRow, is_score
from analysis.readers.names import Names
from analysis.readers.numbers import stands_for_nothing
from analysis.readers.pasted.left_out import is_fact, is_mean, is_spread, why_left_out
from analysis.readers.questions import Question
from analysis.readers.text import comparison_key

_MAX_LEVELS = 4
_MAX_SPANS = 6
_MAX_SPREAD = 60
_YEAR = re.compile(r"(?:19|20)[0-9]{2}|[0-9]{1,4}(?=$)")


@dataclass(frozen=True, slots=True)
class Block:
    """Rows under one header: most tables are one block, wide ones are printed as several below each other."""

    header: tuple[GridRow, ...]
    body: tuple[GridRow, ...]

    @property
    def width(self) -> int:
        return max(len(row.cells) for row in self.header)

    def levels(self) -> list[list[str]]:
        """Return the texts over each column, from the top down."""
        return [[cell.text for cell in row.cells] + [""] * (self.width - len(row.cells)) for row in self.header]


def is_heading(row: GridRow) -> bool:
    """Say whether one text is all that the row holds: in its first cell, or in one over others."""
    own = list(islice((cell for cell in row.cells if not cell.is_covered and not cell.is_blank), 2))
    if len(own) != 1 or is_score(own[0].text) or stands_for_nothing(own[0].text):
        return False
    texts = [cell for cell in row.cells if not cell.is_blank]
    if own[0] is row.cells[0]:
        # All others are covered by it, or there are none.
        return len(texts) in {1, len(row.cells)}
    return len(texts) > 1 and texts[0] is own[0] and all(cell.text == own[0].text for cell in texts)


def split_blocks(grid: Grid, names: Names) -> list[Block]:
    """Return the rows of the table, each below its header."""
    rows = grid.rows
    n_levels = _number_of_levels(rows, names)
    starts = [0]
    has_values = _has_values(rows[0])
    for place in range(n_levels, len(rows)):
        if not has_values and place > starts[-1] + 1 and _begins_block(rows[place], rows[n_levels - 1], names):
            starts.append(place)
    blocks = []
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        n_levels = _number_of_levels(rows[start:end], names)
        blocks.append(Block(tuple(rows[start : start + n_levels]), tuple(rows[start + n_levels : end])))
    return blocks


def _has_values(row: GridRow) -> bool:
    """Say whether a column of the row holds scores by its name alone: there is one result a row, then."""
    return any(field_of(cell.text) == "value" and not cell.is_covered for cell in row.cells)


def _number_of_levels(rows: Sequence[GridRow], names: Names) -> int:
    """Return how many rows name the columns."""
    n_levels = 1
    if not _has_values(rows[0]):
        while n_levels < min(_MAX_LEVELS, len(rows)) and _is_level(rows[n_levels], rows[:n_levels], names):
            n_levels += 1
    return n_levels


def _is_level(row: GridRow, above: Sequence[GridRow], names: Names) -> bool:
    """Say whether the row names columns as well: measures below collections, say, or systems below their groups."""
    own = [cell for cell in row.cells if not cell.is_blank and not cell.is_covered]
    if not own or any(_is_value(cell.text) for cell in own):
        return False
    if is_heading(row):
        # A text over all columns but the first belongs to the header; one over all of them heads the rows below.
        return bool(field_of(own[0].text)) or (own[0] is not row.cells[0] and any(find_names(own[0].text, names)))
    first = row.cells[0]
    if any(_names_column(cell.text, names) for cell in own if cell is not first):
        return True
    if field_of(first.text) and not first.is_covered:
        return True
    if any(_completes(row, place, above[-1], names) for place in range(1, len(row.cells))):
        return True
    cells_above = [cell for level in above for cell in level.cells[1:]]
    has_spans = any(cell.is_covered or cell.is_blank for cell in cells_above)
    is_known = any(any(find_names(cell.text, names)) for cell in cells_above)
    return has_spans and not is_known and len(own) > 1


def _completes(row: GridRow, place: int, above: GridRow, names: Names) -> bool:
    """Say whether a cell makes a collection's name of the text that stands over it: a track over its year."""
    text = row.cells[place].text.strip()
    over = next((cell.text for cell in reversed(above.cells[1 : place + 1]) if not cell.is_blank), "")
    return bool(text and over and text != over) and names.has_collection(f"{over} {text}")


def _is_value(text: str) -> bool:
    """Say whether the text is a score or stands for none; years and cut-offs stand in headers too."""
    return stands_for_nothing(text) or (is_score(text) and not _YEAR.fullmatch(text.strip()))


def _names_column(text: str, names: Names) -> bool:
    return any(find_names(text, names)) or bool(why_left_out(text, names)) or is_mean(text) or is_spread(text)


def _begins_block(row: GridRow, head: GridRow, names: Names) -> bool:
    """Say whether another header begins with this row, in the midst of the table; it may differ in its corner alone."""
    if row.texts[1:] == head.texts[1:] and any(head.texts[1:]):
        return True
    corner = comparison_key(head.cells[0].text)
    own = [cell for cell in row.cells[1:] if not cell.is_blank and not cell.is_covered]
    if len(own) < 2 or any(_is_value(cell.text) or is_score(cell.text) for cell in own):
        return False
    is_corner = comparison_key(row.cells[0].text) == corner
    if not is_corner and not (row.cells[0].is_blank or field_of(row.cells[0].text)):
        return False
    return bool(is_corner and corner) or all(_names_column(cell.text, names) for cell in own)


def fit_header(block: Block, grid: Grid, names: Names, answers: Mapping[str, str]) -> tuple[Block, list[Question]]:
    """Return the block with a header whose cells stand over their columns, and what has to be asked for that.

    Raises a Flaw where there is no telling over which columns a text stands.
    """
    if not grid.lacks_covered:
        *upper, lowest = block.header
        upper = [_filled(row) for row in upper] if grid.form != "LaTeX" else upper
        return replace(block, header=(*upper, lowest)), []
    width = _width_of_body(block) or block.width
    lowest = _with_corner(block.header[-1], width)
    questions: list[Question] = []
    header = [lowest]
    for row in reversed(block.header[:-1]):
        if len(row.cells) < width or len(header[0].cells) < width:
            row, header[0], spans_asked = _spread(row, header[0], width, names, answers)
            questions += spans_asked
        header.insert(0, _filled(row, _blank_columns(header, block.body)))
    return replace(block, header=tuple(header)), questions


def _width_of_body(block: Block) -> int:
    """Return how many cells most rows with scores have; 0 where there are none."""
    counts = Counter(len(row.cells) for row in block.body if any(is_score(cell.text) for cell in row.cells[1:]))
    return counts.most_common(1)[0][0] if counts else 0


def _with_corner(row: GridRow, width: int) -> GridRow:
    """Return the row, with a first cell where only that is missing: nothing stands over the names of the systems."""
    if len(row.cells) != width - 1 or field_of(row.cells[0].text) not in {"", "value"}:
        return row
    return replace(row, cells=(Cell("", row.line), *row.cells))


def _blank_columns(below: Sequence[GridRow], body: Sequence[GridRow]) -> set[int]:
    """Return the places of columns that hold nothing at all."""
    rows = [*below, *body]
    width = max((len(row.cells) for row in rows), default=0)
    return {p for p in range(width) if all(p >= len(row.cells) or row.cells[p].is_blank for row in rows)}


def _filled(row: GridRow, blank: AbstractSet[int] = frozenset()) -> GridRow:
    """Return the row whose texts stand over the blank cells right of them too, as merged cells are copied."""
    cells = list(row.cells)
    before = cells[0]
    for place in range(1, len(cells)):
        if not cells[place].is_blank:
            before = cells[place]
        elif place > 1 and place not in blank and before is not cells[0]:
            cells[place] = replace(before, is_covered=True)
    return replace(row, cells=tuple(cells))


def _spread(
    upper: GridRow, lower: GridRow, width: int, names: Names, answers: Mapping[str, str]
) -> tuple[GridRow, GridRow, list[Question]]:
    """Return two rows of a header that lack the cells which others reach over, with those cells in place."""
    first, groups = _label_and_groups(upper, lower, width, names)
    corner, below = ("", list(lower.texts)) if len(lower.cells) < width else (lower.texts[0], list(lower.texts[1:]))
    # A head that reaches down over both rows has nothing below it.
    n_deep = width - 1 - len(below)
    deep = {place for place, text in enumerate(groups) if n_deep and _is_complete(text, names)}
    flat = [text for place, text in enumerate(groups) if place not in deep]
    ways = _ways(len(flat), below) if len(deep) == n_deep else []
    if not ways or len(ways) > _MAX_SPANS:
        listed = ", ".join(groups[:6])
        message = (
            f"cannot be told over which of the {width - 1} columns {listed} stand; repeat each over all of its columns"
        )
        raise Flaw("head_spans", message, upper.line, fatal=True)
    questions = [_ask_spans(flat, below, ways).answered(answers)] if len(ways) > 1 else []
    sizes = iter(next((way for way in ways if questions and _as_answer(way) == questions[0].answer), ways[0]))
    lowest = iter(below)
    above, under = [Cell(first, upper.line)], [Cell(corner, lower.line)]
    for place, text in enumerate(groups):
        n_columns = 1 if place in deep else next(sizes)
        above += [Cell(text, upper.line, is_covered=number > 0) for number in range(n_columns)]
        under += [Cell("" if place in deep else next(lowest), lower.line) for _ in range(n_columns)]
    return replace(upper, cells=tuple(above)), replace(lower, cells=tuple(under)), questions


def _label_and_groups(upper: GridRow, lower: GridRow, width: int, names: Names) -> tuple[str, list[str]]:
    """Return what stands over the names of the systems, and what stands over the scores."""
    first, *rest = upper.texts
    if not first.strip() or field_of(first) not in {"", "value"}:
        return first, rest
    # Where the lower row has a head of its own for the systems, the upper one begins with the scores.
    return ("", [first, *rest]) if len(lower.cells) == width or any(find_names(first, names)) else (first, rest)


def _is_complete(text: str, names: Names) -> bool:
    """Say whether a head needs nothing below it to be understood."""
    collection, measure = find_names(text, names)
    return bool(measure or why_left_out(text, names) or is_fact(text) or (field_of(text) and not collection))


def _ways(n_groups: int, below: Sequence[str]) -> list[tuple[int, ...]]:
    """Return how the columns may be divided among the groups, none of which holds the same twice."""
    keys = [comparison_key(text) for text in below]
    if not n_groups or len(keys) > _MAX_SPREAD:
        return [] if n_groups or keys else [()]

    @cache
    def divide(begun: int, n_left: int) -> list[tuple[int, ...]]:
        if not n_left:
            return [()] if begun == len(keys) else []
        spans: list[tuple[int, ...]] = []
        for size in range(1, len(keys) - begun - n_left + 2):
            if len(set(keys[begun : begun + size])) < size or len(spans) > _MAX_SPANS:
                break
            spans += [(size, *rest) for rest in divide(begun + size, n_left - 1)]
        return spans[: _MAX_SPANS + 1]

    return divide(0, n_groups)


def _as_answer(sizes: Sequence[int]) -> str:
    return "-".join(map(str, sizes))


def _ask_spans(groups: Sequence[str], below: Sequence[str], ways: Sequence[Sequence[int]]) -> Question:
    choices = []
    for sizes in ways:
        begun, parts = 0, []
        for group, size in zip(groups, sizes, strict=True):
            parts.append(f"{group}: {', '.join(below[begun : begun + size])}")
            begun += size
        choices.append((_as_answer(sizes), "; ".join(parts)))
    wording = "Over which columns does each head of the first row stand?"
    return Question("spans", wording, choices=tuple(choices))


_APART = re.compile(r"\s*[/|]\s*")
#: The second in brackets behind the first.
_BEHIND = re.compile(r"(?P<first>[^()\[\]]+?)\s*[(\[](?P<second>[^()\[\]]+)[)\]]")
#: Words of a caption that measures stand among, one behind the other.
_LISTED = re.compile(r"[\w@.\-]+(?:\s*[/|]\s*[\w@.\-]+)+")


def split_pairs(block: Block, names: Names, beside: Sequence[str]) -> Block:
    """Return the block with a column for each score of a cell, where a head, or a text beside the table, names each."""
    for place in range(block.width - 1, 0, -1):
        cells = [row.cells[place] for row in block.body if place < len(row.cells)]
        levels = [row.cells[place].text if place < len(row.cells) else "" for row in block.header]
        counts = {len(scores) for cell in cells if len(scores := _scores(cell.text)) > 1}
        if len(counts) != 1 or any(
            len(_scores(cell.text)) < 2 and not (cell.is_covered or stands_for_nothing(cell.text)) for cell in cells
        ):
            continue
        (n,) = counts
        level = next((row for row in range(len(levels) - 1, -1, -1) if _named(levels[row], names, n)), None)
        captions = [match[0] for text in beside for match in _LISTED.finditer(text)]
        candidates = captions if level is None else [levels[level]]
        heads = next((named for text in candidates if (named := _named(text, names, n))), [])
        if heads:
            header = [
                _divided(row, place, n, heads if number == level else []) for number, row in enumerate(block.header)
            ]
            if level is None:
                line = block.header[-1].line
                cells = [Cell("", line) for _ in range(block.width)]
                cells[place : place + 1] = [Cell(head, line) for head in heads]
                header.append(GridRow(line, tuple(cells)))
            block = Block(tuple(header), tuple(_divided(row, place, n, []) for row in block.body))
    return block


def _scores(text: str) -> list[str]:
    """Return the scores of a cell; none where it holds something else."""
    behind = _BEHIND.fullmatch(text.strip())
    parts = list(behind.groups()) if behind else _APART.split(text.strip())
    scores = [part for part in parts if not stands_for_nothing(part)]
    return parts if scores and all(is_score(score) and "." in score for score in scores) else []


def _named(text: str, names: Names, n: int) -> list[str]:
    """Return what each of so many scores is of by the head; none where it does not say so of each."""
    text = without_raised(text)
    behind = _BEHIND.fullmatch(text.strip())
    parts = list(behind.groups()) if behind and n == 2 else _APART.split(text.strip())
    return parts if len(parts) == n and all(any(find_names(part, names)) for part in parts) else []


def _divided(row: GridRow, place: int, n: int, heads: Sequence[str]) -> GridRow:
    """Return the row with the cell in this place as several."""
    if place >= len(row.cells):
        return row
    cell = row.cells[place]
    texts = heads or _scores(cell.text)
    parts = (
        [replace(cell, text=text, printed="") for text in texts]
        if len(texts) == n
        else [replace(cell, is_covered=cell.is_covered or number > 0) for number in range(n)]
    )
    return replace(row, cells=(*row.cells[:place], *parts, *row.cells[place + 1 :]))
