"""Access to leaderboards: everything published is public, so each function finds it or answers 404."""

from django.http import Http404

from registry.catalog.access import get_visible_measure, get_visible_pair
from registry.catalog.models import Leaderboard
from registry.core.http import must_exist
from registry.curation.suites.models import Suite
from registry.leaderboards.models import Snapshot
from registry.leaderboards.queries.suites import SuiteBoard, suite_boards


def get_visible_leaderboard(collection: str, measure: str) -> Leaderboard:
    """Return the leaderboard of this collection and measure, each by any of its names; its own are looked up alone."""
    boards = Leaderboard.objects.with_names()
    if board := boards.filter(collection__slug=collection, measure__name=measure).first():
        return board
    named_collection, named_measure = get_visible_pair(collection, measure)
    return must_exist(
        boards.filter(collection=named_collection, measure=named_measure).first(),
        f"No results are recorded for {named_collection.slug} under {named_measure.name}.",
    )


def get_visible_suite(slug: str, measure: str | None = None) -> SuiteBoard:
    """Return the suite under a measure by any of its names; without one, under its first."""
    boards = suite_boards([slug])
    if not boards:
        raise Http404(f"No suite whose mean people quote is called {slug}.")
    if measure is None:
        return boards[0]
    wanted = get_visible_measure(measure)
    return must_exist(
        next((board for board in boards if board.measure == wanted), None),
        f"The members of {slug} are not compared under {wanted.name}.",
    )


def get_visible_suite_record(slug: str) -> Suite:
    """Return the suite of this name, whether or not people quote its mean."""
    return must_exist(Suite.objects.filter(slug=slug).first(), f"No suite is called {slug}.")


def get_visible_snapshot(snapshot_id: str) -> Snapshot:
    """Return the snapshot with this id."""
    named = ("leaderboard__collection", "leaderboard__measure", "suite")
    snapshot = Snapshot.objects.select_related(*named).filter(pk=snapshot_id).first()
    return must_exist(snapshot, f"No snapshot has the id {snapshot_id}.")
