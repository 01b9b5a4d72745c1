"""The versions of a leaderboard, and of the whole record, as they stand: read on every request, in one query."""

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Aggregate, Count, Max, Model, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Coalesce

from analysis.boards import METHODS
from registry.catalog.models import Leaderboard
from registry.core.querysets import end_of
from registry.journal.models import Entry
from registry.journal.queries import Underway, journal_version
from registry.leaderboards.models import Snapshot, SuiteAnalysis
from registry.results.models import CorrectionRequest, Result, TopicScores


def read_board_version(collection: str, measure: str) -> tuple[Any, ...] | None:
    """Return which version there is to show of the leaderboard with these canonical names, its id first: changes
    whenever its page would. In one query; None where there is none."""
    sql, parameters = _board_version_query()
    names = {_COLLECTION: collection, _MEASURE: measure}
    with connection.cursor() as cursor:
        cursor.execute(sql, [names.get(value, value) for value in parameters])
        version: tuple[Any, ...] | None = cursor.fetchone()
    return version


_COLLECTION, _MEASURE = "<collection>", "<measure>"


def _last_entry(subject_type: str) -> Subquery:
    return Subquery(Entry.objects.filter(subject_type=subject_type).order_by("-pk").values("pk")[:1])


#: What systems and papers are called, and what files say of them, changes without their results: the last entries of
#: the journal about any of them.
_LAST_NAMES = {f"last_{subject}_entry": _last_entry(subject) for subject in ("system", "paper", "file")}


def _n_here(rows: QuerySet[Any]) -> Coalesce:
    """Return how many of the rows are about results of the leaderboard."""
    here = rows.filter(result__leaderboard=OuterRef("pk")).order_by().values("result__leaderboard")
    return Coalesce(Subquery(here.values(n=Count("pk"))), 0)


@cache
def _board_version_query() -> tuple[str, tuple[Any, ...]]:
    """Return SQL and parameters, with stand-ins for the names: building them takes longer than the query."""
    # Requests change the page and leave the analysis alone. They are counted: with every change a number is
    # another, whichever of two transactions is committed first.
    boards = Leaderboard.objects.filter(collection__slug=_COLLECTION, measure__name=_MEASURE).annotate(
        n_requests=_n_here(CorrectionRequest.objects.all()),
        n_disputes=_n_here(CorrectionRequest.objects.open_disputes()),
        underway=Underway(),
        **_LAST_NAMES,
    )
    analysed = ("analysis__results_version", "analysis__methods_version", "analysis__snapshot_id")
    counted = ("n_requests", "n_disputes", *_LAST_NAMES, "underway")
    sql, parameters = boards.values_list("id", "results_version", *analysed, *counted).query.sql_with_params()
    return sql, tuple(parameters)


def registry_version() -> str:
    """Return a text that changes whenever results, analyses (of suites too), or names of systems and papers anywhere
    do, with what editors say of collections, and with every file that is loaded."""
    with connection.cursor() as cursor:
        cursor.execute(*_registry_version_query())
        _, n_boards, *rest = cursor.fetchone()
    # Where there is no leaderboard, there is none beside which entries are looked up.
    return str((n_boards, *rest) if n_boards else journal_version())


class _Joined(Aggregate):
    """All texts in one."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


@cache
def _registry_version_query() -> tuple[str, tuple[Any, ...]]:
    """Return SQL and parameters: composing them takes longer than the query, on every request.

    Versions are summed: times are those of several clocks, and follow no commits.
    """
    names = _LAST_NAMES | {"last_collection_entry": _last_entry("collection")}
    suites = SuiteAnalysis.objects.values(everywhere=Value(1)).values(versions=_Joined("version"))
    everywhere = Leaderboard.objects.values(everywhere=Value(1)).annotate(
        n=Count("pk"),
        changed=Sum("results_version"),
        n_analysed=Count("analysis"),
        analysed=Sum("analysis__results_version"),
        n_current=Count("analysis", filter=Q(analysis__methods_version=METHODS.version)),
        suites=Max(Subquery(suites)),
        underway=Max(Underway()),
        **{name: Max(entry) for name, entry in names.items()},
    )
    sql, parameters = everywhere.query.sql_with_params()
    return sql, tuple(parameters)


#: Entries of the journal about some leaderboards, whose own rows tell as much, or about none. All others, of names,
#: lineages, declared training and suites, may be about any.
_OF_SOME = (
    Q(action__startswith="results.result.")
    | Q(action__in=("results.file.loaded", "results.topic_scores.loaded"))
    | Q(action__startswith="submissions.")
    | Q(action__startswith="accounts.")
)


def last_change(leaderboard_id: int, day: date) -> date:
    """Return the last day until this one on which the registry got to know something else of the leaderboard.

    Before it knew anything, the day itself.
    """
    changes = [*_changes(leaderboard_id), (Entry.objects.exclude(_OF_SOME), "recorded_at")]
    last = (rows.filter(**{f"{name}__lte": end_of(day)}).aggregate(last=Max(name))["last"] for rows, name in changes)
    return max((moment.date() for moment in last if moment), default=day)


def _changes(leaderboard_id: int) -> Iterator[tuple[QuerySet[Any], str]]:
    """Yield what the leaderboard consists of, with the names of the moments at which that changes."""
    yield Snapshot.objects.filter(leaderboard=leaderboard_id), "created_at"
    of_board: dict[type[Model], str] = {Result: "leaderboard", TopicScores: "result__leaderboard"}
    for model, path in of_board.items():
        for name in ("recorded_at", "ended_at"):
            yield model._default_manager.filter(**{path: leaderboard_id}), name
    for name in ("created_at", "shown_at", "decided_at"):
        yield CorrectionRequest.objects.filter(result__leaderboard=leaderboard_id), name


def last_publication(leaderboard_id: int, day: date) -> date:
    """Return the last day until this one on which the world could read one more of the leaderboard's results.

    Before the first, the day itself.
    """
    return Result.objects.filter(leaderboard=leaderboard_id).last_published(day) or day
