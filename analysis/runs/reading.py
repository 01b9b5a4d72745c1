"""Reading a run as a stream, a topic at a time: packed or not, within limits, strict about every line.

Whole chunks are checked and divided into columns at once: by pyarrow where one blank stands between fields, else by
splitting. Only where something is wrong with a chunk, ``analysis.scores`` reads it line by line, and says what and
where.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from itertools import chain, groupby, repeat
from typing import Annotated, Any, BinaryIO, NoReturn, Protocol, cast
from zlib import error as ZlibError

import numpy as np
import pyarrow as pa
from backports.zstd import DecompressionParameter, ZstdError, ZstdFile
from numpy.typing import NDArray
from pyarrow import compute, csv

from analysis.errors import FormatError
from analysis.scores import parse_run

_CHUNK_BYTES = 1 << 20
#: A line that is longer is none of a run.
LINE_BYTES = 4096
#: The first bytes of packed files.
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: A zstd file may ask for as much memory as two to the power of this many bytes.
_WINDOW_LOG = 27
#: A field that is longer is none.
_LONGEST = 256
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_OF_NUMBERS = b"0123456789+-.eE"
_LARGEST = float(np.finfo(np.float32).max)
_FEW = pa.dictionary(pa.int32(), pa.string())
_TYPES = {"topic": _FEW, "Q0": _FEW, "document": pa.string(), "rank": pa.int64(), "score": pa.float64(), "tag": _FEW}


class Unreadable(Exception):
    """A file that can't be read: the reason in a sentence that says what to do, and the lines that are to blame.

    ``seconds`` of processor time were spent to find out, where that is known.
    """

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class Malformed(Unreadable):
    """A file that is not laid out as a run; ``layouts`` may read it."""


class Exhausted(Unreadable):
    """A file that used up what it was allowed. With more, or on another day, the same content may be read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what a file may cost."""

    unpacked_bytes: int
    lines: int
    documents: int
    seconds: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The documents of a run for one topic, in the order of its lines; without ranks where any is no whole number."""

    topic: str
    line: int
    documents: list[str]
    scores: NDArray[np.float64]
    ranks: NDArray[np.int64] | None
    #: The line of each document where they don't follow each other.
    lines: tuple[int, ...] = ()

    def line_of(self, place: int) -> int:
        """Return the line of the document in this place."""
        return self.lines[place] if self.lines else self.line + place


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One way in which a run departs from what a run should be: how often, what was done about it, and where."""

    name: str
    count: int
    policy: str
    where: str = ""


#: At a desk nobody else waits, and whoever sends a file is who reads it.
WITHOUT_LIMITS = Limits(*[sys.maxsize] * 5)
#: Characters of a line that are shown of a file that can't be read.
_SHOWN = 80


class Packed(Protocol):
    """A stream that tells how it starts."""

    def peek(self) -> bytes: ...

    def read(self, size: int = -1) -> bytes: ...


def unpacked(packed: Packed, limits: Limits, *, line_bytes: int = LINE_BYTES) -> Iterator[bytes]:
    """Yield the bytes of a file that is gzip, zstd or plain, in chunks that end with a line of so many bytes at most.

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
        chunk, end, tail = (rest + read).rpartition(b"\n")
        if end:
            yield chunk + end
        rest = tail
        if len(rest) > line_bytes:
            raise Malformed(
                f"A line has more than {line_bytes:,} bytes. A run is text: topic Q0 document rank score tag."
            )
        if not read:
            if rest:
                yield rest + b"\n"
            return


