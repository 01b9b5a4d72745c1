"""Reading runs: what is taken, what is refused, and with which words; and that the worker lives on."""

import gzip
import os
from functools import partial

import pytest
from backports import zstd

from analysis.runs.reading import Limits, RunReader, Unreadable, unpacked
from tests.databases import run_python
from tests.registry.runs.test_lines import Source
from tests.registry.runs.world import run_of, score

# Packed without the hour: the content names the test, and every process that collects must find the same names.
gzipped = partial(gzip.compress, mtime=0)

LIMITS = Limits(unpacked_bytes=2_000_000, lines=10_000, documents=1000, seconds=30, memory_bytes=2_000_000_000)


def rankings(content: bytes, limits: Limits = LIMITS):
    return list(RunReader(unpacked(Source(content), limits), limits))


def refusal(content: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(Unreadable) as caught:
        rankings(content, limits)
    return str(caught.value)


def test_tabs_crlf_blank_ends_and_no_last_newline():
    content = b"\xef\xbb\xbf\n1\tQ0\ta\t1\t2\tx\r\n1 Q0  b 2 1 x\r\n2 Q0 b 2 1 x"
    (first, two) = rankings(content)
    assert (first.line, two.line, two.documents) == (2, 4, ["b"])
    assert rankings(content + b"\r\n\r\n\r\n")[1].documents == ["b"]


LINES = [
    f"{topic} Q0 d{rank} {rank} {score} x"
    for topic in ("7", "8")
    for rank, score in enumerate(("12.5", "-1e-3", ".25", "-7.", "1E2", "3.4028234e38", "0.1234567890123456789"), 1)
]


@pytest.mark.parametrize("blank", ["\t", "  ", " \t "])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_blanks_of_every_kind_divide_fields_alike(blank, end):
    (plain, two) = rankings("\n".join(LINES).encode())
    assert plain.scores.tolist() == [float(line.split()[4]) for line in LINES[:7]]
    (first, second) = rankings("".join(line.replace(" ", blank) + end for line in LINES).encode())
    for ours, theirs in ((plain, first), (two, second)):
        assert (ours.topic, ours.line, ours.documents) == (theirs.topic, theirs.line, theirs.documents)
        assert ours.scores.tolist() == theirs.scores.tolist()
        assert ours.ranks.tolist() == theirs.ranks.tolist()


def test_ranks_and_scores_may_be_spelled_unusually():
    (ranking,) = rankings(b"1 Q0 a 01 +2.5 x\n1 Q0 b +2 1 x\n")
    assert (ranking.scores.tolist(), ranking.ranks.tolist()) == ([2.5, 1.0], [1, 2])
    (ranking,) = rankings(b"1 Q0 a first 2.5 x\n1 Q0 b 2 1 x\n")
    assert ranking.ranks is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"1 Q0 a 1 2 x\n1 Q0 b 2 x\n", "line 2: has 5 fields"),
        (b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x y\n", "line 2: has 7 fields"),
        (b"1 Q0 a 1 nan x\n", "line 1, column score"),
        (b"1 Q0 a 1 inf x\n", "line 1, column score"),
        (b"1 Q0 a 1 1e39 x\n", "line 1, column score"),
        (b"1  a 1 2 x\n", "line 1: has 5 fields"),
        (b"1 Q0 a 1 2 x\r1 Q0 b 2 1 x\n", "line 1"),
        (b"1 Q0 a 1 1_0 x\n", "line 1, column score"),
        (b"1 Q0 \xc3\xa4 1 2 x\n", "line 1"),
        (b"1 Q0 a\x00 1 2 x\n", "line 1"),
        (b"1 Q0 " + b"a" * 300 + b" 1 2 x\n", "line 1, column document"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "line 1"),
        (bytes(100_000), "more than 4,096 bytes"),
        (gzipped(run_of("a"))[:-12], "ends too early"),
        (zstd.compress(run_of("a" * 200, "b"))[:-12], "ends too early"),
        (gzipped(run_of("a"))[:-8] + b"wrongsum", "damaged"),
        (b"\x1f\x8bnothing of the kind", "damaged"),
        (b"\x28\xb5\x2f\xfdnothing of the kind", "damaged"),
        (gzipped(bytes(5_000_000)), "more than"),
        (zstd.compress(run_of("a", "b", topics=map(str, range(9_000)))) * 20, "more than 10,000 lines"),
    ],
)  # fmt: skip
def test_refused_with_what_to_do(content, message):
    assert message in refusal(content)


def test_a_fault_far_down_has_its_line():
    content = run_of("a", "b", topics=map(str, range(40_000))) + b"x Q0 y 1 one mine\n"
    assert len(content) > 1_500_000
    assert refusal(content, Limits(10**8, 10**6, 1000, 9, 10**9)).startswith("line 80001, column score")


@pytest.mark.slow
def test_the_worker_lives_on():
    refused = score(gzipped(bytes(30_000_000)))
    assert (refused.work.state, "4,096 bytes" in refused.work.refusal) == ("refused", True)
    assert bytes(refused.work.content) == b""
    assert score(run_of("good"), refused.collection).work.state == "done"


def test_a_limit_ends_the_child_and_nothing_else(settings):
    enough = settings.PLUMBLINE_RUN_MEMORY_BYTES
    # Less than it takes to begin.
    settings.PLUMBLINE_RUN_MEMORY_BYTES = 300_000_000
    refused = score(run_of("good"))
    assert refused.work.state == "refused"
    assert "more than 300 MB of memory" in refused.work.refusal
    assert refused.work.is_passing
    settings.PLUMBLINE_RUN_MEMORY_BYTES = enough
    assert score(run_of("good", "bad"), refused.collection).work.state == "done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("PLUMBLINE_RUN_MEMORY_BYTES", 640_000_000, "more than 640 MB of memory"),
        ("PLUMBLINE_RUN_SECONDS", 1, "more than 1 seconds of processor time"),
    ],
)
def test_what_a_large_run_takes_is_limited(settings, setting, value, message):
    setattr(settings, setting, value)
    # One topic of so many documents, all in memory at once.
    settings.PLUMBLINE_RUN_DOCUMENTS = 10**7
    content = "".join(f"t1 Q0 document-{number} {number} {-number} x\n" for number in range(3_000_000)).encode()
    refused = score(gzipped(content, compresslevel=1))
    assert refused.work.state == "refused"
    assert message in refused.work.refusal
    assert refused.work.is_passing
    if setting == "PLUMBLINE_RUN_MEMORY_BYTES":
        assert score(run_of("good"), refused.collection).work.state == "done"


def test_a_run_is_divided_without_pandas_even_where_that_is_installed():
    """Loading it would take longer than most runs."""
    program = "import sys; from analysis.runs.reading import divide; divide(b't Q0 d 1 0.5 x'); "
    assert run_python("-c", program + "print('pandas' in sys.modules)", environment={**os.environ}) == "False\n"
