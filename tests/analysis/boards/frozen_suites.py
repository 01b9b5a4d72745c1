"""What systems score on the collections of seven suites, nDCG@10, as it stood on 26 November 2026, frozen.

Of several results of a system the first that is comparable. What the suites have since gained moves no expected value.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tests.data.shipped import table

_FILE = Path(__file__).with_name("suites.csv")


def collections() -> list[str]:
    """Return slugs, as the columns stand."""
    return list(table(_FILE)[0])[2:]


@cache
def scores_on(collection: str) -> Mapping[str, float]:
    """Return them by system."""
    return MappingProxyType({row["system"]: float(row[collection]) for row in table(_FILE) if row[collection]})


@cache
def teams() -> Mapping[str, str]:
    """Return them by system; blank where nobody says."""
    return MappingProxyType({row["system"]: row["team"] for row in table(_FILE)})