class Rest:
    """The rest of a stream, as a file whose start can be looked at."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._start = source.read(4)

    def peek(self) -> bytes:
        """Return the first four bytes."""
        return self._start

    def read(self, size: int = -1) -> bytes:
        """Return so many of the next bytes, or all."""
        n_start = len(self._start) if size < 0 else min(size, len(self._start))
        start, self._start = self._start[:n_start], self._start[n_start:]
        return start + (self._source.read(size if size < 0 else size - n_start) if size != n_start else b"")


def told_briefly(error: FormatError, start: bytes) -> str:
    """Return the first fault of a file in a sentence, how many more there are, and its first three lines."""
    first = str(FormatError(error.message, line=error.line, column=error.column))
    n_more = len(error.others) + error.n_untold
    more = f", and {n_more:,} more {'fault' if n_more == 1 else 'faults'}" if n_more else ""
    lines = [readable(line.strip())[:_SHOWN] for line in start.split(b"\n", 3)[:3]]
    return "\n".join([f"{first}{more}.", "The file begins:", *(f"  {line}" for line in lines if line)])


def readable(line: bytes) -> str:
    """Return a comment as text, with a sign in place of bytes that no text has, or that no database keeps."""
    return line.decode("utf-8", "replace").replace("\0", "\ufffd")


class RunReader:
    """The rankings of a run, each as soon as its topic ends; ``tag`` and ``n_lines`` are known at the end."""

    def __init__(self, chunks: Iterator[bytes], limits: Limits) -> None:
        self._chunks = chunks
        self._limits = limits
        self._seen: dict[str, int] = {}
        self._open: Ranking | None = None
        self._start = b""
        self.tag = ""
        self.n_lines = 0
        self.head: list[str] = []
        self.remarks: list[ReportLine] = []

    def __iter__(self) -> Iterator[Ranking]:
        for number, chunk in enumerate(self._chunks):
            self._start = self._start or chunk[: 4 * LINE_BYTES]
            yield from self._take(self._without_head(chunk) if number == 0 else chunk)
        if self._open is None:
            raise Unreadable("It is empty. A run has a line for every document: topic Q0 document rank score tag.")
        yield self._open

    def _without_head(self, chunk: bytes) -> bytes:
        """Return the first chunk with blank lines in place of its comments, which are kept: they may be ir_metadata."""
        if chunk.startswith(b"\xef\xbb\xbf"):
            chunk = chunk[3:]
        if not chunk.startswith(b"#"):
            return chunk
        lines = chunk.splitlines(keepends=True)
        n_head = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        self.head = [readable(line) for line in lines[:n_head]]
        return b"\n" * n_head + b"".join(lines[n_head:])

    def _take(self, chunk: bytes) -> Iterator[Ranking]:
        n_lines = chunk.count(b"\n")
        if self.n_lines + n_lines > self._limits.lines:
            raise Unreadable(f"It has more than {self._limits.lines:,} lines, the most that are read.")
        text = chunk.lstrip()
        line = self.n_lines + 1 + chunk[: len(chunk) - len(text)].count(b"\n")
        columns = divide(text.rstrip())
        names = columns.tags | {self.tag} - {""} if columns else set()
        if columns is None or len(names) > 1:
            self._diagnose(chunk)
        self.tag = next(iter(names), "")
        for topic, place, end in columns.spans:
            part = slice(place, end)
            ranks = None if columns.ranks is None else columns.ranks[part]
            ranking = Ranking(topic, line + place, columns.documents[part], columns.scores[part], ranks)
            if self._open is None or self._open.topic != topic:
                if self._open is not None:
                    yield self._open
                self._check_new(ranking)
                self._open = ranking
            else:
                self._open = _joined(self._open, ranking)
            if len(self._open.documents) > self._limits.documents:
                raise Unreadable(
                    f"Topic {topic} has more than {self._limits.documents:,} documents, the most that are read."
                )
        self.n_lines += n_lines

    def _check_new(self, ranking: Ranking) -> None:
        topic = ranking.topic
        if topic in self._seen:
            raise Malformed(
                f"The lines of topic {topic} don’t stand together: it begins in line {self._seen[topic]:,} and again in"
                f" line {ranking.line:,}. Sort the file by topic (sort -s -k1,1)."
            )
        self._seen[topic] = ranking.line

    def _diagnose(self, chunk: bytes) -> NoReturn:
        """Say which lines of a chunk are no lines of a run, as reading them one by one finds them."""
        known = [f"~ Q0 ~ 0 0 {self.tag}\n".encode()] if self.tag else []
        before = repeat(b"\n", self.n_lines - len(known))
        try:
            parse_run(chain(known, before, (line + b"\n" for line in chunk.split(b"\n"))))
        except FormatError as error:
            raise Malformed(told_briefly(error, self._start)) from error
        raise Malformed("It has blank lines between others. Leave them out.")


def _joined(first: Ranking, more: Ranking) -> Ranking:
    are_numbers = first.ranks is not None and more.ranks is not None
    return Ranking(
        first.topic,
        first.line,
        first.documents + more.documents,
        np.concatenate([first.scores, more.scores]),
        np.concatenate([first.ranks, more.ranks]) if are_numbers else None,
    )


def repeated(ranking: Ranking) -> list[tuple[int, str, int]]:
    """Return the documents that occur again for the topic: the line of each repetition, its name, the first line."""
    seen: dict[str, int] = {}
    again = []
    for place, document in enumerate(ranking.documents):
        first = seen.setdefault(document, place)
        if first < place:
            again.append((ranking.line_of(place), document, ranking.line_of(first)))
    return again


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of lines of a run."""

    spans: Annotated[list[tuple[str, int, int]], "Lines of one topic that stand together, counted from 0."]
    documents: list[str]
    scores: NDArray[np.float64]
    ranks: Annotated[NDArray[np.int64] | None, "None where any is no whole number."]
    tags: set[str]


