"""Reading scores in detail: lines and their numbers, limits on both sides, the exact words of what is refused."""

import numpy as np
import pytest

from analysis.errors import ArgumentError, FormatError
from analysis.scores import (
    InstanceScores,
    ScoreMatrix,
    check_reachable,
    measure_kind,
    parse_judgements,
    parse_run,
    parse_score_table,
    parse_topic_scores,
    real_digits,
    topic_denominator,
)
from analysis.scores._matrix import check_matrix
from analysis.scores._text import NUMBER, TOKEN, Faults, as_number, check_field, lines, shown, table_rows


class TestText:
    def test_what_is_shown_has_60_characters_at_most(self):
        assert shown("é\n") == r"'\xe9\n'"
        assert shown("x" * 60) == f"'{'x' * 60}'"
        assert shown("x" * 61) == f"'{'x' * 57}'..."

    def test_a_hundred_faults_are_kept_in_order_and_none_refuse_nothing(self):
        faults = Faults()
        faults.refuse_any()
        for line in range(1, 103):
            faults.add(FormatError("bad", line=line, column="c"))
        with pytest.raises(FormatError) as caught:
            faults.refuse_any()
        error = caught.value
        assert (error.message, error.line, error.column, error.n_untold) == ("bad", 1, "c", 2)
        assert [other.line for other in error.others] == list(range(2, 101))
        assert {other.column for other in error.others} == {"c"}
        assert str(error).splitlines()[-2:] == ["line 100, column c: bad", "and 2 more"]
        assert str(FormatError("bad", column="c")) == "column c: bad"

    def test_an_attempt_keeps_a_fault_and_gives_what_there_is(self):
        faults = Faults()
        assert faults.attempt(as_number, "1.5", 3, "score") == 1.5
        assert faults.attempt(as_number, "x", 4, "score") is None
        with pytest.raises(FormatError, match=r"^line 4, column score: must be a decimal number such as 12\.5 or"):
            faults.refuse_any()

    def test_lines_end_with_their_own_ends_alone(self):
        def read(source):
            faults = Faults()
            found = list(lines(source, faults))
            faults.refuse_any()
            return found

        text = "\ufeffa\r\nb\u2028c\x0cd\n\n\ufeffe\r\r\nf"
        expected = [(1, "a"), (2, "b\u2028c\x0cd"), (3, ""), (4, "\ufeffe\r"), (5, "f")]
        assert read(text) == read(text.encode()) == read(iter(text.split("\n"))) == expected
        assert read([line.encode() for line in text.split("\n")]) == expected
        assert read(["PK\x03\x04"]) == [(1, "PK\x03\x04")]
        assert read([b"a", b"BZh"]) == [(1, "a"), (2, "BZh")]
        with pytest.raises(ArgumentError, match="source must hold lines of text or bytes; got 3"):
            read(["a", 3])
        with pytest.raises(ArgumentError, match="source must be text, bytes or lines; open a path first"):
            read(3)
        with pytest.raises(FormatError, match=r"^line 2: is not UTF-8 text \(byte 0x0?80\)$|byte 0x80"):
            read([b"a", b"\x80"])

    def test_numbers_reach_the_largest_that_there_are(self):
        assert as_number("3.4028234663852886e38", 1, "s", "single") == pytest.approx(3.4028234663852886e38)
        assert as_number("-3.5e38", 1, "s") == -3.5e38
        for text in ("3.4028236e38", "-3.4028236e38"):
            with pytest.raises(FormatError, match=r"^line 1, column s: must lie within ±3\.4e\+38; got"):
                as_number(text, 1, "s", "single")
        for text in ("1e309", "-1.1e70"):
            with pytest.raises(FormatError, match=rf"must lie within ±1e\+70; got '{text}'"):
                as_number(text, 1, "s")
        assert [as_number(text, 1, "s") for text in ("1e70", "-1e-99")] == [1e70, -1e-99]
        assert as_number("1" * 40 + "." + "2" * 40, 1, "s") > 1e39
        for text in ("1" * 41, "1." + "2" * 41, "." + "2" * 41, "1e12345", "", " 1"):
            with pytest.raises(FormatError, match="must be a decimal number such as"):
                check_field(text, NUMBER, 1, "s")
        check_field("x" * 256, TOKEN, 1, "s")
        with pytest.raises(FormatError, match="must be 1 to 256 printable ASCII characters without blanks"):
            check_field("", TOKEN, 1, "s")

    def test_rows_of_a_table_have_the_numbers_of_their_lines(self):
        def read(source):
            faults = Faults()
            found = list(table_rows(source, faults))
            faults.refuse_any()
            return found

        assert read("\n \t\nt, a ,b\n\n1,\t2 ,3\n , \n4,5,\n") == [
            (3, ["t", "a", "b"]), (5, ["1", "\t2", "3"]), (7, ["4", "5", ""])
        ]  # fmt: skip
        assert read("t\ta b\n1\t 2, \n") == [(1, ["t", "a b"]), (2, ["1", "2,"])]
        assert read('t,"a ""b"", c"\n') == [(1, ["t", 'a "b", c'])]
        with pytest.raises(FormatError, match=r"^line 1: has no header of columns separated by .*; got 'a b'$"):
            read("a b\n")
        with pytest.raises(FormatError, match=r"commas or tabs \(semicolons are not\); got 'a;b'$"):
            read("\na;b\n1,2\n")
        with pytest.raises(FormatError, match=r"^line 3: can't be read as CSV: "):
            read('t,a\n1,2\n3,"4"5\n6,7\n')
        with pytest.raises(FormatError, match=r"^line 2: has a quoted cell that does not end on its line$"):
            read('t,a\n1,"2\n"\n3,4\n')


