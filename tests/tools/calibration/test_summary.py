"""Boards and suites that were measured, in rows: small ones, counted by hand."""

from dataclasses import replace

from analysis.boards._calibration_table import CalibrationRow, SuiteCalibrationRow
from tools.calibration.summary import BoardRecord, SuiteRecord, summarize, summarize_suites

BOARD = BoardRecord(
    evidence="own-topics",
    family="AP",
    collection="a",
    measure="AP",
    systems=1,
    topics=2,
    world="equal",
    n_rows=15,
    held=0.9,
    n_members=4.0,
    false_leaders=0.0,
)
SUITE = SuiteRecord(
    question="other-collections", suite="a", systems=0, collections=1, world="equal", n_rows=5, held=0.9, n_members=2.0
)


def test_boards_of_a_class_are_one_row_of_their_family_and_one_of_all():
    """What is not known of a board counts nowhere."""
    other = replace(
        BOARD, collection="b", measure="AP@100", n_rows=16, held=0.7, n_members=7.0,
        false_leaders=0.1,
    )  # fmt: skip
    of_family = CalibrationRow(
        evidence="own-topics",
        family="AP",
        variance_class="",
        n_tables=2,
        min_systems=10,
        max_systems=29,
        min_topics=50,
        max_topics=99,
        world="equal",
        n_boards=3,
        n_collections=2,
        coverage=0.8333,
        coverage_low=0.7,
        coverage_min=0.7,
        n_rows=15.3333,
        n_members=5.0,
        false_leaders=0.0333,
    )
    assert summarize([BOARD, other, BOARD]) == (of_family, replace(of_family, family="all"))
    row, _ = summarize([replace(BOARD, false_leaders=None)])
    assert row.false_leaders is None


def test_what_is_predicted_has_a_row_for_each_family_and_class_whatever_the_size():
    predicted = replace(BOARD, evidence="predicted", variance_class="many")
    rows = summarize([predicted, replace(predicted, systems=0, topics=3, held=0.8)])
    assert [(row.key, row.n_boards, row.coverage) for row in rows] == [("predicted-AP-many", 2, 0.85)]
    (row,) = rows
    assert (row.min_systems, row.max_systems, row.min_topics, row.max_topics) == (2, None, 25, None)
    blind = replace(BOARD, evidence="predicted-without-density", variance_class="unknown")
    (row,) = summarize([blind, replace(blind, family="P", collection="b")])
    assert (row.key, row.n_tables) == ("predicted-without-density-all-unknown", 2)


def test_suites_have_a_row_for_each_question_and_size():
    other = replace(SUITE, suite="b", n_rows=9, held=1.0, n_members=5.0)
    summary = SuiteCalibrationRow(
        question="other-collections",
        min_systems=2,
        max_systems=9,
        min_collections=12,
        max_collections=15,
        world="equal",
        n_boards=2,
        n_suites=2,
        coverage=0.95,
        coverage_low=0.9,
        coverage_min=0.9,
        n_rows=7.0,
        n_members=3.5,
    )
    assert summarize_suites([SUITE, other]) == (summary,)
    same = replace(SUITE, question="same-collections", collections=0)
    rows = summarize_suites([same, replace(SUITE, systems=2), replace(SUITE, world="as-measured"), SUITE])
    assert [(row.key, row.world) for row in rows] == [
        ("other-collections-2-12", "as-measured"),
        ("other-collections-2-12", "equal"),
        ("other-collections-30-12", "equal"),
        ("same-collections-2-2", "equal"),
    ]
