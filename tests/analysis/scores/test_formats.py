"""Text formats: what is read, how ties are ranked, and the malformed input that is refused with its line."""

import doctest
import tracemalloc
from pathlib import Path

import numpy as np
import pandas
import pytest
import pytrec_eval

from analysis.errors import ArgumentError, FormatError
from analysis.scores import ScoreMatrix, parse_judgements, parse_run, parse_score_table

GOOD = "301 Q0 d1 1 3.5 mine\n"


class TestRun:
    def test_documents_are_ordered_by_score_and_not_by_the_rank_column(self):
        run = parse_run("1 Q0 a 1 0.5 t\n1 Q0 b 2 1e1 t\n2 Q0 a 7 -3 t\n")
        assert dict(run.rankings) == {"1": ("b", "a"), "2": ("a",)}
        assert dict(run.scores) == {"1": (10.0, 0.5), "2": (-3.0,)}
        assert (run.tag, run.topics) == ("t", ("1", "2"))

    def test_ties_go_to_the_greater_identifier(self):
        assert parse_run("1 Q0 a 1 2 t\n1 Q0 B 2 2 t\n1 Q0 b 3 2 t\n").rankings["1"] == ("b", "a", "B")

    def test_scores_equal_in_single_precision_are_ties(self):
        # 0.1 and 0.1 + 1e-10 differ as doubles only; trec_eval can't tell them apart.
        assert parse_run("1 Q0 a 1 0.1000000001 t\n1 Q0 b 2 0.1 t\n").rankings["1"] == ("b", "a")

    @pytest.mark.parametrize("decimals", [0, 1, 6])
    def test_the_order_is_that_of_trec_eval(self, decimals):
        """Scores that are tied more or less often; documents in any order."""
        rng = np.random.default_rng(decimals)
        lines = [
            f"{topic} Q0 d{number} 1 {score:.{decimals}f} mine"
            for topic in range(10)
            for number, score in zip(rng.permutation(200), rng.uniform(0, 20, 200), strict=True)
        ]
        run = parse_run("\n".join(lines))
        for topic, documents in run.rankings.items():
            scores = dict(zip(documents, run.scores[topic], strict=True))
            half = {document: int(position % 2 == 0) for position, document in enumerate(documents)}
            measured = pytrec_eval.RelevanceEvaluator({topic: half}, {"map"}).evaluate({topic: scores})
            ranks = [rank for rank, document in enumerate(documents, start=1) if half[document]]
            expected = sum(n_relevant / rank for n_relevant, rank in enumerate(ranks, start=1)) / len(ranks)
            assert measured[topic]["map"] == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(
        "source",
        [
            "1 Q0 a 1 2 t\n1 Q0 b 2 1 t",
            b"\xef\xbb\xbf1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t\r\n",
            "\ufeff1\tQ0\ta\t1\t2\tt\n\n  \n 1 Q0  b 2 1 t \n",
            ["1 Q0 a 1 2 t\n", "1 Q0 b 2 1 t\n"],
            (line for line in [b"1 Q0 a 1 2 t\r\n", b"1 Q0 b 2 1 t"]),
        ],
        ids=["text", "bytes with mark and CRLF", "tabs and blank lines", "lines", "lines of bytes"],
    )
    def test_every_kind_of_source_reads_the_same(self, source):
        assert dict(parse_run(source).rankings) == {"1": ("a", "b")}

    def test_topics_may_be_restricted(self):
        assert parse_run(GOOD, topics={"301"}).topics == ("301",)
        with pytest.raises(FormatError, match=r"line 2, column topic: '999' is not a topic of this collection"):
            parse_run(GOOD + "999 Q0 d1 1 1 mine", topics=["301"])

    def test_the_rankings_cannot_be_changed(self):
        with pytest.raises(TypeError):
            parse_run(GOOD).rankings["301"] = ()


