"""Frames as pandas prints them, made into one table: wide ones come in parts, a name of the rows in a line."""

import re
from collections.abc import Sequence
from itertools import groupby

from analysis.readers.columns import field_of

Line = tuple[int, str]
#: The sign at the end of a part's first line that says that another part follows.
_CONTINUED = "\\"
_SIZE = re.compile(r"\s*\[\d+ rows? x \d+ columns?\]\s*")


def unfolded(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a table, those of blank ones between its parts left out; other texts stay as they are."""
    lines = [line for line in lines if not _SIZE.fullmatch(line[1])]
    while lines and not lines[-1][1].strip():
        del lines[-1]
    filled = [(line, content.rstrip()) for line, content in lines if content.strip()]
    parts = [
        [(line, content.rstrip()) for line, content in part]
        for is_filled, part in groupby(lines, key=lambda line: bool(line[1].strip()))
        if is_filled
    ]
    if len(parts) > 1 and all(part[0][1].endswith(_CONTINUED) for part in parts[:-1]):
        joined = _joined(
            [[(line, content.removesuffix(_CONTINUED).rstrip()) for line, content in part] for part in parts]
        )
        filled = joined or filled
    return _with_name_of_rows(filled)


def _joined(parts: Sequence[Sequence[Line]]) -> list[Line]:
    """Return the parts beside each other, the names of the rows once; nothing where they don't fit."""
    first, *others = parts
    if any(len(part) != len(first) for part in others):
        return []
    table = list(first)
    for part in others:
        n_name = _width_of_names([*first, *part], len(first))
        if not n_name:
            return []
        width = max(len(content) for _, content in table)
        table = [
            (line, f"{content:<{width}}{more[n_name:]}".rstrip())
            for (line, content), (_, more) in zip(table, part, strict=True)
        ]
    return table


def _width_of_names(lines: Sequence[Line], n_rows: int) -> int:
    """Return how many places the names of the rows take, which stand in both parts; 0 where they are not the same."""
    texts = [content for _, content in lines]
    for width in range(1, max(map(len, texts))):
        is_gap = all(not content[width : width + 2].strip() for content in texts)
        if is_gap and all(text[:width] == other[:width] for text, other in zip(texts, texts[n_rows:], strict=False)):
            return width if texts[-1][:width].strip() else 0
    return 0


def _with_name_of_rows(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with the name of the first column in the header where it has a line of its own below it."""
    if len(lines) < 3:
        return list(lines)
    (line, header), (_, name), *rows = lines
    # What the columns are called stands above it where they were made of values: measure, over system.
    above = header[: len(name)].rstrip()
    if not field_of(name) or name[0] == " " or (above and not field_of(header.split("  ")[0])):
        return list(lines)
    width = max(len(name), len(header.split("  ")[0]) if above else 0)
    return [(line, f"{name:<{width}}{header[width:]}"), *rows]
