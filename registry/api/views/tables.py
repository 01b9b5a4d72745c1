"""A table of scores that a program sends: reviewed against the record, and forgotten."""

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from analysis.readers.weighing import weigh
from registry.accounts.errands.services import MAX_ROWS_HERE
from registry.api import serializers
from registry.api.bodies import LeftUnread, read_sent
from registry.api.errors import InvalidParameters, Refusal
from registry.api.schema import asks
from registry.api.views.reading import ReadView
from registry.core.forms import QueryForm
from registry.core.http import json_response
from registry.submissions.limits import charge, charge_more
from registry.submissions.table_forms import PastedForm
from registry.tools.review_table.documents import review_document
from registry.tools.review_table.sent import SentTable


class ReviewTable(ReadView[QueryForm]):
    """What the record says of each score of a table in the body. Nothing of it is kept."""

    http_method_names = ["post"]
    parser_classes = (LeftUnread,)
    form_class = QueryForm

    @asks("review_table", serializers.SentTable, serializers.ReviewedTable)
    def post(self, request: Request) -> HttpResponse:
        given = read_sent(request, SentTable)
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
        response = json_response(msgspec.to_builtins(review_document(form.records(), form.names, baselines)))
        response["Cache-Control"] = "no-store"
        return response


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
