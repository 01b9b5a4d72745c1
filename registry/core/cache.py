"""Answers that are kept, in files that all processes of this machine share.

What is asked for often the system holds in memory, once for all of them; a large one is sent as the file that it is.
"""

import errno
import json
import logging
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from django.conf import settings

logger = logging.getLogger(__name__)

#: All together; then those go that nobody asked for the longest.
MOST_BYTES = 1_000_000_000
#: After so many bytes a process looks whether there is too much.
_BYTES_BETWEEN_LOOKS = MOST_BYTES // 16
#: So exactly is known when one was last asked for.
_SECONDS_OF_USE = 600


class KeptAnswers:
    """Answers by the digest of all that they depend on, of this process and those made of it: others may run other
    templates."""

    def __init__(self) -> None:
        self.name = uuid.uuid4().hex
        self._n_written = 0

    @property
    def _folder(self) -> Path:
        return Path(settings.HOME) / "kept" / self.name

    def get(self, digest: str) -> tuple[IO[bytes], dict[str, str]] | None:
        """The content, as a file to be closed, and the headers; None of what isn't kept."""
        try:
            file = open(self._folder / digest, "rb")  # noqa: SIM115  (whoever reads it closes it)
        except FileNotFoundError:
            return None
        headers = json.loads(file.readline())
        now = time.time()
        if now - os.fstat(file.fileno()).st_mtime > _SECONDS_OF_USE:
            os.utime(file.fileno(), (now, now))
        return file, headers

    def set(self, digest: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Keep it, where there is room."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(dir=self._folder)
            with open(handle, "wb") as file:
                file.write(json.dumps(dict(headers)).encode() + b"\n" + content)
            os.replace(path, self._folder / digest)
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                raise
            logger.warning("no room to keep an answer")
        self._n_written += len(content)
        if self._n_written > _BYTES_BETWEEN_LOOKS:
            self._n_written = 0
            self._make_room()

    def clear(self) -> None:
        """Keep nothing."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def forget_others(self) -> None:
        """Remove what was kept by processes before this one."""
        for folder in self._folder.parent.glob("*"):
            if folder.name != self.name:
                shutil.rmtree(folder, ignore_errors=True)

    def _make_room(self) -> None:
        files = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self._folder))
        n_bytes = sum(size for _, size, _ in files)
        for _, size, path in files:
            if n_bytes <= MOST_BYTES * 3 // 4:
                return
            with suppress(FileNotFoundError):
                os.unlink(path)
            n_bytes -= size


kept_answers = KeptAnswers()
