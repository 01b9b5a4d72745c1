"""Seeing to it that figures of papers are drawn, by a worker, of every collection that has the scores for them."""

import hashlib
from collections.abc import Iterator
from typing import Any

from analysis.papers.paper import Undrawable
from registry.tools.found_once import RedrawnFigures
from registry.tools.reproductions.records import REDRAWS
from registry.tools.reproductions.redrawing import Choice, Material, Redraw

REDRAW_FIGURES = "reproductions.redraw_figures"


def digest_of(redraw: Redraw, material: Material) -> str:
    """Under which its panels are kept: of the scores, of the names beside them, and of what is done with both."""
    return hashlib.sha256(f"{redraw.key} {material.digest}".encode()).hexdigest()


def draw_of(redraw: Redraw, material: Material) -> RedrawnFigures:
    """Return the panels, or why there can't be any; not saved yet."""
    digest = digest_of(redraw, material)
    try:
        return RedrawnFigures.of(digest, material.draw)
    except Undrawable as undrawable:
        return RedrawnFigures(digest=digest, obstacle=str(undrawable))


def enqueue_missing(**_: Any) -> int:
    """Have drawn what is not, after a load too; the number of jobs added."""
    return RedrawnFigures.enqueue_missing(REDRAW_FIGURES, _wanted())


def _wanted() -> Iterator[tuple[dict[str, Any], set[str]]]:
    for redraw in {one.key: one for one in REDRAWS if not one.is_quick}.values():
        for choice in redraw.choices():
            if material := redraw.read(choice):
                yield _arguments(redraw, choice), {digest_of(redraw, material)}


def awaited_figures(redraw: Redraw, choice: Choice) -> list[tuple[str, dict[str, Any]]]:
    """The job that whoever looks at a figure waits for, where it is not drawn."""
    return [(REDRAW_FIGURES, _arguments(redraw, choice))]


def _arguments(redraw: Redraw, choice: Choice) -> dict[str, Any]:
    return {"key": redraw.key, "collection": choice.collection, "measure": choice.measure}


def redraw_figures(key: str, collection: str, measure: str) -> list[RedrawnFigures]:
    """The panels of one collection under one measure that are not kept yet."""
    redraw = next(one for one in REDRAWS if one.key == key)
    material = redraw.read(Choice(collection, "", measure))
    if material is None or RedrawnFigures.objects.filter(pk=digest_of(redraw, material)).exists():
        return []
    return [draw_of(redraw, material)]
