"""One page of each kind, asked as a reader asks for it: whether the site can show what it holds."""

import time
from collections.abc import Callable, Iterable
from io import BytesIO
from urllib.parse import unquote

from django.contrib.auth.models import AnonymousUser
from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.urls import resolve

#: So long pages that could be read count as such: monitors ask more often.
_SECONDS_BETWEEN_TRIES = 60.0
_FAILED = 500

Finder = Callable[[], Iterable[str]]
_FINDERS: list[Finder] = []


def register_pages(find: Finder) -> None:
    """Have the addresses that ``find`` returns be tried: one of each kind, of what costs little to show."""
    if find not in _FINDERS:
        _FINDERS.append(find)


class TriedPages:
    """The last try of one page of each kind."""

    def __init__(self) -> None:
        self._right_until = 0.0

    def failing(self, request: HttpRequest) -> list[str]:
        """Return the addresses that fail, each with its status; those that didn't a moment ago are not asked again."""
        if time.monotonic() < self._right_until:
            return []
        failing = failing_pages(request)
        if not failing:
            self._right_until = time.monotonic() + _SECONDS_BETWEEN_TRIES
        return failing


def failing_pages(request: HttpRequest) -> list[str]:
    """Ask for one page of each kind, and return the addresses that fail, each with its status.

    They are asked under the name that the request came by, as somebody without an account.
    """
    answers = {path: _ask(path, request) for find in _FINDERS for path in find()}
    return [f"{path} ({response.status_code})" for path, response in answers.items() if response.status_code >= _FAILED]


def _ask(path: str, request: HttpRequest) -> HttpResponse:
    environment = {name: value for name, value in request.META.items() if name.startswith(("SERVER_", "HTTP_HOST"))}
    path_info = unquote(path).encode().decode("latin-1")
    page_request = WSGIRequest(
        {**environment, "REQUEST_METHOD": "GET", "PATH_INFO": path_info, "wsgi.input": BytesIO()}
    )
    page_request.user = AnonymousUser()
    response = convert_exception_to_response(_answer)(page_request)
    assert isinstance(response, HttpResponse)
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    match = resolve(request.path_info)
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response.render() if isinstance(response, SimpleTemplateResponse) else response
