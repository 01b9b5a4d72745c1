"""Reading what a leaderboard's analysis rests on."""

from copy import copy
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, TruncMinute
from numpy.typing import NDArray

from analysis.scores import ScoreMatrix
from registry.catalog.models import Collection, Leaderboard, ResidualVariance, Topic
from registry.journal.models import Entry
from registry.leaderboards.models import Analysis, ReferenceSet
from registry.results.models import CorrectionRequest, Result, TopicScores
from registry.results.queries import disputed_at, names_at


@dataclass(frozen=True, slots=True)
class Row:
    """One result as an analysis sees it."""

    id: int
    system_id: int
    system: str
    team: str
    printed: str
    value: float
    year: int | None
    role: str
    run_type: str
    evidence: str
    comparability: str
    replicate_of: int | None
    n_topics: int | None
    paper_id: int | None
    paper: str
    paper_url: str
    source: str
    notes: str
    is_disputed: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether it is an independent result that counts towards N."""
        return not self.why_not_counted

    @property
    def why_not_counted(self) -> str:
        """Why it is shown but left out of the analysis; blank when it counts."""
        if self.role not in Result.COUNTED_ROLES:
            return "reference implementation"
        if self.comparability != Result.Comparability.STANDARD:
            return str(Result.Comparability(self.comparability).label)
        if self.replicate_of is not None:
            return "another execution of a system that is counted once"
        return ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything an analysis of one leaderboard rests on, read at one moment.

    ``n_undated`` results are not among the rows, because nobody knows whether they were published by the day asked for.
    """

    leaderboard: Leaderboard
    results_version: int
    rows: tuple[Row, ...]
    topic_matrix: ScoreMatrix | None
    residual_variance: "BorrowedVariance | None"
    n_undated: int = 0

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which rows count towards N, shape (n_rows,)."""
        return np.array([row.is_counted for row in self.rows], dtype=bool)

    @property
    def values(self) -> NDArray[np.float64]:
        """The scores of all rows, shape (n_rows,)."""
        return np.array([row.value for row in self.rows], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class BorrowedVariance:
    """A residual variance per topic, and where it was seen."""

    value: float
    source: str
    is_own_collection: bool


_ROW_FIELDS = (
    "id",
    "system_id",
    "system__name",
    "system__team",
    "printed",
    "value",
    "year",
    "role",
    "run_type",
    "evidence",
    "comparability",
    "replicate_of_id",
    "n_topics_here",
    "paper_id",
    "paper__cite",
    "paper__url",
    "source",
    "notes",
    "is_disputed",
)


def read_evidence(
    leaderboard_id: int, *, known_at: datetime | None = None, published_by: date | None = None
) -> Evidence:
    """What stands on the leaderboard now, or stood there at a moment, best first; of that, what was published by a day.

    The version is read before the rows: if results change in between, the analysis is of an older version than its
    rows and is simply made again.
    """
    leaderboard = Leaderboard.objects.with_names().get(pk=leaderboard_id)
    results = Result.objects.for_leaderboard(leaderboard)
    if known_at is None:
        results = results.standing().with_disputes()
    else:
        results = results.known_at(known_at).annotate(is_disputed=Value(False))
    n_undated = 0
    if published_by:
        n_undated = results.count() - results.dated().count()
        results = results.published_by(published_by)
    rows = [Row(*_without_none(values)) for values in results.values_list(*_ROW_FIELDS)]
    if known_at:
        rows = _as_known(rows, known_at)
    sign = -1.0 if leaderboard.measure.higher_is_better else 1.0
    rows.sort(key=lambda row: (sign * row.value, row.system.casefold(), row.id))
    return Evidence(
        leaderboard=leaderboard,
        results_version=leaderboard.results_version,
        rows=tuple(rows),
        topic_matrix=read_topic_matrix(leaderboard, rows, known_at),
        residual_variance=read_borrowed_variance(leaderboard),
        n_undated=n_undated,
    )


def _as_known(rows: list[Row], moment: datetime) -> list[Row]:
    """The rows under the names that systems had then, with what was disputed then."""
    names, disputed = names_at(moment), disputed_at(moment)
    return [replace(row, **names.get(row.system_id, {}), is_disputed=row.id in disputed) for row in rows]


def with_facts_of(evidence: Evidence, content: dict[str, Any]) -> Evidence:
    """The evidence with what the catalog said when a snapshot with this content was made: topics, borrowed variance."""
    board, borrowed = copy(evidence.leaderboard), content["inputs"]["borrowed_variance"]
    board.n_topics_here = content["leaderboard"]["n_topics"]
    variance = BorrowedVariance(**borrowed) if borrowed else None
    return replace(evidence, leaderboard=board, residual_variance=variance)


def _without_none(values: tuple[object, ...]) -> list[object]:
    # Texts of a missing paper come as None from the join; everything else that is None means unknown.
    texts = (_ROW_FIELDS.index("paper__cite"), _ROW_FIELDS.index("paper__url"))
    return ["" if position in texts and value is None else value for position, value in enumerate(values)]


def read_topic_matrix(leaderboard: Leaderboard, rows: list[Row], known_at: datetime | None) -> ScoreMatrix | None:
    """Per-topic scores of the rows that have them, labelled by result id; None with fewer than two complete vectors.
    With a moment, those that were known then.

    Only vectors that cover every topic enter: means over different topics are not compared. Of a non-deterministic
    system only the execution that counts enters.
    """
    systems = [row.id for row in rows if row.replicate_of is None]
    known = TopicScores.objects.known_at(known_at) if known_at else TopicScores.objects.standing()
    vectors = known.vectors(systems)
    complete = {row.id: vectors[row.id] for row in rows if row.id in vectors and None not in vectors[row.id]}
    if len(complete) < 2:
        return None
    topics = list(Topic.objects.filter(collection=leaderboard.collection).values_list("label", flat=True))
    return ScoreMatrix([str(result_id) for result_id in complete], topics, list(complete.values()))


def read_borrowed_variance(leaderboard: Leaderboard) -> BorrowedVariance | None:
    """The residual variance seen on this collection elsewhere, else the measure's typical one, else None."""
    known = ResidualVariance.objects.filter(measure=leaderboard.measure)
    own = known.filter(collection=leaderboard.collection).first()
    entry = own or known.filter(collection__isnull=True).first()
    if entry is None:
        return None
    return BorrowedVariance(value=entry.residual_variance, source=entry.source, is_own_collection=own is not None)


