"""Pyserini: a list of what it reproduces a family of collections."""

from collections.abc import Iterator

from analysis.readers.upstream.conditions import scores_of_conditions
from analysis.readers.upstream.scores import Score, Upstream


def read(path: str, text: str) -> Iterator[Score]:
    """Return the scores of one list."""
    return scores_of_conditions(path, text, "Pyserini")


UPSTREAM = Upstream("castorini/pyserini", r"pyserini/2cr/[^/]+\.yaml", read)
