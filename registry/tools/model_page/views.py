"""The page of a model, its badge and its feed."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.core.forms import QueryForm, asked
from registry.core.http import kept_response, must_exist, site_address
from registry.core.metadata import set_collection, set_signposts
from registry.curation.lineage.documents import training_of_system
from registry.leaderboards.exports.pictures import as_picture, for_everybody
from registry.results.feeds import events_feed
from registry.results.models import Model
from registry.tools.compare.beside import small_open_beside
from registry.tools.model_page.documents import BOARD_COLUMNS, ModelDocument, board_rows, model_document
from registry.tools.model_page.drawings import draw_strips, fold
from registry.tools.model_page.exports import model_badge, model_linked_data, model_snippet
from registry.tools.model_page.queries import ModelOnRecord, models_version

#: A page names so many of each at once; the rest folds, and the JSON has all.
MOST_NAMED = 8
MOST_MET_AGAIN = 12


def find_model(slug: str) -> ModelOnRecord:
    """The model at this address, however its letters are written."""
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
    canonical=lambda one, form: (one.model.slug,),
    # Pages name the site in what they offer for others.
    version=lambda one: (site_address(), models_version()),
    describe=lambda one, form: model_document(one),
    lay_out=lambda one, document, form: {
        "model": one.model,
        "badge": model_snippet(document),
        "linked_data": model_linked_data(document),
        "strips": fold(draw_strips(document.boards)),
        "training": training_of_system(one.statements),
        "most_named": MOST_NAMED,
        "most_met": MOST_MET_AGAIN,
        "is_beside": small_open_beside(one.model).exists(),
    },
    finish=_with_links,
    formats={"json": as_json} | as_lists("model-leaderboards", BOARD_COLUMNS, board_rows, "csv"),
)


@require_safe
def model_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the model may be the best, as a picture for other sites to show."""
    asked(QueryForm(request.GET))
    one = find_model(slug)

    def build() -> HttpResponse:
        return as_picture(model_badge(model_document(one)), "image/svg+xml")

    key = f"badge of model {one.model.pk} {models_version()}"
    return for_everybody(kept_response(request, key=key, build=build))


@conditional_page
@require_safe
def model_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Results of its systems that came and went, as Atom."""
    return events_feed(request, find_model(slug).model)
