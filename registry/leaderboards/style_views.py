"""The page of the pieces that pages are made of, for those who make pages."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.core.forms import QueryForm, asked
from registry.core.http import kept_response
from registry.leaderboards.documents.boards import leaderboard_document
from registry.leaderboards.forms import Selection
from registry.leaderboards.presentation import page_context
from registry.leaderboards.queries import analysed_leaderboards
from registry.leaderboards.versions import registry_version
from registry.leaderboards.wording import STRENGTH


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every piece in every state; real verdicts, one for each kind of evidence and one with a caution."""
    asked(QueryForm(request.GET))

    def build() -> HttpResponse:
        return render(request, "leaderboards/style.html", {"verdicts": _verdicts()})

    return kept_response(request, key=f"style {METHODS.version} {registry_version()}", build=build)


def _verdicts() -> list[tuple[str, dict[str, Any]]]:
    boards = analysed_leaderboards()
    kinds: list[tuple[str, dict[str, object]]]
    kinds = [(f"Evidence: {kind}", {"analysis__headline__evidence": kind}) for kind in STRENGTH]
    kinds.append(("A caution at the best", {"analysis__headline__left_out": "highest"}))
    found = []
    for name, wanted in kinds:
        board = boards.filter(**wanted).first()
        if board is not None:
            document = leaderboard_document(board, Selection())
            found.append((name, page_context(document, Selection()) | {"document": document}))
    return found
