"""Which printed score was run again by whom, and how far the two lie apart: the list, and what pages of papers say."""

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
#: Whose results of models are the models' scores run again, by whoever hands them in; not those that makers report.
BOARD_OF_MODELS = "embeddings-benchmark/results"
#: As a null SQLite would look the second up in an index, though nearly every result has it.
_COMPARABLE = Q(comparability=Result.Comparability.STANDARD) & ~Q(replicate_of__gt=0)
#: Roles of results there that may be in print.
_OF_MODELS = (Result.Role.PROPOSED, Result.Role.BASELINE, Result.Role.LEADERBOARD)
_AGAIN = Q(role=Result.Role.REFERENCE_IMPLEMENTATION) | Q(
    role=Result.Role.LEADERBOARD, source=BOARD_OF_MODELS, is_self_reported=False
)
#: What a locator has where it names a line.
_LINE = "#L"


class How(StrEnum):
    """How it is known that one is the other, run again."""

    SAME_LINE = "same_line"
    MODEL = "model"
    ONE_ROW = "one_row"


class Number(NamedTuple):
    """A number by what tells that another is the same, run again."""

    result: int
    board: int
    model: int | None
    source: str
    locator: str
    paper: int | None


_OF_KEY = ("pk", "leaderboard_id", "system__model_id", "source", "locator", "paper_id")
_key = attrgetter(*(name.replace("__", ".") for name in _OF_KEY))


class Told(NamedTuple):
    """Two numbers that are the same, run again, by their results; the paper that prints it, or else the source."""

    printed: int
    again: int
    how: How
    paper: int | None
    source: str


def _told_on_record() -> list[Told]:
    """Return all pairs. Of thousands of numbers only the keys are read."""
    standing = Result.objects.standing().filter(_COMPARABLE)
    printed = [Number(*key) for key in standing.filter(_IN_PRINT).values_list(*_OF_KEY)]
    boards, models = {one.board for one in printed}, {one.model for one in printed if one.model}
    lines = {one.locator for one in printed if _LINE in one.locator}
    near = standing.filter(_AGAIN, Q(system__model__in=models) | Q(locator__in=lines), leaderboard__in=boards)
    again, papers = [Number(*key) for key in near.values_list(*_OF_KEY)], _papers_of_sources(printed)
    return [*_paired(printed, again, papers), *_of_one_row(standing, papers)]


def _paired(printed: Sequence[Number], again: Sequence[Number], papers: Mapping[str, int | None]) -> list[Told]:
    of_lines = list(_of_one_line(printed, again))
    return [*of_lines, *_of_models(printed, again, {line.printed for line in of_lines}, papers)]


#: What is asked of numbers that stand beside each other.
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
    """Return each comparable number that stands of the paper with all others for it, and how many it took back.

    Others are of its system on its leaderboard, or of the same run again. One query: of thousands of numbers only the
    systems are read with them, papers and leaderboards of those that have another beside them afterwards.
    """
    own = Result.objects.standing().filter(_COMPARABLE, paper=paper)
    of_lines = own.filter(locator__contains=_LINE).values("locator")
    named = Q(system__in=own.values("system")) | Q(system__model__in=own.values("system__model"))
    near = Q(leaderboard__in=own.values("leaderboard")) & (named | Q(locator__in=of_lines))
    rows = Result.objects.filter(
        Q(_COMPARABLE & near, ended_at=None) | Q(paper=paper, ending=Result.Ending.WITHDRAWN)
    ).annotate(is_print=_IN_PRINT, is_again=_AGAIN)
    found = list(rows.select_related("system").only(*_OF_NUMBERS).order_by("pk"))
    for one in found:
        if one.paper_id == paper.pk:
            one.paper = paper
    standing = [one for one in found if not one.ended_at]
    ours = [one for one in standing if one.paper_id == paper.pk]
    others = grouped(
        (one for one in standing if one.paper_id != paper.pk), lambda one: (one.leaderboard_id, one.system_id)
    )
    printed = [Number(*_key(our)) for our in ours if vars(our)["is_print"]]
    run = [Number(*_key(one)) for one in standing if vars(one)["is_again"]]
    by_key, again = {one.pk: one for one in standing}, grouped(_paired(printed, run, {}), lambda told: told.printed)
    numbers = []
    for one in ours:
        run_again = (by_key[told.again] for told in again[one.pk])
        same = {other.pk: other for other in (*others[one.leaderboard_id, one.system_id], *run_again)}
        numbers.append(Contest(one, tuple(same.values())))
    beside = [one for number in numbers if number.others for one in (number.printed, *number.others)]
    if beside:
        prefetch_related_objects(beside, "paper", "leaderboard__collection", "leaderboard__measure")
    return numbers, len(found) - len(standing)


