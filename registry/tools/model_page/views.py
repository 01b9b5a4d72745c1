"""The page of a model, its badge and its feed."""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from registry.core.charts.scenes import CARD, WIDE
from registry.core.documents import DocumentPage, as_json, as_lists
from registry.core.forms import QueryForm, asked
from registry.core.http import must_exist, site_address
from registry.core.kept import kept_response
from registry.core.metadata import CONTEXT, set_collection, set_signposts
from registry.curation.lineage.documents import training_of_system
from registry.leaderboards.drawings.pages import DESCRIBED, described_charts
from registry.leaderboards.exports.citing import snippet_of
from registry.leaderboards.exports.pictures import as_picture, draw_badge, draw_card, draw_figure, for_everybody, png
from registry.results.feeds import events_feed
from registry.results.models import Model
from registry.tools.compare.views import small_open_beside
from registry.tools.model_page.documents import BOARD_COLUMNS, ModelDocument, board_rows, model_document
from registry.tools.model_page.drawings import draw_boards, fold, strip_rows
from registry.tools.model_page.queries import ModelOnRecord, models_version

#: The page shows this many at once and folds the rest; the JSON has all.
MOST_NAMED = 8
MOST_MET_AGAIN = 12


def find_model(slug: str) -> ModelOnRecord:
    """Return the model at this address, in whatever case; or a 404."""
    model = must_exist(
        Model.objects.filter(slug=slug.casefold()).select_related("paper").first(), f"No model has the address {slug}."
    )
    return ModelOnRecord(model)


def _with_links(response: HttpResponse, document: ModelDocument) -> HttpResponse:
    stem = document.url.rstrip("/")
    if not response.get("Content-Type", "").startswith("text/html"):
        return set_collection(response, document.url, document.url)
    return set_signposts(
        response,
        cite_as=document.url,
        kind="CreativeWork",
        described_by={f"{stem}.json": "application/json"},
        items={f"{stem}.csv": "text/csv"},
    )


MODEL = DocumentPage(
    template="tools/model_page/model_detail.html",
    meaning="A model with all its names, its maker, base, papers and days, where it stands, and who ran it.",
    document=ModelDocument,
    names=("slug",),
    find=find_model,
    canonical=lambda record, form: (record.model.slug,),
    # Pages name the site in what they offer for others.
    version=lambda record: (site_address(), models_version()),
    describe=lambda record, form: model_document(record),
    lay_out=lambda record, document, form: {
        "model": record.model,
        "badge": snippet_of(document.name, _description(document), site_address(), document.url),
        "linked_data": model_linked_data(document),
        "strips": fold(strip_rows(document)),
        "chart": draw_boards(document),
        "card": site_address(f"{document.url}card.png"),
        "training": training_of_system(record.statements),
        "most_named": MOST_NAMED,
        "most_met": MOST_MET_AGAIN,
        "is_beside": small_open_beside(record.model).exists(),
    },
    finish=_with_links,
    formats={"json": as_json} | as_lists("model-leaderboards", BOARD_COLUMNS, board_rows, "csv"),
)


#: Each picture by the name of its file: what draws it, and its media type.
_PICTURES: dict[str, tuple[Callable[[ModelDocument], str | bytes], str]] = {
    "badge.svg": (
        lambda model: draw_badge(model.name, model.claim, _description(model), has_verdict=bool(model.ties)),
        "image/svg+xml",
    ),
    "card.png": (lambda model: png(_card(model)), "image/png"),
    "figure.svg": (lambda model: _figure(model), "image/svg+xml"),
    "figure.png": (lambda model: png(_figure(model), zoom=2.0), "image/png"),
    DESCRIBED: (lambda model: described_charts([draw_boards(model)]), "application/json"),
}
PICTURES = "|".join(map(re.escape, _PICTURES))


def _card(document: ModelDocument) -> str:
    chart = draw_boards(document, CARD)
    return draw_card(document.name, document.claim, chart.scenes[0] if chart else None)


def _figure(document: ModelDocument) -> str:
    chart = must_exist(draw_boards(document, WIDE), "It has no result that could be drawn.")
    return draw_figure(document.name, document.claim, chart.scenes[0], chart.text, site_address(document.url))


@require_safe
def model_picture(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Return a picture of the model, for other sites to show, or what its page explores."""
    asked(QueryForm(request.GET))
    record, (draw, media_type) = find_model(slug), _PICTURES[name]
    key = f"{name} of model {record.model.pk} {site_address()} {models_version()}"
    response = kept_response(request, key=key, build=lambda: as_picture(draw(model_document(record)), media_type))
    return for_everybody(response)


@conditional_page
@require_safe
def model_feed(request: HttpRequest, slug: str) -> HttpResponse:
    return events_feed(request, find_model(slug).model)


def _description(document: ModelDocument) -> str:
    return f"{document.name}. {document.claim} Plumbline."


def model_linked_data(document: ModelDocument) -> dict[str, Any]:
    """Return the model as JSON-LD, without what is unknown."""
    fields = {
        "@context": CONTEXT,
        "@type": "CreativeWork",
        "@id": site_address(document.url),
        "url": site_address(document.url),
        "name": document.name,
        "alternateName": sorted({system.name for system in document.systems} - {document.name}),
        "creator": {"@type": "Organization", "name": document.maker} if document.maker else None,
        "datePublished": document.known_since,
        "isBasedOn": site_address(document.base_model.url) if document.base_model else document.base,
        "citation": {"@id": site_address(document.paper["url"])} if document.paper else None,
    }
    return {name: value for name, value in fields.items() if value}
