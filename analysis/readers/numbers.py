"""Numbers, dates and scores as people print them: taken only where they can mean one thing, else refused with advice.

A score has a unit, and marks of significance beside it. Scores of one system that contradict each other are told by the
names of their measures.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, shorten
from analysis.scores import real_digits

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
    """Return a whole number in the digits 0 to 9, with or without commas between thousands; None for blank."""
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


PERCENT = "percent"
#: Says of a candidate that it is a refused score, read as a percentage.
IN_PERCENT = "in percent"
#: Says of a score that it is not in percent, where percent holds for the others.
FRACTION = "fraction"
UNITS = (PERCENT, FRACTION)
#: By how much one mean may differ from machine to machine, on the scale of its measure.
BY_MACHINE = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class PrintedScore:
    """A score with exactly the digits that its source prints; ``unit`` is percent, or blank for that of its measure."""

    printed: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.printed} %" if self.unit == PERCENT else self.printed

    @property
    def digits(self) -> str:
        """Return the score on the scale of the measure, in plain notation, with the digits that are real.

        0.7559 for 75.59 in percent, 0.90686 for 0.9068600000000001, 0.00006 for 6e-05.
        """
        digits = real_digits(self.printed)
        return f"{Decimal(digits).scaleb(-2):f}" if self.unit == PERCENT else digits

    @property
    def has_noise(self) -> bool:
        """Say whether it is printed with digits that are not real."""
        return float(real_digits(self.printed)) != float(self.printed)

    @property
    def value(self) -> float:
        """Return the score as a number."""
        return float(self.digits)

    @property
    def decimals(self) -> int:
        """Return how many digits stand behind the point, on the scale of the measure."""
        return len(self.digits.partition(".")[2])

    def shown(self, decimals: int) -> str:
        """Return the digits, or the decimals of the measure alone where a program printed every digit it had."""
        return self.within(decimals) if self.decimals > decimals + 2 else self.digits

    def within(self, decimals: int) -> str:
        """Return the digits, rounded to so many behind the point where there are more."""
        return f"{float(digits):.{decimals}f}" if len((digits := self.digits).partition(".")[2]) > decimals else digits

    def says_the_same_as(self, other: "PrintedScore") -> bool:
        """Say whether it is the same number with the same digits, in whatever unit; 0.3 and .3 are."""
        return Decimal(self.digits).as_tuple() == Decimal(other.digits).as_tuple()

    def contradicts(self, other: "PrintedScore") -> bool:
        """Say whether the two differ by more than rounding explains, and more than another machine makes of one mean.

        Rounding explains half a unit of the last digit of the shorter print, nothing between prints of one length.
        """
        unit = Decimal(1).scaleb(-min(self.decimals, other.decimals))
        explained = unit / 2 if self.decimals != other.decimals else Decimal(0)
        return abs(Decimal(self.digits) - Decimal(other.digits)) > max(explained, BY_MACHINE)


def parse_score(
    text: str, unit: str = "", *, low: float | None = None, high: float | None = None, name: str = ""
) -> PrintedScore:
    """Return the score as printed, a decimal within the range of ``name``; ``75.59%`` says its unit."""
    text = text.strip()
    if text.endswith("%"):
        text, unit = text.removesuffix("%").rstrip(), PERCENT
    # On a scale to 100, percent is the unit of the measure.
    if unit != PERCENT or high == 100:
        return PrintedScore(_read_plain(text, low, high, name))
    score = PrintedScore(parse_printed(text), PERCENT)
    if high is not None and high != 1:
        raise Refused("unit", f"is in percent, and {name} ends at {high:g}, not at 1; give it as the measure counts")
    if high is not None and score.value > high:
        raise Refused("range", f"{score} is above 100 %, where {name} ends")
    if low is not None and score.value < low:
        raise Refused("range", f"{score} is below {100 * low:g} %, where {name} begins")
    return score


def _read_plain(text: str, low: float | None, high: float | None, name: str) -> str:
    try:
        return parse_printed(text, low=low, high=high, name=name)
    except Refused as refused:
        if refused.code != "range" or not may_be_percent(float(text), low, high):
            raise
        advice = f"if it is in percent, say so by the unit {PERCENT}, or by writing {text}%"
        in_percent = Candidate(f"{text}%", f"{text} %", IN_PERCENT)
        raise Refused("range", f"{refused.message.partition(';')[0]}; {advice}", [in_percent]) from refused


def parse_unit(text: str) -> str:
    """Return percent, fraction, or blank for the measure's own unit, which fraction says as well."""
    key = comparison_key(text)
    if key not in {"", PERCENT, "%", FRACTION}:
        raise Refused("choice", f"{shorten(text)!r} is neither {PERCENT} nor {FRACTION}; blank is the measure's own")
    return PERCENT if key == "%" else key


