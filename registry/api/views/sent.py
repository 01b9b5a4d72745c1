"""What a program sends to be answered and forgotten: a table of scores, two vectors of topic scores."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from rest_framework import serializers as s
from rest_framework.request import Request

from analysis.readers.weighing import weigh
from registry.accounts.errands.services import MAX_ROWS_HERE
from registry.api.bodies import LeftUnread, Sent, read_sent
from registry.api.errors import InvalidParameters, Refusal, refusal
from registry.api.schema import asks
from registry.api.serializers.derived import describe
from registry.api.views.documents import OpenView, View
from registry.core.forms import QueryForm
from registry.core.http import json_response
from registry.submissions.limits import charge, charge_more
from registry.submissions.table_forms import PastedForm
from registry.tools.compare.forms import MAX_TOPICS, scores_of_two
from registry.tools.compare.topics import VectorsDocument, vectors_document
from registry.tools.compare.vectors import Vectors
from registry.tools.review_table.documents import review_document
from registry.tools.review_table.sent import SentTable
from registry.tools.review_table.shapes import ReviewDocument


def answers(
    operation_id: str,
    sent: type[Sent],
    name: str,
    document: type,
    answer: Callable[[Request, Sent], object],
    **described: s.Field[Any, Any, Any, Any],
) -> View:
    """The view that answers the JSON that is sent to it with a document of this name. Nothing of it is kept."""

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
    """What the record says of each score of a table in the body. Nothing of it is kept."""
    if not given.text.strip():
        raise refusal(400, "text", "required", "The table is empty; send it as text.")
    n_rows = weigh(given.text)
    _require_rows(n_rows)
    charge(request._request, n_rows)
    form = PastedForm(given.as_form())
    if not form.is_valid():
        raise InvalidParameters(form, "The table can’t be read.")
    charge_more(request._request, form.n_rows - n_rows)
    _require_rows(form.n_rows)
    if open_parts := _open(form):
        raise Refusal(400, "The table leaves something open.", open_parts)
    baselines = None if given.baselines is None else frozenset(given.baselines)
    return review_document(form.records(), form.names, baselines, frozenset(given.own or ()))


def _require_rows(n: int) -> None:
    if n > MAX_ROWS_HERE:
        raise Refusal(413, f"At most {MAX_ROWS_HERE} rows are reviewed at once. Send the table in parts.")


def _open(form: PastedForm) -> list[dict[str, object]]:
    """What has to be said before the table can be reviewed."""
    questions: list[dict[str, object]] = [
        {
            "field": f"answers.{one.key}",
            "code": "open",
            "message": one.text,
            "candidates": [{"value": value, "label": label, "detail": ""} for value, label in one.choices],
        }
        for one in form.questions()
        if one.is_open
    ]
    for words in form.missing():
        questions.append({"field": "", "code": "missing", "message": f"No row says {words}."})
    return questions


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


def _scores() -> s.ListField:
    return s.ListField(child=s.FloatField(), min_length=2, max_length=MAX_TOPICS)


REVIEW = answers("review_table", SentTable, "ReviewedTable", ReviewDocument, _review)
COMPARE_TOPICS = answers(
    "compare_topics", Vectors, "ComparedTopics", VectorsDocument, _compare, first=_scores(), second=_scores()
)
