"""Papers computed again, each kept in a file that ships."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from registry.tools.reproductions.figures import Figure, Line

FOUND = Path(__file__).with_name("found")

#: Papers by their name in the address, in the order of the list.
SLUGS = ("carterette-2015", "sanderson-zobel-2005", "cormack-lynam-2006", "jayasinghe-2014", "zobel-principles")


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
