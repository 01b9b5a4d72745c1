"""What a reviewer should look at: each signal says what is odd about a row, and what it was compared with."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

from analysis.readers.scores import PrintedScore
from analysis.readers.system_names import system_key
from analysis.readers.text import shorten
from analysis.scores import check_reachable
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.catalog.queries import CatalogNames
from registry.core.messages import say
from registry.leaderboards.models import Analysis
from registry.results.models import Result
from registry.results.pipeline.rows import ResultRow
from registry.results.services.topic_scores import why_not_behind
from registry.submissions.models import Signal, Submission, SubmittedRow
from registry.submissions.pipeline.systems import KnownSystems

Code, Severity = Signal.Code, Signal.Severity

#: Fewer recorded results than this say nothing about what is usual.
MIN_RECORDED = 8
#: Distance from the median in robust standard deviations beyond which a score is far outside.
FAR = 5.0
#: A normal distribution's standard deviation in units of its median absolute deviation.
MAD_TO_SD = 1.4826
#: Share of letters in common from which on two names may be spellings of one.
ALIKE = 0.85
#: From so many scores on, and such a share of them, a system that has those of another may be a copy of it.
MIN_COPIED, SHARE_COPIED = 5, 0.8
#: Share of the topics by which the number of those that a mean is over may differ.
_OTHER_TOPICS = 0.1
_MAX_NAMED = 3
#: Comparing names takes long where very many systems have one score.
_MAX_COMPARED = 200
#: Digits behind the point from which on a score may tell which measure it is of; what two digits are rounded by.
TELLING_DECIMALS, _ROUNDED = 3, 0.005
#: Two scores of one topic are one where they differ by less than what four digits are rounded by.
_SAME_TOPIC = 5.1e-5
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
        """Return where it was printed, in short."""
        return shorten(self.cite or self.source, 80)


@dataclass(frozen=True, slots=True)
class Board:
    """What stands on one leaderboard; ``usual`` is None where too few counted results tell what is usual.

    ``margin`` is how far below the highest score one may be and still be tied for first, None where that is not known.
    """

    n_topics: int | None
    margin: float | None
    usual: "Usual | None"
    by_name: dict[str, list[Recorded]]
    #: By their scores; and the scores.
    ordered: list[Recorded]
    values: list[float]

    def agreeing(self, score: PrintedScore) -> list[Recorded]:
        """Return what stands here with this score, as far as both are printed."""
        first, last = (
            bisect_left(self.values, score.value - _ROUNDED),
            bisect_right(self.values, score.value + _ROUNDED),
        )
        return [one for one in self.ordered[first:last] if agree(one.score, score)]


@dataclass(frozen=True, slots=True)
class Usual:
    """The scores of a leaderboard's counted results: how many, their ends, median and robust deviation."""

    n_scores: int
    low: float
    high: float
    centre: float
    deviation: float

    def times_off(self, value: float) -> float:
        """Return how many times larger or smaller than the median a score is; infinite where that means nothing."""
        if value <= 0 or self.centre <= 0:
            return float("inf")
        return max(value / self.centre, self.centre / value)


