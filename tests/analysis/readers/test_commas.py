"""Commas in scores are decimal points where somebody says so, for all of a table."""

import pytest

from analysis.readers.pasted.commas import ask_about_commas, without_commas
from analysis.readers.rejections import Rejection
from analysis.readers.tables import Record


def records(*values: str, notes: str = "") -> list[Record | Rejection]:
    return [Record(line, {"value": value, "notes": notes}) for line, value in enumerate(values, 2)]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (("0,25", "0,30"), "All 2 scores have a comma, as 0,25. Are the commas decimal points?"),
        (("0.25", " ,30 "), "1 of 2 scores has a comma, as ,30. Are the commas decimal points?"),
        (("0,25",), "1 of 1 scores has a comma, as 0,25. Are the commas decimal points?"),
        (("-1,5%", "0.1", "1,0"), "2 of 3 scores have a comma, as -1,5%. Are the commas decimal points?"),
    ],
)
def test_it_is_asked_once_for_all_scores(values, text):
    (question,) = ask_about_commas([*records(*values), Rejection("x", "is wrong", 9)], {})
    assert (question.about, question.text, question.is_open) == ("commas", text, True)
    printed = text.split(", as ")[1].split(". Are")[0]
    assert question.choices == (
        ("point", f"yes: {printed} stands for {printed.replace(',', '.')}"),
        ("refused", "no; scores with a comma will be refused"),
    )
    (answered,) = ask_about_commas(records(*values), {question.key: "point"})
    assert answered.answer == "point"


@pytest.mark.parametrize("value", ["0.25", "1,234,567", "1,", "a,b", ""])
def test_nothing_is_asked_where_no_score_has_a_decimal_comma(value):
    assert ask_about_commas(records(value), {}) == []


def test_scores_are_read_as_answered_with_what_was_printed_in_the_notes():
    given = [*records("0,25", "0.3"), *records("0,4", notes="tuned"), *records("0,5", notes='printed as "0,5*"')]
    (open_question,) = ask_about_commas(given, {})
    (yes,) = ask_about_commas(given, {open_question.key: "point"})
    (no,) = ask_about_commas(given, {open_question.key: "refused"})
    rejection = Rejection("x", "is wrong", 9)
    read = without_commas([*given, rejection], [yes])
    assert [(one.line, one.cells["value"], one.cells["notes"]) for one in read[:-1] if isinstance(one, Record)] == [
        (2, "0.25", 'printed as "0,25"'),
        (3, "0.3", ""),
        (2, "0.4", 'tuned; printed as "0,4"'),
        (2, "0.5", 'printed as "0,5*"'),
    ]
    assert read[-1] is rejection
    for asked in ([no], [open_question], []):
        assert without_commas(given, asked) == given
