"""Published scores of one system that do not agree: as they ship, with both sources and what is known of the cause."""

from collections.abc import Collection as AnyOf
from dataclasses import dataclass
from typing import Annotated

from registry.core.loading import shipped_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedScore:
    """Two published scores of one system that do not agree."""

    kind: Annotated[
        str,
        "`two_values` of one leaderboard; `hard_negatives`: the score with hard negatives is far from where scores "
        "with all documents put it.",
    ]
    system: str
    collection: Annotated[str, "Slug of the collection."]
    other_collection: Annotated[str, "Slug of that of the other score."]
    measure: str
    value: Annotated[str, "As its source gives it, on the scale of the measure."]
    other_value: Annotated[str, "As its source gives it, on the scale of the measure."]
    expected: Annotated[str, "What the line through other systems gives for the other score; blank without one."]
    address: Annotated[str, "Where the score stands."]
    other_address: Annotated[str, "Where the other score stands."]
    cause: Annotated[str, "A known cause that fits; blank where none is known."]
    cause_address: Annotated[str, "Who says so."]
    note: str


def contested_of(systems: AnyOf[str]) -> list[ContestedScore]:
    """Return what is contested of systems of these names."""
    return [ContestedScore(**row) for row in shipped_rows("contested.csv") if row["system"] in systems]


def contested_on(system: str, collection: str, measure: str) -> list[ContestedScore]:
    """Return what is contested of the score of a system on a collection, by slug, under a measure."""
    return [
        one
        for one in contested_of({system})
        if one.measure == measure and collection in (one.collection, one.other_collection)
    ]