def _of_one_line(printed: Iterable[Number], again: Iterable[Number]) -> Iterator[Told]:
    """Yield what a page prints beside its own number on one line: its authors say that this is the same."""
    run_again = (number for number in again if _LINE in number.locator)
    of_lines = grouped(run_again, lambda one: (one.board, one.source, one.locator))
    for one in printed:
        run = of_lines[one.board, one.source, one.locator]
        if len(run) == 1:
            yield Told(one.result, run[0].result, How.SAME_LINE, one.paper, one.source)


def _of_models(
    printed: Iterable[Number], again: Iterable[Number], paired: set[int], papers: Mapping[str, int | None]
) -> Iterator[Told]:
    """Pair those of which both have one result of a model on a leaderboard; of several nobody says which is which."""
    prints: dict[tuple[int, int | None], dict[tuple[str, int | None], list[Number]]] = defaultdict(dict)
    runs: dict[tuple[int, int | None], dict[str, list[Number]]] = defaultdict(dict)
    for one in printed:
        if one.result not in paired and one.model is not None:
            prints[one.board, one.model].setdefault((one.source, one.paper), []).append(one)
    for one in again:
        if (key := (one.board, one.model)) in prints:
            runs[key].setdefault(one.source, []).append(one)
    for key, of_prints in prints.items():
        for (source, _), some in of_prints.items():
            for by, run in runs[key].items():
                if by != source and len(some) == len(run) == 1:
                    yield Told(some[0].result, run[0].result, How.MODEL, papers.get(source), source)


def _papers_of_sources(printed: Iterable[Number]) -> dict[str, int | None]:
    """The paper of each source whose prints are all of one."""
    found: dict[str, set[int | None]] = defaultdict(set)
    for one in printed:
        found[one.source].add(one.paper)
    return {source: next(iter(papers)) for source, papers in found.items() if len(papers) == 1}


def _of_one_row(standing: QuerySet[Result], papers: Mapping[str, int | None]) -> Iterator[Told]:
    """Numbers that agree stand once: a row of who ran it says which page prints it, or the other way round."""
    names = sorted(Source.objects.values_list("name", flat=True), key=len, reverse=True)
    also = re.compile(f"(?:^|; )also in ({'|'.join(map(re.escape, names))}) ")
    is_run = Q(role=Result.Role.REFERENCE_IMPLEMENTATION) | Q(source=BOARD_OF_MODELS, role__in=_OF_MODELS)
    rows = standing.filter(is_run, notes__contains="also in ").values_list("pk", "notes")
    named = [(pk, name) for pk, notes in rows for name in also.findall(notes)]
    prints = _who_prints({name for _, name in named})
    for pk, other in named:
        if prints.get(other):
            yield Told(pk, pk, How.ONE_ROW, papers.get(other), other)


def _who_prints(sources: AbstractSet[str]) -> dict[str, bool]:
    """Of each of these, whether most of its results are prints of papers and makers, not runs of its own."""
    printed = Count("pk", filter=Q(role__in=(Result.Role.PROPOSED, Result.Role.BASELINE)))
    given = Result.objects.standing().filter(source__in=sources).values_list("source")
    return {source: 2 * n_printed > n for source, n, n_printed in given.annotate(n=Count("pk"), n_printed=printed)}


@dataclass(frozen=True, slots=True)
class NumbersOfPaper:
    """How many numbers of a paper there are, and what others say of them; a number that is contested is not met.

    ``met_by`` has who gives numbers that agree, with how many, the most first; ``n_withdrawn`` were taken back.
    """

    n: int
    n_met: int
    met_by: tuple[tuple[str, int], ...]
    contested: tuple[Contest, ...]
    n_withdrawn: int

    @property
    def n_alone(self) -> int:
        """For how many nobody on record gives another."""
        return self.n - self.n_met - len(self.contested)


