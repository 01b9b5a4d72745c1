"""The statistics behind the verdicts, to compute with on scores of one's own; no Plumbline is asked.

They are a library of their own, which ``pip install . './clients/python[statistics]'`` in a checkout brings. Each of
its packages answers a question, as in ``from plumbline.statistics import comparisons``;
``help(plumbline.statistics.contents)`` lists them all.
"""

try:
    import analysis as contents
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"The statistics need {error.name}: pip install . './clients/python[statistics]' in a checkout.",
        name=error.name,
    ) from error

from analysis import (
    best,
    boards,
    comparisons,
    documents,
    errors,
    instances,
    ranks,
    reliability,
    results,
    scales,
    scores,
    trends,
)

__all__ = [
    "best", "boards", "comparisons", "contents", "documents", "errors", "instances", "ranks", "reliability",
    "results", "scales", "scores", "trends",
]  # fmt: skip
