"""Two vectors of topic scores that a program sends: answered, and forgotten."""

import msgspec
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from rest_framework.request import Request

from registry.api import serializers
from registry.api.bodies import LeftUnread, read_sent
from registry.api.errors import Refusal
from registry.api.schema import asks
from registry.api.views.reading import ReadView
from registry.core.forms import QueryForm
from registry.core.http import json_response
from registry.tools.compare.forms import scores_of_two
from registry.tools.compare.topics import topics_document
from registry.tools.compare.vectors import Vectors


class CompareTopics(ReadView[QueryForm]):
    """Every paired test of two systems whose scores by topic are in the body. Nothing of it is kept."""

    http_method_names = ["post"]
    parser_classes = (LeftUnread,)
    form_class = QueryForm

    @asks("compare_topics", serializers.Vectors, serializers.ComparedTopics)
    def post(self, request: Request) -> HttpResponse:
        given = read_sent(request, Vectors)
        topics = given.topics or [str(number + 1) for number in range(len(given.first))]
        for field, vector in (("second", given.second), ("topics", topics)):
            if len(vector) != len(given.first):
                message = f"Of {field} there are {len(vector):,}, and of first {len(given.first):,}."
                raise _refusal(field, "lengths", message)
        if given.margin is not None and given.margin <= 0:
            raise _refusal("margin", "range", "Give a number above 0.")
        try:
            matrix = scores_of_two(topics, given.first, given.second)
        except ValidationError as error:
            raise _refusal("topics", str(error.code), error.messages[0]) from error
        response = json_response(msgspec.to_builtins(topics_document(matrix, given.margin)))
        response["Cache-Control"] = "no-store"
        return response


def _refusal(field: str, code: str, message: str) -> Refusal:
    return Refusal(400, message, [{"field": field, "code": code, "message": message}])
