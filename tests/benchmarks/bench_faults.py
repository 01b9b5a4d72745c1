"""A team's site under faults: what was acknowledged is there, once, and what is to be done is done.

Two web processes, four Celery workers and one for what somebody waits for, on PostgreSQL and Redis: where
``DATABASE_URL`` names a server and ``redis-server`` is at hand. Four clients submit results and send topic scores over
the API, and repeat what was not acknowledged, while every second or so something breaks.
"""

import json
import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.bench_idle import migrated_lab
from tests.benchmarks.bench_slow_clients import databases
from tests.benchmarks.table import BenchmarkRow
from tests.registry.core.lab import RedisServer, descendants, until

N_SENT = int(os.environ.get("PLUMBLINE_BENCHMARK_SUBMISSIONS", "1000"))
N_CLIENTS, N_WORKERS, N_TOPICS = 4, 4, 25
#: Seconds between two faults, and of one that lasts.
_PAUSE, _OUTAGE = 1.0, 2.0

PREPARE = """
import django
django.setup()
from registry.accounts.models import User
from registry.accounts.services import create_token, verify_address
for number in range(100):
    user = User.objects.create_user(f"ada{number}", f"ada{number}@example.org", "a long password of hers")
    verify_address(user=user)
    print(create_token(user=user, name="faults", scopes=["submit", "read"], days=1).secret)
"""


class Sent(NamedTuple):
    """What was acknowledged, where, to which token, after how many tries."""

    way: str
    token: str
    place: str
    n_tries: int


def rows() -> list[BenchmarkRow]:
    """Return a row for each way in, and one for what broke; none without servers."""
    with databases() as urls, tempfile.TemporaryDirectory() as folder:
        if "PostgreSQL" not in urls or not shutil.which("redis-server"):
            return []
        team = _Team(Path(folder), urls["PostgreSQL"])
        try:
            return _measure(team)
        finally:
            team.lab.close()
            team.redis.kill()


