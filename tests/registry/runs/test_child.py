"""What the process that reads runs answers to each order, and what becomes of its lines and of its end."""

import gzip
import io
import threading
import time
from dataclasses import replace
from queue import SimpleQueue

import pytest

from analysis.runs.reading import Limits, Rest, Unreadable
from registry.runs.pipeline import child, spawning
from registry.runs.pipeline.child import answer
from registry.runs.pipeline.spawning import Order

LIMITS = Limits(unpacked_bytes=10**6, lines=10**5, documents=1000, seconds=7, memory_bytes=345_600_000)
QRELS = b"t1 0 a 1\nt2 0 a 1\n"


def asked(kind: str, content: bytes, *, sealed: bool = False, **measures: str) -> dict:
    order = {"kind": kind, "measures": measures, "is_sealed": sealed}
    return answer(order, QRELS, io.BytesIO(content), LIMITS)


def test_a_run_is_scored_with_its_precision_unless_it_is_sealed():
    run = b"t1 Q0 b 1 2 x\nt1 Q0 a 2 1 x\n"
    scored = asked("run", run, AP="AP", first="P@1")
    assert (scored["topics"], scored["scores"]) == (["t1", "t2"], {"AP": [0.5, 0.0], "first": [0.0, 0.0]})
    assert (scored["rankings"], scored["report"]["n_missing"], scored["head"]) == ({"t1": "b a"}, 1, [])
    assert set(scored["precision"]) == {"AP"}
    assert asked("run", run, sealed=True, AP="AP")["precision"] == {}
    assert asked("run", run, first="P@1")["precision"] == {}
    packed = asked("run", gzip.compress(run, mtime=0), AP="AP")
    assert packed["scores"] == {"AP": [0.5, 0.0]}
    loose = asked("run", b"t1 b 1\nt1 a 2\n", AP="AP")
    assert loose["scores"] == {"AP": [0.5, 0.0]}
    assert [remark["name"] for remark in loose["report"]["remarks"]] == ["Lines of 3 columns"]
    assert asked("run", gzip.compress(b"t1 b 1\nt1 a 2\n", mtime=0), AP="AP")["scores"] == {"AP": [0.5, 0.0]}
    with pytest.raises(Unreadable, match="line 2: has 2 fields and not 3"):
        asked("run", b"t1 b 1\nt1 a\n", AP="AP")


def test_topics_of_a_run_and_tables_of_scores():
    assert asked("topics", b"t1 Q0 b 1 2 x\nt9 Q0 a 2 1 x\n") == {"topics": {"t1": ["b"], "t9": ["a"]}}
    table = b"topic,a,b\nt1,0.5,0.25\nt2,,0.5\nt3,1,0\n"
    assert asked("matrix", table) == {
        "topics": ["t1", "t3", "t2"], "scores": {"a": [0.5, 1.0, None], "b": [0.25, 0.0, 0.5]},
        "means": {"a": 0.75, "b": 0.125}, "dropped": ("t2",),
    }  # fmt: skip
    with pytest.raises(Unreadable):
        asked("matrix", b"topic,a\nt1,x\n")
    with pytest.raises(Unreadable, match=r"line 2, column a: must lie within ±1e\+70"):
        asked("matrix", b"topic,a\nt1,1e308\nt2,1e308\n")


def test_the_precision_of_long_runs_is_not_found():
    def precision(n_topics: int, *documents: str) -> dict:
        judged = "".join(f"t{n} 0 a 1\n" for n in range(n_topics)).encode()
        run = "".join(f"t{n} Q0 {name} 1 1 x\n" for n in range(n_topics) for name in documents).encode()
        order = {"kind": "run", "measures": {"AP": "AP"}, "is_sealed": False}
        return answer(order, judged, io.BytesIO(run), replace(LIMITS, unpacked_bytes=10**8))["precision"]

    assert set(precision(child.MOST_RESAMPLED, "a", "b")) == {"AP"}
    assert precision(child.MOST_RESAMPLED + 1, "a", "b") == {}
    assert precision(35, *(f"{n:0250}" for n in range(1000))) == {}  # Its rankings are too long to be kept.


def test_the_rest_of_a_stream_can_be_looked_at_before_it_is_read():
    def rest(content: bytes = b"head:abcdefgh") -> Rest:
        source = io.BytesIO(content)
        source.seek(5)
        return Rest(source)

    assert rest().peek() == b"abcd"
    assert (rest().read(), rest().read(-1)) == (b"abcdefgh", b"abcdefgh")
    assert [rest().read(n) for n in (2, 4, 6, 100)] == [b"ab", b"abcd", b"abcdef", b"abcdefgh"]
    tail = rest()
    assert [tail.read(3), tail.peek(), tail.read(2), tail.read(0), tail.read()] == [b"abc", b"d", b"de", b"", b"fgh"]
    assert rest(b"head:a").read() == b"a"


def test_an_answer_is_taken_before_its_pipe_is_read_to_the_end(monkeypatch):
    class SlowQueue(SimpleQueue):
        def put(self, line: bytes) -> None:
            super().put(line)
            time.sleep(0.2)

    monkeypatch.setattr(spawning, "SimpleQueue", SlowQueue)
    readers = set(threading.enumerate())
    with pytest.raises(Unreadable):
        spawning.do_in_child(Order("run", b"no run", {"AP": "AP"}))
    for reader in set(threading.enumerate()) - readers:
        # What it could not read would be raised here, as it is of every thread that tests start.
        reader.join(10)
        assert not reader.is_alive()
