"""What looks wrong in the record: failed runs, lone scores, averages that their parts contradict, years, twins."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from analysis.readers.text import comparison_key, shorten
from registry.curation.lineage.pipeline.twins import find_twins

#: A score is alone at an end where the next one is further away than so many robust standard deviations.
ALONE = 5.0
#: Of fewer scores nobody can say which is odd.
MIN_SCORES = 8
#: Median absolute deviations that make a standard deviation of normal scores.
_MAD_TO_SD = 1.4826
#: How far rounding may set an average off from the mean of its parts: both printed to three decimals.
ROUNDING = 0.001
_TITLE_WORDS = 3
_VERSION, _NO_WORD = re.compile(r"v[0-9]+$"), re.compile(r"[\W_]+")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_SHOWN = {"DOI": "doi", "arXiv id": "arxiv_id", "title": "title"}
#: As long may be what both have, to be said.
_MOST_SAID = 200
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


class KnownPaper(NamedTuple):
    """A paper with what tells it from others, as far as that is known."""

    paper: int
    title: str
    doi: str
    arxiv_id: str
    year: int | None


#: A leaderboard as its collection and measure.
BoardKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """Something odd, of a kind of ``models.Oddity``; ``key`` holds as long as it is about the same score or pair."""

    kind: str
    key: str
    says: str
    result: int | None = None
    pair: tuple[int, int] | None = None


def odd_results(rows: Iterable[ComparedResult], parts: Mapping[BoardKey, frozenset[BoardKey]]) -> Iterator[Found]:
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


def odd_papers(papers: Iterable[KnownPaper]) -> list[Found]:
    """Pairs of papers with one DOI, one arXiv id or one title: perhaps one paper under two records.

    First of a pair stands the one that the other would be merged into: with a DOI, else with an arXiv id, else the one
    that comes first here. Of titles, letters and digits count alone; those of fewer than three words name many papers.
    """
    ranked = sorted(papers, key=lambda one: (not one.doi, not one.arxiv_id))
    found: dict[tuple[int, int], Found] = {}
    for same, name in ((_same_doi, "DOI"), (_same_arxiv, "arXiv id"), (_same_title, "title")):
        groups: dict[str, list[KnownPaper]] = defaultdict(list)
        for one in ranked:
            if key := same(one):
                groups[key].append(one)
        for first, *others in groups.values():
            for other in others:
                pair = (first.paper, other.paper)
                shown = shorten(getattr(first, _SHOWN[name]) or getattr(other, _SHOWN[name]), _MOST_SAID)
                says = f"Both have the {name} “{shown}”{_of_years(first, other)}."
                found.setdefault(pair, Found("papers", f"{pair[0]}:{pair[1]}", says, pair=pair))
    return list(found.values())


def _same_doi(paper: KnownPaper) -> str:
    return "" if _ARXIV_DOI.match(paper.doi) else paper.doi.casefold()


def _same_arxiv(paper: KnownPaper) -> str:
    """Without its version; arXiv gives DOIs that are made of it."""
    return _VERSION.sub("", paper.arxiv_id or (_ARXIV_DOI.sub("", paper.doi) if _ARXIV_DOI.match(paper.doi) else ""))


def _same_title(paper: KnownPaper) -> str:
    words = _NO_WORD.sub(" ", comparison_key(paper.title)).split()
    return " ".join(words) if len(words) >= _TITLE_WORDS else ""


def _of_years(first: KnownPaper, other: KnownPaper) -> str:
    if first.year is None or other.year is None or first.year == other.year:
        return ""
    return f", of {first.year} and {other.year}"


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


def _contradicted(rows: Iterable[ComparedResult], parts: Mapping[BoardKey, frozenset[BoardKey]]) -> Iterator[Found]:
    """Printed averages that are not the mean of what the same system scores on the parts."""
    wanted = set(parts).union(*parts.values())
    scores: dict[int, dict[BoardKey, ComparedResult]] = defaultdict(dict)
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
