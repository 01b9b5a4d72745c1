"""Starting the site: what is refused and why, what is restarted and how soon."""

import itertools
import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
import serve
from environment import RefusalError


def test_a_port_that_is_taken_is_refused_with_another() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RefusalError, match=f"Port {port} is taken. Try another one: PORT={port + 1} ./run"):
            serve.refuse_taken_port("127.0.0.1", port)
    serve.refuse_taken_port("127.0.0.1", port)


def test_a_second_start_on_the_same_folder_is_told(tmp_path: Path) -> None:
    lock = serve.hold_home(tmp_path / "var", "http://127.0.0.1:8000/")
    expected = f"already runs from {tmp_path / 'var'}: process {os.getpid()}, http://127.0.0.1:8000/"
    with pytest.raises(RefusalError, match=expected):
        serve.hold_home(tmp_path / "var", "http://127.0.0.1:8001/")
    lock.close()
    serve.hold_home(tmp_path / "var", "http://127.0.0.1:8002/").close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RefusalError, match=f"Nothing can be written to {tmp_path}/file/var: Not a directory"):
        serve.hold_home(tmp_path / "file" / "var", "")


def test_a_folder_of_another_user_is_refused_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_001)
    with pytest.raises(RefusalError, match=f"{tmp_path} belongs to another user. Start Plumbline as that user"):
        serve.hold_home(tmp_path, "")
    assert list(tmp_path.iterdir()) == []


def test_what_is_made_can_be_read_by_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0)
    try:
        serve.hold_home(tmp_path / "var", "").close()
        site = serve.Site(tmp_path / "var", "127.0.0.1", 1, {}, FakeProcesses([None, None]))
        site.start(Path("python"))
    finally:
        os.umask(before)
    for service in site.services:
        service.log.close()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "var", *(tmp_path / "var").rglob("*"))}
    assert modes == {"var": 0o700, "run.lock": 0o600, "logs": 0o700, "web.log": 0o600, "worker.log": 0o600}


class FakeProcess:
    """A process that ended with a code, or runs for good."""

    def __init__(self, returncode: int | None) -> None:
        self.returncode = returncode

    def poll(self) -> int | None:
        return self.returncode


class FakeProcesses:
    """Starts processes that end at once with the given codes; None runs for good."""

    def __init__(self, codes: list[int | None]) -> None:
        self.codes = iter(codes)
        self.n_started = 0

    def start(self, *arguments: object, **options: object) -> FakeProcess:
        self.n_started += 1
        return FakeProcess(next(self.codes))

    def end(self, process: FakeProcess) -> None:
        process.returncode = -9

    def forget(self, process: object) -> None: ...


def make_site(codes: list[int | None]) -> serve.Site:
    service = serve.Service("worker", ["worker"], SimpleNamespace(name="worker.log"))
    return serve.Site(Path(), "127.0.0.1", 1, {}, FakeProcesses(codes), [service])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the time that the supervisor sees."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(serve, "time", SimpleNamespace(monotonic=lambda: clock.now, sleep=lambda seconds: None))
    return clock


def test_what_ends_is_started_again_later_and_later(clock: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    site = make_site([1] * 20)
    started_at = []
    for second in range(100, 200):
        clock.now = float(second)
        before = site.processes.n_started
        site.tend()
        started_at += [second] * (site.processes.n_started - before)
    pauses = [later - earlier for earlier, later in itertools.pairwise(started_at)]
    assert pauses == [2, 3, 5, 9, 17, 31, 31]
    assert "The worker ended with code 1; starting it again in 1 s. Its log: worker.log" in capsys.readouterr().out


def test_what_ran_for_long_is_started_again_at_once(clock: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    site = make_site([None, None])
    site.tend()
    clock.now += 3600
    site.services[0].process.returncode = -9
    site.tend()
    clock.now += 1
    site.tend()
    assert site.processes.n_started == 2
    assert "The worker was ended by signal 9; starting it again in 1 s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("age", "silence", "n_started"), [(3600, 3.0, 1), (3600, 119.0, 1), (60, 3600.0, 1), (3600, 900.0, 2)]
)
def test_a_worker_that_gives_no_sign_is_ended_and_started_again(
    clock: SimpleNamespace, capsys: pytest.CaptureFixture[str], age: int, silence: float, n_started: int
) -> None:
    site = make_site([None, None])
    site.tend()
    clock.now += age
    site.end_what_is_stuck({"worker": {"alive": False, "heartbeat_seconds": silence}})
    site.end_what_is_stuck(None)
    site.tend()
    clock.now += 1
    site.tend()
    assert site.processes.n_started == n_started
    assert ("gave no sign for 900 s" in capsys.readouterr().out) == (n_started == 2)


def test_what_does_not_start_is_given_up_with_its_log(clock: SimpleNamespace, tmp_path: Path) -> None:
    site = make_site([1] * 20)
    log = tmp_path / "worker.log"
    log.write_text("\n".join(f"line {number}" for number in range(99)))
    site.services[0].log = SimpleNamespace(name=str(log))
    monotonic = iter(range(100, 999))
    serve.time.monotonic = lambda: float(next(monotonic))
    with pytest.raises(RefusalError, match="The worker does not start") as refusal:
        site.wait_for_first_page()
    assert str(refusal.value).endswith("  line 98")
