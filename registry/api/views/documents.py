"""What pages show, for programs: the same documents, by the same declarations."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.schema import Answer, reads
from registry.api.views.reading import ReadView
from registry.core.document_pages import DocumentPage


def shows(page: DocumentPage[Any, Any, Any], operation_id: str, answer: Answer) -> Callable[..., HttpResponse]:
    """The view that answers what a page shows, described by what the page is declared as."""

    class DocumentView(ReadView[Any]):
        __doc__ = page.meaning
        form_class = page.form

        @reads(operation_id, answer, query=page.form, by_name=page.canonical is not None)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, self.query, names, "json")

    view: Callable[..., HttpResponse] = DocumentView.as_view()
    return view
