"""Runs in other layouts than trec_eval's: how each is read, what is said of it, and what is refused."""

import pytest

from analysis.runs.layouts import LooseReader
from analysis.runs.reading import LINE_BYTES, Limits, Malformed, Ranking, ReportLine, Unreadable

LIMITS = Limits(unpacked_bytes=10**6, lines=100, documents=50, seconds=30, memory_bytes=10**9)
REFUSAL = Malformed("It is laid out otherwise.")


def read(content: bytes, limits: Limits = LIMITS) -> tuple[LooseReader, list[Ranking]]:
    reader = LooseReader([content[:7], content[7:]], limits, REFUSAL)
    return reader, list(reader)


def refused(content: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(Unreadable) as caught:
        read(content, limits)
    return str(caught.value)


def test_topics_that_stand_apart_are_brought_together_with_the_lines_of_the_file():
    content = b"1 Q0 a 1 9 x\n2 Q0 c 1 5 x\n1 Q0 b 2 8 x\n2 Q0 d 2 4 x\n3 Q0 e 1 1 x"
    reader, rankings = read(content)
    assert [(ranking.topic, ranking.documents, ranking.lines) for ranking in rankings] == [
        ("1", ["a", "b"], (1, 3)),
        ("2", ["c", "d"], (2, 4)),
        ("3", ["e"], (5,)),
    ]
    assert [ranking.scores.tolist() for ranking in rankings] == [[9.0, 8.0], [5.0, 4.0], [1.0]]
    assert [ranking.ranks.tolist() for ranking in rankings] == [[1, 2], [1, 2], [1]]
    assert [ranking.line for ranking in rankings] == [1, 2, 5]
    assert [rankings[1].line_of(place) for place in (0, 1)] == [2, 4]
    assert (reader.tag, reader.n_lines, reader.head) == ("x", 5, [])
    assert reader.remarks == [
        ReportLine("Topics whose lines stand apart", 2, "They were brought together, in the order of the file.")
    ]


@pytest.mark.parametrize(
    ("content", "n", "policy", "detail", "scores", "ranks"),
    [
        (
            b"7 a 1\n7 b 3\n8 c 1\n", 3, "The lower the rank, the better.",
            "read as topic, document, rank (as of MS MARCO)", [[-1.0, -3.0], [-1.0]], [[0, 1], [0]],
        ),
        (
            b"7 a 12\n7 b 3\n8 c 1\n", 3, "The scores count.", "read as topic, document, score",
            [[12.0, 3.0], [1.0]], [[0, 1], [0]],
        ),
        (
            b"7 a 1\n7 b 3.5\n8 c 1\n", 3, "The scores count.", "read as topic, document, score",
            [[1.0, 3.5], [1.0]], [[1, 0], [0]],
        ),
        (
            b"7 a 1 0.5\n7 b 2 0.75\n8 c 1 1\n", 3, "The scores count.", "read as topic, document, rank, score",
            [[0.5, 0.75], [1.0]], [[1, 2], [1]],
        ),
    ],
)  # fmt: skip
def test_fewer_columns_are_read_as_they_are_used(content, n, policy, detail, scores, ranks):
    reader, rankings = read(content)
    assert [ranking.documents for ranking in rankings] == [["a", "b"], ["c"]]
    assert [ranking.scores.tolist() for ranking in rankings] == scores
    assert [ranking.ranks.tolist() for ranking in rankings] == ranks
    columns = len(content.split(b"\n")[0].split())
    assert reader.remarks == [ReportLine(f"Lines of {columns} columns", n, policy, detail)]
    assert (reader.tag, reader.n_lines) == ("run", 3)


@pytest.mark.parametrize(
    ("content", "remarks"),
    [
        (b"topic document score\n7 a 1.5\n", ["Header", "Lines of 3 columns"]),
        (b"topic document rank score\n7 a 1 1.5\n", ["Header", "Lines of 4 columns"]),
        (b"topic Q0 document rank score tag\n7 Q0 a 1 1.5 x\n", ["Header"]),
        (b"\ntopic document score\n7 a 1.5\n", ["Header", "Lines of 3 columns"]),
    ],
)
def test_a_header_is_no_line_of_the_run(content, remarks):
    reader, (ranking,) = read(content)
    assert (ranking.topic, ranking.documents, ranking.scores.tolist()) == ("7", ["a"], [1.5])
    assert [remark.name for remark in reader.remarks] == remarks
    line = 2 if content.startswith(b"\n") else 1
    header = ReportLine("Header", 1, "It names columns and is no line of the run.", f"line {line}")
    assert reader.remarks[0] == header
    assert ranking.lines == (line + 1,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "It is laid out otherwise."),
        (b"# nothing else\n", "It is laid out otherwise."),
        (b"7 a 1\n7 b 2 2\n", "line 2: has 4 fields and not 3, as those before"),
        (b"7 a 1 2\n\n7 b 2\n", "line 3: has 3 fields and not 4, as those before"),
        (b"topic document score\n7 a 1.5 x\n", "line 2: has 4 fields and not 3, as those before"),
        (b"topic document 5\n7 a 1.5\n", ""),
        (b"topic document score\n", "line 1, column score"),
        (b"topic document score\nother document score\n", "line 1, column score"),
        (b"7 a\n7 b\n", "line 1: has 2 fields"),
        (b"7 Q0 a 1 2 x\n8 Q0 b 1 2 x\n7 Q0 c 2 x\n", "line 3: has 5 fields"),
        (b"{", "This is no JSON that can be read ("),
        (b'  ["a"]', 'A run in JSON is an object: each topic with its documents and their scores, {"7": {"d1": 2.5}}'),
        (b'{"7": "a"}', "A run in JSON is an object"),
        (b'{"7": ["a"], "8": 3}', "A run in JSON is an object"),
        (b'{"7": ["a"], "8": ["b"], "7": ["c"]}', "This is no JSON that can be read (7 is named twice in one object"),
        (b'{"7": {"a": 1, "b": 2, "b": 3, "a": 4}}', "This is no JSON that can be read (b is named twice in one"),
        (b'{"7": ["a", 5]}', "Topic 7, document 2 is neither a name nor a name with a score."),
        (b'{"7": {"a": true}}', "Topic 7, document 1 is neither a name nor a name with a score."),
        (b'{"7": {"a": "1"}}', "Topic 7, document 1 is neither a name nor a name with a score."),
        (b'{"7": [[5, 1]]}', "Topic 7, document 1 is neither a name nor a name with a score."),
        (b'{"7": [["a", 1, 2]]}', "Topic 7, document 1 is neither a name nor a name with a score."),
        (b'{"7": ["a", "b c"]}', "Topic 7, document 2: names have no blanks in a run, and are not empty."),
        (b'{"7": ["a", ""]}', "Topic 7, document 2: names have no blanks in a run, and are not empty."),
        (b'{"7 8": ["a"]}', "Topic 7 8, document 1: names have no blanks in a run, and are not empty."),
        (b'{"7": {"a": NaN}}', "line 1, column score"),
    ],
)  # fmt: skip
def test_what_is_none_of_the_layouts_says_what_is_wrong(content, message):
    if not message:
        # A first line with a number is no header, whatever else it says.
        _, rankings = read(content)
        assert [ranking.topic for ranking in rankings] == ["topic", "7"]
        return
    assert refused(content).startswith(message)


def test_half_a_character_in_json_is_refused_with_its_line():
    assert "line 1: is not UTF-8 text" in refused(b'{"7": {"\\ud800": 1}}')


def test_limits_hold_for_other_layouts_too():
    lines = b"".join(b"%d a 1\n" % number for number in range(100))
    assert len(read(lines)[1]) == 100
    assert len(read(lines.removesuffix(b"\n"))[1]) == 100
    assert refused(lines + b"x a 1\n") == "It has more than 100 lines, the most that are read."
    assert refused(lines + b"x a 1") == "It has more than 100 lines, the most that are read."
    documents = b"".join(b"7 d%d 1\n" % number for number in range(50))
    assert len(read(documents)[1][0].documents) == 50
    assert refused(documents + b"7 e 1\n") == "Topic 7 has more than 50 documents, the most that are read."
    comment = b"1 Q0 a 1 9 x" + b" " * 10 + b"\n\n1 Q0 b 2 8 x"
    assert len(read(comment)[1][0].documents) == 2
    long = b"7 " + b"a" * (LINE_BYTES - 4)
    assert refused(long + b" 1\n") != str(REFUSAL)
    assert refused(long + b" 10\n") == str(REFUSAL)
