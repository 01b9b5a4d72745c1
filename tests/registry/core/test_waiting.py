"""What somebody waits for is begun whatever else there is to do; workers sleep until woken, and give way to readers."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import new_postgresql
from tests.registry.core.lab import Lab, descendants, until

#: In the sweeps' place: so long a worker that is not woken sleeps, or longer than any test.
_SELDOM = {"LAB_SWEEP_SECONDS": "600", "PLUMBLINE_DUMP_HOURS": "0"}


@pytest.fixture
def listening_lab(tmp_path: Path) -> Iterator[Lab]:
    """PostgreSQL without Redis: workers ask, and are woken by NOTIFY."""
    with new_postgresql() as url:
        lab = Lab(tmp_path, url)
        yield lab
        lab.close()


@pytest.fixture(
    params=[
        pytest.param("embedded_lab", id="embedded", marks=pytest.mark.sqlite),
        pytest.param("listening_lab", id="listening", marks=pytest.mark.postgres),
        pytest.param("team_lab", id="team", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def any_lab(request: pytest.FixtureRequest) -> Lab:
    lab: Lab = request.getfixturevalue(request.param)
    return lab


@pytest.mark.slow
def test_what_somebody_waits_for_is_begun_while_all_others_are_busy(any_lab: Lab) -> None:
    any_lab.environment |= _SELDOM
    any_lab.add_jobs([{"number": number, "seconds": 300} for number in range(20)])
    any_lab.start_worker()
    any_lab.start_awaited()
    until(lambda: any_lab.states() == {"running": 2, "queued": 18}, 120, "two long jobs run")
    any_lab.add_jobs([{"number": number} for number in range(20, 24)], kind="test.await")
    until(lambda: any_lab.effects() == [20, 21, 22, 23], 60, "what somebody waits for is done")
    assert any_lab.states() == {"running": 2, "queued": 18, "done": 4}


@pytest.mark.slow
def test_a_worker_that_sleeps_is_woken_by_whoever_writes_a_job(any_lab: Lab) -> None:
    any_lab.environment |= _SELDOM
    any_lab.start_worker()
    any_lab.add_jobs([{"number": 0}])
    any_lab.until_done(1, 120)
    # Any of its processes; later the others may be at a routine.
    for number, kind in enumerate(("test.behave", "test.await", "test.await"), 1):
        any_lab.add_jobs([{"number": number}], kind=kind)
        any_lab.until_done(number + 1, 60)


@pytest.mark.slow
@pytest.mark.sqlite
def test_of_a_worker_that_is_killed_no_process_is_left(embedded_lab: Lab) -> None:
    embedded_lab.environment |= _SELDOM
    worker = embedded_lab.start_worker()
    embedded_lab.add_jobs([{"number": 0}])
    embedded_lab.until_done(1, 120)
    worker.kill()
    free = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    lock = embedded_lab.home / "worker.lock"
    until(lambda: not embedded_lab.start(sys.executable, "-c", free, lock).wait(), 20, "nobody holds its lock")
    embedded_lab.add_jobs([{"number": 1}])
    embedded_lab.start_worker()
    embedded_lab.until_done(2, 60)


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_processes_of_a_worker_have_a_lower_priority(embedded_lab: Lab) -> None:
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
