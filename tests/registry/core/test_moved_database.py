"""A database that is moved away from a running site: nothing is acknowledged, and nobody makes another one."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.registry.core.full_disk import TOKEN, submit
from tests.registry.core.lab import ROOT, Lab, ask

pytestmark = pytest.mark.slow


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
