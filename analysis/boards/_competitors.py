"""The rows of a board that compete: which may be the best, their topic scores, and their families."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from analysis.best import HiddenTries
from analysis.boards._findings import Family, ViewName
from analysis.boards._inputs import BoardInputs, BoardRow, Question
from analysis.errors import ArgumentError
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
        """Return the competitors as a view of training sees them, in which others may be the best."""
        return replace(self, view=view, contenders=tuple(is_in(row, view) for row in self.rows))

    def without(self, results: Collection[int]) -> "Competitors":
        """Return the competitors without some rows."""
        left_out = set(results)
        left = [(row, may) for row, may in zip(self.rows, self.contenders, strict=True) if row.id not in left_out]
        matrix = self.matrix
        if matrix is not None:
            systems = [system for system in matrix.systems if int(system) not in left_out]
            matrix = matrix.select(systems) if len(systems) > 1 else None
        return replace(
            self, rows=tuple(row for row, _ in left), contenders=tuple(may for _, may in left), matrix=matrix
        )


def find_competitors(inputs: BoardInputs, question: Question, topic_scores: ScoreMatrix | None) -> Competitors:
    """Return the rows that compete: comparable, one a system, not failed; and which of them pass the reader's
    filters."""
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
            failed += [execution.id for execution in group]
            constant += [] if is_zero else [execution.id for execution in group]
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
    """Return the topic scores of each system: the mean over those of its executions that have them."""
    if topic_scores is None:
        return {}
    places = {int(system): place for place, system in enumerate(topic_scores.systems)}
    vectors = {}
    for first, group in executions.items():
        covered = [places[row.id] for row in group if row.id in places]
        if len(covered) == len(group):
            vectors[first] = topic_scores.scores[covered].mean(axis=0)
    return vectors


def group_families(rows: Sequence[BoardRow], near_copies: Iterable[Sequence[int]] = ()) -> tuple[Family, ...]:
    """Return the families among rows: those that share a lineage key, and what these share with others, and so on.

    ``rows`` stand best first, and each comes out in exactly one family, that of the first row first. ``near_copies``
    are groups of ids whose topic scores are nearly the same; each is of one family too.

    >>> def row(id, *lineage):
    ...     return BoardRow(id=id, system=f"s{id}", printed="0.1", value=0.1, lineage=lineage)
    >>> families = group_families([row(1, "team:x"), row(2), row(3, "team:y", "model:m"), row(4, "team:x", "model:m")])
    >>> [family.results for family in families]
    [(1, 3, 4), (2,)]
    """
    if not isinstance(rows, Sequence) or not all(isinstance(row, BoardRow) for row in rows):
        raise ArgumentError("rows", rows, "must be rows of a board")
    parent = {row.id: row.id for row in rows}
    if len(parent) < len(rows):
        raise ArgumentError("rows", [row.id for row in rows], "must have different ids")

    def find(result: int) -> int:
        while parent[result] != result:
            parent[result] = parent[parent[result]]
            result = parent[result]
        return result

    order = {row.id: position for position, row in enumerate(rows)}
    first_with: dict[str, int] = {}
    for row in rows:
        for key in row.lineage:
            parent[find(row.id)] = find(first_with.setdefault(key, row.id))
    if isinstance(near_copies, str) or not isinstance(near_copies, Iterable):
        raise ArgumentError("near_copies", near_copies, "must be groups of ids")
    for group in near_copies:
        if isinstance(group, str) or not isinstance(group, Sequence) or not set(group) <= parent.keys():
            raise ArgumentError("near_copies", group, "must be ids of the rows")
        for result in group[1:]:
            parent[find(result)] = find(group[0])
    members: dict[int, list[BoardRow]] = {}
    for row in rows:
        members.setdefault(find(row.id), []).append(row)
    return tuple(
        Family(results=tuple(row.id for row in group), keys=_shared_keys(group))
        for group in sorted(members.values(), key=lambda group: order[group[0].id])
    )


def _shared_keys(group: Sequence[BoardRow]) -> tuple[str, ...]:
    """Return the keys that hold a family together, those of most rows first; of a single row all that it has."""
    counts: dict[str, int] = {}
    for row in group:
        for key in row.lineage:
            counts[key] = counts.get(key, 0) + 1
    if len(group) > 1:
        counts = {key: n for key, n in counts.items() if n > 1}
    return tuple(sorted(counts, key=lambda key: (-counts[key], key)))


def has_maker(row: BoardRow) -> bool:
    """Return whether the row names its team or its paper."""
    return any(key.startswith(("team:", "paper:")) for key in row.lineage)


#: What names a group best, and the word for what else its rows share.
_NAMES = {"team:": "", "model:": "", "toolkit:": "", "paper:": "one paper"}


def group_name(rows: Sequence[BoardRow]) -> str:
    """Return what rows of one group are called: their team, else the model, toolkit or paper that all share."""
    if len(teams := {row.team for row in rows}) == 1 and (team := teams.pop()):
        return team
    shared = set.intersection(*(set(row.lineage) for row in rows))
    for prefix, word in _NAMES.items():
        if keys := sorted(key for key in shared if key.startswith(prefix)):
            return word or keys[0].removeprefix(prefix)
    return "one group"


def family_of(families: Iterable[Family]) -> Mapping[int, int]:
    """Return the number of each row's family, by result id."""
    return {result: number for number, family in enumerate(families) for result in family.results}
