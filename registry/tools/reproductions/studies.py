"""What a worker draws of a collection's scores, outside of any transaction."""

import hashlib

from registry.tools.reproductions.models import RedrawnFigures
from registry.tools.reproductions.redrawing import Choice, Material, Redraw
from registry.tools.reproductions.redraws import REDRAWS


def digest_of(redraw: Redraw, material: Material) -> str:
    """Under which its panels are kept: of the scores, and of what is done with them."""
    return hashlib.sha256(f"{redraw.key} {material.digest}".encode()).hexdigest()


def draw_of(redraw: Redraw, material: Material) -> RedrawnFigures:
    """The panels, not saved yet."""
    return RedrawnFigures.of(digest_of(redraw, material), material.draw)


def redraw_figures(key: str, collection: str, measure: str) -> list[RedrawnFigures]:
    """The panels of one collection under one measure that are not kept yet."""
    redraw = next(one for one in REDRAWS if one.key == key)
    material = redraw.read(Choice(collection, "", measure))
    if material is None or RedrawnFigures.objects.filter(pk=digest_of(redraw, material)).exists():
        return []
    return [draw_of(redraw, material)]
