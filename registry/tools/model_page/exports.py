"""What others take away of a model: its badge, and what programs read that know the words of schema.org."""

from typing import Any

from registry.core.http import site_address
from registry.core.metadata import CONTEXT
from registry.core.templatetags.formatting import plural, thousands
from registry.leaderboards.exports.pictures import Snippet, draw_badge, snippet_of
from registry.tools.model_page.documents import ModelDocument


def model_badge(document: ModelDocument) -> str:
    """The badge, a picture that needs nothing else."""
    first, second = _lines(document)
    return draw_badge(first, second, _description(document), has_verdict=bool(document.judged))


def model_snippet(document: ModelDocument) -> Snippet:
    """What people paste to show it."""
    return snippet_of(document.name, _description(document), site_address(), document.url)


def _lines(document: ModelDocument) -> tuple[str, str]:
    """What the claim of its page says: on how many leaderboards it may be the best, in-domain ones apart."""
    n_judged, n_in_domain = len(document.judged), document.n_in_domain
    if not n_judged:
        n_boards = len(document.boards)
        none = f"on {plural(n_boards, 'leaderboard,leaderboards')}, none with a best set" if n_boards else "no result"
        return document.name, none
    boards = f"{thousands(document.n_best)} of {plural(n_judged, 'leaderboard,leaderboards')}"
    claim = f"{document.name}: may be the best on {boards}"
    if not n_in_domain:
        return claim, "none known to be in-domain"
    if not document.n_other:
        return claim, "all in-domain"
    in_domain = f"{thousands(document.n_in_domain_best)} of {thousands(n_in_domain)} in-domain"
    return claim, f"{in_domain}, {thousands(document.n_other_best)} of {plural(document.n_other, 'other,others')}"


def _description(document: ModelDocument) -> str:
    return f"{'; '.join(_lines(document))}. Plumbline."


def model_linked_data(document: ModelDocument) -> dict[str, Any]:
    """What the page says of the model as JSON-LD, without what is not known."""
    said = {
        "@context": CONTEXT,
        "@type": "CreativeWork",
        "@id": site_address(document.url),
        "url": site_address(document.url),
        "name": document.name,
        "alternateName": sorted({one.name for one in document.systems} - {document.name}),
        "creator": {"@type": "Organization", "name": document.maker} if document.maker else None,
        "datePublished": document.known_since,
        "isBasedOn": site_address(document.base_model.url) if document.base_model else document.base,
        "citation": {"@id": site_address(document.paper["url"])} if document.paper else None,
    }
    return {name: value for name, value in said.items() if value}
