"""Reading a run as a stream, a topic at a time: packed or not, within limits, strict about every line.

Whole chunks are checked and divided at once. Only where something is wrong with a chunk, ``analysis.scores`` reads it
line by line, and says what and where.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from itertools import chain, groupby, repeat
from typing import BinaryIO, NoReturn, Protocol, cast
from zlib import error as ZlibError

import numpy as np
from backports.zstd import DecompressionParameter, ZstdError, ZstdFile

from analysis.errors import FormatError
from analysis.scores import parse_run

_CHUNK_BYTES = 1 << 20
#: A line that is longer is none of a run.
_LINE_BYTES = 4096
#: A field that is longer is none.
_LONGEST = 256
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_OF_NUMBERS = b"0123456789+-.eE"
_LARGEST = float(np.finfo(np.float32).max)
#: Of what holds at the start of a packed file.
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: A zstd file may ask for as much memory as two to the power of this many bytes.
_WINDOW_LOG = 27


class Unreadable(Exception):
    """What is wrong with a file, in a sentence that says what to do; with the lines that are to blame."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may cost."""

    unpacked_bytes: int
    lines: int
    documents: int
    seconds: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a run returned for one topic, in the order of its lines."""

    topic: str
    line: int
    documents: list[str]
    scores: list[float]
    ranks: list[str]


class Packed(Protocol):
    """A stream that tells how it starts."""

    def peek(self) -> bytes: ...

    def read(self, size: int = -1) -> bytes: ...


def unpacked(packed: Packed, limits: Limits) -> Iterator[bytes]:
    """The bytes of a file that is gzip, zstd or plain, in chunks that end with a line.

    Raises
    ------
    Unreadable
        If the archive is damaged, ends too early or holds too much; if there is no end of a line.
    """
    start = packed.peek()[:4]
    stream = cast(BinaryIO, packed)
    if start.startswith(_GZIP):
        stream = cast(BinaryIO, GzipFile(fileobj=stream))
    elif start == _ZSTD:
        stream = cast(BinaryIO, ZstdFile(stream, options={DecompressionParameter.window_log_max: _WINDOW_LOG}))
    rest, n_bytes = b"", 0
    while True:
        try:
            read = stream.read(_CHUNK_BYTES)
        except (BadGzipFile, ZlibError, ZstdError) as error:
            raise Unreadable(f"The archive is damaged ({error}). Pack the file again.") from error
        except EOFError as error:
            raise Unreadable("The archive ends too early: part of it is missing. Send it again.") from error
        n_bytes += len(read)
        if n_bytes > limits.unpacked_bytes:
            raise Unreadable(
                f"Unpacked it has more than {limits.unpacked_bytes:,} bytes, the most that are read. "
                "Leave out documents far down the ranking."
            )
        chunk, found, tail = (rest + read).rpartition(b"\n")
        if found:
            yield chunk + found
        rest = tail
        if len(rest) > _LINE_BYTES:
            raise Unreadable(
                f"A line has more than {_LINE_BYTES:,} bytes. A run is text: topic Q0 document rank score tag."
            )
        if not read:
            if rest:
                yield rest + b"\n"
            return


class RunReader:
    """The rankings of a run, each as soon as its topic ends; ``tag`` and ``n_lines`` are known at the end."""

    def __init__(self, chunks: Iterator[bytes], limits: Limits) -> None:
        self._chunks = chunks
        self._limits = limits
        self._seen: dict[str, int] = {}
        self._open: Ranking | None = None
        self.tag = ""
        self.n_lines = 0
        self.head: list[str] = []

    def __iter__(self) -> Iterator[Ranking]:
        for number, chunk in enumerate(self._chunks):
            yield from self._take(self._without_head(chunk) if number == 0 else chunk)
        if self._open is None:
            raise Unreadable("It is empty. A run has a line for every document: topic Q0 document rank score tag.")
        yield self._open

    def _without_head(self, chunk: bytes) -> bytes:
        """The first chunk with blank lines in place of its comments, which are kept: they may be ir_metadata."""
        if chunk.startswith(b"\xef\xbb\xbf"):
            chunk = chunk[3:]
        if not chunk.startswith(b"#"):
            return chunk
        lines = chunk.splitlines(keepends=True)
        n_head = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        self.head = [line.decode("utf-8", "replace") for line in lines[:n_head]]
        return b"\n" * n_head + b"".join(lines[n_head:])

    def _take(self, chunk: bytes) -> Iterator[Ranking]:
        n_lines = chunk.count(b"\n")
        if self.n_lines + n_lines > self._limits.lines:
            raise Unreadable(f"It has more than {self._limits.lines:,} lines, the most that are read.")
        text = chunk.lstrip()
        line = self.n_lines + 1 + n_lines - text.count(b"\n")
        text = text.rstrip()
        fields = text.decode("latin-1").split()
        is_clean = not text.translate(None, _PRINTABLE) and len(fields) == 6 * (text.count(b"\n") + bool(text))
        topics, documents, ranks, tags = (fields[place::6] for place in (0, 2, 3, 5))
        scores = _as_numbers(fields[4::6]) if is_clean else None
        names = {*tags, self.tag} - {""}
        longest = max(map(len, {*topics, *names}), default=0), max(map(len, documents), default=0)
        if scores is None or len(names) > 1 or max(longest) > _LONGEST:
            self._diagnose(chunk)
        self.tag = next(iter(names), "")
        place = 0
        for topic, group in groupby(topics):
            end = place + len([*group])
            if self._open is None or self._open.topic != topic:
                if self._open is not None:
                    yield self._open
                self._open = self._begin(topic, line + place)
            ranking = self._open
            ranking.documents.extend(documents[place:end])
            ranking.scores.extend(scores[place:end])
            ranking.ranks.extend(ranks[place:end])
            if len(ranking.documents) > self._limits.documents:
                raise Unreadable(
                    f"Topic {topic} has more than {self._limits.documents:,} documents, the most that are read."
                )
            place = end
        self.n_lines += n_lines

    def _begin(self, topic: str, line: int) -> Ranking:
        if topic in self._seen:
            raise Unreadable(
                f"The lines of topic {topic} don’t stand together: it begins in line {self._seen[topic]:,} and again in"
                f" line {line:,}. Sort the file by topic (sort -s -k1,1)."
            )
        self._seen[topic] = line
        return Ranking(topic, line, [], [], [])

    def _diagnose(self, chunk: bytes) -> NoReturn:
        """Say which lines of a chunk are no lines of a run, as reading them one by one finds them."""
        known = [f"~ Q0 ~ 0 0 {self.tag}\n".encode()] if self.tag else []
        before = repeat(b"\n", self.n_lines - len(known))
        try:
            parse_run(chain(known, before, (line + b"\n" for line in chunk.split(b"\n"))))
        except FormatError as error:
            raise Unreadable(str(error)) from error
        raise Unreadable("It has blank lines between others. Leave them out.")


def _as_numbers(texts: list[str]) -> list[float] | None:
    """The scores; None where one is no finite decimal number in single precision."""
    if "".join(texts).encode().translate(None, _OF_NUMBERS):
        return None
    try:
        numbers = [*map(float, texts)]
    except ValueError:
        return None
    return numbers if not numbers or max(map(abs, numbers)) <= _LARGEST else None


def repeated(ranking: Ranking) -> list[tuple[int, str]]:
    """Documents that occur again for the topic, with the line of each such occurrence."""
    seen: set[str] = set()
    again = []
    for place, document in enumerate(ranking.documents):
        if document in seen:
            again.append((ranking.line + place, document))
        seen.add(document)
    return again
