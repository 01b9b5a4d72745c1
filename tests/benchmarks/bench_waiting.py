"""How soon is begun what somebody waits for, while as much as there is is queued that nobody waits for.

With jobs that only sleep, for each way in which workers find them; then on a site with all that ships and every
analysis of it still to be done (the one that ``PLUMBLINE_BENCHMARK_SITE`` names, or made anew): the run that is the
example, and a table of 120 lines, which no worker is asked for.
"""

import contextlib
import http.client
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.bench_idle import migrated_lab, processor_seconds_of
from tests.benchmarks.bench_slow_clients import databases
from tests.benchmarks.shipped import copy_to
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import Lab, RedisServer, until

_N_QUEUED = 200
_SECONDS_OF_EACH = 600
_N_AWAITED = 10
_N_LINES = 120
#: And not as tests of crashes want it.
_AS_THE_SITE_HAS_IT = {"LAB_SWEEP_SECONDS": "10", "LAB_JOB_LEASE_SECONDS": "60"}


def rows() -> list[BenchmarkRow]:
    """Return a row for each way of finding jobs that is at hand, and those of the site."""
    with tempfile.TemporaryDirectory() as folder:
        begun = [_begun(what, lab) for what, lab in _labs(Path(folder))]
        return [*begun, *_on_a_site(Path(folder) / "site")]


def _labs(homes: Path) -> Iterator[tuple[str, Lab]]:
    with contextlib.ExitStack() as stack:
        yield "asking, SQLite", Lab(homes / "sqlite")
        if url := stack.enter_context(databases()).get("PostgreSQL"):
            yield "asking, PostgreSQL", migrated_lab(homes / "postgresql", url)
            if shutil.which("redis-server"):
                server = RedisServer(homes)
                stack.callback(server.kill)
                url = stack.enter_context(databases())["PostgreSQL"]
                yield "Celery, Redis and PostgreSQL", migrated_lab(homes / "team", url, server.url)


def _begun(what: str, lab: Lab) -> BenchmarkRow:
    """Time a job that does nothing, from on record to done: the slowest of some, one at a time."""
    lab.home.mkdir(exist_ok=True)
    lab.environment |= _AS_THE_SITE_HAS_IT
    since = "extract(epoch FROM finished_at - created_at)"
    if "DATABASE_URL" not in lab.environment:
        since = "(julianday(finished_at) - julianday(created_at)) * 86400"
    try:
        lab.add_jobs([{"number": number, "seconds": _SECONDS_OF_EACH} for number in range(_N_QUEUED)])
        lab.start_worker()
        lab.start_awaited()
        until(lambda: lab.states().get("running") == 2, 300, "all that do any job are at one")
        for number in range(_N_QUEUED, _N_QUEUED + _N_AWAITED):
            lab.add_jobs([{"number": number}], kind="test.await")
            until(lambda number=number: number in lab.effects(), 60, "what somebody waits for is done")
        waits = lab.query(f"SELECT {since} FROM core_job WHERE state = 'done'")
        seconds = sorted(float(str(wait)) for (wait,) in waits)
    finally:
        lab.close()
    size = f"{_N_QUEUED} jobs of {_SECONDS_OF_EACH / 60:.0f} minutes queued"
    note = f"the slowest of {_N_AWAITED}; median {1000 * seconds[len(seconds) // 2]:.0f} ms"
    return BenchmarkRow(f"begin and do a job that somebody waits for, {what}", size, seconds[-1], note=note)


def _on_a_site(home: Path) -> Iterator[BenchmarkRow]:
    lab = site_at(home, is_stale=True)
    try:
        port = lab.start_web()
        lab.start_worker()
        until(lambda: bool(lab.states().get("running")), 300, "the worker is at work")
        n_queued = lab.states().get("queued", 0)
        browser = Browser(port)
        started = time.monotonic()
        where = browser.post("/runs/example/", {})
        until(lambda: b'"done": true' in browser.get(f"{where}progress/"), 120, "the example is scored")
        yield BenchmarkRow("score the example run", f"{n_queued} jobs queued", time.monotonic() - started)
        table = "System\tAP\n" + "\n".join(f"Model {number}\t0.{2000 + number}" for number in range(_N_LINES))
        fields = {"step": "read", "collection": "trec-2004-robust"}
        browser.post("/submit/", fields | {"text": table})  # What is loaded once.
        before = processor_seconds_of([lab.web.pid])
        browser.post("/submit/", fields | {"text": table.replace("Model", "System")})
        seconds = processor_seconds_of([lab.web.pid]) - before
        yield BenchmarkRow("read a pasted table", f"{_N_LINES} lines", seconds, note="processor time")
    finally:
        lab.close()


def site_at(home: Path, *, is_stale: bool) -> Lab:
    """Return a site with all that ships; where ``is_stale`` every leaderboard is to be analysed anew."""
    lab = Lab(home)
    lab.environment |= _AS_THE_SITE_HAS_IT
    if not copy_to(lab.database):
        lab.run("manage.py", "load_shipped_data", "-v0")
    if not is_stale:
        lab.run("manage.py", "recompute", "-v0")
        return lab
    again = "from registry.catalog.models import Leaderboard; Leaderboard.objects.mark_changed()"
    lab.run("manage.py", "shell", "-v0", "-c", again)
    return lab


class Browser:
    """Somebody without an account, who sends forms."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""

    def get(self, path: str) -> bytes:
        """Return what a page says."""
        return self._ask("GET", path)[1]

    def post(self, path: str, fields: dict[str, str]) -> str:
        """Return where the answer to a form leads."""
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', self.get("/runs/"))
        assert token
        body = urlencode(fields | {"csrfmiddlewaretoken": token[1].decode()})
        return self._ask("POST", path, body)[0]

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[str, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=300)
        headers = {"Cookie": self._cookie, "Referer": f"http://127.0.0.1:{self._port}/"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        assert response.status < 400, (path, response.status, content[:300])
        if cookie := response.headers.get("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        connection.close()
        return response.headers.get("Location", ""), content
