"""The page of prints that were run again."""

from registry.core.document_pages import DocumentPage, as_json, as_lists
from registry.tools.passports.queries import passport_version
from registry.tools.printed_again.documents import PAIR_COLUMNS, PrintedAgain, pair_rows, printed_again
from registry.tools.printed_again.drawings import ENDS, REACH, draw_strips

#: As many pairs stand on the page; files have all.
MOST_SHOWN = 24

REPRODUCED = DocumentPage(
    template="tools/printed_again/printed_again.html",
    meaning="Where a printed score was run again, and how far the two lie apart.",
    document=PrintedAgain,
    find=lambda: None,
    version=lambda one: passport_version(),
    describe=lambda one, form: printed_again(),
    lay_out=lambda one, document, form: {
        "strips": draw_strips(document),
        "ends": ENDS,
        "reach": REACH,
        "most_shown": MOST_SHOWN,
    },
    formats={"json": as_json} | as_lists("reproduced", PAIR_COLUMNS, pair_rows, "csv"),
)
