"""Lines of a run, many at once, as columns: by pyarrow where one blank stands between fields, else by splitting."""

from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute, csv

#: A field that is longer is none.
_LONGEST = 256
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_OF_NUMBERS = b"0123456789+-.eE"
_LARGEST = float(np.finfo(np.float32).max)
_FEW = pa.dictionary(pa.int32(), pa.string())
_TYPES = {"topic": _FEW, "Q0": _FEW, "document": pa.string(), "rank": pa.int64(), "score": pa.float64(), "tag": _FEW}


@dataclass(frozen=True, slots=True)
class Columns:
    """What stands in lines of a run."""

    spans: Annotated[list[tuple[str, int, int]], "Lines of one topic that stand together, counted from 0."]
    documents: list[str]
    scores: NDArray[np.float64]
    ranks: Annotated[NDArray[np.int64] | None, "None where one is no whole number."]
    tags: set[str]


def divide(text: bytes) -> Columns | None:
    """The columns of lines, of which neither the first nor the last is blank; None where any is no line of a run."""
    if text.translate(None, _PRINTABLE):
        return None
    found = _by_arrow(text) or _by_splitting(text)
    if found is None or np.abs(found.scores).max(initial=0) > _LARGEST:
        return None
    return found


def _by_arrow(text: bytes) -> Columns | None:
    """None where anything is unusual, whether it is wrong or not."""
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
    lengths = [compute.min_max(compute.binary_length(one)) for one in texts]
    numbers, place = _array(scores), _array(topics.indices)
    if not all(one["min"].as_py() > 0 and one["max"].as_py() <= _LONGEST for one in lengths):
        return None
    if not np.isfinite(numbers).all():
        return None
    starts = [0, *(np.flatnonzero(place[1:] != place[:-1]) + 1).tolist()]
    names = topics.dictionary.to_pylist()
    spans = [*zip((names[index] for index in place[starts]), starts, [*starts[1:], len(place)], strict=True)]
    return Columns(spans, documents.to_pylist(), numbers, _array(ranks), {*tags.dictionary.to_pylist()})


def _array(column: Any) -> Any:
    """The column by DLPack, for ``to_numpy`` loads pandas where that is there, which takes longer than most runs."""
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
    """None where one is no finite decimal number."""
    if "".join(texts).encode().translate(None, _OF_NUMBERS):
        return None
    try:
        return np.array([*map(float, texts)], dtype=np.float64)
    except ValueError:
        return None


def _as_ranks(texts: list[str]) -> NDArray[np.int64] | None:
    """None where one is no whole number."""
    try:
        return np.array([*map(int, texts)], dtype=np.int64)
    except (ValueError, OverflowError):
        return None
