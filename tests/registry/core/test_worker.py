"""The worker that asks the database: which processes it starts, what each of them does and when it ends."""

import logging
import os
import signal
from collections import deque
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, InterfaceError

from registry.core import tasks, worker
from registry.core.jobs import ROUTINES
from registry.core.leases import alone


class Clock:
    """Time that passes while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now = round(self.now + seconds, 6)


class Ended(BaseException):
    """A process ended with this code."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(worker, "time", clock)
    return clock


def test_it_keeps_as_many_at_work_and_pauses_where_one_ends_at_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop, started, killed = SimpleNamespace(is_asked=False), [], []
    #: When which of them ends, with what.
    ends = {1: (100.4, 9), 2: (101.0, 0), 3: (107.0, 3 << 8), 4: (115.0, 0), 5: (115.2, 0)}

    def start(asked: object) -> int:
        assert asked is stop
        started.append((round(clock.now, 1), len(started) + 1))
        return len(started)

    def waitpid(child: int, options: int) -> tuple[int, int]:
        assert options == os.WNOHANG
        if clock.now > 114:
            stop.is_asked = True
        at, status = ends[child]
        return (child, status) if clock.now >= at - 0.01 else (0, 0)

    fake = SimpleNamespace(
        kill=lambda child, number: killed.append((child, number)),
        waitpid=waitpid,
        WNOHANG=os.WNOHANG,
        waitstatus_to_exitcode=os.waitstatus_to_exitcode,
    )
    monkeypatch.setattr(worker, "os", fake)
    monkeypatch.setattr(worker, "_start", start)
    with caplog.at_level(logging.ERROR, logger="registry.core.worker"):
        worker._look_after(2, stop)
    assert started == [(100.0, 1), (100.0, 2), (101.4, 3), (101.4, 4), (107.0, 5)]
    assert [record.getMessage() for record in caplog.records] == [
        "a process of the worker was ended by signal 9; another takes its place",
        "a process of the worker ended with code 3; another takes its place",
    ]
    assert set(killed) == {(4, signal.SIGTERM), (5, signal.SIGTERM)}
    assert set(clock.slept) == {0.2}
    # Asked before it began, it starts nobody.
    worker._look_after(2, SimpleNamespace(is_asked=True))
    assert len(started) == 5


def test_a_process_gives_way_asks_for_work_and_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    did: list[object] = []

    def end(code: int) -> None:
        raise Ended(code)

    fork: deque[int] = deque([55, 0, 0])
    monkeypatch.setattr(worker, "os", SimpleNamespace(fork=fork.popleft, getpid=lambda: 7, _exit=end, nice=did.append))
    monkeypatch.setattr(worker, "_ask_for_work", lambda *given: did.append(given))
    assert worker._start("stop") == 55
    assert did == []
    with pytest.raises(Ended, match="0"):
        worker._start("stop")
    assert did == [10, (7, "stop")]
    monkeypatch.setattr(worker, "_ask_for_work", lambda *given: 1 / 0)
    with caplog.at_level(logging.ERROR, logger="registry.core.worker"), pytest.raises(Ended, match="1"):
        worker._start("stop")
    (record,) = caplog.records
    assert record.getMessage() == "a process of the worker failed"
    assert record.exc_info


