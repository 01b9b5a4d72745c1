"""The page of a model, its badge and its feed."""

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
from registry.tools.model_page.drawings import draw_boards, strip_rows
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
        "strips": list(strip_rows(document)),
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


#: The pictures of a model, by the names of their files, with what its page explores.
PICTURES = {
    "badge.svg": "image/svg+xml",
    "card.png": "image/png",
    "figure.svg": "image/svg+xml",
    "figure.png": "image/png",
    DESCRIBED: "application/json",
}


@require_safe
def model_picture(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Return a picture of the model, for other sites to show, or what its page explores."""
    asked(QueryForm(request.GET))
    record = find_model(slug)

    def build() -> HttpResponse:
        return as_picture(_drawn(model_document(record), name), PICTURES[name])

    key = f"{name} of model {record.model.pk} {site_address()} {models_version()}"
    return for_everybody(kept_response(request, key=key, build=build))


def _drawn(model: ModelDocument, name: str) -> str | bytes:
    if name == "badge.svg":
        return draw_badge(model.name, model.claim, _description(model), has_verdict=bool(model.ties))
    chart = draw_boards(model, CARD if name == "card.png" else WIDE)
    if name == "card.png":
        return png(draw_card(model.name, model.claim, chart.scenes[0] if chart else None))
    chart = must_exist(chart, "It has no result that could be drawn.")
    if name == DESCRIBED:
        return described_charts([chart])
    figure = draw_figure(model.name, model.claim, chart.scenes[0], chart.text, site_address(model.url))
    return figure if name == "figure.svg" else png(figure, zoom=2.0)


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
