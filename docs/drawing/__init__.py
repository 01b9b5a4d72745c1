"""Pictures of the method pages, as SVG; ``docs/images/draw_methods.py`` writes them."""

from docs.drawing import boards, collections, documents, history, published_means, runs, scales, two_systems
from docs.drawing.examples import IMAGES, PICTURES, draw

__all__ = [
    "IMAGES",
    "PICTURES",
    "boards",
    "collections",
    "documents",
    "draw",
    "history",
    "published_means",
    "runs",
    "scales",
    "two_systems",
]
