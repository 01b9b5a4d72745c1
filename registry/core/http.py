"""Answering over HTTP: answers that are kept until what they show changes, and one shape for every error.

Programs get JSON, from the API and from the formats of a page (``.json``, ``.csv`` …) alike; people get pages.
"""

import gzip
import hashlib
import ipaddress
import os
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial, wraps
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import brotli
from backports import zstd
from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
    JsonResponse,
)
from django.urls import get_script_prefix, reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django_http_compression.middleware import best_coding

from analysis.readers.rejections import Candidate, ErrorPart, Refused
from registry.core.cache import kept_answers
from registry.core.listing import MAX_LISTED, first_listed, n_unlisted
from registry.core.own_parts import seen_by_anybody, with_own_parts

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

#: Hosts of ALLOWED_HOSTS that are no name of the site.
OF_THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]", "*"}

#: A drawing is found by what it shows; the time only bounds how long an unused one takes up memory.
KEEP_SECONDS = 24 * 3600
#: A kept answer that is longer is sent as the file that it is.
_LARGE_BYTES = 65_536

#: What files are, by the suffix of their address.
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

#: Of an IPv6 address, what belongs to one customer of a network: who has all of it has 65,536 smaller networks.
_NETWORK_BITS = 48

#: In the environment of a request whose body was not read: the status that says why.
REFUSED = "plumbline.refused"
#: There as well: in how many seconds it may be asked again, where whoever asks had too much computed.
RETRY_AFTER = "plumbline.retry_after"
#: And that only an answer that is kept is wanted; what became of it stands there afterwards, under ``KEPT``.
ONLY_KEPT = "plumbline.only_kept"
KEPT = "plumbline.kept"
#: When it came, on the clock that only goes forward.
BEGAN = "plumbline.began"
#: In the environment of a request whose body may be read next: only whether, and who sends it, is asked.
AT_HEADERS = "plumbline.at_headers"
#: The header of a 100 that names who sends the body, where that is known.
SENDER = "Plumbline-Sender"


class Kept(Enum):
    """Where an answer that is kept came from; one that is ``MISSING``, and only wanted as it is kept, is no answer."""

    FOUND = "found"
    BUILT = "built"
    MISSING = "missing"


#: How kept answers are packed: once each, so with more care than others.
_PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(gzip.compress, compresslevel=6, mtime=0),
    "br": partial(brotli.compress, quality=5),
    "zstd": partial(zstd.compress, level=9),
}

#: What the addresses of files end with: here alone a new kind of file is named.
FILE_SUFFIXES = ("json", "csv", "tex", "bib", "ris", "md", "atom", "zip", "svg", "png", "qrels", "run")
_FOR_PROGRAMS = re.compile(rf"^/api/|\.({'|'.join(FILE_SUFFIXES)})$")

_MESSAGES = {
    400: "The request cannot be read.",
    403: "You may not do this.",
    404: "There is nothing at this address. /api/v1/ lists the addresses for programs.",
    405: "This address does not answer to that method; the header Allow has those that it answers to.",
    406: "The answer is JSON; ask for application/json.",
    500: "Something went wrong here. It is in the log of the site.",
}


#: Which part of a request an error is about that names none, and its code, where the status has no short name.
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
    """What cannot be done now, but perhaps in ``retry_after`` seconds. The answer says why, with this ``status``."""

    status = 503

    def __init__(self, reason: str, retry_after: int) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


def must_exist(found: Thing | None, message: str) -> Thing:
    """What was looked for; 404 with the message where it is not there."""
    if found is None:
        raise Http404(message)
    return found


class Ambiguous(Http404):
    """A name in an address may mean several things: the answer is the question which, with the candidates.

    ``name`` is the name as the address has it, ``kind`` what it is the name of.
    """

    def __init__(self, kind: str, name: str, refused: Refused) -> None:
        super().__init__(refused.message)
        self.kind, self.name, self.refused = kind, name, refused

    @property
    def errors(self) -> list[ErrorPart]:
        """For programs."""
        return [self.refused.at(None, self.kind).as_document()]

    def address(self, request: HttpRequest, candidate: Candidate) -> str:
        """The address that was asked for, with the candidate in the place of the name."""
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
    """The answer, for nobody but who asked."""
    response["Cache-Control"], response["X-Robots-Tag"] = "private, no-store", "noindex, nofollow"
    return response


