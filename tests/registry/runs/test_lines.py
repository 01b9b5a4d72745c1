"""Lines of runs, many at once: where bounds are, and that both ways to divide them agree."""

import gzip
import io

import numpy as np
import pytest
from backports import zstd

from analysis.runs.reading import Limits, Ranking, RunReader, Unreadable, divide, unpacked

LARGEST = float(np.finfo(np.float32).max)


@pytest.mark.parametrize("blank", [b" ", b"  "])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_field_has_256_characters_at_most(blank, place):
    def line(length: int) -> bytes:
        fields = [b"7", b"Q0", b"a", b"1", b"2.5", b"x"]
        fields[place] = b"n" * length
        return blank.join(fields)

    assert len(divide(line(256)).documents) == 1
    assert divide(line(257)) is None


@pytest.mark.parametrize("blank", [" ", "  "])
@pytest.mark.parametrize("score", [LARGEST, -LARGEST])
def test_a_score_has_single_precision(blank, score):
    line = blank.join(["7", "Q0", "a", "1", "{}", "x"])
    assert divide(line.format(repr(score)).encode()).scores.tolist() == [score]
    assert divide(line.format(repr(score * 1.0000001)).encode()) is None


@pytest.mark.parametrize(
    "text",
    [
        b"7 Q0 a 1 2.5 x y", b"7 Q0 a 1 2.5", b"7 Q0 a 1 2.5\nx 7 Q0 b 1 2.5 x", b"7  Q0 a 1 2_5 x", b"7  Q0 a 1 nan x",
        b"7  Q0 a 1 inf x", b"7  Q0 a 1 1e999 x", b"7  Q0 a 1 . x", b"7 Q0 \xc3\xa4 1 2.5 x", b"7 Q0 a\x7f 1 2.5 x",
        b"7 Q0 a\x1f 1 2.5 x", b"7 Q0 a 1 0x1 x",
    ],
)  # fmt: skip
def test_what_is_no_line_divides_into_nothing(text):
    assert divide(text) is None
    assert divide(b"7 Q0 z 1 3.5 x\n" + text) is None


LINE = b"1 Q0 a 1 2 x\n"


def limited(**limits: int) -> Limits:
    wide = {"unpacked_bytes": 10**6, "lines": 10**6, "documents": 10**6, "seconds": 9, "memory_bytes": 10**9}
    return Limits(**(wide | limits))


class Source(io.BytesIO):
    def peek(self) -> bytes:
        return self.getvalue()


def chunks(content: bytes, *, line_bytes: int = 50, **limits: int) -> list[bytes]:
    return list(unpacked(Source(content), limited(**limits), line_bytes=line_bytes))


def read(content: bytes, **limits: int) -> list[Ranking]:
    return list(RunReader(unpacked(Source(content), limited(**limits)), limited(**limits)))


def refused(content: bytes, **limits: int) -> str:
    with pytest.raises(Unreadable) as caught:
        read(content, **limits)
    return str(caught.value)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_bytes_lines_and_documents_are_taken_up_to_their_limits(pack):
    packed = pack(LINE * 2)
    assert b"".join(chunks(packed, unpacked_bytes=26)) == LINE * 2
    with pytest.raises(Unreadable, match=r"Unpacked it has more than 25 bytes, the most that are read. Leave out"):
        chunks(packed, unpacked_bytes=25)


def test_lines_and_documents_up_to_their_limits():
    two = b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"
    assert len(read(two, lines=2, documents=2)[0].documents) == 2
    assert refused(two, lines=1) == "It has more than 1 lines, the most that are read."
    assert refused(two, documents=1) == "Topic 1 has more than 1 documents, the most that are read."
    apart = RunReader(iter([b"1 Q0 a 1 2 x\n", b"1 Q0 b 2 1 x\n"]), limited(documents=1))
    with pytest.raises(Unreadable, match="Topic 1 has more than 1 documents"):
        list(apart)


def test_a_topic_goes_over_chunks_and_lines_are_counted_through():
    parts = [b"# head\n\n1 Q0 a 1 9 x\n", b"1 Q0 b 2 8 x\n2 Q0 c 1 7 x\n", b"\n\n2 Q0 d two 6 x\n\n"]
    reader = RunReader(iter(parts), limited())
    first, two = reader
    assert (first.topic, first.line, first.documents, first.scores.tolist()) == ("1", 3, ["a", "b"], [9.0, 8.0])
    assert first.ranks.tolist() == [1, 2]
    assert (two.topic, two.line, two.documents, two.ranks) == ("2", 5, ["c", "d"], None)
    assert (reader.n_lines, reader.tag, reader.head, reader.remarks) == (9, "x", ["# head\n"], [])
    assert (first.line_of(0), first.line_of(1)) == (3, 4)
    lines = RunReader(iter([b"1 Q0 a one 9 x\n", b"1 Q0 b 2 8 x\n"]), limited())
    assert [ranking.ranks for ranking in lines] == [None]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([b"1 Q0 a 1 9 x\n", b"1 Q0 b 2 8 y\n"], "line 2, column tag: has the tag 'y' after 'x'"),
        ([b"1 Q0 a 1 9 x\n", b"1 Q0 b 2 8 x\n1 Q0 c 3\n"], "line 3: has 4 fields"),
        ([b"\n", b"1 Q0 b 2\n"], "line 2: has 4 fields"),
        ([b"1 Q0 a 1 9 x\n", b"2 Q0 a 1 9 x\n", b"\n1 Q0 c 3 1 x\n"],
         "The lines of topic 1 don’t stand together: it begins in line 1 and again in line 4. Sort the file by topic"),
        ([b"1 Q0 a 1 9 x\n\n1 Q0 b 2 8 x\n"], "It has blank lines between others. Leave them out."),
        ([], "It is empty. A run has a line for every document: topic Q0 document rank score tag."),
        ([b"# a head alone\n"], "It is empty."),
        ([b"1 Q0 a 1 9 x\n", b"# no head\n"], "line 2: has 3 fields"),
    ],
)  # fmt: skip
def test_faults_are_found_in_any_chunk_with_their_line(parts, message):
    with pytest.raises(Unreadable) as caught:
        list(RunReader(iter(parts), limited()))
    assert str(caught.value).startswith(message)
    assert caught.value.seconds == 0.0
