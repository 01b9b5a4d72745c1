"""The page of how often verdicts hold."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.boards import METHODS
from registry.core.forms import QueryForm, asked
from registry.core.http import kept_response, must_exist
from registry.core.pages import read_method
from registry.leaderboards.calibration import calibration_context
from registry.leaderboards.predictions import list_predictions
from registry.leaderboards.versions import registry_version


@require_safe
def calibration_detail(request: HttpRequest) -> HttpResponse:
    """Return how often verdicts held where the truth is known, and how those fared that later evidence scores."""
    asked(QueryForm(request.GET))
    document = must_exist(read_method("calibration"), "This copy has no documents.")

    def build() -> HttpResponse:
        context = {"document": document, "body": document.html.partition("</h1>")[2], **calibration_context()}
        return render(request, "leaderboards/calibration.html", context | {"predictions": list_predictions()})

    return kept_response(request, key=f"calibration {METHODS.version} {registry_version()}", build=build)
