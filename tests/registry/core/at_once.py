"""Programs that work on one registry at the same time, each in a process of its own.

Starting Django costs each process seconds: one starts it, and those that run the programs are forked from it.
"""

import gc
import json
import os
import subprocess
import sys
import tempfile
from typing import TextIO

from tests.databases import ROOT


class Simultaneous:
    """Runs programs on a registry, which may be another one each time, in processes with this environment."""

    def __init__(self, environment: dict[str, str]) -> None:
        pipe, command = subprocess.PIPE, [sys.executable, "-m", __name__]
        self._process = subprocess.Popen(command, env=environment, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)

    def run(self, database: str, programs: list[str]) -> list[str]:
        """Return what the programs print, which all begin at once; they must succeed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([database, programs]) + "\n")
        self._process.stdin.flush()
        answers = json.loads(self._process.stdout.readline())
        assert [code for code, _ in answers] == [0] * len(programs), answers
        return [output for _, output in answers]

    def close(self) -> None:
        """End the process, which ends with its input."""
        self._process.communicate()


def main() -> None:
    """Answer each line, a database and programs, with what these ended with and printed."""
    import django

    django.setup()
    from django.urls import get_resolver

    # What the first request would import.
    assert get_resolver().url_patterns
    gc.freeze()
    for line in sys.stdin:
        database, programs = json.loads(line)
        answers = []
        for pid, output in [_begin(database, program) for program in programs]:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            with output:
                output.seek(0)
                answers.append((code, output.read()))
        print(json.dumps(answers), flush=True)


def _begin(database: str, program: str) -> tuple[int, TextIO]:
    """Begin the process of a program, and where it prints."""
    from django.db import connection

    output = tempfile.TemporaryFile("w+")  # noqa: SIM115 — it is closed when the program's answer is read.
    pid = os.fork()
    if pid:
        return pid, output
    sys.stdout = output
    connection.settings_dict["NAME"] = database
    exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    output.flush()
    # Taking down all that Django has loaded would take longer than the program.
    os._exit(0)


if __name__ == "__main__":
    main()
