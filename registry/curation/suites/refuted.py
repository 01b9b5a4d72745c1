"""Results that their own source, their members or a twin refute: none of them may compete, and each says why.

``data/refuted.csv`` holds what was found where sources were read as a whole; the rest is computed from the record. So
are possible errors: failed runs, lone scores, years out of order, and systems, collections and papers under two names.
"""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from statistics import median
from typing import NamedTuple

from django.db.models import Count

from analysis.readers.numbers import doubt
from analysis.readers.text import comparison_key, shorten
from registry.accounts.models import User
from registry.catalog.models import Collection
from registry.core.listing import grouped
from registry.core.loading import shipped_rows
from registry.curation.lineage.pipeline import find_twins
from registry.curation.suites.models import SuiteMember
from registry.journal.verifying import Report, Share
from registry.results.models import Paper, Result, System

logger = logging.getLogger(__name__)
#: The kinds of refutation, in words. A row that is refuted by a kind in ``NOTED`` still competes, and has a note.
KINDS: Mapping[str, str] = {
    "partial-mean": "means over some of their members",
    "unequal-mean": "means that are not those of their members",
    "impossible": "results in an impossible block of scores",
    "unequal-at-1": "results beside which RR@1 is not P@1",
    "same-run": "further names of one run",
    "shard": "parts of an index",
    "copied": "results of models with the scores of another",
}
NOTED = frozenset({"unequal-mean", "unequal-at-1", "copied"})
#: How far rounding may set an average off from the mean of its parts: both printed to three decimals.
ROUNDING = 0.001
#: The number of measures of a collection that must agree, which are to be all that two runs share.
_MIN_ALIKE, _MIN_ALIKE_OF_TREC = 4, 5
#: Digits that every source prints.
_DIGITS = 4
_SAME_AS = re.compile(r"(?:^|; )the same (?:scores|run) as (.+?)(?=; |, before that processing|$)")
_PROCESSED = "(NIST post-processed)"
_SHARD = re.compile(r"\bshard\d+\b", re.IGNORECASE)


#: A leaderboard as its collection and measure.
Board = tuple[str, str]


class Row(NamedTuple):
    """A standing result, with all that tells it from others; years are None where they are not known."""

    result: int
    collection: str
    measure: str
    system: str
    team: str
    source: str
    value: float
    role: str
    comparability: str
    first: int | None
    notes: str
    slug: str
    year: int | None
    collection_year: int | None
    paper_year: int | None
    higher_is_better: bool
    lowest: float | None

    @property
    def board(self) -> Board:
        return self.collection, self.measure

    @property
    def key(self) -> tuple[str, ...]:
        return self[1:6]

    @property
    def competes(self) -> bool:
        return self.comparability == Result.Comparability.STANDARD and self.first is None

    @property
    def run(self) -> tuple[str, ...]:
        return self.system, self.team, self.source


class Refuted(NamedTuple):
    """A refutation of a result; ``stands`` if the row answers it: it does not compete, or has the note."""

    kind: str
    result: int
    says: str
    stands: bool

    def __str__(self) -> str:
        return f"{self.kind}: {self.address} {self.says}"

    @property
    def address(self) -> str:
        return f"/results/{self.result}/"


def refuted_results() -> list[Refuted]:
    """Return every standing result that something refutes, once for each kind."""
    rows = _read_rows()
    refutations = [*_gathered(rows), *_of_blocks(rows), *_of_means(rows), *_of_names(rows), *_of_twins(rows)]
    return list({(refutation.kind, refutation.result): refutation for refutation in reversed(refutations)}.values())


def _read_rows() -> list[Row]:
    columns = (
        "pk", "leaderboard__collection__slug", "leaderboard__measure__name", "system__name_key", "system__team_key",
        "source", "value", "role", "comparability", "replicate_of_id", "notes", "system__slug", "year",
        "leaderboard__collection__year", "paper__year", "leaderboard__measure__higher_is_better",
        "leaderboard__measure__low",
    )  # fmt: skip
    return [Row(*values) for values in Result.objects.standing().order_by("pk").values_list(*columns).iterator()]


def check_refuted(share: Share) -> Report:
    """Count the refuted results, and report those that compete all the same."""
    refutations = [refutation for refutation in refuted_results() if share.takes(refutation.result)]
    return Report(len(refutations), [str(refutation) for refutation in refutations if not refutation.stands])


