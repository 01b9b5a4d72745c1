"""Scores as they are printed: their digits and units, and when two prints contradict each other."""

import pytest

from analysis.readers.numbers import FRACTION, PERCENT, PrintedScore, parse_score, parse_unit
from analysis.readers.rejections import Refused


@pytest.mark.parametrize(
    ("first", "second", "contradict"),
    [
        (PrintedScore("0.3012"), PrintedScore("0.3012"), False),
        (PrintedScore("0.3012"), PrintedScore("0.3013"), False),
        (PrintedScore("0.3012"), PrintedScore("0.3014"), True),
        (PrintedScore("0.301"), PrintedScore("0.3014"), False),
        (PrintedScore("0.301"), PrintedScore("0.3016"), True),
        (PrintedScore("0.301"), PrintedScore("0.302"), True),
        (PrintedScore("82.15", PERCENT), PrintedScore("82.14", PERCENT), False),
        (PrintedScore("38.0", PERCENT), PrintedScore("38.3", PERCENT), True),
        (PrintedScore("38.0", PERCENT), PrintedScore("0.3804"), False),
        (PrintedScore("0.9068600000000001"), PrintedScore("0.90686"), False),
    ],
)
def test_rounding_and_machines_explain_small_differences(first, second, contradict):
    assert first.contradicts(second) is contradict
    assert second.contradicts(first) is contradict


@pytest.mark.parametrize(
    ("score", "digits", "decimals", "shown", "within"),
    [
        (PrintedScore("0.30"), "0.30", 2, "0.30", "0.30"),
        (PrintedScore("75.59", PERCENT), "0.7559", 4, "0.7559", "0.7559"),
        (PrintedScore("75.591", PERCENT), "0.75591", 5, "0.75591", "0.7559"),
        (PrintedScore("0.123456"), "0.123456", 6, "0.123456", "0.1235"),
        (PrintedScore("0.1234567"), "0.1234567", 7, "0.1235", "0.1235"),
        (PrintedScore("6e-05"), "0.00006", 5, "0.00006", "0.0001"),
        (PrintedScore("1"), "1", 0, "1", "1"),
    ],
)
def test_digits_on_the_scale_of_the_measure(score, digits, decimals, shown, within):
    assert (score.digits, score.decimals, score.shown(4), score.within(4)) == (digits, decimals, shown, within)
    assert score.value == float(digits)


def test_digits_that_a_machine_made_up_are_told_from_real_ones():
    noisy, plain = PrintedScore("0.9068600000000001"), PrintedScore("0.90686")
    assert (noisy.has_noise, plain.has_noise) == (True, False)
    assert (noisy.digits, str(noisy), str(PrintedScore("38.0", PERCENT))) == ("0.90686", "0.9068600000000001", "38.0 %")


def test_the_same_digits_say_the_same_in_whatever_unit():
    assert PrintedScore(".3").says_the_same_as(PrintedScore("0.3"))
    assert PrintedScore("30", PERCENT).says_the_same_as(PrintedScore("0.30"))
    assert not PrintedScore("0.30").says_the_same_as(PrintedScore("0.3"))
    assert not PrintedScore("0.3").says_the_same_as(PrintedScore("0.4"))


@pytest.mark.parametrize(
    ("text", "unit", "high", "read"),
    [
        (" 0.25 ", "", 1, PrintedScore("0.25")),
        ("25.0 %", "", 1, PrintedScore("25.0", PERCENT)),
        ("25.0", PERCENT, 1, PrintedScore("25.0", PERCENT)),
        ("100", PERCENT, 1, PrintedScore("100", PERCENT)),
        ("0", PERCENT, 1, PrintedScore("0", PERCENT)),
        ("25.0%", "", 100, PrintedScore("25.0")),
        ("100", PERCENT, 100, PrintedScore("100")),
        ("25.0%", "", None, PrintedScore("25.0", PERCENT)),
        ("0.5", FRACTION, 1, PrintedScore("0.5")),
    ],
)
def test_scores_are_read_in_their_unit(text, unit, high, read):
    assert parse_score(text, unit, low=0, high=high, name="AP") == read


@pytest.mark.parametrize(
    ("text", "unit", "low", "high", "message"),
    [
        ("0.25%", "", 0, 10, "is in percent, and AP ends at 10, not at 1; give it as the measure counts"),
        ("100.1", PERCENT, 0, 1, "100.1 % is above 100 %, where AP ends"),
        ("-1", PERCENT, 0, 1, "-1 % is below 0 %, where AP begins"),
        ("-51", PERCENT, -0.5, 1, "-51 % is below -50 %, where AP begins"),
        ("25.3", "", 0, 1, "25.3 is above 1, where AP ends; if it is in percent, say so by the unit percent, "
         "or by writing 25.3%"),
        ("101", "", 0, 1, "101 is above 1, where AP ends"),
        ("-0.5", "", 0, 1, "-0.5 is below 0, where AP begins"),
        ("12", "", 0, 10, "12 is above 10, where AP ends"),
        ("high", "", 0, 1, "'high' is not a number; write a plain decimal, as 0.2345"),
    ],
)  # fmt: skip
def test_scores_that_cannot_be_are_refused_with_advice(text, unit, low, high, message):
    with pytest.raises(Refused) as caught:
        parse_score(text, unit, low=low, high=high, name="AP")
    assert caught.value.message == message


def test_what_may_be_in_percent_can_be_chosen_to_be():
    with pytest.raises(Refused) as caught:
        parse_score("25.3", low=0, high=1, name="AP")
    (candidate,) = caught.value.candidates
    assert (candidate.value, candidate.label, candidate.detail) == ("25.3%", "25.3 %", "in percent")
    with pytest.raises(Refused) as caught:
        parse_score("-25.3", low=0, high=1, name="AP")
    assert caught.value.candidates == ()


def test_units_go_by_their_names_or_a_sign():
    assert [parse_unit(text) for text in ("", "%", " Percent", "fraction")] == ["", PERCENT, PERCENT, FRACTION]
    with pytest.raises(Refused, match="'kg' is neither percent nor fraction; blank is the measure's own"):
        parse_unit("kg")