def numbers_of_paper(paper: Paper) -> NumbersOfPaper:
    """Return what others say of the comparable numbers that stand of the paper.

    What rounding, or 0.0001 by machine, explains is no contest (``PrintedScore.contradicts``).
    """
    numbers, n_withdrawn = _numbers_beside(paper)
    n_met, contested = 0, []
    met_by: Counter[str] = Counter()
    for one in numbers:
        against = tuple(other for other in one.others if one.printed.score.contradicts(other.score))
        if against:
            contested.append(Contest(one.printed, against))
        elif one.others:
            n_met += 1
            met_by.update({_who(other) for other in one.others})
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
    n_agreeing: Annotated[int, "Whose difference rounding, or 0.0001 by machine, explains."]
    n_lower: Annotated[int, "Of the others, those that came out lower than printed."]
    median: Annotated[float, "Of the sizes of all differences."]
    upper_quartile: Annotated[float, "Three quarters are as small or smaller."]
    largest: float

    @property
    def n_higher(self) -> int:
        """Of those that rounding does not explain, how many came out higher than printed."""
        return self.n - self.n_agreeing - self.n_lower


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedDocument:
    """All prints on record that were run again."""

    all: Distances | None
    pairs: Annotated[tuple[RunAgain, ...], "Those that differ most first."]


#: What is read of the score of a result.
_OF_SCORE = ("system__name", "source", "printed", "unit", "value")


def reproduced_document() -> ReproducedDocument:
    """Return where a printed number was run again, from the record of today: those that differ most first, then by
    collection and measure."""
    told = _told_on_record()
    results = Result.objects.filter(pk__in={pk for one in told for pk in (one.printed, one.again)})
    scores, places = {}, {}
    for pk, board, slug, system, *score in results.values_list("pk", "leaderboard", "system__model__slug", *_OF_SCORE):
        said = dict(zip(_OF_SCORE[1:], score, strict=True))
        scores[pk] = OneScore(result=pk, url=Result.address_of(pk), system=system, **said)
        places[pk] = board, slug or ""
    boards = Leaderboard.objects.with_names().in_bulk({board for board, _ in places.values()})
    papers = Paper.objects.in_bulk({one.paper for one in told if one.paper})
    briefs = {pk: describe_paper(paper) for pk, paper in papers.items()}
    pairs = []
    for one in told:
        board, model = places[one.again]
        pairs.append(_pair(one, scores, boards[board], model, briefs.get(one.paper)))
    pairs.sort(
        key=lambda one: (one.agrees, -abs(one.difference), one.name.casefold(), one.measure, one.again.result)
    )  # fmt: skip
    return ReproducedDocument(all=_distances(pairs) if pairs else None, pairs=tuple(pairs))


def _pair(
    one: Told, scores: Mapping[int, OneScore], board: Leaderboard, model: str, paper: PaperBrief | None
) -> RunAgain:
    printed, again = scores[one.printed], scores[one.again]
    is_one = one.how == How.ONE_ROW
    return RunAgain(
        collection=board.collection.slug,
        name=board.collection.name,
        measure=board.measure.name,
        decimals=board.measure.decimals,
        url=board.get_absolute_url(),
        model=model if one.how != How.SAME_LINE else "",
        paper=paper,
        printed_by=paper["cite"] if paper else one.source,
        printed=printed,
        again=again,
        again_by=again.source,
        how=one.how.value,
        difference=0.0 if is_one else round(again.value - printed.value, 10),
        agrees=is_one or not again.score.contradicts(printed.score),
    )


def _distances(pairs: Sequence[RunAgain]) -> Distances:
    sizes = sorted(abs(pair.difference) for pair in pairs)
    return Distances(
        n=len(pairs),
        n_agreeing=sum(pair.agrees for pair in pairs),
        n_lower=sum(not pair.agrees and pair.difference < 0 for pair in pairs),
        median=median(sizes),
        upper_quartile=quantiles(sizes, n=4, method="inclusive")[2] if len(sizes) > 1 else sizes[0],
        largest=sizes[-1],
    )


#: Columns of files, and what of a pair stands in each.
_COLUMNS = (
    "collection", "measure", "model", "printed_by", "printed", "unit", "again_by", "again", "again_unit",
    "difference", "agrees", "how", "url",
)  # fmt: skip
_cells = attrgetter(
    "collection", "measure", "model", "printed_by", "printed.printed", "printed.unit", "again_by", "again.printed",
    "again.unit", "difference", "agrees", "how", "url",
)  # fmt: skip


#: As many pairs stand on the page; files have all.
MOST_SHOWN = 24

REPRODUCED = DocumentPage(
    template="tools/reproduced/reproduced.html",
    meaning="Where a printed score was run again, and how far the two lie apart.",
    document=ReproducedDocument,
    find=lambda: None,
    version=lambda one: models_version(),
    describe=lambda one, form: reproduced_document(),
    lay_out=lambda one, document, form: {"most_shown": MOST_SHOWN},
    formats={"json": as_json} | as_lists("reproduced", _COLUMNS, lambda one: list(map(_cells, one.pairs)), "csv"),
)
