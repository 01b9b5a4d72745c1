"""Having figures of papers drawn, by a worker, of every collection that has the scores for them."""

import hashlib
from collections.abc import Iterator
from typing import Any

from analysis.papers.paper import Drawing, Undrawable
from registry.tools.found_once import RedrawnFigures
from registry.tools.reproductions.sources import DRAWINGS, Choice, Material, choices_for, material_of

REDRAW_FIGURES = "reproductions.redraw_figures"


def digest_of(drawing: Drawing, material: Material) -> str:
    """Under which its panels are kept: of the scores, of the names beside them, and of what is done with both."""
    return hashlib.sha256(f"{drawing.key} {material.digest}".encode()).hexdigest()


def draw_of(drawing: Drawing, material: Material) -> RedrawnFigures:
    """Return the panels, or why there can't be any; not saved yet."""
    digest = digest_of(drawing, material)
    try:
        return RedrawnFigures.of(digest, lambda: drawing.draw(material.give()))
    except Undrawable as undrawable:
        return RedrawnFigures(digest=digest, obstacle=str(undrawable))


def enqueue_missing(**_: Any) -> int:
    """Have drawn what is not, after a load too; the number of jobs added."""
    return RedrawnFigures.enqueue_missing(REDRAW_FIGURES, _wanted())


def _wanted() -> Iterator[tuple[dict[str, Any], set[str]]]:
    for drawing in {one.key: one for one in DRAWINGS if not one.is_quick}.values():
        for choice in choices_for(drawing):
            if material := material_of(drawing, choice):
                yield arguments_of(drawing, choice), {digest_of(drawing, material)}


def arguments_of(drawing: Drawing, choice: Choice) -> dict[str, Any]:
    """Return what the job that draws it is told."""
    return {"key": drawing.key, "collection": choice.collection, "measure": choice.measure}


def redraw_figures(key: str, collection: str, measure: str) -> list[RedrawnFigures]:
    """The panels of one collection under one measure that are not kept yet."""
    drawing = next(one for one in DRAWINGS if one.key == key)
    material = material_of(drawing, Choice(collection, "", measure))
    if material is None or RedrawnFigures.objects.filter(pk=digest_of(drawing, material)).exists():
        return []
    return [draw_of(drawing, material)]
