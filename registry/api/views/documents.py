"""What is shown, for programs: by the declarations of the pages, where there are pages."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django_filters import FilterSet
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from registry.api.bodies import MAX_BODY_BYTES
from registry.api.paging import PagedForm, page_address, paged
from registry.api.schema import Answer, gives_files, reads
from registry.api.serializers.derived import describe
from registry.core.document_pages import API, DocumentPage
from registry.core.forms import asked
from registry.core.http import absolute_address, json_response, kept_response
from registry.journal.queries import last_entry_id
from registry.leaderboards.versions import registry_version

View = Callable[..., HttpResponse]


class OpenView(APIView):
    """An address that anybody may read, with or without an account."""

    most_bytes = MAX_BODY_BYTES
    authentication_classes = ()
    permission_classes = ()
    http_method_names = ["get", "head"]


class AnyType(DefaultContentNegotiation):
    """Answers whatever Accept says: the address names the format."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


def public_version(subject: object) -> object:
    """What changes whenever anything that is public does."""
    return registry_version(), last_entry_id()


def shows(page: DocumentPage[Any, Any, Any], operation_id: str, answer: Answer) -> View:
    """The view that answers what a page shows, described by what it is declared as.

    ``answer`` is what the document is called in the description, or what describes it instead.
    """
    suffix = API if API in page.formats else "json"
    shape = describe(answer, page.document) if isinstance(answer, str) else answer

    class DocumentView(OpenView):
        __doc__ = page.meaning

        @reads(operation_id, shape, query=page.form, names=page.names, by_name=page.canonical is not None)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, names, suffix)

    view: View = DocumentView.as_view()
    return view


def gives(page: DocumentPage[Any, Any, Any], operation_id: str) -> View:
    """The view that answers results as a file, in the format that is asked for."""

    class ResultsView(OpenView):
        __doc__ = page.meaning
        content_negotiation_class = AnyType

        @gives_files(operation_id, by_name=True)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, names, API)

    view: View = ResultsView.as_view()
    return view


def lists(
    operation_id: str,
    answer: Answer,
    filters: type[FilterSet],
    rows: Callable[[], QuerySet[Any]],
    describe_row: Callable[[Any], object],
    meaning: str,
) -> View:
    """The view that answers a list in pages, narrowed down by a filter set."""

    class ListView(OpenView):
        __doc__ = meaning

        @reads(operation_id, answer, query=filters)
        def get(self, request: Request) -> HttpResponse:
            found = filters(request.GET, queryset=rows())
            form: PagedForm = asked(found.form)

            def build() -> HttpResponse:
                return json_response(paged(form.window, found.qs, describe_row, partial(page_address, request)))

            key = f"list {absolute_address(request, request.get_full_path())} {public_version(None)}"
            return kept_response(request, key=key, build=build)

    view: View = ListView.as_view()
    return view
