"""The large drawings of a leaderboard's page, as HTML.

A change anywhere may make the page anew; what it draws is kept for as long as the leaderboard says the same.
"""

import hashlib
from collections.abc import Sequence

import msgspec
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from analysis.boards import EqualMeans
from registry.core.http import KEEP_SECONDS
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.drawings.equal_means import draw_distribution
from registry.leaderboards.drawings.over_years import over_years
from registry.leaderboards.drawings.plumb_line import Drawn, Mark, plumb_line
from registry.leaderboards.words import OF_RESULTS, Words


def page_drawings(document: BoardDocument, bounds: EqualMeans | None) -> dict[str, SafeString]:
    """The plumb line, the figure of equal systems and the drawing over the years; each blank where there is none."""
    key = hashlib.sha256(msgspec.json.encode((document, bounds))).hexdigest()
    found = caches["figures"].get(key)
    if found is None:
        plumb = draw_plumb_line(document)
        found = {"plumb_line": plumb, "figure": _figure(document, bounds), "years": _years(document)}
        caches["figures"].set(key, found, KEEP_SECONDS)
    return {name: mark_safe(html) for name, html in found.items()}  # as templates set them


def draw_plumb_line(document: Drawn, words: Words = OF_RESULTS, marks: Sequence[Mark] = ()) -> str:
    """Return the plumb line of a verdict with its rows, as HTML; blank where there is nothing to draw."""
    chart = plumb_line(document, marks, words)
    return render_to_string("core/_chart.html", {"chart": chart}) if chart else ""


def _figure(document: BoardDocument, bounds: EqualMeans | None) -> str:
    figure = draw_distribution(document, bounds)
    decimals = document.measure["decimals"]
    context = {"document": document, "bounds": bounds, "figure": figure, "decimals": decimals}
    return render_to_string("leaderboards/_figure.html", context) if figure else ""


def _years(document: BoardDocument) -> str:
    drawing = None if {"role", "run_type", "provenance"} & document.selection.keys() else over_years(document)
    context = {"drawing": drawing, "document": document, "decimals": document.measure["decimals"]}
    return render_to_string("leaderboards/_over_years.html", context) if drawing else ""