class Surroundings:
    """What rows are compared with: read once for all leaderboards that they are of."""

    def __init__(
        self, names: CatalogNames, submission: Submission | None = None, systems: KnownSystems | None = None
    ) -> None:
        self._names = names
        self._submission = submission
        #: By collection and measure, what else its scores may be of.
        self._siblings: dict[tuple[int, int], list[Measure]] = {}
        self._boards: dict[tuple[int, int], Board] = {}
        self._measures: dict[int, Measure] = {}
        self._pending: set[str] = set()
        self._systems = systems
        #: By line, the system on record that has the scores of the row's system, how many of them, and of how many.
        self._copied: dict[int, tuple[str, int, int]] = {}

    def read(self, rows: Sequence[ResultRow]) -> None:
        """Make sure that everything these rows are compared with is at hand."""
        pairs = {(row.collection_id, row.measure_id) for row in rows} - set(self._siblings)
        self._measures |= Measure.objects.in_bulk({measure for _, measure in pairs} - set(self._measures))
        self._siblings |= {pair: self._names.siblings(self._measures[pair[1]], on=pair[0]) for pair in pairs}
        others = {(pair[0], one.pk) for pair in pairs for one in self._siblings[pair]}
        self._boards |= read_boards((pairs | others) - set(self._boards))
        self._pending = self._read_pending(rows)
        self._copied = self._find_copied(rows)

    def _find_copied(self, rows: Sequence[ResultRow]) -> dict[int, tuple[str, int, int]]:
        """Find systems that have most scores of another one on record, to the digit; a few agree by chance."""
        by_system = defaultdict(list)
        for row in rows:
            if row.score.decimals >= TELLING_DECIMALS:
                by_system[row.name_key, row.team_key].append(row)
        copies: dict[int, tuple[str, int, int]] = {}
        for (name, _), of_system in by_system.items():
            lines: dict[str, set[int]] = defaultdict(set)
            for row in of_system if len(of_system) >= MIN_COPIED else ():
                for same in self._boards[row.collection_id, row.measure_id].agreeing(row.score)[:_MAX_COMPARED]:
                    if same.score.decimals >= TELLING_DECIMALS and not _is_of_one_kind(same.name_key, name):
                        lines[same.system].add(row.line)
            other = max(lines, key=lambda system: len(lines[system]), default="")
            if other and len(lines[other]) >= max(MIN_COPIED, SHARE_COPIED * len(of_system)):
                copies |= {line: (other, len(lines[other]), len(of_system)) for line in lines[other]}
        return copies

    def _read_pending(self, rows: Sequence[ResultRow]) -> set[str]:
        """Return what other submissions wait with. A draft is not compared with them: it would tell what nobody may
        know."""
        if self._submission is None or not self._submission.is_pending:
            return set()
        others = SubmittedRow.objects.exclude(submission=self._submission).filter(
            key__in=[row.key.hex() for row in rows], submission__state__in=Submission.PENDING
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
            *_above(row, board, measure),
            *_of_other_topics(row, board),
            *self._of_other_systems(row),
        ]
        return list({signal.code: signal for signal in found}.values())

    def recorded(self, row: ResultRow) -> list[int]:
        """Return the results on record of systems of this name and team, on the leaderboard of a row that was read."""
        named = self._boards[row.collection_id, row.measure_id].by_name.get(row.name_key, ())
        return [one.id for one in named if one.team_key == row.team_key]

    def _of_other_systems(self, row: ResultRow) -> Iterator[Signal]:
        """The scores of another system; the name of one of another organisation, which may only be renamed."""
        if row.line in self._copied:
            system, n, of = self._copied[row.line]
            yield _warning(Code.COPIED, "signal-copied", system=shorten(system), n=n, of=of)
        for system, n in self._systems.moved_from(row.system) if self._systems else ():
            yield _warning(Code.MOVED, "signal-moved", system=shorten(system), n=n)

    def _of_other_measures(self, row: ResultRow, board: Board) -> Iterator[Signal]:
        """The same score of the same system, recorded under a sibling of the measure and not under this one."""
        if row.score.decimals < TELLING_DECIMALS:
            return
        if any(_is_of_one_kind(one.name_key, row.name_key) for one in board.agreeing(row.score)):
            return
        for measure in self._siblings[row.collection_id, row.measure_id]:
            for one in self._boards[row.collection_id, measure.pk].agreeing(row.score)[:_MAX_COMPARED]:
                if one.score.decimals >= TELLING_DECIMALS and _is_of_one_kind(one.name_key, row.name_key):
                    values = {"system": shorten(one.system), "score": one.score.digits, "where": one.where}
                    yield _warning(Code.OTHER_MEASURE, "signal-other-measure", **values, measure=measure.name)
                    return


