"""Reading tables whose columns stand under each other, as terminals print them and as they are copied out of a PDF.

Frames of pandas become one table first: wide ones come in parts, and the name of the rows has a line of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise, takewhile

from analysis.readers.columns import field_of, find_names
from analysis.readers.grids import MAX_COLUMNS, Cell, Grid, GridRow, is_score, numbered_lines
from analysis.readers.names import Names, measure_name
from analysis.readers.numbers import stands_for_nothing
from analysis.readers.pasted.delimited import LONG_RULE
from analysis.readers.pasted.left_out import is_fact, is_spread, why_left_out

_GAP = re.compile(r"\s{2,}|\t")
#: Blanks that a copy puts around what belongs to the word before it: a deviation, marks, a remark, a cut-off.
_TORN = (
    re.compile(r"(?<=[0-9])\s?(?:±|\+/-)\s?(?=[.0-9])"),
    re.compile(r"(?<=[0-9a-z]) (?=[*∗†‡§¶#]{1,4}(?:\s|$))"),
    re.compile(r"(?<=[0-9a-z*†‡]) (?=\([+\-−±]?[0-9.]+%?\)(?:\s|$))"),
    re.compile(r"(?<=[A-Za-z]) ?@ ?(?=[0-9])"),
)
_MAX_WORDS_OF_HEAD = 8
#: Characters by which something may be off where it stands in the middle.
_SLACK = 2
_MAX_WAYS = 50
_MAX_HEADS = 10
Line = tuple[int, str]


def read_aligned(text: str, names: Names) -> Grid:
    """Return a table with two blanks or more between its columns, or with single blanks everywhere."""
    grid = Grid("aligned text", lacks_covered=True)
    lines = unfolded(
        [
            (line, content.expandtabs())
            for line, content in numbered_lines(text)
            if not content.strip() or not LONG_RULE.fullmatch(content)
        ]
    )
    if any(_is_row(_GAP.split(content.strip())) for _, content in lines):
        return _read_gaps(grid, lines)
    return _read_words(grid, lines, names)


def _is_row(cells: Sequence[str]) -> bool:
    """Say whether there is a score behind the first cell."""
    return any(map(is_score, cells[1:]))


def _read_gaps(grid: Grid, lines: Sequence[Line]) -> Grid:
    split = [_GAP.split(content.strip()) for _, content in lines]
    n_first = next(place for place, cells in enumerate(split) if _is_row(cells))
    # One blank is all that there is between long names of measures.
    lines = [(line, _widened(content) if place < n_first else content) for place, (line, content) in enumerate(lines)]
    split = [_GAP.split(content.strip()) for _, content in lines]
    n_first = next(place for place, cells in enumerate(split) if _is_row(cells))
    width = _width(split, n_first)
    whole = [content for (_, content), cells in zip(lines, split, strict=True) if len(cells) == width]
    gutters = _gutters([*whole, *(content for (_, content), cells in zip(lines, split, strict=True) if len(cells) > 2)])
    extents = _extents(whole, width)
    for place, ((line, content), cells) in enumerate(zip(lines, split, strict=True)):
        if place < n_first and len(cells) < width and (heads := _heads_by_end(content, extents)):
            cells = heads
        if len(cells) != width and len(cells) > 1:
            # A blank cell leaves a gap like any other; where all lines are blank tells which it is.
            sliced = [content[start:end].strip() for start, end in gutters]
            if place >= n_first and len(sliced) == width:
                cells = sliced
            elif place < n_first:
                grid.append(GridRow(line, tuple(_spread(content, extents, line))))
                continue
        grid.add(line, cells)
    return grid


def _widened(content: str) -> str:
    """Return a line of heads with a second blank between two measures, which have names of one word."""
    return re.sub(
        r"(?<=\S) (?=\S)",
        lambda gap: (
            "  "
            if measure_name(content[: gap.start()].split()[-1]) and measure_name(content[gap.end() :].split()[0])
            else " "
        ),
        content,
    )


def _extents(whole: Sequence[str], width: int) -> list[tuple[int, int]]:
    """Return where each column begins and ends, over all lines that have as many cells as there are columns."""
    places = [[match.span() for match in re.finditer(r"\S+(?: \S+)*", content)] for content in whole]
    columns = list(zip(*(spans for spans in places if len(spans) == width), strict=True))
    return [(min(start for start, _ in column), max(end for _, end in column)) for column in columns]


def _heads_by_end(content: str, extents: Sequence[tuple[int, int]]) -> list[str]:
    """Return the heads of a frame, which end where their columns do, that of rows perhaps blank; else nothing."""
    ends = [end for _, end in extents]
    places = [0, *(match.end() for match in re.finditer(r"\S+", content) if match.end() in ends)]
    heads = [content[start:end].strip() for start, end in pairwise(places)]
    lacks = len(ends) - len(heads)
    fits = heads and lacks in (0, 1) and places[1:] == ends[lacks:] and places[-1] == len(content.rstrip())
    return [""] * lacks + heads if fits else []


def _spread(content: str, extents: Sequence[tuple[int, int]], line: int) -> Iterator[Cell]:
    """Yield the cells of a line with fewer of them than there are columns, each over those that it stands over.

    Where their places do not tell, the cells as they are; the first is blank where the line begins behind the names.
    """
    cells = [(match.start(), match.end(), match[0]) for match in re.finditer(r"\S+(?: \S+)*", content)]
    second = extents[1][0] if len(extents) > 1 else 0
    has_label = bool(cells) and cells[0][0] + _SLACK < second and cells[0][1] <= second
    yield Cell(cells[0][2] if has_label else "", line)
    groups = cells[has_label:]
    sizes = _sizes_by_start(groups, extents[1:]) or _sizes_by_centre(groups, extents[1:]) or [1] * len(groups)
    for (_, _, text), size in zip(groups, sizes, strict=True):
        for number in range(size):
            yield Cell(text, line, is_covered=number > 0)


def _sizes_by_start(groups: Sequence[tuple[int, int, str]], columns: Sequence[tuple[int, int]]) -> list[int]:
    """Return how many columns each text stands over that begins where one of them does; none where one does not."""
    begun = [
        next((place for place, (start, _) in enumerate(columns) if abs(start - left) <= 1), -1) for left, _, _ in groups
    ]
    if not begun or begun[0] != 0 or any(later <= earlier for earlier, later in pairwise(begun)):
        return []
    return [later - earlier for earlier, later in pairwise([*begun, len(columns)])]


def _sizes_by_centre(groups: Sequence[tuple[int, int, str]], columns: Sequence[tuple[int, int]]) -> list[int]:
    """Return how many columns each text stands over the middle of; none where that is not one thing."""
    ways: list[list[int]] = [[]]
    for start, end, _ in groups:
        longer = []
        for sizes in ways[:_MAX_WAYS]:
            begun = sum(sizes)
            for size in range(1, len(columns) - begun + 1):
                middle = (columns[begun][0] + columns[begun + size - 1][1]) / 2
                if abs(middle - (start + end) / 2) <= _SLACK:
                    longer.append([*sizes, size])
        ways = longer
    ways = [sizes for sizes in ways if sum(sizes) == len(columns)]
    return ways[0] if len(ways) == 1 else []


def _width(split: Sequence[Sequence[str]], n_first: int) -> int:
    """Return how many columns there are: as many as most rows have cells, and rather as many as the header has."""
    counts = Counter(len(cells) for cells in split[n_first:] if _is_row(cells))
    heads = [len(cells) for cells in split[:n_first] if len(cells) > 1 and len(cells) in counts]
    return heads[-1] if heads else counts.most_common(1)[0][0]


def _gutters(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the columns are: between runs of two places and more that are blank in every line."""
    width = max(map(len, lines))
    inked = [False] * (width + 2)
    for content in lines:
        for match in re.finditer(r"\S+(?: \S+)*", content):
            inked[match.start() : match.end()] = [True] * (match.end() - match.start())
    starts = [place for place in range(width) if inked[place] and (place == 0 or not inked[place - 1])]
    merged = starts[:1] + [later for earlier, later in pairwise(starts) if not inked[later - 2]]
    return list(pairwise([*merged, width]))


