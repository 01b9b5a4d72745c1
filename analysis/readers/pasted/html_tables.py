"""Reading the tables in the source of a page, as editors, ar5iv and spreadsheets write them."""

from html.parser import HTMLParser

from analysis.readers.grids import MAX_COLUMNS, Aside, Cell, Grid, GridRow, bare_label

#: What LaTeXML calls the parts of a table that it writes without a table's tags, where it was scaled.
_PARTS = {"ltx_tabular": "table", "ltx_tr": "tr", "ltx_td": "td", "ltx_th": "th"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: Elements whose text is no part of what is around them: formulas once more in another notation, notes, citations.
_SILENT = frozenset({"style", "script", "annotation", "annotation-xml", "svg", "template"})
_SILENT_CLASSES = frozenset({"ltx_note", "ltx_cite", "ltx_tag", "ltx_ERROR"})
_NO_TABLES = frozenset({"ltx_equation", "ltx_equationgroup", "ltx_eqn_table"})
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
#: Elements inside of each other; a page that leaves more of them open is no page.
_MAX_DEPTH = 200


def read_html(text: str) -> list[Grid]:
    """Return the tables of a page, each with its caption or the heading over it; without any, one without rows."""
    parser = _PageParser()
    parser.feed(text)
    parser.close()
    parser.end_table()
    return parser.grids or [Grid("HTML", asides=parser.beside)]


class _PageParser(HTMLParser):
    """Collects the cells of tables; cells that others reach over hold the others' text."""

    def __init__(self) -> None:
        super().__init__()
        self.grids: list[Grid] = []
        #: What stands beside the tables so far, and the heading that the next one stands under.
        self.beside: list[Aside] = []
        self._heading: list[Cell] = []
        #: Open elements, each by its tag and what it is: a part of a table, a caption, a heading, silent.
        self._open: list[tuple[str, str]] = []
        self._grid: Grid | None = None
        self._caption = ""
        self._row: list[Cell] | None = None
        self._line = 1
        self._text: list[str] | None = None
        self._title: list[str] = []
        self._spans = (1, 1)
        self._is_bold = self._is_below_rule = False
        #: By column: a cell that reaches further down, and over how many rows.
        self._deep: dict[int, tuple[Cell, int]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        classes = frozenset((attributes.get("class") or "").split())
        part = self._part_of(tag, classes)
        if tag not in _VOID and len(self._open) < _MAX_DEPTH:
            if part in {"tr", "td", "th"}:
                self._close(part)
            self._open.append((tag, part))
        if part == "table":
            self._begin_table()
        elif part == "tr":
            self._end(is_row=True)
            self._row, self._line = [], self.getpos()[0]
        elif part in {"td", "th"}:
            self._end(is_row=False)
            across, down = (_span(attributes.get(name) or "1") for name in ("colspan", "rowspan"))
            self._text, self._spans, self._is_bold = [], (across, down), False
        elif part in {"caption", "heading"}:
            self._title = []
        elif tag in {"sup", "br"} and self._text is not None:
            self._text.append("^{" if tag == "sup" else " ")
        if (tag in {"b", "strong"} or "ltx_font_bold" in classes) and self._text is not None:
            self._is_bold = self._is_bold or not "".join(self._text).strip()
        # A page sets groups apart by a body each; LaTeXML by a border above.
        self._is_below_rule = self._is_below_rule or tag == "tbody" or "ltx_border_t" in classes

    def _part_of(self, tag: str, classes: frozenset[str]) -> str:
        if tag in _SILENT or classes & _SILENT_CLASSES:
            return "silent"
        if tag in {"caption", "figcaption"}:
            return "caption"
        if tag in _HEADINGS:
            return "heading"
        if tag == "table" and classes & _NO_TABLES:
            return "silent"
        if tag in {"table", "tr", "td", "th"}:
            return tag
        return next((part for name, part in _PARTS.items() if name in classes), "")

    def _close(self, part: str) -> None:
        """End what is open of the kind in this table: a page need not close its cells and rows."""
        inner = {"tr": {"tr", "td", "th"}}.get(part, {"td", "th"})
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][1] == "table":
                break
            if self._open[place][1] in inner:
                del self._open[place:]

    def handle_endtag(self, tag: str) -> None:
        if tag == "sup" and self._text is not None:
            self._text.append("}")
        place = next((place for place in range(len(self._open) - 1, -1, -1) if self._open[place][0] == tag), None)
        if place is None:
            return
        part = self._open[place][1]
        del self._open[place:]
        if part in {"td", "th", "tr"}:
            self._end(is_row=part == "tr")
        elif part == "table":
            self._end(is_row=True)
            if not any(part == "table" for _, part in self._open):
                self.end_table()
        elif part == "caption":
            self._take_caption(" ".join("".join(self._title).split()))
        elif part == "heading":
            self._heading = [Cell(" ".join("".join(self._title).split()), self.getpos()[0])]
        elif tag == "figure":
            self._caption = ""

    def _take_caption(self, caption: str) -> None:
        """Keep a caption: of the open table, of the last in its figure, or of the next there."""
        figure = any(tag == "figure" for tag, _ in self._open)
        if self._grid is not None:
            self._grid.caption = caption
        elif figure and self.grids and not self.grids[-1].caption and self._is_in_figure:
            self.grids[-1].caption = caption
        else:
            self._caption = caption

    def handle_data(self, data: str) -> None:
        parts = [part for _, part in self._open]
        if "silent" in parts:
            return
        if "caption" in parts or "heading" in parts:
            self._title.append(data)
        elif self._text is not None:
            self._text.append(data)
        elif data.strip():
            self.beside.append(Aside(self.getpos()[0], 0, data.strip(), "outside of the table"))

    def _begin_table(self) -> None:
        """Begin a table; one inside of a cell of another takes its place, as the other only lays out the page."""
        if self._grid is not None and self._grid.rows:
            self.end_table()
        self._row = self._text = None
        self._deep = {}
        self._grid = Grid("HTML", caption=self._caption, titles=self._heading)
        self._is_in_figure = any(tag == "figure" for tag, _ in self._open)

    _is_in_figure = False

    def end_table(self) -> None:
        """End the table that is open, if one is; it is kept if it has rows."""
        self._end(is_row=True)
        if self._grid is not None and self._grid.rows:
            self._grid.asides, self.beside = self.beside, []
            self.grids.append(self._grid)
            self._heading, self._caption = [], self._caption if self._is_in_figure else ""
        self._grid = None

    def close(self) -> None:
        super().close()
        self.end_table()
        if self.grids:
            self.grids[-1].asides += self.beside

    def _end(self, *, is_row: bool) -> None:
        if self._row is None or self._grid is None:
            return
        self._fill_from_above()
        if self._text is not None:
            text, self._text = " ".join("".join(self._text).split()), None
            label, (across, down) = bare_label(text), self._spans
            for place in range(across):
                printed = text if label != text else ""
                if down > 1:
                    self._deep[len(self._row)] = Cell(label, self._line, printed, is_covered=True), down - 1
                self._row.append(Cell(label, self._line, printed, is_covered=place > 0, is_bold=self._is_bold))
        if is_row and self._row:
            self._fill_from_above()
            self._grid.append(GridRow(self._line, tuple(self._row), self._is_below_rule))
            self._is_below_rule = False
        self._row = None if is_row else self._row

    def _fill_from_above(self) -> None:
        while self._row is not None and (deep := self._deep.pop(len(self._row), None)):
            cell, n_rows = deep
            if n_rows > 1:
                self._deep[len(self._row)] = cell, n_rows - 1
            self._row.append(cell)


def _span(text: str) -> int:
    return min(max(int(text), 1), MAX_COLUMNS + 1) if text.isascii() and text.isdigit() and len(text) < 6 else 1
