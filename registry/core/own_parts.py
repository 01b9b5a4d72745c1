"""Parts of a page that readers who signed in have of their own. A page is kept as everybody sees it; these are put in.

A template marks such a part by comments: the first names the template that makes it, with what that expects.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string

_PART = re.compile(r"<!--own ([a-z_/]+\.html)((?: \w+=\w+)*)-->.*?<!--/own-->", re.DOTALL)


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

    def own(part: re.Match[str]) -> str:
        return render_to_string(part[1], dict(name.split("=") for name in part[2].split()), request)

    return _PART.sub(own, page)
