"""Cells that hold several scores, ``74.2 / 84.3``: a column for each, under the head that says what they are."""

import re
from collections.abc import Sequence
from dataclasses import replace

from analysis.readers.columns import find_names, without_raised
from analysis.readers.grids import Cell, GridRow, is_score
from analysis.readers.names import Names
from analysis.readers.numbers import stands_for_nothing
from analysis.readers.pasted.headers import Block

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
        if len(counts) != 1 or any(len(_scores(cell.text)) < 2 and not _is_empty(cell) for cell in cells):
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


def _is_empty(cell: Cell) -> bool:
    return cell.is_covered or stands_for_nothing(cell.text)


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