def warn_of_refuted(*, actor: User | None = None, reason: str = "") -> None:
    """Log each result that competes although something refutes it, at the end of a load."""
    for refutation in refuted_results():
        if not refutation.stands:
            logger.warning("%s", refutation)


def _gathered(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield the refutations of standing rows that ship, which reading the sources brought to light."""
    by_key = {row.key: row for row in rows}
    names_of = ("name_key", "team_key", "merged_into__name_key", "merged_into__team_key")
    merged = System.objects.exclude(merged_into=None).values_list(*names_of)
    today = {names[:2]: names[2:] for names in merged}
    for fact in shipped_rows("refuted.csv"):
        called = (comparison_key(fact["system"]), comparison_key(fact["team"]))
        row = by_key.get((fact["collection"], fact["measure"], *today.get(called, called), fact["source"]))
        if row:
            stands = fact["says"] in row.notes and (fact["kind"] in NOTED or not row.competes)
            yield Refuted(fact["kind"], row.result, fact["says"], stands)


def _of_blocks(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield scores of one system on one collection from one source that contradict each other."""
    comparable = (row for row in rows if row.competes or row.comparability == Result.Comparability.DOUBTFUL)
    for block in grouped(comparable, lambda row: (row.collection, *row.run)).values():
        # Scores with fewer digits may be rounded too far to be compared with the others.
        cells = doubt({row.measure: row.value for row in block if round(row.value, 2) != row.value}, of="source")
        for row in block if cells else ():
            kind = "impossible" if "comparability" in cells else "unequal-at-1"
            stands = not row.competes or (kind in NOTED and cells["notes"] in row.notes)
            yield Refuted(kind, row.result, cells["notes"], stands)


def _of_means(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield means that compete although they are over some members only, or differ from the mean of all unexplained."""
    parts: dict[tuple[str, str], set[str]] = defaultdict(set)
    names = ("part_of__collection__slug", "measure__name", "collection__slug")
    for whole, measure, part in SuiteMember.objects.exclude(part_of=None).values_list(*names):
        parts[whole, measure].add(part)
    scores = {(row.collection, row.measure, *row.run): row.value for row in rows}
    for row in rows:
        members = parts.get((row.collection, row.measure), set())
        known = [score for part in members if (score := scores.get((part, row.measure, *row.run))) is not None]
        if not (known and row.competes) or "the mean of its" in row.notes:
            continue
        mean = sum(known) / len(known)
        is_equal = abs(mean - row.value) <= ROUNDING
        if is_equal and len(known) < len(members):
            yield Refuted("partial-mean", row.result, f"A mean over {len(known)} of {len(members)} members.", False)
        elif not is_equal and len(known) == len(members):
            yield Refuted("unequal-mean", row.result, f"The mean of its {len(members)} members is {mean:.4f}.", False)


def _of_names(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield parts of an index, and further names of runs, whose scores must be those of the row that competes."""
    by_name = {(row.collection, row.measure, row.system): row for row in rows if row.competes}
    for row in rows:
        if _SHARD.search(row.system):
            says = "Its name says that it is one part of an index."
            yield Refuted("shard", row.result, says, not row.competes)
        if row.comparability == Result.Comparability.SAME_RUN:
            names = _SAME_AS.findall(row.notes)
            first = by_name.get((row.collection, row.measure, comparison_key(names[0]))) if names else None
            is_alike = first is not None and round(first.value, _DIGITS) == round(row.value, _DIGITS)
            stands = is_alike or (first is not None and names[0].endswith(_PROCESSED))
            yield Refuted("same-run", row.result, f"It is said to be {names[0] if names else 'another row'}.", stands)


def _of_twins(rows: Iterable[Row]) -> Iterator[Refuted]:
    """Yield runs of toolkits and of tracks that have all scores of another on their collection, and compete too."""
    runs: dict[str, dict[tuple[str, ...], dict[str, Row]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if row.competes and row.role in (Result.Role.TREC_RUN, Result.Role.REFERENCE_IMPLEMENTATION) and row.value:
            runs[row.collection][row.run][row.measure] = row
    for of_runs in runs.values():
        alike: dict[tuple[str, float], list[tuple[str, ...]]] = defaultdict(list)
        for run, scores in of_runs.items():
            for measure, row in scores.items():
                alike[measure, round(row.value, _DIGITS)].append(run)
        pairs = Counter(pair for alike_runs in alike.values() for pair in combinations(sorted(alike_runs), 2))
        for (run, twin), n_alike in pairs.items():
            shared = of_runs[run].keys() & of_runs[twin].keys()
            is_trec = next(iter(of_runs[run].values())).role == Result.Role.TREC_RUN
            if n_alike == len(shared) >= (_MIN_ALIKE_OF_TREC if is_trec else _MIN_ALIKE):
                for measure in sorted(shared):
                    says = f"All of its {n_alike} scores are those of {run[0]}."
                    yield Refuted("same-run", of_runs[twin][measure].result, says, False)


#: Robust standard deviations to the next score beyond which the score at an end is alone.
ALONE = 5.0
#: Among fewer scores nobody can say which is odd.
MIN_SCORES = 8
#: Standard deviation of normal scores, in median absolute deviations.
_MAD_TO_SD = 1.4826
#: Titles of fewer words name many papers.
_TITLE_WORDS = 3
_VERSION, _NO_WORD = re.compile(r"v[0-9]+$"), re.compile(r"[\W_]+")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
#: Characters of a title that a message repeats.
_LONGEST_TITLE = 200


class PossibleError(NamedTuple):
    """A line of the file; ``key`` stays as long as it is about the same score or pair, on every site."""

    key: str
    says: str
    address: str


def possible_errors() -> Iterator[PossibleError]:
    """Yield all that looks like an error, results first."""
    rows = [row for row in _read_rows() if row.competes]
    yield from _odd_results(rows)
    of_collections = ((row.collection, (row.measure, row.slug), row.value) for row in rows)
    yield from _twins("collections", Collection, of_collections)
    yield from _twins("systems", System, ((row.slug, row.board, row.value) for row in rows))
    yield from _papers()


def _odd_results(rows: list[Row]) -> Iterator[PossibleError]:
    boards = grouped(rows, lambda row: row.board)
    for kind, odd in (
        ("year", _wrong_years(rows)),
        ("failed-run", chain.from_iterable(map(_failed, boards.values()))),
        ("outlier", chain.from_iterable(map(_alone, boards.values()))),
    ):
        for row, says in odd:
            key = f"{kind}:{row.collection}/{row.measure}/{row.slug}/{row.value!r}"
            yield PossibleError(key, says, f"/results/{row.result}/")


def _wrong_years(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    """Yield results older than their collection or newer than their paper; entries of leaderboards have the year of
    their model, which may be older."""
    for row in rows:
        if row.year is None or row.role == Result.Role.LEADERBOARD:
            continue
        if row.collection_year and row.year < row.collection_year:
            yield row, f"The result is of {row.year}, its collection of {row.collection_year}."
        elif row.paper_year and row.year > row.paper_year:
            yield row, f"The result is of {row.year}, the paper that prints it of {row.paper_year}."


def _failed(listed: list[Row]) -> Iterator[tuple[Row, str]]:
    """Yield scores of exactly 0 on a leaderboard where most systems score more."""
    typical = median(row.value for row in listed)
    for row in listed:
        if row.higher_is_better and row.lowest == row.value == 0 < typical:
            yield row, f"Scores 0 where the median of {len(listed):,} scores is {typical:.4g}."


def _alone(listed: list[Row]) -> Iterator[tuple[Row, str]]:
    """Yield the score at either end where all others are far away."""
    # A score of 0 is reported as a failed run already.
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

    The first of a pair is the one to merge the other into: that with a DOI, else with an arXiv id, else with the most
    results.
    """
    papers = Paper.objects.filter(merged_into=None).annotate(n=Count("results")).order_by("-n", "pk")
    ranked = sorted(papers, key=lambda paper: (not paper.doi, not paper.arxiv_id))
    pairs = set()
    for name, same in (("DOI", _same_doi), ("arXiv id", _same_arxiv), ("title", _same_title)):
        groups = grouped(filter(same, ranked), same)
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
    """Return the arXiv id without its version; it may stand in a DOI that arXiv gave."""
    return _VERSION.sub("", paper.arxiv_id or (_ARXIV_DOI.sub("", paper.doi) if _ARXIV_DOI.match(paper.doi) else ""))


def _same_title(paper: Paper) -> str:
    words = _NO_WORD.sub(" ", comparison_key(paper.title)).split()
    return " ".join(words) if len(words) >= _TITLE_WORDS else ""
