"""What pages show, for programs: the same documents, by the same declarations."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.forms import LeaderboardForm
from registry.api.paging import Window
from registry.api.schema import Answer, reads
from registry.api.views.reading import OpenView
from registry.core.document_pages import DocumentPage
from registry.core.http import json_response
from registry.leaderboards.documents import BoardDocument
from registry.leaderboards.views import LEADERBOARD, FoundBoard


def shows(page: DocumentPage[Any, Any, Any], operation_id: str, answer: Answer) -> Callable[..., HttpResponse]:
    """The view that answers what a page shows, described by what the page is declared as."""
    suffix = IN_PAGES if IN_PAGES in page.formats else "json"

    class DocumentView(OpenView):
        __doc__ = page.meaning

        @reads(operation_id, answer, query=page.form, by_name=page.canonical is not None)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, names, suffix)

    view: Callable[..., HttpResponse] = DocumentView.as_view()
    return view


#: The format of documents whose rows come in pages.
IN_PAGES = "pages"


def _page_of_rows(found: FoundBoard, document: BoardDocument, form: LeaderboardForm) -> HttpResponse:
    window: Window = form.window
    token = window.next_token(document.count)
    return json_response(msgspec.to_builtins(replace(document, next_page=token, results=window.cut(document.results))))


LEADERBOARD_IN_PAGES = replace(
    LEADERBOARD,
    form=LeaderboardForm,
    read=lambda found, query, suffix: LeaderboardForm(query, leaderboard_id=found.id),
    formats={IN_PAGES: _page_of_rows},
)
