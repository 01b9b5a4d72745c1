"""Topic scores of several measures, or systems, in as few bytes as they take without loss, and as a file; and sealed,
what nobody is to read: not in the database, not in a copy of it, not in a dump.
"""

import hashlib
import hmac
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.readers.tables import guard_formula
from registry.core.columns import csv_text
from registry.core.locking import keys_of, lock, unlock

#: Of the one mean that an answer is.
DECIMALS = 2
_PURPOSE = "sealed judgements"


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Scores by the name of the measure, or of the system, in the order of the topics."""

    topics: list[str]
    scores: dict[str, list[float]]


def pack_scores(topics: Sequence[str], scores: Mapping[str, Sequence[float | None]]) -> bytes:
    """Names, then doubles, compressed: the first bytes of all together, as they differ least. None is kept as NaN."""
    head = json.dumps([list(topics), list(scores)]).encode()
    columns = [np.array(column, dtype="<f8").view(np.uint8).reshape(-1, 8).T.tobytes() for column in scores.values()]
    return zlib.compress(b"\n".join([head, b"".join(columns)]), 6)


def pack_rankings(rankings: Mapping[str, str]) -> bytes:
    """Topics with their documents, which spaces divide; nothing where there are none."""
    return zlib.compress(json.dumps(rankings).encode(), 6) if rankings else b""


def unpack_rankings(packed: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(zlib.decompress(packed))
    return found


def unpack_scores(packed: bytes) -> TopicTable:
    """Return what was packed, on the topics of which no cell is absent."""
    topics, names, columns = _unpacked(packed)
    complete: NDArray[np.bool_] = np.all(~np.isnan(columns), axis=0)
    kept = [topic for topic, is_kept in zip(topics, complete.tolist(), strict=True) if is_kept]
    return TopicTable(kept, dict(zip(names, columns[:, complete].tolist(), strict=True)))


def unpack_cells(packed: bytes) -> dict[str, dict[str, float]]:
    """Return what was packed, by name and topic; an absent cell is absent, and its topic stays."""
    topics, names, columns = _unpacked(packed)
    rows = (zip(topics, row, strict=True) for row in columns.tolist())
    return {name: {topic: one for topic, one in row if one == one} for name, row in zip(names, rows, strict=True)}


def _unpacked(packed: bytes) -> tuple[list[str], list[str], NDArray[np.float64]]:
    head, _, numbers = zlib.decompress(packed).partition(b"\n")
    topics, names = json.loads(head)
    table = np.frombuffer(numbers, dtype=np.uint8).reshape(len(names), 8, len(topics))
    return topics, names, np.ascontiguousarray(table.transpose(0, 2, 1)).view("<f8")[:, :, 0]


def topic_scores_csv(packed: bytes) -> str:
    """A row for each topic, a column for each measure or system; absent cells are blank."""
    topics, names, columns = _unpacked(packed)
    rows = zip(topics, columns.T.tolist(), strict=True)
    cells = ([guard_formula(topic), *("" if one != one else one for one in row)] for topic, row in rows)
    return csv_text([["topic", *map(guard_formula, names)], *cells])


def seal(content: bytes) -> bytes:
    """The content, encrypted with a key that stands outside of the database."""
    return lock(_PURPOSE, content)


def unseal(sealed: bytes) -> bytes:
    """Return what was sealed; raises ``registry.core.locking.Locked`` where the site's secret is another now."""
    return unlock(_PURPOSE, sealed)


def keyed_digest(content: bytes) -> str:
    """A digest that tells the same content from other, and tells nothing to those without the key."""
    return hmac.new(keys_of(_PURPOSE)[0], content, hashlib.sha256).hexdigest()
