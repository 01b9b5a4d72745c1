"""A strip for each suite: a mark a leaderboard, the further right the more results of others the model beats."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analysis.figures import Axis, Panel, Series
from registry.core.charts import Scene, draw_scene
from registry.core.charts.scenes import STRIP
from registry.core.grouping import grouped
from registry.tools.model_page.documents import IN_DOMAIN, ModelOnBoard

#: Suites with fewer of its leaderboards share a strip.
_MIN_BOARDS = 3
#: So many strips of a model are shown at once.
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class SuiteStrip:
    """Where the model stands on the leaderboards of a suite."""

    name: str
    n_best: int
    n_judged: int
    n_boards: int
    n_in_domain: int
    scene: Scene

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
    judged = [one for one in boards if one.may_be_best is not None]
    return SuiteStrip(
        name=name,
        n_best=sum(one.may_be_best is True for one in judged),
        n_judged=len(judged),
        n_boards=len(boards),
        n_in_domain=sum(one.training == IN_DOMAIN for one in boards),
        scene=draw_scene(Panel(data=name, series=tuple(_dots(boards))), Axis(label="", low=0, high=1), None, STRIP),
    )


def _dots(boards: Sequence[ModelOnBoard]) -> Iterator[Series]:
    """Return a dot for each leaderboard, squares where the model was trained on it, those it may lead highlighted."""
    kinds = grouped(boards, lambda board: (board.may_be_best is True, board.training == IN_DOMAIN))
    for (may_be_best, is_in_domain), some in sorted(kinds.items(), reverse=True):
        yield Series(
            name="", mark="swarm", x=tuple(board.share for board in some), y=(None,) * len(some),
            labels=tuple(map(_label, some)), is_highlighted=may_be_best, is_square=is_in_domain,
            is_hollow=is_in_domain and not may_be_best,
        )  # fmt: skip


def _label(board: ModelOnBoard) -> str:
    beats = f"beats {board.n_beaten} of {board.n_others} others" if board.n_others else "stands alone"
    best = {True: ", may be the best", False: "", None: ", no best set"}[board.may_be_best]
    return f"{board.name}, {board.measure}: {beats}{best}"
