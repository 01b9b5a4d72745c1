"""What the record says of a table of scores, cell by cell, and how many comparisons were made to say it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from analysis.boards import BoardRow
from analysis.scales import percentile_among
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import CatalogNames
from registry.core.rejections import Rejection
from registry.core.scores import PrintedScore
from registry.core.tables import Record
from registry.core.templatetags.formatting import plural, score
from registry.core.text import comparison_key
from registry.leaderboards.stored import MIN_FIELD, WEAK_PERCENTILE, StoredBoard, read_stored
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow, parse_result
from registry.submissions.pipeline.rows import BLANKS

#: What a cell is called, and what that means.
KINDS = {
    "weak": "a weak baseline: worse than most of the original runs, or of the toolkits’ runs",
    "tie": "within the margin of what it is compared with: chance may have decided",
    "beyond": "beyond the margin of what it is compared with",
    "record": "better than everything on record",
    "contested": "the record has another score for a system of this name",
    "unknown": "not on record, or nothing is known that would tell chance from a difference",
}
LABELS = {
    "weak": "weak baseline",
    "tie": "tie",
    "beyond": "beyond luck",
    "record": "record",
    "contested": "contested",
    "unknown": "not known",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A score of the table with what is said of it.

    Attributes
    ----------
    system : str
    score : PrintedScore
    is_baseline : bool
    kinds : tuple of str
        Keys of ``KINDS``.
    words : tuple of str
        The same in numbers, one clause each.
    """

    system: str
    score: PrintedScore
    is_baseline: bool
    kinds: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def labels(self) -> list[tuple[str, str]]:
        return [(kind, LABELS[kind]) for kind in self.kinds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The scores of the table on one leaderboard.

    Attributes
    ----------
    name : str
    url : str
        Of the leaderboard; blank where there is none.
    decimals : int
    cells : tuple of Cell
        In the order of the table.
    n_comparisons, n_beyond : int
        Pairs that were compared, and those beyond the margin.
    best : str
        The best on record, in words; blank without.
    """

    name: str
    url: str
    decimals: int
    cells: tuple[Cell, ...]
    n_comparisons: int
    n_beyond: int
    best: str

    def of(self, system: str) -> list[Cell]:
        """The cells of a system."""
        return [cell for cell in self.cells if cell.system == system]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDocument:
    """What the record says of a table.

    Attributes
    ----------
    systems, baselines : tuple of str
        Of the table, in its order; those that count as baselines.
    columns : tuple of Column
    rejections : tuple of Rejection
        Scores that could not be matched or read, with the reason.
    n_comparisons, n_beyond : int
    """

    systems: tuple[str, ...]
    baselines: tuple[str, ...]
    columns: tuple[Column, ...]
    rejections: tuple[Rejection, ...]
    n_comparisons: int
    n_beyond: int

    @property
    def n_by_luck(self) -> str:
        """How many would be beyond the margin on average if nothing differed."""
        return f"{0.05 * self.n_comparisons:.1f}"

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds that occur, by what they are called, with what they mean."""
        found = {kind for column in self.columns for cell in column.cells for kind in cell.kinds}
        return {LABELS[kind]: meaning for kind, meaning in KINDS.items() if kind in found}

    @property
    def rows(self) -> Iterator[tuple[str, list[list[Cell]]]]:
        """Each system with its cells in every column."""
        for system in self.systems:
            yield system, [column.of(system) for column in self.columns]


@dataclass(slots=True)
class _Matched:
    """The rows of one leaderboard."""

    collection_id: int
    measure_id: int
    rows: list[ResultRow] = field(default_factory=list)


def review_document(
    records: Iterable[Record | Rejection], names: CatalogNames, baselines: frozenset[str] | None
) -> ReviewDocument:
    """What the record says of these scores. ``baselines`` are the systems ticked as such; None for the table's own."""
    matched: dict[tuple[int, int], _Matched] = {}
    rejections: list[Rejection] = []
    for one in records:
        found = [one] if isinstance(one, Rejection) else _parse(one, names)
        if isinstance(found, list):
            rejections += found
            continue
        place = (found.collection_id, found.measure_id)
        matched.setdefault(place, _Matched(*place)).rows.append(found)
    rows = [row for one in matched.values() for row in one.rows]
    if baselines is None:
        baselines = frozenset(row.system for row in rows if row.role == Result.Role.BASELINE)
    boards = {
        (board.collection_id, board.measure_id): board
        for board in Leaderboard.objects.with_names().filter(
            collection__in={one.collection_id for one in matched.values()},
            measure__in={one.measure_id for one in matched.values()},
        )
    }
    stored = read_stored(boards[place].pk for place in matched if place in boards)
    collections = Collection.objects.in_bulk({collection for collection, _ in matched})
    measures = Measure.objects.in_bulk({measure for _, measure in matched})
    columns = [
        _column(one, board, stored[board.pk], baselines)
        if (board := boards.get(place)) and board.pk in stored
        else _unrecorded(one, collections[place[0]], measures[place[1]], baselines)
        for place, one in matched.items()
    ]
    systems = tuple(dict.fromkeys(row.system for row in rows))
    return ReviewDocument(
        systems=systems,
        baselines=tuple(one for one in systems if one in baselines),
        columns=tuple(columns),
        rejections=tuple(rejections),
        n_comparisons=sum(column.n_comparisons for column in columns),
        n_beyond=sum(column.n_beyond for column in columns),
    )


def _parse(record: Record, names: CatalogNames) -> ResultRow | list[Rejection]:
    cells = BLANKS | dict(record.cells)
    cells |= {"source": "a pasted table", "role": cells["role"] or Result.Role.PROPOSED.value}
    return parse_result(cells, names, today=date.today(), line=record.line)


def _unrecorded(matched: _Matched, collection: Collection, measure: Measure, baselines: frozenset[str]) -> Column:
    """The column of a leaderboard of which nothing is known."""
    return Column(
        name=f"{collection.name}, {measure.name}",
        url="",
        decimals=measure.decimals,
        cells=tuple(
            Cell(
                system=row.system,
                score=row.score,
                is_baseline=row.system in baselines,
                kinds=("unknown",),
                words=("no analysed results are on record here",),
            )
            for row in matched.rows
        ),
        n_comparisons=0,
        n_beyond=0,
        best="",
    )


def _column(matched: _Matched, board: Leaderboard, stored: StoredBoard, baselines: frozenset[str]) -> Column:
    judge = _Judge(board, stored, matched.rows, baselines)
    cells = tuple(judge.cell(row) for row in matched.rows)
    best = stored.competing[0]
    return Column(
        name=f"{board.collection.name}, {board.measure.name}",
        url=board.get_absolute_url(),
        decimals=board.measure.decimals,
        cells=cells,
        n_comparisons=len(judge.pairs),
        n_beyond=sum(judge.pairs.values()),
        best=f"{score(best.value, board.measure.decimals)} ({best.system}{f', {best.year}' if best.year else ''})",
    )


class _Judge:
    """Says of each score of one column what the record says of it."""

    def __init__(
        self, board: Leaderboard, stored: StoredBoard, rows: Sequence[ResultRow], baselines: frozenset[str]
    ) -> None:
        self.board, self.stored = board, stored
        self.sign, self.baselines = stored.sign, baselines
        self.decimals = board.measure.decimals
        #: The pairs that were compared, each once, and whether they are beyond the margin.
        self.pairs: dict[frozenset[int], bool] = {}
        rivals = [one for one in rows if one.system in baselines] or rows
        self.best = sorted(rivals, key=lambda one: -self.sign * one.score.value)[:2]
        self.fields = list(self._fields())
        self.names: dict[str, list[BoardRow]] = {}
        for one in stored.competing:
            self.names.setdefault(comparison_key(one.system), []).append(one)

    def cell(self, row: ResultRow) -> Cell:
        kinds: list[str] = []
        words: list[str] = []
        is_baseline = row.system in self.baselines
        for kind, said in self._said(row, is_baseline):
            kinds += [kind] if kind and kind not in kinds else []
            words.append(said)
        return Cell(system=row.system, score=row.score, is_baseline=is_baseline, kinds=tuple(kinds), words=tuple(words))

    def _said(self, row: ResultRow, is_baseline: bool) -> Iterator[tuple[str, str]]:
        value = row.score.value
        yield from self._on_record(value)
        if is_baseline:
            yield from self._weakness(value)
        else:
            yield from self._compared(row)
        for other in self._of_this_name(row):
            yield "contested", f"the record has {self.number(other.value)} for {other.system}"

    def number(self, value: float) -> str:
        return score(value, self.decimals)

    def _on_record(self, value: float) -> Iterator[tuple[str, str]]:
        better = sum(self.sign * row.value > self.sign * value for row in self.stored.competing)
        n, margin = len(self.stored.competing), self.stored.margin
        if better:
            yield "", f"{better:,} of {plural(n, 'result,results')} on record {'is' if better == 1 else 'are'} better"
            return
        lead = self.sign * (value - self.stored.competing[0].value)
        if not lead:
            yield "", "as good as the best on record"
            return
        how = "" if margin is None else ", beyond the margin" if lead >= margin else ", within the margin"
        yield "record", f"{self.number(lead)} better than the best of {plural(n, 'result,results')} on record{how}"

    def _weakness(self, value: float) -> Iterator[tuple[str, str]]:
        for what, values in self.fields:
            percentile = float(
                percentile_among([value], values, higher_is_better=self.board.measure.higher_is_better)[0]
            )
            kind = "weak" if percentile < WEAK_PERCENTILE else ""
            yield kind, f"percentile {percentile:.0f} among {what}"

    def _fields(self) -> Iterator[tuple[str, list[float]]]:
        """The original runs and the toolkits’ runs, where there are enough to stand among."""
        roles = ((Result.Role.TREC_RUN, "original runs"), (Result.Role.REFERENCE_IMPLEMENTATION, "toolkits’ runs"))
        for role, what in roles:
            values = [row.value for row in self.stored.competing if row.role == role]
            if len(values) >= MIN_FIELD:
                yield f"{len(values):,} {what}", values

    def _compared(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        """Against the best baseline of the column; without one, against the best of the others."""
        rival = next((one for one in self.best if one is not row), None)
        if rival is None:
            return
        what = "the best baseline" if rival.system in self.baselines else "the best other score"
        gain, margin = self.sign * (row.score.value - rival.score.value), self.stored.margin
        is_beyond = margin is not None and abs(gain) >= margin
        self.pairs[frozenset((id(row), id(rival)))] = is_beyond
        far = f"{self.number(abs(gain))} {'better' if gain > 0 else 'worse'} than {what}, {rival.system}"
        if margin is None:
            yield "unknown", f"{far}; no margin is known here"
        elif not is_beyond:
            yield "tie", f"{far}, within the margin of {self.number(margin)}"
        else:
            yield "beyond" if gain > 0 else "", f"{far}, beyond the margin of {self.number(margin)}"

    def _of_this_name(self, row: ResultRow) -> list[BoardRow]:
        """What is on record under the name and prints another score, as far as the digits of both tell."""
        unit = 10.0 ** -min(row.score.decimals, self.decimals)
        return [one for one in self.names.get(row.name_key, ()) if abs(one.value - row.score.value) > 0.51 * unit]
