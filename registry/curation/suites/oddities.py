"""Possible errors of the record: failed runs, lone scores, years out of order, and systems, collections and papers
under two names."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from statistics import median
from typing import NamedTuple

from django.db.models import BooleanField, Case, Count, Q, Value, When

from analysis.readers.text import comparison_key, shorten
from registry.catalog.models import Collection
from registry.curation.lineage.pipeline import find_twins
from registry.results.models import Paper, Result, System

#: A score is alone at an end where the next one is further away than so many robust standard deviations.
ALONE = 5.0
#: Of fewer scores nobody can say which is odd.
MIN_SCORES = 8
#: Median absolute deviations that make a standard deviation of normal scores.
_MAD_TO_SD = 1.4826
#: Titles of fewer words name many papers.
_TITLE_WORDS = 3
_VERSION, _NO_WORD = re.compile(r"v[0-9]+$"), re.compile(r"[\W_]+")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
#: The longest title that is repeated.
_LONGEST_TITLE = 200

#: A leaderboard as its collection and measure.
Board = tuple[str, str]


class ComparedResult(NamedTuple):
    """A standing, comparable result that is no replicate; years are None where they are not known."""

    result: int
    collection: str
    measure: str
    system: str
    value: float
    role: str
    year: int | None
    collection_year: int | None
    paper_year: int | None
    is_failed_at_zero: bool

    @property
    def board(self) -> Board:
        return self.collection, self.measure


class PossibleError(NamedTuple):
    """A line of the file; ``key`` stays as long as it is about the same score or pair, on every site."""

    key: str
    says: str
    address: str


def possible_errors() -> Iterator[PossibleError]:
    """Yield all that looks like an error, results first."""
    rows = _read_rows()
    yield from _odd_results(rows)
    of_collections = ((row.collection, (row.measure, row.system), row.value) for row in rows)
    yield from _twins("collections", Collection, of_collections)
    yield from _twins("systems", System, ((row.system, row.board, row.value) for row in rows))
    yield from _papers()


def _read_rows() -> list[ComparedResult]:
    results = Result.objects.standing().filter(comparability=Result.Comparability.STANDARD, replicate_of__isnull=True)
    fails = Q(leaderboard__measure__higher_is_better=True, leaderboard__measure__low=0)
    columns = (
        "pk", "leaderboard__collection__slug", "leaderboard__measure__name", "system__slug", "value", "role", "year",
        "leaderboard__collection__year", "paper__year",
        Case(When(fails, then=Value(True)), default=Value(False), output_field=BooleanField()),
    )  # fmt: skip
    return [ComparedResult(*values) for values in results.order_by("pk").values_list(*columns).iterator()]


def _odd_results(rows: list[ComparedResult]) -> Iterator[PossibleError]:
    boards: dict[Board, list[ComparedResult]] = defaultdict(list)
    for row in rows:
        boards[row.board].append(row)
    for kind, odd in (
        ("year", _wrong_years(rows)),
        ("failed-run", chain.from_iterable(map(_failed, boards.values()))),
        ("outlier", chain.from_iterable(map(_alone, boards.values()))),
    ):
        for row, says in odd:
            key = f"{kind}:{row.collection}/{row.measure}/{row.system}/{row.value!r}"
            yield PossibleError(key, says, f"/results/{row.result}/")


def _wrong_years(rows: list[ComparedResult]) -> Iterator[tuple[ComparedResult, str]]:
    """Yield results older than their collection or newer than their paper; entries of leaderboards have the year of
    their model, which may be older."""
    for row in rows:
        if row.year is None or row.role == Result.Role.LEADERBOARD:
            continue
        if row.collection_year and row.year < row.collection_year:
            yield row, f"The result is of {row.year}, its collection of {row.collection_year}."
        elif row.paper_year and row.year > row.paper_year:
            yield row, f"The result is of {row.year}, the paper that prints it of {row.paper_year}."


def _failed(listed: list[ComparedResult]) -> Iterator[tuple[ComparedResult, str]]:
    """Yield scores of exactly nothing, on a leaderboard where most systems score more."""
    typical = median(row.value for row in listed)
    for row in listed:
        if row.is_failed_at_zero and row.value == 0 < typical:
            yield row, f"Scores 0 where the median of {len(listed):,} scores is {typical:.4g}."


def _alone(listed: list[ComparedResult]) -> Iterator[tuple[ComparedResult, str]]:
    """Yield the score at either end, where all others are far away."""
    # A score of 0 is said to be a failed run already.
    ranked = sorted((row for row in listed if row.value), key=lambda row: (row.value, row.result))
    if len(ranked) < MIN_SCORES:
        return
    centre = median(row.value for row in ranked)
    deviation = _MAD_TO_SD * median(abs(row.value - centre) for row in ranked)
    for row, following in ((ranked[0], ranked[1]), (ranked[-1], ranked[-2])):
        distance = abs(row.value - following.value)
        if deviation and distance > ALONE * deviation:
            away = f"{distance / deviation:.1f} robust standard deviations away"
            yield row, f"Of {len(ranked):,} scores the next one, {following.value:.4g}, is {away}."


def _twins(
    kind: str, model: type[Collection | System], scores: Iterable[tuple[str, object, float]]
) -> Iterator[PossibleError]:
    """Yield pairs of collections or systems with the same scores: perhaps one under two names."""
    numbers: dict[object, int] = {}
    numbered = [
        (numbers.setdefault(name, len(numbers)), numbers.setdefault(place, len(numbers)), value)
        for name, place, value in scores
    ]
    names = {number: str(name) for name, number in numbers.items()}
    for twin in find_twins(numbered):
        first, second = sorted((names[twin.first], names[twin.second]))
        says = f"{twin.n_same:,} of the {twin.n_common:,} scores that both have are the same to the last digit."
        yield PossibleError(f"{kind}:{first} {second}", says, model(slug=first).get_absolute_url())


def _papers() -> Iterator[PossibleError]:
    """Yield pairs of papers with one DOI, one arXiv id or one title: perhaps one paper under two records.

    First of a pair stands the one that the other would be merged into: with a DOI, else with an arXiv id, else the one
    with the most results.
    """
    papers = Paper.objects.filter(merged_into=None).annotate(n=Count("results")).order_by("-n", "pk")
    ranked = sorted(papers, key=lambda paper: (not paper.doi, not paper.arxiv_id))
    pairs = set()
    for name, same in (("DOI", _same_doi), ("arXiv id", _same_arxiv), ("title", _same_title)):
        groups: dict[str, list[Paper]] = defaultdict(list)
        for paper in ranked:
            if identity := same(paper):
                groups[identity].append(paper)
        for identity, (first, *others) in groups.items():
            for other in others:
                if (first.slug, other.slug) not in pairs:
                    pairs.add((first.slug, other.slug))
                    years = f", of {first.year} and {other.year}" if first.year != other.year else ""
                    shown = first.title if name == "title" else identity
                    says = f"Both have the {name} “{shorten(shown, _LONGEST_TITLE)}”{years}."
                    key = f"papers:{' '.join(sorted((first.slug, other.slug)))}"
                    yield PossibleError(key, says, first.get_absolute_url())


def _same_doi(paper: Paper) -> str:
    return "" if _ARXIV_DOI.match(paper.doi) else paper.doi.casefold()


def _same_arxiv(paper: Paper) -> str:
    """Without its version; arXiv gives DOIs that are made of it."""
    return _VERSION.sub("", paper.arxiv_id or (_ARXIV_DOI.sub("", paper.doi) if _ARXIV_DOI.match(paper.doi) else ""))


def _same_title(paper: Paper) -> str:
    words = _NO_WORD.sub(" ", comparison_key(paper.title)).split()
    return " ".join(words) if len(words) >= _TITLE_WORDS else ""
