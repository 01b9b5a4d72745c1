"""Published lists of results: the scores that a repository prints at one of its states.

An ``Upstream`` is such a repository: which of its files hold results, and how a file is read. ``UPSTREAMS`` lists those
known here. To add a repository, write a file beside these with a function from the text of a file to ``Score``
objects, and name its ``Upstream`` in ``UPSTREAMS``; ``docs/upstream.md`` has an example.
"""

from collections.abc import Mapping
from types import MappingProxyType

from analysis.readers.upstream.platforms import MTEB, TIREX
from analysis.readers.upstream.scores import Score, Upstream
from analysis.readers.upstream.toolkits import ANSERINI, PYSERINI, RANK_LLM

__all__ = ["UPSTREAMS", "Score", "Upstream"]

#: By the name that commands take.
UPSTREAMS: Mapping[str, Upstream] = MappingProxyType({
    "anserini": ANSERINI, "mteb": MTEB, "pyserini": PYSERINI, "rank_llm": RANK_LLM, "tirex": TIREX,
})  # fmt: skip
