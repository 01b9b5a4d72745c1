"""Pyserini: a list of what it reproduces a family of collections."""

from functools import partial

from analysis.readers.upstream.conditions import scores_of_conditions
from analysis.readers.upstream.scores import Upstream

UPSTREAM = Upstream(
    "castorini/pyserini", r"pyserini/2cr/[^/]+\.yaml", partial(scores_of_conditions, toolkit="Pyserini")
)
