"""What a paper prints beside what is found here, line by line, and the file that keeps it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

FOUND = Path(__file__).with_name("found.json")


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a paper.

    ``printed`` is the number as the paper has it, in its digits; None where it prints none (a figure) or none that can
    be read here. ``recomputed`` is in the same unit; None where the data for it do not ship. ``unit`` is empty or
    "%". ``why`` says in a sentence why the two differ, or what is missing.
    """

    what: str
    printed: str | None
    recomputed: float | None
    digits: int
    unit: str = ""
    why: str = ""

    @property
    def difference(self) -> float | None:
        """Recomputed less printed."""
        return None if self.printed is None or self.recomputed is None else self.recomputed - float(self.printed)

    @property
    def is_as_printed(self) -> bool:
        """Whether both are the same number in the digits that the paper prints."""
        decimals = len((self.printed or "").partition(".")[2])
        return self.difference is not None and round(self.recomputed or 0.0, decimals) == float(self.printed or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A table, figure or section of a paper: ``data`` says from what it was computed again."""

    name: str
    data: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A paper with its parts, and what readers should know of the data as a whole."""

    slug: str
    authors: str
    title: str
    venue: str
    doi: str | None
    summary: str
    methods: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Of all parts."""
        return tuple(line for part in self.parts for line in part.lines)

    @property
    def n_compared(self) -> int:
        """How many numbers stand beside a printed one."""
        return sum(line.difference is not None for line in self.lines)

    @property
    def n_as_printed(self) -> int:
        """How many of them are the same in the digits of the paper."""
        return sum(line.is_as_printed for line in self.lines)

    @property
    def n_missing(self) -> int:
        """How many were not computed again."""
        return sum(line.recomputed is None for line in self.lines)


@cache
def reproductions() -> dict[str, Reproduction]:
    """What ``manage.py reproduce_papers`` wrote, by the name in the address."""
    found = msgspec.json.decode(FOUND.read_bytes(), type=list[Reproduction])
    return {one.slug: one for one in found}


def write_reproductions(found: list[Reproduction]) -> None:
    """Keep what was found in the file that ships."""
    FOUND.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
