"""The page of prints that were run again."""

from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.tools.model_page.queries import models_version
from registry.tools.reproduced.documents import PAIR_COLUMNS, ReproducedDocument, pair_rows, reproduced_document
from registry.tools.reproduced.drawings import ENDS, REACH, draw_strips

#: As many pairs stand on the page; files have all.
MOST_SHOWN = 24

REPRODUCED = DocumentPage(
    template="tools/reproduced/reproduced.html",
    meaning="Where a printed score was run again, and how far the two lie apart.",
    document=ReproducedDocument,
    find=lambda: None,
    version=lambda one: models_version(),
    describe=lambda one, form: reproduced_document(),
    lay_out=lambda one, document, form: {
        "strips": draw_strips(document),
        "ends": ENDS,
        "reach": REACH,
        "most_shown": MOST_SHOWN,
    },
    formats={"json": as_json} | as_lists("reproduced", PAIR_COLUMNS, pair_rows, "csv"),
)