def divide(text: bytes) -> Columns | None:
    """Return the columns of lines, the first and last not blank; None where any is no line of a run."""
    if text.translate(None, _PRINTABLE):
        return None
    columns = _by_arrow(text) or _by_splitting(text)
    if columns is None or np.abs(columns.scores).max(initial=0) > _LARGEST:
        return None
    return columns


def _by_arrow(text: bytes) -> Columns | None:
    """Return the columns; None where anything is unusual, whether it is wrong or not."""
    plain = text.replace(b"\t", b" ").replace(b"\r\n", b"\n")
    if b"\r" in plain:
        return None
    try:
        table = csv.read_csv(
            pa.py_buffer(plain),
            csv.ReadOptions(use_threads=False, column_names=list(_TYPES), block_size=len(plain) + 1),
            csv.ParseOptions(delimiter=" ", quote_char=False, escape_char=False, ignore_empty_lines=False),
            csv.ConvertOptions(check_utf8=False, column_types=_TYPES, null_values=[], strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None
    topics, others, documents, ranks, scores, tags = (column.chunk(0) for column in table.columns)
    texts = (documents, topics.dictionary, others.dictionary, tags.dictionary)
    lengths = [compute.min_max(compute.binary_length(text)) for text in texts]
    numbers, place = _array(scores), _array(topics.indices)
    if not all(length["min"].as_py() > 0 and length["max"].as_py() <= _LONGEST for length in lengths):
        return None
    if not np.isfinite(numbers).all():
        return None
    starts = [0, *(np.flatnonzero(place[1:] != place[:-1]) + 1).tolist()]
    names = topics.dictionary.to_pylist()
    spans = [*zip((names[index] for index in place[starts]), starts, [*starts[1:], len(place)], strict=True)]
    return Columns(spans, documents.to_pylist(), numbers, _array(ranks), {*tags.dictionary.to_pylist()})


def _array(column: Any) -> Any:
    """Return the column by DLPack: ``to_numpy`` loads pandas if installed, which takes longer than most runs."""
    return np.from_dlpack(column)


def _by_splitting(text: bytes) -> Columns | None:
    lines = [line.split() for line in text.decode("ascii").split("\n")] if text else []
    if any(len(line) != 6 for line in lines):
        return None
    fields = [field for line in lines for field in line]
    topics, documents, ranks, tags = (fields[place::6] for place in (0, 2, 3, 5))
    scores, names = _as_scores(fields[4::6]), {*tags}
    if scores is None or max(map(len, [*documents, *names, *topics]), default=0) > _LONGEST:
        return None
    spans, place = [], 0
    for topic, group in groupby(topics):
        start, place = place, place + len([*group])
        spans.append((topic, start, place))
    return Columns(spans, documents, scores, _as_ranks(ranks), names)


def _as_scores(texts: list[str]) -> NDArray[np.float64] | None:
    """Return the scores; None where any is no finite decimal number."""
    if "".join(texts).encode().translate(None, _OF_NUMBERS):
        return None
    try:
        return np.array([*map(float, texts)], dtype=np.float64)
    except ValueError:
        return None


def _as_ranks(texts: list[str]) -> NDArray[np.int64] | None:
    """Return the ranks; None where any is no whole number."""
    try:
        return np.array([*map(int, texts)], dtype=np.int64)
    except (ValueError, OverflowError):
        return None
