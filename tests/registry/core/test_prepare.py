"""Preparing a site: what is due is done, what is not is left alone, what cannot be done says why."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from registry.core.management.commands import prepare
from registry.core.models import Job
from registry.core.services import enqueue_jobs, release_leases

pytestmark = pytest.mark.django_db


@pytest.fixture
def static_root(settings: Any, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    return tmp_path


def test_what_is_prepared_is_prepared_in_its_order_and_said(
    static_root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    did: list[object] = []

    def call(name: str, **options: object) -> None:
        mask = os.umask(0o077)
        os.umask(mask)
        did.append((name, options, mask))

    monkeypatch.setattr(prepare, "make_database", lambda: did.append("database"))
    monkeypatch.setattr(prepare.Command, "check", lambda self, **options: did.append(options))
    monkeypatch.setattr(prepare, "call_command", call)
    before = os.umask(0o027)
    try:
        call_command("prepare", verbosity=0)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert did == [
        "database",
        {"databases": ["default"]},
        ("load_shipped_data", {"verbosity": 0, "brief": True}, 0o027),
        ("collectstatic", {"interactive": False, "verbosity": 0}, 0o022),
    ]
    assert (static_root / ".collected").stat().st_mode & 0o777 == 0o644
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["Collecting static files …", "Static files are collected (0 s)."]
    did.clear()
    call_command("prepare", verbosity=0)
    assert [act[0] for act in did if isinstance(act, tuple)] == ["load_shipped_data"], "static files are not done again"


@pytest.mark.slow
@pytest.mark.sqlite
def test_static_files_can_be_read_by_a_proxy_whatever_the_umask(static_root: Path, settings: Any) -> None:
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "registry.core.staticfiles.PackedStorage"}}
    before = os.umask(0o077)
    try:
        prepare.Command()._collect_static_files()
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)
    below = list(static_root.rglob("*"))
    assert any(path.suffix == ".gz" for path in below)
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
def test_what_cannot_be_done_says_why(error: Exception, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(prepare, "call_command", fail)
    with pytest.raises(CommandError, match=message):
        call_command("prepare")


def test_leases_of_workers_that_are_gone_are_freed() -> None:
    enqueue_jobs(kind="leaderboards.analyse_leaderboard", args=[{"leaderboard_id": 1}])
    Job.objects.update(state="running", attempts=1, leased_until=timezone.now() + timedelta(minutes=2))
    assert not Job.objects.claimable().exists()
    assert release_leases() == 1
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert Job.objects.claimable().exists()
    assert Job.objects.to_publish().exists()
