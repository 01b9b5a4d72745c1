"""Systems under several names: those whose scores agree to the last digit wherever both have one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

#: On fewer common leaderboards, scores may agree by chance.
MIN_BOARDS = 10

#: One that was measured again, or rounded otherwise somewhere, is still the same.
MIN_SHARE = 0.95

#: A score that more systems share says nothing of any two.
_MOST_ALIKE = 40


@dataclass(frozen=True, slots=True)
class Twin:
    """Two systems with the same scores: on ``n_same`` of the ``n_common`` leaderboards that list both."""

    first: int
    second: int
    n_same: int
    n_common: int


def find_twins(scores: Iterable[tuple[int, int, float]]) -> list[Twin]:
    """Pairs of systems whose scores agree nearly everywhere; by their ids.

    ``scores`` are (system, leaderboard, score). A score of 0 is a failed run and agrees with nothing; of several
    results of a system on a leaderboard the first counts.
    """
    boards: dict[int, dict[int, float]] = defaultdict(dict)
    for system, board, score in scores:
        if score != 0:
            boards[system].setdefault(board, score)
    return [
        Twin(first, second, n_same, n_common)
        for (first, second), n_same in sorted(_agreements(boards).items())
        if n_same >= MIN_BOARDS
        and n_same >= MIN_SHARE * (n_common := len(boards[first].keys() & boards[second].keys()))
    ]


def _agreements(boards: Mapping[int, Mapping[int, float]]) -> Counter[tuple[int, int]]:
    """On how many leaderboards two systems have the same score, for those on enough of them."""
    alike: dict[tuple[int, float], list[int]] = defaultdict(list)
    for system, scores in boards.items():
        if len(scores) >= MIN_BOARDS:
            for place in scores.items():
                alike[place].append(system)
    return Counter(
        pair
        for systems in alike.values()
        if 1 < len(systems) <= _MOST_ALIKE
        for pair in combinations(sorted(systems), 2)
    )


def group_twins(twins: Iterable[Twin]) -> list[set[int]]:
    """The systems that are one, directly or over others."""
    groups: dict[int, set[int]] = {}
    for twin in twins:
        joined = groups.get(twin.first, {twin.first}) | groups.get(twin.second, {twin.second})
        groups |= dict.fromkeys(joined, joined)
    return list({id(group): group for group in groups.values()}.values())
