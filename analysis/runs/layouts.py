"""Reading runs that trec_eval would not take: other columns, JSON, blank lines, a header, topics apart.

All of them are brought into the layout of a run, which ``RunReader`` reads as strictly as ever; remarks say how.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, BinaryIO, TypeVar

import numpy as np

from analysis.errors import FormatError
from analysis.runs.reading import (
    LINE_BYTES,
    Limits,
    Malformed,
    Ranking,
    ReportLine,
    Rest,
    RunReader,
    Unreadable,
    readable,
    told_briefly,
    unpacked,
)
from analysis.scores import parse_run

Outcome = TypeVar("Outcome")

#: Of a file without tags.
_TAG = b"run"
_JSON = (
    'A run in JSON is an object: each topic with its documents and their scores, {"7": {"d1": 2.5}}, or with its '
    'documents in their order, {"7": ["d1"]}.'
)


class LooseReader:
    """The rankings of a file that ``RunReader`` refuses; ``remarks`` say how it was read.

    Raises
    ------
    Unreadable
        If it has none of the layouts; in the words of ``refusal`` where it is nearest to the usual layout.
    """

    def __init__(self, chunks: Iterable[bytes], limits: Limits, refusal: Malformed) -> None:
        content = b"".join(chunks).removeprefix(b"\xef\xbb\xbf")
        self.head: list[str] = []
        self.remarks: list[ReportLine] = []
        self._refusal = refusal
        self._start = content[: 4 * LINE_BYTES]
        self._has_ranks = True
        #: A line of a run for each line of the file, blank where it says nothing; and where each comes from.
        self._lines: list[bytes] = []
        rows = self._of_json(content) if content.lstrip()[:1] in (b"{", b"[") else self._of_lines(content)
        self.n_lines = content.count(b"\n") + (not content.endswith(b"\n"))
        if self.n_lines > limits.lines:
            raise Unreadable(f"It has more than {limits.lines:,} lines, the most that are read.")
        together: dict[bytes, list[int]] = {}
        for number, line in enumerate(rows, 1):
            self._lines.append(line)
            if line:
                together.setdefault(line.split(None, 1)[0], []).append(number)
        self._origin = list(chain.from_iterable(together.values()))
        n_apart = sum(numbers[-1] - numbers[0] >= len(numbers) for numbers in self._spans(together))
        if n_apart:
            self.remarks.append(
                ReportLine(
                    "Topics whose lines stand apart", n_apart, "They were brought together, in the order of the file."
                )
            )
        self._reader = RunReader(
            (b"".join(self._lines[number - 1] + b"\n" for number in numbers) for numbers in together.values()), limits
        )

    def _spans(self, together: dict[bytes, list[int]]) -> Iterator[list[int]]:
        """Yield the lines of each topic as they would be numbered without those that say nothing."""
        places = {number: place for place, number in enumerate(sorted(self._origin))}
        for numbers in together.values():
            yield [places[number] for number in numbers]

    @property
    def tag(self) -> str:
        """Return the last field of its lines."""
        return self._reader.tag

    def __iter__(self) -> Iterator[Ranking]:
        try:
            for ranking in self._reader:
                first = ranking.line - 1
                lines = self._origin[first : first + len(ranking.documents)]
                ranks = ranking.ranks if self._has_ranks else np.argsort(np.argsort(-ranking.scores, kind="stable"))
                yield replace(ranking, line=lines[0], lines=tuple(lines), ranks=ranks)
        except Malformed as malformed:
            # Its numbers are of lines as they were brought together.
            try:
                parse_run(line + b"\n" for line in self._lines)
            except FormatError as error:
                raise Unreadable(told_briefly(error, self._start)) from error
            raise Unreadable(str(malformed)) from malformed

    def _of_lines(self, content: bytes) -> list[bytes]:
        lines = [line.strip() for line in content.split(b"\n")]
        n_head = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
        self.head = [readable(line) + "\n" for line in lines[:n_head]]
        lines[:n_head] = [b""] * n_head
        filled = [number for number, line in enumerate(lines) if line]
        if not filled or max(map(len, lines)) > LINE_BYTES:
            raise self._refusal
        blank = [number + 1 for number in range(filled[0], filled[-1]) if not lines[number]]
        if blank:
            named = ", ".join(f"line {number:,}" for number in blank[:3])
            self.remarks.append(ReportLine("Blank lines", len(blank), "They are passed over.", named))
        first = lines[filled[0]].split()
        if len(filled) > 1 and _is_header(first, lines[filled[1]].split()):
            self.remarks.append(
                ReportLine("Header", 1, "It names columns and is no line of the run.", f"line {filled[0] + 1:,}")
            )
            lines[filled[0]] = b""
            first = lines[filled[1]].split()
        return self._as_run(lines, len(first)) if len(first) in (3, 4) else lines

    def _as_run(self, lines: list[bytes], n_columns: int) -> list[bytes]:
        """Return the lines of a run from those with a topic, a document, and a rank (MS MARCO), a score, or both."""
        divided = [line.split() for line in lines]
        for number, fields in enumerate(divided, 1):
            if fields and len(fields) != n_columns:
                reason = f"has {len(fields)} fields and not {n_columns}, as those before"
                raise Unreadable(told_briefly(FormatError(reason, line=number), self._start))
        is_ranked = n_columns == 3 and all(fields[2].isdigit() for fields in divided if fields)
        numbers: dict[bytes, list[int]] = {}
        for fields in filter(None, divided if is_ranked else ()):
            numbers.setdefault(fields[0], []).append(int(fields[2]))
        # Whole numbers may be scores: these fall from line to line; ranks begin with 0 or 1, and none comes twice.
        if any(ranks != sorted(ranks) for ranks in numbers.values()):
            is_falling = all(ranks == sorted(ranks, reverse=True) for ranks in numbers.values())
            are_ranks = all(min(ranks) < 2 and len({*ranks}) == len(ranks) for ranks in numbers.values())
            is_ranked = are_ranks and not is_falling
        order = "topic, document, rank, score" if n_columns == 4 else "topic, document, score"
        policy = "The scores count."
        if is_ranked:
            order, policy = "topic, document, rank (as of MS MARCO)", "The lower the rank, the better."
        n_lines = sum(map(bool, divided))
        self.remarks.append(ReportLine(f"Lines of {n_columns} columns", n_lines, policy, f"read as {order}"))
        if n_columns == 4:
            return [b" ".join([fields[0], b"Q0", *fields[1:], _TAG]) if fields else b"" for fields in divided]
        self._has_ranks = False
        scored = b"%b Q0 %b 0 -%b %b" if is_ranked else b"%b Q0 %b 0 %b %b"
        return [scored % (*fields, _TAG) if fields else b"" for fields in divided]

    def _of_json(self, content: bytes) -> list[bytes]:
        try:
            rankings = json.loads(content, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"This is no JSON that can be read ({error}). {_JSON}") from error
        if not isinstance(rankings, dict) or not all(isinstance(ranking, dict | list) for ranking in rankings.values()):
            raise Unreadable(_JSON)
        self._has_ranks = False
        lines = [line for topic, documents in rankings.items() for line in _lines_of(topic, documents)]
        self.remarks.append(
            ReportLine(
                "Documents in JSON", len(lines), "Lines are counted as if each document had one, in their order."
            )
        )
        return lines


AnyReader = RunReader | LooseReader


def use_run(source: BinaryIO, limits: Limits, use: Callable[[AnyReader], Outcome]) -> Outcome:
    """Return what comes of a run; of one that is laid out otherwise, once it is brought into the usual layout.

    ``source`` begins where it stands, and can be read twice.

    Raises
    ------
    Unreadable
        If it is no run, or beyond the limits.
    """
    start = source.tell()
    try:
        return use(RunReader(unpacked(Rest(source), limits), limits))
    except Malformed as malformed:
        source.seek(start)
        chunks = unpacked(Rest(source), limits, line_bytes=limits.unpacked_bytes)
        return use(LooseReader(chunks, limits, malformed))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"{again} is named twice in one object: which one counts would be a guess")
    return members


def _lines_of(topic: str, documents: dict[str, Any] | list[Any]) -> Iterator[bytes]:
    pairs: Iterable[Any] = documents.items() if isinstance(documents, dict) else documents
    for rank, entry in enumerate(pairs, 1):
        document, score = (entry, -rank) if isinstance(entry, str) else entry if _is_pair(entry) else (None, None)
        if not isinstance(document, str) or isinstance(score, bool) or not isinstance(score, int | float):
            raise Unreadable(f"Topic {topic}, document {rank} is neither a name nor a name with a score. {_JSON}")
        fields = (topic, "Q0", document, str(rank), repr(score), _TAG.decode())
        if any(len(field.split()) != 1 for field in fields[:3]):
            raise Unreadable(f"Topic {topic}, document {rank}: names have no blanks in a run, and are not empty.")
        # JSON can name half of a character, which no text has: the line is refused with it.
        yield " ".join(fields).encode(errors="surrogatepass")


def _is_pair(entry: object) -> bool:
    return isinstance(entry, tuple | list) and len(entry) == 2


def _is_header(first: list[bytes], second: list[bytes]) -> bool:
    """Say whether the first line has no number where the second has a number, and as many fields."""
    if len(first) != len(second) or len(first) not in (3, 4, 6):
        return False
    places = (2,) if len(first) == 3 else (2, 3) if len(first) == 4 else (3, 4)
    return any(_is_number(second[place]) for place in places) and not any(_is_number(first[place]) for place in places)


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