@pytest.fixture
def asking(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A process that asks for work, with what it finds."""
    found = SimpleNamespace(jobs=deque(), routines=deque(), looked=[], closed=0, parent=7, memory=1, left=0)

    def next_of(them: deque[Any]) -> Any:
        one = them.popleft()
        if isinstance(one, Exception):
            raise one
        return one

    def run_due_routine() -> bool:
        found.looked.append(round(clock.now - 100, 1))
        return bool(found.routines) and bool(next_of(found.routines))

    def close_all() -> None:
        found.closed += 1

    def close_old() -> None:
        found.left += 1

    monkeypatch.setattr(worker, "run_due_routine", run_due_routine)
    monkeypatch.setattr(worker, "run_next_job", lambda: next_of(found.jobs))
    monkeypatch.setattr(worker, "close_old_connections", close_old)
    monkeypatch.setattr(worker, "connections", SimpleNamespace(close_all=close_all))
    monkeypatch.setattr(worker, "os", SimpleNamespace(getppid=lambda: found.parent))
    monkeypatch.setattr(worker, "_most_memory", lambda: found.memory)
    return found


class AskedAfter:
    """Asked to stop after so many looks."""

    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def is_asked(self) -> bool:
        self.n -= 1
        return self.n < 0


def test_a_process_looks_at_routines_every_second_and_at_jobs_all_the_time(
    asking: SimpleNamespace, clock: Clock
) -> None:
    asking.routines.extend([True, False])
    asking.jobs.extend([True, True, *[False] * 12])
    worker._ask_for_work(7, AskedAfter(14))
    # One that was due may have another behind it.
    assert asking.looked == [0.0, 0.0, 1.0]
    assert clock.slept == [0.1] * 12
    assert asking.left == 14
    assert not asking.jobs


def test_a_process_waits_for_a_database_that_is_away(
    asking: SimpleNamespace, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    asking.jobs.extend([DatabaseError("gone"), InterfaceError("closed"), True])
    with caplog.at_level(logging.WARNING, logger="registry.core.worker"):
        worker._ask_for_work(7, AskedAfter(3))
    assert [one.getMessage() for one in caplog.records] == [
        "the database does not answer: gone",
        "the database does not answer: closed",
    ]
    assert (clock.slept, asking.closed) == ([1.0, 1.0], 2)


def test_a_process_ends_when_its_parent_is_gone_or_it_needed_very_much_memory(asking: SimpleNamespace) -> None:
    asking.jobs.extend([True] * 9)
    worker._ask_for_work(8, AskedAfter(5))
    assert len(asking.jobs) == 9
    asking.memory = 800_000_000
    worker._ask_for_work(7, AskedAfter(5))
    assert len(asking.jobs) == 9
    asking.memory -= 1
    worker._ask_for_work(7, AskedAfter(5))
    assert len(asking.jobs) == 4


def test_memory_is_counted_in_bytes() -> None:
    assert 20_000_000 < worker._most_memory() < 50_000_000_000


def test_a_session_of_its_own_gives_way_to_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    group = tmp_path / "autogroup"
    monkeypatch.setattr(worker, "Path", {"/proc/self/autogroup": group}.__getitem__)
    monkeypatch.setattr(worker, "os", SimpleNamespace(getsid=lambda pid: 7 if pid == 0 else 9, getpid=lambda: 8))
    worker.give_way_as_a_session()
    assert not group.exists()
    worker.os.getpid = lambda: 7
    worker.give_way_as_a_session()
    assert group.read_text() == "5"
    monkeypatch.setattr(worker, "Path", {"/proc/self/autogroup": tmp_path / "no" / "such"}.__getitem__)
    worker.give_way_as_a_session()


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_one_worker_works_for_a_home_and_begins_with_what_was_left(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path, vendor: str
) -> None:
    did: list[object] = []
    handlers: dict[int, Any] = {}
    settings.HOME, settings.REDIS_URL = tmp_path, ""
    monkeypatch.setattr(worker, "connection", SimpleNamespace(vendor=vendor))
    monkeypatch.setattr(worker, "connections", SimpleNamespace(close_all=lambda: did.append("closed")))
    fakes = {"give_way_as_a_session": "session", "begin_routines": "routines", "release_leases": "leases"}
    for name, said in fakes.items():
        monkeypatch.setattr(worker, name, lambda said=said: did.append(said))
    fake_gc = SimpleNamespace(collect=lambda: did.append("collected"), freeze=lambda: did.append("frozen"))
    monkeypatch.setattr(worker, "gc", fake_gc)
    fake_signal = SimpleNamespace(signal=handlers.__setitem__, SIGTERM=signal.SIGTERM, SIGINT=signal.SIGINT)
    monkeypatch.setattr(worker, "signal", fake_signal)

    def look_after(n_processes: int, stop: Any) -> None:
        with alone(tmp_path / "worker.lock") as is_free:
            assert not is_free
        did.append((n_processes, stop.is_asked))
        handlers[signal.SIGINT](signal.SIGINT, None)
        assert stop.is_asked

    monkeypatch.setattr(worker, "_look_after", look_after)
    with alone(tmp_path / "worker.lock"), pytest.raises(CommandError, match=f"Another worker works for {tmp_path}"):
        call_command("work")
    assert did == []
    call_command("work")
    released = ["leases"] if vendor == "sqlite" else []
    assert did == ["session", "routines", *released, "closed", "collected", "frozen", (2, False)]
    assert set(handlers) == {signal.SIGTERM, signal.SIGINT}
    did.clear()
    call_command("work", "--processes", "1")
    assert did[-1] == (1, False)
    with pytest.raises(CommandError, match="must be 1 or more"):
        call_command("work", "--processes", "0")
    settings.REDIS_URL = "redis://localhost"
    with pytest.raises(CommandError, match="REDIS_URL is set"):
        call_command("work", stdout=StringIO())


def test_the_tasks_of_celery_give_way_and_begin_with_what_was_left(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    did: list[object] = []
    monkeypatch.setattr(worker, "give_way_as_a_session", lambda: did.append("session"))
    monkeypatch.setattr(worker, "give_way", lambda: did.append("process"))
    monkeypatch.setattr(tasks, "begin_listening", lambda: did.append("listening"))
    monkeypatch.setattr(tasks.run_routine, "delay", did.append)
    monkeypatch.setattr(tasks.services, "run_next_job", lambda: did.append("job"))
    monkeypatch.setattr(tasks.services, "run_routine", lambda name: did.append(("routine", name)))
    settings.REDIS_URL = ""
    with pytest.raises(SystemExit, match="Without REDIS_URL workers ask the database"):
        tasks.begin()
    assert did == []
    settings.REDIS_URL = "redis://localhost"
    tasks.begin(sender=None)
    tasks.give_way(sender=None)
    tasks.begin_routines(sender=None)
    at_start = [one.name for one in ROUTINES.values() if one.at_start]
    assert did == ["session", "process", "listening", *at_start]
    assert 0 < len(at_start) < len(ROUTINES)
    did.clear()
    tasks.run_job("7")
    tasks.run_routine("core.sweep")
    assert did == ["job", ("routine", "core.sweep")]


def test_a_worker_that_takes_no_message_for_half_a_minute_starts_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended: list[object] = []

    def gone() -> None:
        raise ProcessLookupError

    def start_again(*given: object) -> None:
        raise Ended(*given)

    children = [SimpleNamespace(terminate=gone), SimpleNamespace(terminate=lambda: ended.append("child"))]
    #: At work for 10 s, then with nothing waiting for 10 s.
    monkeypatch.setattr(tasks, "time", clock)
    monkeypatch.setattr(tasks, "active_children", lambda: children)
    monkeypatch.setattr(tasks, "reserved_requests", ())
    monkeypatch.setattr(tasks, "active_requests", type("Active", (), {"__bool__": lambda self: clock.now <= 110})())
    monkeypatch.setattr(tasks, "_messages_wait", lambda: clock.now > 120)
    fake = SimpleNamespace(execv=start_again)
    monkeypatch.setattr(tasks, "os", fake)
    with caplog.at_level(logging.ERROR, logger="registry.core.tasks"), pytest.raises(Ended):
        tasks._listen()
    assert (clock.now, ended, set(clock.slept)) == (150.0, ["child"], {5.0})
    assert "has taken none for 30 s: it starts again" in caplog.text
