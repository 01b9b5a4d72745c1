"""Jobs that draw figures of papers, by a worker, for every collection that has the scores for them."""

import hashlib
from collections.abc import Iterator
from typing import Any

from analysis.papers.paper import Drawing, Undrawable
from registry.tools.models import RedrawnFigures
from registry.tools.reproductions.sources import DRAWINGS, Choice, Material, choices_for, material_of

REDRAW_FIGURES = "reproductions.redraw_figures"


def digest_of(drawing: Drawing, material: Material) -> str:
    """Return the digest that its panels are kept under: of scores, names and the way of drawing."""
    return hashlib.sha256(f"{drawing.key} {material.digest}".encode()).hexdigest()


def draw_of(drawing: Drawing, material: Material) -> RedrawnFigures:
    """Return the panels, or why there can't be any; not saved yet."""
    digest = digest_of(drawing, material)
    try:
        return RedrawnFigures.of(digest, lambda: drawing.draw(material.give()))
    except Undrawable as undrawable:
        return RedrawnFigures(digest=digest, obstacle=str(undrawable))


def enqueue_missing(**_: Any) -> int:
    """Have missing figures drawn; return the number of jobs added."""
    return RedrawnFigures.enqueue_missing(REDRAW_FIGURES, _wanted())


def _wanted() -> Iterator[tuple[dict[str, Any], set[str]]]:
    for drawing in {drawing.key: drawing for drawing in DRAWINGS if not drawing.is_quick}.values():
        for choice in choices_for(drawing):
            if material := material_of(drawing, choice):
                yield arguments_of(drawing, choice), {digest_of(drawing, material)}


def arguments_of(drawing: Drawing, choice: Choice) -> dict[str, Any]:
    """Return the arguments of the job that draws it."""
    return {"key": drawing.key, "collection": choice.collection, "measure": choice.measure}


def redraw_figures(key: str, collection: str, measure: str) -> list[RedrawnFigures]:
    """Return the panels of one collection under one measure, not saved yet; none where they are kept."""
    drawing = next(drawing for drawing in DRAWINGS if drawing.key == key)
    material = material_of(drawing, Choice(collection, "", measure))
    if material is None or RedrawnFigures.objects.filter(pk=digest_of(drawing, material)).exists():
        return []
    return [draw_of(drawing, material)]
