"""A strip for each suite: a mark a leaderboard, the further right the more results of others the model beats."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from registry.core.grouping import grouped
from registry.tools.passports.documents import IN_DOMAIN, ModelOnBoard

#: Of the drawing, in its own units; marks of one column stand on each other.
WIDTH = 480.0
_MARGIN = 6.0
_N_COLUMNS = 60
_PITCH, _RADIUS = 8.0, 3.2
#: Where more stand on each other, they move together.
_MOST_HEIGHT = 96.0
#: Suites with fewer of its leaderboards share a strip.
_MIN_BOARDS = 3
#: So many strips of a model are shown at once.
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A leaderboard on a strip: its middle, its corner where it is a square, and what it is."""

    x: float
    y: float
    left: float
    top: float
    label: str
    may_be_best: bool
    is_in_domain: bool


@dataclass(frozen=True, slots=True)
class SuiteStrip:
    """Where the model stands on the leaderboards of a suite."""

    name: str
    n_best: int
    n_judged: int
    n_boards: int
    n_in_domain: int
    height: float
    baseline: float
    marks: tuple[Mark, ...]

    @property
    def in_domain(self) -> str:
        """How many of them are in-domain, in words; blank where none is."""
        if not self.n_in_domain:
            return ""
        return "all in-domain" if self.n_in_domain == self.n_boards else f"{self.n_in_domain} in-domain"


def draw_strips(boards: Iterable[ModelOnBoard]) -> list[SuiteStrip]:
    """A strip a suite, that with the most of its leaderboards first; then rare suites, and all others."""
    found = grouped(boards, lambda one: one.suite_name)
    alone = found.pop("", [])
    rare = [one for some in found.values() if len(some) < _MIN_BOARDS for one in some]
    often = [(name, some) for name, some in found.items() if len(some) >= _MIN_BOARDS]
    often.sort(key=lambda named: (-len(named[1]), named[0]))
    rest = [("Suites of one or two leaderboards here", rare), ("Other leaderboards", alone)]
    return [_strip(name, some) for name, some in (*often, *rest) if some]


@dataclass(frozen=True, slots=True)
class Strips:
    """Those that a page shows at once, and those behind a line."""

    shown: tuple[SuiteStrip, ...]
    folded: tuple[SuiteStrip, ...]

    @property
    def n_best(self) -> int:
        """On how many leaderboards of the folded ones the model may be the best."""
        return sum(one.n_best for one in self.folded)

    @property
    def n_judged(self) -> int:
        """How many of these have a best set."""
        return sum(one.n_judged for one in self.folded)


def fold(strips: Sequence[SuiteStrip]) -> Strips:
    """The first and the last, which has the most leaderboards, at once; all where no more than one would fold."""
    if len(strips) <= _MOST_SHOWN + 1:
        return Strips(tuple(strips), ())
    return Strips((*strips[: _MOST_SHOWN - 1], strips[-1]), tuple(strips[_MOST_SHOWN - 1 : -1]))


def _strip(name: str, boards: Sequence[ModelOnBoard]) -> SuiteStrip:
    columns = [round(one.share * (_N_COLUMNS - 1)) for one in boards]
    highest = max(Counter(columns).values())
    pitch = min(_PITCH, _MOST_HEIGHT / highest)
    height = round(max(2 * _RADIUS, highest * pitch) + 6, 1)
    step, stacked, marks = (WIDTH - 2 * _MARGIN) / (_N_COLUMNS - 1), Counter[int](), []
    for column, one in sorted(zip(columns, boards, strict=True), key=lambda two: (two[0], two[1].share)):
        x, y = _MARGIN + column * step, height - 3 - _RADIUS - stacked[column] * pitch
        stacked[column] += 1
        marks.append(_mark(one, round(x, 1), round(y, 1)))
    judged = [one for one in boards if one.may_be_best is not None]
    return SuiteStrip(
        name=name,
        n_best=sum(one.may_be_best is True for one in judged),
        n_judged=len(judged),
        n_boards=len(boards),
        n_in_domain=sum(one.training == IN_DOMAIN for one in boards),
        height=height,
        baseline=height - 1,
        marks=tuple(marks),
    )


def _mark(one: ModelOnBoard, x: float, y: float) -> Mark:
    beats = f"beats {one.n_beaten} of {one.n_others} others" if one.n_others else "stands alone"
    best = {True: ", may be the best", False: "", None: ", no best set"}[one.may_be_best]
    return Mark(
        x=x,
        y=y,
        left=round(x - _RADIUS, 1),
        top=round(y - _RADIUS, 1),
        label=f"{one.name}, {one.measure}: {beats}{best}",
        may_be_best=one.may_be_best is True,
        is_in_domain=one.training == IN_DOMAIN,
    )
