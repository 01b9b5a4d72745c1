"""What a reviewer should look at: each signal says what is odd about a row, and what it was compared with."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

from analysis.readers.scores import PrintedScore
from analysis.readers.system_names import system_key
from analysis.readers.text import shorten
from analysis.scores import check_reachable
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import CatalogNames
from registry.core.templatetags.formatting import number_of
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.submissions.models import Signal, Submission, SubmittedRow

Code, Severity = Signal.Code, Signal.Severity

#: Fewer recorded results than this say nothing about what is usual.
MIN_RECORDED = 8
#: Distance from the median in robust standard deviations beyond which a score is far outside.
FAR = 5.0
#: A normal distribution's standard deviation in units of its median absolute deviation.
MAD_TO_SD = 1.4826
#: Share of letters in common from which on two names may be spellings of one.
ALIKE = 0.85
_MAX_NAMED = 3
#: Comparing names takes long where very many systems have one score.
_MAX_COMPARED = 200
#: Digits behind the point from which on a score may tell which measure it is of; what two digits are rounded by.
_TELLING_DECIMALS, _ROUNDED = 3, 0.005
#: Letters from which on a name within another says that both are of one kind: BM25 in Anserini BM25.
_TELLING_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Recorded:
    """A standing result as signals compare with it."""

    id: int
    system: str
    name_key: str
    team_key: str
    printed: str
    unit: str
    value: float
    paper: str | None
    cite: str | None
    source: str
    replicate_of: int | None
    is_counted: bool

    @property
    def score(self) -> PrintedScore:
        return PrintedScore(self.printed, self.unit)

    @property
    def where(self) -> str:
        """Where it was printed, in short."""
        return shorten(self.cite or self.source, 80)


@dataclass(frozen=True, slots=True)
class Board:
    """What stands on one leaderboard; ``usual`` is None where too few counted results tell what is usual."""

    n_topics: int | None
    usual: "Usual | None"
    by_name: dict[str, list[Recorded]]
    #: By their scores; and the scores.
    ordered: list[Recorded]
    values: list[float]

    def agreeing(self, score: PrintedScore) -> list[Recorded]:
        """What stands here with this score, as far as both are printed."""
        first, last = (
            bisect_left(self.values, score.value - _ROUNDED),
            bisect_right(self.values, score.value + _ROUNDED),
        )
        return [one for one in self.ordered[first:last] if _agree(one.score, score)]

    def of_value(self, value: float) -> list[Recorded]:
        """What stands here with exactly this value."""
        return self.ordered[bisect_left(self.values, value) : bisect_right(self.values, value)]


@dataclass(frozen=True, slots=True)
class Usual:
    """The scores of a leaderboard's counted results: how many, their ends, median and robust deviation."""

    n_scores: int
    low: float
    high: float
    centre: float
    deviation: float

    def times_off(self, value: float) -> float:
        """How many times larger or smaller than the median a score is; infinite where that means nothing."""
        if value <= 0 or self.centre <= 0:
            return float("inf")
        return max(value / self.centre, self.centre / value)


class Surroundings:
    """What rows are compared with: read once for all leaderboards that they are of."""

    def __init__(self, names: CatalogNames, submission: Submission | None = None) -> None:
        self._names = names
        self._submission = submission
        #: By collection and measure, what else its scores may be of.
        self._siblings: dict[tuple[int, int], list[Measure]] = {}
        self._boards: dict[tuple[int, int], Board] = {}
        self._measures: dict[int, Measure] = {}
        self._pending: set[str] = set()

    def read(self, rows: Sequence[ResultRow]) -> None:
        """Make sure that everything these rows are compared with is at hand."""
        pairs = {(row.collection_id, row.measure_id) for row in rows} - set(self._siblings)
        self._measures |= Measure.objects.in_bulk({measure for _, measure in pairs} - set(self._measures))
        self._siblings |= {pair: self._names.siblings(self._measures[pair[1]], on=pair[0]) for pair in pairs}
        others = {(pair[0], one.pk) for pair in pairs for one in self._siblings[pair]}
        self._boards |= _read_boards((pairs | others) - set(self._boards))
        self._pending = self._read_pending(rows)

    def _read_pending(self, rows: Sequence[ResultRow]) -> set[str]:
        """What other submissions wait with. A draft is not compared with them: it would tell what nobody may know."""
        if self._submission is None or not self._submission.is_pending:
            return set()
        others = SubmittedRow.objects.exclude(submission=self._submission).filter(
            key__in=[row.key.hex() for row in rows],
            submission__state__in=Submission.PENDING,
        )
        return set(others.values_list("key", flat=True))

    def signals(self, row: ResultRow, existing_id: int | None) -> list[Signal]:
        """Everything odd about a row; ``existing_id`` is the result that it would take the place of."""
        board = self._boards[row.collection_id, row.measure_id]
        measure = self._measures[row.measure_id]
        found = [
            *_duplicates(row, board, existing_id, is_pending=row.key.hex() in self._pending),
            *self._of_other_measures(row, board),
            *_contested(row, board, existing_id),
            *_unreachable(row, board, measure),
            *_outside(row, board, measure),
        ]
        return list({signal.code: signal for signal in found}.values())

    def related(self, row: ResultRow, existing_id: int | None) -> list[int]:
        """The results that its signals speak of: of systems of this name, or with this score and nearly this name."""
        board = self._boards[row.collection_id, row.measure_id]
        alike = _nearly_called_so(row, board)
        found = dict.fromkeys(one.id for one in (*board.by_name.get(row.name_key, ()), *alike))
        return [pk for pk in found if pk != existing_id]

    def _of_other_measures(self, row: ResultRow, board: Board) -> Iterator[Signal]:
        """The same score of the same system, recorded under a sibling of the measure and not under this one."""
        if row.score.decimals < _TELLING_DECIMALS:
            return
        if any(_is_of_one_kind(one.name_key, row.name_key) for one in board.agreeing(row.score)):
            return
        for measure in self._siblings[row.collection_id, row.measure_id]:
            for one in self._boards[row.collection_id, measure.pk].agreeing(row.score)[:_MAX_COMPARED]:
                if one.score.decimals >= _TELLING_DECIMALS and _is_of_one_kind(one.name_key, row.name_key):
                    message = (
                        f"{shorten(one.system)} stands with {one.score.digits} under {measure.name}, from {one.where}: "
                        "is that the measure of this score?"
                    )
                    yield Signal(code=Code.OTHER_MEASURE, severity=Severity.WARNING, message=message)
                    return


