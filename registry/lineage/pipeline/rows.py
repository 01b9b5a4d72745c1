"""Reading what files say of systems: one row becomes what the registry will hold of it, or is refused."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from registry.catalog.queries import CatalogNames
from registry.core.rejections import Refused, Rejection
from registry.core.tables import Record
from registry.core.text import clean_name, comparison_key, did_you_mean, shorten
from registry.lineage.models import TrainingDeclaration
from registry.lineage.pipeline.keys import parse_key

LINEAGE_COLUMNS = ("system", "team", "key", "source")
TRAINING_COLUMNS = ("system", "team", "declared", "how", "source", "collections")

#: What stands before a key that a system does not have although its team or paper says so.
NOT = "not "

_ANSWERS = tuple(TrainingDeclaration.Declared.values)

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class LineageRow:
    """That the system of this name and team is of a lineage, or is not; a blank name means all systems."""

    line: int
    name_key: str
    team_key: str
    key: str
    holds: bool
    source: str


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """What the maker of the system of this name and team declares about some collections."""

    line: int
    name_key: str
    team_key: str
    collection_ids: tuple[int, ...]
    declared: str
    how: str
    source: str


def parse_lineage(records: Iterable[Record | Rejection]) -> Iterator[LineageRow | list[Rejection]]:
    """Every row of a table of lineages, each checked or with what is wrong with it."""
    return _parse(records, _lineage_row)


def parse_training(
    records: Iterable[Record | Rejection], names: CatalogNames
) -> Iterator[TrainingRow | list[Rejection]]:
    """Every row of a table of declared training data, each checked or with what is wrong with it."""
    return _parse(records, lambda record: _training_row(record, names))


def _parse(records: Iterable[Record | Rejection], make: Callable[[Record], Row]) -> Iterator[Row | list[Rejection]]:
    for record in records:
        try:
            yield [record] if isinstance(record, Rejection) else make(record)
        except Refused as refused:
            yield [Rejection(refused.code, refused.message, record.line)]


def _lineage_row(record: Record) -> LineageRow:
    cells = record.cells
    name, team = _names(cells)
    text = cells["key"].strip()
    holds = not text.startswith(NOT)
    if not name and holds:
        raise Refused("blank", f"names no system; only what makes no family stands for all, as “{NOT}team:a platform”")
    key = parse_key(text.removeprefix(NOT))
    return LineageRow(record.line, name, team, key, holds, _source(cells, 500))


def _training_row(record: Record, names: CatalogNames) -> TrainingRow:
    cells = record.cells
    name, team = _names(cells)
    if not name:
        raise Refused("blank", "names no system")
    declared = comparison_key(cells["declared"])
    if declared not in _ANSWERS:
        hint = did_you_mean(declared, _ANSWERS)
        raise Refused("choice", f"{shorten(declared)!r} is none of {', '.join(_ANSWERS)}{hint}")
    collections = tuple(names.collection(slug).pk for slug in cells["collections"].split("|"))
    how = clean_name(cells["how"], max_length=300)
    return TrainingRow(record.line, name, team, collections, declared, how, _source(cells, 300))


def _names(cells: dict[str, str]) -> tuple[str, str]:
    """Name and team of the system, in the form in which they are compared."""
    return comparison_key(clean_name(cells["system"])), comparison_key(clean_name(cells["team"]))


def _source(cells: dict[str, str], max_length: int) -> str:
    source = clean_name(cells["source"], max_length=max_length)
    if not source:
        raise Refused("blank", "says nowhere how it is known; fill in source")
    return source