class TestRefusedRun:
    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ("301 Q0 d2 2 3.0", "has 5 fields where a run has 6: topic Q0 document rank score tag"),
            ("301 Q0 d2 2 3.0 mine extra", "has 7 fields"),
            ("301 Q0 d1 2 3.0 mine", "column document: 'd1' occurs twice for topic '301'"),
            ("301 Q0 d2 2 3.0 yours", "column tag: has the tag 'yours' after 'mine'"),
            ("301 Q0 d\x002 2 3.0 mine", "column document: must be 1 to 256 printable ASCII"),
            ("301 Q0 d\ud8002 2 3.0 mine", "column document: must be 1 to 256 printable ASCII"),
            ("301 Q0 d\u20282 2 3.0 mine", "column document: must be 1 to 256 printable ASCII"),
            ("301\u00a0Q0 d2 2 3.0 mine x", "column topic: must be 1 to 256 printable ASCII"),
            ("3٠1 Q0 d2 2 3.0 mine", "column topic: must be 1 to 256 printable ASCII"),
            (f"301 Q0 {'d' * 257} 2 3.0 mine", "column document: must be 1 to 256 printable ASCII"),
            ("301 Q0 d2 2 3.0\r7 mine", "column score: must be a decimal number"),
            ("301 Q0 d2 2 3.0 mine\r301 Q0 d3 3 2.0 mine", "a carriage return alone does not end a line"),
        ],
    )
    def test_a_bad_line_is_named(self, bad, message):
        with pytest.raises(FormatError, match=message) as caught:
            parse_run(GOOD + bad + "\n")
        assert caught.value.line == 2

    @pytest.mark.parametrize(
        "score",
        [
            "nan",
            "inf",
            "-Infinity",
            "1e400",
            "1e39",
            "-1e39",
            "1_000",
            "٣",
            "१",
            "１",
            "0x10",
            "1,5",
            "1e",
            ".",
            "1" * 41,
        ],
    )
    def test_a_score_that_is_not_a_finite_decimal_number_is_refused(self, score):
        with pytest.raises(FormatError, match=r"must be a decimal number|must lie within") as caught:
            parse_run(GOOD + f"301 Q0 d2 2 {score} mine\n")
        assert (caught.value.line, caught.value.column) == (2, "score")

    @pytest.mark.parametrize("score", ["1", "+1", "-.5", "1.", "1e-300", "3.4028234663852886e38", "0", "-0", "1E+2"])
    def test_any_way_to_write_a_decimal_number_is_read(self, score):
        assert parse_run(f"301 Q0 d 1 {score} t").scores["301"] == (float(score),)

    @pytest.mark.parametrize("source", ["", b"", "\n \n", [], b"\xef\xbb\xbf"])
    def test_nothing_is_refused(self, source):
        with pytest.raises(FormatError, match="is empty; a run has at least one line"):
            parse_run(source)

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            (b"\x1f\x8b\x08\x00abc", r"is compressed \(gzip\)"),
            (b"PK\x03\x04abc", r"is compressed \(zip\)"),
            (b"BZh91AY", r"is compressed \(bzip2\)"),
            (b"\xfd7zXZ\x00", r"is compressed \(xz\)"),
            (b"\x28\xb5\x2f\xfd$", r"is compressed \(zstd\); unpack it first"),
            (GOOD.encode("utf-16"), "is UTF-16; save it as UTF-8"),
            (b"\xfe\xff" + GOOD.encode("utf-16-be"), "is UTF-16"),
            (GOOD.encode() + b"301 Q0 d\xff 2 1 mine\n", r"line 2: is not UTF-8 text \(byte 0xff\)"),
            ([GOOD.encode(), b"301 Q0 d\xed\xa0\x80 2 1 mine\n"], "line 2: is not UTF-8 text"),
        ],
    )
    def test_bytes_that_are_not_text_are_refused(self, source, message):
        with pytest.raises(FormatError, match=message):
            parse_run(source)

    @pytest.mark.parametrize("source", [Path("run.txt"), None, 7, [1, 2]])
    def test_a_path_is_not_opened_and_silently_found_empty(self, source):
        with pytest.raises(ArgumentError, match="source must"):
            parse_run(source)

    def test_messages_stay_short_whatever_the_file_holds(self):
        with pytest.raises(FormatError) as caught:
            parse_run(GOOD + "301 Q0 " + "x" * 10_000_000 + " 2 1 mine\n")
        assert len(str(caught.value)) < 200


