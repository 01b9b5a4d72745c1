"""The first page, with the results that entered or left best sets within a week."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from analysis.boards import Snapshot as StoredStudy
from registry.catalog.models import Collection, Leaderboard
from registry.core.forms import QueryForm, asked
from registry.core.http import site_address
from registry.core.kept import kept_response
from registry.core.messages import say
from registry.core.metadata import FeedEntry, atom_response, site_linked_data
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Snapshot
from registry.leaderboards.pages import Context, example_context
from registry.leaderboards.queries.boards import analysed_leaderboards, read_kept, stale_leaderboards
from registry.leaderboards.stored import read_stored
from registry.leaderboards.versions import registry_version
from registry.results.models import Result
from registry.search.board_list import board_rows, listed_boards
from registry.search.model_list import judged_benchmarks
from registry.submissions.table_forms import PastedForm
from registry.tools.baselines.documents import draw_papers, most_followed
from registry.tools.check.documents import check_document
from registry.tools.check.forms import CheckForm
from registry.tools.compare.documents import compare_document
from registry.tools.compare.forms import CompareForm
from registry.tools.examples import example_of_check, example_of_compare, example_of_review, example_of_run
from registry.tools.models import ExampleAnswers
from registry.tools.review_table.documents import review_document

WEEK = timedelta(days=7)
#: Leaderboards whose snapshots are compared: those of most results.
MOST_BOARDS = 20


@dataclass(frozen=True, slots=True)
class Move:
    """The changes of a week in the best set of one leaderboard."""

    leaderboard: Leaderboard
    come: Annotated[tuple[str, ...], "Systems that tie for first now and did not before, by name."]
    gone: Annotated[tuple[str, ...], "Systems that tied for first before and do not now, by name."]
    n_before: int
    n_after: int


def moves_of_the_week(now: datetime) -> list[Move]:
    """Return leaderboards whose best set changed in the week before ``now`` by results alone, most results first."""
    start = now - WEEK
    of_board = Snapshot.objects.filter(leaderboard=OuterRef("pk"))
    earlier = of_board.filter(created_at__lte=start).order_by("-created_at").values("pk")[:1]
    boards = analysed_leaderboards().filter(analysis__snapshot__created_at__gt=start)
    boards = boards.annotate(earlier=Subquery(earlier)).filter(earlier__isnull=False)
    return [move for board in boards[:MOST_BOARDS] if (move := _move(board, board.earlier))]


def _move(board: Leaderboard, earlier: str) -> Move | None:
    known = Snapshot.objects.in_bulk([earlier, board.analysis.snapshot_id])
    before, after = (read_kept(known.get(pk), StoredStudy) for pk in (earlier, board.analysis.snapshot_id))
    if not (before and after) or before.methods.version != after.methods.version:
        return None
    old, new = _tied_in(before), _tied_in(after)
    if old == new:
        return None
    return Move(board, tuple(sorted(new - old)), tuple(sorted(old - new)), len(old), len(new))


def _tied_in(stored: StoredStudy) -> set[str]:
    best_set = stored.findings.verdict.shown.set
    rows = [row for row in stored.inputs.rows if best_set and row.id in best_set.members]
    return {f"{row.system} ({row.team})" if row.team else row.system for row in rows}


#: Leaderboards of most results, from which one is drawn.
_MOST_EXAMPLES = 50
_MOST_ROWS, _MOST_SUITES = 8, 5
#: Fewer papers show nothing about a field.
_MIN_PAPERS = 10


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is, a leaderboard, what gains added up to, what to do, what is new; kept for ten minutes."""
    site = site_address()
    now = timezone.now()

    def build() -> HttpResponse:
        answers = ExampleAnswers.objects.first()
        context: Context = {
            "counts": _counts(),
            "moves": moves_of_the_week(now),
            "rows": board_rows(listed_boards({}, "-results")[:_MOST_ROWS]),
            "benchmarks": judged_benchmarks()[:_MOST_SUITES],
            "answers": answers.content if answers else {},
            "linked_data": site_linked_data(),
        }
        followed = most_followed(_MIN_PAPERS)
        if followed:
            collection, board = followed
            context |= {"collection": collection, "followed": board, "drawing": draw_papers(board)}
        if example := example_board(beside=followed[0] if followed else None):
            document = leaderboard_document(example, Selection())
            context |= example_context(document)
        return render(request, "tools/home/home.html", context)

    key = f"home {site} {now:%F %H} {now.minute // 10} {registry_version()}"
    return kept_response(request, key=key, build=build)


