"""Answering over HTTP: answers that are kept until what they show changes, and one shape for every error.

Programs get JSON, from the API and from the formats of a page (``.json``, ``.csv`` …) alike; people get pages.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import get_script_prefix, reverse
from django.utils.cache import patch_vary_headers

from analysis.readers.rejections import Candidate, ErrorPart, Refused
from registry.core.listing import MAX_LISTED, first_listed, n_unlisted

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

#: Hosts in ALLOWED_HOSTS that do not name the site.
OF_THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]", "*"}

#: ``reverse`` with its arguments as a tuple, cached: some pages have hundreds of addresses.
path_to = lru_cache(maxsize=30_000)(reverse)

#: Media types of files, by the suffix of their address.
MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "tex": "application/x-tex",
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
    "csl.json": "application/vnd.citationstyles.csl+json",
    "croissant.json": "application/ld+json",
    "md": "text/markdown",
}

View = Callable[..., HttpResponse]
Thing = TypeVar("Thing")

#: The part of an IPv6 address that one customer of a network may have to themselves: 65,536 smaller networks.
_NETWORK_BITS = 48

#: Key in the environment of a request whose body was not read: the status that says why.
REFUSED = "plumbline.refused"
#: Key: in how many seconds the request may be repeated, where too much was computed for its sender.
RETRY_AFTER = "plumbline.retry_after"
#: Key: when the request came, by the monotonic clock.
BEGAN = "plumbline.began"
#: Key of a request whose body is still to be read: the question is only whether it may be, and who sends it.
AT_HEADERS = "plumbline.at_headers"
#: The header of a 100 that names who sends the body, where that is known.
SENDER = "Plumbline-Sender"

#: Suffixes of the addresses of files; a new kind of file is added only here.
FILE_SUFFIXES = (
    "json", "csv", "parquet", "xlsx", "tex", "bib", "ris", "md", "atom", "zip", "svg", "png", "qrels", "run",
)  # fmt: skip
_FOR_PROGRAMS = re.compile(rf"^/api/|\.({'|'.join(FILE_SUFFIXES)})$")

_MESSAGES = {
    400: "The request cannot be read.",
    403: "You may not do this.",
    404: "There is nothing at this address. /api/v1/ lists the addresses for programs.",
    405: "This address does not answer to that method; the header Allow has those that it answers to.",
    406: "The answer is JSON; ask for application/json.",
    500: "Our error; it is logged. Please try again, or tell us.",
}


#: The part of a request that an error is about if it names none, and its code if the status has no short name.
_PARTS = {
    400: ("", "malformed"),
    401: ("Authorization", "unauthorized"),
    405: ("", "method_not_allowed"),
    406: ("Accept", "not_acceptable"),
    408: ("", "too_slow"),
    411: ("Content-Length", "required"),
    413: ("", "too_large"),
    429: ("", "too_often"),
    500: ("", "fault"),
    503: ("", "unavailable"),
    507: ("", "no_room"),
}


class TryLater(Exception):
    """Something cannot be done now, but perhaps in ``retry_after`` seconds. The answer says why, with ``status``."""

    status = 503

    def __init__(self, reason: str, retry_after: int) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


def must_exist(subject: Thing | None, message: str) -> Thing:
    """Return what was looked for; 404 with the message where it is not there."""
    if subject is None:
        raise Http404(message)
    return subject


class Ambiguous(Http404):
    """A name in an address may mean several things: the answer asks which, with the candidates.

    ``name`` is the name as the address has it, ``kind`` what it is the name of.
    """

    def __init__(self, kind: str, name: str, refused: Refused) -> None:
        super().__init__(refused.message)
        self.kind, self.name, self.refused = kind, name, refused

    @property
    def errors(self) -> list[ErrorPart]:
        """The error as programs get it."""
        return [self.refused.at(None, self.kind).as_document()]

    def address(self, request: HttpRequest, candidate: Candidate) -> str:
        """Return the address that was asked for, with the candidate in the place of the name."""
        segments = request.path_info.split("/")
        n_parts = self.name.count("/") + 1
        for place in range(len(segments)):
            if "/".join(segments[place : place + n_parts]) == self.name:
                segments[place : place + n_parts] = [candidate.value]
                break
        query = request.META["QUERY_STRING"]
        path = quote(get_script_prefix().rstrip("/") + "/".join(segments), safe="/:@!$&'()*+,;=~")
        return f"{path}?{query}" if query else path


def private(response: HttpResponse) -> HttpResponse:
    """Return the answer, marked for nobody but who asked."""
    response["Cache-Control"], response["X-Robots-Tag"] = "private, no-store", "noindex, nofollow"
    return response


def moved(request: HttpRequest, address: str) -> HttpResponsePermanentRedirect:
    """Return a permanent redirect to the address, with the query of this one."""
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


def max_body_bytes(method: str, path: str, authorization: str) -> int:
    """Return the most that a request may send: more where a program sends a run with a token, which is asked
    about before the body is read (``AT_HEADERS``)."""
    is_run = method == "POST" and path == "/api/v1/runs/" and authorization[:7].lower() == "bearer "
    most: int = settings.PLUMBLINE_MAX_RUN_BYTES if is_run else 0
    return max(most, settings.PLUMBLINE_MAX_BODY_BYTES)


def in_megabytes(n_bytes: int) -> str:
    """Return a size as labels and refusals say it."""
    return f"{n_bytes / 1_000_000:g} MB"


def takes_at_most(n_bytes: int, if_larger: str) -> Callable[[View], View]:
    """Set how much a view takes, and advice for more; the outermost of its decorators."""

    def mark(view: View) -> View:
        view.most_bytes, view.if_larger = n_bytes, if_larger  # type: ignore[attr-defined]
        return view

    return mark


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether the address belongs to the API or names the format of a page."""
    return bool(_FOR_PROGRAMS.search(request.path_info))


