"""Parts of a page that readers who signed in have of their own. A page is kept as everybody sees it; these are put in.

A template marks such a part by comments: the first names the template that makes it, and what that is ``about``.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string

_PART = re.compile(r"<!--own ([a-z_/]+\.html) ?([\w ]*)-->.*?<!--/own-->", re.DOTALL)


@contextmanager
def seen_by_anybody(request: HttpRequest) -> Iterator[None]:
    """Meanwhile the request is that of somebody who did not sign in."""
    reader, request.user = request.user, AnonymousUser()
    try:
        yield
    finally:
        request.user = reader


def with_own_parts(page: str, request: HttpRequest) -> str:
    """The page as whoever asks for it sees it."""
    return _PART.sub(lambda part: render_to_string(part[1], {"about": part[2]}, request), page)
