"""How often each of several systems is told better than another: over all that they share, and by suite."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

from registry.core.grouping import grouped
from registry.core.templatetags.formatting import plural, thousands


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two of the systems, over some leaderboards."""

    first: Annotated[int, "The systems, in the order of the address."]
    second: Annotated[int, "The systems, in the order of the address."]
    n_wins: Annotated[int, "Leaderboards on which the first is told better than the second."]
    n_ties: Annotated[int, "Leaderboards on which they can't be told apart."]
    n_losses: Annotated[int, "Leaderboards on which the second is told better than the first."]
    n_unknown: Annotated[int, "Leaderboards on which that can't be judged."]

    @property
    def n_boards(self) -> int:
        """How many leaderboards these are."""
        return self.n_wins + self.n_ties + self.n_losses + self.n_unknown

    @property
    def n_before_losses(self) -> int:
        """Where the losses begin in a bar of wins, ties and losses."""
        return self.n_wins + self.n_ties


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDuels:
    """The leaderboards of one track or benchmark that all of the systems share."""

    suite: Annotated[str, "Track or benchmark; blank for collections of none."]
    n_boards: int
    pairs: Annotated[tuple[Duel, ...], "Of each two systems, in the order of the address."]


@dataclass(frozen=True, slots=True)
class Told:
    """What one leaderboard says of a pair: who is told better, if anybody is; ``is_known`` where that can be known."""

    suite: str
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
    found = [(suite, records_of(systems, among)) for suite, among in suites.items()]
    records = [
        SuiteDuels(suite=suite, n_boards=max(one.n_boards for one in pairs), pairs=pairs) for suite, pairs in found
    ]
    return tuple(sorted(records, key=lambda one: (-one.n_boards, one.suite)))


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
    """Who is told better than each other on more than half of the leaderboards; nobody where there is none."""
    won: dict[int, int] = defaultdict(int)
    for one in records:
        for system, n_won in ((one.first, one.n_wins), (one.second, one.n_losses)):
            won[system] += 2 * n_won > one.n_boards
    return next((system for system in systems if won[system] == len(systems) - 1), None)


def told_of(names: dict[int, str], records: Sequence[Duel], n_boards: int) -> str:
    """One sentence: who leads the others on these leaderboards, if anybody does."""
    if not n_boards:
        return "No leaderboard has all of them."
    leader = leader_of(list(names), records)
    if leader is None and len(records) == 1:
        (one,) = records
        return (
            f"Neither leads: of {plural(n_boards, 'shared leaderboard,shared leaderboards')}, {names[one.first]} wins"
            f" {thousands(one.n_wins)} and {names[one.second]} {thousands(one.n_losses)}; {_rest(one)}."
        )
    if leader is None:
        clear = [told for one in records if (told := _majority(one, names))]
        told = "; ".join([*clear, f"no {'other ' if clear else ''}pair is decided one way on more than half"])
        return f"None leads on the {plural(n_boards, 'leaderboard,leaderboards')} that all share: {told}."
    against = [_against(leader, one, names) for one in records if leader in {one.first, one.second}]
    won = [one.n_wins if leader == one.first else one.n_losses for one in records if leader in {one.first, one.second}]
    share = "" if n_boards == 1 else "all " if min(won) == n_boards else "more than half of "
    of = plural(n_boards, "shared leaderboard,shared leaderboards")
    return f"{names[leader]} leads on {share}{of}: {'; '.join(against)}."


def _majority(one: Duel, names: dict[int, str]) -> str:
    """Who of two is told better on more than half of the leaderboards; blank where neither is."""
    for better, other, n_won in ((one.first, one.second, one.n_wins), (one.second, one.first, one.n_losses)):
        if 2 * n_won > one.n_boards:
            return f"{names[better]} beats {names[other]} on {thousands(n_won)}"
    return ""


def _against(leader: int, one: Duel, names: dict[int, str]) -> str:
    is_first = leader == one.first
    other = one.second if is_first else one.first
    wins, losses = (one.n_wins, one.n_losses) if is_first else (one.n_losses, one.n_wins)
    return f"it beats {names[other]} on {thousands(wins)} and loses on {thousands(losses)}; {_rest(one)}"


def _rest(one: Duel) -> str:
    unknown = f", and {thousands(one.n_unknown)} can’t be judged" if one.n_unknown else ""
    return f"on {thousands(one.n_ties)} they can’t be told apart{unknown}"
