"""Documents of pages, for programs, by the pages' declarations; results as files; answers of which nothing is kept."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from msgspec import Meta
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from analysis.readers.exchange.every_eval_ever import write_every_eval_ever
from analysis.readers.exchange.formats import Format
from analysis.readers.rejections import Refused
from analysis.readers.tables import Row
from analysis.readers.text import weigh
from registry.accounts.authentication import TokenAuthentication
from registry.api.bodies import MAX_BODY_BYTES, LeftUnread, Sent, read_sent, require_systems, require_told
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.forms import FileForm, PagedForm, page_address, paged
from registry.api.schema import asks, gives_files, reads
from registry.api.shapes import Schema, describe, schema_of
from registry.api.views.private import PrivateView
from registry.catalog.models import Measure
from registry.core.documents import API, DocumentPage
from registry.core.forms import QueryForm, asked
from registry.core.http import absolute_address, as_download, json_response
from registry.core.kept import kept_response, public_version
from registry.core.tabular import zipped
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.access import get_visible_leaderboard
from registry.results.access import get_visible_paper, get_visible_system
from registry.results.documents import result_cells
from registry.results.models import Result
from registry.results.queries import with_things
from registry.results.querysets import ResultQuerySet
from registry.submissions.access import charge, get_visible_submission
from registry.submissions.table_forms import PastedForm
from registry.tools.pairs.forms import MAX_TOPICS, scores_of_two
from registry.tools.pairs.pair_documents import Vectors, VectorsDocument, vectors_document
from registry.tools.review_table.documents import review_document
from registry.tools.review_table.shapes import ReviewDocument, SentTable

View = Callable[..., HttpResponse]


class OpenView(APIView):
    """An address that anybody may read, with or without an account; a token that opens nothing is told all the same."""

    most_bytes = MAX_BODY_BYTES
    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    http_method_names = ["get", "head"]


class AnyType(DefaultContentNegotiation):
    """Answers whatever Accept says: the address names the format."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


def public(subject: object) -> object:
    """Return a version that changes whenever anything public does."""
    return public_version()


def shows(page: DocumentPage[Any, Any], operation_id: str, answer: str | type | Schema) -> View:
    """Return the view of a page's document; ``answer`` is its name in the description, or describes it."""
    suffix = API if API in page.formats else "json"
    named = describe(answer, page.document) if isinstance(answer, str) else answer
    shape = named if isinstance(named, dict) else schema_of(named)

    class DocumentView(OpenView):
        __doc__ = page.meaning

        @reads(operation_id, shape, query=page.form, names=page.names, by_name=page.canonical is not None)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, names, suffix)

    view: View = DocumentView.as_view()
    return view


def gives(page: DocumentPage[Any, Any], operation_id: str) -> View:
    """Return the view that answers results as a file, in the format that is asked for."""

    class ResultsView(OpenView):
        __doc__ = page.meaning
        content_negotiation_class = AnyType

        @gives_files(operation_id)
        def get(self, request: Request, **names: str | int) -> HttpResponse:
            return page.answer(request, names, API)

    view: View = ResultsView.as_view()
    return view


def lists(
    operation_id: str,
    answer: type,
    query: type[PagedForm],
    rows: Callable[[Any], QuerySet[Any]],
    describe_row: Callable[[Any], object],
    meaning: str,
) -> View:
    """Return the view that answers a list in pages: the ``rows`` that a valid form asks for."""

    class ListView(OpenView):
        __doc__ = meaning

        @reads(operation_id, schema_of(answer), query=query)
        def get(self, request: Request) -> HttpResponse:
            form = asked(query(request.GET))

            def build() -> HttpResponse:
                return json_response(paged(form.window, rows(form), describe_row, partial(page_address, request)))

            key = f"list {absolute_address(request, request.get_full_path())} {public_version()}"
            return kept_response(request, key=key, build=build)

    view: View = ListView.as_view()
    return view


def file_of(rows: Sequence[Row], chosen: Format, name: str) -> HttpResponse:
    """Return the rows in the format; where a file holds one run or model and there are several, an archive."""
    # JSON is UTF-8 by itself.
    media_type = chosen.media_type + ("" if chosen.media_type == "application/json" else "; charset=utf-8")
    if chosen.divide is None:
        return as_download(chosen.write(rows), media_type, f"{name}.{chosen.suffix}")
    write = _writer(chosen, rows)
    files = [(_file_name(run[0].get("system", "")), write(run)) for run in chosen.divide(rows)]
    if len(files) == 1:
        return as_download(files[0][1], media_type, f"{name}.{chosen.suffix}")
    members = [(f"{number:04}-{system}.{chosen.suffix}", text) for number, (system, text) in enumerate(files, 1)]
    return HttpResponse(
        zipped(members),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}.{chosen.name}.zip"'},
    )