class TestJudgements:
    def test_grades_by_topic(self):
        judgements = parse_judgements("1 0 a 2\n1 0 b -1\n1 0 c 0\n2 0 a 1\n")
        assert judgements.topics == ("1", "2")
        assert dict(judgements.grades["1"]) == {"a": 2, "b": -1, "c": 0}
        assert judgements.relevant("1") == {"a"}
        assert judgements.relevant("2", minimum_grade=2) == frozenset()
        assert judgements.relevant("unknown") == frozenset()

    @pytest.mark.parametrize(
        "source",
        [
            "1 0 a 2\n1 0 b -1\n",
            "1 0 a 2.0\n1 0 a 2\n1 0 b -1.00\n",
            '{"1": {"a": 2, "b": -1.0}}',
            "1 a 2\n1 b -1\n",
            b"\xef\xbb\xbfquery-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t-1\n",
            "topic iteration document grade\n1 Q0 a 2\n1 Q0 b -1\n1 Q0 a 2",
        ],
    )
    def test_judgements_of_beir_with_a_head_whole_decimals_or_twin_lines_are_the_same(self, source):
        assert {topic: dict(grades) for topic, grades in parse_judgements(source).grades.items()} == {
            "1": {"a": 2, "b": -1}
        }

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ("1 0 a 1", "line 2, column document: 'a' is judged twice for topic '1'"),
            ("1 1 a 1", "line 2, column document: 'a' is judged twice for topic '1'"),
            ("1 0 b 0.5", "line 2, column grade: must be a whole number; got '0.5'"),
            ("1 0 b ١", "line 2, column grade: must be a whole number"),
            ("1 0 b 12345678901", "line 2, column grade: must be a whole number"),
            ("1 0 b", "line 2: has 3 fields where a judgement has 4: topic iteration document grade"),
        ],
    )
    def test_a_bad_line_is_named(self, bad, message):
        with pytest.raises(FormatError, match=message):
            parse_judgements("1 0 a 2\n" + bad)

    def test_nothing_is_refused(self):
        with pytest.raises(FormatError, match="judgements have at least one line"):
            parse_judgements(b"")


class TestScoreTable:
    def test_topics_are_rows_and_systems_columns(self):
        matrix = parse_score_table('topic,"a, b",c\n1,0.5,1\n2, 0.25 ,-0\n')
        assert (matrix.systems, matrix.topics) == (("a, b", "c"), ("1", "2"))
        assert matrix.scores.tolist() == [[0.5, 0.25], [1.0, 0.0]]

    @pytest.mark.parametrize(("cell", "called"), [("", "empty"), ("NA", "NA")])
    def test_a_missing_score_is_refused_or_treated_as_chosen(self, cell, called):
        text = f"topic,a,b\n1,0.5,1\n2,{cell},0\n3,1,1\n"
        with pytest.raises(FormatError, match=f"line 3, column a: is {called}; choose what a missing score means"):
            parse_score_table(text)
        assert parse_score_table(text, missing="zero").scores.tolist() == [[0.5, 0, 1], [1, 0, 1]]
        common = parse_score_table(text, missing="intersect")
        assert (common.topics, common.dropped_topics, common.missing) == (("1", "3"), ("2",), "intersect")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "line 1: has no header of columns separated by commas or tabs"),
            ("topic;a\n1;0,5\n", r"separated by commas or tabs|has 1 score "),
            ("topic;a;b\n1;0.5;1\n", r"semicolons are not"),
            (",\n", "line 1: has no column of scores"),
            ("topic,\n1,2\n2,3\n", "line 1: the name of column 2 must be 1 to 256 printable characters"),
            ("topic,a\u202eb\n1,2\n", "the name of column 2 must be 1 to 256 printable characters"),
            ("topic,a\ud800\n1,2\n", "the name of column 2 must be 1 to 256 printable characters"),
            ("topic,a,a\n1,2,3\n", "line 1: has two columns 'a'"),
            ("topic,a\n1,2,3\n", "line 2: has 2 scores where the header has 1 system$"),
            ("topic,a\n1\n", "line 2: has 0 scores"),
            ("topic,a,b\n1,2\n", "line 2: has 1 score where the header has 2 systems$"),
            ("topic,a\n1,2\n1,3\n", "line 3: topic '1' occurs twice"),
            ("topic,a\n1,2\nall,3\n", "line 3: 'all' is a summary, not a topic"),
            ("topic,a\n1,2\n,3\n", "line 3, column topic: must be 1 to 256 printable ASCII"),
            ("topic,a\n1,nan\n", "line 2, column a: must be a decimal number"),
            ("topic,a\n1,0\x001\n", "line 2, column a: must be a decimal number"),
            ('topic,a\n1,"0.5\n2,0.5\n', "line 2: "),
            ('topic,a\n1,"0.5\n2,0.5"\n3,1\n', "line 2: has a quoted cell that does not end on its line"),
            (f"topic,a\n{'x' * 200_000},1\n", "line 2: can't be read as CSV: field larger"),
            ("topic,a\n1,0.5\n", "has one topic with a score of every system; a table has at least two"),
        ],
    )
    def test_a_bad_table_is_refused_with_its_line(self, text, message):
        with pytest.raises(FormatError, match=message):
            parse_score_table(text)

    def test_topics_without_a_score_in_common_are_refused(self):
        with pytest.raises(FormatError, match="has no topic with a score of every system"):
            parse_score_table("topic,a,b\n1,0.5,\n2,,0\n", missing="intersect")

    def test_names_of_systems_have_256_characters_at_most(self):
        assert parse_score_table(f"topic,{'x' * 256}\n1,0.5\n2,0.5\n").systems == ("x" * 256,)
        with pytest.raises(FormatError, match="the name of column 2 must be 1 to 256 printable characters; got 'xxx"):
            parse_score_table(f"topic,{'x' * 257}\n1,0.5\n2,0.5\n")


