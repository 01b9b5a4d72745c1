"""Printed scores that others ran again: the list of them, and what pages of papers say about theirs."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from statistics import median, quantiles
from typing import Annotated, NamedTuple

from django.db.models import Count, Q, QuerySet, prefetch_related_objects

from registry.catalog.models import Leaderboard
from registry.core.documents import DocumentPage, as_json, as_lists
from registry.core.listing import grouped
from registry.results.documents import PaperBrief, ScoreOfResult, describe_paper
from registry.results.models import Paper, Result, Source
from registry.tools.model_page.queries import models_version

#: Who prints a score of a system that they made or compare with.
_IN_PRINT = Q(role__in=(Result.Role.PROPOSED, Result.Role.BASELINE)) | Q(
    role=Result.Role.LEADERBOARD, is_self_reported=True
)
#: Whose results of models are the models' scores run again, by whoever submits them; not those that makers report.
BOARD_OF_MODELS = "embeddings-benchmark/results"
#: Were the second a null, SQLite would look it up in an index, though nearly every result has it.
_COMPARABLE = Q(comparability=Result.Comparability.STANDARD) & ~Q(replicate_of__gt=0)
#: Roles of results there that may be in print.
_OF_MODELS = (Result.Role.PROPOSED, Result.Role.BASELINE, Result.Role.LEADERBOARD)
_AGAIN = Q(role=Result.Role.REFERENCE_IMPLEMENTATION) | Q(
    role=Result.Role.LEADERBOARD, source=BOARD_OF_MODELS, is_self_reported=False
)
#: Part of a locator that names a line.
_LINE = "#L"


class How(StrEnum):
    """Evidence that one number is the other, run again."""

    SAME_LINE = "same_line"
    MODEL = "model"
    ONE_ROW = "one_row"


class Number(NamedTuple):
    """A number, with what shows that another is the same one, run again."""

    result: int
    board: int
    model: int | None
    source: str
    locator: str
    paper: int | None


_OF_KEY = ("pk", "leaderboard_id", "system__model_id", "source", "locator", "paper_id")
_key = attrgetter(*(name.replace("__", ".") for name in _OF_KEY))


class Match(NamedTuple):
    """The results of a printed number and of the same one run again; the paper that prints it, or else its source."""

    printed: int
    again: int
    how: How
    paper: int | None
    source: str


def _matches_on_record() -> list[Match]:
    """Return all pairs, reading no more than the keys of thousands of numbers."""
    standing = Result.objects.standing().filter(_COMPARABLE)
    printed = [Number(*key) for key in standing.filter(_IN_PRINT).values_list(*_OF_KEY)]
    boards, models = {number.board for number in printed}, {number.model for number in printed if number.model}
    lines = {number.locator for number in printed if _LINE in number.locator}
    near = standing.filter(_AGAIN, Q(system__model__in=models) | Q(locator__in=lines), leaderboard__in=boards)
    again, papers = [Number(*key) for key in near.values_list(*_OF_KEY)], _papers_of_sources(printed)
    return [*_paired(printed, again, papers), *_of_one_row(standing, papers)]


def _paired(printed: Sequence[Number], again: Sequence[Number], papers: Mapping[str, int | None]) -> list[Match]:
    of_lines = list(_of_one_line(printed, again))
    return [*of_lines, *_of_models(printed, again, {line.printed for line in of_lines}, papers)]


#: The fields read of numbers that are shown beside each other.
_OF_NUMBERS = (
    "leaderboard", "system", "paper", "printed", "unit", "value", "role", "source", "locator", "is_self_reported",
    "ended_at", "system__name", "system__team", "system__slug", "system__model",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contest:
    """A number of a paper, and others for the same: all, or those that it contradicts."""

    printed: Result
    others: tuple[Result, ...]


def _numbers_beside(paper: Paper) -> tuple[list[Contest], int]:
    """Return each comparable number of the paper that stands, with all others for it, and how many it took back.

    Others are of the same system on the same leaderboard, or the same run again. One query reads thousands of numbers
    with their systems; papers and leaderboards follow for those alone that have another beside them.
    """
    own = Result.objects.standing().filter(_COMPARABLE, paper=paper)
    of_lines = own.filter(locator__contains=_LINE).values("locator")
    named = Q(system__in=own.values("system")) | Q(system__model__in=own.values("system__model"))
    near = Q(leaderboard__in=own.values("leaderboard")) & (named | Q(locator__in=of_lines))
    rows = Result.objects.filter(
        Q(_COMPARABLE & near, ended_at=None) | Q(paper=paper, ending=Result.Ending.WITHDRAWN)
    ).annotate(is_print=_IN_PRINT, is_again=_AGAIN)
    results = list(rows.select_related("system").only(*_OF_NUMBERS).order_by("pk"))
    for result in results:
        if result.paper_id == paper.pk:
            result.paper = paper
    standing = {result.pk: result for result in results if not result.ended_at}
    prints = [result for result in standing.values() if result.paper_id == paper.pk]
    elsewhere = (result for result in standing.values() if result.paper_id != paper.pk)
    others = grouped(elsewhere, lambda result: (result.leaderboard_id, result.system_id))
    printed = [Number(*_key(result)) for result in prints if vars(result)["is_print"]]
    again = [Number(*_key(result)) for result in standing.values() if vars(result)["is_again"]]
    matches = grouped(_paired(printed, again, {}), lambda match: match.printed)
    numbers = []
    for result in prints:
        run_again = (standing[match.again] for match in matches[result.pk])
        same = {other.pk: other for other in (*others[result.leaderboard_id, result.system_id], *run_again)}
        numbers.append(Contest(result, tuple(same.values())))
    beside = [result for number in numbers if number.others for result in (number.printed, *number.others)]
    if beside:
        prefetch_related_objects(beside, "paper", "leaderboard__collection", "leaderboard__measure")
    return numbers, len(results) - len(standing)


def _of_one_line(printed: Iterable[Number], again: Iterable[Number]) -> Iterator[Match]:
    """Yield the pairs that a page prints on one line: its authors say that both are the same."""
    run_again = (number for number in again if _LINE in number.locator)
    of_lines = grouped(run_again, lambda number: (number.board, number.source, number.locator))
    for number in printed:
        runs = of_lines[number.board, number.source, number.locator]
        if len(runs) == 1:
            yield Match(number.result, runs[0].result, How.SAME_LINE, number.paper, number.source)


def _of_models(
    printed: Iterable[Number], again: Iterable[Number], paired: set[int], papers: Mapping[str, int | None]
) -> Iterator[Match]:
    """Yield pairs where either side has one result of a model on a leaderboard; of several none is known to match."""
    prints: dict[tuple[int, int | None], dict[tuple[str, int | None], list[Number]]] = defaultdict(dict)
    runs: dict[tuple[int, int | None], dict[str, list[Number]]] = defaultdict(dict)
    for number in printed:
        if number.result not in paired and number.model is not None:
            prints[number.board, number.model].setdefault((number.source, number.paper), []).append(number)
    for number in again:
        if (key := (number.board, number.model)) in prints:
            runs[key].setdefault(number.source, []).append(number)
    for key, of_prints in prints.items():
        for (source, _), numbers in of_prints.items():
            for by, run in runs[key].items():
                if by != source and len(numbers) == len(run) == 1:
                    yield Match(numbers[0].result, run[0].result, How.MODEL, papers.get(source), source)


def _papers_of_sources(printed: Iterable[Number]) -> dict[str, int | None]:
    """Return the paper of each source whose prints are all from one paper."""
    papers_of: dict[str, set[int | None]] = defaultdict(set)
    for number in printed:
        papers_of[number.source].add(number.paper)
    return {source: next(iter(papers)) for source, papers in papers_of.items() if len(papers) == 1}


def _of_one_row(standing: QuerySet[Result], papers: Mapping[str, int | None]) -> Iterator[Match]:
    """Yield the numbers that agree and so are recorded once, with a note of the other source that has them."""
    names = sorted(Source.objects.values_list("name", flat=True), key=len, reverse=True)
    also = re.compile(f"(?:^|; )also in ({'|'.join(map(re.escape, names))}) ")
    is_run = Q(role=Result.Role.REFERENCE_IMPLEMENTATION) | Q(source=BOARD_OF_MODELS, role__in=_OF_MODELS)
    rows = standing.filter(is_run, notes__contains="also in ").values_list("pk", "notes")
    named = [(pk, name) for pk, notes in rows for name in also.findall(notes)]
    prints = _who_prints({name for _, name in named})
    for pk, other in named:
        if prints.get(other):
            yield Match(pk, pk, How.ONE_ROW, papers.get(other), other)


def _who_prints(sources: AbstractSet[str]) -> dict[str, bool]:
    """Return whether most results of each source are prints of papers and makers, not runs of its own."""
    printed = Count("pk", filter=Q(role__in=(Result.Role.PROPOSED, Result.Role.BASELINE)))
    results = Result.objects.standing().filter(source__in=sources).values_list("source")
    return {source: 2 * n_printed > n for source, n, n_printed in results.annotate(n=Count("pk"), n_printed=printed)}


@dataclass(frozen=True, slots=True)
class NumbersOfPaper:
    """The numbers of a paper, counted by what others say of them; a contested number doesn't count as met.

    ``met_by`` names who gives numbers that agree, and how many, most first; ``n_withdrawn`` were taken back.
    """

    n: int
    n_met: int
    met_by: tuple[tuple[str, int], ...]
    contested: tuple[Contest, ...]
    n_withdrawn: int

    @property
    def n_alone(self) -> int:
        """The number of those for which nobody else on record gives a number."""
        return self.n - self.n_met - len(self.contested)


def numbers_of_paper(paper: Paper) -> NumbersOfPaper:
    """Return what others say of the comparable numbers of the paper that stand.

    A difference that rounding explains, or 0.0001 that the machine does, is no contest (``PrintedScore.contradicts``).
    """
    numbers, n_withdrawn = _numbers_beside(paper)
    n_met, contested = 0, []
    met_by: Counter[str] = Counter()
    for number in numbers:
        against = tuple(other for other in number.others if number.printed.score.contradicts(other.score))
        if against:
            contested.append(Contest(number.printed, against))
        elif number.others:
            n_met += 1
            met_by.update({_who(other) for other in number.others})
    return NumbersOfPaper(len(numbers), n_met, tuple(met_by.most_common()), tuple(contested), n_withdrawn)


def _who(other: Result) -> str:
    return str(other.paper) if other.paper and other.paper.kind != Paper.Kind.PAGE else other.source


@dataclass(frozen=True, slots=True, kw_only=True)
class OneScore(ScoreOfResult):
    """A score as its source gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgain:
    """A printed score beside the same run again."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection."]
    measure: str
    decimals: int
    url: Annotated[str, "Of the leaderboard."]
    model: Annotated[str, "Slug of the model; blank where only the line says that both are the same."]
    paper: Annotated[PaperBrief | None, "That prints it; null where a page does."]
    printed_by: Annotated[str, "The paper, or else the page."]
    printed: OneScore
    again: OneScore
    again_by: Annotated[str, "Where the result of running it again was taken from."]
    how: Annotated[
        str,
        "How it is known that both are the same: `same_line` of a page that prints both; one result of the `model` "
        "in each source; `one_row` where the numbers agree and the record has them once.",
    ]
    difference: Annotated[float, "Run again less printed, on the scale of the measure."]
    agrees: Annotated[bool, "Whether rounding, or 0.0001 by machine, explains the difference."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """How far reproductions lie from prints; sizes on the scale of the measure."""

    n: int
    n_agreeing: Annotated[int, "Those whose difference rounding, or 0.0001 by machine, explains."]
    n_lower: Annotated[int, "Of the others, those that came out lower than printed."]
    median: Annotated[float, "Of the sizes of all differences."]
    upper_quartile: Annotated[float, "Three quarters are as small or smaller."]
    largest: float

    @property
    def n_higher(self) -> int:
        """Those that came out higher than printed by more than rounding explains."""
        return self.n - self.n_agreeing - self.n_lower


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedDocument:
    """All prints on record that were run again."""

    all: Distances | None
    pairs: Annotated[tuple[RunAgain, ...], "Those that differ most first."]


#: The fields read of a result's score.
_OF_SCORE = ("system__name", "source", "printed", "unit", "value")


def reproduced_document() -> ReproducedDocument:
    """Return the pairs on record today: those that differ most first, then by collection and measure."""
    matches = _matches_on_record()
    results = Result.objects.filter(pk__in={pk for match in matches for pk in (match.printed, match.again)})
    scores, places = {}, {}
    for pk, board, slug, system, *score in results.values_list("pk", "leaderboard", "system__model__slug", *_OF_SCORE):
        fields = dict(zip(_OF_SCORE[1:], score, strict=True))
        scores[pk] = OneScore(result=pk, url=Result.address_of(pk), system=system, **fields)
        places[pk] = board, slug or ""
    boards = Leaderboard.objects.with_names().in_bulk({board for board, _ in places.values()})
    papers = Paper.objects.in_bulk({match.paper for match in matches if match.paper})
    briefs = {pk: describe_paper(paper) for pk, paper in papers.items()}
    pairs = []
    for match in matches:
        board, model = places[match.again]
        pairs.append(_pair(match, scores, boards[board], model, briefs.get(match.paper)))
    pairs.sort(
        key=lambda pair: (pair.agrees, -abs(pair.difference), pair.name.casefold(), pair.measure, pair.again.result)
    )  # fmt: skip
    return ReproducedDocument(all=_distances(pairs) if pairs else None, pairs=tuple(pairs))


def _pair(
    match: Match, scores: Mapping[int, OneScore], board: Leaderboard, model: str, paper: PaperBrief | None
) -> RunAgain:
    printed, again = scores[match.printed], scores[match.again]
    is_one_row = match.how == How.ONE_ROW
    return RunAgain(
        collection=board.collection.slug, name=board.collection.name, measure=board.measure.name,
        decimals=board.measure.decimals, url=board.get_absolute_url(),
        model=model if match.how != How.SAME_LINE else "", paper=paper,
        printed_by=paper["cite"] if paper else match.source, printed=printed, again=again, again_by=again.source,
        how=match.how.value, difference=0.0 if is_one_row else round(again.value - printed.value, 10),
        agrees=is_one_row or not again.score.contradicts(printed.score),
    )  # fmt: skip


def _distances(pairs: Sequence[RunAgain]) -> Distances:
    sizes = sorted(abs(pair.difference) for pair in pairs)
    return Distances(
        n=len(pairs), n_agreeing=sum(pair.agrees for pair in pairs),
        n_lower=sum(not pair.agrees and pair.difference < 0 for pair in pairs), median=median(sizes),
        upper_quartile=quantiles(sizes, n=4, method="inclusive")[2] if len(sizes) > 1 else sizes[0], largest=sizes[-1],
    )  # fmt: skip


#: Columns of files, and the attribute of a pair that each holds.
_COLUMNS = (
    "collection", "measure", "model", "printed_by", "printed", "unit", "again_by", "again", "again_unit",
    "difference", "agrees", "how", "url",
)  # fmt: skip
_cells = attrgetter(
    "collection", "measure", "model", "printed_by", "printed.printed", "printed.unit", "again_by", "again.printed",
    "again.unit", "difference", "agrees", "how", "url",
)  # fmt: skip


#: Pairs shown on the page; files have all.
MOST_SHOWN = 24

REPRODUCED = DocumentPage(
    template="tools/reproduced/reproduced.html",
    meaning="Where a printed score was run again, and how far the two lie apart.",
    document=ReproducedDocument,
    find=lambda: None,
    version=lambda _: models_version(),
    describe=lambda _, form: reproduced_document(),
    lay_out=lambda _, document, form: {"most_shown": MOST_SHOWN},
    formats={"json": as_json}
    | as_lists("reproduced", _COLUMNS, lambda document: list(map(_cells, document.pairs)), "csv"),
)
