"""Metadata of pages and files for programs: JSON-LD, Signposting, Croissant, Atom."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from registry.core.http import site_address

CONTEXT = "https://schema.org/"

_LICENCES = {"MIT", "Apache-2.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"}


def licence_address(name: str) -> str:
    """Return where the licence stands, of those with an SPDX name; else what it is called."""
    identifier = {"CC0": "CC0-1.0", "CC BY-SA 4.0": "CC-BY-SA-4.0", "CC BY 4.0": "CC-BY-4.0"}.get(name, name)
    return f"https://spdx.org/licenses/{identifier}.html" if identifier in _LICENCES else name


def site_linked_data() -> dict[str, Any]:
    """Return the site in the words of schema.org: what it is, and where it is searched."""
    home = site_address("/")
    return {
        "@context": CONTEXT,
        "@type": "WebSite",
        "@id": f"{home}#site",
        "name": "Plumbline",
        "description": "Published information-retrieval results, and how good the best of them really are.",
        "url": home,
        "potentialAction": {
            "@type": "SearchAction",
            "target": {"@type": "EntryPoint", "urlTemplate": f"{site_address(reverse('search:search'))}?q={{query}}"},
            "query-input": "required name=query",
        },
    }


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
    """Set the typed links of a page, in absolute addresses, and return it.

    ``cite_as`` is where it stays; ``kind`` the word of schema.org for what it is about; ``described_by`` and ``items``
    are addresses with their media types. ``licence`` is the page with the terms of every source unless another one is
    given, and no link where it is blank. Paths are those of this site.
    """
    terms = reverse("about:sources") if licence is None else licence
    links = [
        (cite_as, "cite-as", ""),
        *((author, "author", "") for author in authors),
        (f"{CONTEXT}{kind}", "type", ""),
        (f"{CONTEXT}AboutPage", "type", ""),
        *([(terms, "license", "")] if terms else []),
        *((address, "item", media_type) for address, media_type in list((items or {}).items())[:MAX_ITEMS]),
        *((address, "describedby", media_type) for address, media_type in described_by.items()),
    ]
    response["Link"] = link_header(links)
    return response


def set_collection(response: HttpResponse, page: str, cite_as: str) -> HttpResponse:
    """Link a file, or an answer of the API, to its page and to where that stays; return it."""
    response["Link"] = link_header([(cite_as, "cite-as", ""), (page, "collection", "text/html")])
    return response


def link_header(links: Iterable[tuple[str, str, str]]) -> str:
    """Return addresses, relations and media types as one header; a path is one of this site."""
    return ", ".join(
        f'<{site_address(href) if href.startswith("/") else href}>; rel="{rel}"' + (f'; type="{kind}"' if kind else "")
        for href, rel, kind in links
    )


#: Names of the vocabulary, which stand for themselves.
_TERMS = """
    arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject fileSet
    format includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex
    repeated replace samplingRate separator source subField transform
"""
#: As the specification gives it: programs compare it.
_CROISSANT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _TERMS.split()},
}


def describe_dataset(**properties: Any) -> dict[str, Any]:
    """Return a data set: at least with ``name``, ``url``, ``license``, ``distribution`` and ``recordSet``."""
    fixed = {"@context": _CROISSANT, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1"}
    return fixed | properties


def describe_file(name: str, address: str, media_type: str, **properties: Any) -> dict[str, Any]:
    """Return one of its files."""
    basics = {"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": address}
    return basics | {"encodingFormat": media_type} | properties


def describe_table(name: str, file: str, columns: Iterable[tuple[str, str, str]], **properties: Any) -> dict[str, Any]:
    """Return the columns of a file as a record set: each with its type, and with its meaning where there is one."""
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        **properties,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                **({"description": about} if about else {}),
                "dataType": kind,
                "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
            }
            for column, kind, about in columns
        ],
    }


#: What XML cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One thing that happened: plain texts, and the path of its page, which never becomes another's."""

    title: str
    path: str
    at: datetime
    author: str
    text: str


def atom_response(request: HttpRequest, *, title: str, page: str, entries: Iterable[FeedEntry]) -> HttpResponse:
    """Return the entries, the newest first, as an Atom feed of the page with this path."""
    own_address = site_address(request.get_full_path())
    feed = Atom1Feed(title=_plain(title), link=site_address(page), description="", language="en", feed_url=own_address)
    for entry in entries:
        address = site_address(entry.path)
        feed.add_item(
            title=_plain(entry.title),
            link=address,
            unique_id=address,
            # Readers take a summary for HTML, a title for text.
            description=escape(_plain(entry.text)),
            author_name=_plain(entry.author),
            pubdate=entry.at,
            updateddate=entry.at,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _plain(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