def _warning(code: Signal.Code, key: str, **values: object) -> Signal:
    """Return the signal to look at a row, with the message of this key."""
    return Signal(code=code, severity=Severity.WARNING, message=say(key, **values))


def read_boards(pairs: set[tuple[int, int]]) -> dict[tuple[int, int], Board]:
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
    analyses = Analysis.objects.filter(leaderboard__in=boards.values())
    margins = {pk: headline.get("margin") for pk, headline in analyses.values_list("leaderboard_id", "headline")}
    return {
        pair: _board(boards[pair].n_topics, recorded[boards[pair].pk], margins.get(boards[pair].pk))
        if pair in boards
        else _board(n_topics[pair[0]], [])
        for pair in pairs
    }


_COLUMNS = (
    "leaderboard_id", "pk", "system__name", "system__name_key", "system__team_key", "printed", "unit", "value",
    "paper__identity", "paper__cite", "source", "replicate_of_id",
)  # fmt: skip


def _board(n_topics: int | None, recorded: list[Recorded], margin: float | None = None) -> Board:
    by_name = defaultdict(list)
    for one in sorted(recorded, key=lambda one: one.id):
        by_name[one.name_key].append(one)
    ordered = sorted(recorded, key=lambda one: (one.value, one.id))
    values, usual = [one.value for one in recorded if one.is_counted], None
    if len(values) >= MIN_RECORDED:
        centre = median(values)
        deviation = MAD_TO_SD * median(abs(value - centre) for value in values)
        usual = Usual(len(values), min(values), max(values), centre, deviation)
    return Board(n_topics, margin, usual, by_name, ordered, [one.value for one in ordered])


def _duplicates(row: ResultRow, board: Board, existing_id: int | None, *, is_pending: bool) -> Iterator[Signal]:
    """The same score of the same system under another source or paper."""
    if is_pending:
        yield _warning(Code.DUPLICATE, "signal-pending")
    for one in board.by_name.get(row.name_key, ()):
        if one.id != existing_id and one.team_key == row.team_key and agree(one.score, row.score):
            is_other_paper = one.paper and row.paper and one.paper != row.paper.identity
            severity = Severity.INFO if is_other_paper else Severity.WARNING
            score = "same" if one.value == row.score.value else one.score.digits
            message = say("signal-duplicate", system=shorten(one.system), score=score, where=one.where)
            yield Signal(code=Code.DUPLICATE, severity=severity, message=message)
            return


def _is_of_one_kind(one: str, other: str) -> bool:
    """Return whether two names are spellings of one, or one of them is in the other: bm25 and anserini bm25."""
    shorter, longer = sorted((_letters(system_key(one)), _letters(system_key(other))), key=len)
    return (len(shorter) >= _TELLING_LETTERS and shorter in longer) or _is_alike(one, other)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name))


def _is_alike(one: str, other: str) -> bool:
    """Return whether two names may be spellings of one: but for signs equal, or hardly different."""
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
        severity = Severity.INFO if row.role == Result.Role.BASELINE else Severity.WARNING
        message = say("signal-contested", named=named, more=max(0, len(others) - _MAX_NAMED))
        yield Signal(code=Code.CONTESTED, severity=severity, message=message)


def agree(score: PrintedScore, other: PrintedScore) -> bool:
    """Say whether two printed scores may be one number, rounded to different digits."""
    if score.decimals == other.decimals:
        return score.value == other.value
    unit = 10.0 ** -min(score.decimals, other.decimals)
    return abs(score.value - other.value) <= unit / 2 * (1 + 1e-9)