#: As readers keep a score that had marks around it.
_AS_PRINTED = re.compile(r'(?:^|; )printed as "([^"]*)"')
_MARKS = re.compile(r"[*∗⋆★†‡§¶#▲△▼▽]+|(?<=[0-9])\^?[a-z]{1,6}$|\^\S+$")
_TESTS = re.compile(
    r"paired (?:student.s )?t.?tests?|student.s t.?test|t.?test|wilcoxon(?: signed.rank)?(?: test)?|tukey(?:.s)? HSD"
    r"|(?:fisher.s )?randomi[sz]ation test|permutation test|bootstrap test|sign test",
    re.IGNORECASE,
)
_CORRECTIONS = re.compile(r"bonferroni|holm|benjamini.hochberg|tukey", re.IGNORECASE)


def mark_of(notes: str) -> str:
    """Return the marks that stand at the score in the table, as †, by the notes of its row; blank without."""
    printed = _AS_PRINTED.search(notes)
    marks = _MARKS.search(printed[1]) if printed else None
    return marks[0].removeprefix("^") if marks else ""


def test_named(text: str) -> str:
    """Return the test of significance that the text names, with its correction; blank where it names none."""
    test, correction = _TESTS.search(text), _CORRECTIONS.search(text)
    names = dict.fromkeys(match[0] for match in (test, correction) if match)
    return ", ".join(names)


#: Both may be rounded to three digits.
_ROUNDING = 0.003
_AT_DEPTH = re.compile(r"(ndcg|map|ap|mrr|rr|recall|r|precision|p)(?:_at_|_cut_|@|_)(\d+)", re.IGNORECASE)
_CALLED = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "recall": "R", "precision": "P"}


def doubt(scores: Mapping[str, float], *, of: str = "file") -> dict[str, str]:
    """Return the cells that say in a row what is wrong with the scores of its system; none where nothing is.

    Where they are impossible, none of them may compete; RR@1 that is not P@1 is only noted. ``of`` is what they stand
    in.

    >>> doubt({"P@1": 0.21, "ndcg_at_1": 0.27})
    {'comparability': 'doubtful', 'notes': 'impossible in its file: nDCG@1 (0.27) is above P@1 (0.21)'}
    """
    at = _by_depth(scores)
    if wrong := _impossible(at):
        return {"comparability": "doubtful", "notes": f"impossible in its {of}: {', '.join(wrong)}"}
    first, hits = at["RR"].get(1), at["P"].get(1)
    if first is None or hits is None or abs(first - hits) <= _ROUNDING:
        return {}
    return {"notes": f"RR@1 ({first}) is not P@1 ({hits}) in its {of}"}


def _by_depth(scores: Mapping[str, float]) -> Mapping[str, dict[int, float]]:
    """Return scores by measure and depth; measures without a depth are passed over."""
    at: dict[str, dict[int, float]] = defaultdict(dict)
    for name, score in scores.items():
        if match := _AT_DEPTH.fullmatch(name):
            kind = match[1].lower()
            at[_CALLED.get(kind, kind.upper())][int(match[2])] = score
    return at


def _impossible(at: Mapping[str, dict[int, float]]) -> list[str]:
    """Return what is impossible in scores between 0 and 1."""
    above = [(name, at[name].get(1), 1, "P", at["P"].get(1)) for name in ("nDCG", "AP", "R")]
    above += [("AP", score, depth, "R", at["R"].get(depth)) for depth, score in at["AP"].items()]
    faults = [
        f"{name}@{depth} ({score}) is above {other}@{depth} ({limit})"
        for name, score, depth, other, limit in above
        if score is not None and limit is not None and score > limit + _ROUNDING
    ]
    for name in ("R", "AP", "RR", "P"):
        for low, high in pairwise(sorted(at[name])):
            # So many relevant documents more cannot be so many fewer.
            before, after = (at[name][depth] * (depth if name == "P" else 1) for depth in (low, high))
            if after < before - _ROUNDING * (high if name == "P" else 1):
                faults.append(f"{name}@{high} ({at[name][high]}) is too low beside {name}@{low} ({at[name][low]})")
    return faults
