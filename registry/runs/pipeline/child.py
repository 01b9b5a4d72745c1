"""The process in which what people send is read and scored: ``python -m registry.runs.pipeline.child``.

It bounds itself before it reads: memory, processor time, no core dump, no files. Order, judgements and content come as
one stream: a line of JSON, then as many bytes of judgements as it says, then what was sent. It answers in lines of
JSON: how far it is, and at last what it found or why it can't.
"""

import json
import os
import resource
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from analysis.errors import FormatError
from analysis.scores import parse_score_table
from registry.runs.pipeline.reading import Limits, RunReader, Unreadable, unpacked
from registry.runs.pipeline.scoring import read_judgements, score_run


def main() -> None:
    """Answer the one order that stands on standard input."""
    source = sys.stdin.buffer
    order = json.loads(source.readline())
    limits = Limits(**order["limits"])
    judgements = source.read(order["n_bytes"])
    _bound(limits)
    try:
        _say(found=_answer(order, judgements, source, limits))
    except Unreadable as refused:
        _say(refused=str(refused))
    except MemoryError:
        # Nothing is said: whoever listens knows what that means.
        os._exit(1)


def _answer(order: dict[str, Any], judgements: bytes, source: BinaryIO, limits: Limits) -> dict[str, Any]:
    if order["kind"] in ("study", "documents"):
        # Loaded where it is needed: scoring a small run takes less time than that.
        from registry.runs.pipeline.studying import study_board, study_documents

        if order["kind"] == "study":
            return study_board(source.read())
        return study_documents(source.read(), judgements, lambda done: _say(done=done))
    content = _Rest(source)
    if order["kind"] == "matrix":
        return _read_matrix(b"".join(unpacked(content, limits)))
    run = RunReader(unpacked(content, limits), limits)
    judged = read_judgements(judgements.decode().splitlines())
    return score_run(run, judged, order["measures"], limits, lambda done: _say(done=done)).as_document()


def _read_matrix(content: bytes) -> dict[str, Any]:
    try:
        matrix = parse_score_table(content)
    except FormatError as error:
        raise Unreadable(str(error)) from error
    return {"topics": matrix.topics, "scores": dict(zip(matrix.systems, matrix.scores.tolist(), strict=True))}


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
