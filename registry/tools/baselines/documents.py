"""Results over the years, and the baselines of papers: one object for the page and its JSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.text import slugify

from analysis.boards import METHODS
from analysis.errors import ArgumentError
from analysis.figures import Axis, Panel, Rule, Series, series
from analysis.results import Interval
from analysis.scales import percentile_among
from analysis.trends import clustered_trend, records_test, standing_of_papers, trend_over_time
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
from registry.tools.baselines.shapes import (
    AmongImplementations,
    AmongRuns,
    BaselinesDocument,
    BoardBaselines,
    BoardProgress,
    OverYears,
    PaperAgainst,
    Slope,
    Step,
)

#: A leaderboard with its drawing over the years.
Followed = tuple[BoardDocument, Drawing]

#: Fewer papers are not summed up.
MIN_PAPERS = 3
#: Fewer original runs than this are no field to stand in.
MIN_RUNS = 5
#: Fewer papers have no slope of their upper end, fewer teams none with an interval.
_MIN_FRONTIER, _MIN_TEAMS = 20, 10
_SLOPE_YEARS = 10.0
#: Few, as they are drawn while a reader waits: a few tenths of a second for a hundred papers.
_N_RESAMPLES = 199


def baselines_document(collection: Collection) -> BaselinesDocument:
    """Return every leaderboard of the collection on which results, or papers, can be followed over the years."""
    followed = _followed(_of_papers().filter(leaderboard__collection=collection))
    stored = read_stored(board.pk for board in followed)
    boards = [_board(board, stored[board.pk], papers) for board, papers in followed.items() if board.pk in stored]
    return BaselinesDocument(
        collection=collection.slug,
        name=collection.name,
        url=reverse("baselines:collection-baselines", args=[collection.slug]),
        progress=tuple(_in_numbers(document, drawing) for document, drawing in _progress(collection)),
        boards=tuple(boards),
        n_waiting=len(followed) - len(boards),
    )


def boards_over_years(collection: Collection | OuterRef) -> QuerySet[Any, Any]:
    """Return the leaderboards of a collection whose results can be followed over the years, most results first."""
    dated = Result.objects.comparable().filter(leaderboard__collection=collection).with_year_here()
    counted = dated.order_by().values("leaderboard").annotate(n=Count("pk"), years=Count("year_here", distinct=True))
    return counted.filter(n__gte=MIN_DATED, years__gte=MIN_YEARS).order_by("-n", "leaderboard").values("leaderboard")


def _progress(collection: Collection) -> list[Followed]:
    """Return the leaderboards that can be followed over the years, with drawings; read once for document and page."""
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
        measure=document.measure["name"], url=document.url, claim=drawing.claim,
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
    )  # fmt: skip


def most_followed(n_papers: int) -> tuple[Collection, BoardBaselines] | None:
    """Return the analysed leaderboard on which most papers print scores of their own, and its collection.

    The trend over the years is left out. None where fewer papers than ``n_papers`` are followed on each.
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
    """Return the results of each paper, by leaderboard with enough papers that have both scores; most papers first."""
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
    """Return the own scores of papers that are followed: those that print a baseline on the same leaderboard."""
    beside = _of_papers().filter(leaderboard=OuterRef("leaderboard"), paper=OuterRef("paper"))
    return _of_papers().filter(Exists(beside.filter(role=Result.Role.BASELINE)), role=Result.Role.PROPOSED)


