"""Numbers and dates: one meaning or a refusal that says what to write."""

from datetime import date

import pytest

from analysis.readers.numbers import parse_date, parse_number, parse_printed, parse_whole, parse_year
from analysis.readers.rejections import Refused

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    "text", ["0.2345", "0.30", ".312", "1", "0", "+0.5", "-0", "0.46142000000000005", "0." + "3" * 38]
)
def test_a_decimal_is_kept_as_printed(text):
    assert parse_printed(f" {text} ", low=0, high=1, name="AP") == text


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "is no value; leave out results that have none"),
        ("n/a", "is no value; leave out results that have none"), ("-", "is no value"), ("–", "is no value"),
        ("NaN", "is not a score"), ("inf", "is not a score"), ("-Infinity", "is not a score"),
        ("1,234", "has a comma in it; write 1234, or 1.234 for a decimal comma"),
        ("0,2345", "has a comma in it; write 0.2345 for a decimal comma"),
        ("1,2,3", "has a comma in it; write it without"), ("1,234.5", "has a comma in it; write 1234.5"),
        ("٣", "is not written with the digits 0 to 9"),
        ("−0.1", "is not written with the digits 0 to 9 and a point or minus of plain text"),
        ("0.２", "is not written with the digits 0 to 9"), ("1_000", "has underscores in it; write the digits alone"),
        ("1e400", "is in scientific notation; no score is of that size"),
        ("1e-21", "is in scientific notation; no score is of that size"),
        ("1.5e1", "1.5e1 is above 1, where AP ends"), ("-6e-05", "-6e-05 is below 0, where AP begins"),
        ("1e", "is not a number"), ("1." + "0" * 40 + "e-05", "has 46 characters; the most is 40"),
        ("23.4%", "is a percentage; divide by 100"), ("0.2345*", "is not a number; write a plain decimal, as 0.2345"),
        ("0.2 0.3", "is not a number"), ("5.", "is not a number"), ("0x1F", "is not a number"),
        ("true", "is not a number"), ("0." + "1" * 60, "has 62 characters; the most is 40"),
        ("9" * 39, "is above 1, where AP ends"),
        ("23.4", 'is above 1, where AP ends; if it is a percentage, write "0.234"'),
        ("100", 'if it is a percentage, write "1.00"'), ("101", "101 is above 1, where AP ends"),
        ("-0.1", "-0.1 is below 0, where AP begins"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_advice(text, advice):
    with pytest.raises(Refused) as caught:
        parse_printed(text, low=0, high=1, name="AP")
    assert advice in caught.value.message


def test_without_a_range_only_absurd_values_are_refused():
    assert parse_printed("-1523.75") == "-1523.75"
    with pytest.raises(Refused, match="beyond any score"):
        parse_printed("9" * 20)


@pytest.mark.parametrize(("text", "value"), [("7e-04", 0.0007), ("1E0", 1.0), ("0.25", 0.25), ("1.e-2", 0.01)])
def test_tables_written_by_programs_may_use_scientific_notation(text, value):
    assert parse_number(text, low=0, high=1, name="AP") == value


def test_whole_numbers():
    assert parse_whole(" 50 ") == 50
    assert parse_whole("") is None
    assert parse_whole("6,980") == 6980
    assert parse_whole("8,841,823") == 8841823
    for text in ("-1", "5.0", "1e3", "٣", "²", "1_0", "9" * 30):
        with pytest.raises(Refused, match="is not a whole number"):
            parse_whole(text)
    with pytest.raises(Refused, match="is not between 1 and 10"):
        parse_whole("11", minimum=1, maximum=10)


def test_years_from_1950_to_next_year():
    assert [parse_year(text, today=TODAY) for text in ("1950", "2027", "")] == [1950, 2027, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("20044", "'20044' is not a year between 1950 and 2027; did you mean 2004?"),
        ("2004.0", "did you mean 2004?"),
        ("1949", "'1949' is not a year between 1950 and 2027"),
        ("2028", "'2028' is not a year"),
        ("٢٠٠٤", "is not a year"),
        ("'04", "is not a year"),
        ("-2004", "is not a year"),
    ],
)
def test_other_years_are_refused(text, message):
    with pytest.raises(Refused) as caught:
        parse_year(text, today=TODAY)
    assert message in caught.value.message


def test_dates_are_iso_dates():
    assert parse_date("2004-11-19", today=TODAY) == date(2004, 11, 19)
    assert parse_date("", today=TODAY) is None
    for text in ("20041119", "19.11.2004", "2004-W47-5", "2004-02-30", "2004-11", "٢٠٠٤-11-19"):
        with pytest.raises(Refused, match="write year-month-day, as 2004-11-19"):
            parse_date(text, today=TODAY)
    for text in ("2026-11-23", "1949-12-31"):
        with pytest.raises(Refused, match="or in the future"):
            parse_date(text, today=TODAY)
