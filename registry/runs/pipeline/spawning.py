"""Having a process of its own read and score what people send, within limits, and stopping it."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, cast

from django.conf import settings

from analysis.runs.reading import Exhausted, Limits, Unreadable

_ASK_SECONDS = 0.5
#: One thread, and of pyarrow's pools the one that takes no more addresses than it fills: a child's are limited.
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


class Stopped(Exception):
    """Nobody wants the answer any more."""


class Killed(Exception):
    """The child was ended by somebody else: it says nothing of what was sent, which is tried again."""


@dataclass(frozen=True, slots=True)
class Order:
    """The task of a child; ``kind`` is run, topics (of a run), matrix, study or documents."""

    kind: str
    content: bytes
    measures: dict[str, str]
    judgements: bytes = b""
    is_sealed: bool = False


def limits() -> Limits:
    """Return what a file may cost here, by the settings."""
    return Limits(
        unpacked_bytes=settings.PLUMBLINE_RUN_UNPACKED_BYTES,
        lines=settings.PLUMBLINE_RUN_LINES,
        documents=settings.PLUMBLINE_RUN_DOCUMENTS,
        seconds=settings.PLUMBLINE_RUN_SECONDS,
        memory_bytes=settings.PLUMBLINE_RUN_MEMORY_BYTES,
    )


def do_in_child(
    order: Order, *, tell: Callable[[int], object] = lambda done: None, is_wanted: Callable[[], bool] = lambda: True
) -> dict[str, Any]:
    """Return the findings of the child, and its ``seconds`` of processor time.

    ``tell`` is given how far it is, about twice a second; then ``is_wanted`` is asked. Raise ``Unreadable`` if it
    refuses, ``Exhausted`` if its limits end it, ``Killed`` if somebody else does: whoever runs the site, or the system
    for want of memory; and ``Stopped`` if nobody wants the answer any more.

    Nothing that it was given stands in a file with a name, and what it writes besides its answer is dropped: it might
    quote judgements.
    """
    most = limits()
    head = {"kind": order.kind, "measures": order.measures, "limits": asdict(most), "n_bytes": len(order.judgements)}
    head["is_sealed"] = order.is_sealed
    with tempfile.TemporaryFile() as source:
        # One after the other: a run may be large.
        source.writelines([json.dumps(head).encode() + b"\n", order.judgements, order.content])
        source.seek(0)
        child = subprocess.Popen(
            [sys.executable, "-m", "registry.runs.pipeline.child"],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ.get("PATH", "")} | _ENVIRONMENT,
        )
        try:
            answer = _listen(child, tell, is_wanted)
            code = 0 if answer else child.wait()
        finally:
            child.kill()
            child.wait()
    if answer is None:
        raise _ended(code, most)
    if "refused" in answer:
        raise Unreadable(answer["refused"], answer["seconds"])
    findings: dict[str, Any] = answer["findings"]
    return findings | {"seconds": answer["seconds"]}


def _ended(code: int, most: Limits) -> Exception:
    """Return why a child ended without an answer."""
    if code == -signal.SIGKILL:
        return Killed("the process that reads was killed")
    if code == -signal.SIGXCPU:
        limit = f"{most.seconds} seconds of processor time"
    else:
        # Wherever memory is refused: an evaluator may not survive it.
        limit = f"{most.memory_bytes // 1_000_000:,} MB of memory"
    return Exhausted(
        f"Reading it takes more than {limit}, the most that is given to it. Send fewer documents a topic, or send it "
        "again: it is tried anew each time.",
        float(most.seconds),
    )


def _listen(
    child: "subprocess.Popen[bytes]", tell: Callable[[int], object], is_wanted: Callable[[], bool]
) -> dict[str, Any] | None:
    """Return the last message of the child; None without one. Its processor time is limited, not the clock."""
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_pass_on, args=(cast(BinaryIO, child.stdout), lines), daemon=True).start()
    last_asked, done = time.monotonic(), 0
    while True:
        now = time.monotonic()
        if now - last_asked >= _ASK_SECONDS:
            last_asked = now
            tell(done)
            if not is_wanted():
                raise Stopped
        try:
            line = lines.get(timeout=_ASK_SECONDS)
        except Empty:
            continue
        if not line:
            return None
        message: dict[str, Any] = json.loads(line)
        if "done" not in message:
            return message
        done = message["done"]


def _pass_on(stream: BinaryIO, lines: "SimpleQueue[bytes]") -> None:
    # The reader of a pipe closes it: whoever waits for an answer may be gone before its end is read.
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")
