"""Boards that were measured, in one row for each class of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict, overload

import numpy as np

from analysis.boards._calibration_table import (
    ALL_MEASURES,
    COLLECTIONS,
    SYSTEMS,
    TOPICS,
    CalibrationRow,
    SuiteCalibrationRow,
    World,
)
from analysis.boards._evidence import MIN_TOPICS_FOR_MEANS
from analysis.boards._findings import EvidenceKind
from analysis.boards._suite_inputs import SuiteQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecord:
    """The outcome of verdicts with one kind of evidence on one board in one world, over all draws of topics."""

    evidence: EvidenceKind
    family: str
    collection: str
    measure: str
    variance_class: str = ""
    systems: int
    topics: int
    world: World
    n_rows: int
    held: float
    n_members: float
    false_leaders: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRecord:
    """The outcome of verdicts on one question about one suite in one world, over all draws."""

    question: SuiteQuestion
    suite: str
    systems: int
    collections: int
    world: World
    n_rows: int
    held: float
    n_members: float


def summarize(records: Iterable[BoardRecord]) -> tuple[CalibrationRow, ...]:
    """Return one row for each evidence, family of measures or all of them, class of systems and of topics, and world.

    Predictions have one row for each family and number of deciding documents, whatever the size; those without the
    number of relevant documents have one row for all.
    """
    cells: dict[tuple[EvidenceKind, str, str, int, int, World], list[BoardRecord]] = {}
    for record in records:
        if record.variance_class:
            family = ALL_MEASURES if record.variance_class == "unknown" else record.family
            cells.setdefault((record.evidence, family, record.variance_class, -1, -1, record.world), []).append(record)
            continue
        for family in (record.family, ALL_MEASURES):
            key = (record.evidence, family, "", record.systems, record.topics, record.world)
            cells.setdefault(key, []).append(record)
    kinds: tuple[EvidenceKind, ...] = (
        "own-topics",
        "own-variance",
        "own-and-predicted",
        "predicted",
        "predicted-without-density",
    )
    classes = ("", "one", "few", "many", "ERR", "Bpref", "cut-short", "unknown")
    order = sorted(cells, key=lambda key: (kinds.index(key[0]), key[1], classes.index(key[2]), *key[3:]))
    return tuple(_summary(key[1], cells[key]) for key in order)


def summarize_suites(records: Iterable[SuiteRecord]) -> tuple[SuiteCalibrationRow, ...]:
    """Return one row for each question, class of systems and of collections, and world."""
    cells: dict[tuple[SuiteQuestion, int, int, World], list[SuiteRecord]] = {}
    for record in records:
        cells.setdefault((record.question, record.systems, record.collections, record.world), []).append(record)
    return tuple(_suite_summary(cells[key]) for key in sorted(cells))


def _suite_summary(boards: Sequence[SuiteRecord]) -> SuiteCalibrationRow:
    first = boards[0]
    (least, most), (fewest, largest) = SYSTEMS[first.systems], COLLECTIONS[first.question][first.collections]
    return SuiteCalibrationRow(
        question=first.question,
        min_systems=least,
        max_systems=most,
        min_collections=fewest,
        max_collections=largest,
        n_suites=len({board.suite for board in boards}),
        **_measured(boards),
    )


class _Measured(TypedDict):
    """The columns that rows of boards and of suites have in common."""

    world: World
    n_boards: int
    coverage: float
    coverage_low: float
    coverage_min: float
    n_rows: float
    n_members: float


def _measured(boards: Sequence[BoardRecord] | Sequence[SuiteRecord]) -> _Measured:
    return _Measured(
        world=boards[0].world,
        n_boards=len(boards),
        coverage=rounded(float(np.mean([board.held for board in boards]))),
        coverage_low=rounded(_reached_by_19_of_20(boards)),
        coverage_min=rounded(min(board.held for board in boards)),
        n_rows=rounded(float(np.mean([board.n_rows for board in boards]))),
        n_members=rounded(float(np.mean([board.n_members for board in boards]))),
    )


def _reached_by_19_of_20(boards: Sequence[BoardRecord] | Sequence[SuiteRecord]) -> float:
    # The twentieth part of the boards, rounded down, may be below: of fewer than twenty, none.
    return sorted(board.held for board in boards)[len(boards) // 20]


def _summary(family: str, boards: Sequence[BoardRecord]) -> CalibrationRow:
    first = boards[0]
    (least, most), (fewest, largest) = SYSTEMS[first.systems], TOPICS[first.topics]
    if first.variance_class:
        (least, most), (fewest, largest) = (SYSTEMS[0][0], None), (MIN_TOPICS_FOR_MEANS, None)
    return CalibrationRow(
        evidence=first.evidence,
        family=family,
        variance_class=first.variance_class,
        n_tables=len({(board.collection, board.measure) for board in boards}),
        min_systems=least,
        max_systems=most,
        min_topics=fewest,
        max_topics=largest,
        n_collections=len({board.collection for board in boards}),
        **_measured(boards),
        false_leaders=rounded(mean_of(board.false_leaders for board in boards)),
    )


@overload
def rounded(value: float) -> float: ...


@overload
def rounded(value: float | None) -> float | None: ...


def rounded(value: float | None) -> float | None:
    """Return the value as the table keeps it."""
    return None if value is None else round(value, 4)


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values; None without any."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