@require_safe
def moves_feed(request: HttpRequest) -> HttpResponse:
    asked(QueryForm(request.GET))
    entries = [_entry(move) for move in moves_of_the_week(timezone.now())]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    return atom_response(
        request, title="Plumbline: what entered or left a best set", page=reverse("home:home"), entries=entries
    )


def _entry(move: Move) -> FeedEntry:
    snapshot = move.leaderboard.analysis.snapshot
    assert snapshot is not None
    sentences = [f"{where}: {', '.join(names)}." for where, names in (("In", move.come), ("Out", move.gone)) if names]
    return FeedEntry(
        title=f"{move.leaderboard}: {move.n_after:,} tie for first, {move.n_before:,} before",
        path=snapshot.get_absolute_url(),
        at=snapshot.created_at,
        author="registry",
        text=" ".join(sentences),
    )


def _counts() -> dict[str, int]:
    """Return the numbers of results, and of collections and leaderboards with some."""
    boards = Leaderboard.objects.filter(results_version__gt=0)
    n_collections = boards.values("collection").distinct().count()
    return {"results": Result.objects.standing().count(), "collections": n_collections, "leaderboards": boards.count()}


def example_board(*, beside: Collection | None = None) -> Leaderboard | None:
    """Return the busiest leaderboard of another collection with several tied and no doubt about its top.

    Without such a one, return the busiest of all.
    """
    boards = list(analysed_leaderboards()[:_MOST_EXAMPLES])
    others = (board for board in boards if board.collection_id != (beside.pk if beside else None))
    return next(filter(_is_open, others), boards[0] if boards else None)


def _is_open(board: Leaderboard) -> bool:
    headline = board.analysis.headline
    return (headline.get("n_members") or 0) > 1 and not headline.get("left_out") and not headline.get("note")


def answer_examples() -> None:
    """Store the answers of the tools to their examples, once the record changed and every leaderboard is analysed."""
    version = registry_version()
    if ExampleAnswers.objects.filter(version=version).exists() or stale_leaderboards(METHODS.version).exists():
        return
    ExampleAnswers.objects.update_or_create(pk=1, defaults={"version": version, "content": _answers_of_now()})


def _answers_of_now() -> dict[str, str]:
    check, table = CheckForm(example_of_check()), PastedForm(example_of_review())
    compare, answers = CompareForm(example_of_compare()), {"run": _of_run()}
    if check.is_valid():
        values = check.cleaned_data
        checked = check_document(check.board, values["score"], values["baseline"], n_tried=1)
        answers["check"] = checked.headline if checked else ""
    if table.is_valid() and not (table.is_open or table.missing()):
        claims = review_document(table, None, None).claims
        answers["review"] = claims[0].headline if claims else ""
    if compare.is_valid():
        answers["compare"] = compare_document(compare.compared).sentence
    return answers


def _of_run() -> str:
    """Return the rank of the run that is the example for scoring one; blank where it is not on record."""
    run = example_of_run()
    stored = read_stored([run.leaderboard_id]).get(run.leaderboard_id) if run else None
    ranks = stored.ranges.get(run.pk) if run and stored else None
    if run is None or stored is None or ranks is None:
        return ""
    board = run.leaderboard.collection.name
    return say("home-run", board=board, low=ranks.low, high=ranks.high, n=len(stored.ranges))
