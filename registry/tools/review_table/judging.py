"""Judges each score of a column by the record, and lists what a reviewer may ask of the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb

from analysis.boards import BoardRow, PlannedPair
from analysis.readers.numbers import PrintedScore, mark_of
from analysis.readers.pasted.averages import UnequalMean
from analysis.readers.recipes import model_of as read_recipe
from analysis.readers.text import comparison_key
from analysis.scales import percentile_among
from registry.catalog.models import Leaderboard
from registry.core.listing import grouped, listed
from registry.core.messages import say
from registry.core.templatetags.formatting import percentile, score, telling_decimals
from registry.leaderboards.stored import MIN_FIELD, WEAK_PERCENTILE, StoredBoard
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.tools.review_table.shapes import Ask, Cell, Claim, ClaimInColumn, Column, is_oracle, names_of, says_of


def best_of(stored: StoredBoard) -> BoardRow:
    """Return the best on record that no caution holds back, whatever its training."""
    return stored.shown[0] if stored.shown else stored.best


def rivals_of(
    rows: Iterable[ResultRow], own: frozenset[str], baselines: frozenset[str], sign: float
) -> list[ResultRow]:
    """Return the rows to compare with, best first: baselines, else all but own rows; never an oracle."""
    fair = [row for row in rows if row.system not in own and not is_oracle(row.system)]
    rivals = [row for row in fair if row.system in baselines] or fair
    return sorted(rivals, key=lambda row: -sign * row.score.value)


def claim_in(row: ResultRow, rival: ResultRow, board: Leaderboard, comparison: PlannedPair | None) -> ClaimInColumn:
    sign = 1.0 if board.measure.higher_is_better else -1.0
    gain = sign * (row.score.value - rival.score.value)
    return ClaimInColumn(
        column=f"{board.collection.name}, {board.measure.name}",
        collection=board.collection.name,
        rival=rival.system,
        gain=gain,
        margin=comparison.margin if comparison else None,
        decimals=board.measure.decimals,
        says=says_of(gain, comparison),
        mark=mark_of(row.notes),
    )


#: Two rows of the table, by their places in the column.
_Pair = tuple[int, int]


class Judge:
    """Puts each score of one column beside the record."""

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
        #: Rows that are compared; failed runs are not.
        self.competing = [row for row in rows if not self._is_failed(row)]
        self.sign, self.baselines, self.own = stored.sign, baselines, own
        self.decimals = board.measure.decimals
        self.places = {id(row): place for place, row in enumerate(rows)}
        self.rivals = rivals_of(self.competing, own, baselines, self.sign)
        self.best = self.rivals[:2]
        self.has_baselines = any(row.system in baselines for row in self.competing)
        #: The pairs that are compared, each once, with the gain of the table's own score.
        self.compared: Mapping[_Pair, float] = dict(self._pairs())
        self.judged: dict[_Pair, PlannedPair] = {}
        self.fields = list(self._fields())
        self.names = grouped(stored.competing, lambda row: comparison_key(row.system))
        self.models = grouped((row for row in stored.competing if row.id in of_models), lambda row: of_models[row.id])

    @property
    def n_pairs(self) -> int:
        """The number of pairs that those compared were picked from."""
        if self.own:
            return len(self.compared) * len(self.rivals)
        return len(self.compared) if self.has_baselines else comb(len(self.competing), 2)

    def cell(self, row: ResultRow) -> Cell:
        kinds: list[str] = []
        words: list[str] = []
        is_baseline = row.system in self.baselines
        for kind, sentence in self._sentences(row, is_baseline):
            kinds += [kind] if kind and kind not in kinds else []
            words.append(sentence)
        return Cell(
            system=row.system,
            score=row.score,
            is_baseline=is_baseline,
            is_own=row.system in self.own,
            kinds=tuple(kinds),
            words=tuple(words),
            mark=mark_of(row.notes),
            differs_by=self._differs_by(row) if "contested" in kinds else None,
        )

    def claims(self) -> Iterator[tuple[str, ClaimInColumn]]:
        """Yield own rows with what is claimed of them."""
        for row in self.competing:
            rival = self._rival(row)
            if row.system in self.own and rival:
                yield row.system, claim_in(row, rival, self.board, self.judged.get(self._pair(row, rival)))

    def _sentences(self, row: ResultRow, is_baseline: bool) -> Iterator[tuple[str, str]]:
        value = row.score.value
        if self._is_failed(row):
            yield "", say("review-failed")
            return
        yield from self._on_record(value)
        if is_baseline or (self.own and row.system not in self.own):
            yield from self._weakness(value)
        else:
            yield from self._compared(row)
        yield from self._of_this_name(row)

    def _is_failed(self, row: ResultRow) -> bool:
        return row.score.value == 0.0 and self.stored.inputs.measure.nature.zero_is_failure

    def number(self, value: float) -> str:
        return score(value, self.decimals)

    def _on_record(self, value: float) -> Iterator[tuple[str, str]]:
        """Yield how it compares with the best on record that is not excluded."""
        shown, margin, best = self.stored.shown, self.stored.margin, best_of(self.stored)
        better = self._n_better(shown, value)
        excluded = self._n_better(self.stored.competing, value) - better
        lead = self.sign * (value - best.value)
        if better:
            yield "", say("review-better", n_better=better, n=len(shown))
        elif not lead:
            yield "", say("review-equals-best")
        else:
            how = "unknown" if margin is None else "beyond" if lead >= margin else "within"
            yield "record", say("review-best", lead=self.number(lead), margin=how)
        if excluded:
            yield "", say("review-excluded", n=excluded)

    def _n_better(self, rows: Sequence[BoardRow], value: float) -> int:
        return sum(self.sign * row.value > self.sign * value for row in rows)

    def _weakness(self, value: float) -> Iterator[tuple[str, str]]:
        for field, values in self.fields:
            standing = float(percentile_among([value], values, higher_is_better=self.board.measure.higher_is_better)[0])
            kind = "weak" if standing < WEAK_PERCENTILE else ""
            yield kind, say("review-percentile", percentile=percentile(standing), n=len(values), field=field)

    def _fields(self) -> Iterator[tuple[str, list[float]]]:
        """Yield the scores of original runs, and of reference runs, where there are enough to rank among."""
        for role, field in ((Result.Role.TREC_RUN, "runs"), (Result.Role.REFERENCE_IMPLEMENTATION, "reference")):
            values = [row.value for row in self.stored.competing if row.role == role]
            if len(values) >= MIN_FIELD:
                yield field, values

    def _pairs(self) -> Iterator[tuple[_Pair, float]]:
        """Yield each score, or each own one, with its rival: the best baseline, else the best of the others."""
        for row in self.competing:
            rival = self._rival(row)
            if rival is None or (self.own and row.system not in self.own):
                continue
            gain = self._gain(row, rival)
            if self.own:
                yield self._pair(row, rival), gain
            elif row.system not in self.baselines:
                # Below the best baseline, which was picked by its score, nothing is claimed.
                yield self._pair(row, rival), max(gain, 0.0) if self.has_baselines else gain

    def _rival(self, row: ResultRow) -> ResultRow | None:
        return next((other for other in self.best if other is not row), None)

    def _gain(self, row: ResultRow, rival: ResultRow) -> float:
        return self.sign * (row.score.value - rival.score.value)

    def _pair(self, row: ResultRow, rival: ResultRow) -> _Pair:
        first, second = sorted((self.places[id(row)], self.places[id(rival)]))
        return first, second

    def _compared(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        rival = self._rival(row)
        if rival is None:
            return
        gain, comparison = self._gain(row, rival), self.judged.get(self._pair(row, rival))
        kind, state, margin = "unknown", "unknown", None
        if comparison is not None:
            margin = comparison.margin
            state = "significant" if comparison.is_told_apart else "tie" if abs(gain) < margin else "unsaid"
            kind = {"significant": "beyond" if gain > 0 else "", "tie": "not-told-apart", "unsaid": ""}[state]
        decimals = self.decimals if margin is None else telling_decimals(margin, abs(gain))
        values = {"gain": score(abs(gain), decimals), "needed": score(margin, decimals)}
        side = "worse" if gain < 0 else "better"
        yield kind, say("review-gain", rival=rival.system, side=side, found=state, **values)

    def _of_this_name(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        """Yield whether the record has the same or another score under the name of the system, or else the model."""
        by_name = self.names.get(row.name_key, [])
        named = self._named(row)
        agreeing = [other for other in named if not self._contradicts(row, other)]
        if not named:
            yield "new", say("review-new")
        elif by_name and len(agreeing) < len(named):
            digits = {self.number(other.value): other.system for other in named if other not in agreeing}
            yield "contested", say("review-differs", scores=", ".join(digits), name=named[0].system)
        elif not agreeing:
            low, high = (self.number(end(other.value for other in named)) for end in (min, max))
            scores = low if low == high else f"{low}–{high}"
            yield "contested", say("review-differs-runs", scores=scores, n=len(named))
        else:
            yield "same", say("review-same", name=agreeing[0].system)
        held_back = self.stored.findings.verdict.held_back
        if any(other.id in held_back for other in named):
            yield "held-back", say("review-held-back")

    def _named(self, row: ResultRow) -> list[BoardRow]:
        return self.names.get(row.name_key, []) or self.models.get(_model_key(row.system), [])

    def _contradicts(self, row: ResultRow, other: BoardRow) -> bool:
        return row.score.contradicts(PrintedScore(f"{other.value:.{self.decimals}f}"))

    def _differs_by(self, row: ResultRow) -> float:
        """Return the distance from the nearest value on record that differs."""
        return min(abs(row.score.value - other.value) for other in self._named(row) if self._contradicts(row, other))


def _model_key(system: str) -> str:
    """Return the name, or that of the model which a toolkit ran, as names are compared."""
    recipe = read_recipe(system)
    return comparison_key(recipe.model if recipe else system)


def models_on(leaderboards: Sequence[int]) -> dict[int, str]:
    """Return the results of models on these leaderboards with the key of the name, without asking for one by name."""
    runs = Result.objects.standing().filter(leaderboard__in=leaderboards, system__model__isnull=False)
    return dict(runs.order_by().values_list("pk", "system__model__name_key"))


def answer_marks(claims: Sequence[Claim], test: str) -> str:
    """Return the sentence on the paper's marks of significance and those that the means confirm; blank without any."""
    marked = [column for claim in claims for column in claim.columns if column.mark]
    if not marked:
        return ""
    confirmed = [column for column in marked if column.says == "beats"]
    others = [column for column in marked if column.says != "beats"]
    columns = [column for claim in claims for column in claim.columns]
    return say(
        "review-marks",
        n=len(marked),
        marks=" ".join(dict.fromkeys(column.mark for column in marked)),
        test=test or "none",
        confirmed=names_of(confirmed, columns) or "none",
        others=names_of(others, columns) or "none",
    )


