"""Atom feeds: what happened last, for programs that look regularly."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from registry.core.http import site_address

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
    """The entries, the newest first, as an Atom feed of the page with this path."""
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
