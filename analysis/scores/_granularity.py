"""Which digits of a printed score are real, and whether a mean over n topics can have them at all.

Precision at 10 of one topic is a multiple of 1/10, so its mean over 50 topics is a multiple of 1/500. A printed 0.4531
cannot be such a mean, whatever was retrieved: a digit, the measure or the number of topics must be wrong.
"""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from analysis._validation import check_count
from analysis.errors import ArgumentError
from analysis.results import Result

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
#: The mean that a program prints with every digit it has is off by more than half a unit of a decimal behind these.
_MAX_DECIMALS = 12
#: Significant digits that every decimal keeps on its way through a double.
_DIGITS_OF_A_DOUBLE = 15
#: As many digits as people print, and as near to them as arithmetic on them ends, in units of a double's last place.
_MAX_DIGITS_OF_PEOPLE = 10
_NOISE = 4


@dataclass(frozen=True, slots=True)
class Reachability(Result):
    """Whether a printed score can be a mean over topics."""

    is_reachable: Annotated[bool, "Whether some possible mean is printed like this, rounded or cut off."]
    step: Annotated[float, "Distance between neighbouring possible means."]
    below: Annotated[float, "The possible mean below the printed score; that score where it is one exactly."]
    above: Annotated[float, "The possible mean above it; that score likewise."]


def real_digits(printed: str) -> str:
    """Return the printed score as a plain decimal without the digits that only a program's arithmetic put there.

    Parameters
    ----------
    printed : str
        The score with exactly the digits that were printed, as ``"0.4520"``; scientific notation is taken too.

    Returns
    -------
    str
        The same digits, in plain notation, where there are fewer than 15 significant ones; zeros at the end don't
        count. Otherwise the decimal with at most 10 significant digits that is no more than 4 units in the last place
        of a double away, where there is one; else the score rounded to 15 significant digits.

    Raises
    ------
    ArgumentError
        If the score is not a decimal.

    Notes
    -----
    A double keeps every decimal of 15 significant digits, and what it prints behind them is noise. 0.90686 that a
    program computed as 90.686 / 100 comes out as 0.9068600000000001, one unit in the last place away from the decimal
    that was meant. A mean that nobody rounded is that near to a decimal of 10 digits by chance alone: neighbours are
    more than 500,000 units apart, so this happens once in 50,000 times, and what is then taken off is less than one
    part in 10^15.

    References
    ----------
    Goldberg (1991), "What every computer scientist should know about floating-point arithmetic", ACM Computing
    Surveys 23, doi:10.1145/103162.103163.

    Examples
    --------
    >>> [real_digits(printed) for printed in ("0.9068600000000001", "0.36559139784946254", "0.4520", "6e-05")]
    ['0.90686', '0.365591397849463', '0.4520', '0.00006']
    """
    if not isinstance(printed, str) or not _DECIMAL.fullmatch(printed):
        raise ArgumentError("printed", printed, "must be a decimal, as text")
    is_plain = "e" not in printed.lower()
    if is_plain and len(printed) < _DIGITS_OF_A_DOUBLE:
        return printed
    value = Decimal(printed)
    n_digits = len("".join(map(str, value.as_tuple().digits)).strip("0"))
    if n_digits < _DIGITS_OF_A_DOUBLE:
        return printed if is_plain else f"{value:f}"
    short = _rounded(value, _MAX_DIGITS_OF_PEOPLE)
    if abs(value - short) <= _NOISE * Decimal(math.ulp(float(value))):
        return f"{short.normalize():f}"
    return f"{_rounded(value, _DIGITS_OF_A_DOUBLE):f}"


def _rounded(value: Decimal, n_digits: int) -> Decimal:
    """Return the value with at most this many significant digits."""
    return round(value, n_digits - 1 - value.adjusted())


def check_reachable(printed: str, *, denominator: int, n_topics: int) -> Reachability:
    """Say whether the printed score is a mean of multiples of 1/denominator over n topics, rounded or cut off.

    Parameters
    ----------
    printed : str
        The score with exactly the digits that were printed, as ``"0.4520"``; scientific notation is taken too.
    denominator : int
        Number of which every topic's score is a multiple of the reciprocal, 1 or more; see
        :attr:`MeasureNature.denominator`.
    n_topics : int
        Number of topics that the mean is taken over, 1 or more.

    Returns
    -------
    Reachability

    Raises
    ------
    ArgumentError
        If the score is not a decimal, or a count is not a whole number of 1 or more.

    Notes
    -----
    With k for the denominator, possible means are m/(kn) with a whole m. The score with d decimals is reachable if one
    of them lies within half a unit of the last digit, both ends included (which covers every rule for rounding halves),
    or in the unit above the score (digits cut off). The arithmetic is exact, on the digits that are real
    (``real_digits``), twelve decimals at most. Where 1/(kn) is at most one unit of the last digit, everything is
    reachable, and the check says nothing.

    For the reciprocal rank the condition is necessary and not sufficient: no topic has a score between 1/2 and 1.

    Topics that a tool leaves out of the mean change n: the check is of the number it is given.

    References
    ----------
    Brown & Heathers (2017), "The GRIM test", doi:10.1177/1948550616673876, for means of whole numbers.
    """
    digits = real_digits(printed)
    steps = check_count(denominator, "denominator") * check_count(n_topics, "n_topics")
    value = Fraction(digits)
    unit = Fraction(1, 10 ** min(len(digits.partition(".")[2]), _MAX_DECIMALS))
    below = Fraction(math.floor(value * steps), steps)
    above = Fraction(math.ceil(value * steps), steps)
    is_rounded = min(value - below, above - value) <= unit / 2
    is_cut_off = above - value < unit if value >= 0 else value - below < unit
    return Reachability(is_reachable=is_rounded or is_cut_off, step=1 / steps, below=float(below), above=float(above))
