"""The dearest requests that anybody may ask: a walk over the site by its own links, and what may be sent to it.

In processor time of one process, everything that ships. Of each address of the URL conf that a link or the map of the
site leads to, with the same names of parameters (three times others), two are asked for, the first twice: what is
loaded for it counts for nobody. What may be sent is as large as it may be.
"""

import json
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from tests.benchmarks.shipped import shipped_site
from tests.benchmarks.table import BenchmarkRow

#: The most that an answer may take of a process of the web server.
MOST_SECONDS = 0.3
_MOST_OF_A_KIND, _MOST_WAITING, _MOST_KINDS = 2, 60, 3
_SHOWN = 25
#: Of a table, the most that are taken.
_ROWS = 500
_LINK = re.compile(r'<(?:a|link|img|iframe|form)\b[^>]*?\b(?:href|src|action)="([^"]+)"|<loc>([^<]+)</loc>')
_STARTS = ("/", "/sitemap.xml", "/api/v1/")
_BOARD = "/leaderboards/trec-2004-robust/AP/"
#: What no link leads to, as a form or a program may ask for it.
_FILLED = (
    f"{_BOARD}?published_by=2012-12-31&rows=300&n_multiplier=10&scale=residual&sort=-z",
    f"{_BOARD}?published_by=2012-12-31&rows=300&n_multiplier=10&scale=borrowed&sort=team",
    "/search/?q=neural+ranking+model+with+dense+sparse+late+hybrid+retrieval",
    "/api/v1/search/?q=a+e+i+o+u+s+t+r",
    "/api/v1/results/?page_size=500",
    "/api/v1/systems/?page_size=500",
    "/api/v1/leaderboards/?page_size=500",
)


def rows() -> list[BenchmarkRow]:
    """Return the dearest kinds of requests, a row each, and all that take more than they may."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        site = shipped_site(Path(folder) / "site")
        # With what the web server does before it answers.
        code = "import registry.wsgi; from tests.benchmarks.bench_dearest import walk; walk()"
        walked = json.loads(site.call(["-W", "ignore", "-c", code]))
    measured = [
        BenchmarkRow(f"{method} {route}", status, seconds, "may take", MOST_SECONDS, asked)
        for seconds, method, route, status, asked in walked
    ]
    return [row for number, row in enumerate(measured) if number < _SHOWN or row.ours_seconds > MOST_SECONDS]


def walk() -> None:
    """Print the dearest request of each kind as JSON, the dearest first."""
    from django.conf import settings
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    client = Client(raise_request_exception=False)
    dearest: dict[tuple[str, ...], list[Any]] = {}
    asked: dict[tuple[str, ...], int] = defaultdict(int)
    seen: set[str] = set()
    waiting: dict[tuple[str, ...], list[str]] = defaultdict(list)
    draw = random.Random(1)

    def note(kind: tuple[str, ...], seconds: float, status: int, address: str) -> None:
        if kind not in dearest or dearest[kind][0] < seconds:
            dearest[kind] = [seconds, kind[0], kind[1], f"status {status}", address]

    def add(address: str) -> None:
        parts = urlsplit(urldefrag(unescape(address))[0])
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        if path in seen or not path.startswith("/") or path.startswith(("/static/", "/admin/", "/accounts/")):
            return
        kind = _kind(path)
        of_route = {address_of_kind for address_of_kind in waiting if kind and address_of_kind[1] == kind[1]}
        if kind and (kind in of_route or len(of_route) < _MOST_KINDS) and len(waiting[kind]) < _MOST_WAITING:
            seen.add(path)
            waiting[kind].append(path)

    for address in (*_STARTS, *_FILLED):
        add(address)
    while kinds := [kind for kind, left in waiting.items() if left and asked[kind] < _MOST_OF_A_KIND]:
        for kind in kinds:
            address = waiting[kind].pop(draw.randrange(len(waiting[kind])))
            seconds, answer = _ask(client, "GET", address)
            if not asked[kind]:
                _forget()
                seconds, answer = _ask(client, "GET", address)
            asked[kind] += 1
            note(kind, seconds, answer.status_code, address)
            if answer.get("Content-Type", "").startswith(("text/html", "application/xml")) and not answer.streaming:
                text = answer.content.decode()
                links = [urljoin(address, unescape(quoted or bare)) for quoted, bare in _LINK.findall(text)]
                for link in draw.sample(links, min(len(links), 400)):
                    add(link)
            elif answer.status_code in {301, 302, 303, 308}:
                add(urljoin(address, answer["Location"]))
    for path, body in sent():
        _forget()
        for _ in range(2):
            seconds, answer = _ask(client, "POST", path, **body)
        note(("POST", path.partition("?")[0]), seconds, answer.status_code, f"{path} {str(body)[:60]}")
    json.dump(sorted(dearest.values(), reverse=True), sys.stdout)


def sent() -> list[tuple[str, dict[str, Any]]]:
    """Return what anybody may send, as large as it may be: addresses with the arguments of a test client."""
    draw = random.Random(2)
    line = "\n".join(f"system {n},{draw.random():.4f}" for n in range(_ROWS))
    table = {"text": f"system,score\n{line}", "collection": "trec-2004-robust", "measure": "AP"}
    vectors = {"first": [draw.random() for _ in range(1000)], "second": [draw.random() for _ in range(1000)]}
    as_json = {"content_type": "application/json"}
    return [
        ("/review-table/", {"data": table}),
        ("/api/v1/review-table/", {"data": json.dumps(table), **as_json}),
        ("/api/v1/compare/topics/", {"data": json.dumps(vectors), **as_json}),
        ("/accounts/login/", {"data": {"login": "nobody@example.org", "password": "wrong" * 20}}),
        ("/accounts/password/reset/", {"data": {"email": "nobody@example.org"}}),
    ]


def _kind(path: str) -> tuple[str, ...] | None:
    """Return the method, the route and the names of parameters; None of what leads nowhere."""
    from django.urls import Resolver404, resolve

    parts = urlsplit(path)
    try:
        route = resolve(parts.path).route
    except Resolver404:
        return None
    return "GET", route, *sorted({name for name, _ in parse_qsl(parts.query)})


def _ask(client: Any, method: str, address: str, **body: Any) -> tuple[float, Any]:
    started = time.process_time()
    answer = client.get(address) if method == "GET" else client.post(address, **body)
    if answer.streaming:
        b"".join(answer.streaming_content)
    return time.process_time() - started, answer


def _forget() -> None:
    """Make it as if no answer were kept."""
    from registry.core.kept import kept_answers

    kept_answers.clear()