def as_download(text: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Return the text as an answer that browsers save under the name."""
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def json_response(body: Mapping[str, object], *, status: int = 200, is_sorted: bool = False) -> JsonResponse:
    """Return the object as JSON, its keys in order or sorted; a NaN is our error, and never sent."""
    options = {"ensure_ascii": False, "allow_nan": False, "sort_keys": is_sorted}
    return JsonResponse(body, status=status, json_dumps_params=options)


def error_response(status: int, message: str = "", errors: Sequence[Mapping[str, object]] = ()) -> JsonResponse:
    """Return an error in its one shape. ``errors`` has an entry, {"field", "code", "message"}, for each wrong part,
    and one where it is the whole request.

    For a name that may mean several things, the entry also has the ``candidates``. Of many parts only the first are
    listed, and the message says how many there are.
    """
    message = message or _MESSAGES.get(status) or f"{HTTPStatus(status).phrase}."
    if n_unlisted(errors):
        message += f" The first {MAX_LISTED} of {len(errors):,} errors are listed."
    field, code = _PARTS.get(status, ("", HTTPStatus(status).phrase.lower().replace(" ", "_")))
    parts = first_listed(errors) or [{"field": field, "code": code, "message": message}]
    body = {"ok": False, "status": status, "error": message, "errors": [*parts]}
    return json_response(body, status=status)


def go_on(user: "AbstractBaseUser | AnonymousUser") -> HttpResponse:
    """Return 100 for whoever may send their body now, with who they are (``AT_HEADERS``)."""
    return HttpResponse(status=100, headers={SENDER: str(user.pk)} if user.is_authenticated else {})


def site_address(path: str = "") -> str:
    """Return the path, which begins with a slash, behind the address of the site: for citations, feeds and mails.

    The site is as configured, else guessed: the first public name in ``ALLOWED_HOSTS`` (system check W012 warns of it),
    or where it listens. It is never taken from a request, in which readers may write any port.
    """
    names = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host not in OF_THIS_MACHINE]
    # A proxy listens where browsers ask without a port.
    port = "" if settings.HTTPS or settings.BEHIND_PROXY else f":{settings.PORT}"
    guess = f"{'https' if settings.HTTPS else 'http'}://{names[0] if names else settings.OWN_HOST}{port}"
    return (settings.SITE_URL or guess) + path


def absolute_address(request: HttpRequest, path: str) -> str:
    """Return the path behind the address by which the reader reached the site; it is asked next and never kept."""
    return (settings.SITE_URL or f"{request.scheme}://{request.get_host()}") + path


def client_address(request: HttpRequest) -> str:
    """Return the visitor's address, for counting."""
    return neighbourhood(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether a program on this machine asks for itself, and is no proxy."""
    is_passed_on = any(name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"))
    return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback and not is_passed_on


def neighbourhood(remote: str, forwarded: str) -> str:
    """Return who counts as one visitor: an address; of IPv6 a network of 48 bits, which is what one customer may be
    given.

    Anybody can write ``X-Forwarded-For``. Every proxy appends the address that it was asked from, so with n proxies of
    ours the n-th from the right is what we know; a shorter list did not come through them.
    """
    return _neighbourhood(remote, forwarded, settings.TRUSTED_PROXIES)


@lru_cache(maxsize=1000)
def _neighbourhood(remote: str, forwarded: str, proxies: int) -> str:
    hops = [hop.strip() for hop in forwarded.split(",")]
    candidates = [hops[-proxies]] if proxies and len(hops) >= proxies else []
    for text in [*candidates, remote]:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        if isinstance(address, ipaddress.IPv4Address):
            return str(address)
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((address, _NETWORK_BITS), strict=False))
    return "unknown"


def one_of(views: Mapping[str, View]) -> View:
    """Return one view for several acts on one thing; the end of the address names the act."""

    def view(request: HttpRequest, act: str, **names: Any) -> HttpResponse:
        return must_exist(views.get(act), f"Nothing that can be done with it is called {act}.")(request, **names)

    return view


def negotiated(*suffixes: str) -> Callable[[View], View]:
    """Have a view, which takes a ``suffix``, answer in the format that its reader prefers if the address names none."""
    types = {MEDIA_TYPES[suffix]: suffix for suffix in suffixes}

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, suffix: str = "", **names: Any) -> HttpResponse:
            if suffix:
                return view(request, *args, suffix=suffix, **names)
            preferred = request.get_preferred_type(["text/html", *types])
            response = view(request, *args, suffix=types.get(str(preferred), ""), **names)
            patch_vary_headers(response, ("Accept",))
            return response

        return answer

    return decorate


def leads_to(**routes: str) -> Callable[[View], View]:
    """Have a view lead a reader who prefers another format than a page to where that stands.

    ``routes`` are names of addresses by the suffix of the format, ``json="api:paper-detail"``; each takes the same
    names in the same order, then what stands behind a blank, and the query.
    """
    types = {MEDIA_TYPES[suffix]: route.split() for suffix, route in routes.items()}

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
            route = types.get(str(request.get_preferred_type(["text/html", *types])))
            if route is None:
                response = view(request, *args, **names)
            else:
                query = request.META["QUERY_STRING"]
                address = reverse(route[0], args=[*args, *names.values(), *route[1:]])
                response = HttpResponse(status=303, headers={"Location": f"{address}?{query}" if query else address})
            patch_vary_headers(response, ("Accept",))
            return response

        return answer

    return decorate
