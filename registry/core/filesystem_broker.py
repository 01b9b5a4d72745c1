"""A message broker made of files, for a single machine: a kombu transport without any server.

A queue is a folder, a message a file in it. A message appears by ``rename``, complete or not at all, and is claimed by
``rename``, so that one reader gets it. Names begin with the time, so that they sort in the order of sending. What
cannot be read is set aside and never stops a worker. Messages only wake workers up, the ``Job`` rows are the truth
(docs/architecture.md): nothing here needs to survive a power cut, and nothing is flushed to disk.

Differences from kombu's own filesystem transport: that one lets readers see half-written files, orders by a clock that
restarts with the machine, dies of a bad file, and keeps every message for ever. This one has no fan-out, so no
``celery inspect`` and no ``celery control``; the health page answers what those are asked for.
"""

import base64
import json
import logging
import os
import time
import uuid
from collections import deque
from pathlib import Path
from queue import Empty
from typing import Any
from urllib.parse import quote

from kombu.transport import virtual

logger = logging.getLogger(__name__)

_KEEP_LEFTOVERS_SECONDS = 3600
_KEEP_BAD_SECONDS = 7 * 86_400


class Channel(virtual.Channel):
    """Reading and writing the folders. Files end in .tmp while written, .msg, .taken while read, or .bad."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._folder = Path(self.connection.client.transport_options["folder"])
        self._listed: dict[str, deque[str]] = {}

    def _queue_folder(self, queue: str) -> Path:
        return self._folder / quote(queue, safe="@")

    def _new_queue(self, queue: str, **kwargs: Any) -> None:
        folder = self._queue_folder(queue)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _prune(folder)

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        folder = self._queue_folder(queue)
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}"
        try:
            _write(folder / f"{name}.tmp", message)
        except FileNotFoundError:
            self._new_queue(queue)  # somebody emptied the broker's folder
            _write(folder / f"{name}.tmp", message)
        (folder / f"{name}.tmp").rename(folder / f"{name}.msg")

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        folder = self._queue_folder(queue)
        # The folder is listed again only when the last list is used up: later messages sort behind it anyway, and
        # reading a long queue takes time in proportion to its length, not to its square.
        names = self._listed.get(queue) or deque(_message_names(folder))
        self._listed[queue] = names
        while names:
            message = _take(folder / names.popleft())
            if message is not None:
                return message
        raise Empty()

    def _size(self, queue: str) -> int:
        return len(_message_names(self._queue_folder(queue)))

    def _purge(self, queue: str) -> int:
        folder = self._queue_folder(queue)
        names = _message_names(folder)
        for name in names:
            (folder / name).unlink(missing_ok=True)
        return len(names)


class Transport(virtual.Transport):
    """The transport; takes the options ``folder`` and ``polling_interval`` (seconds)."""

    Channel = Channel
    driver_type = driver_name = "filesystem"
    # A folder that cannot be read or written is a broker that is down: workers wait for it, senders carry on.
    connection_errors: Any = (*virtual.Transport.connection_errors, OSError)

    def driver_version(self) -> str:
        return "1"


def _message_names(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".msg"))
    except FileNotFoundError:
        return []


def _write(path: Path, message: dict[str, Any]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(message, stream)


def _take(path: Path) -> dict[str, Any] | None:
    """The message, which is this reader's alone now; None where another was faster or the file is no message."""
    taken = path.with_suffix(".taken")
    try:
        path.rename(taken)
    except FileNotFoundError:
        return None
    try:
        message = _parse(taken.read_bytes())
    except (ValueError, RecursionError, IsADirectoryError) as error:
        logger.error("%s is no message (%s); it is kept as %s.bad", path, error, path.stem)
        taken.rename(path.with_suffix(".bad"))
        return None
    taken.unlink()
    return message


def _parse(content: bytes) -> dict[str, Any]:
    """The message in the file; ValueError where the worker would stumble over it."""
    message: dict[str, Any] = json.loads(content)
    try:
        properties, headers = message["properties"], message["headers"]
        delivery = properties["delivery_info"]
        texts = [message["body"], properties["delivery_tag"], headers["id"], headers["task"]]
        routing = [delivery["exchange"], delivery["routing_key"]]
        formats = message["content-type"], message["content-encoding"], properties["body_encoding"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{error!r} is missing") from error
    if not all(isinstance(text, str) for text in texts + routing):
        raise ValueError("a text is expected")
    if formats != ("application/json", "utf-8", "base64"):
        raise ValueError(f"format {formats} is not ours")
    arguments = json.loads(base64.b64decode(message["body"], validate=True))
    if not isinstance(arguments, list) or [type(part) for part in arguments] != [list, dict, dict]:
        raise ValueError("the body is not made of arguments, named arguments and options")
    return message


def _prune(folder: Path) -> None:
    """Remove what killed processes left, and bad files that nobody looked at for a week."""
    now = time.time()
    for path in folder.iterdir():
        keep = {".tmp": _KEEP_LEFTOVERS_SECONDS, ".taken": _KEEP_LEFTOVERS_SECONDS, ".bad": _KEEP_BAD_SECONDS}
        try:
            if path.is_file() and now - path.stat().st_mtime > keep.get(path.suffix, float("inf")):
                path.unlink()
        except FileNotFoundError:
            continue  # another process prunes too