class TestFiles:
    def test_a_run_is_ordered_within_each_topic(self):
        run = parse_run("2 Q0 b 9 1.0 t\n1 Q0 a 1 2e0 t\n2\tQ0  a 9 1.0 t\n  2 Q0 c 1 3 t \n\n")
        assert run.topics == ("2", "1")
        assert dict(run.rankings) == {"2": ("c", "b", "a"), "1": ("a",)}
        assert dict(run.scores) == {"2": (3.0, 1.0, 1.0), "1": (2.0,)}
        assert run.tag == "t"
        with pytest.raises(ArgumentError, match="topics must hold any number of labels"):
            parse_run("1 Q0 a 1 2 t\n", topics="1")
        with pytest.raises(FormatError) as caught:
            parse_run("1 Q0 a 1 2 t\n1 Q0 a 1\n1 Q0 b 1 1 u\n1 Q0 c 1 1 t\n1 Q0 d 1 1 v\n")
        assert str(caught.value).splitlines() == [
            "line 2: has 4 fields where a run has 6: topic Q0 document rank score tag; got '1 Q0 a 1'",
            "line 3, column tag: has the tag 'u' after 't'; give one run per file",
            "line 5, column tag: has the tag 'v' after 't'; give one run per file",
        ]

    def test_grades_at_the_minimum_are_relevant(self):
        judgements = parse_judgements("1 0 a 1\n1 0 b 2\n1 0 c -1\n2 0 a 0\n")
        assert judgements.topics == ("1", "2")
        assert [judgements.relevant("1", grade) for grade in (1, 2, 3)] == [{"a", "b"}, {"b"}, frozenset()]
        assert judgements.relevant("1") == {"a", "b"}
        assert judgements.relevant("9") == judgements.relevant("2") == frozenset()
        for topic, grade, message in (
            (1, 1, "topic must be text"),
            ("1", 0, "minimum_grade must be a whole number, 1 or more"),
        ):
            with pytest.raises(ArgumentError, match=message):
                judgements.relevant(topic, grade)
        with pytest.raises(FormatError, match=r"^line 2, column document: 'a' is judged twice for topic '1'$"):
            parse_judgements("1 0 a 1\n1 0 a 1\n1 0 b 1\n")

    def test_summaries_are_kept_as_printed_and_once(self):
        found = parse_topic_scores("map 1 0.5\nmap all 0.50\nnum_q all x\nP_5 1 .2\nmap 2 1\n", topics=["1", "2"])
        assert {name: dict(scores) for name, scores in found.scores.items()} == {
            "map": {"1": 0.5, "2": 1.0}, "P_5": {"1": 0.2}
        }  # fmt: skip
        assert dict(found.summary) == {"map": "0.50", "num_q": "x"}
        for text, message in (
            ("map 1 1\nmap all 1\nmap all 2\n", "^line 3, column measure: 'map' occurs twice for topic 'all'$"),
            ("map 1 1\nmap 1 1\n", "^line 2, column measure: 'map' occurs twice for topic '1'$"),
            ("map all 1\n", "^has no score of a single topic; trec_eval prints them with -q$"),
            ("map 3 1\n", "^line 1, column topic: '3' is not a topic of this collection$"),
        ):
            with pytest.raises(FormatError, match=message):
                parse_topic_scores(text, topics=["1", "2"])

    def test_a_table_leaves_out_or_fills_what_is_missing(self):
        text = "topic,a,b\n1,0.5,NA\n2,0.25,0.75\n\n3,1,0\n"
        common = parse_score_table(text, missing="intersect", topics=["1", "2", "3"])
        assert (common.topics, common.dropped_topics, common.missing) == (("2", "3"), ("1",), "intersect")
        assert parse_score_table(text, missing="zero").scores.tolist() == [[0.5, 0.25, 1], [0, 0.75, 0]]
        assert parse_score_table(text, missing="zero").dropped_topics == ()
        for changed, options, message in (
            (text + "1,1,1\n", {"missing": "intersect"}, "^line 6: topic '1' occurs twice$"),
            (text, {"missing": "zero", "topics": ["1", "2"]}, "^line 5, column topic: '3' is not a topic"),
            (text.replace("NA", "nan"), {"missing": "zero"}, "^line 2, column b: must be a decimal number"),
            ("topic,a,b\n1,1,1\n", {}, "^has one topic with a score of every system; a table has at least two$"),
        ):
            with pytest.raises(FormatError, match=message):
                parse_score_table(changed, **options)


