"""What apps above this one tell monitors: each registers its section of the health page, in its ``ready``."""

from collections.abc import Callable, Sequence
from typing import Any

#: A section, and what an operator should look at, in words.
Section = Callable[[], tuple[dict[str, Any], Sequence[str]]]

SECTIONS: dict[str, Section] = {}


def register(name: str, section: Section) -> None:
    """Have the health page show this."""
    SECTIONS[name] = section
