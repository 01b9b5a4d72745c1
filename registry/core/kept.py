"""Answers that are built once and kept until what they show changes, in files that all processes of a machine share.

What is asked for often the system holds in memory, once for all of them; a large one is sent as the file that it is.

A page is kept as everybody sees it. Parts of it that readers who signed in have of their own are put in: a template
marks them by comments, of which the first names the template that makes the part, with what that expects.
"""

import errno
import gzip
import hashlib
import json
import logging
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial, wraps
from pathlib import Path
from typing import IO, Any

import brotli
from backports import zstd
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django_http_compression.middleware import best_coding

from registry.core.http import View, site_address

logger = logging.getLogger(__name__)

_MOST_BYTES = 1_000_000_000
#: A process looks whether there is too much each time it has written this fraction (1/16) of the maximum.
_LOOKS = 16
#: The precision to which the last use of an answer is known.
_SECONDS_OF_USE = 600
#: A longer answer is sent as the file that it is.
_LARGE_BYTES = 65_536

#: Key in the environment of a request that wants only a kept answer; ``KEPT`` is the key of what became of it.
ONLY_KEPT = "plumbline.only_kept"
KEPT = "plumbline.kept"

_OWN_PART = re.compile(r"<!--own ([a-z_/]+\.html)((?: \w+=\w+)*)-->.*?<!--/own-->", re.DOTALL)

#: Compressors of kept answers: each runs once for an answer, so it may take longer than for others.
_PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(gzip.compress, compresslevel=6, mtime=0),
    "br": partial(brotli.compress, quality=5),
    "zstd": partial(zstd.compress, level=9),
}


class Kept(Enum):
    """The origin of an answer that is kept; ``MISSING`` is no answer, where only a kept one was wanted."""

    FOUND = "found"
    BUILT = "built"
    MISSING = "missing"


class KeptAnswers:
    """Answers by the digest of all that they depend on; beyond ``most_bytes``, the least recently used go.

    They belong to this process and its children, as others may run other templates.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self.name = uuid.uuid4().hex
        self._most_bytes = most_bytes
        self._n_written = 0

    @property
    def _folder(self) -> Path:
        return Path(settings.HOME) / "kept" / self.name

    def get(self, digest: str) -> tuple[IO[bytes], dict[str, str]] | None:
        """Return the content, as a file to be closed, and the headers; None if nothing is kept."""
        try:
            file = open(self._folder / digest, "rb")  # noqa: SIM115  (whoever reads it closes it)
        except FileNotFoundError:
            return None
        headers = json.loads(file.readline())
        now = time.time()
        if now - os.fstat(file.fileno()).st_mtime > _SECONDS_OF_USE:
            os.utime(file.fileno(), (now, now))
        return file, headers

    def set(self, digest: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Keep it, where there is room."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(dir=self._folder)
            try:
                with open(handle, "wb") as file:
                    file.write(json.dumps(dict(headers)).encode() + b"\n" + content)
                os.replace(path, self._folder / digest)
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(path)
                raise
            self._n_written += len(content)
        except OSError as error:
            # Without room, or where another process made room of it meanwhile.
            if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.ENOENT}:
                raise
            logger.warning("an answer is not kept: %s", error)
        if self._n_written * _LOOKS > self._most_bytes:
            self._n_written = 0
            self._make_room()

    def clear(self) -> None:
        """Keep nothing."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def forget_others(self) -> None:
        """Remove what was kept by processes before this one."""
        for folder in self._folder.parent.glob("*"):
            if folder.name != self.name:
                shutil.rmtree(folder, ignore_errors=True)

    def _make_room(self) -> None:
        files = []
        for entry in os.scandir(self._folder):
            with suppress(FileNotFoundError):  # Other processes keep answers and make room meanwhile.
                status = entry.stat()
                files.append((status.st_mtime, status.st_size, entry.path))
        n_bytes = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if n_bytes <= self._most_bytes * 3 // 4:
                return
            with suppress(FileNotFoundError):
                os.unlink(path)
            n_bytes -= size


kept_answers = KeptAnswers()


def kept_response(request: HttpRequest, *, key: str, build: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer kept under ``key``, built when there is none; 304 where the reader has it already.

    ``key`` names everything the answer depends on: versions of the data, filters, format. It is built as anybody sees
    it; to readers with an account it is sent with the parts of a page that are their own.
    """
    digest = hashlib.sha256(f"{kept_answers.name} {key}".encode()).hexdigest()
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        with _seen_by_anybody(request):
            response = _kept(request, digest, "identity", build, is_whole=True)
        if response.get("Content-Type", "").startswith("text/html"):
            response.content = _with_own_parts(response.text, request)
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ("Cookie",))
        return response
    # Nothing on a kept page is secret, so its compressed length may be seen.
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


#: Versions that change when something public does.
_VERSIONS: list[Callable[[], str]] = []


def register_version(version: Callable[[], str]) -> None:
    """Rebuild pages that show anything public when ``version`` returns another text."""
    if version not in _VERSIONS:
        _VERSIONS.append(version)


def public_version() -> tuple[str, ...]:
    """Return what changes whenever anything that is public does."""
    return tuple(version() for version in _VERSIONS)


def kept_for_strangers(view: View) -> View:
    """Keep the answers of a view until anything public changes; build them anew for people who are signed in."""

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
    """Return the answer as kept in this coding; a coding that is not kept yet is made of the plain one.

    A large answer is a file to be sent, unless it is needed whole.
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


@contextmanager
def _seen_by_anybody(request: HttpRequest) -> Iterator[None]:
    """Treat the request as of somebody who is not signed in."""
    from django.contrib.auth.models import AnonymousUser  # The web server begins before there are models.

    reader, request.user = request.user, AnonymousUser()
    try:
        yield
    finally:
        request.user = reader


def _with_own_parts(page: str, request: HttpRequest) -> str:
    """Return the page with the parts that are its reader's own."""

    def own(part: re.Match[str]) -> str:
        return render_to_string(part[1], dict(name.split("=") for name in part[2].split()), request)

    return _OWN_PART.sub(own, page)
