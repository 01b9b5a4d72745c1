"""Reads a Plumbline, and hands results in.

>>> import plumbline                                            # doctest: +SKIP
>>> site = plumbline.Site("https://plumbline.example.org")      # doctest: +SKIP
>>> board = site.leaderboard("robust04", "AP")                  # doctest: +SKIP
>>> print(board.verdict.sentence)                               # doctest: +SKIP
>>> board.to_pandas().head()                                    # doctest: +SKIP

The functions ask the site whose address the variable ``PLUMBLINE_URL`` has.
"""

import os
from collections.abc import Iterable, Iterator, Mapping

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

__all__ = [
    "AmbiguousNameError",
    "Check",
    "Finds",
    "Leaderboard",
    "NotFinishedError",
    "NotFoundError",
    "Own",
    "OwnBoard",
    "OwnCollection",
    "Part",
    "PlumblineError",
    "PublicOwnCollection",
    "RefusedError",
    "Row",
    "Run",
    "Site",
    "Submission",
    "Suite",
    "UnreachableError",
    "Verdict",
    "check",
    "delete_run",
    "leaderboard",
    "runs",
    "score_run",
    "search",
    "submit",
    "suite",
]


def leaderboard(collection: str, measure: str, **choices: str | int) -> Leaderboard:
    """As :meth:`Site.leaderboard`."""
    return Site().leaderboard(collection, measure, **choices)


def suite(suite: str, measure: str) -> Suite:
    """As :meth:`Site.suite`."""
    return Site().suite(suite, measure)


def search(text: str, *, kind: str = "") -> Finds:
    """As :meth:`Site.search`."""
    return Site().search(text, kind=kind)


def check(collection: str, measure: str, score: float, *, baseline: float | None = None, tried: int = 1) -> Check:
    """As :meth:`Site.check`."""
    return Site().check(collection, measure, score, baseline=baseline, tried=tried)


def submit(
    results: Iterable[Mapping[str, object]] | str | os.PathLike[str],
    *,
    dry_run: bool = False,
    note: str = "",
    key: str = "",
) -> Submission:
    """As :meth:`Site.submit`."""
    return Site().submit(results, dry_run=dry_run, note=note, key=key)


def score_run(
    path: str | os.PathLike[str], *, collection: str, name: str = "", until: str = "", result: int | None = None
) -> Run:
    """As :meth:`Site.score_run`."""
    return Site().score_run(path, collection=collection, name=name, until=until, result=result)


def runs() -> Iterator[Run]:
    """As :meth:`Site.runs`."""
    return Site().runs()


def delete_run(run: Run | str) -> None:
    """As :meth:`Site.delete_run`."""
    Site().delete_run(run)