def _read_words(grid: Grid, lines: Sequence[Line], names: Names) -> Grid:
    """Return as it is copied from a page: single blanks everywhere. The last words of a row are its scores."""
    rows = [(line, _words(content)) for line, content in lines]
    above = takewhile(lambda words: not _n_trailing(words), (words for _, words in rows))
    header_lines = [_header_line(words, names) for words in islice(above, _MAX_HEADS)]
    n_scores = _number_of_scores([words for _, words in rows], header_lines)
    if not n_scores:
        n_columns = len(rows[0][1]) if rows else 0
        for line, words in rows:
            n_name = max(1, len(words) - n_columns + 1)
            grid.add(line, [" ".join(words[:n_name]), *words[n_name:]])
        return grid
    heads = [header.heads(n_scores, is_first=not place) for place, header in enumerate(header_lines)]
    n_labels = max((head.n_labels for head in heads), default=1)
    for place, (line, words) in enumerate(rows):
        cells = heads[place].cells if place < len(heads) else ()
        grid.add(line, cells or _cells_of(words, n_scores, max(1, n_labels)))
    return grid


def _words(content: str) -> list[str]:
    """Return the words of a line; a blank that a copy put into a word is part of it."""
    torn = {place for blank in _TORN for match in blank.finditer(content) for place in range(*match.span())}
    gaps = [gap.span() for gap in re.finditer(r"\s+", content) if gap.start() not in torn]
    edges = [0, *(edge for gap in gaps for edge in gap), len(content)]
    return [word for start, end in zip(edges[::2], edges[1::2], strict=True) if (word := content[start:end])]