def _writer(chosen: Format, rows: Sequence[Row]) -> Callable[[Sequence[Row]], str]:
    if chosen.name != "every_eval_ever":
        return chosen.write
    lower = frozenset(Measure.objects.filter(higher_is_better=False).values_list("name", flat=True))
    systems = {row.get("system", "") for row in rows}
    facts = SystemFacts.objects.standing().exclude(revision="").order_by("pk")
    known = facts.values_list("system__name", "system__team", "revision")
    revisions = {(name, team): revision for name, team, revision in known if name in systems}
    return partial(write_every_eval_ever, lower_is_better=lower, revisions=revisions)


def _file_name(text: str) -> str:
    """Return the text in plain ASCII, as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text)[:80].strip("-.") or "results"


def _write(subject: object, named: tuple[str, ResultQuerySet], form: FileForm) -> HttpResponse:
    name, results = named
    return file_of([result_cells(thing) for thing in with_things(results.for_export())], form.chosen, _file_name(name))


_results = partial(DocumentPage, document=tuple, version=public, form=FileForm, formats={API: _write})
LEADERBOARD_RESULTS = _results(
    meaning="All results on a leaderboard, as a file.",
    names=("collection", "measure"),
    find=get_visible_leaderboard,
    canonical=lambda board, form: board.names,
    describe=lambda board, form: (" ".join(board.names), Result.objects.for_leaderboard(board)),
)
SYSTEM_RESULTS = _results(
    meaning="All results that stand of a system, as a file.",
    names=("slug",),
    find=get_visible_system,
    canonical=lambda system, form: ((system.merged_into or system).slug,),
    describe=lambda system, form: (system.name, system.results.all()),
)
PAPER_RESULTS = _results(
    meaning="All results that a paper reports, as a file.",
    names=("slug",),
    find=get_visible_paper,
    canonical=lambda paper, form: ((paper.merged_into or paper).slug,),
    describe=lambda paper, form: (str(paper), paper.results.all()),
)


class SubmissionResults(PrivateView):
    content_negotiation_class = AnyType

    @gives_files("get_submission_results", is_private=True)
    def get(self, request: Request, id: UUID) -> HttpResponse:
        """The rows of a submission as they were given, as a file."""
        submission = self.with_scope(get_visible_submission(id, self.person))
        rows = list(submission.rows.values_list("cells", flat=True))
        try:
            return file_of(rows, self.asked(FileForm).chosen, f"submission-{str(id)[:8]}")
        except Refused as refused:
            message = f"The rows cannot be written in this format: {refused.message}."
            raise refusal(409, "format", refused.code, message) from refused


def answers(
    operation_id: str,
    sent: type[Sent],
    name: str,
    document: type,
    answer: Callable[[Request, Sent], object],
    **described: object,
) -> View:
    """Return the view that answers JSON with a document of this name. Nothing of it is kept."""

    class AnswerView(OpenView):
        __doc__ = answer.__doc__
        http_method_names = ["post"]
        parser_classes = (LeftUnread,)

        @asks(operation_id, describe(sent.__name__, sent, meaning="", **described), describe(name, document))
        def post(self, request: Request) -> HttpResponse:
            form = QueryForm(request.GET)
            if not form.is_valid():
                raise InvalidParameters(form)
            response = json_response(msgspec.to_builtins(answer(request, read_sent(request, sent))))
            response["Cache-Control"] = "no-store"
            return response

    view: View = AnswerView.as_view()
    return view


def _review(request: Request, given: SentTable) -> ReviewDocument:
    """Return what the record says of each score of a table in the body. Nothing of it is kept."""
    charge(request._request, weigh(given.text))
    form = require_told(PastedForm(given.as_form()))
    if form.n_rows > PastedForm.MOST_ROWS:
        raise Refusal(413, f"At most {PastedForm.MOST_ROWS:,} rows are reviewed at once. Send the table in parts.")
    baselines = None if given.baselines is None else frozenset(given.baselines)
    document = review_document(form, baselines, frozenset(given.own or ()))
    for field, named in (("baselines", given.baselines), ("own", given.own)):
        require_systems(field, named or (), form.records(), document.systems)
    return document


def _compare(request: Request, given: Vectors) -> VectorsDocument:
    """Every paired test of two systems whose scores by topic are in the body. Nothing of it is kept."""
    topics = given.topics or [str(number + 1) for number in range(len(given.first))]
    for field, vector in (("second", given.second), ("topics", topics)):
        if len(vector) != len(given.first):
            message = f"Of {field} there are {len(vector):,}, and of first {len(given.first):,}."
            raise refusal(400, field, "lengths", message)
    if given.margin is not None and given.margin <= 0:
        raise refusal(400, "margin", "range", "Give a number above 0.")
    try:
        matrix = scores_of_two(topics, given.first, given.second)
    except ValidationError as error:
        raise refusal(400, "topics", str(error.code), error.messages[0]) from error
    return vectors_document(matrix, given.margin)


_SCORES = Annotated[list[float], Meta(min_length=2, max_length=MAX_TOPICS)]
REVIEW = answers("review_table", SentTable, "ReviewedTable", ReviewDocument, _review)
COMPARE_TOPICS = answers(
    "compare_topics", Vectors, "ComparedTopics", VectorsDocument, _compare, first=_SCORES, second=_SCORES
)
