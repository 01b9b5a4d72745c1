"""Whether results added up, year by year, and what papers compared with: one object for the page and its JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.text import slugify

from analysis.boards import METHODS
from analysis.figures import Axis, Panel, Rule, Series, series
from analysis.scales import percentile_among
from analysis.trends import LuckyBest, standing_of_papers
from registry.catalog.documents import collection_page
from registry.catalog.models import Collection, Leaderboard
from registry.core.charts import Chart, draw
from registry.core.messages import say
from registry.core.templatetags.formatting import NOTHING, score, two_figures
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.drawings.over_years import MIN_DATED, MIN_YEARS, over_years
from registry.leaderboards.drawings.over_years import OverYears as Drawing
from registry.leaderboards.drawings.pages import DESCRIBED, years_elsewhere
from registry.leaderboards.exports.files import file_address
from registry.leaderboards.forms import Selection
from registry.leaderboards.pages import cite_context
from registry.leaderboards.stored import StoredBoard, read_stored
from registry.leaderboards.versions import registry_version
from registry.leaderboards.wording import Fact
from registry.results.models import Result
from registry.results.querysets import ResultQuerySet, year_here
from registry.tools.baselines.trends import OverYears
from registry.tools.baselines.trends import over_years as papers_over_years

#: A leaderboard with its drawing over the years.
Followed = tuple[BoardDocument, Drawing]

#: Of fewer papers nothing is summed up.
MIN_PAPERS = 3
#: Fewer original runs than this are no field to stand in.
MIN_RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperAgainst:
    """The best baseline and the best proposed score of a paper."""

    paper: int
    name: str
    url: str
    year: int
    baseline: float
    proposed: float
    baseline_system: str
    gain: Annotated[
        float,
        "How far the proposed score is beyond the baseline; positive is better whatever the direction of the measure.",
    ]
    is_beyond: Annotated[
        bool | None,
        "Whether means tell the two apart, each of the paper's own scores being one comparison; None where that "
        "can't be known.",
    ]
    known: Annotated[
        float | None, "The best score on record of earlier years, by any source; None where there is none."
    ]
    known_year: int | None
    shortfall: Annotated[float | None, "How far the baseline falls short of it; negative where it is beyond."]
    percentile: Annotated[
        float | None, "Of the baseline among the original runs; None where fewer than five are recorded."
    ]
    proposed_percentile: Annotated[float | None, "The same of the proposed score."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongRuns:
    """The papers among the runs that were submitted when the collection was made."""

    n_runs: Annotated[int, "Original runs."]
    median: Annotated[float, "Of their scores."]
    upper_quartile: Annotated[float, "The better one, whatever the direction of the measure."]
    best: Annotated[float, "Of their scores."]
    median_baseline: Annotated[float, "Medians of the papers' percentiles among them."]
    median_proposed: Annotated[float, "Medians of the papers' percentiles among them."]
    n_above_best: Annotated[int, "Papers whose proposed score is better than every original run."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongImplementations:
    """The papers among the reference implementations: what toolkits score without anybody's tuning for a paper."""

    n: int
    median: Annotated[float, "Of their scores."]
    best: Annotated[float, "Of their scores."]
    n_baselines_below: Annotated[int, "Papers whose baseline is worse than the best of them."]
    n_proposed_below: Annotated[int, "Papers whose own best score is."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardBaselines:
    """The baselines of papers on one leaderboard."""

    measure: str
    decimals: int
    url: str
    papers: Annotated[tuple[PaperAgainst, ...], "By year."]
    n_known: Annotated[int, "Papers before whose year something is recorded."]
    n_reaching: Annotated[int, "Those of them whose baseline reaches the best of it, as ``shortfall`` has it."]
    n_weak: Annotated[
        int | None, "Papers whose baseline most of the original runs beat; None where too few runs are recorded."
    ]
    n_beyond: Annotated[
        int | None,
        "Papers whose gain means tell from chance, each paper judged by itself; None where that can't be known.",
    ]
    total_gain: Annotated[float, "All gains added up, those below 0 as well, and those of flagged scores."]
    n_losses: Annotated[int, "Papers whose own best score is worse than their baseline: their gain is below 0."]
    first_known: Annotated[float | None, "The best recorded of years before the first paper; None where nothing is."]
    last_best: Annotated[float, "The best up to the last paper's year, of scores without a flag where there are any."]
    risen: Annotated[float | None, "By how much the best has risen in between; None where nothing older is recorded."]
    among_runs: Annotated[AmongRuns | None, "None where fewer than five original runs are recorded."]
    among_implementations: Annotated[AmongImplementations | None, "None where no reference implementation is recorded."]
    over_years: Annotated[
        OverYears | None, "None of fewer than four papers, or where all are of one year or have one score."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A result that raised the best."""

    result: int
    system: str
    value: float
    year: int
    is_beyond: Annotated[
        bool | None, "Whether it beats the best before by more than chance explains; None where that can't be known."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProgress:
    """Results of a leaderboard over the years, against luck."""

    measure: str
    url: str
    claim: Annotated[str, "In a sentence."]
    n_dated: Annotated[int, "Results that compete and have a year."]
    n_elsewhere: Annotated[int, "Those of them in the year of their paper or model, as nobody knows their own."]
    steps: Annotated[tuple[Step, ...], "The best of the first year, and each that raised it."]
    luck: Annotated[
        LuckyBest | None,
        "The best so far by year, and what luck alone stays within; None where it is not known how much scores vary.",
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselinesDocument:
    """Whether results on a collection added up, and what its papers compared with."""

    collection: str
    name: str
    url: str
    progress: Annotated[
        tuple[BoardProgress, ...],
        "Of leaderboards with twenty results or more of three years or more; those of most results first.",
    ]
    boards: Annotated[
        tuple[BoardBaselines, ...],
        "Of three papers or more with a baseline, a proposed score and a year; those of most papers first.",
    ]
    n_waiting: Annotated[int, "Other leaderboards of as many papers, which are not analysed yet."]


def baselines_document(collection: Collection) -> BaselinesDocument:
    """Return every leaderboard of the collection on which results, or papers, can be followed over the years."""
    followed = _followed(_of_papers().filter(leaderboard__collection=collection))
    stored = read_stored(board.pk for board in followed)
    found = [_board(board, stored[board.pk], papers) for board, papers in followed.items() if board.pk in stored]
    return BaselinesDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("baselines:collection-baselines", args=[collection.slug]),
        progress=tuple(_in_numbers(document, drawing) for document, drawing in _progress(collection)),
        boards=tuple(found),
        n_waiting=len(followed) - len(found),
    )


def boards_over_years(collection: Collection | OuterRef) -> QuerySet[Any, Any]:
    """Return the leaderboards of a collection on which results can be followed over the years, those of most first."""
    dated = Result.objects.comparable().filter(leaderboard__collection=collection).with_year_here()
    counted = dated.order_by().values("leaderboard").annotate(n=Count("pk"), years=Count("year_here", distinct=True))
    return counted.filter(n__gte=MIN_DATED, years__gte=MIN_YEARS).order_by("-n", "leaderboard").values("leaderboard")


def _progress(collection: Collection) -> list[Followed]:
    """Return the leaderboards that can be followed over the years, with drawings; once for document and page."""
    known: list[Followed] | None = vars(collection).get("followed")
    if known is not None:
        return known
    places = [row["leaderboard"] for row in boards_over_years(collection)]
    boards = Leaderboard.objects.with_names().select_related("analysis__snapshot").in_bulk(places)
    documents = [leaderboard_document(boards[place], Selection()) for place in places]
    drawings = [(document, over_years(document, years_elsewhere(document))) for document in documents]
    vars(collection)["followed"] = known = [(document, drawing) for document, drawing in drawings if drawing]
    return known


def _in_numbers(document: BoardDocument, drawing: Drawing) -> BoardProgress:
    first = drawing.records[0].id
    return BoardProgress(
        measure=document.measure["name"],
        url=document.url,
        claim=drawing.claim,
        n_dated=sum(row.rank is not None for row in document.results) - drawing.n_undated,
        n_elsewhere=drawing.n_elsewhere,
        steps=tuple(
            Step(
                result=row.id,
                system=row.system,
                value=row.value,
                year=row.year or 0,
                is_beyond=None if drawing.needed is None or row.id == first else row.id in drawing.significant,
            )
            for row in drawing.records
        ),
        luck=drawing.luck,
    )


def most_followed(n_papers: int) -> tuple[Collection, BoardBaselines] | None:
    """Return the analysed leaderboard on which most papers print scores of their own, and its collection.

    What its scores do over the years is left out. None where fewer papers than ``n_papers`` are followed on it.
    """
    own = _of_papers().filter(role=Result.Role.PROPOSED).order_by().values("leaderboard")
    counted = own.annotate(n=Count("paper", distinct=True)).filter(n__gte=n_papers).order_by("-n", "leaderboard")
    for pk in counted.values_list("leaderboard", flat=True):
        followed = _followed(_of_papers().filter(leaderboard=pk), n_papers)
        stored = read_stored(board.pk for board in followed)
        for board, papers in followed.items():
            if board.pk in stored:
                return board.collection, _board(board, stored[board.pk], papers, has_trend=False)
    return None


def _followed(results: ResultQuerySet, n_papers: int = MIN_PAPERS) -> dict[Leaderboard, list[list[Result]]]:
    """Return the results of each paper, by leaderboard of so many with both scores; that of the most papers first."""
    rows: dict[int, dict[int | None, list[Result]]] = {}
    results = results.filter(role__in=(Result.Role.BASELINE, Result.Role.PROPOSED)).select_related("paper", "system")
    for result in results.order_by("year", "paper", "pk"):
        rows.setdefault(result.leaderboard_id, {}).setdefault(result.paper_id, []).append(result)
    n_both = {pk: n for pk, papers in rows.items() if (n := sum(map(_has_both, papers.values()))) >= n_papers}
    boards = Leaderboard.objects.with_names().in_bulk(n_both).values()
    ordered = sorted(boards, key=lambda board: (-n_both[board.pk], board.measure.name))
    return {board: list(rows[board.pk].values()) for board in ordered}


def _of_papers() -> ResultQuerySet:
    return Result.objects.comparable().filter(paper__isnull=False, year__isnull=False)


def own_scores() -> ResultQuerySet:
    """Scores of their own of the papers that are followed: those that print a baseline on the same leaderboard."""
    beside = _of_papers().filter(leaderboard=OuterRef("leaderboard"), paper=OuterRef("paper"))
    return _of_papers().filter(Exists(beside.filter(role=Result.Role.BASELINE)), role=Result.Role.PROPOSED)


def papers_followed(collection: OuterRef) -> QuerySet[Any, Any]:
    """Return how many papers are followed on each leaderboard of a collection where some are, the most first."""
    own = own_scores().filter(leaderboard__collection=collection)
    counted = own.values("leaderboard").annotate(n=Count("paper", distinct=True))
    return counted.filter(n__gte=MIN_PAPERS).order_by("-n").values("n")


def _has_both(results: Iterable[Result]) -> bool:
    return {Result.Role.BASELINE, Result.Role.PROPOSED} <= {result.role for result in results}


def _board(
    board: Leaderboard, stored: StoredBoard, printed: Sequence[list[Result]], *, has_trend: bool = True
) -> BoardBaselines:
    sign, competing = stored.sign, stored.competing
    runs = [row.value for row in competing if row.role == Result.Role.TREC_RUN]
    toolkits = [row.value for row in competing if row.role == Result.Role.REFERENCE_IMPLEMENTATION]
    # A baseline may have a year of its own: papers stand by the year of what they propose.
    followed = sorted(
        ((_paper(results, stored, runs), results) for results in printed if _has_both(results)),
        key=lambda one: one[0].year,
    )
    papers = [paper for paper, _ in followed]
    first_year, last_year = papers[0].year, papers[-1].year
    start = stored.best_before(first_year)
    up_to = [row.value for year, row in stored.dated if year <= last_year]
    # What was recorded since the analysis counts, too; what a flag is about raises no best, wherever it is claimed.
    flagged = stored.findings.verdict.flagged
    own = [one for _, results in followed for one in results if one.role == Result.Role.PROPOSED]
    up_to += [one.value for one in own if one.pk not in flagged and (one.year or 0) <= last_year]
    last = max(up_to or [paper.proposed for paper in papers], key=lambda one: sign * one)
    shortfalls = [paper.shortfall for paper in papers if paper.shortfall is not None]
    return BoardBaselines(
        measure=board.measure.name,
        decimals=board.measure.decimals,
        url=board.get_absolute_url(),
        papers=tuple(papers),
        n_known=len(shortfalls),
        n_reaching=sum(shortfall <= 0 for shortfall in shortfalls),
        n_weak=sum((paper.percentile or 0.0) < 50 for paper in papers) if len(runs) >= MIN_RUNS else None,
        n_beyond=None if stored.pair_error is None else sum(paper.is_beyond is True for paper in papers),
        total_gain=sum(paper.gain for paper in papers),
        n_losses=sum(paper.gain < 0 for paper in papers),
        first_known=start.value if start else None,
        last_best=last,
        risen=sign * (last - start.value) if start else None,
        among_runs=_among_runs(papers, runs, sign) if len(runs) >= MIN_RUNS else None,
        among_implementations=_among_implementations(papers, toolkits, sign) if toolkits else None,
        over_years=papers_over_years(
            [paper.year for paper in papers],
            [sign * paper.proposed for paper in papers],
            [_team(results) for _, results in followed],
        )
        if has_trend
        else None,
    )


def _paper(results: Sequence[Result], stored: StoredBoard, runs: Sequence[float]) -> PaperAgainst:
    sign = stored.sign
    best = {
        role: max((result for result in results if result.role == role), key=lambda one: sign * one.value)
        for role in (Result.Role.BASELINE, Result.Role.PROPOSED)
    }
    baseline, proposed = best[Result.Role.BASELINE], best[Result.Role.PROPOSED]
    paper, year = proposed.paper, year_here(proposed.year, stored.collection_year)
    assert paper is not None
    assert year is not None
    known = stored.best_before(year)
    gain = sign * (proposed.value - baseline.value)
    percentiles: list[float | None] = [None, None]
    if len(runs) >= MIN_RUNS:
        found = percentile_among([baseline.value, proposed.value], runs, higher_is_better=sign > 0)
        percentiles = [float(one) for one in found]
    return PaperAgainst(
        paper=paper.pk,
        name=str(paper),
        url=paper.get_absolute_url(),
        year=year,
        baseline=baseline.value,
        proposed=proposed.value,
        baseline_system=baseline.system.name,
        gain=gain,
        is_beyond=stored.is_beyond(gain, sum(result.role == Result.Role.PROPOSED for result in results)),
        known=known.value if known else None,
        known_year=known.year if known else None,
        shortfall=sign * (known.value - baseline.value) if known else None,
        percentile=percentiles[0],
        proposed_percentile=percentiles[1],
    )


def _among_runs(papers: Sequence[PaperAgainst], runs: Sequence[float], sign: float) -> AmongRuns:
    baselines, proposed = [paper.baseline for paper in papers], [paper.proposed for paper in papers]
    found = standing_of_papers(baselines, proposed, runs, higher_is_better=sign > 0)
    median, upper, best = (sign * float(one) for one in np.quantile([sign * run for run in runs], [0.5, 0.75, 1.0]))
    return AmongRuns(
        n_runs=len(runs),
        median=median,
        upper_quartile=upper,
        best=best,
        median_baseline=found.median_baseline_percentile,
        median_proposed=found.median_improved_percentile,
        n_above_best=round(found.fraction_improved_above_best * len(papers)),
    )


def _among_implementations(
    papers: Sequence[PaperAgainst], scores: Sequence[float], sign: float
) -> AmongImplementations:
    best = max(scores, key=lambda one: sign * one)
    return AmongImplementations(
        n=len(scores),
        median=float(np.median(scores)),
        best=best,
        n_baselines_below=sum(sign * paper.baseline < sign * best for paper in papers),
        n_proposed_below=sum(sign * paper.proposed < sign * best for paper in papers),
    )


def _team(results: Sequence[Result]) -> str:
    """Return whose the paper's own systems are; the paper where nobody says."""
    own = next(result for result in results if result.role == Result.Role.PROPOSED)
    return own.system.team or f"paper {own.paper_id}"


BASELINES = collection_page(
    template="tools/baselines/collection_baselines.html",
    meaning="Whether results on a collection added up, and what its papers compared with; by slug or alias.",
    document=BaselinesDocument,
    version=lambda collection: f"{collection.pk} {METHODS.version} {registry_version()}",
    describe=lambda collection, form: baselines_document(collection),
    lay_out=lambda collection, document, form: {
        "collection": collection,
        "boards": [(board, draw_papers(board)) for board in document.boards],
        **_lead(_progress(collection) if document.progress else []),
    },
)


def _lead(followed: Sequence[Followed]) -> dict[str, Any]:
    """Return what the page says of the leaderboard with the most results, as a board does, and the others."""
    if not followed:
        return {}
    (document, drawing), *others = followed
    return {
        "lead": (document, drawing),
        "others": others,
        "facts": _facts(document, drawing),
        "source": f"{document.url}{DESCRIBED}",
        "bib": file_address(document, "bib"),
        **cite_context(document, drawing.claim),
    }


def _facts(document: BoardDocument, drawing: Drawing) -> Iterator[Fact]:
    """Return the record, what luck alone gives, and how many records are significant."""
    first, last, luck, decimals = drawing.records[0], drawing.records[-1], drawing.luck, document.measure["decimals"]
    shown = document.verdict.shown if document.verdict else None
    adjusted = shown.corrected.figures if shown and shown.corrected and shown.result == last.id else "none"
    about = {"measure": document.measure["name"], "year": str(last.year), "adjusted": adjusted}
    yield Fact(say("years-record"), score(last.value, decimals), say("years-record-meaning", **about))
    n, value = (luck.n_later + 1, score(luck.by_luck[-1], decimals)) if luck else ("none", NOTHING)
    meaning = say("years-luck-meaning", n=n, first=score(first.value, decimals), least=MIN_DATED)
    yield Fact(say("years-luck"), value, meaning, "worth")
    needed = "none" if drawing.needed is None else two_figures(drawing.needed)
    value = NOTHING if drawing.needed is None else str(len(drawing.significant))
    beside = say("years-significant-beside", n=len(drawing.records) - 1) if drawing.needed else ""
    meaning = say("years-significant-meaning", needed=needed)
    yield Fact(say("years-significant"), value, meaning, "set", beside=beside)


def draw_papers(board: BoardBaselines) -> Chart:
    """Return a bar for each paper, in the order of years, with the best that was on record."""
    runs, toolkits = board.among_runs, board.among_implementations
    rules = [Rule(name="median run", at=runs.median, style="muted", is_dashed=False)] if runs else []
    rules += [Rule(name="best reference run", at=toolkits.best, style="muted")] if toolkits else []
    lines = (*_papers(board, is_gain=True), *_papers(board, is_gain=False), *_record(board))
    firsts = {paper.year: place for place, paper in reversed(list(enumerate(board.papers)))}
    ticks = tuple((float(place), str(year)) for year, place in sorted(firsts.items()))
    panel = Panel(data=f"{len(board.papers)} papers", series=lines, rules=tuple(rules))
    x = Axis(label="papers, by year", low=-0.5, high=len(board.papers) - 0.5, ticks=ticks)
    name = f"papers-{slugify(board.measure)}"
    return draw(panel, x, Axis(label=board.measure), name=name, text="Each paper from its baseline to its own best")


def _papers(board: BoardBaselines, *, is_gain: bool) -> Iterator[Series]:
    papers = [(place, paper) for place, paper in enumerate(board.papers) if (paper.gain > 0) == is_gain]
    if papers:
        decimals = board.decimals
        yield series(
            "gains" if is_gain else "no gain", [place for place, _ in papers], [paper.proposed for _, paper in papers],
            low=[paper.baseline for _, paper in papers], high=[paper.proposed for _, paper in papers],
            labels=[
                f"{paper.name} ({paper.year}): {paper.baseline:.{decimals}f} to {paper.proposed:.{decimals}f}"
                for _, paper in papers
            ],
            mark="columns", is_highlighted=is_gain,
        )  # fmt: skip


def _record(board: BoardBaselines) -> Iterator[Series]:
    """Return the best on record, which rises in steps; none where nothing is recorded before the first paper."""
    if board.first_known is None:
        return
    known = [*(paper.known for paper in board.papers), board.last_best]
    steps = [(place - 0.5, value) for place, value in enumerate(known) if value is not None]
    yield series("best before", [x for x, _ in steps], [y for _, y in steps], mark="steps", style="ink")
