"""Workers give way to whoever reads."""

import os

from tests.registry.core.lab import until


def test_the_processes_of_a_worker_have_a_lower_priority(embedded_lab):
    embedded_lab.start_worker()
    embedded_lab.add_jobs([{"number": 0, "seconds": 5}])
    until(lambda: bool(embedded_lab.query("SELECT 1 FROM core_job WHERE state = 'running'")), 60, "a job is running")
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    assert max(os.getpriority(os.PRIO_PROCESS, pid) for pid in descendants(os.getpid())) >= min(mine + 10, 19)


def descendants(pid: int) -> list[int]:
    """The processes that this one started, and theirs."""
    with open(f"/proc/{pid}/task/{pid}/children") as stream:
        children = [int(text) for text in stream.read().split()]
    return [*children, *(one for child in children for one in descendants(child))]
