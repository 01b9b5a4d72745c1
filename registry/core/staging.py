"""Rows put aside in a temporary file between reading and recording, so that memory does not grow with their number."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

import msgspec

Content = TypeVar("Content")
_CACHE_KIB = 16_384


class Outcome(IntEnum):
    """The fate of a staged row."""

    WAITING = 0
    REFUSED = 1
    NEW = 2
    UNCHANGED = 3
    SUPERSEDES = 4
    WITHDRAWN = 5


class Staged(NamedTuple, Generic[Content]):
    """A row with its number in the staging file, the row of the database that it was compared with, and the outcome."""

    number: int
    row: Content
    old: int | None
    outcome: Outcome


class Staging(Generic[Content]):
    """A temporary SQLite file of rows of one type, each under a key that only one can have. Use it in a ``with`` block.

    Rows are kept as JSON. ``group`` is what rows are known by that others may name as their ``parent``.
    """

    def __init__(self, kind: type[Content]) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        # An empty name makes a file that SQLite keeps in the cache while it is small and deletes when it is closed.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        self._db.execute(
            "CREATE TABLE staged (number INTEGER PRIMARY KEY, key BLOB UNIQUE, grp BLOB, parent BLOB, row BLOB,"
            " outcome INTEGER NOT NULL DEFAULT 0, old INTEGER)"
        )
        self._db.execute("BEGIN")

    def __enter__(self) -> "Staging[Content]":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, row: Content, *, key: bytes, group: bytes, parent: bytes | None) -> bool:
        """Put the row aside; False, and nothing done, where its key is taken."""
        cursor = self._db.execute(
            "INSERT OR IGNORE INTO staged (key, grp, parent, row) VALUES (?, ?, ?, ?)",
            (key, group, parent, msgspec.json.encode(row)),
        )
        return bool(cursor.rowcount)

    def holder(self, key: bytes) -> tuple[Content, bool]:
        """Return the row that has this key, and whether it is refused already."""
        row, outcome = self._db.execute("SELECT row, outcome FROM staged WHERE key = ?", (key,)).fetchone()
        return self._decode(row), outcome == Outcome.REFUSED

    def refuse(self, key: bytes) -> None:
        """Keep the key taken and the row out."""
        self._db.execute("UPDATE staged SET outcome = ? WHERE key = ?", (Outcome.REFUSED, key))

    def orphans(self) -> list[tuple[Content, bool]]:
        """Return rows whose parent is no good row without a parent; each with whether the parent is here at all."""
        if not self._db.execute("SELECT 1 FROM staged WHERE parent IS NOT NULL LIMIT 1").fetchone():
            return []
        self._db.execute("CREATE INDEX IF NOT EXISTS staged_grp ON staged (grp)")
        rows = self._db.execute(
            "SELECT row, EXISTS (SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.outcome != 1)"
            " FROM staged WHERE parent IS NOT NULL AND outcome != 1 AND NOT EXISTS ("
            "SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.parent IS NULL AND up.outcome != 1)"
        )
        return [(self._decode(row), bool(is_here)) for row, is_here in rows]

    def chunks(self, size: int, *outcomes: Outcome, parents_first: bool = False) -> Iterator[list[Staged[Content]]]:
        """Yield rows with one of these outcomes, by number; with ``parents_first``, those without a parent come first.

        The outcomes of a chunk may be changed before the next one is asked for.
        """
        for generation in ("AND parent IS NULL", "AND parent IS NOT NULL") if parents_first else ("",):
            last = 0
            wanted = ",".join(str(int(outcome)) for outcome in outcomes)
            while True:
                rows = self._db.execute(
                    "SELECT number, row, old, outcome FROM staged"
                    f" WHERE number > ? AND outcome IN ({wanted}) {generation} ORDER BY number LIMIT ?",
                    (last, size),
                ).fetchall()
                if not rows:
                    break
                yield [Staged(number, self._decode(row), old, Outcome(outcome)) for number, row, old, outcome in rows]
                last = rows[-1][0]

    def judge(self, outcomes: Iterable[tuple[Outcome, int | None, int]]) -> None:
        """Set (outcome, the row it supersedes) by the row's number, which comes last."""
        self._db.executemany("UPDATE staged SET outcome = ?, old = ? WHERE number = ?", outcomes)

    def counts(self) -> Counter[Outcome]:
        """Return how many rows have each outcome."""
        rows = self._db.execute("SELECT outcome, count(*) FROM staged GROUP BY outcome")
        return Counter({Outcome(outcome): count for outcome, count in rows})