def read_reference_sets(leaderboard: Leaderboard) -> dict[str, ReferenceSet]:
    """The reference sets in force, by basis."""
    sets = ReferenceSet.objects.filter(leaderboard=leaderboard).order_by("version")
    return {reference.basis: reference for reference in sets}


def stale_leaderboards(methods_version: str) -> QuerySet[Leaderboard]:
    """Leaderboards with results whose analysis is missing, of an older version of the results, or by other methods."""
    behind = (
        Q(analysis__isnull=True)
        | ~Q(analysis__results_version=F("results_version"))
        | ~Q(analysis__methods_version=methods_version)
    )
    return Leaderboard.objects.filter(behind, results_version__gt=0)


@dataclass(frozen=True, slots=True)
class BoardVersion:
    """Which version of a leaderboard there is to show: changes whenever its page would."""

    id: int
    results_version: int
    analysed_version: int | None
    methods_version: str | None
    snapshot_id: str | None
    n_disputes: int
    last_request: int | None
    last_system_entry: int | None
    last_paper_entry: int | None


def read_board_version(collection: str, measure: str) -> BoardVersion | None:
    """The version of the leaderboard with these canonical names, in one query; None where there is none."""
    sql, parameters = _board_version_query()
    names = {_COLLECTION: collection, _MEASURE: measure}
    with connection.cursor() as cursor:
        cursor.execute(sql, [names.get(value, value) for value in parameters])
        found = cursor.fetchone()
    return BoardVersion(*found) if found else None