class TestAllFaultsAtOnce:
    """A file is refused once, with everything that is wrong with it."""

    def faults(self, parse, source, **options):
        with pytest.raises(FormatError) as caught:
            parse(source, **options)
        return [(fault.line, fault.column) for fault in (caught.value, *caught.value.others)]

    def test_of_a_run_line_by_line(self):
        source = GOOD + "301 Q0 d2 2\n301 Q0 d3 3 1_0 mine\n301 Q0 d1 4 1 mine\n301 Q0 d4 5 0 yours\n"
        assert self.faults(parse_run, source) == [(2, None), (3, "score"), (4, "document"), (5, "tag")]

    def test_a_foreign_topic_or_tag_is_named_where_it_comes_first(self):
        source = GOOD + "".join(f"999 Q0 d{number} 1 1 yours\n" for number in range(50))
        assert self.faults(parse_run, source, topics=["301"]) == [(2, "topic"), (3, "tag")]

    def test_of_judgements(self):
        assert self.faults(parse_judgements, "1 0 a 1.5\n1 0 b 1\n1 0 b 2\n") == [(1, "grade"), (3, "document")]

    def test_of_a_table_cell_by_cell(self):
        source = "topic,a,b\n1,x,\n1,0.1\nall,1,1\n2,0.1,0.2\n"
        expected = [(2, "a"), (2, "b"), (3, None), (3, None), (4, None)]
        assert self.faults(parse_score_table, source) == expected

    def test_what_is_behind_an_open_quote_is_not_guessed_at(self):
        assert self.faults(parse_score_table, 'topic,a\n1,x\n2,"0.1\n3,y\n') == [(2, "a"), (3, None)]

    def test_lines_that_are_not_text(self):
        source = GOOD.encode() + b"301 Q0 \xff 2 1 mine\n301 Q0 d3 3 x mine\n301 Q0 \xfe 2 1 mine\n"
        assert self.faults(parse_run, source) == [(2, None), (3, "score"), (4, None)]

    def test_a_hundred_are_named_and_the_others_counted(self):
        with pytest.raises(FormatError) as caught:
            parse_run(GOOD + "301 Q0 d2\n" * 10_000)
        error = caught.value
        assert (error.line, len(error.others), error.others[-1].line, error.n_untold) == (2, 99, 101, 9900)
        message = str(error).split("\n")
        assert (len(message), message[-1]) == (101, "and 9900 more")

    def test_memory_does_not_grow_with_the_faults(self):
        """Neither the faults nor the long lines they stand on are held."""

        def bad_lines(count):
            return ("301 Q0 " + "x" * 50_000 + f"{number} 2 1 mine\n" for number in range(count))

        peaks = []
        for count in (200, 600):
            tracemalloc.start()
            with pytest.raises(FormatError):
                parse_run(bad_lines(count))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 1.5 * peaks[0] < 3_000_000


def test_the_examples_of_the_page_run():
    page = Path(__file__).parents[3] / "docs" / "file-formats.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_a_frame_of_pandas_keeps_its_names_wide_or_long():
    wide = pandas.DataFrame({"BM25": [0.1, 0.4], "SPLADE": [0.2, 0.5]}, index=[301, 302])
    long = wide.rename_axis("topic").melt(ignore_index=False, var_name="run", value_name="AP").reset_index()
    for matrix in (ScoreMatrix.from_frame(wide), ScoreMatrix.from_frame(long, system="run", topic="topic", score="AP")):
        assert (matrix.systems, matrix.topics) == (("BM25", "SPLADE"), ("301", "302"))
        assert matrix.scores.tolist() == [[0.1, 0.4], [0.2, 0.5]]
    wide.loc[303] = [0.3, float("nan")]
    with pytest.raises(ArgumentError, match="'SPLADE' lacks '303'"):
        ScoreMatrix.from_frame(wide)
    assert ScoreMatrix.from_frame(wide, missing="intersect").dropped_topics == ("303",)
    assert ScoreMatrix.from_frame(wide, missing="zero").scores[1].tolist() == [0.2, 0.5, 0.0]
    with pytest.raises(ArgumentError, match="lacks"):
        ScoreMatrix.from_frame(long, system="run", topic="query", score="AP")