class TestMatrices:
    def test_labels_are_all_different(self):
        for systems, topics, message in (
            (["b", "a", "b", "a"], ["1", "2"], r"systems must all be different; got \['a', 'b'\]"),
            (["a", "b", "c", "d"], ["1", "1"], r"topics must all be different; got \['1'\]"),
            (["a", "b", "c"], ["1", "2"], "systems must hold 4 labels"),
            (["a", "b", "c", "d"], ["1"], "topics must hold 2 labels"),
        ):
            with pytest.raises(ArgumentError, match=message):
                ScoreMatrix(systems, topics, np.zeros((4, 2)))
        with pytest.raises(ArgumentError, match="missing must be one of 'refuse', 'intersect', 'zero'"):
            ScoreMatrix(["a"], ["1", "2"], [[0.1, 0.2]], missing="drop")
        with pytest.raises(ArgumentError, match="dropped_topics must hold any number of labels"):
            ScoreMatrix(["a"], ["1", "2"], [[0.1, 0.2]], dropped_topics="3")

    def test_topics_are_those_of_first_appearance(self):
        scores = {"x": {"2": 0.1, "1": 0.2, "9": 0.3}, "y": {"1": 0.4, "3": 0.5, "2": 0.6}}
        with pytest.raises(ArgumentError, match="but 'x' lacks '3' \\(choose missing='intersect' or missing='zero'\\)"):
            ScoreMatrix.from_topic_scores(scores)
        common = ScoreMatrix.from_topic_scores(scores, missing="intersect")
        assert (common.topics, common.dropped_topics) == (("2", "1"), ("9", "3"))
        assert common.scores.tolist() == [[0.1, 0.2], [0.6, 0.4]]
        filled = ScoreMatrix.from_topic_scores(scores, missing="zero")
        assert (filled.topics, filled.dropped_topics, filled.missing) == (("2", "1", "9", "3"), (), "zero")
        assert filled.scores.tolist() == [[0.1, 0.2, 0.3, 0.0], [0.6, 0.4, 0.0, 0.5]]
        part = common.select(["y"])
        assert (part.systems, part.dropped_topics, part.missing) == (("y",), ("9", "3"), "intersect")
        assert check_matrix(part, n_systems=1) is part
        with pytest.raises(ArgumentError, match="other must hold at least 2 systems"):
            check_matrix(part, "other")
        with pytest.raises(ArgumentError, match=r"systems must be among y; got \['z'\]"):
            part.select(["y", "z"])

    def test_instances_of_a_selection_stand_in_the_order_asked_for(self):
        scores = InstanceScores.from_array(
            np.arange(12.0).reshape(3, 2, 2), algorithms=["p", "q", "r"], topics=["8", "9"]
        )
        part = scores.select(["r", "p"])
        assert part.instances == (("r", "1"), ("r", "2"), ("p", "1"), ("p", "2"))
        assert part.scores.tolist() == [[8, 9], [10, 11], [0, 1], [2, 3]]
        assert (part.n_topics, part.n_absent, part.n_instances_of("r")) == (2, 0, 2)
        assert not part.scores.flags.writeable
        assert not part.present.flags.writeable


