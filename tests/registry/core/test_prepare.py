"""Preparing a site: what is due is done, what is not is left alone, what cannot be done says why."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from registry.core.models import Job
from registry.core.services import enqueue_jobs, release_leases

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "storage",
    [
        "django.contrib.staticfiles.storage.StaticFilesStorage",
        pytest.param("registry.core.staticfiles.PackedStorage", marks=[pytest.mark.slow, pytest.mark.sqlite]),
    ],
)
def test_what_is_due_is_done_once_and_a_proxy_reads_static_files_whatever_the_umask(
    storage: str, settings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "measures.csv").write_text("name\nAP\n")
    (tmp_path / "static").symlink_to(settings.BASE_DIR / "static")
    settings.BASE_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "collected"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": storage}}
    before = os.umask(0o077)
    try:
        for _ in range(2):
            call_command("prepare", verbosity=0)
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)
    assert re.fullmatch(
        r"Loading the shipped data …\n1 row of 1 file is loaded \(\d+ s\)\.\n"
        r"Collecting static files …\nStatic files are collected \(\d+ s\)\.\n",
        capsys.readouterr().out,
    )
    below = list(settings.STATIC_ROOT.rglob("*"))
    assert any(path.suffix == ".gz" for path in below) == ("Packed" in storage)
    assert {path.stat().st_mode & 0o777 for path in below if path.is_file()} == {0o644}
    assert {path.stat().st_mode & 0o777 for path in below if path.is_dir()} == {0o755}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OperationalError("database or disk is full"), r"The disk is full, or cannot be written \(.*\): database or"),
        (OSError(28, "No space left on device"), r"The disk is full, or cannot be written"),
        (OperationalError("connection refused"), "The database cannot be used: connection refused"),
        (PermissionError(13, "Permission denied", "/var/x"), r"A file cannot be used: .*Permission denied: '/var/x'"),
    ],
)
def test_what_cannot_be_done_says_why(error: Exception, message: str) -> None:
    def fail(*_: object) -> None:
        raise error

    with connection.execute_wrapper(fail), pytest.raises(CommandError, match=message):
        call_command("prepare")


def test_leases_of_workers_that_are_gone_are_freed() -> None:
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": 1}])
    Job.objects.update(state="running", attempts=1, leased_until=timezone.now() + timedelta(minutes=2))
    assert not Job.objects.claimable().exists()
    assert release_leases() == 1
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert Job.objects.claimable().exists()
    assert Job.objects.to_publish().exists()
