"""The process in which what people send is read and scored: ``python -m registry.runs.pipeline.child``.

It bounds itself before it reads: memory, processor time, no core dump, no files. Order, judgements and content come as
one stream: a line of JSON, then as many bytes of judgements as it says, then what was sent. It answers in lines of
JSON: how far it is, and at last what it found or why it can't.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar

from analysis.errors import FormatError
from analysis.scores import parse_score_table
from registry.runs.pipeline.loose import LooseReader
from registry.runs.pipeline.reading import Limits, Malformed, RunReader, Unreadable, unpacked
from registry.runs.pipeline.scoring import AnyReader, first_documents, read_judgements, score_run

Found = TypeVar("Found")


#: Of so many judged topics at most the interval of MAP is found along with the scores.
MOST_RESAMPLED = 500


def main() -> None:
    """Answer the one order that stands on standard input."""
    source = sys.stdin.buffer
    order = json.loads(source.readline())
    limits = Limits(**order["limits"])
    judgements = source.read(order["n_bytes"])
    _bound(limits)
    try:
        _say(found=answer(order, judgements, source, limits), seconds=time.process_time())
    except Unreadable as refused:
        _say(refused=str(refused), seconds=time.process_time())
    except MemoryError:
        # Nothing is said: whoever listens knows what that means.
        os._exit(1)


def answer(order: dict[str, Any], judgements: bytes, source: BinaryIO, limits: Limits) -> dict[str, Any]:
    """What is found of an order, whose content begins where ``source`` stands.

    Raises
    ------
    Unreadable
        If it refuses.
    """
    if order["kind"] in ("study", "documents"):
        # Loaded where it is needed: scoring a small run takes less time than that.
        from registry.runs.pipeline.precision import study_board, study_documents

        if order["kind"] == "study":
            return study_board(source.read())
        return study_documents(source.read(), judgements, lambda done: _say(done=done))
    if order["kind"] == "matrix":
        return _read_matrix(b"".join(unpacked(_Rest(source), limits)))
    if order["kind"] == "topics":
        return {"topics": _read_run(source, limits, first_documents)}
    judged = read_judgements(judgements.decode().splitlines())
    measures = order["measures"]
    scored = _read_run(source, limits, lambda run: score_run(run, judged, measures, lambda n: _say(done=n)))
    precision = {} if order["is_sealed"] else _precision(scored.rankings, judged, measures)
    return scored.as_document() | {"precision": precision}


def _read_run(source: BinaryIO, limits: Limits, use: Callable[[AnyReader], Found]) -> Found:
    """What comes of a run; of one that is laid out otherwise, once it is brought into the usual layout."""
    start = source.tell()
    try:
        return use(RunReader(unpacked(_Rest(source), limits), limits))
    except Malformed as malformed:
        source.seek(start)
        chunks = unpacked(_Rest(source), limits, line_bytes=limits.unpacked_bytes)
        return use(LooseReader(chunks, limits, malformed))


def _precision(
    rankings: dict[str, str], judged: dict[str, dict[str, int]], measures: dict[str, str]
) -> dict[str, dict[str, float]]:
    """The interval of each average precision on other documents of the kind; none of long runs, which take too long."""
    if not rankings or len(judged) > MOST_RESAMPLED:
        return {}
    # Loaded where it is needed.
    from registry.runs.pipeline.precision import mean_intervals

    return mean_intervals(rankings, judged, measures)


def _read_matrix(content: bytes) -> dict[str, Any]:
    try:
        matrix = parse_score_table(content, missing="intersect")
    except FormatError as error:
        raise Unreadable(str(error)) from error
    scores = dict(zip(matrix.systems, matrix.scores.tolist(), strict=True))
    return {"topics": matrix.topics, "scores": scores, "dropped": matrix.dropped_topics}


class _Rest:
    """What is left of a stream, as a file whose start can be looked at."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._start = source.read(4)

    def peek(self) -> bytes:
        """The first four bytes."""
        return self._start

    def read(self, size: int = -1) -> bytes:
        """So many of the next bytes, or all."""
        n_start = len(self._start) if size < 0 else min(size, len(self._start))
        start, self._start = self._start[:n_start], self._start[n_start:]
        return start + (self._source.read(size if size < 0 else size - n_start) if size != n_start else b"")


def _bound(limits: Limits) -> None:
    for what, most in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(what, (most, most))
    # The first of the two ends it by a signal that tells why.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 5))
    with suppress(OSError):
        os.nice(5)


def _say(**message: Any) -> None:
    print(json.dumps(message, allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
