"""Measures by their names: families, cutoffs, the values they take on a topic, and which printed means these allow.

Names are read here and nowhere else. Where more is known of a measure than its name says, that leads.

Precision at 10 of one topic is a multiple of 1/10, so its mean over 50 topics is a multiple of 1/500. A printed 0.4531
cannot be such a mean, whatever was retrieved: a digit, the measure or the number of topics must be wrong.
"""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal, cast

from analysis._validation import check_count, check_flag, check_real
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

#: Measures of one family vary from topic to topic by one rule: AP with its cutoffs and grades, say. Blank: of none.
MeasureFamily = Literal["", "AP", "Bpref", "ERR", "P", "R", "RR", "Rprec", "Success", "nDCG"]


class MeasureKind(StrEnum):
    """A kind of measure, by what it can say about a topic."""

    #: Nothing: the published value is no mean over topics, or a difference to another run.
    NOT_A_MEAN = "not-a-mean"
    #: One over the rank of the first relevant document, at any cutoff.
    RECIPROCAL_RANK = "reciprocal-rank"
    #: Whether any relevant document is found, at any cutoff; the hit rate.
    SUCCESS = "success"
    #: What stands in the first place alone: P@1, and every other measure cut off there.
    FIRST_RANK = "first-rank"
    #: Any measure where each topic has one relevant document: all of them are functions of its rank.
    KNOWN_ITEM = "known-item"
    #: A share of the documents down to the cutoff, as P@10.
    SHARE = "share"
    #: Means of many documents' parts, as AP or nDCG@10.
    MANY_VALUED = "many-valued"

    @property
    def is_coarse(self) -> bool:
        """Say whether a topic's score takes few values, the highest of them often: the best means are near a ceiling
        then, and intervals from their standard errors hold too seldom, whatever the number of topics."""
        return self not in (MeasureKind.NOT_A_MEAN, MeasureKind.SHARE, MeasureKind.MANY_VALUED)


_PARAMETERS = r"(?:\([^()]*\))?"
#: Names of each kind, the first that fits; the others are many-valued.
_KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (MeasureKind.NOT_A_MEAN, r"GMAP|gm_|risk|geoRisk|zRisk|urisk|Micro"),
        (MeasureKind.RECIPROCAL_RANK, r"(m?rr|recip_?rank)(?![a-z])"),
        (MeasureKind.SUCCESS, r"(success|hit_?rate|hits?)(?![a-z])|top-\d+ accuracy \(answers\)|top_\d+_accuracy$"),
        (MeasureKind.FIRST_RANK, r".*[@_]1(?![.\dkK])"),
        (MeasureKind.SHARE, rf"(P|Judged){_PARAMETERS}@\d+(\[[^\]]*\])?$"),
    )
)
#: What is written otherwise is in no family.
_FAMILY = re.compile(
    rf"(?P<family>(?:inf)?AP|Rprec|Bpref|nDCG|ERR|RR){_PARAMETERS}(?:@\d+)?|(?P<cut>Success|P|R){_PARAMETERS}@\d+"
)
#: Another name of success: the share of topics with a right answer among the first.
_ACCURACY = re.compile(r"(?:Top-|top_)(\d+)(?: accuracy \(answers\)|_accuracy)")
_CUTOFF = re.compile(r"(?!WSS).*@(\d+)(?:\[[^\]]*\])?")
#: Beyond this cut-off the common denominator of reciprocal ranks is so large that every printed score fits.
_MAX_RECIPROCAL_CUTOFF = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureNature:
    """The nature of a measure: family, cutoff and kind."""

    family: Annotated[MeasureFamily, "Those whose scores vary by one rule; blank for none."] = ""
    cutoff: Annotated[int | None, "How many documents it looks at; None where that is not said."] = None
    kind: Annotated[MeasureKind, "Which values it takes on a topic."] = MeasureKind.MANY_VALUED
    zero_is_failure: Annotated[bool, "Whether a score of exactly 0 is taken for a failed run."] = True

    @property
    def denominator(self) -> int | None:
        """Return the number of which every score of one topic is a multiple of the reciprocal, None where it is
        unknown.

        The cutoff for precision and for the share of judged documents, 1 for success, the least common multiple of 1 to
        k for the reciprocal rank at k of at most 10. Recall and R-precision divide by the number of relevant documents,
        which differs from topic to topic, and other measures have no such number.
        """
        if self.kind is MeasureKind.SUCCESS and self.cutoff is not None:
            return 1
        if self.kind is MeasureKind.SHARE or self.family == "P":
            return self.cutoff or None
        if self.kind is MeasureKind.RECIPROCAL_RANK and self.cutoff and self.cutoff <= _MAX_RECIPROCAL_CUTOFF:
            return math.lcm(*range(1, self.cutoff + 1))
        return None


def measure_nature(measure: str, *, low: float | None = 0.0, higher_is_better: bool = True) -> MeasureNature:
    """Return what a measure is, by its name, and its range where that is another than usual.

    Parameters
    ----------
    measure : str
        Its name in the spelling of ir-measures, for example "AP" or "RR(rel=2)@10"; the kind of trec_eval's is known,
        too.
    low : float, optional
        Lower end of its range; None where there is none.
    higher_is_better : bool, default True
        A score of 0 is a failed run where that is the worst that there is.

    Returns
    -------
    MeasureNature
        Without a family where the name says none.

    Raises
    ------
    ArgumentError
        If the name is no text or blank, or another argument of another type.

    References
    ----------
    Ferrante, Ferro & Fuhr (2021), doi:10.1109/ACCESS.2021.3116857, on the values that measures can take. Brown &
    Heathers (2017), "The GRIM test", doi:10.1177/1948550616673876, for means of whole numbers.
    """
    if not isinstance(measure, str) or not measure.strip():
        raise ArgumentError("measure", measure, "must be the name of a measure")
    zero_is_worst = low is not None and check_real(low, "low") == 0.0
    return _read(measure.strip(), check_flag(higher_is_better, "higher_is_better") and zero_is_worst)


@lru_cache(maxsize=1024)
def _read(name: str, zero_is_failure: bool) -> MeasureNature:
    kind = next((kind for kind, pattern in _KINDS if pattern.match(name)), MeasureKind.MANY_VALUED)
    accuracy = _ACCURACY.fullmatch(name)
    if accuracy:
        return MeasureNature(family="Success", cutoff=int(accuracy[1]), kind=kind, zero_is_failure=zero_is_failure)
    named, cut = _FAMILY.fullmatch(name), _CUTOFF.fullmatch(name)
    family = (named["family"] or named["cut"]).removeprefix("inf") if named else ""
    cutoff = int(cut[1]) if cut else None
    return MeasureNature(family=cast(MeasureFamily, family), cutoff=cutoff, kind=kind, zero_is_failure=zero_is_failure)


@dataclass(frozen=True, slots=True)
class Reachability(Result):
    """An answer to whether a printed score can be a mean over topics."""

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
    A double keeps every decimal of 15 significant digits; what it prints behind them is noise, as in 0.9068600000000001
    for 90.686 / 100. A mean that nobody rounded is that near to a decimal of 10 digits once in 50,000 times, and loses
    less than one part in 10^15 then.

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
    Possible means are m/(kn) with a whole m, k being the denominator. A score is reachable if one of them lies within
    half a unit of its last digit, both ends included (which covers every rule for rounding halves), or in the unit
    above it (digits cut off). The arithmetic is exact, on the digits that are real (``real_digits``), twelve decimals
    at most. For the reciprocal rank the condition is necessary and not sufficient. Topics that a tool leaves out of the
    mean change n: the check is of the number it is given.

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
