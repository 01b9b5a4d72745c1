"""What a measure is: its family, how deep it looks, and which values it can take on a topic.

This is the one place that reads it off a name. Where more is known of a measure than its name says, that leads.
"""

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal, cast

from analysis._validation import check_flag, check_real
from analysis.errors import ArgumentError

#: Measures of one family vary from topic to topic by one rule: AP with its cutoffs and grades, say. Blank: of none.
MeasureFamily = Literal["", "AP", "Bpref", "ERR", "P", "R", "RR", "Rprec", "Success", "nDCG"]


class MeasureKind(StrEnum):
    """What a measure can say about a topic."""

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
    """What a measure is."""

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
    said, cut = _FAMILY.fullmatch(name), _CUTOFF.fullmatch(name)
    family = (said["family"] or said["cut"]).removeprefix("inf") if said else ""
    cutoff = int(cut[1]) if cut else None
    return MeasureNature(family=cast(MeasureFamily, family), cutoff=cutoff, kind=kind, zero_is_failure=zero_is_failure)
