"""Topic scores packed without loss, and as a file; and judgements sealed, which nobody is to read: not in the database,
not in a copy of it, not in a dump.
"""

import hashlib
import hmac
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from analysis.readers.tables import guard_formula
from registry.core.columns import csv_text
from registry.core.locking import keys_of, lock, unlock

#: Decimals of the mean that an answer from sealed judgements is.
DECIMALS = 2
_PURPOSE = "sealed judgements"


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Scores by the name of the measure, or of the system, in the order of the topics."""

    topics: list[str]
    scores: dict[str, list[float]]


def pack_scores(topics: Sequence[str], scores: Mapping[str, Sequence[float | None]]) -> bytes:
    """Compress names, then doubles: the first bytes of all together, as they differ least. None is kept as NaN."""
    head = json.dumps([list(topics), list(scores)]).encode()
    columns = [np.array(column, dtype="<f8").view(np.uint8).reshape(-1, 8).T.tobytes() for column in scores.values()]
    return zlib.compress(b"\n".join([head, b"".join(columns)]), 6)


def pack_rankings(rankings: Mapping[str, str]) -> bytes:
    """Compress topics with their documents, which spaces divide; empty where there are none."""
    return zlib.compress(json.dumps(rankings).encode(), 6) if rankings else b""


def unpack_rankings(packed: bytes) -> dict[str, str]:
    rankings: dict[str, str] = json.loads(zlib.decompress(packed))
    return rankings


def unpack_scores(packed: bytes) -> TopicTable:
    """Return packed scores on the topics of which no cell is absent."""
    topics, names, columns = _unpacked(packed)
    complete: NDArray[np.bool_] = np.all(~np.isnan(columns), axis=0)
    shared = [topic for topic, is_complete in zip(topics, complete.tolist(), strict=True) if is_complete]
    return TopicTable(shared, dict(zip(names, columns[:, complete].tolist(), strict=True)))


def unpack_cells(packed: bytes) -> dict[str, dict[str, float]]:
    """Return packed scores by name and topic, without absent cells."""
    topics, names, columns = _unpacked(packed)
    rows = (zip(topics, row, strict=True) for row in columns.tolist())
    return {
        name: {topic: score for topic, score in row if not isnan(score)} for name, row in zip(names, rows, strict=True)
    }


def _unpacked(packed: bytes) -> tuple[list[str], list[str], NDArray[np.float64]]:
    head, _, numbers = zlib.decompress(packed).partition(b"\n")
    topics, names = json.loads(head)
    table = np.frombuffer(numbers, dtype=np.uint8).reshape(len(names), 8, len(topics))
    return topics, names, np.ascontiguousarray(table.transpose(0, 2, 1)).view("<f8")[:, :, 0]


def topic_scores_csv(packed: bytes) -> str:
    """Return a row for each topic, a column for each measure or system; absent cells are blank."""
    topics, names, columns = _unpacked(packed)
    rows = zip(topics, columns.T.tolist(), strict=True)
    cells = ([guard_formula(topic), *("" if isnan(score) else score for score in row)] for topic, row in rows)
    return csv_text([["topic", *map(guard_formula, names)], *cells])


def seal(content: bytes) -> bytes:
    """Encrypt the content with a key that stands outside of the database."""
    return lock(_PURPOSE, content)


def unseal(sealed: bytes) -> bytes:
    """Return the sealed content; raise ``registry.core.locking.Locked`` where the site's secret is another now."""
    return unlock(_PURPOSE, sealed)


def keyed_digest(content: bytes) -> str:
    """Return a digest of the content that says nothing of it to those without the key."""
    return hmac.new(keys_of(_PURPOSE)[0], content, hashlib.sha256).hexdigest()
