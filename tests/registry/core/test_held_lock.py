"""A site on SQLite whose database somebody else writes to, and one whose pages fail."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import loaded_sqlite
from tests.registry.core.lab import Lab, ask

pytestmark = pytest.mark.sqlite

KINDS = ("collection", "measure", "leaderboard", "system", "paper")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    site = Lab(tmp_path / "home", template=loaded_sqlite())
    yield site
    site.close()


def test_nobody_who_reads_waits_for_a_writer_in_a_fresh_process(lab: Lab) -> None:
    """Who waits is answered 500 or 503 once the time for locks is over, which comes before the lock ends."""
    rows = dict(lab.query("SELECT kind, address FROM search_thing GROUP BY kind"))
    pages = [f"/results/{lab.query('SELECT min(id) FROM results_result')[0][0]}/", *(rows[kind] for kind in KINDS)]
    paths = ["/collections/", *pages, *(f"/api/v1{page}" for page in pages), "/submit/", "/-/health/"]
    port = lab.start_web()
    with closing(sqlite3.connect(lab.database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        answers = {path: ask(port, path)[0].status for path in paths}
        writer.execute("ROLLBACK")
    assert answers == dict.fromkeys(paths, 200)


def test_health_tells_of_pages_that_fail(lab: Lab) -> None:
    port = lab.start_web()
    lab.query("ALTER TABLE results_paper RENAME COLUMN year TO moved")
    for path in ("/-/health/", "/-/health/ready"):
        response, body = ask(port, path)
        assert response.status == 503
        assert "/papers/" in json.loads(body)["error"]
    assert ask(port, "/-/health/live")[0].status == 200
    lab.query("ALTER TABLE results_paper RENAME COLUMN moved TO year")
    for name in ("", "ready", "ready/", "live", "live/"):
        assert ask(port, f"/-/health/{name}")[0].status == 200