def moved(request: HttpRequest, address: str) -> HttpResponsePermanentRedirect:
    """A redirect for good to where this stands now, with what the address asked for."""
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


def max_body_bytes(method: str, path: str, authorization: str) -> int:
    """The most that a request may send: more where a program sends a run with a token, who is asked before it is read
    (``AT_HEADERS``)."""
    is_run = method == "POST" and path == "/api/v1/runs/" and authorization[:7].lower() == "bearer "
    most: int = settings.PLUMBLINE_MAX_RUN_BYTES if is_run else 0
    return max(most, settings.PLUMBLINE_MAX_BODY_BYTES)


def in_megabytes(n_bytes: int) -> str:
    """A size as labels and refusals say it."""
    return f"{n_bytes / 1_000_000:g} MB"


def takes_at_most(n_bytes: int, if_larger: str) -> Callable[[View], View]:
    """Say of a view, as the outermost of its decorators, how much it takes, and what to do with more."""

    def mark(view: View) -> View:
        view.most_bytes, view.if_larger = n_bytes, if_larger  # type: ignore[attr-defined]
        return view

    return mark


def is_for_programs(request: HttpRequest) -> bool:
    """Whether the address belongs to the API or names the format of a page."""
    return bool(_FOR_PROGRAMS.search(request.path_info))


def as_download(text: str, content_type: str, name: str) -> HttpResponse:
    """The text as an answer that browsers save under the name."""
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def json_response(body: Mapping[str, object], *, status: int = 200, is_sorted: bool = False) -> JsonResponse:
    """The object as JSON, its keys in order or sorted; a NaN is an error of ours and never sent."""
    options = {"ensure_ascii": False, "allow_nan": False, "sort_keys": is_sorted}
    return JsonResponse(body, status=status, json_dumps_params=options)


def error_response(status: int, message: str = "", errors: Sequence[Mapping[str, object]] = ()) -> JsonResponse:
    """An error in its one shape. ``errors`` has an entry, {"field", "code", "message"}, for each part that is wrong,
    and one where it is the whole request.

    Where that is a name that may mean several things, the entry has the ``candidates`` besides. Of many parts the first
    are listed, and the message says how many there are.
    """
    message = message or _MESSAGES.get(status) or f"{HTTPStatus(status).phrase}."
    if n_unlisted(errors):
        message += f" The first {MAX_LISTED} of {len(errors):,} errors are listed."
    field, code = _PARTS.get(status, ("", HTTPStatus(status).phrase.lower().replace(" ", "_")))
    parts = first_listed(errors) or [{"field": field, "code": code, "message": message}]
    body = {"ok": False, "status": status, "error": message, "errors": [*parts]}
    return json_response(body, status=status)


def go_on(user: "AbstractBaseUser | AnonymousUser") -> HttpResponse:
    """100 for whoever may send their body now, with who they are (``AT_HEADERS``)."""
    return HttpResponse(status=100, headers={SENDER: str(user.pk)} if user.is_authenticated else {})


def site_address(path: str = "") -> str:
    """The path, which begins with a slash, with the site before it, for all that leaves it: citations, feeds, mails.

    The site is as configured, else guessed: the first name that others use (``ALLOWED_HOSTS``), of which system check
    W012 tells, or where it listens. It is never as a reader wrote it, who may write any port.
    """
    names = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host not in OF_THIS_MACHINE]
    # A proxy listens where browsers ask without a port.
    port = "" if settings.HTTPS or settings.BEHIND_PROXY else f":{settings.PORT}"
    guess = f"{'https' if settings.HTTPS else 'http'}://{names[0] if names else settings.OWN_HOST}{port}"
    return (settings.SITE_URL or guess) + path


def absolute_address(request: HttpRequest, path: str) -> str:
    """The path with the site before it as the reader reached it, to be asked next and not to be kept."""
    return (settings.SITE_URL or f"{request.scheme}://{request.get_host()}") + path