def _n_trailing(words: Sequence[str]) -> int:
    """Return how many words at the end are scores, or stand for none."""
    return len(list(takewhile(lambda word: is_score(word) or stands_for_nothing(word), reversed(words[1:]))))


def _number_of_scores(rows: Sequence[Sequence[str]], header_lines: Sequence["_HeaderLine"]) -> int:
    """Return how many scores a row has: as many as the header has heads for, else as many as most rows end in.

    A name may end in a number: then rows seem to have one more.
    """
    counts = Counter(n for words in rows if (n := _n_trailing(words)) and any("." in word for word in words[-n:]))
    if not counts:
        return 0
    for n_scores in range(max(counts), 0, -1):
        if any(header.heads(n_scores, is_first=False).n_scores == n_scores for header in header_lines):
            return n_scores
    return counts.most_common(1)[0][0]


def _cells_of(words: Sequence[str], n_scores: int, n_labels: int) -> list[str]:
    """Return the name, other words before the scores, and the scores; a line without scores is one cell."""
    n_scores = min(n_scores, _n_trailing(words))
    if not n_scores:
        return [" ".join(words)]
    before = words[: len(words) - n_scores]
    n_name = max(1, len(before) - n_labels + 1)
    return [" ".join(before[:n_name]), *before[n_name:], *words[len(before) :]]


@dataclass(frozen=True, slots=True)
class _Heads:
    """The heads that the words of a line are, first those of what stands before the scores; none in other lines."""

    cells: tuple[str, ...] = ()
    n_labels: int = 0

    @property
    def n_scores(self) -> int:
        return len(self.cells) - self.n_labels


@dataclass(frozen=True, slots=True)
class _HeaderLine:
    """A line above the rows: its words, those joined that are one head, and what they are."""

    words: Sequence[str]
    parts: Sequence[str] = ()
    n_labels: int = 0
    is_known: bool = False

    def heads(self, n_scores: int, *, is_first: bool) -> _Heads:
        """Return the heads that the line is over so many scores."""
        if self.is_known and self.n_labels < len(self.parts) <= self.n_labels + n_scores:
            return _Heads(tuple(self.parts), self.n_labels) if self.n_labels else _Heads(("", *self.parts), 1)
        fits = len(self.words) == n_scores + 1
        return _Heads(tuple(self.words), 1) if fits and (is_first or field_of(self.words[0])) else _Heads()


def _header_line(words: Sequence[str], names: Names) -> _HeaderLine:
    """Return what the words of a line are, told by the names among them."""
    if len(words) > MAX_COLUMNS:
        return _HeaderLine(words)
    parts = _known_parts(words, names)
    n_labels = len(list(takewhile(lambda part: not part[1] or _is_label(part[0], names), parts)))
    is_known = all(known for _, known in parts[1:]) and any(known for _, known in parts)
    return _HeaderLine(words, [text for text, _ in parts], n_labels, is_known)


def _known_parts(words: Sequence[str], names: Names) -> list[tuple[str, bool]]:
    """Return the words, those of one head and unknown first ones joined, and whether each is a known head."""
    parts: list[tuple[str, bool]] = []
    place = 0
    while place < len(words):
        ends = range(min(len(words), place + _MAX_WORDS_OF_HEAD), place, -1)
        end = next((end for end in ends if _is_known(" ".join(words[place:end]), names)), None)
        if end is not None:
            parts.append((" ".join(words[place:end]), True))
        elif len(parts) == 1 and not parts[0][1]:
            parts[0] = (f"{parts[0][0]} {words[place]}", False)
        else:
            parts.append((words[place], False))
        place = end or place + 1
    return parts


def _is_known(text: str, names: Names) -> bool:
    return _is_label(text, names) or any(find_names(text, names)) or bool(why_left_out(text, names)) or is_spread(text)


def _is_label(text: str, names: Names) -> bool:
    return (bool(field_of(text)) and field_of(text) != "value") or (is_fact(text) and not any(find_names(text, names)))


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
