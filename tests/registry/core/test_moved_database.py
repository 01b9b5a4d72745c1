"""A database that is moved away from a running site: nothing is acknowledged, and nobody makes another one."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.registry.core.full_disk import RESULT, TOKEN, ask
from tests.registry.core.lab import ROOT, Lab

pytestmark = pytest.mark.slow


@pytest.mark.sqlite
def test_nothing_is_acknowledged_into_a_file_that_is_gone(embedded_lab: Lab) -> None:
    lab, file = embedded_lab, embedded_lab.home / "plumbline.sqlite3"
    lab.run("manage.py", "load_catalog", "data", "-v0")
    token = lab.run("manage.py", "shell", "-v0", "-c", TOKEN).strip()
    port = lab.start_web()
    program = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def submit(system: str) -> tuple[int, str]:
        results = json.dumps({"results": [RESULT | {"system": system}]})
        answer, content = ask(port, "POST", "/api/v1/submissions/", results, program)
        return answer["status"], content

    assert submit("first")[0] == 201
    moved = file.rename(lab.home / "moved")
    for what in ("second", "third"):
        assert submit(what)[0] == 503
        health, body = ask(port, "GET", "/-/health/")
        assert health["status"] == 503
        assert "The file of the database is not where it was opened." in json.loads(body)["error"]
    jobs = subprocess.run(
        [sys.executable, "manage.py", "jobs"], env=lab.environment, cwd=ROOT, capture_output=True, text=True
    )
    assert f"there is no database at {file}" in jobs.stderr
    assert "manage.py prepare" in jobs.stderr
    assert not file.exists()

    # Another file in its place is not taken for it, whatever is in it.
    shutil.copy(moved, file)
    assert submit("fourth")[0] == 503
    assert ask(port, "GET", "/-/health/")[0]["status"] == 503

    moved.replace(file)
    assert submit("fifth")[0] == 201
    assert ask(port, "GET", "/-/health/")[0]["status"] == 200
    assert lab.query("SELECT count(*) FROM submissions_submission") == [(2,)]
