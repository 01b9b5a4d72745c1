"""Families of measures: those whose scores vary from topic to topic by one rule."""

import re
from dataclasses import dataclass

#: AP with its cutoffs and grades is one family, so is each of the others; what is written otherwise is in none.
_FAMILY = re.compile(r"(AP|infAP|Rprec|Bpref|nDCG|ERR|RR|Success|P|R)(?:\([^()]*\))?(?:@(\d+))?")
#: Another name of success: the share of topics with a right answer among the first.
_ACCURACY = re.compile(r"(?:Top-|top_)(\d+)(?: accuracy \(answers\)|_accuracy)")


@dataclass(frozen=True, slots=True)
class MeasureFamily:
    """The family of a measure, as ``nDCG``, and where its list is cut; None where it is not."""

    name: str
    cutoff: int | None


def measure_family(measure: str) -> MeasureFamily | None:
    """The family of a measure by its ir-measures name; None for one that is in none."""
    accuracy = _ACCURACY.fullmatch(measure)
    if accuracy:
        return MeasureFamily("Success", int(accuracy[1]))
    found = _FAMILY.fullmatch(measure)
    if found is None or (found[1] in ("P", "R", "Success") and not found[2]):
        return None
    return MeasureFamily("AP" if found[1] == "infAP" else found[1], int(found[2]) if found[2] else None)


#: Of these only the first relevant document counts.
FIRST = ("RR", "Success", "ERR")


def needs_no_density(measure: str) -> bool:
    """Whether how scores vary under a measure depends on the first relevant document alone."""
    family = measure_family(measure)
    return family is not None and family.name in FIRST