_COLLECTION, _MEASURE = "<collection>", "<measure>"


def _last_entry(subject_type: str) -> Subquery:
    return Subquery(Entry.objects.filter(subject_type=subject_type).order_by("-pk").values("pk")[:1])


#: What systems and papers are called changes without their results: the last entries of the journal about any of them.
_LAST_NAMES = {"last_system_entry": _last_entry("system"), "last_paper_entry": _last_entry("paper")}


@cache
def _board_version_query() -> tuple[str, tuple[Any, ...]]:
    """SQL and parameters, with stand-ins for the names: building them takes longer than the query, on every request."""
    # A dispute changes the page and leaves the analysis alone; with every change a number is another.
    requests = (
        CorrectionRequest.objects.filter(result__leaderboard=OuterRef("pk")).order_by().values("result__leaderboard")
    )
    boards = Leaderboard.objects.filter(collection__slug=_COLLECTION, measure__name=_MEASURE).annotate(
        n_disputes=Coalesce(Subquery(requests.open_disputes().values(n=Count("pk"))), 0),
        last_request=Subquery(CorrectionRequest.objects.order_by("-pk").values("pk")[:1]),
        **_LAST_NAMES,
    )
    columns = boards.values_list(
        "pk",
        "results_version",
        "analysis__results_version",
        "analysis__methods_version",
        "analysis__snapshot_id",
        "n_disputes",
        "last_request",
        *_LAST_NAMES,
    )
    sql, parameters = columns.query.sql_with_params()
    return sql, tuple(parameters)


def analysed_leaderboards() -> QuerySet[Leaderboard]:
    """Leaderboards that carry an analysis, those with the most independent results first."""
    return (
        Leaderboard.objects.with_names()
        .filter(analysis__snapshot__isnull=False)
        .select_related("analysis")
        .order_by("-analysis__n_counted", "collection__slug", "measure__name")
    )


def summarised_leaderboards() -> QuerySet[Leaderboard]:
    """Leaderboards that have results, with what their summaries show at hand."""
    boards = Leaderboard.objects.with_names().filter(results_version__gt=0)
    return boards.select_related("analysis__snapshot").defer("analysis__snapshot__content")


def leaderboards_of(collection: Collection) -> QuerySet[Leaderboard]:
    """The leaderboards of one collection that have results, those with the most results first."""
    boards = Leaderboard.objects.with_names().select_related("analysis").filter(collection=collection)
    standing = Count("results", filter=Q(results__ended_at__isnull=True))
    return boards.annotate(n_standing=standing).filter(n_standing__gt=0).order_by("-n_standing", "measure__name")


def latest_results(n: int) -> list[Result]:
    """The results recorded last, one a system; of those recorded within one minute, the most recently published."""
    newest = (
        Result.objects.standing()
        .with_names()
        .select_related("leaderboard__collection", "leaderboard__measure")
        .order_by(
            TruncMinute("recorded_at").desc(),
            F("date").desc(nulls_last=True),
            F("year").desc(nulls_last=True),
            "-pk",
        )
    )
    by_system: dict[int, Result] = {}
    for result in newest[: n * 100]:
        by_system.setdefault(result.system_id, result)
    return list(by_system.values())[:n]


def registry_version() -> str:
    """A text that changes whenever results, analyses, or names of systems and papers anywhere do."""
    found = Leaderboard.objects.aggregate(
        n=Count("pk"),
        changed=Max("results_changed_at"),
        n_analysed=Count("analysis"),
        analysed=Max("analysis__analysed_at"),
        **{name: Max(entry) for name, entry in _LAST_NAMES.items()},
    )
    return str(found)


def registry_counts() -> dict[str, int]:
    """How much there is: results, collections, leaderboards that carry an analysis."""
    return {
        "results": Result.objects.standing().count(),
        "collections": Collection.objects.filter(leaderboards__results_version__gt=0).distinct().count(),
        "leaderboards": Analysis.objects.filter(snapshot__isnull=False).count(),
    }
