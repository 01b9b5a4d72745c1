"""Finding what is in the catalog."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from registry.catalog.models import Collection, CollectionAlias, Measure, MeasureAlias
from registry.core.rejections import Refused
from registry.core.text import comparison_key, nearest, shorten

Row = TypeVar("Row", Collection, Measure)

#: Looking for the nearest name takes milliseconds; a file full of unknown names gets suggestions for the first only.
_MAX_SUGGESTIONS = 100


class CatalogNames:
    """Every collection and measure under all its names, read once: for looking up many."""

    def __init__(self) -> None:
        collections, measures = Collection.objects.in_bulk(), Measure.objects.in_bulk()
        self._collections = _Names(
            "collection", collections, CollectionAlias.objects.values_list("alias", "collection_id")
        )
        self.is_empty = not collections
        self._measures = _Names("measure", measures, MeasureAlias.objects.values_list("alias", "measure_id"))

    def collection(self, text: str) -> Collection:
        """The collection of this slug or alias; refused, with the nearest names, where there is none."""
        return self._collections.find(text)

    def measure(self, text: str) -> Measure:
        """The measure of this name or alias; refused, with the nearest names, where there is none."""
        return self._measures.find(text)

    def has_collection(self, text: str) -> bool:
        """Whether a collection goes by this name."""
        return text in self._collections

    def has_measure(self, text: str) -> bool:
        """Whether a measure goes by this name."""
        return text in self._measures


class _Names(Generic[Row]):
    """Rows of one kind by their canonical names and aliases, in the form in which names are compared."""

    def __init__(self, kind: str, rows: dict[int, Row], aliases: Iterable[tuple[str, int]]) -> None:
        self._kind = kind
        self._rows = {comparison_key(alias): rows[pk] for alias, pk in aliases}
        self._rows |= {comparison_key(_canonical(row)): row for row in rows.values()}
        self._hints: dict[str, str] = {}

    def __contains__(self, text: str) -> bool:
        return self._get(text) is not None

    def _get(self, text: str) -> Row | None:
        return self._rows.get(text) or self._rows.get(comparison_key(text))

    def find(self, text: str) -> Row:
        found = self._get(text)
        if found is None:
            if not text.strip():
                raise Refused("blank", f"names no {self._kind}")
            raise Refused(f"unknown_{self._kind}", f"unknown {self._kind} {shorten(text)!r}{self._hint(text)}")
        return found

    def _hint(self, text: str) -> str:
        if text not in self._hints and len(self._hints) < _MAX_SUGGESTIONS:
            matches = dict.fromkeys(_canonical(self._rows[key]) for key in nearest(text, self._rows, n=3))
            self._hints[text] = f"; did you mean {' or '.join(matches)}?" if matches else ""
        return self._hints.get(text, "")


def _canonical(row: Collection | Measure) -> str:
    return row.slug if isinstance(row, Collection) else row.name
