"""Reads a Plumbline, and submits results.

>>> import plumbline                                            # doctest: +SKIP
>>> site = plumbline.Site("https://plumbline.example.org")      # doctest: +SKIP
>>> board = site.leaderboard("robust04", "AP")                  # doctest: +SKIP
>>> print(board.verdict.sentence)                               # doctest: +SKIP
>>> board.to_pandas().head()                                    # doctest: +SKIP

The functions ask the site whose address the variable ``PLUMBLINE_URL`` has.
"""

import os
from collections.abc import Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.errors import (
    AmbiguousNameError,
    NotFinishedError,
    NotFoundError,
    Part,
    PlumblineError,
    RefusedError,
    UnreachableError,
)
from plumbline.own import Own
from plumbline.records import (
    Check,
    Finds,
    Leaderboard,
    OwnBoard,
    OwnCollection,
    PublicOwnCollection,
    Row,
    Run,
    Submission,
    Suite,
    Verdict,
)
from plumbline.site import Site

__version__ = "1.1.0"
__all__ = [
    "AmbiguousNameError", "Check", "Finds", "Leaderboard", "NotFinishedError", "NotFoundError", "Own", "OwnBoard",
    "OwnCollection", "Part", "PlumblineError", "PublicOwnCollection", "RefusedError", "Row", "Run", "Site",
    "Submission", "Suite", "UnreachableError", "Verdict", "open_dump", "review", "verify",
]  # fmt: skip
#: Each asks the site whose address ``PLUMBLINE_URL`` has.
_OF_SITE = frozenset({
    "best_of", "bibtex", "check", "collections", "compare", "compare_topics", "delete_run", "heads", "leaderboard",
    "log", "measures", "model", "models", "pairs", "paper", "papers", "review_table", "runs", "score_run", "search",
    "snapshot", "submissions", "submit", "submit_table", "suite", "system", "systems", "topics",
})  # fmt: skip


if TYPE_CHECKING:
    from plumbline.dumped import Dump
    from plumbline.reviewing import Finding

    _site = Site()
    leaderboard, suite, snapshot, search = _site.leaderboard, _site.suite, _site.snapshot, _site.search
    collections, measures, systems, papers = _site.collections, _site.measures, _site.systems, _site.papers
    models, system, paper, model = _site.models, _site.system, _site.paper, _site.model
    pairs, topics, bibtex, check = _site.pairs, _site.topics, _site.bibtex, _site.check
    compare, compare_topics, best_of = _site.compare, _site.compare_topics, _site.best_of
    review_table, submit, submissions = _site.review_table, _site.submit, _site.submissions
    log, heads, submit_table = _site.log, _site.heads, _site.submit_table
    score_run, runs, delete_run = _site.score_run, _site.runs, _site.delete_run


def __getattr__(name: str) -> Any:
    """Return the method of :class:`Site` of this name, for the site whose address ``PLUMBLINE_URL`` has."""
    if name not in _OF_SITE:
        raise AttributeError(f"plumbline has no {name}")

    @wraps(getattr(Site, name))
    def of_site(*arguments: Any, **options: Any) -> Any:
        return getattr(Site(), name)(*arguments, **options)

    return of_site


def __dir__() -> list[str]:
    return sorted([*globals(), *_OF_SITE])


def review(
    *paths: str | os.PathLike[str],
    dump: str | os.PathLike[str] = "",
    own: Iterable[str] = (),
    answers: Mapping[str, str] | None = None,
    **defaults: str,
) -> "list[Finding]":
    """Return what the record says of every table of a paper, as ``plumbline review`` does.

    Parameters
    ----------
    *paths : str or path
        Files (LaTeX, Markdown, HTML, CSV), folders of them, tarballs.
    dump : str or path, optional
        Folder of a dump; nothing is fetched then. Default: the site at ``PLUMBLINE_URL``.
    own : iterable of str, optional
        Systems of the author. Default: those called *Ours*, *Proposed* or *This work*.
    answers : mapping, optional
        To questions that tables leave open, by their keys.
    **defaults : str
        ``collection``, ``measure`` and ``unit`` where a table names none.

    Raises
    ------
    PlumblineError
        If a file can't be read, or the record can't be had.
    """
    from plumbline import reviewing
    from plumbline.record import DumpRecord, SiteRecord

    record = DumpRecord(Path(dump)) if dump else SiteRecord(Site())
    author = reviewing.Author(answers=dict(answers or {}), own=list(own), defaults=defaults)
    return reviewing.review([Path(path) for path in paths], record, author)


def open_dump(folder: str | os.PathLike[str]) -> "Dump":
    """Return the record in a dump's folder, with the methods of a site, offline.

    Needs the statistics (``pip install . './clients/python[statistics]'``).

    Raises
    ------
    PlumblineError
        If the folder is no dump, or a file of it is damaged.
    """
    from plumbline.dumped import Dump

    return Dump(Path(folder))


def verify(snapshot: str, *, expected: str = "", topic_scores: str = "") -> list[str]:
    """Return the faults of a snapshot's JSON; none where every number comes out again.

    ``topic_scores`` is the CSV that its page gives where it rests on scores by topic.
    Needs the statistics (``pip install . './clients/python[statistics]'``).
    """
    from plumbline import desk

    return desk.verify(snapshot, expected=expected, topic_scores=topic_scores)
