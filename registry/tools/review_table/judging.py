"""What the record says of each score of one column, and what a reviewer may ask of the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb

from analysis.boards import BoardRow, PlannedPair
from analysis.readers.marks import mark_of
from analysis.readers.pasted.averages import UnequalMean
from analysis.readers.recipes import model_of as read_recipe
from analysis.readers.scores import PrintedScore
from analysis.readers.text import comparison_key
from analysis.scales import percentile_among
from registry.catalog.models import Leaderboard
from registry.core.listing import grouped
from registry.core.messages import say
from registry.core.templatetags.formatting import percentile, score, telling_decimals
from registry.leaderboards.stored import MIN_FIELD, WEAK_PERCENTILE, StoredBoard
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.tools.review_table.shapes import (
    Ask,
    Cell,
    Claim,
    ClaimInColumn,
    Column,
    is_oracle,
    listed,
    names_of,
    says_of,
)


def best_of(stored: StoredBoard) -> BoardRow:
    """The best on record that no caution holds back, whatever is said of its training."""
    return stored.shown[0] if stored.shown else stored.best


def rivals_of(
    rows: Iterable[ResultRow], own: frozenset[str], baselines: frozenset[str], sign: float
) -> list[ResultRow]:
    """Rows that another may be compared with, best first: baselines, or without any all but own ones; no oracle."""
    fair = [row for row in rows if row.system not in own and not is_oracle(row.system)]
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
        mark=mark_of(row.notes),
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
            mark=mark_of(row.notes),
            differs_by=self._differs_by(row) if "contested" in kinds else None,
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
        """Against the best on record that is not excluded."""
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
        for what, values in self.fields:
            found = float(percentile_among([value], values, higher_is_better=self.board.measure.higher_is_better)[0])
            kind = "weak" if found < WEAK_PERCENTILE else ""
            yield kind, say("review-percentile", percentile=percentile(found), n=len(values), field=what)

    def _fields(self) -> Iterator[tuple[str, list[float]]]:
        """The original runs and the reference runs, where there are enough to rank among."""
        for role, what in ((Result.Role.TREC_RUN, "runs"), (Result.Role.REFERENCE_IMPLEMENTATION, "reference")):
            values = [row.value for row in self.stored.competing if row.role == role]
            if len(values) >= MIN_FIELD:
                yield what, values

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
        gain, found = self.sign * (row.score.value - rival.score.value), self.judged.get(self._pair(row, rival))
        kind, state = "unknown", "unknown"
        if found is not None:
            state = "significant" if found.is_told_apart else "tie" if abs(gain) < found.margin else "unsaid"
            kind = {"significant": "beyond" if gain > 0 else "", "tie": "not-told-apart", "unsaid": ""}[state]
        decimals = telling_decimals(found.margin, abs(gain)) if found else self.decimals
        values = {"gain": score(abs(gain), decimals), "needed": score(found.margin if found else None, decimals)}
        side = "worse" if gain < 0 else "better"
        yield kind, say("review-gain", rival=rival.system, side=side, found=state, **values)

    def _of_this_name(self, row: ResultRow) -> Iterator[tuple[str, str]]:
        """Yield what is on record under the name, of a system or else of a model: the same or another score."""
        by_name = self.names.get(row.name_key, [])
        named = self._named(row)
        agreeing = [one for one in named if not self._contradicts(row, one)]
        if not named:
            yield "new", say("review-new")
        elif by_name and len(agreeing) < len(named):
            digits = {self.number(other.value): other.system for other in named if other not in agreeing}
            yield "contested", say("review-differs", scores=", ".join(digits), name=named[0].system)
        elif not agreeing:
            low, high = (self.number(end(one.value for one in named)) for end in (min, max))
            scores = low if low == high else f"{low}–{high}"
            yield "contested", say("review-differs-runs", scores=scores, n=len(named))
        else:
            yield "same", say("review-same", name=agreeing[0].system)
        held_back = self.stored.findings.verdict.held_back
        if any(one.id in held_back for one in named):
            yield "held-back", say("review-held-back")

    def _named(self, row: ResultRow) -> list[BoardRow]:
        return self.names.get(row.name_key, []) or self.models.get(_model_key(row.system), [])

    def _contradicts(self, row: ResultRow, other: BoardRow) -> bool:
        return row.score.contradicts(PrintedScore(f"{other.value:.{self.decimals}f}"))

    def _differs_by(self, row: ResultRow) -> float:
        """Return the distance from the nearest value on record that differs."""
        return min(abs(row.score.value - one.value) for one in self._named(row) if self._contradicts(row, one))


def _model_key(system: str) -> str:
    """Return how a model of that name, or of that run of a toolkit, is compared by name."""
    recipe = read_recipe(system)
    return comparison_key(recipe.model if recipe else system)


def models_on(leaderboards: Sequence[int]) -> dict[int, str]:
    """Results of models on these leaderboards, with the key of the name. No name of the table is asked for."""
    runs = Result.objects.standing().filter(leaderboard__in=leaderboards, system__model__isnull=False)
    return dict(runs.order_by().values_list("pk", "system__model__name_key"))


def answer_marks(claims: Sequence[Claim], test: str) -> str:
    """Return what the paper marks as significant, and what of it the means confirm; blank without marks."""
    marked = [column for claim in claims for column in claim.columns if column.mark]
    if not marked:
        return ""
    confirmed = [one for one in marked if one.says == "beats"]
    others = [one for one in marked if one.says != "beats"]
    columns = [column for claim in claims for column in claim.columns]
    return say(
        "review-marks",
        n=len(marked),
        marks=" ".join(dict.fromkeys(one.mark for one in marked)),
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
    """Yield what a reviewer may ask of a table, what weighs most first."""
    claimed = [column for claim in claims for column in claim.columns]
    doubtful = [one for one in claimed if one.mark and one.says != "beats"]
    if doubtful:
        yield Ask(title=say("ask-topics", columns=names_of(doubtful, claimed)), why=say("ask-topics-why"))
    elif claimed and not any(one.mark for one in claimed):
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
    for one in unequal:
        why = say("ask-mean-why", head=one.head, printed=one.printed, mean=one.mean, n=one.n)
        yield Ask(title=say("ask-mean", system=one.system), why=why)
    if zero_shot:
        for claim in claims:
            title = say("ask-training", system=claim.system, columns=_few(zero_shot, len(columns)))
            yield Ask(title=title, why=say("ask-training-why", n=len(zero_shot)))


def _which(system: str, cells: Sequence[tuple[Cell, Column]]) -> Ask:
    cell, column = max(cells, key=lambda one: one[0].differs_by or 0.0)
    why = say("ask-which-why", n=len(cells), most=score(cell.differs_by, column.decimals))
    return Ask(title=say("ask-which", system=system), why=why)


def _few(names: Sequence[str], n: int) -> str:
    if 1 < len(names) == n:
        return say("review-all", n=n)
    return listed(names) if len(names) <= 2 else say("review-many", n=len(names))