def papers_followed(collection: OuterRef) -> QuerySet[Any, Any]:
    """Return the number of papers followed on each leaderboard of a collection, without those of none; most first."""
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
        key=lambda pair: pair[0].year,
    )
    papers = [paper for paper, _ in followed]
    first_year, last_year = papers[0].year, papers[-1].year
    start = stored.best_before(first_year)
    up_to = [row.value for year, row in stored.dated if year <= last_year]
    # Scores recorded since the analysis count, too; flagged ones raise no best, wherever they are claimed.
    flagged = stored.findings.verdict.flagged
    own = [result for _, results in followed for result in results if result.role == Result.Role.PROPOSED]
    up_to += [result.value for result in own if result.pk not in flagged and (result.year or 0) <= last_year]
    last = max(up_to or [paper.proposed for paper in papers], key=lambda value: sign * value)
    shortfalls = [paper.shortfall for paper in papers if paper.shortfall is not None]
    return BoardBaselines(
        measure=board.measure.name, decimals=board.measure.decimals, url=board.get_absolute_url(),
        papers=tuple(papers), n_known=len(shortfalls), n_reaching=sum(shortfall <= 0 for shortfall in shortfalls),
        n_weak=sum((paper.percentile or 0.0) < 50 for paper in papers) if len(runs) >= MIN_RUNS else None,
        n_beyond=None if stored.pair_error is None else sum(paper.is_beyond is True for paper in papers),
        total_gain=sum(paper.gain for paper in papers), n_losses=sum(paper.gain < 0 for paper in papers),
        first_known=start.value if start else None, last_best=last,
        risen=sign * (last - start.value) if start else None,
        among_runs=_among_runs(papers, runs, sign) if len(runs) >= MIN_RUNS else None,
        among_implementations=_among_implementations(papers, toolkits, sign) if toolkits else None,
        over_years=_trend(
            [paper.year for paper in papers],
            [sign * paper.proposed for paper in papers],
            [_team(results) for _, results in followed],
        )
        if has_trend
        else None,
    )  # fmt: skip


def _paper(results: Sequence[Result], stored: StoredBoard, runs: Sequence[float]) -> PaperAgainst:
    sign = stored.sign
    best = {
        role: max((result for result in results if result.role == role), key=lambda result: sign * result.value)
        for role in (Result.Role.BASELINE, Result.Role.PROPOSED)
    }
    baseline, proposed = best[Result.Role.BASELINE], best[Result.Role.PROPOSED]
    paper, year = proposed.paper, year_here(proposed.year, stored.collection_year)
    assert paper is not None
    assert year is not None
    known = stored.best_before(year)
    gain = sign * (proposed.value - baseline.value)
    percentiles: Sequence[float | None] = (None, None)
    if len(runs) >= MIN_RUNS:
        percentiles = percentile_among([baseline.value, proposed.value], runs, higher_is_better=sign > 0).tolist()
    return PaperAgainst(
        paper=paper.pk, name=str(paper), url=paper.get_absolute_url(), year=year, baseline=baseline.value,
        proposed=proposed.value, baseline_system=baseline.system.name, gain=gain,
        is_beyond=stored.is_beyond(gain, sum(result.role == Result.Role.PROPOSED for result in results)),
        known=known.value if known else None, known_year=known.year if known else None,
        shortfall=sign * (known.value - baseline.value) if known else None, percentile=percentiles[0],
        proposed_percentile=percentiles[1],
    )  # fmt: skip


def _among_runs(papers: Sequence[PaperAgainst], runs: Sequence[float], sign: float) -> AmongRuns:
    baselines, proposed = [paper.baseline for paper in papers], [paper.proposed for paper in papers]
    standing = standing_of_papers(baselines, proposed, runs, higher_is_better=sign > 0)
    median, upper, best = (sign * float(value) for value in np.quantile([sign * run for run in runs], [0.5, 0.75, 1.0]))
    return AmongRuns(
        n_runs=len(runs),
        median=median,
        upper_quartile=upper,
        best=best,
        median_baseline=standing.median_baseline_percentile,
        median_proposed=standing.median_improved_percentile,
        n_above_best=round(standing.fraction_improved_above_best * len(papers)),
    )


def _among_implementations(
    papers: Sequence[PaperAgainst], scores: Sequence[float], sign: float
) -> AmongImplementations:
    best = max(scores, key=lambda value: sign * value)
    return AmongImplementations(
        n=len(scores),
        median=float(np.median(scores)),
        best=best,
        n_baselines_below=sum(sign * paper.baseline < sign * best for paper in papers),
        n_proposed_below=sum(sign * paper.proposed < sign * best for paper in papers),
    )


def _team(results: Sequence[Result]) -> str:
    """Return the team of the paper's own systems; the paper where none is named."""
    own = next(result for result in results if result.role == Result.Role.PROPOSED)
    return own.system.team or f"paper {own.paper_id}"


