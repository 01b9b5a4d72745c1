"""A model for programs that read JSON-LD in the words of schema.org."""

from typing import Any

from registry.core.http import site_address
from registry.core.linked_data import CONTEXT
from registry.tools.passports.documents import Passport


def model_linked_data(document: Passport) -> dict[str, Any]:
    """What the page says of the model, without what is not known."""
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
