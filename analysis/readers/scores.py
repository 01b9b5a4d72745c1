"""A score as its source prints it, in which unit, and the number that it stands for."""

from dataclasses import dataclass
from decimal import Decimal

from analysis.readers.numbers import may_be_percent, parse_printed
from analysis.readers.rejections import Candidate, Refused
from analysis.readers.text import comparison_key, shorten
from analysis.scores import real_digits

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
    """Return the score as printed, once it is known to be a decimal within the range of ``name``; ``75.59%`` says its
    unit."""
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
