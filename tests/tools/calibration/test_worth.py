"""The value, its interval and sets where the truth is known, on the matrices that ship, beside another study."""

from contextlib import redirect_stdout
from io import StringIO

import pytest

from tools.calibration.__main__ import main


@pytest.fixture(scope="module")
def printed():
    """Return what the command prints: numbers by what stands before them."""
    with redirect_stdout(StringIO()) as out:
        assert main(["worth", "data", "--trials", "60"]) == 0
    rows = [(line[:24].strip(), line[24:].split()) for line in out.getvalue().splitlines()]
    return {name: [float(word) for word in words if word[-1].isdigit()] for name, words in rows if words[1:]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "raw", "value", "held"),
    [
        ("as is", 1.28, 1.10, 0.958), ("shrunk to a fifth", 1.96, 1.06, 0.957), ("all equal", 2.26, 0.89, 0.963),
        ("50 copies of the best", 1.33, 1.15, 0.949), ("25 topics", 1.46, 1.18, 0.949),
    ],
)  # fmt: skip
def test_values_are_off_as_another_study_found_on_forty_matrices(printed, world, raw, value, held):
    raw_off, _, corrected, _, held_off, _ = printed[world]
    assert corrected < raw_off
    assert (raw_off, corrected) == pytest.approx((raw, value), abs=0.2)
    assert held_off == pytest.approx(held, abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", ["2", "3", "5"])
def test_sets_of_few_rows_leave_the_best_out_as_often_as_they_say(printed, n_rows):
    assert max(printed[n_rows]) <= 0.055


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "by_turns"), [("1.0", 0.96), ("1.7", 0.84), ("3.3", 0.64)])
def test_sets_hold_where_topics_are_turns_that_count_as_conversations(printed, effect, by_turns):
    by_conversation, by_turn = printed[f"19 of effect {effect}"]
    assert by_conversation >= 0.92
    assert by_turn == pytest.approx(by_turns, abs=0.1)
