"""Every leaderboard that ships, walked over as readers have it: none contradicts itself.

A share of the thorough tests walks over its part of them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.thoroughness import is_thorough, share

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return a site of its own, on SQLite: verdicts are the same on every database."""
    settings = {
        "PLUMBLINE_HOME": str(tmp_path_factory.mktemp("site")),
        "DJANGO_SETTINGS_MODULE": "registry.settings",
        "OPENBLAS_NUM_THREADS": "1",
    }
    return {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}} | settings


@pytest.fixture(scope="module")
def walked(environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.data.walking"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    walk: dict[str, Any] = json.loads(done.stdout)
    return walk


def test_no_leaderboard_contradicts_itself_on_page_in_files_in_lists_or_in_the_api(walked: dict[str, Any]) -> None:
    assert walked["n"] > 2_900
    assert walked["n_walked"] >= walked["n"] // (share() or (0, 1))[1]
    assert walked["n_suites"] >= 14
    assert walked["problems"] == {}


@pytest.mark.skipif(share() is not None and not is_thorough(Path(__file__)), reason="another share counts")
def test_the_command_counts_no_contradiction(walked: dict[str, Any], environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tests.verdicts"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = [line.split() for line in done.stdout.splitlines() if line.endswith("must be 0")]
    assert len(counts) >= 30
    assert {words[0] for words in counts} == {"0"}


@pytest.mark.usefixtures("walked")
def test_nothing_competes_that_something_refutes(environment: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "manage.py", "check_record"], cwd=ROOT, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().count(" 0 unexplained\n") == len(done.stdout.splitlines()) == 7


@pytest.mark.skipif(share() is not None and not is_thorough(Path(__file__)), reason="another share counts")
@pytest.mark.usefixtures("walked")
def test_what_people_type_leads_first_where_they_mean(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tests.data.typed"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 4, done.stdout
