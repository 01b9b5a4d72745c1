"""Which printed score was run again by whom: pairs of standing results of one model on one leaderboard."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Q, QuerySet, prefetch_related_objects

from registry.core.grouping import grouped
from registry.results.models import Paper, Result, Source

#: Who prints a score of a system that they made or compare with.
_IN_PRINT = Q(role__in=(Result.Role.PROPOSED, Result.Role.BASELINE)) | Q(
    role=Result.Role.LEADERBOARD, is_self_reported=True
)
#: Whose results of models are the models' scores run again, by whoever hands them in; not those that makers report.
BOARD_OF_MODELS = "embeddings-benchmark/results"
_COMPARABLE = Q(comparability=Result.Comparability.STANDARD, replicate_of=None)
_AGAIN = Q(role=Result.Role.REFERENCE_IMPLEMENTATION) | Q(
    role=Result.Role.LEADERBOARD, source=BOARD_OF_MODELS, is_self_reported=False
)
_ALSO = re.compile(r"^also in (.+)$")
#: What a locator has where it names a line.
_LINE = "#L"


class How(StrEnum):
    """How it is known that one is the other, run again."""

    SAME_LINE = "same_line"
    MODEL = "model"
    ONE_ROW = "one_row"


@dataclass(frozen=True, slots=True)
class Pair:
    """A printed score, and the same run again; of one row both are it, and ``printed_by`` says who prints it."""

    printed: Result
    again: Result
    how: How
    paper: Paper | None
    printed_by: str


@dataclass(frozen=True, slots=True)
class Several:
    """A printed score of a model that somebody ran again in several settings, or that is printed in several."""

    printed: tuple[Result, ...]
    again: tuple[Result, ...]


def pairs_on_record() -> tuple[list[Pair], list[Several]]:
    """All pairs, and what can't be paired since nobody says which setting is which; by collection and measure."""
    standing = Result.objects.standing().filter(_COMPARABLE)
    printed = list(_with_names(standing.filter(_IN_PRINT)))
    again = _with_names(Result.objects.filter(pk__in=_run_again(standing, printed)))
    told = _with_names(standing.filter(_IN_PRINT | _AGAIN).filter(notes__contains="also in "))
    papers = _papers_of_sources(printed)
    found, several = _paired(printed, again, papers)
    pairs = [*found, *_of_one_row(told, papers)]
    return sorted(pairs, key=lambda one: _place(one.again)), several


def _paired(
    printed: Iterable[Result], again: Iterable[Result], papers: Mapping[str, Paper | None]
) -> tuple[list[Pair], list[Several]]:
    of_lines = list(_of_one_line(printed, again))
    found, several = _of_models(printed, again, {one.printed.pk for one in of_lines}, papers)
    return [*of_lines, *found], several