def _read_boards(pairs: set[tuple[int, int]]) -> dict[tuple[int, int], Board]:
    """The leaderboards of these (collection, measure); an empty one where there is none yet."""
    boards = {
        (board.collection_id, board.measure_id): board
        for board in Leaderboard.objects.with_names().filter(
            collection__in={pair[0] for pair in pairs}, measure__in={pair[1] for pair in pairs}
        )
        if (board.collection_id, board.measure_id) in pairs
    }
    counted = set(
        Result.objects.standing().counted().filter(leaderboard__in=boards.values()).values_list("pk", flat=True)
    )
    recorded = defaultdict(list)
    for leaderboard_id, *columns in (
        Result.objects.standing().filter(leaderboard__in=boards.values()).values_list(*_COLUMNS)
    ):
        recorded[leaderboard_id].append(Recorded(*[*columns, columns[0] in counted]))
    missing = {collection for collection, measure in pairs - set(boards)}
    n_topics = dict(Collection.objects.filter(pk__in=missing).values_list("pk", "n_topics"))
    return {
        pair: _board(boards[pair].n_topics, recorded[boards[pair].pk])
        if pair in boards
        else _board(n_topics[pair[0]], [])
        for pair in pairs
    }


_COLUMNS = (
    "leaderboard_id", "pk", "system__name", "system__name_key", "system__team_key", "printed", "unit", "value",
    "paper__identity", "paper__cite", "source", "replicate_of_id",
)  # fmt: skip


def _board(n_topics: int | None, recorded: list[Recorded]) -> Board:
    by_name = defaultdict(list)
    for one in sorted(recorded, key=lambda one: one.id):
        by_name[one.name_key].append(one)
    ordered = sorted(recorded, key=lambda one: (one.value, one.id))
    usual = _usual([one.value for one in recorded if one.is_counted])
    return Board(n_topics, usual, by_name, ordered, [one.value for one in ordered])


def _usual(values: list[float]) -> Usual | None:
    if len(values) < MIN_RECORDED:
        return None
    centre = median(values)
    deviation = MAD_TO_SD * median(abs(value - centre) for value in values)
    return Usual(len(values), min(values), max(values), centre, deviation)


def _duplicates(row: ResultRow, board: Board, existing_id: int | None, *, is_pending: bool) -> Iterator[Signal]:
    """The same score of the same system, or of one of nearly the same name, under another source or paper."""
    if is_pending:
        message = "Another submission that waits for review has the same result."
        yield Signal(code=Code.DUPLICATE, severity=Severity.WARNING, message=message)
    for one in board.by_name.get(row.name_key, ()):
        if one.id != existing_id and one.team_key == row.team_key and _agree(one.score, row.score):
            is_other_paper = one.paper and row.paper and one.paper != row.paper.identity
            severity = Severity.INFO if is_other_paper else Severity.WARNING
            score = "the same score" if one.value == row.score.value else f"the same score, as {one.score.digits},"
            message = f"{shorten(one.system)} stands here with {score} already, from {one.where}."
            yield Signal(code=Code.DUPLICATE, severity=severity, message=message)
            return
    for one in _nearly_called_so(row, board):
        if one.id != existing_id:
            score = "the same score" if one.value == row.score.value else f"the same score, as {one.score.digits}"
            message = f"{shorten(one.system)} stands here with {score}, from {one.where}: the same system?"
            yield Signal(code=Code.NEAR_DUPLICATE, severity=Severity.WARNING, message=message)
            return


