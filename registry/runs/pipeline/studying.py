"""Studies of what people sent, as the process that scores runs makes them."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec

from analysis.boards import BoardInputs, make_snapshot
from analysis.errors import ArgumentError
from analysis.scores import Judgements, ScoreMatrix
from registry.runs.pipeline.precision import document_study, run_of
from registry.runs.pipeline.reading import Unreadable
from registry.runs.pipeline.scoring import read_judgements


def study_board(content: bytes) -> dict[str, Any]:
    """The text of a snapshot, as public ones are made."""
    asked = json.loads(content)
    inputs = msgspec.convert(asked["inputs"], BoardInputs)
    matrix = ScoreMatrix(**asked["matrix"]) if asked["matrix"] else None
    return {"content": make_snapshot(inputs, matrix).text}


def study_documents(content: bytes, judgements: bytes, tell: Callable[[int], None]) -> dict[str, Any]:
    """What other documents would change; ``tell`` is given how many ranked lists are resampled.

    Raises
    ------
    Unreadable
        If no topic has a relevant document.
    """
    asked = json.loads(content)
    judged = Judgements(read_judgements(judgements.decode().splitlines()))
    runs = [run_of(rankings) for rankings in asked["runs"]]
    done = count(1)
    try:
        found = document_study(
            *runs, judgements=judged, grade=asked["grade"], depth=asked["depth"], tell=lambda *_: tell(next(done))
        )
    except ArgumentError as error:
        raise Unreadable(f"{error.argument} {error.reason}") from error
    return {"content": msgspec.json.encode(found).decode()}
