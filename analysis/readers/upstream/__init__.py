"""What published lists of results print at one state of the repository that keeps them, score by score.

An ``Upstream`` is one such repository: which of its files hold results, and how one of them is read. ``UPSTREAMS``
lists those known here. To add one, write a file beside these with a function from the text of a file to ``Score``
objects, and name it in ``UPSTREAMS``; ``docs/upstream.md`` shows one.
"""

from collections.abc import Mapping
from types import MappingProxyType

from analysis.readers.upstream import anserini, mteb, pyserini, rank_llm, tirex
from analysis.readers.upstream.scores import Score, Upstream

__all__ = ["UPSTREAMS", "Score", "Upstream"]

#: By the name that commands take.
UPSTREAMS: Mapping[str, Upstream] = MappingProxyType({
    "anserini": anserini.UPSTREAM, "mteb": mteb.UPSTREAM, "pyserini": pyserini.UPSTREAM,
    "rank_llm": rank_llm.UPSTREAM, "tirex": tirex.UPSTREAM,
})  # fmt: skip
