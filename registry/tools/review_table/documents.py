"""What the record says of a table of scores, cell by cell, and how many comparisons were made to say it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import comb
from typing import Annotated

from typing_extensions import Doc

from analysis.boards import BoardRow, PlannedPair, planned_pairs
from analysis.readers.recipes import model_of as read_recipe
from analysis.readers.rejections import Rejection
from analysis.readers.rows import BLANKS
from analysis.readers.scores import PrintedScore
from analysis.readers.tables import Record
from analysis.readers.text import comparison_key
from analysis.scales import percentile_among
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import CatalogNames
from registry.core.templatetags.formatting import plural, score
from registry.leaderboards.stored import MIN_FIELD, WEAK_PERCENTILE, StoredBoard, read_stored
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow, parse_result
from registry.tools.review_table.claims import Claim, ClaimInColumn, claim_of, guess_own, is_oracle, says_of

#: What a cell is called, and what that means.
KINDS = {
    "weak": "a weak baseline: worse than most of the original runs, or of the toolkits’ runs",
    "not-told-apart": "means don’t tell it from what it is compared with, which doesn’t make the two equal",
    "beyond": "better than what it is compared with by more than chance explains for an average pair of systems",
    "record": "better than the best on record",
    "new": "no system or model of this name is on record here",
    "same": "as on record, to the digits that both print",
    "contested": "the record has another score for a system of this name, or for all runs of this model",
    "held-back": "held back from being the best on record; its leaderboard says why",
    "unknown": "not on record, or nothing is known that would tell chance from a difference",
}
LABELS = {
    "weak": "weak baseline",
    "not-told-apart": "not told apart",
    "beyond": "beyond luck",
    "record": "record",
    "new": "new",
    "same": "same",
    "contested": "contested",
    "held-back": "held back",
    "unknown": "not known",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A score of the table with what is said of it."""

    system: str
    score: PrintedScore
    is_baseline: bool
    is_own: bool = False
    kinds: Annotated[tuple[str, ...], Doc("Keys of ``KINDS``.")]
    words: Annotated[tuple[str, ...], Doc("The same in numbers, one clause each.")]

    @property
    def labels(self) -> list[tuple[str, str]]:
        return [(kind, LABELS[kind]) for kind in self.kinds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The scores of the table on one leaderboard."""

    name: str
    url: Annotated[str, Doc("Of the leaderboard; blank where there is none.")]
    decimals: int
    cells: Annotated[tuple[Cell, ...], Doc("In the order of the table.")]
    n_comparisons: Annotated[int, Doc("Pairs that were compared.")]
    n_beyond: Annotated[int, Doc("Those of them in which the better one is beyond luck.")]
    n_unknown: Annotated[int, Doc("Those of which that can't be known.")]
    claimed: Annotated[tuple[tuple[str, ClaimInColumn], ...], Doc("Own rows with what is claimed of them.")] = ()
    best: Annotated[str, Doc("The best on record that no caution holds back, in words; blank without.")]

    def of(self, system: str) -> list[Cell]:
        """The cells of a system."""
        return [cell for cell in self.cells if cell.system == system]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDocument:
    """What the record says of a table."""

    systems: Annotated[tuple[str, ...], Doc("Of the table, in its order; those that count as baselines.")]
    baselines: Annotated[tuple[str, ...], Doc("Of the table, in its order; those that count as baselines.")]
    own: Annotated[tuple[str, ...], Doc("Rows of whoever made the table, of which alone it claims anything.")] = ()
    claims: Annotated[tuple[Claim, ...], Doc("What it claims of each of these.")] = ()
    columns: tuple[Column, ...]
    rejections: Annotated[tuple[Rejection, ...], Doc("Scores that could not be matched or read, with the reason.")]
    n_comparisons: Annotated[int, Doc("Over all columns.")]
    n_beyond: Annotated[int, Doc("Over all columns.")]
    n_unknown: Annotated[int, Doc("Over all columns.")]
    n_together: Annotated[
        int,
        Doc(
            "As how many comparisons those that can be judged are judged together: their number; without baselines, all"
            " pairs of each column, because the best of a column is picked by its score."
        ),
    ]

    @property
    def summary(self) -> str:
        """What was compared, and how it was judged, in sentences."""
        rival = "the best baseline" if self.baselines else "the best other score"
        if self.own:
            return self._summary_of_claims(rival)
        n = plural(self.n_comparisons, "comparison,comparisons")
        said = f"{n} with {rival} of the column: {self.n_beyond:,} beyond luck"
        said += f", {self.n_unknown:,} of which can’t be judged here." if self.n_unknown else "."
        if self.n_together > 1:
            said += f" All are judged together, as {plural(self.n_together, 'comparison,comparisons')} (Holm)"
            if self.n_together > self.n_comparisons - self.n_unknown:
                said += "; without a baseline, all pairs of a column count, because its best is picked by its score"
            said += ". Were no two different, about one table in twenty would have any beyond luck."
        return said

    def _summary_of_claims(self, rival: str) -> str:
        said = f"{plural(self.n_comparisons, 'comparison,comparisons')} with {rival} of the column"
        if self.n_together:
            said += f", judged as {plural(self.n_together, 'comparison,comparisons')} together (Holm)"
            said += ": each own row with every row that could have been its rival. Were no two different, about one"
            said += " table in twenty would have any told apart."
        return said if said.endswith(".") else f"{said}."

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
    records: Iterable[Record | Rejection],
    names: CatalogNames,
    baselines: frozenset[str] | None,
    own: frozenset[str] | None = frozenset(),
) -> ReviewDocument:
    """What the record says of these scores.

    ``baselines`` are the systems ticked as such; None for the table's own. Of ``own`` alone the table claims anything;
    None for those that call themselves so, and none where every row may.
    """
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
    if own is None:
        own = guess_own([row.system for row in rows])
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
    of_models = _models_on([board.pk for board in boards.values()])
    judges = {
        place: _Judge(boards[place], stored[boards[place].pk], one.rows, baselines, own, of_models)
        for place, one in matched.items()
        if place in boards and boards[place].pk in stored
    }
    n_together = _judge_together(list(judges.values()))
    columns = [
        _column(judges[place])
        if place in judges
        else _unrecorded(one, Leaderboard(collection=collections[place[0]], measure=measures[place[1]]), baselines, own)
        for place, one in matched.items()
    ]
    systems = tuple(dict.fromkeys(row.system for row in rows))
    return ReviewDocument(
        systems=systems,
        baselines=tuple(one for one in systems if one in baselines),
        own=tuple(one for one in systems if one in own),
        claims=tuple(_claims(systems, columns, against_baselines=any(one in baselines for one in systems))),
        columns=tuple(columns),
        rejections=tuple(rejections),
        n_comparisons=sum(column.n_comparisons for column in columns),
        n_beyond=sum(column.n_beyond for column in columns),
        n_unknown=sum(column.n_unknown for column in columns),
        n_together=n_together,
    )


def _claims(systems: Iterable[str], columns: Sequence[Column], *, against_baselines: bool) -> Iterator[Claim]:
    for system in systems:
        places = [one for column in columns for cell, one in column.claimed if cell == system]
        if places:
            yield claim_of(system, places, against_baselines=against_baselines)


def _parse(record: Record, names: CatalogNames) -> ResultRow | list[Rejection]:
    cells = BLANKS | dict(record.cells)
    cells |= {"source": "a pasted table", "role": cells["role"] or Result.Role.PROPOSED.value}
    return parse_result(cells, names, today=date.today(), line=record.line)


def _unrecorded(matched: _Matched, board: Leaderboard, baselines: frozenset[str], own: frozenset[str]) -> Column:
    """The column of a leaderboard of which nothing is known."""
    rivals = _rivals(matched.rows, own, baselines, 1.0 if board.measure.higher_is_better else -1.0)
    return Column(
        name=f"{board.collection.name}, {board.measure.name}",
        url="",
        decimals=board.measure.decimals,
        cells=tuple(
            Cell(
                system=row.system,
                score=row.score,
                is_baseline=row.system in baselines,
                is_own=row.system in own,
                kinds=("unknown",),
                words=("no analysed results are on record here",),
            )
            for row in matched.rows
        ),
        n_comparisons=0,
        n_beyond=0,
        n_unknown=0,
        claimed=tuple(
            (row.system, _claim(row, rivals[0], board, None)) for row in matched.rows if row.system in own and rivals
        ),
        best="",
    )


def _column(judge: "_Judge") -> Column:
    board, best = judge.board, _best_of(judge.stored)
    return Column(
        name=f"{board.collection.name}, {board.measure.name}",
        url=board.get_absolute_url(),
        decimals=board.measure.decimals,
        cells=tuple(judge.cell(row) for row in judge.rows),
        n_comparisons=len(judge.compared),
        n_beyond=sum(one.is_told_apart for one in judge.judged.values()),
        n_unknown=0 if judge.stored.pair_error else len(judge.compared),
        claimed=tuple(judge.claims()),
        best=f"{judge.number(best.value)} ({best.system}{f', {best.year}' if best.year else ''})",
    )


def _best_of(stored: StoredBoard) -> BoardRow:
    """The best on record that no caution holds back, whatever is said of its training."""
    return stored.shown[0] if stored.shown else stored.best


def _judge_together(judges: Sequence["_Judge"]) -> int:
    """Judge the comparisons of all columns as one family; answers as how many comparisons."""
    known = [(judge, pair, error) for judge in judges if (error := judge.stored.pair_error) for pair in judge.compared]
    n_together = sum(judge.n_pairs for judge in judges if judge.stored.pair_error)
    gains, errors = [judge.compared[pair] for judge, pair, _ in known], [error for _, _, error in known]
    found = planned_pairs(gains, errors, n_together or None)
    for (judge, pair, _), one in zip(known, found, strict=True):
        judge.judged[pair] = one
    return n_together


def _rivals(rows: Iterable[ResultRow], own: frozenset[str], baselines: frozenset[str], sign: float) -> list[ResultRow]:
    """Rows that another may be compared with, best first: baselines, or without any all but own ones; no oracle."""
    fair = [one for one in rows if one.system not in own and not is_oracle(one.system)]
    found = [one for one in fair if one.system in baselines] or fair
    return sorted(found, key=lambda one: -sign * one.score.value)


def _claim(row: ResultRow, rival: ResultRow, board: Leaderboard, found: PlannedPair | None) -> ClaimInColumn:
    sign = 1.0 if board.measure.higher_is_better else -1.0
    gain = sign * (row.score.value - rival.score.value)
    return ClaimInColumn(
        column=f"{board.collection.name}, {board.measure.name}",
        collection=board.collection.name,
        rival=rival.system,
        gain=gain,
        margin=found.margin if found else None,
        decimals=board.measure.decimals,
        says=says_of(gain, found),
    )


#: Two rows of the table, by their places in the column.
_Pair = tuple[int, int]


class _Judge:
    """Says of each score of one column what the record says of it."""

    def __init__(
        self,
        board: Leaderboard,
        stored: StoredBoard,
        rows: Sequence[ResultRow],
        baselines: frozenset[str],
        own: frozenset[str],
        of_models: Mapping[int, str],
    ) -> None:
        self.board, self.stored, self.rows = board, stored, rows
        #: Those that are compared: failed runs are not.
        self.competing = [row for row in rows if not self._is_failed(row)]
        self.sign, self.baselines, self.own = stored.sign, baselines, own
        self.decimals = board.measure.decimals
        self.places = {id(row): place for place, row in enumerate(rows)}
        self.rivals = _rivals(self.competing, own, baselines, self.sign)
        self.best = self.rivals[:2]
        #: The pairs that are compared, each once, with how much better the table's own score is; and what is found.
        self.compared: Mapping[_Pair, float] = dict(self._pairs())
        self.judged: dict[_Pair, PlannedPair] = {}
        self.fields = list(self._fields())
        self.names: dict[str, list[BoardRow]] = {}
        for one in stored.competing:
            self.names.setdefault(comparison_key(one.system), []).append(one)
        self.models: dict[str, list[BoardRow]] = {}
        for one in stored.competing:
            if one.id in of_models:
                self.models.setdefault(of_models[one.id], []).append(one)

    @property
    def has_baselines(self) -> bool:
        return any(one.system in self.baselines for one in self.competing)

    @property
    def n_pairs(self) -> int:
        """The pairs among which those that are compared were picked."""
        if self.own:
            return len(self.compared) * len(self.rivals)
        return len(self.compared) if self.has_baselines else comb(len(self.competing), 2)

    def cell(self, row: ResultRow) -> Cell:
        kinds: list[str] = []
        words: list[str] = []
        is_baseline = row.system in self.baselines
        for kind, said in self._said(row, is_baseline):
            kinds += [kind] if kind and kind not in kinds else []
            words.append(said)
        return Cell(
            system=row.system,
            score=row.score,
            is_baseline=is_baseline,
            is_own=row.system in self.own,
            kinds=tuple(kinds),
            words=tuple(words),
        )

    def claims(self) -> Iterator[tuple[str, ClaimInColumn]]:
        """Own rows with what is claimed of them."""
        for row in self.competing:
            rival = self._rival(row)
            if row.system in self.own and rival:
                yield row.system, _claim(row, rival, self.board, self.judged.get(self._pair(row, rival)))

    def _said(self, row: ResultRow, is_baseline: bool) -> Iterator[tuple[str, str]]:
        value = row.score.value
        if self._is_failed(row):
            yield "", "exactly 0 is taken for a failed run, which a leaderboard shows and leaves out of every analysis"
            return
        yield from self._on_record(value)
        if is_baseline:
            yield from self._weakness(value)
        elif not self.own or row.system in self.own:
            yield from self._compared(row)
        yield from self._of_this_name(row)

    def _is_failed(self, row: ResultRow) -> bool:
        return row.score.value == 0.0 and self.stored.inputs.measure.zero_is_failure

    def number(self, value: float) -> str:
        return score(value, self.decimals)

    def _on_record(self, value: float) -> Iterator[tuple[str, str]]:
        """Against the best on record; results that a caution holds back are told apart from it."""
        shown, margin, best = self.stored.shown, self.stored.margin, _best_of(self.stored)
        better, n = self._n_better(shown, value), len(shown)
        held_back = self._n_better(self.stored.competing, value) - better
        without = " not held back" if n < len(self.stored.competing) else ""
        what = f"{plural(n, 'result,results')} on record{without}"
        lead = self.sign * (value - best.value)
        if better:
            yield "", f"{better:,} of {what} {'is' if better == 1 else 'are'} better"
        elif not lead:
            yield "", f"as good as the best of {what}"
        else:
            how = "" if margin is None else ", beyond the margin" if lead >= margin else ", within the margin"
            yield "record", f"{self.number(lead)} better than the best of {what}{how}"
        if held_back:
            yield "", f"{held_back:,} held back {'is' if held_back == 1 else 'are'} better"

    def _n_better(self, rows: Sequence[BoardRow], value: float) -> int:
        return sum(self.sign * row.value > self.sign * value for row in rows)

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

    def _pairs(self) -> Iterator[tuple[_Pair, float]]:
        """Each score, or each own one, with the best baseline of the column; without, with the best of the others."""
        for row in self.competing:
            rival = self._rival(row)
            if self.own and row.system not in self.own:
                continue
            if rival and self.own:
                yield self._pair(row, rival), self.sign * (row.score.value - rival.score.value)
            elif rival and not (self.has_baselines and row.system in self.baselines):
                gain = self.sign * (row.score.value - rival.score.value)
                # Below the best baseline, which was picked by its score, nothing is claimed.
                yield self._pair(row, rival), max(gain, 0.0) if self.has_baselines else gain

    def _rival(self, row: ResultRow) -> ResultRow | None:
        return next((one for one in self.best if one is not row), None)

    def _pair(self, row: ResultRow, rival: ResultRow) -> _Pair:
        first, second = sorted((self.places[id(row)], self.places[id(rival)]))
        return first, second

    def _compared(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        rival = self._rival(row)
        if rival is None:
            return
        what = "the best baseline" if rival.system in self.baselines else "the best other score"
        gain = self.sign * (row.score.value - rival.score.value)
        far = f"{self.number(abs(gain))} {'worse' if gain < 0 else 'better'} than {what}, {rival.system}"
        found = self.judged.get(self._pair(row, rival))
        if found is None:
            yield "unknown", f"{far}; how much scores vary here is not known"
            return
        takes = f"by means, which takes {self.number(found.margin)} for an average pair"
        if found.is_told_apart:
            yield "beyond" if gain > 0 else "", f"{far}: told apart {takes}"
        elif abs(gain) < found.margin:
            yield "not-told-apart", f"{far}: not told apart {takes}"
        else:
            yield "", far

    def _of_this_name(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        """What is on record under the name, of a system or else of a model: the same or another score."""
        by_name = self.names.get(row.name_key, [])
        named = by_name or self.models.get(_model_key(row.system), [])
        agreeing = [one for one in named if not row.score.contradicts(PrintedScore(f"{one.value:.{self.decimals}f}"))]
        if not named:
            yield "new", "no system or model of this name is on record here"
        elif by_name and len(agreeing) < len(named):
            for other in named:
                if other not in agreeing:
                    yield "contested", f"the record has {self.number(other.value)} for {other.system}"
        elif not agreeing:
            low, high = (self.number(end(one.value for one in named)) for end in (min, max))
            scores = low if low == high else f"{low} to {high}"
            yield "contested", f"the record has {scores} for {plural(len(named), 'run,runs')} of this model"
        else:
            yield "same", f"as on record for {agreeing[0].system}"
        held_back = self.stored.findings.verdict.held_back
        if any(one.id in held_back for one in named):
            yield "held-back", "held back on record; its leaderboard says why"


def _model_key(system: str) -> str:
    """How a model of that name, or of that run of a toolkit, is compared by name."""
    recipe = read_recipe(system)
    return comparison_key(recipe.model if recipe else system)


def _models_on(leaderboards: Sequence[int]) -> dict[int, str]:
    """Results of models on these leaderboards, with the key of the name. No name of the table is asked for."""
    runs = Result.objects.standing().filter(leaderboard__in=leaderboards, system__model__isnull=False)
    return dict(runs.order_by().values_list("pk", "system__model__name_key"))