def client_address(request: HttpRequest) -> str:
    """The visitor's address, for counting."""
    return neighbourhood(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether a program of this machine asks, and no proxy for somebody else."""
    is_passed_on = any(name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"))
    return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback and not is_passed_on


def neighbourhood(remote: str, forwarded: str) -> str:
    """Who counts as one visitor: an address; of IPv6 a network of 48 bits, which is what one customer may be given.

    Anybody can write ``X-Forwarded-For``. Every proxy appends the address that it was asked from, so with n proxies of
    ours the n-th from the right is what we know; a shorter list did not come through them.
    """
    proxies: int = settings.TRUSTED_PROXIES
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


def negotiated(*suffixes: str) -> Callable[[View], View]:
    """Has a view, which takes a ``suffix``, answer in the format that its reader prefers where no address names one."""
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
    """Has a view lead a reader who prefers another format than a page to where that stands.

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


def kept_response(request: HttpRequest, *, key: str, build: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer kept under ``key``, built when there is none; 304 where the reader has it already.

    ``key`` names everything the answer depends on: versions of the data, filters, format. It is built as anybody sees
    it; to readers with an account it is sent with the parts of a page that are their own.
    """
    digest = hashlib.sha256(f"{kept_answers.name} {key}".encode()).hexdigest()
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        with seen_by_anybody(request):
            response = _kept(request, digest, "identity", build, is_whole=True)
        if response.get("Content-Type", "").startswith("text/html"):
            response.content = with_own_parts(response.text, request)
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ("Cookie",))
        return response
    # Nothing on a kept page is secret, so that its compressed length gives nothing away.
    coding = best_coding(request.headers.get("Accept-Encoding", ""))
    etag = f'"{digest[:32]}{f"-{coding}" if coding in _PACK else ""}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        request.META[KEPT] = Kept.FOUND
        response = HttpResponseNotModified()
    else:
        response = _kept(request, digest, coding, build)
    if response.status_code in {200, 304}:
        response["ETag"] = etag
        response["Cache-Control"] = "no-cache"
        patch_vary_headers(response, ("Accept-Encoding", "Cookie"))
    return response


#: What says that something changed which is public.
_VERSIONS: list[Callable[[], str]] = []


def register_version(version: Callable[[], str]) -> None:
    """Have pages that show anything public be made anew when ``version`` returns another text."""
    if version not in _VERSIONS:
        _VERSIONS.append(version)


def public_version() -> tuple[str, ...]:
    """Return what changes whenever anything that is public does."""
    return tuple(version() for version in _VERSIONS)


def kept_for_strangers(view: View) -> View:
    """Has the answers of a view kept until anything public changes; for who signed in they are made anew."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            return view(request, *args, **names)
        key = f"page {site_address(request.get_full_path())} {public_version()}"
        return kept_response(request, key=key, build=lambda: view(request, *args, **names))

    return answer


def _kept(
    request: HttpRequest, digest: str, coding: str, build: Callable[[], HttpResponse], *, is_whole: bool = False
) -> HttpResponse:
    """The answer as it was kept in this coding; a coding that nobody asked for yet is made of the plain one.

    A large one is a file to be sent, but for who has to have it whole.
    """
    key = f"{digest}-{coding}"
    kept = kept_answers.get(key)
    if kept is not None:
        request.META[KEPT] = Kept.FOUND
        file, headers = kept
        size = os.fstat(file.fileno()).st_size - file.tell()
        if size > _LARGE_BYTES and not is_whole and "wsgi.file_wrapper" in request.META:
            return _KeptFile(file, headers={**headers, "Content-Length": str(size)})
        with file:
            return HttpResponse(file.read(), headers=headers)
    if request.META.get(ONLY_KEPT):
        request.META[KEPT] = Kept.MISSING
        return HttpResponse(status=204)
    response = _kept(request, digest, "identity", build, is_whole=True) if coding in _PACK else build()
    if response.status_code != 200:
        return response
    content, headers = bytes(response.content), dict(response.items())
    if coding in _PACK:
        content, headers = _PACK[coding](content), headers | {"Content-Encoding": coding}
    request.META[KEPT] = Kept.BUILT
    kept_answers.set(key, content, headers)
    return HttpResponse(content, headers=headers)


class _KeptFile(HttpResponse):
    """A large kept answer, which is sent as the file that it is, from where it stands."""

    block_size = _LARGE_BYTES

    def __init__(self, file: IO[bytes], headers: Mapping[str, str]) -> None:
        super().__init__(headers=headers)
        self.file_to_stream = file
        self._resource_closers.append(file.close)  # type: ignore[attr-defined]
