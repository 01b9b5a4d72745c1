"""Papers computed again, each kept in a file that ships: what is drawn, on which axes, beside which printed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from analysis.figures import Axis, Factor, Panel

FOUND = Path(__file__).with_name("found")

#: Papers by their name in the address, in the order of the list.
SLUGS = ("carterette-2015", "sanderson-zobel-2005", "cormack-lynam-2006", "jayasinghe-2014", "zobel-principles")


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
class Figure:
    """A figure, table or section of a paper, with an address of its own.

    ``name`` is the paper's, ``title`` the finding here, ``caption`` says what is drawn, of how much, and why it differs
    from what is printed. ``panel`` is the paper's design computed again; None where the data can't be had, and then
    ``missing`` says who has them. ``methods`` are pages of docs/methods, which lead to where they are at work.
    """

    slug: str
    name: str
    title: str
    caption: str
    panel: Panel | None = None
    missing: str = ""
    x: Axis | None = None
    y: Axis | None = None
    lines: tuple[Line, ...] = ()
    methods: tuple[str, ...] = ()
    factor: Factor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A paper with its figures, tables and sections in its order; ``short`` is how it is called in passing."""

    slug: str
    authors: str
    title: str
    venue: str
    doi: str | None
    summary: str
    methods: tuple[str, ...]
    short: str
    figures: tuple[Figure, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Of all figures."""
        return tuple(line for one in self.figures for line in one.lines)

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


def figure_of(figures: Sequence[Figure], slug: str) -> Figure | None:
    """The figure with this name in its address."""
    return next((one for one in figures if one.slug == slug), None)


@cache
def reproductions() -> dict[str, Reproduction]:
    """What ``manage.py reproduce_papers`` wrote, by the name in the address."""
    files = {slug: FOUND / f"{slug}.json" for slug in SLUGS}
    return {
        slug: msgspec.json.decode(path.read_bytes(), type=Reproduction) for slug, path in files.items() if path.exists()
    }


def write_reproduction(found: Reproduction) -> None:
    """Keep what was found in the file that ships."""
    (FOUND / f"{found.slug}.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
