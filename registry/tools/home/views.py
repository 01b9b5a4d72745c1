"""The first page, and its picture for other sites."""

from itertools import islice

from django.db.models import IntegerField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from registry.catalog.models import Collection, Leaderboard
from registry.core.feeds import FeedEntry, atom_response
from registry.core.forms import QueryForm, asked
from registry.core.http import kept_response, site_address
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.documents.shapes import BoardDocument
from registry.leaderboards.documents.suites import suite_summaries
from registry.leaderboards.exports.pictures import as_picture, for_everybody, png, site_card_svg
from registry.leaderboards.forms import Selection
from registry.leaderboards.models import Analysis
from registry.leaderboards.presentation import Context, example_context
from registry.leaderboards.queries.boards import analysed_leaderboards
from registry.leaderboards.versions import registry_version
from registry.results.models import Result
from registry.tools.baselines.drawings import draw_papers
from registry.tools.home.moves import Move, moves_of_the_week
from registry.tools.home.progress import most_followed


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, one leaderboard drawn, what gains added up to, what to do here, what changed this week."""
    site = site_address()
    now = timezone.now()

    def build() -> HttpResponse:
        context: Context = {
            "counts": _counts(),
            "moves": moves_of_the_week(now),
            "suites": list(islice((one for one in suite_summaries() if one.headline), 4)),
            "card": site + reverse("home:home-card"),
        }
        followed = most_followed()
        if followed:
            collection, board = followed
            context |= {"collection": collection, "followed": board, "drawing": draw_papers(board)}
        if example := _example(beside=followed[0] if followed else None):
            document = leaderboard_document(example, Selection())
            context |= example_context(document) | {"asked": _median_of(document)}
        return render(request, "tools/home/home.html", context)

    return kept_response(request, key=f"home {site} {now.date()} {registry_version()}", build=build)


@require_safe
def moves_feed(request: HttpRequest) -> HttpResponse:
    """What entered or left a best set this week, as Atom."""
    asked(QueryForm(request.GET))
    entries = [_entry(move) for move in moves_of_the_week(timezone.now())]
    entries.sort(key=lambda one: one.at, reverse=True)
    return atom_response(
        request, title="Plumbline: what entered or left a best set", page=reverse("home:home"), entries=entries
    )


def _entry(move: Move) -> FeedEntry:
    snapshot = move.leaderboard.analysis.snapshot
    assert snapshot is not None
    told = [f"{where}: {', '.join(names)}." for where, names in (("In", move.come), ("Out", move.gone)) if names]
    return FeedEntry(
        title=f"{move.leaderboard}: {move.n_after:,} may be the best, {move.n_before:,} before",
        path=snapshot.get_absolute_url(),
        at=snapshot.created_at,
        author="registry",
        text=" ".join(told),
    )


@require_safe
def home_card(request: HttpRequest) -> HttpResponse:
    """What is shown where a link to the site is shared: its question, and the leaderboard of the first page."""
    asked(QueryForm(request.GET))

    def build() -> HttpResponse:
        example = _example()
        return as_picture(
            png(site_card_svg(leaderboard_document(example, Selection()) if example else None)), "image/png"
        )

    return for_everybody(kept_response(request, key=f"home card {registry_version()}", build=build))


def _counts() -> dict[str, int]:
    """How much there is: results, collections with some, leaderboards that carry an analysis."""
    return {
        "results": Result.objects.standing().count(),
        "collections": Collection.objects.filter(leaderboards__results_version__gt=0).distinct().count(),
        "leaderboards": Analysis.objects.filter(snapshot__isnull=False).count(),
    }


def _example(*, beside: Collection | None = None) -> Leaderboard | None:
    """The busiest leaderboard, of another collection, on which several may be the best, nobody is held back, and no
    strong note stands on the leader.

    The busiest of all where there is none.
    """
    boards = analysed_leaderboards()
    several = boards.annotate(n_members=Cast(KeyTextTransform("n_members", "analysis__headline"), IntegerField()))
    several = several.filter(n_members__gt=1, analysis__headline__left_out="", analysis__headline__note="")
    return several.exclude(collection=beside).first() or boards.first()


def _median_of(document: BoardDocument) -> dict[str, object] | None:
    """A score of the middle of a leaderboard, and how many of those that compete are better; None where none does."""
    competing = sorted((row for row in document.results if row.rank), key=lambda row: row.rank or 0)
    if not competing:
        return None
    row = competing[len(competing) // 2]
    return {"row": row, "n_better": (row.rank or 1) - 1, "n": len(competing)}
