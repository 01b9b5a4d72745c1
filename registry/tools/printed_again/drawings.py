"""A strip for each who prints: a dot a number that was run again, by how far it came out from the print."""

from collections import Counter
from dataclasses import dataclass

from registry.core.grouping import grouped
from registry.leaderboards.drawings.canvas import Tick
from registry.tools.printed_again.documents import PrintedAgain, RunAgain, who_prints

#: Of a strip, in its own units.
WIDTH, HEIGHT = 480.0, 40.0
_MARGIN, _RADIUS = 10.0, 3.0
#: What lies further out than this, on the scale of the measure, is drawn at the end.
REACH = 0.05
_N_COLUMNS = 81


@dataclass(frozen=True, slots=True)
class Dot:
    """A number that was run again: where it is, what it is."""

    x: float
    y: float
    label: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """The numbers that one paper, or page, prints."""

    name: str
    url: str
    n: int
    n_agreeing: int
    n_beyond: int
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class StripsDrawing:
    """Everything that is drawn; ``ticks`` in percent from the left."""

    strips: tuple[Strip, ...]
    ticks: tuple[Tick, ...]
    zero: float


def draw_strips(document: PrintedAgain) -> StripsDrawing:
    """A strip for each who prints, the most numbers first."""
    groups = grouped(document.pairs, who_prints)
    strips = tuple(
        Strip(
            one.name,
            one.url,
            one.n,
            one.n_agreeing,
            sum(abs(pair.difference) > REACH for pair in groups[one.name, one.url]),
            _dots(groups[one.name, one.url]),
        )
        for one in document.by_print
    )
    ticks = tuple(Tick(100 * _across(at) / WIDTH, f"{at:+g}" if at else "0") for at in (-REACH, 0.0, REACH))
    return StripsDrawing(strips, ticks, _across(0.0))


def _across(difference: float) -> float:
    inside = min(max(difference, -REACH), REACH)
    return round(WIDTH / 2 + inside / REACH * (WIDTH / 2 - _MARGIN), 1)


def _dots(pairs: list[RunAgain]) -> tuple[Dot, ...]:
    stacked: Counter[int] = Counter()
    columns = [round(_across(one.difference) / WIDTH * _N_COLUMNS) for one in pairs]
    most = max(Counter(columns).values())
    pitch = min(2 * _RADIUS + 0.5, (HEIGHT - 2 * _RADIUS - 2) / max(most - 1, 1))
    dots = []
    for column, one in sorted(zip(columns, pairs, strict=True), key=lambda two: (two[0], two[1].difference)):
        y = HEIGHT - _RADIUS - 1 - stacked[column] * pitch
        stacked[column] += 1
        label = f"{one.name}, {one.measure}, {one.again.system}: {one.difference:+.4f} ({one.again_by})"
        dots.append(Dot(_across(one.difference), round(y, 1), label, one.agrees))
    return tuple(dots)