class _Team:
    """The processes of a team's site, and what can break of them."""

    def __init__(self, folder: Path, url: str) -> None:
        self.redis = RedisServer(folder)
        self.lab = migrated_lab(folder / "team", url, self.redis.url)
        self.lab.environment |= {"LAB_SWEEP_SECONDS": "5", "LAB_JOB_LEASE_SECONDS": "10", "LAB_JOB_MAX_ATTEMPTS": "20"}
        self.lab.environment |= {"PLUMBLINE_COMPUTE_SECONDS": "1000000"}
        (folder / "catalog").mkdir()
        (folder / "catalog" / "collections.csv").write_text(f"slug,name,n_topics\nbench,Bench,{N_TOPICS}\n")
        (folder / "catalog" / "measures.csv").write_text("name,low,high\nAP,0,1\n")
        self.lab.run("manage.py", "load_catalog", str(folder / "catalog"), "-v0")
        self.tokens = self.lab.run("-c", PREPARE).split()
        self.port = self.lab.start_web()
        self.workers = [self.lab.start_worker() for _ in range(N_WORKERS)]
        self.lab.start_awaited()

    @contextmanager
    def breaking(self) -> Iterator[Counter[str]]:
        """Break something again and again; yield what broke how often."""
        broken, ends = Counter[str](), threading.Event()
        draw = random.Random(5)
        faults = {
            "web process killed": self._kill_web,
            "worker killed": self._kill_worker,
            "Redis emptied": lambda draw: self.lab.empty_broker(),
            "Redis down": self._stop_redis,
            "PostgreSQL down": self._stop_database,
        }

        def breaks() -> None:
            while not ends.wait(_PAUSE):
                name = draw.choice(list(faults))
                faults[name](draw)
                broken[name] += 1

        thread = threading.Thread(target=breaks)
        thread.start()
        try:
            yield broken
        finally:
            ends.set()
            thread.join()

    def _kill_web(self, draw: random.Random) -> None:
        os.kill(draw.choice(descendants(self.lab.web.pid)), signal.SIGKILL)

    def _kill_worker(self, draw: random.Random) -> None:
        place = draw.randrange(N_WORKERS)
        self.lab.kill(self.workers[place])
        self.workers[place] = self.lab.start_worker()

    def _stop_redis(self, draw: random.Random) -> None:
        self.redis.kill()
        time.sleep(_OUTAGE)
        self.redis.start()

    def _stop_database(self, draw: random.Random) -> None:
        """Let nobody be connected, nor get in for a while: what a restart is to a client."""
        url = urlsplit(self.lab.environment["DATABASE_URL"])
        name = url.path[1:]
        with psycopg.connect(url._replace(path="/postgres").geturl(), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
            time.sleep(_OUTAGE)
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def _measure(team: _Team) -> list[BenchmarkRow]:
    started = time.monotonic()
    with team.breaking() as broken, ThreadPoolExecutor(N_CLIENTS) as clients:
        sent = list(chain.from_iterable(clients.map(lambda number: _send(team, number), range(N_SENT))))
    seconds = time.monotonic() - started
    states = team.lab.states
    until(lambda: states().keys() <= {"done", "failed"}, 600, "all jobs are done", lambda: str(states()))
    recovered = time.monotonic() - started - seconds
    rows = []
    for way, table in (("submission", "submissions_submission"), ("topic scores", "runs_upload")):
        of_way = [request for request in sent if request.way == way]
        ((n_stored,),) = team.lab.query(f"SELECT count(*) FROM {table}")
        n_lost = sum(not _is_there(team, request) for request in of_way)
        n_tries = sum(request.n_tries for request in of_way)
        note = f"{n_lost} lost, {int(str(n_stored)) - len(of_way)} doubled, of {n_tries:,} tries"
        rows.append(BenchmarkRow(way, f"{len(of_way):,} acknowledged", seconds / max(1, len(of_way)), note=note))
    faults = ", ".join(f"{name} {n} times" for name, n in sorted(broken.items()))
    note = f"{states().get('failed', 0)} failed; {faults}"
    return [*rows, BenchmarkRow("jobs done after the last", f"{seconds:.0f} s of faults", recovered, note=note)]


def _send(team: _Team, number: int) -> Iterator[Sent]:
    row = {"collection": "bench", "measure": "AP", "system": f"system {number}", "value": f"0.{3000 + number}"}
    body = json.dumps({"results": [row | {"role": "proposed", "paper_url": "https://doi.org/10.1145/2766462.2767812"}]})
    yield _sent_until_taken(team, "submission", "/api/v1/submissions/", body, number)
    draw = random.Random(number)
    lines = "".join(f"t{topic},{draw.random():.4f},{draw.random():.4f}\n" for topic in range(N_TOPICS))
    path = f"/api/v1/runs/?kind=matrix&collection=bench&measure=AP&name=matrix-{number}"
    yield _sent_until_taken(team, "topic scores", path, f"topic,one,other\n{lines}", number)


def _sent_until_taken(team: _Team, way: str, path: str, body: str, number: int) -> Sent:
    kind = "application/json" if way == "submission" else "text/csv"
    token = team.tokens[number % len(team.tokens)]
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": kind,
        "Idempotency-Key": f"{way.split()[0]}-{number}",
    }
    for n_tries in range(1, 200):
        status, content, place = _asked(team, "POST", path, body, headers)
        if status == 201:
            return Sent(way, token, place, n_tries)
        if 400 <= status < 500 and status not in (409, 429):
            raise RuntimeError(f"{path} answered {status}: {content[:300]!r}")
        time.sleep(0.3)
    raise RuntimeError(f"{path} was never taken")


def _is_there(team: _Team, sent: Sent) -> bool:
    """Ask until something answers: a web process that was killed last takes a moment to come back."""
    while True:
        status, _, _ = _asked(team, "GET", sent.place, "", {"Authorization": f"Bearer {sent.token}"})
        if status not in (0, 503):
            return status == 200
        time.sleep(0.3)


def _asked(team: _Team, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, bytes, str]:
    """Return status, content and place of what was made; status 0 where the connection ends."""
    connection = HTTPConnection("127.0.0.1", team.port, timeout=60)
    try:
        connection.request(method, urlsplit(path)._replace(scheme="", netloc="").geturl(), body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers.get("Location", "")
    except (OSError, HTTPException):
        return 0, b"", ""
    finally:
        connection.close()
