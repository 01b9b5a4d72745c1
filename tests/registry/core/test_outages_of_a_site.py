"""A running site whose disk fills up, or whose database goes or is moved: it says so, and needs no restart."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.registry.core.full_disk import TOKEN, submit
from tests.registry.core.lab import ROOT, Lab, ask

pytestmark = pytest.mark.slow


@pytest.mark.sqlite
def test_a_full_disk_refuses_what_is_sent_and_shows_what_is_there(tmp_path: Path) -> None:
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("needs unshare and the right to mount a disk in a namespace of one's own")
    command = [*alone, sys.executable, "-m", "tests.registry.core.full_disk", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    for when in ("before", "after"):
        assert answers[when]["form"]["status"] == 200
        assert answers[when]["program"]["status"] == 201, answers[when]["program"]
    full = answers["full"]
    assert full["pages"] == [200, 200, 200]
    assert (full["form"]["status"], full["program"]["status"]) == (507, 507)
    assert full["form"]["retry-after"] == full["program"]["retry-after"] == "300"
    assert "<h1>No room</h1>" in full["form"]["content"]
    refusal = json.loads(full["program"]["content"])
    assert (refusal["ok"], refusal["status"], refusal["errors"][0]["code"]) == (False, 507, "no_room")
    assert "disk of this site is full" in refusal["error"]
    health = json.loads(full["health"]["content"])
    assert full["health"]["status"] == 200
    assert health["storage"] == {"writable": False, "free_bytes": 0}
    assert "no file can be written: No space left on device" in health["problems"]
    assert "the disk is nearly full: 0 MB are free" in health["problems"]
    assert json.loads(answers["after"]["health"]["content"])["storage"]["writable"] is True


@pytest.mark.postgres
@pytest.mark.redis
def test_a_database_that_goes_is_told_and_waited_for(team_lab: Lab) -> None:
    port = team_lab.start_web()
    assert ask(port, "/")[0].status == 200
    server = urlsplit(team_lab.environment["DATABASE_URL"])
    name = server.path.strip("/")
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        try:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
            it_is_told(port)
        finally:
            connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
    assert ask(port, "/")[0].status == 200
    assert ask(port, "/-/health/")[0].status == 200


def it_is_told(port: int) -> None:
    for _ in range(4):  # both workers
        page, content = ask(port, "/")
        assert (page.status, page.headers["Retry-After"]) == (503, "30")
        assert "<h1>Not now</h1>" in content
        assert "The database does not answer at the moment." in content
        program, content = ask(port, "/api/v1/collections/")
        assert (program.status, program.headers["Retry-After"]) == (503, "30")
        assert json.loads(content)["error"].startswith("The database does not answer at the moment.")
        assert ask(port, "/-/health/")[0].status == 503
        assert ask(port, "/methods/")[0].status == 200


@pytest.mark.sqlite
def test_nothing_is_acknowledged_into_a_file_that_is_gone(embedded_lab: Lab) -> None:
    lab, file = embedded_lab, embedded_lab.home / "plumbline.sqlite3"
    lab.run("manage.py", "load_catalog", "data", "-v0")
    token = lab.shell(TOKEN).strip()
    port = lab.start_web()
    assert submit(port, token, "first")[0].status == 201
    moved = file.rename(lab.home / "moved")
    for what in ("second", "third"):
        assert submit(port, token, what)[0].status == 503
        health, body = ask(port, "/-/health/")
        assert health.status == 503
        assert "The file of the database is not where it was opened." in json.loads(body)["error"]
    jobs = subprocess.run(
        [sys.executable, "manage.py", "jobs"], env=lab.environment, cwd=ROOT, capture_output=True, text=True
    )
    assert f"there is no database at {file}" in jobs.stderr
    assert "manage.py prepare" in jobs.stderr
    assert not file.exists()

    # Another file in its place is not taken for it, whatever is in it.
    shutil.copy(moved, file)
    assert submit(port, token, "fourth")[0].status == 503
    assert ask(port, "/-/health/")[0].status == 503

    moved.replace(file)
    assert submit(port, token, "fifth")[0].status == 201
    assert ask(port, "/-/health/")[0].status == 200
    assert lab.query("SELECT count(*) FROM submissions_submission") == [(2,)]