#: What is asked of numbers that stand beside each other.
_OF_NUMBERS = (
    "leaderboard", "system", "paper", "printed", "unit", "value", "role", "source", "locator", "is_self_reported",
    "ended_at", "system__name", "system__team", "system__slug", "system__model",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OfPaper:
    """The comparable numbers that stand of a paper, each with all others for the same, and those it took back."""

    numbers: tuple[tuple[Result, tuple[Result, ...]], ...]
    n_withdrawn: int


def numbers_beside(paper: Paper) -> OfPaper:
    """Each number of the paper with those of its system on its leaderboard, or of the same run again.

    One query: of thousands of numbers only the systems are read with them, papers and leaderboards of those that have
    another beside them afterwards.
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
    pairs, _ = _paired(
        [one for one in ours if vars(one)["is_print"]], [one for one in standing if vars(one)["is_again"]], {}
    )
    again = grouped(pairs, lambda pair: pair.printed.pk)
    numbers = []
    for one in ours:
        same = {
            other.pk: other
            for other in (*others[one.leaderboard_id, one.system_id], *(pair.again for pair in again[one.pk]))
        }
        numbers.append((one, tuple(same.values())))
    beside = [one for number, same in numbers if same for one in (number, *same)]
    if beside:
        prefetch_related_objects(beside, "paper", "leaderboard__collection", "leaderboard__measure")
    return OfPaper(tuple(numbers), len(found) - len(standing))


def _run_again(standing: QuerySet[Result], printed: Iterable[Result]) -> list[int]:
    """What was run again on a leaderboard where its model, or its line, has a print."""
    models = {(one.leaderboard_id, one.system.model_id) for one in printed}
    lines = {(one.leaderboard_id, one.source, one.locator) for one in printed if _LINE in one.locator}
    boards = {board for board, _ in models}
    again = standing.filter(_AGAIN, leaderboard__in=boards)
    keys = again.values_list("pk", "leaderboard_id", "system__model_id", "source", "locator")
    return [
        pk
        for pk, board, model, source, locator in keys
        if (model is not None and (board, model) in models) or (board, source, locator) in lines
    ]


def _with_names(results: QuerySet[Result]) -> QuerySet[Result]:
    """Of thousands of results each paper and leaderboard is read once, beside them."""
    named = results.select_related("system")
    return named.prefetch_related("system__model", "paper", "leaderboard__collection", "leaderboard__measure")


def _place(one: Result) -> tuple[str, str, int]:
    return one.leaderboard.collection.name.casefold(), one.leaderboard.measure.name, one.pk


def _of_one_line(printed: Iterable[Result], again: Iterable[Result]) -> Iterator[Pair]:
    """What a page prints beside its own number on one line: its authors say that this is the same."""

    def line(one: Result) -> tuple[int, str, str]:
        return one.leaderboard_id, one.source, one.locator

    of_lines = grouped(again, line)
    for one in printed:
        run = of_lines[line(one)] if _LINE in one.locator else []
        if len(run) == 1:
            yield Pair(one, run[0], How.SAME_LINE, one.paper, str(one.paper or one.source))


def _of_models(
    printed: Iterable[Result], again: Iterable[Result], paired: set[int], papers: Mapping[str, Paper | None]
) -> tuple[list[Pair], list[Several]]:
    """Where both have one result of a model on a leaderboard, they are a pair."""
    prints: dict[tuple[int, int | None], dict[tuple[str, int | None], list[Result]]] = defaultdict(dict)
    runs: dict[tuple[int, int | None], dict[str, list[Result]]] = defaultdict(dict)
    for one in printed:
        if one.pk not in paired and one.system.model_id is not None:
            of_source = prints[one.leaderboard_id, one.system.model_id]
            of_source.setdefault((one.source, one.paper_id), []).append(one)
    for one in again:
        runs[one.leaderboard_id, one.system.model_id].setdefault(one.source, []).append(one)
    pairs, several = [], []
    for key, of_prints in prints.items():
        for (source, _), some in of_prints.items():
            for by, run in runs[key].items():
                if by == source:
                    continue
                if len(some) == len(run) == 1:
                    paper = papers.get(source)
                    pairs.append(Pair(some[0], run[0], How.MODEL, paper, str(paper or source)))
                else:
                    several.append(Several(tuple(some), tuple(run)))
    return pairs, several


def _papers_of_sources(printed: Iterable[Result]) -> dict[str, Paper | None]:
    """The paper of each source whose prints are all of one."""
    found: dict[str, set[Paper | None]] = defaultdict(set)
    for one in printed:
        found[one.source].add(one.paper)
    return {source: next(iter(papers)) for source, papers in found.items() if len(papers) == 1}


def _of_one_row(told: Iterable[Result], papers: Mapping[str, Paper | None]) -> Iterator[Pair]:
    """Numbers that agree stand once: a row of who ran it says which page prints it, or the other way round."""
    names = sorted(Source.objects.values_list("name", flat=True), key=len, reverse=True)
    prints = _who_prints()
    for one in told:
        is_run = one.role == Result.Role.REFERENCE_IMPLEMENTATION or one.source == BOARD_OF_MODELS
        for part in one.notes.split("; "):
            also = _ALSO.match(part)
            other = next((name for name in names if also and also[1].startswith(f"{name} ")), "")
            if is_run and prints.get(other):
                paper = papers.get(other)
                yield Pair(one, one, How.ONE_ROW, paper, str(paper or other))


def _who_prints() -> dict[str, bool]:
    """Of every source, whether most of its results are prints of papers and makers, not runs of its own."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    roles = Result.objects.standing().values_list("source", "role").annotate(n=Count("pk"))
    for source, role, n in roles:
        counts[source][role in (Result.Role.PROPOSED, Result.Role.BASELINE)] += n
    return {source: count[True] > count[False] for source, count in counts.items()}
