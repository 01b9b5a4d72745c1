"""The virtual environment that ./run and ./test work in: made once, brought up to date when the pins change.

Standard library only: this runs before anything is installed.
"""

import fcntl
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from processes import Processes

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"

_SECONDS_BETWEEN_LINES = 10.0

#: What pip says, and what that means.
_CAUSES = {
    r"No space left on device": "the disk is full",
    r"NewConnectionError|NameResolutionError|name resolution|Network is unreachable|ConnectTimeoutError|ProxyError": (
        "the package index cannot be reached; packages are fetched on the first start only"
    ),
    r"SSLError|CERTIFICATE_VERIFY_FAILED": "the certificate of the package index is not trusted on this machine",
    r"Read-only file system|Permission denied": f"{VENV} cannot be written",
    r"No matching distribution found": "the package index has no package that fits this Python",
    r"DO NOT MATCH THE HASHES": "a package is not the one that was pinned; it may have been tampered with",
}


class RefusalError(Exception):
    """A fault that the person at the terminal must set right; the text is shown as it is."""


class Progress:
    """One line that is rewritten on a terminal, and a line every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._said_at = time.monotonic()
        self._is_open = False

    def show(self, text: str) -> None:
        """Say how far things are, unless that was said a moment ago."""
        if sys.stdout.isatty():
            print(f"\r  {text}\x1b[K", end="", flush=True)
            self._is_open = True
        elif time.monotonic() - self._said_at >= _SECONDS_BETWEEN_LINES:
            self._said_at = time.monotonic()
            print(f"  {text}", flush=True)

    def close(self) -> None:
        """End the line that was rewritten."""
        if self._is_open:
            print("\r\x1b[K", end="", flush=True)
            self._is_open = False


def say(text: str) -> None:
    """Print a line of ours."""
    print(text, flush=True)


def prepare_environment(requirements: str, processes: Processes) -> Path:
    """Return the Python of the virtual environment, with everything installed that the requirements' lock names."""
    lock = Path(requirements).with_suffix(".lock").name
    pins = (ROOT / lock).read_text()
    stamp = VENV / f"installed-{lock}.sha256"
    if _holds(stamp, pins):
        return PYTHON
    try:
        with _locked(VENV):
            if not _holds(stamp, pins):
                _make_venv(processes)
                _install(lock, pins.count("=="), processes)
                stamp.write_text(_digest(pins))
    except OSError as error:
        raise RefusalError(f"The virtual environment {VENV} cannot be made: {error}") from error
    return PYTHON


def _holds(stamp: Path, pins: str) -> bool:
    return stamp.is_file() and os.access(PYTHON, os.X_OK) and stamp.read_text() == _digest(pins)


def _digest(pins: str) -> str:
    """Return a digest of the pins, the Python that the environment was made from, and where the folder is."""
    made_by = (VENV / "pyvenv.cfg").read_text()
    return hashlib.sha256("\n".join([made_by, str(VENV), pins]).encode()).hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder against other starts at the same time."""
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another process is installing packages here; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make_venv(processes: Processes) -> None:
    if os.access(PYTHON, os.X_OK) and processes.finish([PYTHON, "-m", "pip", "--version"])[0] == 0:
        return
    say(f"Making a virtual environment in {VENV} …")
    for leftover in ("bin", "lib", "lib64", "include"):
        path = VENV / leftover
        path.unlink() if path.is_symlink() else shutil.rmtree(path, ignore_errors=True)
    code, output = processes.finish([sys.executable, "-m", "venv", VENV])
    if code and "ensurepip" in output:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise RefusalError(
            f"This Python ({sys.executable}) cannot make virtual environments. "
            f"On Debian and Ubuntu: apt install python{version}-venv"
        )
    if code:
        raise RefusalError(f"The virtual environment cannot be made{_cause(output)}:\n{_tail(output)}")


def _install(lock: str, n_packages: int, processes: Processes) -> None:
    say(f"Installing {n_packages} packages from {lock} into {VENV} …")
    progress, started, n_seen = Progress(), time.monotonic(), 0
    command = [PYTHON, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    # Most modules are never imported: those that are, Python compiles then.
    command += ["--no-compile", "--require-hashes"]

    def watch(line: str) -> None:
        nonlocal n_seen
        if line.startswith(("Collecting ", "Requirement already satisfied: ")):
            n_seen += 1
            progress.show(f"found {min(n_seen, n_packages)} of {n_packages} packages")
        elif line.startswith("Installing collected packages"):
            progress.show("unpacking")

    code, output = processes.finish([*command, "-r", ROOT / lock], watch)
    progress.close()
    (VENV / "pip.log").write_text(output)
    if code:
        raise RefusalError(f"The packages cannot be installed{_cause(output)}. pip said:\n{_tail(output)}")
    say(f"Packages are installed ({time.monotonic() - started:.0f} s).")


def _cause(output: str) -> str:
    """Return the meaning of pip's words, after a colon; blank where they are not known."""
    return next((f": {meaning}" for pattern, meaning in _CAUSES.items() if re.search(pattern, output)), "")


def _tail(text: str, n_lines: int = 12) -> str:
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-n_lines:])
