"""Rows put aside in a temporary file between reading and recording, so that memory does not grow with their number."""

import pickle
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

Row = TypeVar("Row")
_CACHE_KIB = 16_384


class Verdict(IntEnum):
    """What is to become of a staged row."""

    WAITING = 0
    REFUSED = 1
    NEW = 2
    UNCHANGED = 3
    SUPERSEDES = 4
    WITHDRAWN = 5


class Staged(NamedTuple, Generic[Row]):
    """A row with its number in the staging file, the row of the database that it was compared with, and the verdict."""

    number: int
    row: Row
    old: int | None
    verdict: Verdict


class Staging(Generic[Row]):
    """A temporary SQLite file of rows, each under a key that only one can have. Use it in a ``with`` block.

    ``group`` is what rows are known by that others may name as their ``parent``.
    """

    def __init__(self) -> None:
        # An empty name makes a file that SQLite keeps in the cache while it is small and deletes when it is closed.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        self._db.execute(
            "CREATE TABLE staged (number INTEGER PRIMARY KEY, key BLOB UNIQUE, grp BLOB, parent BLOB, row BLOB,"
            " verdict INTEGER NOT NULL DEFAULT 0, target INTEGER, old INTEGER)"
        )
        self._db.execute("BEGIN")

    def __enter__(self) -> "Staging[Row]":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, row: Row, *, key: bytes, group: bytes, parent: bytes | None) -> bool:
        """Put the row aside; False, and nothing done, where its key is taken."""
        cursor = self._db.execute(
            "INSERT OR IGNORE INTO staged (key, grp, parent, row) VALUES (?, ?, ?, ?)",
            (key, group, parent, pickle.dumps(row, 5)),
        )
        return bool(cursor.rowcount)

    def holder(self, key: bytes) -> tuple[Row, bool]:
        """The row that has this key, and whether it is refused already."""
        row, verdict = self._db.execute("SELECT row, verdict FROM staged WHERE key = ?", (key,)).fetchone()
        return pickle.loads(row), verdict == Verdict.REFUSED

    def refuse(self, key: bytes) -> None:
        """Keep the key taken and the row out."""
        self._db.execute("UPDATE staged SET verdict = ? WHERE key = ?", (Verdict.REFUSED, key))

    def orphans(self) -> list[tuple[Row, bool]]:
        """Rows whose parent is no good row that has no parent itself; and whether it is here at all."""
        if not self._db.execute("SELECT 1 FROM staged WHERE parent IS NOT NULL LIMIT 1").fetchone():
            return []
        self._db.execute("CREATE INDEX IF NOT EXISTS staged_grp ON staged (grp)")
        rows = self._db.execute(
            "SELECT row, EXISTS (SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.verdict != 1)"
            " FROM staged WHERE parent IS NOT NULL AND verdict != 1 AND NOT EXISTS ("
            "SELECT 1 FROM staged AS up WHERE up.grp = staged.parent AND up.parent IS NULL AND up.verdict != 1)"
        )
        return [(pickle.loads(row), bool(is_here)) for row, is_here in rows]

    def chunks(self, size: int, *verdicts: Verdict, parents_first: bool = False) -> Iterator[list[Staged[Row]]]:
        """The rows with one of these verdicts, by number; with ``parents_first``, those that have none before the rest.

        The verdicts of a chunk may be changed before the next one is asked for.
        """
        for generation in ("AND parent IS NULL", "AND parent IS NOT NULL") if parents_first else ("",):
            last = 0
            wanted = ",".join(str(int(verdict)) for verdict in verdicts)
            while True:
                found = self._db.execute(
                    "SELECT number, row, old, verdict FROM staged"
                    f" WHERE number > ? AND verdict IN ({wanted}) {generation} ORDER BY number LIMIT ?",
                    (last, size),
                ).fetchall()
                if not found:
                    break
                yield [Staged(number, pickle.loads(row), old, Verdict(verdict)) for number, row, old, verdict in found]
                last = found[-1][0]

    def judge(self, verdicts: Iterable[tuple[Verdict, int | None, int | None, int]]) -> None:
        """Set (verdict, what the row belongs to, the row it supersedes) by the row's number, which comes last."""
        self._db.executemany("UPDATE staged SET verdict = ?, target = ?, old = ? WHERE number = ?", verdicts)

    def counts(self) -> Counter[Verdict]:
        """How many rows have each verdict."""
        rows = self._db.execute("SELECT verdict, count(*) FROM staged GROUP BY verdict")
        return Counter({Verdict(verdict): count for verdict, count in rows})

    def targets(self, *verdicts: Verdict) -> list[int]:
        """What the rows with these verdicts belong to, each once."""
        wanted = ",".join(str(int(verdict)) for verdict in verdicts)
        rows = self._db.execute(
            f"SELECT DISTINCT target FROM staged WHERE verdict IN ({wanted}) AND target IS NOT NULL"
        )
        return [target for (target,) in rows]
