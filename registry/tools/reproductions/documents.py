"""A figure of a paper beside the same figure of a chosen collection, as one object for the page and its files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from analysis.figures import Cell, Column, Panel, columns_of, scaled
from analysis.papers.paper import SLUGS, Drawing, Figure, Reproduction
from registry.core.charts import Chart, draw
from registry.core.pages import Document, LiveExample, live_examples, read_method
from registry.core.templatetags.formatting import pvalue, score
from registry.tools.models import RedrawnFigures
from registry.tools.reproductions.services import digest_of, draw_of
from registry.tools.reproductions.sources import Choice, choices_for, choose, drawing_of, material_of, page_of

_FOUND = Path(__file__).with_name("found")


@cache
def reproductions() -> dict[str, Reproduction]:
    """Return the reproduction of each paper, by its name in the address."""
    files = {slug: _FOUND / f"{slug}.json" for slug in SLUGS}
    return {
        slug: msgspec.json.decode(path.read_bytes(), type=Reproduction) for slug, path in files.items() if path.exists()
    }


def write_reproduction(reproduction: Reproduction) -> None:
    content = msgspec.json.format(msgspec.json.encode(reproduction), indent=1)
    (_FOUND / f"{reproduction.slug}.json").write_bytes(content + b"\n")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The figure of a collection: ``why`` says why there can't be one; blank while a worker is to draw it."""

    choice: Choice
    state: Literal["drawn", "waiting", "impossible"]
    why: str
    panel: Panel | None
    page: LiveExample | None


@dataclass(frozen=True, slots=True)
class FigureDocument:
    """A figure of a paper; ``chosen`` is None where no other collection can be drawn."""

    paper: str
    figure: Figure
    chosen: Chosen | None
    factor: float | None
    choices: tuple[Choice, ...]

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels drawn, the paper's own first."""
        panels = (self.figure.panel, self.chosen.panel if self.chosen else None)
        return tuple(panel if self.factor is None else scaled(panel, self.factor) for panel in panels if panel)


def figure_document(
    paper: Reproduction, figure: Figure, *, collection: str = "", measure: str = "", factor: float | None = None
) -> FigureDocument:
    """Return the figure beside that of the collection that is asked for, or of the first one."""
    default = figure.factor.default if figure.factor else None
    drawing = drawing_of(paper.slug, figure.slug)
    choices = tuple(choices_for(drawing)) if drawing else ()
    choice = choose(drawing, choices, collection, measure) if drawing else None
    chosen = _chosen(drawing, choice, figure) if drawing and choice else None
    return FigureDocument(paper.slug, figure, chosen, default if factor is None else factor, choices)


def _chosen(drawing: Drawing, choice: Choice, figure: Figure) -> Chosen:
    material = material_of(drawing, choice)
    if material is None:
        return Chosen(choice, "impossible", "its scores are not on record any more", None, None)
    known = RedrawnFigures.objects.filter(pk=digest_of(drawing, material))
    redrawn = draw_of(drawing, material) if drawing.is_quick else known.first()
    page = page_of(drawing, choice)
    if redrawn is None:
        return Chosen(choice, "waiting", "", None, page)
    panels = msgspec.json.decode(redrawn.content, type=dict[str, Panel]) if redrawn.content else {}
    panel = panels.get(figure.slug)
    why = "" if panel else redrawn.obstacle or "its scores are too few for this figure"
    return Chosen(choice, "drawn" if panel else "impossible", why, panel, page)


#: Columns of a file of points.
POINT_COLUMNS = ("drawn_of", "series", "x", "y", "low", "high")


def point_rows(panels: tuple[Panel, ...]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each point; bars have the left edge as ``x``."""
    for panel in panels:
        for line in panel.series:
            for place, y in enumerate(line.y):
                ends = (values[place] if values else None for values in (line.low, line.high))
                yield panel.data, line.name, line.x[place], y, *ends


#: Longer tables of numbers are left to the files.
_MOST_ROWS = 40


def live_pages(methods: Iterable[str]) -> list[tuple[Document, Sequence[LiveExample]]]:
    """Return the methods that have a page of their own, with the pages on which each is at work today."""
    documents = (document for name in methods if (document := read_method(name)))
    return [(method, live_examples(method.name)) for method in documents]


def lay_out(document: FigureDocument) -> dict[str, Any]:
    """Return the context of a figure: the panels of the paper and of the chosen collection, on the same axes.

    Each has its drawing, and its numbers as a table where they are few enough to read.
    """
    panels = document.panels
    drawn = [panel for panel in panels if panel.series]
    laid = [
        {"panel": panel, "chart": _chart(document, panel, drawn), "table": _table(document, panel)} for panel in panels
    ]
    own = laid.pop(0) if document.figure.panel else None
    choices, chosen = document.choices, document.chosen.choice if document.chosen else None
    of_chosen = (choice.measure for choice in choices if chosen and choice.collection == chosen.collection)
    return {
        "document": document,
        "own": own,
        "chosen": laid[0] if laid else None,
        "collections": list(dict.fromkeys((choice.collection, choice.name) for choice in choices)),
        "measures": list(dict.fromkeys(of_chosen)),
    }


def _chart(document: FigureDocument, panel: Panel, drawn: Sequence[Panel]) -> Chart | None:
    figure = document.figure
    if figure.x is None or figure.y is None or not panel.series:
        return None
    name = figure.slug if panel is document.panels[0] else f"{figure.slug}-chosen"
    text = f"{figure.name}. {panel.data}. Across: {figure.x.label}. Up: {figure.y.label}."
    return draw(panel, figure.x, figure.y, name=name, text=text, beside=[other for other in drawn if other != panel])


def _table(document: FigureDocument, panel: Panel) -> dict[str, Any] | None:
    """Return columns, and rows as people read them: the name, then the other cells with their columns."""
    columns, rows = panel.columns, panel.rows
    if not columns:
        axis = document.figure.x
        shown = [(line, dict(zip(line.x, line.y, strict=True))) for line in panel.series if line.mark != "bars"]
        xs = sorted({x for _, by_x in shown for x in by_x})
        if axis is None or not xs or len(xs) > _MOST_ROWS:
            return None
        labels = dict(axis.ticks)
        columns = columns_of(axis.label, *(line.name or "all" for line, _ in shown))
        rows = tuple((labels.get(x, f"{x:.6g}"), *(_short(by_x.get(x)) for _, by_x in shown)) for x in xs)
    cells = [[_cell(value, column) for value, column in zip(row, columns, strict=True)] for row in rows]
    read = [(head, list(zip(others, columns[1:], strict=True))) for head, *others in cells]
    return {"columns": columns, "rows": read}


def _short(value: float | None) -> str | None:
    return None if value is None else f"{value:.3g}"


def _cell(value: Cell, column: Column) -> str:
    if column.kind == "pvalue" and isinstance(value, float):
        return pvalue(value)
    return f"{value:,}" if isinstance(value, int) else value if isinstance(value, str) else score(value, column.digits)
