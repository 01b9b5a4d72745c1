"""Predicted variances beside matrices at hand: how far the prediction is off on collections of which some are known.

Each variance that was seen is predicted from the relevant documents on record of its collection, by the model as fitted
without that collection and those that share topics or systems with it: as if nobody had seen it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

import msgspec

FILE = "audit.json"
#: From this factor on, either way, what is predicted on a collection is no basis for a value.
FACTOR = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """What is measured on one collection under measures of one family, beside what is predicted."""

    collection: Annotated[str, "Slug."]
    family: Annotated[str, "Of the measures, as ``AP``."]
    variance_class: Annotated[str, "How many documents the score of a topic hangs on, as predictions say it."]
    n_measures: Annotated[int, "Matrices at hand, one a measure and source."]
    ratio: Annotated[float, "Measured by predicted variance: geometric mean over them."]
    lowest: Annotated[float, "The lowest of their ratios."]
    highest: Annotated[float, "The highest of their ratios."]

    @property
    def is_beyond(self) -> bool:
        """Return whether the prediction is off by more than ``FACTOR``."""
        return not 1 / FACTOR <= self.ratio <= FACTOR


@lru_cache(maxsize=1)
def audit() -> tuple[AuditRow, ...]:
    """Every collection and family of measures of which a matrix is at hand, by name.

    Returns
    -------
    tuple of AuditRow

    Examples
    --------
    >>> from analysis.boards import audit
    >>> [row.family for row in audit() if row.collection == "trec-7-adhoc"]
    ['AP', 'P', 'RR']
    """
    text = files("analysis.boards").joinpath(FILE).read_text(encoding="utf-8")
    return msgspec.json.decode(text, type=tuple[AuditRow, ...])


def audited(collection: str, family: str) -> float | None:
    """Measured by predicted variance, where matrices of the collection show that predictions are far off there."""
    return next(
        (row.ratio for row in audit() if (row.collection, row.family) == (collection, family) and row.is_beyond), None
    )


def audit_text(rows: Sequence[AuditRow]) -> str:
    """The rows as JSON, one a line."""
    return "[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n"
