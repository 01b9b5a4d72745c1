"""Numbers and dates as people print them: taken only where they can mean one thing, else refused with advice."""

import re
from datetime import date, timedelta
from decimal import Decimal

from analysis.readers.rejections import Refused
from analysis.readers.text import shorten

FIRST_YEAR = 1950
MAX_PRINTED_LENGTH = 40
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)")
_SCIENTIFIC = re.compile(r"(?P<digits>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))[eE](?P<power>[+-]?[0-9]+)")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_DASHES = ("-", "--", "---", "‐", "‑", "‒", "–", "—", "―", "−")
#: What tables print for no number.
_NO_VALUE = frozenset(
    ["", *_DASHES, "/", ".", "?", "n/a", "na", "n.a.", "n.a", "n/r", "n.r.", "none", "null", "tbd", "missing", "oom"]
) | {"not reported", "not available"}
_NOT_FINITE = frozenset({"nan", "inf", "infinity"})
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
#: Powers of ten that a score can have; beyond them something is wrong.
_MAX_EXPONENT = 20


def in_digits(value: float) -> str:
    """Return a number in all of its digits, without an exponent."""
    return f"{Decimal(repr(float(value))).normalize():f}"


def stands_for_nothing(text: str) -> bool:
    """Say whether a cell of a table says that there is no number: blank, a dash, n/a."""
    return text.strip().lower() in _NO_VALUE


def parse_printed(text: str, *, low: float | None = None, high: float | None = None, name: str = "") -> str:
    """Return the number as printed, digits and all, once it is known to be a decimal within the range of ``name``.

    Programs print small numbers in scientific notation: ``6e-05`` is taken as well.
    """
    text = text.strip()
    if not (_DECIMAL.fullmatch(text) or _is_scientific(text)) or len(text) > MAX_PRINTED_LENGTH:
        raise _not_decimal(text)
    value = float(text)
    if high is not None and value > high:
        raise _above(text, value, low, high, name)
    if low is not None and value < low:
        raise Refused("range", f"{text} is below {in_digits(low)}, where {name} begins")
    if not -1e12 < value < 1e12:
        raise Refused("range", f"{shorten(text, 20)} is beyond any score")
    return text


def parse_number(text: str, *, low: float | None = None, high: float | None = None, name: str = "") -> float:
    """Return a finite number, as ``parse_printed`` takes it."""
    return float(parse_printed(text, low=low, high=high, name=name))


def is_number(text: str) -> bool:
    """Say whether the text is a number as ``parse_printed`` takes it."""
    try:
        parse_printed(text)
    except Refused:
        return False
    return True


def _is_scientific(text: str) -> bool:
    match = _SCIENTIFIC.fullmatch(text)
    return match is not None and abs(int(match["power"][:9])) <= _MAX_EXPONENT


def parse_whole(text: str, *, minimum: int = 0, maximum: int = 10**15) -> int | None:
    """Return a whole number written with the digits 0 to 9, with or without commas between thousands; None for
    blank."""
    text = text.strip()
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > len(str(maximum)):
        raise Refused("whole_number", f"{shorten(text)!r} is not a whole number; write digits only, as 50")
    if not minimum <= int(text) <= maximum:
        raise Refused("range", f"{text} is not between {minimum:,} and {maximum:,}")
    return int(text)


def parse_year(text: str, *, today: date) -> int | None:
    """Return a year of the field's literature, next year included; None for blank."""
    text = text.strip()
    if not text:
        return None
    last = today.year + 1
    if text.isascii() and text.isdigit() and len(text) == 4 and FIRST_YEAR <= int(text) <= last:
        return int(text)
    guess = re.match(r"[0-9]{4}", text)
    hint = f"; did you mean {guess[0]}?" if guess and guess[0] != text and FIRST_YEAR <= int(guess[0]) <= last else ""
    raise Refused("year", f"{shorten(text)!r} is not a year between {FIRST_YEAR} and {last}{hint}")


def parse_date(text: str, *, today: date) -> date | None:
    """Return a day written as 2004-11-19 (ISO 8601), not after tomorrow; None for blank."""
    text = text.strip()
    if not text:
        return None
    try:
        if not _ISO_DATE.fullmatch(text):
            raise ValueError(text)
        day = date.fromisoformat(text)
    except ValueError as error:
        message = f"{shorten(text)!r} is not a date; write year-month-day, as 2004-11-19"
        raise Refused("date", message) from error
    if not date(FIRST_YEAR, 1, 1) <= day <= today + timedelta(days=1):
        raise Refused("date", f"{text} is before {FIRST_YEAR} or in the future")
    return day


def _above(text: str, value: float, low: float | None, high: float, name: str) -> Refused:
    message = f"{text} is above {in_digits(high)}, where {name} ends"
    if may_be_percent(value, low, high):
        message += f'; if it is a percentage, write "{Decimal(text).scaleb(-2):f}"'
    return Refused("range", message)


def may_be_percent(value: float, low: float | None, high: float | None) -> bool:
    """Say whether a number beyond its range of 1 at most would be within it as a percentage."""
    return high == 1 and high < value <= 100 and (low is None or low <= value / 100)


def _not_decimal(text: str) -> Refused:
    shown = repr(shorten(text))
    key = text.lower().lstrip("+-")
    if text.lower() in _NO_VALUE:
        return Refused("no_value", f"{shown} is no value; leave out results that have none")
    if key in _NOT_FINITE:
        return Refused("not_finite", f"{shown} is not a score; leave out results that have none")
    if text.endswith("%"):
        return Refused("percent", f"{shown} is a percentage; divide by 100 and write it without the sign, as 0.234")
    if not text.isascii():
        return Refused("digits", f"{shown} is not written with the digits 0 to 9 and a point or minus of plain text")
    if re.fullmatch(r"[+-]?[0-9]+(,[0-9]+)+(\.[0-9]+)?", text):
        return Refused("comma", f"{shown} has a comma in it; write {_without_comma(text)}")
    if "_" in text:
        return Refused("digits", f"{shown} has underscores in it; write the digits alone")
    if _SCIENTIFIC.fullmatch(text) and not _is_scientific(text):
        return Refused("scientific", f"{shown} is in scientific notation; no score is of that size")
    if _DECIMAL.fullmatch(text) or _SCIENTIFIC.fullmatch(text):
        return Refused("too_long", f"{shown} has {len(text)} characters; the most is {MAX_PRINTED_LENGTH}")
    return Refused("not_a_number", f"{shown} is not a number; write a plain decimal, as 0.2345")


def _without_comma(text: str) -> str:
    """Return what a number with commas may stand for: commas between thousands, or one for the decimal point."""
    readings = []
    if re.fullmatch(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?", text):
        readings.append(text.replace(",", ""))
    if text.count(",") == 1 and "." not in text:
        readings.append(text.replace(",", ".") + " for a decimal comma")
    return ", or ".join(readings) or "it without"