def _unreachable(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """No mean over the topics is printed like this. Only of measures whose scale ends at 1: others count otherwise."""
    n_topics = row.n_topics_here or board.n_topics
    denominator = measure.nature.denominator
    if not n_topics or denominator is None or measure.high != 1:
        return
    found = check_reachable(row.score.digits, denominator=denominator, n_topics=n_topics)
    if not found.is_reachable:
        nearest = {"below": f"{found.below:.6g}", "above": f"{found.above:.6g}"}
        yield _warning(Code.UNREACHABLE_VALUE, "signal-unreachable", measure=measure.name, n=n_topics, **nearest)


def _outside(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """Outside of what is recorded: at home once multiplied or divided by 100, or far away."""
    usual, value = board.usual, row.score.value
    if usual is None or usual.low <= value <= usual.high:
        return
    ends = (f"{end:.{measure.decimals}f}" for end in (usual.low, usual.high))
    between = {"n": usual.n_scores} | dict(zip(("low", "high"), ends, strict=True))
    for scaled in (value / 100, value * 100):
        if usual.low <= scaled <= usual.high and usual.times_off(scaled) < usual.times_off(value):
            yield _warning(Code.PERCENT_SCALE, "signal-percent", **between, unit="given" if row.unit else "none")
            return
    # Without any spread, whatever is beyond the ends is far.
    distance = abs(value - usual.centre) / usual.deviation if usual.deviation else float("inf")
    if distance > FAR:
        far = f"{distance:.1f}" if usual.deviation else "none"
        yield _warning(Code.FAR_OUTSIDE, "signal-far", **between, far=far, centre=f"{usual.centre:.4g}")


def _above(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """Better than everything on record by more than the margin, as on *Check a score*."""
    if board.margin is None or not board.values:
        return
    best = board.values[-1] if measure.higher_is_better else board.values[0]
    if (row.score.value - best if measure.higher_is_better else best - row.score.value) > board.margin:
        ends = {name: f"{value:.{measure.decimals}f}" for name, value in (("best", best), ("margin", board.margin))}
        yield _warning(Code.ABOVE_ALL, "signal-above", **ends)


def _of_other_topics(row: ResultRow, board: Board) -> Iterator[Signal]:
    """A mean over far fewer or more topics than the leaderboard's."""
    here, there = row.n_topics_here, board.n_topics
    if here and there and abs(here - there) > _OTHER_TOPICS * there:
        yield _warning(Code.OTHER_TOPICS, "signal-topics", n=here, usual=there)


def signal_of_topics(
    told: Mapping[str, float], row: ResultRow, labels: Sequence[str], recorded: Sequence[Sequence[float | None]]
) -> Signal:
    """Return what scores by topic say of the score that they came with: that it is their mean, or why they are left;
    and whether they are those ``recorded`` for its system, each in the order of the labels."""
    why = why_not_behind(told, row.score, labels) or "none"
    far: list[float] = []
    if why in {"none", "mean"} and recorded:
        unit = 100.0 if row.score.unit else 1.0
        gaps = [
            [abs(told[label] / unit - (one or 0.0)) for label, one in zip(labels, vector, strict=True)]
            for vector in recorded
        ]
        far = min(([gap for gap in some if gap > _SAME_TOPIC] for some in gaps), key=len)
        why = "contradict" if far else "agree" if why == "none" else why
    most = f"{max(far, default=0.0):.4f}"
    message = say("signal-by-topic", n=len(told), why=why, of=len(labels), differ=len(far), most=most)
    severity = Severity.WARNING if why in {"mean", "contradict"} else Severity.INFO
    return Signal(code=Code.TOPIC_SCORES, severity=severity, message=message)


def signal_of_doubt(cells: Mapping[str, str]) -> Signal:
    """Return what a row is told whose score cannot stand beside others of its system, given what it will say."""
    says, competes = cells["notes"], "no" if "comparability" in cells else "yes"
    return _warning(Code.IMPOSSIBLE, "signal-impossible", says=says[:1].upper() + says[1:], competes=competes)


def find_signals(rows: Iterable[tuple[ResultRow, int | None]], surroundings: Surroundings) -> dict[int, list[Signal]]:
    """The signals of each row by its line, given what it would take the place of; lines without any are left out."""
    pairs = list(rows)
    surroundings.read([row for row, _ in pairs])
    found = {row.line: surroundings.signals(row, existing_id) for row, existing_id in pairs}
    return {line: signals for line, signals in found.items() if signals}
