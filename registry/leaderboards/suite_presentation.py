"""What the pages of suites show of their documents. Templates only set it out."""

from pathlib import PurePosixPath
from typing import Any

from registry.core.templatetags.formatting import as_query
from registry.leaderboards import wording
from registry.leaderboards.answers import answers_of
from registry.leaderboards.exports.files import MEDIA_TYPES
from registry.leaderboards.presentation import FORMAT_NAMES, TOP, Format, caution_context, drawings
from registry.leaderboards.snapshot_drawings import small_drawings
from registry.leaderboards.suite_documents import (
    SuiteDocument,
    SuiteMemberDocument,
    suite_address,
)

Context = dict[str, Any]


def suite_context(document: SuiteDocument) -> Context:
    """What the template of a suite needs beside its document."""
    members = _members(document)
    return {
        "answers": answers_of(document, document.results),
        **caution_context(document.verdict, wording.names_of(document.results), has_links=False),
        "formats": suite_formats(document),
        "flagged": _flagged(document),
        "top_table": _top_table(document),
        "drawings": drawings(document.url),
        "members": members,
        "has_drawings": any(line for _, line in members),
    }


def _members(document: SuiteDocument) -> list[tuple[SuiteMemberDocument, str | None]]:
    """The members, each with the small drawing of the snapshot that the study took."""
    ids = {one.collection: PurePosixPath(one.snapshot).name for one in document.members}
    drawn = small_drawings([(pk, document.measure) for pk in ids.values()])
    return [(one, drawn.get(ids[one.collection])) for one in document.members]


def _flagged(document: SuiteDocument) -> frozenset[int]:
    """The systems that a caution holds back."""
    cautions = document.verdict.cautions if document.verdict else ()
    return frozenset(result for caution in cautions if caution.is_flag for result in caution.results)


def suite_formats(document: SuiteDocument) -> list[Format]:
    """The formats that there are: a suite without a verdict can't be cited."""
    return [
        Format(name, MEDIA_TYPES[suffix], suite_address(document.suite.slug, document.measure["name"], suffix))
        for suffix, name in FORMAT_NAMES.items()
        if suffix != "bib" or document.verdict
    ]


def _top_table(document: SuiteDocument) -> str:
    """Where the first of its systems are for papers; blank where that is all of them."""
    if document.count - (document.n_incomplete or 0) <= TOP:
        return ""
    return suite_address(document.suite.slug, document.measure["name"], "tex") + as_query({"top": str(TOP)})