class TestPrintedScores:
    @pytest.mark.parametrize(
        ("printed", "denominator", "n_topics", "is_reachable"),
        [
            ("0.25", 1, 8, True),
            ("-0.3", 10, 1, True),
            ("-0.66", 1, 3, True),  # -2/3, cut off towards 0
            ("-0.67", 1, 3, True),
            ("-0.68", 1, 3, False),
            ("0.335", 1, 200, True),
            ("0.3", 1, 4, True),  # half a unit from 1/4
            ("0.2", 1, 4, True),
            ("0.4", 1, 2, False),  # a whole unit from 1/2
            ("-0.4", 1, 2, False),
            ("-0.6", 1, 2, False),
            ("0.5", 1, 1, False),
            ("0.3334", 1, 3, False),
            ("0.333333333333", 1, 3, True),
            ("0.33333333333", 1, 3, True),
            ("0.0", 7, 7, True),
            ("0.95", 1, 1, False),
            ("0.9", 1, 1, False),
        ],
    )
    def test_rounded_or_cut_off(self, printed, denominator, n_topics, is_reachable):
        found = check_reachable(printed, denominator=denominator, n_topics=n_topics)
        steps = denominator * n_topics
        value = float(printed)
        assert found.step == 1 / steps
        assert found.below <= value + 1e-12
        assert found.above >= value - 1e-12
        assert found.above - found.below == pytest.approx(0 if (value * steps) % 1 == 0 else 1 / steps)
        digits = len(printed.partition(".")[2])
        near = [np.floor(value * steps) / steps, np.ceil(value * steps) / steps]
        rounded = any(abs(mean - value) <= 0.5 * 10**-digits + 1e-15 for mean in near)
        cut = any(0 <= (mean - value) * (1 if value >= 0 else -1) < 10**-digits - 1e-15 for mean in near)
        assert found.is_reachable is is_reachable is (rounded or cut)

    def test_denominators_end_at_the_tenth_rank(self):
        assert [topic_denominator(f"RR@{k}") for k in (0, 1, 2, 10, 11)] == [None, 1, 2, 2520, None]
        assert [topic_denominator(name) for name in ("P@1", "P@0", "Success@0", "xP@5", "P@5x")] == [
            1, None, 1, None, None
        ]  # fmt: skip

    def test_digits_are_kept_up_to_14(self):
        assert real_digits("0.12345678901234") == "0.12345678901234"
        assert real_digits("0.123456789012345") == "0.123456789012345"
        assert real_digits("0.1234567890123456") == "0.123456789012346"
        assert real_digits("1.2345678901234e1") == "12.345678901234"
        assert real_digits("-0.30000000000000004") == "-0.3"
        # Six units of the last place away from .3 is no noise.
        assert real_digits("0.30000000000000033") == "0.300000000000000"
        for printed in ("", ".", "1e", "1e123", "0x1", " 1"):
            with pytest.raises(ArgumentError, match="printed must be a decimal, as text"):
                real_digits(printed)

    def test_kinds_are_told_by_whole_names(self):
        names = ("rr", "RRx", "mrr_10", "recip-rank", "hits@5", "hitsx", "nDCG_1", "P@12", "P@1x", "top_5_accuracy2")
        kinds = [measure_kind(name).value for name in names]
        assert kinds == [
            "reciprocal-rank", "many-valued", "reciprocal-rank", "many-valued", "success", "many-valued",
            "first-rank", "many-valued", "first-rank", "many-valued",
        ]  # fmt: skip
