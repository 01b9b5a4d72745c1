"""What looks wrong among results: failed runs, lone scores, averages that their parts contradict, years, twins."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from registry.curation.lineage.pipeline.twins import find_twins

#: A score is alone at an end where the next one is further away than so many robust standard deviations.
ALONE = 5.0
#: Of fewer scores nobody can say which is odd.
MIN_SCORES = 8
#: Median absolute deviations that make a standard deviation of normal scores.
_MAD_TO_SD = 1.4826
#: How far rounding may set an average off from the mean of its parts: both printed to three decimals.
ROUNDING = 0.001
#: Leaderboard entries have the year of their model, which may be older than the collection.
_YEARLESS_ROLE = "leaderboard"


class ComparedResult(NamedTuple):
    """A standing, comparable result that is no replicate; years are None where they are not known."""

    result: int
    board: int
    collection: int
    measure: int
    system: int
    paper: int | None
    value: float
    role: str
    year: int | None
    collection_year: int | None
    paper_year: int | None
    is_failed_at_zero: bool


#: A leaderboard as its collection and measure.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """Something odd, of a kind of ``models.Oddity``; ``key`` holds as long as it is about the same score or pair."""

    kind: str
    key: str
    says: str
    result: int | None = None
    pair: tuple[int, int] | None = None


def odd_results(rows: Iterable[ComparedResult], parts: Mapping[Place, frozenset[Place]]) -> Iterator[Found]:
    """What is odd about single results; ``parts`` are the leaderboards whose mean another one is."""
    by_board: dict[int, list[ComparedResult]] = defaultdict(list)
    for row in rows:
        by_board[row.board].append(row)
        if said := _years(row):
            yield _found("year", row, said)
    for listed in by_board.values():
        yield from _failed(listed)
        yield from _alone(listed)
    yield from _contradicted((row for listed in by_board.values() for row in listed), parts)


def odd_collections(rows: Iterable[ComparedResult]) -> list[Found]:
    """Pairs of collections on which the same systems have the same scores: perhaps one under two names."""
    numbers: dict[tuple[int, int], int] = {}
    scores = [(row.collection, numbers.setdefault((row.measure, row.system), len(numbers)), row.value) for row in rows]
    return [
        Found(
            "collections",
            f"{twin.first}:{twin.second}",
            f"{twin.n_same:,} of the {twin.n_common:,} scores that both have are the same to the last digit.",
            pair=(twin.first, twin.second),
        )
        for twin in find_twins(scores)
    ]


def _found(kind: str, row: ComparedResult, says: str) -> Found:
    return Found(kind, f"{row.board}:{row.system}:{row.paper or ''}:{row.value!r}", says, result=row.result)


def _years(row: ComparedResult) -> str:
    """Why the year of a result cannot be right; blank where it can."""
    if row.year is None or row.role == _YEARLESS_ROLE:
        return ""
    if row.collection_year and row.year < row.collection_year:
        return f"The result is of {row.year}, its collection of {row.collection_year}."
    if row.paper_year and row.year > row.paper_year:
        return f"The result is of {row.year}, the paper that prints it of {row.paper_year}."
    return ""


def _failed(listed: list[ComparedResult]) -> Iterator[Found]:
    """Scores of exactly nothing, on a leaderboard where most systems score more."""
    typical = median(row.value for row in listed)
    for row in listed:
        if row.is_failed_at_zero and row.value == 0 < typical:
            yield _found("failed-run", row, f"Scores 0 where the median of {len(listed):,} scores is {typical:.4g}.")


def _alone(listed: list[ComparedResult]) -> Iterator[Found]:
    """The score at either end, where all others are far away."""
    # A score of 0 is said to be a failed run already.
    ranked = sorted((row for row in listed if row.value), key=lambda row: (row.value, row.result))
    if len(ranked) < MIN_SCORES:
        return
    centre = median(row.value for row in ranked)
    deviation = _MAD_TO_SD * median(abs(row.value - centre) for row in ranked)
    for row, following in ((ranked[0], ranked[1]), (ranked[-1], ranked[-2])):
        distance = abs(row.value - following.value)
        if deviation and distance > ALONE * deviation:
            says = (
                f"Of {len(ranked):,} scores the next one, {following.value:.4g}, is "
                f"{distance / deviation:.1f} robust standard deviations away."
            )
            yield _found("outlier", row, says)


def _contradicted(rows: Iterable[ComparedResult], parts: Mapping[Place, frozenset[Place]]) -> Iterator[Found]:
    """Printed averages that are not the mean of what the same system scores on the parts."""
    wanted = set(parts).union(*parts.values())
    scores: dict[int, dict[Place, ComparedResult]] = defaultdict(dict)
    for row in rows:
        if (place := (row.collection, row.measure)) in wanted:
            scores[row.system].setdefault(place, row)
    for of_system in scores.values():
        for whole, members in parts.items():
            if whole in of_system and members <= of_system.keys():
                mean = sum(of_system[member].value for member in members) / len(members)
                row = of_system[whole]
                if abs(mean - row.value) > ROUNDING:
                    yield _found("parts", row, f"The mean of its {len(members)} parts is {mean:.4f}.")
