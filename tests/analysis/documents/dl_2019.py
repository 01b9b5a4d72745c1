"""Eleven runs on the 43 topics of TREC 2019 Deep Learning (passages), to depth 100, and what is relevant at grade 2."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from analysis.scores import Judgements, Run, parse_judgements, parse_run


@cache
def facts() -> dict[str, Any]:
    """Return, by run and topic, the numbers of the documents; those up to ``n_relevant`` of the topic are relevant."""
    content: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return content


def run_text(name: str) -> str:
    """Return a run as trec_eval reads it."""
    return "".join(
        f"{topic} Q0 {topic}-{number} {rank} {200 - rank} {name}\n"
        for topic, numbers in facts()["runs"][name].items()
        for rank, number in enumerate(numbers, start=1)
    )


def judgements_text(*, also_graded: int = 0) -> str:
    """Return the relevant documents with grade 2; every so many-th of fifty others with grade 1, the rest with 0."""
    return "".join(
        f"{topic} 0 {topic}-{number} {2 if number <= n else int(bool(also_graded) and number % also_graded == 0)}\n"
        for topic, n in facts()["n_relevant"].items()
        for number in range(1, n + 51)
    )


def run_of(name: str) -> Run:
    """Read a run."""
    return parse_run(run_text(name))


def judgements() -> Judgements:
    """Read what is relevant."""
    return parse_judgements(judgements_text())
