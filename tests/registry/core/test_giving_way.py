"""Workers give way to whoever reads."""

import os
from pathlib import Path

import pytest

from tests.registry.core.lab import descendants, until


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_processes_of_a_worker_have_a_lower_priority(embedded_lab):
    worker = embedded_lab.start_worker()
    embedded_lab.add_jobs([{"number": 0, "seconds": 5}])
    until(lambda: bool(embedded_lab.query("SELECT 1 FROM core_job WHERE state = 'running'")), 60, "a job is running")
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    processes = descendants(os.getpid())
    assert max(os.getpriority(os.PRIO_PROCESS, pid) for pid in processes) >= min(mine + 10, 19)
    # Where Linux shares the processors among sessions first, the priority of a process says nothing beyond its own.
    if niceness_of_session("self"):
        assert niceness_of_session(worker.pid) == "5" != niceness_of_session("self")


def niceness_of_session(process: int | str) -> str:
    """Return the niceness of the session of a process; blank where the system knows nothing of the kind."""
    group = Path(f"/proc/{process}/autogroup")
    return group.read_text().split()[-1] if group.exists() and group.read_text() else ""
