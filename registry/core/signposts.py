"""The Link header of a page: typed links that programs follow without reading it (https://signposting.org)."""

from collections.abc import Iterable, Mapping, Sequence

from django.http import HttpResponse
from django.urls import reverse

from registry.core.http import site_address
from registry.core.linked_data import CONTEXT

#: The most ``item`` links of one page: servers and proxies bound headers.
MAX_ITEMS = 20


def set_signposts(
    response: HttpResponse,
    *,
    cite_as: str,
    kind: str,
    described_by: Mapping[str, str],
    items: Mapping[str, str] | None = None,
    authors: Sequence[str] = ("/",),
    licence: str | None = None,
) -> HttpResponse:
    """The page with its typed links, in absolute addresses.

    ``cite_as`` is where it stays; ``kind`` the word of schema.org for what it is about; ``described_by`` and ``items``
    are addresses with their media types. ``licence`` is the page with the terms of every source unless another one is
    given, and no link where it is blank. Paths are those of this site.
    """
    terms = reverse("about:sources") if licence is None else licence
    links = [
        (cite_as, "cite-as", ""),
        *((one, "author", "") for one in authors),
        (f"{CONTEXT}{kind}", "type", ""),
        (f"{CONTEXT}AboutPage", "type", ""),
        *([(terms, "license", "")] if terms else []),
        *((address, "item", media_type) for address, media_type in list((items or {}).items())[:MAX_ITEMS]),
        *((address, "describedby", media_type) for address, media_type in described_by.items()),
    ]
    response["Link"] = link_header(links)
    return response


def set_collection(response: HttpResponse, page: str, cite_as: str) -> HttpResponse:
    """A file, or the API's answer, with links to the page that it belongs to, and to where that stays."""
    response["Link"] = link_header([(cite_as, "cite-as", ""), (page, "collection", "text/html")])
    return response


def link_header(links: Iterable[tuple[str, str, str]]) -> str:
    """Addresses, relations and media types as one header; a path is one of this site."""
    return ", ".join(
        f'<{site_address(href) if href.startswith("/") else href}>; rel="{rel}"' + (f'; type="{kind}"' if kind else "")
        for href, rel, kind in links
    )
