"""Seeing to it that figures of papers are drawn of every collection that has the scores for them."""

from collections.abc import Iterator
from typing import Any

from registry.tools.reproductions.models import RedrawnFigures
from registry.tools.reproductions.redrawing import Choice, Redraw
from registry.tools.reproductions.redraws import REDRAWS
from registry.tools.reproductions.studies import digest_of

REDRAW_FIGURES = "reproductions.redraw_figures"


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
