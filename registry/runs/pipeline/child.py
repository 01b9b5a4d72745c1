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
from contextlib import suppress
from typing import Any, BinaryIO

from analysis.errors import FormatError
from analysis.runs.layouts import use_run
from analysis.runs.reading import Limits, Rest, Unreadable, unpacked
from analysis.runs.scoring import first_documents, read_judgements, score_run
from analysis.scores import parse_score_cells, parse_score_table

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
        _send(findings=answer(order, judgements, source, limits), seconds=time.process_time())
    except Unreadable as refused:
        _send(refused=str(refused), seconds=time.process_time())
    except MemoryError:
        # Nothing is sent: whoever listens knows what that means.
        os._exit(1)


def answer(order: dict[str, Any], judgements: bytes, source: BinaryIO, limits: Limits) -> dict[str, Any]:
    """Carry out an order, whose content begins where ``source`` stands, or raise ``Unreadable``."""
    if order["kind"] in ("study", "documents"):
        # Loaded where it is needed: scoring a small run takes less time than that.
        from registry.runs.pipeline.precision import study_board, study_documents

        if order["kind"] == "study":
            return study_board(source.read())
        return study_documents(source.read(), judgements, lambda done: _send(done=done))
    if order["kind"] == "matrix":
        return _read_matrix(b"".join(unpacked(Rest(source), limits)))
    if order["kind"] == "topics":
        return {"topics": use_run(source, limits, first_documents)}
    judged = read_judgements(judgements.decode().splitlines())
    measures = order["measures"]
    scored = use_run(source, limits, lambda run: score_run(run, judged, measures, lambda n: _send(done=n)))
    precision = {} if order["is_sealed"] else _precision(scored.rankings, judged, measures)
    return scored.as_document() | {"precision": precision}


def _precision(
    rankings: dict[str, str], judged: dict[str, dict[str, int]], measures: dict[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the interval of each average precision on other documents of the kind; none of long runs: too slow."""
    if not rankings or len(judged) > MOST_RESAMPLED:
        return {}
    # Loaded where it is needed.
    from analysis.runs.reports import mean_intervals

    return mean_intervals(rankings, judged, measures)


def _read_matrix(content: bytes) -> dict[str, Any]:
    try:
        matrix, cells = parse_score_table(content, missing="intersect"), parse_score_cells(content)
    except FormatError as error:
        raise Unreadable(str(error)) from error
    topics = [*matrix.topics, *matrix.dropped_topics]
    scores = {name: [by_topic.get(topic) for topic in topics] for name, by_topic in cells.items()}
    rows = zip(matrix.systems, matrix.scores.tolist(), strict=True)
    means = {name: sum(row) / len(row) for name, row in rows}
    return {"topics": topics, "scores": scores, "means": means, "dropped": matrix.dropped_topics}


def _bound(limits: Limits) -> None:
    for resource_limit, most in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(resource_limit, (most, most))
    # The first of the two ends it by a signal that tells why.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 5))
    with suppress(OSError):
        os.nice(5)


def _send(**message: Any) -> None:
    print(json.dumps(message, allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
