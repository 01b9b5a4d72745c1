"""Families of measures: those whose scores vary from topic to topic by one rule."""

import re
from dataclasses import dataclass

#: AP with its cutoffs and grades is one family, so is each of the others; what is written otherwise is in none.
_FAMILY = re.compile(r"(AP|Rprec|Bpref|nDCG|ERR|RR|P|R)(?:\([^()]*\))?(?:@(\d+))?")


@dataclass(frozen=True, slots=True)
class MeasureFamily:
    """The family of a measure, as ``nDCG``, and where its list is cut; None where it is not."""

    name: str
    cutoff: int | None


def measure_family(measure: str) -> MeasureFamily | None:
    """The family of a measure by its ir-measures name; None for one that is in none."""
    found = _FAMILY.fullmatch(measure)
    return found and MeasureFamily(found[1], int(found[2]) if found[2] else None)
