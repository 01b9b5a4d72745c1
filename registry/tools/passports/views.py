"""The page of a model."""

from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.core.forms import QueryForm
from registry.core.http import must_exist
from registry.curation.lineage.documents import training_of_system
from registry.results.models import Model
from registry.tools.passports.documents import BOARD_COLUMNS, Passport, board_rows, passport_of
from registry.tools.passports.drawings import WIDTH, draw_strips
from registry.tools.passports.linked_data import model_linked_data
from registry.tools.passports.queries import ModelOnRecord, passport_version

#: A page names so many of each at once; the rest folds, and the JSON has all.
MOST_NAMED = 8
MOST_MET_AGAIN = 12


def find_model(slug: str) -> ModelOnRecord:
    """The model at this address, however its letters are written."""
    model = must_exist(
        Model.objects.filter(slug=slug.casefold()).select_related("paper").first(), f"No model has the address {slug}."
    )
    return ModelOnRecord(model)


PASSPORT = DocumentPage(
    template="tools/passports/model_detail.html",
    meaning="A model with all its names, its maker, base, papers and days, where it stands, and who ran it.",
    document=Passport,
    names=("slug",),
    find=find_model,
    canonical=lambda one, form: (one.model.slug,),
    form=QueryForm,
    version=lambda one: passport_version(),
    describe=lambda one, form: passport_of(one),
    lay_out=lambda one, document, form: {
        "model": one.model,
        "linked_data": model_linked_data(document),
        "strips": draw_strips(document.boards),
        "width": WIDTH,
        "training": training_of_system(one.statements),
        "most_named": MOST_NAMED,
        "most_met": MOST_MET_AGAIN,
    },
    formats={"json": as_json} | as_lists("model-leaderboards", BOARD_COLUMNS, board_rows, "csv"),
)
