"""What the record says of each score of one column."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb

from analysis.boards import BoardRow, PlannedPair
from analysis.readers.recipes import model_of as read_recipe
from analysis.readers.scores import PrintedScore
from analysis.readers.text import comparison_key
from analysis.scales import percentile_among
from registry.catalog.models import Leaderboard
from registry.core.grouping import grouped
from registry.core.templatetags.formatting import percentile, plural, score
from registry.leaderboards.stored import MIN_FIELD, WEAK_PERCENTILE, StoredBoard
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.tools.review_table.shapes import Cell, ClaimInColumn, is_oracle, says_of


def best_of(stored: StoredBoard) -> BoardRow:
    """The best on record that no caution holds back, whatever is said of its training."""
    return stored.shown[0] if stored.shown else stored.best


def rivals_of(
    rows: Iterable[ResultRow], own: frozenset[str], baselines: frozenset[str], sign: float
) -> list[ResultRow]:
    """Rows that another may be compared with, best first: baselines, or without any all but own ones; no oracle."""
    fair = [one for one in rows if one.system not in own and not is_oracle(one.system)]
    found = [one for one in fair if one.system in baselines] or fair
    return sorted(found, key=lambda one: -sign * one.score.value)


def claim_in(row: ResultRow, rival: ResultRow, board: Leaderboard, found: PlannedPair | None) -> ClaimInColumn:
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


class Judge:
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
        self.rivals = rivals_of(self.competing, own, baselines, self.sign)
        self.best = self.rivals[:2]
        #: The pairs that are compared, each once, with how much better the table's own score is; and what is found.
        self.compared: Mapping[_Pair, float] = dict(self._pairs())
        self.judged: dict[_Pair, PlannedPair] = {}
        self.fields = list(self._fields())
        self.names = grouped(stored.competing, lambda one: comparison_key(one.system))
        self.models = grouped((one for one in stored.competing if one.id in of_models), lambda one: of_models[one.id])

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
                yield row.system, claim_in(row, rival, self.board, self.judged.get(self._pair(row, rival)))

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
        return row.score.value == 0.0 and self.stored.inputs.measure.nature.zero_is_failure

    def number(self, value: float) -> str:
        return score(value, self.decimals)

    def _on_record(self, value: float) -> Iterator[tuple[str, str]]:
        """Against the best on record; results that a caution holds back are told apart from it."""
        shown, margin, best = self.stored.shown, self.stored.margin, best_of(self.stored)
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
            found = float(percentile_among([value], values, higher_is_better=self.board.measure.higher_is_better)[0])
            kind = "weak" if found < WEAK_PERCENTILE else ""
            yield kind, f"percentile {percentile(found)} among {what}"

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


def models_on(leaderboards: Sequence[int]) -> dict[int, str]:
    """Results of models on these leaderboards, with the key of the name. No name of the table is asked for."""
    runs = Result.objects.standing().filter(leaderboard__in=leaderboards, system__model__isnull=False)
    return dict(runs.order_by().values_list("pk", "system__model__name_key"))
