"""Carterette's analysis of the counted results, had all systems been equal, on every scale that is known."""

from collections.abc import Sequence

import numpy as np

from analysis.best import Scale, Sensitivity, analyse_best
from analysis.boards._competitors import is_admitted
from analysis.boards._findings import CountedResults, EqualMeans, Evidence
from analysis.boards._inputs import BoardInputs, BoardRow, Question
from analysis.boards._methods import METHODS
from analysis.scores import MeasureKind


def count_results(inputs: BoardInputs, question: Question, failed: Sequence[int]) -> tuple[BoardRow, ...]:
    """Return the counted results: original, comparable, one execution a system, not failed."""
    rows = (row for row in inputs.rows if row.is_counted and row.id not in failed)
    return tuple(row for row in rows if not question.counted_roles or row.role in question.counted_roles)


def summarize_counted(rows: Sequence[BoardRow]) -> CountedResults | None:
    """Return the number, mean and spread of the counted results; None without any."""
    if not rows:
        return None
    means = np.array([row.value for row in rows])
    return CountedResults(
        n_results=means.size,
        mean=float(means.mean()),
        sd=float(means.std(ddof=1)) if means.size > 1 else None,
        max=float(means.max()),
        min=float(means.min()),
    )


def why_no_equal_means(inputs: BoardInputs, question: Question, rows: Sequence[BoardRow]) -> str:
    """Return why Carterette's analysis can't be had; blank where it can."""
    if inputs.measure.nature.kind is MeasureKind.NOT_A_MEAN:
        return f"{inputs.measure.name} is not a mean over topics"
    if inputs.n_topics is None:
        return "the number of topics behind these means is not known"
    if inputs.n_topics < 2:
        return "with a single topic nothing tells how much means vary"
    if len(rows) < METHODS.min_counted:
        return f"fewer than {METHODS.min_counted} original results are recorded"
    if len({row.value for row in rows}) == 1:
        return "all original results have the same score"
    if not any(is_admitted(row, question) for row in rows):
        return "none of the original results passes the filters"
    return ""


def study_equal_means(
    inputs: BoardInputs, question: Question, rows: Sequence[BoardRow], evidence: Evidence
) -> tuple[EqualMeans, ...]:
    """Return the analysis as published, and with the residual variance of the evidence where there is one."""
    assert inputs.n_topics is not None
    scales: list[tuple[Scale, float | None]] = [("published", None)]
    if evidence.residual_variance:
        is_own = evidence.kind in ("own-topics", "own-variance")
        scales.append(("residual" if is_own else "borrowed", evidence.residual_variance))
    return tuple(_on_scale(inputs, question, rows, inputs.n_topics, scale, variance) for scale, variance in scales)


def _on_scale(
    inputs: BoardInputs,
    question: Question,
    rows: Sequence[BoardRow],
    n_topics: int,
    scale: Scale,
    residual_variance: float | None,
) -> EqualMeans:
    values = analyse_best(
        [row.value for row in rows],
        n_topics=n_topics,
        scale=scale,
        residual_variance=residual_variance,
        n_multiplier=question.n_multiplier,
        contenders=np.array([is_admitted(row, question) for row in rows]),
        tail=METHODS.tail,
        higher_is_better=inputs.measure.higher_is_better,
    ).to_dict()
    values["plausible"] = tuple(rows[place].id for place in values["plausible"])
    values["best_id"] = rows[values.pop("best_index")].id
    values["sensitivity"] = tuple(
        Sensitivity(**{name: entry[name] for name in Sensitivity.__dataclass_fields__})
        for entry in values["sensitivity"]
    )
    return EqualMeans(**{name: values[name] for name in EqualMeans.__dataclass_fields__})
