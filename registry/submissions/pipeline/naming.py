"""Telling rows of one name apart: by what else the table says of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from registry.core.numbers import stands_for_nothing
from registry.core.text import comparison_key
from registry.submissions.pipeline.rows import BLANKS

#: What makes a result another one, beside its system and score.
_IDENTITY = ("collection", "measure", "team", "paper", "paper_url", "source", "replicate_of")
Fact = tuple[str, str]


@dataclass
class Found:
    """A result on its way out of a table: its place, its cells, and what the table says beside them.

    ``facts`` are what its system is or has, by head; a fact without a head is the group that it stands in.
    """

    line: int
    column: int
    cells: dict[str, str]
    facts: tuple[Fact, ...] = ()
    notes: list[str] = field(default_factory=list)

    def row(self) -> dict[str, str]:
        """The cells of the result, with notes of what is not in its name."""
        notes = [self.cells.get("notes", ""), *(_as_note(*fact) for fact in self.facts), *self.notes]
        return BLANKS | self.cells | {"notes": "; ".join(filter(None, notes))}


def _as_note(head: str, text: str) -> str:
    return f"{head}: {text}" if head else f'under "{text}"'


def tell_apart(found: Iterable[Found]) -> None:
    """Put into the names of systems what tells those apart that share one and would be the same result."""
    alike: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        if one.cells.get("system"):
            alike[comparison_key(one.cells["system"])].append(one)
    for rows in alike.values():
        if len(rows) > 1 and _clash(rows, ()):
            heads = _heads_that_tell(rows)
            for one in rows:
                _qualify(one, heads)


def _clash(rows: Sequence[Found], heads: Sequence[str]) -> bool:
    """Whether two of the rows would be the same result, once what stands under these heads is in their names."""
    seen = {
        (*(comparison_key(one.cells.get(name, "")) for name in _IDENTITY), *(dict(one.facts).get(h, "") for h in heads))
        for one in rows
    }
    return len(seen) < len(rows)


def _heads_that_tell(rows: Sequence[Found]) -> list[str]:
    """The first head that tells all rows apart, or all under which they differ; none where those do not either."""
    heads = list(dict.fromkeys(head for one in rows for head, _ in one.facts))
    # What a row says of itself comes before the group that it stands in.
    heads = [*filter(None, heads), *(head for head in heads if not head)]
    differing = [head for head in heads if len({dict(one.facts).get(head, "") for one in rows}) > 1]
    for head in differing:
        if not _clash(rows, [head]):
            return [head]
    return differing if not _clash(rows, differing) else []


def _qualify(one: Found, heads: Sequence[str]) -> None:
    """The facts under these heads move from beside the name into it."""
    facts = dict(one.facts)
    said = [_in_name(head, facts[head]) for head in heads if facts.get(head)]
    if said:
        one.cells["system"] = f"{one.cells['system']} ({', '.join(said)})"
        one.facts = tuple(fact for fact in one.facts if fact[0] not in heads)


def _in_name(head: str, text: str) -> str:
    """The fact as it stands in a name: 3B and BERT-base speak for themselves, 20 and ✓ do not."""
    speaks = sum(character.isalpha() for character in text) > 0
    return text if speaks or not head else f"{head.rstrip(':')} {text}"


def facts_of(pairs: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that say something, each head once."""
    return tuple({head: (head, text) for head, text in pairs if not stands_for_nothing(text)}.values())
