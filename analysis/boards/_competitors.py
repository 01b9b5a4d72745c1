"""Which rows of a board may be the best, with their topic scores."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from analysis.best import HiddenTries
from analysis.boards._findings import ViewName
from analysis.boards._inputs import BoardInputs, BoardRow, Question
from analysis.scores import ScoreMatrix


@dataclass(frozen=True, slots=True)
class Competitors:
    """The rows that were tried in the board's setting, one a system, best first."""

    rows: Annotated[
        tuple[BoardRow, ...],
        "Executions of one system stand as one row, under the id of the first, with their mean. Without failed runs.",
    ]
    contenders: Annotated[
        tuple[bool, ...], "Which of them may be the best, in this view and under the reader's filters."
    ]
    view: Annotated[ViewName, "Of training."]
    failed: Annotated[
        tuple[int, ...],
        "Ids of comparable rows of exactly 0, or with the same score on every topic: shown, and out of everything.",
    ]
    constant: Annotated[tuple[int, ...], "Those of ``failed`` with one score, other than 0, on every topic."]
    matrix: Annotated[
        ScoreMatrix | None, "Topic scores of those rows that have them, labelled by id; of executions the mean."
    ]
    tries: Annotated[HiddenTries | None, "What the value allows for beside what is listed."] = None
    topic_groups: Annotated[tuple[str, ...] | None, "The group of each topic of the matrix; None without groups."] = (
        None
    )
    looks: Annotated[Literal["", "weekly"], "How often the set is read, as the question has it."] = ""

    @property
    def covers_all(self) -> bool:
        """Return whether every contender has topic scores."""
        return self.matrix is not None and {row.id for row in self.contending} <= set(map(int, self.matrix.systems))

    @property
    def contending(self) -> tuple[BoardRow, ...]:
        """The rows that may be the best, best first."""
        return tuple(row for row, may_win in zip(self.rows, self.contenders, strict=True) if may_win)

    def seen_as(self, view: ViewName) -> "Competitors":
        """The same where others may be the best, by what is said of their training."""
        return replace(self, view=view, contenders=tuple(is_in(row, view) for row in self.rows))

    def without(self, results: Collection[int]) -> "Competitors":
        """The same without some rows."""
        left_out = set(results)
        kept = [(row, may) for row, may in zip(self.rows, self.contenders, strict=True) if row.id not in left_out]
        matrix = self.matrix
        if matrix is not None:
            systems = [system for system in matrix.systems if int(system) not in left_out]
            matrix = matrix.select(systems) if len(systems) > 1 else None
        return replace(
            self, rows=tuple(row for row, _ in kept), contenders=tuple(may for _, may in kept), matrix=matrix
        )


def find_competitors(inputs: BoardInputs, question: Question, topic_scores: ScoreMatrix | None) -> Competitors:
    """The rows that compete: comparable, one a system, not failed; and which of them pass the reader's filters."""
    executions, means = inputs.executions, inputs.means
    by_id = {row.id: row for row in inputs.rows}
    vectors = _mean_vectors(executions, topic_scores)
    rows, failed, constant = [], [], []
    for first, group in executions.items():
        row = by_id[first] if len(group) == 1 else replace(by_id[first], value=means[first])
        vector = vectors.get(first)
        is_zero = row.value == 0.0 and inputs.measure.nature.zero_is_failure
        is_constant = vector is not None and np.ptp(vector) == 0.0
        if is_zero or is_constant:
            failed += [one.id for one in group]
            constant += [] if is_zero else [one.id for one in group]
        else:
            rows.append(row)
    sign = -1.0 if inputs.measure.higher_is_better else 1.0
    rows.sort(key=lambda row: (sign * row.value, row.system.casefold(), row.id))
    labelled = {str(row.id): vectors[row.id] for row in rows if row.id in vectors}
    matrix = None
    if topic_scores is not None and len(labelled) > 1:
        matrix = ScoreMatrix(list(labelled), list(topic_scores.topics), list(labelled.values()))
    view = question.training or default_view(rows, is_zero_shot=inputs.is_zero_shot)
    contenders = tuple(is_in(row, view) and is_admitted(row, question) for row in rows)
    best = next((row for row, may in zip(rows, contenders, strict=True) if may), None)
    n_tries = (best and best.n_tries) or question.n_tries
    tries = HiddenTries(n_tries=n_tries, share=question.tries_share) if question.n_tries > 1 else None
    groups = inputs.topic_groups.of_topics if inputs.topic_groups else ()
    return Competitors(
        tuple(rows), contenders, view, tuple(failed), tuple(constant), matrix, tries, groups or None, question.looks
    )


#: So many rows say something of their training where a board has views of it; so many a view has that leads.
MIN_DECLARED = 10


def has_views(rows: Iterable[BoardRow]) -> bool:
    """Return whether enough rows declare something of their training, and not only that there is nothing to train."""
    return sum(row.view is not None and row.training != "nothing_to_train" for row in rows) >= MIN_DECLARED


def default_view(rows: Sequence[BoardRow], *, is_zero_shot: bool) -> ViewName:
    """Return whose results a verdict is on where nobody asks: a view of ten rows, and of half of all, leads."""
    n_none = sum(row.view == "declared-none" for row in rows)
    leads = n_none >= MIN_DECLARED and 2 * n_none >= len(rows)
    return "declared-none" if is_zero_shot and has_views(rows) and leads else "all"


def is_in(row: BoardRow, view: ViewName) -> bool:
    """Return whether the row may be the best in a view: a fact of the row, whatever it scores."""
    return view in ("all", row.view)


def is_admitted(row: BoardRow, question: Question) -> bool:
    """Return whether the row may be the best, as far as the reader's filters go."""
    return (
        (not question.role or row.role == question.role)
        and (not question.run_type or row.run_type == question.run_type)
        and (not question.provenance or row.provenance == question.provenance)
        and (question.only is None or row.id in question.only)
    )


def _mean_vectors(
    executions: dict[int, list[BoardRow]], topic_scores: ScoreMatrix | None
) -> dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """The topic scores of each system: the mean over those of its executions that have them."""
    if topic_scores is None:
        return {}
    places = {int(system): place for place, system in enumerate(topic_scores.systems)}
    found = {}
    for first, group in executions.items():
        known = [places[row.id] for row in group if row.id in places]
        if len(known) == len(group):
            found[first] = topic_scores.scores[known].mean(axis=0)
    return found