def _trend(years: Sequence[int], gains: Sequence[float], teams: Sequence[str]) -> OverYears | None:
    """Return the trend of the scores of papers, higher ``gains`` being better; None where there is none to find."""
    try:
        trend = trend_over_time(years, gains)
    except ArgumentError:  # Fewer than four papers, one year, or one score.
        return None
    records = records_test(years, gains)
    # Within a year the best first gives the fewest, the worst first the most.
    scores = list(zip(years, gains, strict=True))
    best_first, worst_first = sorted(scores, key=lambda paper: (paper[0], -paper[1])), sorted(scores)
    fewest, most = (records_test(*zip(*order, strict=True)) for order in (best_first, worst_first))
    by_team, frontier = _by_team(years, gains, teams)
    return OverYears(
        tau=trend.tau, pvalue=trend.pvalue, median=_slope(trend.slope, trend.interval), by_team=by_team,
        frontier=frontier, n_teams=len(set(teams)), n_records=records.n_records, fewest_records=records.fewest,
        most_records=records.most, expected_records=records.expected, sd_records=records.standard_deviation,
        pvalue_records=records.pvalue_more, pvalue_fewest_records=fewest.pvalue_more,
        pvalue_most_records=most.pvalue_more,
    )  # fmt: skip


def _by_team(years: Sequence[int], gains: Sequence[float], teams: Sequence[str]) -> tuple[Slope | None, Slope | None]:
    """Return the slopes with intervals from resampled teams: of the middle, and of the better end."""
    if len(set(teams)) < _MIN_TEAMS:
        return None, None
    quantile = 0.9 if len(gains) >= _MIN_FRONTIER else None
    trend = clustered_trend(years, gains, teams, METHODS.seed, quantile=quantile, n_resamples=_N_RESAMPLES)
    frontier = None
    if trend.frontier_slope is not None and trend.frontier_interval is not None:
        frontier = _slope(trend.frontier_slope, trend.frontier_interval)
    return _slope(trend.slope, trend.slope_interval), frontier


def _slope(slope: float, interval: Interval) -> Slope:
    return Slope(change=_SLOPE_YEARS * slope, low=_SLOPE_YEARS * interval.low, high=_SLOPE_YEARS * interval.high)


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
    """Return the context of the leaderboard with the most results, as on a board's own page, and of the others."""
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
    """Yield the record, the best that luck alone gives, and the number of significant records."""
    first, last, luck, decimals = drawing.records[0], drawing.records[-1], drawing.luck, document.measure["decimals"]
    shown = document.verdict.shown if document.verdict else None
    adjusted = shown.corrected.figures if shown and shown.corrected and shown.result == last.id else "none"
    about = {"measure": document.measure["name"], "year": str(last.year), "adjusted": adjusted}
    yield Fact(say("years-record"), score(last.value, decimals), say("years-record-meaning", **about))
    n, value = (luck.n_later + 1, score(luck.by_luck[-1], decimals)) if luck else ("none", NOTHING)
    ends = "yes" if drawing.luck_ends else "no"
    meaning = say("years-luck-meaning", n=n, first=score(first.value, decimals), least=MIN_DATED, ends=ends)
    yield Fact(say("years-luck"), value, meaning, "worth")
    needed = "none" if drawing.needed is None else two_figures(drawing.needed)
    value = NOTHING if drawing.needed is None else str(len(drawing.significant))
    beside = say("years-significant-beside", n=len(drawing.records) - 1) if drawing.needed else ""
    meaning = say("years-significant-meaning", needed=needed)
    yield Fact(say("years-significant"), value, meaning, "set", beside=beside)


def draw_papers(board: BoardBaselines) -> Chart:
    """Draw a bar for each paper, in the order of years, with the best that was on record."""
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
    """Yield the best on record, which rises in steps; nothing where none precedes the first paper."""
    if board.first_known is None:
        return
    known = [*(paper.known for paper in board.papers), board.last_best]
    steps = [(place - 0.5, value) for place, value in enumerate(known) if value is not None]
    yield series("best before", [x for x, _ in steps], [y for _, y in steps], mark="steps", style="ink")
