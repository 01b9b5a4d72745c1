"""How far each result is behind the best, as a bar beside it: the list form of the plumb line."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from registry.leaderboards.documents.shapes import BoardDocument, RowDocument

#: In pixels; the best stands at the right end, and the bar begins so many margins from it.
WIDTH, _MARGINS = 92.0, 2.3


@dataclass(frozen=True, slots=True)
class Rung:
    """The bar of one result, in pixels.

    ``edge`` is where its margin begins: right of it results can't be told from the best. ``dot`` is where the result
    stands, None where that is further off than the bar is long.
    """

    edge: float
    dot: float | None

    @property
    def start(self) -> float:
        """Where the line from the result to the best begins."""
        return 0.0 if self.dot is None else self.dot

    @property
    def shade(self) -> float:
        return round(WIDTH - self.edge, 1)


def ladder(document: BoardDocument, rows: Iterable[RowDocument]) -> dict[int, Rung]:
    """The bars of these rows by id, all on one scale; none of rows that do not compete, or are held back by a caution.

    With topic scores each row has a margin of its own, and its distance is that from the row that decides about it.
    """
    verdict = document.verdict
    found = verdict.shown.set if verdict else None
    if verdict is None or found is None:
        return {}
    behind = {one.result: one for one in found.distances if one.result not in verdict.held_back}
    reach = _MARGINS * (found.margin or median([one.margin for one in behind.values()] or [0.0]))
    if reach <= 0:
        return {}
    return {
        row.id: Rung(
            edge=round(WIDTH * (1 - min(1.0, one.margin / reach)), 1),
            dot=None if one.behind > reach else round(WIDTH * (1 - max(0.0, one.behind) / reach), 1),
        )
        for row in rows
        if (one := behind.get(row.id))
    }
