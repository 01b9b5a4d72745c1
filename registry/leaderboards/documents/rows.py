"""The rows of a leaderboard under the reader's choices, with what findings say of each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.boards import BoardInputs, BoardRow, Caution, Findings, Verdict, rank_ranges
from registry.core.documents import document_of
from registry.leaderboards.documents.shapes import Execution, RowDocument
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis, Snapshot
from registry.leaderboards.queries.boards import RecordedRow, RecordedRows
from registry.results.models import Result

#: What a row is called that is shown and enters no analysis, by the code of the caution that says so.
LEFT_OUT = {"failed-runs": "failed run", "constant-runs": "constant: the same score on every topic"}

#: What a row is called whose system has several executions, of which another stands for all.
ANOTHER_EXECUTION = "another execution; the mean of all competes"

#: Columns that are sorted from the largest value downwards; the others go upwards.
DESCENDING_SORTS = frozenset({"year", "z", "topic_z"})

#: What is known of training where a study kept an answer alone.
_BEFORE = {"yes": "declares", "no": "not_listed", "unknown": "says_nothing"}

_ROLE_LABELS = {value: str(label) for value, label in Result.Role.choices}
_PROVENANCE_LABELS = {value: str(label) for value, label in Result.Provenance.choices}


@dataclass(frozen=True, slots=True)
class Shown:
    """A board as it is shown: its inputs as they entered, what was found, and the snapshot of it if there is one.

    ``trained`` are the rows with what is known of the training of their systems.
    """

    inputs: BoardInputs
    findings: Findings | None
    snapshot: Snapshot | None
    obstacle: Analysis.Obstacle
    trained: Iterable[BoardRow]


def shown_rows(recorded: RecordedRows, selection: Selection, shown: Shown) -> list[RowDocument]:
    """Return the rows that pass the filters, best first; one of several executions stands where their mean does."""
    marks, question = _RowMarks(shown, selection), selection.question
    sign, means = 1.0 if shown.inputs.measure.higher_is_better else -1.0, marks.means
    trained = {row.id: row for row in shown.trained}
    return [
        _row(row, recorded.facts[row.id], marks, trained.get(row.id, row))
        for row in sorted(
            recorded.rows, key=lambda row: -sign * (means[row.id] if row.id in marks.ranks else row.value)
        )
        if (not question.role or row.role == question.role)
        and (not question.run_type or row.run_type == question.run_type)
        and (not question.provenance or row.provenance == question.provenance)
    ]


class Marks:
    """The words of a verdict on single rows, by id; none without a verdict, and none on rows that it does not judge: it
    judges those ``judged``, by default those with a distance."""

    def __init__(self, verdict: Verdict | None, judged: Collection[int] | None = None) -> None:
        self.distances = verdict.distances if verdict else {}
        judged = self.distances if judged is None else judged
        #: Whether each is in the set, and the same without those that are held back; nothing where there is none.
        self.can_be_best, self.can_be_best_unflagged = (
            {row: row in members for members in [frozenset(of.set.members)] for row in judged} if of and of.set else {}
            for of in (verdict, verdict and verdict.best_unflagged)
        )
        self.held_back: frozenset[int] = verdict.held_back if verdict else frozenset()
        self.cautions: dict[int, tuple[str, ...]] = {}
        for caution in verdict.cautions if verdict else ():
            for result in caution.results:
                self.cautions[result] = (*self.cautions.get(result, ()), caution.code)


class _RowMarks(Marks):
    """The same with what findings say of single rows besides the verdict."""

    def __init__(self, shown: Shown, selection: Selection) -> None:
        findings = shown.findings
        super().__init__(findings.verdict if findings else None)
        scale = selection.scale or "published"
        self.means, self.executions = shown.inputs.means, shown.inputs.executions
        self.ranks = ranks_of(shown.inputs, findings, self.means) if findings else {}
        self.ranges = rank_ranges(shown.inputs, findings) if findings else {}
        tiers, families = (findings.tiers, findings.families) if findings else ((), ())
        self.tiers = {result: number for number, tier in enumerate(tiers, start=1) for result in tier}
        self.families = {result: number for number, family in enumerate(families, start=1) for result in family.results}
        of_scale = [mean for mean in findings.equal_means if mean.scale == scale] if findings else []
        self.plausible = frozenset(result for mean in of_scale for result in mean.plausible)
        self.standing = {standing.result: standing for standing in findings.standing} if findings else {}
        self.left_out = left_out(findings.verdict.cautions) if findings else _all_failed(shown)


def _all_failed(shown: Shown) -> dict[int, str]:
    """Return what each comparable row is called where there is no finding, since every one of them failed."""
    inputs, means = shown.inputs, shown.inputs.means
    if shown.obstacle != Analysis.Obstacle.NO_COMPARABLE_RESULT:
        return {}
    zero_is_failure = inputs.measure.nature.zero_is_failure
    return {
        row.id: LEFT_OUT["failed-runs" if means[first] == 0 and zero_is_failure else "constant-runs"]
        for first, executions in inputs.executions.items()
        for row in executions
    }


def _row(row: BoardRow, facts: RecordedRow, marks: _RowMarks, trained: BoardRow) -> RowDocument:
    distance, standing, ranks = marks.distances.get(row.id), marks.standing.get(row.id), marks.ranges.get(row.id)
    executions = marks.executions.get(row.id, []) if row.id in marks.ranks else []
    is_mean = len(executions) > 1
    return document_of(
        RowDocument,
        row,
        system_id=facts.system_id,
        system_slug=facts.system_slug,
        paper_id=facts.paper_id,
        paper_slug=facts.paper_slug,
        mean=marks.means[row.id] if is_mean else None,
        executions=tuple(Execution(id=execution.id, printed=execution.printed) for execution in executions)
        if is_mean
        else (),
        source=facts.source,
        notes=facts.notes,
        is_disputed=facts.is_disputed,
        rank=marks.ranks.get(row.id),
        rank_low=ranks.low if ranks else None,
        rank_high=ranks.high if ranks else None,
        tier=marks.tiers.get(row.id),
        can_be_best=marks.can_be_best.get(row.id),
        can_be_best_unflagged=marks.can_be_best_unflagged.get(row.id),
        is_held_back=row.id in marks.held_back,
        behind=distance.behind if distance else None,
        margin=distance.margin if distance else None,
        rival=distance.rival if distance else None,
        family=marks.families.get(row.id),
        plausible=row.id in marks.plausible,
        is_counted=row.is_counted and row.id not in marks.left_out,
        why_not_comparable=_why_not_comparable(row, marks),
        role_label=_ROLE_LABELS[row.role],
        provenance_label=_PROVENANCE_LABELS[row.provenance],
        declared_training=trained.declared_training,
        training=trained.training or _BEFORE[trained.declared_training],
        training_split=trained.training_split,
        cautions=marks.cautions.get(row.id, ()),
        z=standing.z if standing else None,
        percentile=standing.percentile if standing else None,
        topic_z=standing.topic_z if standing else None,
        paper=facts.cite or facts.title or facts.url or None,
    )


def _why_not_comparable(row: BoardRow, marks: _RowMarks) -> str:
    """Return why the row does not compete; blank where it does."""
    if not row.is_comparable:
        return str(Result.Comparability(row.comparability).label)
    if row.id in marks.left_out:
        return marks.left_out[row.id]
    if row.replicate_of is not None:
        return ANOTHER_EXECUTION
    return ""


def ranks_of(inputs: BoardInputs, findings: Findings, means: Mapping[int, float] | None = None) -> dict[int, int]:
    """Return the 1-2-2-4 ranks of the rows that compete, by id: of several executions of a system by their mean.

    Equal ones share a rank.
    """
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    competing = {row for family in findings.families for row in family.results}
    scores = [(row, mean) for row, mean in (means or inputs.means).items() if row in competing]
    scores.sort(key=lambda score: -sign * score[1])
    first: dict[float, int] = {}
    return {row_id: first.setdefault(value, position) for position, (row_id, value) in enumerate(scores, start=1)}


def sorted_rows(rows: Sequence[RowDocument], sort: str) -> tuple[RowDocument, ...]:
    """Return the rows by one column, the other way round with a minus before it.

    What is missing comes last either way, and rows that are equal keep the order of the scores.
    """
    name, is_reversed = sort.removeprefix("-"), sort.startswith("-")
    if name == "rank":
        return tuple(rows[::-1] if is_reversed else rows)
    is_descending = (name in DESCENDING_SORTS) != is_reversed
    with_value = [row for row in rows if getattr(row, name) not in (None, "")]
    without = [row for row in rows if getattr(row, name) in (None, "")]

    def key(row: RowDocument) -> Any:
        value = getattr(row, name)
        return value.casefold() if isinstance(value, str) else value

    return (*sorted(with_value, key=key, reverse=is_descending), *without)


def left_out(cautions: Iterable[Caution]) -> dict[int, str]:
    """Return the rows that these cautions leave out of every analysis, each with what it is called."""
    return {row: LEFT_OUT[caution.code] for caution in cautions if caution.code in LEFT_OUT for row in caution.results}
