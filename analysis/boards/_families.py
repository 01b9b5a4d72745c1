"""Which rows come from one maker or lineage."""

from collections.abc import Iterable, Mapping, Sequence

from analysis.boards._findings import Family
from analysis.boards._inputs import BoardRow
from analysis.errors import ArgumentError


def group_families(rows: Sequence[BoardRow], near_copies: Iterable[Sequence[int]] = ()) -> tuple[Family, ...]:
    """The families among rows: those that share a lineage key, and what these share with others, and so on.

    ``rows`` stand best first, and each comes out in exactly one family, that of the first row first. ``near_copies``
    are groups of ids whose topic scores are nearly the same; each is of one family too.

    >>> def row(id, *lineage):
    ...     return BoardRow(id=id, system=f"s{id}", printed="0.1", value=0.1, lineage=lineage)
    >>> families = group_families([row(1, "team:x"), row(2), row(3, "team:y", "model:m"), row(4, "team:x", "model:m")])
    >>> [family.results for family in families]
    [(1, 3, 4), (2,)]
    """
    if not isinstance(rows, Sequence) or not all(isinstance(row, BoardRow) for row in rows):
        raise ArgumentError("rows", rows, "must be rows of a board")
    parent = {row.id: row.id for row in rows}
    if len(parent) < len(rows):
        raise ArgumentError("rows", [row.id for row in rows], "must have different ids")

    def find(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    order = {row.id: position for position, row in enumerate(rows)}
    first_with: dict[str, int] = {}
    for row in rows:
        for key in row.lineage:
            parent[find(row.id)] = find(first_with.setdefault(key, row.id))
    if isinstance(near_copies, str) or not isinstance(near_copies, Iterable):
        raise ArgumentError("near_copies", near_copies, "must be groups of ids")
    for group in near_copies:
        if isinstance(group, str) or not isinstance(group, Sequence) or not set(group) <= parent.keys():
            raise ArgumentError("near_copies", group, "must be ids of the rows")
        for one in group[1:]:
            parent[find(one)] = find(group[0])
    members: dict[int, list[BoardRow]] = {}
    for row in rows:
        members.setdefault(find(row.id), []).append(row)
    return tuple(
        Family(results=tuple(row.id for row in group), keys=_shared_keys(group))
        for group in sorted(members.values(), key=lambda group: order[group[0].id])
    )


def _shared_keys(group: Sequence[BoardRow]) -> tuple[str, ...]:
    """The keys that hold a family together, those of most rows first; of a single row all that it has."""
    counts: dict[str, int] = {}
    for row in group:
        for key in row.lineage:
            counts[key] = counts.get(key, 0) + 1
    if len(group) > 1:
        counts = {key: n for key, n in counts.items() if n > 1}
    return tuple(sorted(counts, key=lambda key: (-counts[key], key)))


def has_maker(row: BoardRow) -> bool:
    """Return whether the row names its team or its paper."""
    return any(key.startswith(("team:", "paper:")) for key in row.lineage)


#: What names a group best, and the word for what else its rows share.
_NAMES = {"team:": "", "model:": "", "toolkit:": "", "paper:": "one paper"}


def group_name(rows: Sequence[BoardRow]) -> str:
    """Return what rows of one group are called: their team, else the model, toolkit or paper that all share."""
    if len(teams := {row.team for row in rows}) == 1 and (team := teams.pop()):
        return team
    shared = set.intersection(*(set(row.lineage) for row in rows))
    for prefix, word in _NAMES.items():
        if keys := sorted(key for key in shared if key.startswith(prefix)):
            return word or keys[0].removeprefix(prefix)
    return "one group"


def family_of(families: Iterable[Family]) -> Mapping[int, int]:
    """The number of each row's family, by result id."""
    return {result: number for number, family in enumerate(families) for result in family.results}