def _nearly_called_so(row: ResultRow, board: Board) -> Iterator[Recorded]:
    """What stands there with this score under another spelling of the name, or exactly this under a name like it."""
    letters = _letters(system_key(row.name_key))
    yield from (one for one in board.agreeing(row.score) if _letters(system_key(one.name_key)) == letters)
    same = board.of_value(row.score.value)[:_MAX_COMPARED]
    yield from (one for one in same if _is_alike(one.name_key, row.name_key))


def _is_of_one_kind(one: str, other: str) -> bool:
    """Whether two names are spellings of one, or one of them is in the other: bm25 and anserini bm25."""
    shorter, longer = sorted((_letters(system_key(one)), _letters(system_key(other))), key=len)
    return (len(shorter) >= _TELLING_LETTERS and shorter in longer) or _is_alike(one, other)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name))


def _is_alike(one: str, other: str) -> bool:
    """Whether two names may be spellings of one: but for signs equal, or hardly different."""
    letters, others = _letters(one), _letters(other)
    if letters == others:
        return True
    # Versions are told apart by their numbers: BM25 is not BM26.
    digits, other_digits = ("".join(filter(str.isdigit, name)) for name in (one, other))
    return digits == other_digits and SequenceMatcher(None, letters[:100], others[:100]).ratio() >= ALIKE


def _contested(row: ResultRow, board: Board, existing_id: int | None) -> Iterator[Signal]:
    """Other scores of the same system."""
    if row.replicate_of:
        return
    others = [
        one
        for one in board.by_name.get(row.name_key, ())
        if one.id != existing_id
        and one.replicate_of is None
        and (one.team_key == row.team_key or not one.team_key or not row.team_key)
        and row.score.contradicts(one.score)
    ]
    if others:
        named = "; ".join(f"{one.score.digits} in {one.where}" for one in others[:_MAX_NAMED])
        more = f"; and {len(others) - _MAX_NAMED} more" if len(others) > _MAX_NAMED else ""
        severity = Severity.INFO if row.role == Result.Role.BASELINE else Severity.WARNING
        yield Signal(
            code=Code.CONTESTED, severity=severity, message=f"Other scores of this system stand here: {named}{more}."
        )


def _agree(one: PrintedScore, other: PrintedScore) -> bool:
    """Whether two printed scores may be one number, rounded to different digits."""
    if one.decimals == other.decimals:
        return one.value == other.value
    unit = 10.0 ** -min(one.decimals, other.decimals)
    return abs(one.value - other.value) <= unit / 2 * (1 + 1e-9)


def _unreachable(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """No mean over the topics is printed like this. Only of measures whose scale ends at 1: others count otherwise."""
    n_topics = row.n_topics_here or board.n_topics
    denominator = measure.nature.denominator
    if not n_topics or denominator is None or measure.high != 1:
        return
    found = check_reachable(row.score.digits, denominator=denominator, n_topics=n_topics)
    if not found.is_reachable:
        message = (
            f"No mean of {measure} over {number_of(n_topics, 'topic', 'topics')} is printed like this: the nearest "
            f"are {found.below:.6g} and {found.above:.6g}. A misread digit, another measure, or another number of "
            "topics?"
        )
        yield Signal(code=Code.UNREACHABLE_VALUE, severity=Severity.WARNING, message=message)


def _outside(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """Outside of what is recorded: at home once multiplied or divided by 100, or far away."""
    usual, value = board.usual, row.score.value
    if usual is None or usual.low <= value <= usual.high:
        return
    between = f"{usual.n_scores} scores between {usual.low:.{measure.decimals}f} and {usual.high:.{measure.decimals}f}"
    question = "not in percent after all?" if row.unit else "a percentage?"
    for scaled, word in ((value / 100, "Divided"), (value * 100, "Multiplied")):
        if usual.low <= scaled <= usual.high and usual.times_off(scaled) < usual.times_off(value):
            message = f"Recorded are {between}. {word} by 100 it would be among them: {question}"
            yield Signal(code=Code.PERCENT_SCALE, severity=Severity.WARNING, message=message)
            return
    # Without any spread, whatever is beyond the ends is far.
    distance = abs(value - usual.centre) / usual.deviation if usual.deviation else float("inf")
    if distance > FAR:
        far = f", {distance:.1f} robust standard deviations from their median {usual.centre:.4g}"
        message = f"Recorded are {between}; this is far outside{far if usual.deviation else ''}."
        yield Signal(code=Code.FAR_OUTSIDE, severity=Severity.WARNING, message=message)


def find_signals(rows: Iterable[tuple[ResultRow, int | None]], surroundings: Surroundings) -> dict[int, list[Signal]]:
    """The signals of each row by its line, given what it would take the place of; lines without any are left out."""
    pairs = list(rows)
    surroundings.read([row for row, _ in pairs])
    found = {row.line: surroundings.signals(row, existing_id) for row, existing_id in pairs}
    return {line: signals for line, signals in found.items() if signals}