def what_to_ask(
    systems: Sequence[str],
    columns: Sequence[Column],
    claims: Sequence[Claim],
    zero_shot: Sequence[str],
    unequal: Sequence[UnequalMean],
) -> Iterator[Ask]:
    """Yield what a reviewer may ask of a table, the weightiest first."""
    claimed = [column for claim in claims for column in claim.columns]
    doubtful = [column for column in claimed if column.mark and column.says != "beats"]
    if doubtful:
        yield Ask(title=say("ask-topics", columns=names_of(doubtful, claimed)), why=say("ask-topics-why"))
    elif claimed and not any(column.mark for column in claimed):
        yield Ask(title=say("ask-test"), why=say("ask-test-why"))
    for system in systems:
        weak = [column.name for column in columns if any("weak" in cell.kinds for cell in column.of(system))]
        if weak:
            why = say("ask-baseline-why", columns=_few(weak, len(columns)))
            yield Ask(title=say("ask-baseline", system=system), why=why)
    for system in systems:
        cells = [(cell, column) for column in columns for cell in column.of(system) if cell.differs_by is not None]
        if cells:
            yield _which(system, cells)
    for average in unequal:
        why = say("ask-mean-why", head=average.head, printed=average.printed, mean=average.mean, n=average.n)
        yield Ask(title=say("ask-mean", system=average.system), why=why)
    if zero_shot:
        for claim in claims:
            title = say("ask-training", system=claim.system, columns=_few(zero_shot, len(columns)))
            yield Ask(title=title, why=say("ask-training-why", n=len(zero_shot)))


def _which(system: str, cells: Sequence[tuple[Cell, Column]]) -> Ask:
    cell, column = max(cells, key=lambda pair: pair[0].differs_by or 0.0)
    why = say("ask-which-why", n=len(cells), most=score(cell.differs_by, column.decimals))
    return Ask(title=say("ask-which", system=system), why=why)


def _few(names: Sequence[str], n: int) -> str:
    if 1 < len(names) == n:
        return say("review-all", n=n)
    return listed(names) if len(names) <= 2 else say("review-many", n=len(names))
