"""What systems score on the collections of seven suites, nDCG@10, as it stood on 26 November 2026, frozen.

Of several results of a system the first that is comparable. What the suites have since gained moves no expected value.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

_FILE = Path(__file__).with_name("suites.csv")


@cache
def _rows() -> tuple[dict[str, str], ...]:
    with _FILE.open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))


def collections() -> list[str]:
    """Slugs, as the columns stand."""
    return list(_rows()[0])[2:]


@cache
def scores_on(collection: str) -> Mapping[str, float]:
    """By system."""
    return MappingProxyType({row["system"]: float(row[collection]) for row in _rows() if row[collection]})


@cache
def teams() -> Mapping[str, str]:
    """By system; blank where nobody says."""
    return MappingProxyType({row["system"]: row["team"] for row in _rows()})
