"""Whatever ends us, what we started ends with us."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.thoroughness import every

TOOLS = Path(__file__).parents[2] / "tools"

#: Starts an obedient child with a child of its own, and a stubborn one; then waits to be asked to stop.
PARENT = """
import sys, time
import processes as ours
from processes import Processes, StopRequest

ours.GRACE_SECONDS = int(sys.argv[1])
sleep = "import time; time.sleep(99)"
obedient = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {sleep!r}]); time.sleep(99)"
ignore = "import signal, time; [signal.signal(number, signal.SIG_IGN) for number in (2, 15)]"
processes = Processes()
try:
    processes.start([sys.executable, "-c", obedient])
    processes.start([sys.executable, "-c", f"{ignore}; print('ready', flush=True); time.sleep(99)"])
    time.sleep(99)
except StopRequest as request:
    print(request, flush=True)
finally:
    processes.stop_all(ours.GRACE_SECONDS)
"""


def listed() -> list[tuple[int, ...]]:
    """Return all processes: number, session, parent."""
    done = subprocess.run(["ps", "-eo", "pid=,sid=,ppid="], capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def sessions_of(parent: int) -> list[int]:
    """Return the sessions that the parent's children lead."""
    return [pid for pid, session, of in listed() if of == parent and pid == session]


@pytest.fixture
def parent(request: pytest.FixtureRequest) -> Iterator["subprocess.Popen[str]"]:
    """Give a grace of so many seconds, one where a test asks for no other."""
    grace = getattr(request, "param", 1)
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(grace)], cwd=TOOLS, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def seconds_until_gone(sessions: list[int]) -> float:
    started = time.monotonic()
    while any(session in sessions for _, session, _ in listed()):
        assert time.monotonic() - started < 20, "processes are left behind"
        time.sleep(0.05)
    return time.monotonic() - started


@pytest.mark.parametrize("number", every(2, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], __file__))
def test_being_asked_to_stop_ends_everything_within_the_grace(
    parent: "subprocess.Popen[str]", number: signal.Signals
) -> None:
    sessions = sessions_of(parent.pid)
    assert len(sessions) == 3
    os.killpg(parent.pid, number)
    assert 0.9 < seconds_until_gone(sessions) < 5
    assert parent.wait(timeout=5) == 0


@pytest.mark.parametrize("parent", [20], indirect=True)
def test_being_asked_twice_ends_the_grace(parent: "subprocess.Popen[str]") -> None:
    sessions = sessions_of(parent.pid)
    parent.send_signal(signal.SIGINT)
    time.sleep(0.3)
    parent.send_signal(signal.SIGINT)
    assert seconds_until_gone(sessions) < 3


def test_being_killed_ends_everything_too(parent: "subprocess.Popen[str]") -> None:
    sessions = sessions_of(parent.pid)
    parent.kill()
    assert 0.9 < seconds_until_gone(sessions) < 5


FINISH = """
import sys
from processes import Processes
processes = Processes()
seen = []
code, output = processes.finish([sys.executable, "-c", "print('one'); print('two'); raise SystemExit(3)"], seen.append)
print(code, repr(output), seen)
processes.stop_all()
"""


def test_a_finished_process_gives_its_code_and_output() -> None:
    done = subprocess.run([sys.executable, "-c", FINISH], cwd=TOOLS, capture_output=True, text=True, check=True)
    assert done.stdout == "3 'one\\ntwo\\n' ['one\\n', 'two\\n']\n"


LEFTOVER = """
import sys
from processes import Processes
processes = Processes()
sleep = "import time; time.sleep(99)"
silent = "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
leave = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {sleep!r}], {silent}).pid)"
print(processes.finish([sys.executable, "-c", leave])[1].strip())
processes.stop_all()
"""


def test_what_a_finished_process_left_behind_is_ended() -> None:
    done = subprocess.run([sys.executable, "-c", LEFTOVER], cwd=TOOLS, capture_output=True, text=True, check=True)
    leftover = int(done.stdout)
    deadline = time.monotonic() + 5
    while Path(f"/proc/{leftover}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(leftover, 0)
