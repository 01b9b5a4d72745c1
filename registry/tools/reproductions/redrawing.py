"""Figures of papers drawn of other data: what can be chosen, or was sent, and how panels are found for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Never

from analysis.figures import Panel
from analysis.scores import ScoreMatrix
from registry.core.live_examples import LiveExample
from registry.tools.reproductions.ranked import JudgedRanking

#: Gives panels by the figure's name in the address, and may lack some.
Draw = Callable[[], dict[str, Panel]]


@dataclass(frozen=True, slots=True)
class Choice:
    """A collection under a measure: its name in addresses and on pages, and the measure's."""

    collection: str
    name: str
    measure: str


@dataclass(frozen=True, slots=True)
class Material:
    """What panels of a choice are drawn of.

    ``digest`` is of the scores and of the names that panels say; ``page`` says where the method is at work on the same
    collection: when asked, since a worker needs no addresses.
    """

    digest: str
    draw: Draw
    page: Callable[[], LiveExample]


class Undrawable(Exception):
    """Why figures can't be drawn of what was sent, as a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What somebody sent, which is not on record.

    ``matrices`` are by the name of their measure, and ``measure`` is the one that is asked for; of its systems those
    named by ``executions`` are executions of one, and the others its rivals.
    """

    name: str
    measure: str
    higher_is_better: bool = True
    matrices: Mapping[str, ScoreMatrix]
    runs: Sequence[JudgedRanking] = ()
    executions: Sequence[str] = ()

    def scores(self, least_systems: int = 2, least_topics: int = 2, *, measure: str = "") -> ScoreMatrix:
        """The scores under a measure, or under the one that is asked for.

        Raises
        ------
        Undrawable
            If they are too few.
        """
        found = self.matrices.get(measure or self.measure)
        if found is None or found.n_systems < least_systems or found.n_topics < least_topics:
            raise Undrawable(
                f"it needs scores of {least_systems} systems or more on the same {least_topics} topics or more"
            )
        return found


def never(why: str) -> Callable[[Sent], Never]:
    """Figures that are drawn of nothing that anybody can send."""

    def refuse(sent: Sent) -> Never:
        raise Undrawable(why)

    return refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Redraw:
    """How some figures of a paper are drawn of another collection.

    ``choices`` reads names alone, and ``read`` the scores of one; None where it has none any more. ``key`` names what
    ``draw`` does, and is counted up whenever panels come out otherwise. What ``is_quick`` takes less than 0.3 seconds
    and is drawn when it is asked for; a worker draws the rest, once for the same scores. Where nothing is chosen the
    first of ``collections`` and ``measures`` is shown that there is. ``sent`` gives the same figures of what somebody
    sent, and raises :class:`Undrawable` where they can't be.
    """

    paper: str
    figures: frozenset[str]
    key: str
    choices: Callable[[], Sequence[Choice]]
    read: Callable[[Choice], Material | None]
    sent: Callable[[Sent], Draw]
    is_quick: bool = False
    collections: tuple[str, ...] = ("trec-2004-robust", "trec-8-adhoc")
    measures: tuple[str, ...] = ("AP",)

    def choose(self, choices: Sequence[Choice], collection: str, measure: str) -> Choice | None:
        """What is shown: what was asked for, as far as there is such, else what stands first."""
        of_one = [one for one in choices if one.collection == collection] or _first(
            choices, lambda one: one.collection, self.collections
        )
        of_both = [one for one in of_one if one.measure == measure]
        return next(iter(of_both or _first(of_one, lambda one: one.measure, self.measures)), None)


def _first(choices: Sequence[Choice], name: Callable[[Choice], str], wanted: Sequence[str]) -> list[Choice]:
    """Choices of the first name wanted that there is, else of the first of all."""
    names = [name(one) for one in choices]
    shown = next((one for one in wanted if one in names), names[0] if names else "")
    return [one for one in choices if name(one) == shown]
