"""How often each of several systems is told better than another: over all that they share, and by suite."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal, get_args

from registry.core.listing import grouped
from registry.core.messages import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two of the systems, over some leaderboards."""

    first: Annotated[int, "The systems, in the order of the address."]
    second: Annotated[int, "The systems, in the order of the address."]
    n_wins: Annotated[int, "Leaderboards on which the first is told better than the second."]
    n_ties: Annotated[int, "Leaderboards on which they tie."]
    n_losses: Annotated[int, "Leaderboards on which the second is told better than the first."]
    n_unknown: Annotated[int, "Leaderboards on which that can't be judged."]

    @property
    def n_boards(self) -> int:
        """Return how many leaderboards these are."""
        return self.n_wins + self.n_ties + self.n_losses + self.n_unknown

    @property
    def n_before_losses(self) -> int:
        """Return where the losses begin in a bar of wins, ties and losses."""
        return self.n_wins + self.n_ties


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDuels:
    """The leaderboards of one track or benchmark that all of the systems share."""

    suite: Annotated[str, "Track or benchmark; blank for collections of none."]
    n_boards: int
    pairs: Annotated[tuple[Duel, ...], "Of each two systems, in the order of the address."]


Training = Literal["zero-shot", "trained", "undisclosed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDuels:
    """The leaderboards on which as much is known of training."""

    training: Annotated[
        Training,
        "`zero-shot` for all of the systems, `trained` where one or more were trained on it, else `undisclosed` for one"
        " or more.",
    ]
    trained: Annotated[tuple[int, ...], "Those of the systems that were trained on it."]
    n_boards: int
    pairs: Annotated[tuple[Duel, ...], "Of each two systems, in the order of the address."]


@dataclass(frozen=True, slots=True)
class Told:
    """What one leaderboard says of a pair: who is told better, if anybody is; ``is_known`` where that can be known."""

    suite: str
    training: Training
    trained: tuple[int, ...]
    pair: tuple[int, int]
    better: int | None
    is_known: bool


def records_of(systems: Sequence[int], told: Iterable[Told]) -> tuple[Duel, ...]:
    """Every pair of these systems, in their order, over what is told of it."""
    by_pair = grouped(told, lambda one: frozenset(one.pair))
    return tuple(_record(pair, by_pair[frozenset(pair)]) for pair in combinations(systems, 2))


def by_suite(systems: Sequence[int], told: Sequence[Told]) -> tuple[SuiteDuels, ...]:
    """The same for each track or benchmark, those of most leaderboards first."""
    suites = grouped(told, lambda one: one.suite)
    records = [SuiteDuels(suite=suite, **_among(systems, some)) for suite, some in suites.items()]
    return tuple(sorted(records, key=lambda one: (-one.n_boards, one.suite)))


def by_training(systems: Sequence[int], told: Sequence[Told]) -> tuple[TrainingDuels, ...]:
    """The same by what is known of training: zero-shot first, undisclosed last."""
    kinds = grouped(told, lambda one: (one.training, one.trained if one.training == "trained" else ()))
    records = [
        TrainingDuels(training=training, trained=trained, **_among(systems, some))
        for (training, trained), some in kinds.items()
    ]
    order = get_args(Training)
    return tuple(sorted(records, key=lambda one: (order.index(one.training), len(one.trained), one.trained)))


def _among(systems: Sequence[int], told: Sequence[Told]) -> dict[str, Any]:
    pairs = records_of(systems, told)
    return {"n_boards": max(pair.n_boards for pair in pairs), "pairs": pairs}


def _record(pair: tuple[int, int], told: Sequence[Told]) -> Duel:
    n_known = sum(one.is_known for one in told)
    wins, losses = (sum(one.better == system for one in told) for system in pair)
    return Duel(
        first=pair[0],
        second=pair[1],
        n_wins=wins,
        n_losses=losses,
        n_ties=n_known - wins - losses,
        n_unknown=len(told) - n_known,
    )


def leader_of(systems: Sequence[int], records: Sequence[Duel]) -> int | None:
    """Return who is told better than each other on more than half of the leaderboards; nobody where there is none."""
    won: dict[int, int] = defaultdict(int)
    for one in records:
        for system, n_won in ((one.first, one.n_wins), (one.second, one.n_losses)):
            won[system] += 2 * n_won > one.n_boards
    return next((system for system in systems if won[system] == len(systems) - 1), None)


def sentence_of(names: dict[int, str], records: Sequence[Duel], n_boards: int, *, is_zero_shot: bool) -> str:
    """Return who wins how often on these leaderboards, or who of more than two leads all others, if anybody does."""
    values = {"n": n_boards, "zero": "yes" if is_zero_shot else "no"}
    if not n_boards:
        return say("compare-none-shared")
    if len(records) == 1:
        (one,) = records
        ahead = (one.n_wins, names[one.first]), (one.n_losses, names[one.second])
        (wins, first), (losses, second) = sorted(ahead, key=lambda pair: -pair[0])
        counts = {"wins": wins, "losses": losses, "ties": one.n_ties}
        return say("compare-two", first=first, second=second, **values, **counts)
    leader = leader_of(list(names), records)
    return say("compare-leader", name=names[leader], **values) if leader else say("compare-no-leader", **values)
