"""Leaderboards and suites on which methods are at work."""

from collections.abc import Callable

from django.urls import reverse

from registry.core.pages import LiveExample, register_live_example
from registry.leaderboards.documents.suites import suite_summaries
from registry.leaderboards.queries.boards import analysed_leaderboards

#: Evidence that comes from published means alone.
_MEANS = ("own-variance", "own-and-predicted", "predicted")


def _busiest(**wanted: object) -> Callable[[], LiveExample | None]:
    def find() -> LiveExample | None:
        board = analysed_leaderboards().filter(**wanted).first()
        if board is None:
            return None
        return LiveExample(str(board), board.get_absolute_url(), board.analysis.headline["sentence"])

    return find


def _suite() -> LiveExample | None:
    for summary in suite_summaries():
        if summary.headline:
            name = f"{summary.suite.name}, {summary.measure['name']}"
            return LiveExample(name, summary.url, summary.headline.sentence)
    return None


def register_examples() -> None:
    """Register leaderboards, suites and pages as examples of methods."""
    register_live_example(
        _busiest(analysis__headline__evidence__in=_MEANS),
        "verdict", "best-set-from-means", "corrected-best", "families-of-systems", "best-result", "extreme-values",
    )  # fmt: skip
    topics = _busiest(analysis__headline__evidence="own-topics")
    register_live_example(topics, "verdict", "confidence-set-for-the-best-run", "verified-leader")
    register_live_example(_busiest(analysis__headline__evidence="predicted"), "predicted-variance")
    # Left out because of the screen, and not because of what it was trained on.
    screened = {"analysis__headline__left_out": "highest", "analysis__snapshot__content__contains": '"stands-apart"'}
    register_live_example(_busiest(**screened), "outlier-screens")
    register_live_example(_busiest(analysis__headline__note="contradicts-linked"), "linked-boards")
    register_live_example(_suite, "suites")
    held = "How often verdicts hold where the truth is known"
    register_live_example(lambda: LiveExample(held, reverse("leaderboards:calibration")), "calibration")
