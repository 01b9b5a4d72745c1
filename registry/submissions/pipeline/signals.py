"""Signals for reviewers: each says what is odd about a row, and what the row was compared with."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

from analysis.readers.names import system_key
from analysis.readers.numbers import PrintedScore
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
        """The source, shortened."""
        return shorten(self.cite or self.source, 80)


@dataclass(frozen=True, slots=True)
class Board:
    """The standing results of one leaderboard; ``usual`` is None where too few of them count.

    ``margin`` is how far below the highest score one may be and still be tied for first, None where that is not known.
    """

    n_topics: int | None
    margin: float | None
    usual: "Usual | None"
    by_name: dict[str, list[Recorded]]
    #: The results in the order of their scores, and these scores.
    ordered: list[Recorded]
    values: list[float]

    def agreeing(self, score: PrintedScore) -> list[Recorded]:
        """Return the results with this score, to the digits that both have."""
        first = bisect_left(self.values, score.value - _ROUNDED)
        last = bisect_right(self.values, score.value + _ROUNDED)
        return [recorded for recorded in self.ordered[first:last] if agree(recorded.score, score)]


@dataclass(frozen=True, slots=True)
class Usual:
    """The scores of a leaderboard's counted results: their number, range, median and robust deviation."""

    n_scores: int
    low: float
    high: float
    centre: float
    deviation: float

    def times_off(self, value: float) -> float:
        """Return by what factor a score is off the median; infinite where that means nothing."""
        if value <= 0 or self.centre <= 0:
            return float("inf")
        return max(value / self.centre, self.centre / value)


class Surroundings:
    """The record around rows, read once for all of their leaderboards."""

    def __init__(
        self, names: CatalogNames, submission: Submission | None = None, systems: KnownSystems | None = None
    ) -> None:
        self._names = names
        self._submission = submission
        #: By collection and measure, the measures that its scores may be of instead.
        self._siblings: dict[tuple[int, int], list[Measure]] = {}
        self._boards: dict[tuple[int, int], Board] = {}
        self._measures: dict[int, Measure] = {}
        #: Keys of rows that other submissions wait with.
        self._pending: set[str] = set()
        self._systems = systems
        #: By line: a system on record with the scores of the row's system, how many of them it has, and of how many.
        self._copied: dict[int, tuple[str, int, int]] = {}

    def read(self, rows: Sequence[ResultRow]) -> None:
        """Read everything that these rows are compared with."""
        pairs = {(row.collection_id, row.measure_id) for row in rows} - set(self._siblings)
        self._measures |= Measure.objects.in_bulk({measure for _, measure in pairs} - set(self._measures))
        self._siblings |= {pair: self._names.siblings(self._measures[pair[1]], on=pair[0]) for pair in pairs}
        others = {(pair[0], sibling.pk) for pair in pairs for sibling in self._siblings[pair]}
        self._boards |= read_boards((pairs | others) - set(self._boards))
        # A draft is not compared with what else waits: it would show what nobody may know yet.
        if self._submission is not None and self._submission.is_pending:
            waiting = SubmittedRow.objects.filter(submission__state__in=Submission.PENDING)
            of_others = waiting.exclude(submission=self._submission)
            keys = of_others.filter(key__in=[row.key.hex() for row in rows]).values_list("key", flat=True)
            self._pending = set(keys)
        self._copied = self._find_copied(rows)

    def _find_copied(self, rows: Sequence[ResultRow]) -> dict[int, tuple[str, int, int]]:
        """Find the systems with most scores of another one on record, to the digit; a few agree by chance."""
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

    def signals(self, row: ResultRow, existing_id: int | None) -> list[Signal]:
        """Return everything odd about a row; ``existing_id`` is the result that it would supersede."""
        board = self._boards[row.collection_id, row.measure_id]
        measure = self._measures[row.measure_id]
        signals = [
            *_duplicates(row, board, existing_id, is_pending=row.key.hex() in self._pending),
            *self._of_other_measures(row, board),
            *_contested(row, board, existing_id),
            *_unreachable(row, board, measure),
            *_outside(row, board, measure),
            *_above(row, board, measure),
            *_of_other_topics(row, board),
            *self._of_other_systems(row),
        ]
        return list({signal.code: signal for signal in signals}.values())

    def recorded(self, row: ResultRow) -> list[int]:
        """Return the ids of the results on record of the row's system, on its leaderboard."""
        named = self._boards[row.collection_id, row.measure_id].by_name.get(row.name_key, ())
        return [recorded.id for recorded in named if recorded.team_key == row.team_key]

    def _of_other_systems(self, row: ResultRow) -> Iterator[Signal]:
        """Yield that the scores are those of another system, and that its name stands under another organisation."""
        if row.line in self._copied:
            system, n, of = self._copied[row.line]
            yield _warning(Code.COPIED, "signal-copied", system=shorten(system), n=n, of=of)
        for system, n in self._systems.moved_from(row.system) if self._systems else ():
            yield _warning(Code.MOVED, "signal-moved", system=shorten(system), n=n)

    def _of_other_measures(self, row: ResultRow, board: Board) -> Iterator[Signal]:
        """Yield that the score is recorded for this system under a sibling of the measure, and not under this one."""
        if row.score.decimals < TELLING_DECIMALS:
            return
        if any(_is_of_one_kind(recorded.name_key, row.name_key) for recorded in board.agreeing(row.score)):
            return
        for measure in self._siblings[row.collection_id, row.measure_id]:
            for recorded in self._boards[row.collection_id, measure.pk].agreeing(row.score)[:_MAX_COMPARED]:
                if recorded.score.decimals >= TELLING_DECIMALS and _is_of_one_kind(recorded.name_key, row.name_key):
                    values = {
                        "system": shorten(recorded.system),
                        "score": recorded.score.digits,
                        "where": recorded.where,
                    }
                    yield _warning(Code.OTHER_MEASURE, "signal-other-measure", **values, measure=measure.name)
                    return


def _warning(code: Signal.Code, key: str, **values: object) -> Signal:
    """Return a warning with the message of this key."""
    return Signal(code=code, severity=Severity.WARNING, message=say(key, **values))


def read_boards(pairs: set[tuple[int, int]]) -> dict[tuple[int, int], Board]:
    """Return the leaderboards of these pairs of collection and measure; an empty one where there is none yet."""
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
    for result in sorted(recorded, key=lambda result: result.id):
        by_name[result.name_key].append(result)
    ordered = sorted(recorded, key=lambda result: (result.value, result.id))
    values, usual = [result.value for result in recorded if result.is_counted], None
    if len(values) >= MIN_RECORDED:
        centre = median(values)
        deviation = MAD_TO_SD * median(abs(value - centre) for value in values)
        usual = Usual(len(values), min(values), max(values), centre, deviation)
    return Board(n_topics, margin, usual, by_name, ordered, [result.value for result in ordered])


def _duplicates(row: ResultRow, board: Board, existing_id: int | None, *, is_pending: bool) -> Iterator[Signal]:
    """Yield that the system has the same score from another source or paper."""
    if is_pending:
        yield _warning(Code.DUPLICATE, "signal-pending")
    for recorded in board.by_name.get(row.name_key, ()):
        if recorded.id != existing_id and recorded.team_key == row.team_key and agree(recorded.score, row.score):
            is_other_paper = recorded.paper and row.paper and recorded.paper != row.paper.identity
            severity = Severity.INFO if is_other_paper else Severity.WARNING
            score = "same" if recorded.value == row.score.value else recorded.score.digits
            message = say("signal-duplicate", system=shorten(recorded.system), score=score, where=recorded.where)
            yield Signal(code=Code.DUPLICATE, severity=severity, message=message)
            return


def _is_of_one_kind(name: str, other: str) -> bool:
    """Return whether two names are spellings of one, or one contains the other: bm25 and anserini bm25."""
    shorter, longer = sorted((_letters(system_key(name)), _letters(system_key(other))), key=len)
    return (len(shorter) >= _TELLING_LETTERS and shorter in longer) or _is_alike(name, other)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name))


def _is_alike(name: str, other: str) -> bool:
    """Return whether two names may be spellings of one: equal but for punctuation, or hardly different."""
    letters, others = _letters(name), _letters(other)
    if letters == others:
        return True
    # Numbers tell versions apart: BM25 is not BM26.
    digits, other_digits = ("".join(filter(str.isdigit, text)) for text in (name, other))
    return digits == other_digits and SequenceMatcher(None, letters[:100], others[:100]).ratio() >= ALIKE


def _contested(row: ResultRow, board: Board, existing_id: int | None) -> Iterator[Signal]:
    """Yield that the system has other scores."""
    if row.replicate_of:
        return
    others = [
        recorded
        for recorded in board.by_name.get(row.name_key, ())
        if recorded.id != existing_id
        and recorded.replicate_of is None
        and (recorded.team_key == row.team_key or not recorded.team_key or not row.team_key)
        and row.score.contradicts(recorded.score)
    ]
    if others:
        named = "; ".join(f"{recorded.score.digits} in {recorded.where}" for recorded in others[:_MAX_NAMED])
        severity = Severity.INFO if row.role == Result.Role.BASELINE else Severity.WARNING
        message = say("signal-contested", named=named, more=max(0, len(others) - _MAX_NAMED))
        yield Signal(code=Code.CONTESTED, severity=severity, message=message)


def agree(score: PrintedScore, other: PrintedScore) -> bool:
    """Return whether two scores may be one number, rounded to different digits."""
    if score.decimals == other.decimals:
        return score.value == other.value
    unit = 10.0 ** -min(score.decimals, other.decimals)
    return abs(score.value - other.value) <= unit / 2 * (1 + 1e-9)


def _unreachable(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """Yield that no mean over the topics is this number; for measures that end at 1, since others count otherwise."""
    n_topics = row.n_topics_here or board.n_topics
    denominator = measure.nature.denominator
    if not n_topics or denominator is None or measure.high != 1:
        return
    reachability = check_reachable(row.score.digits, denominator=denominator, n_topics=n_topics)
    if not reachability.is_reachable:
        nearest = {"below": f"{reachability.below:.6g}", "above": f"{reachability.above:.6g}"}
        yield _warning(Code.UNREACHABLE_VALUE, "signal-unreachable", measure=measure.name, n=n_topics, **nearest)


def _outside(row: ResultRow, board: Board, measure: Measure) -> Iterator[Signal]:
    """Yield that the score is outside of what is recorded: by a factor of 100, or far away."""
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
    """Yield that the score beats everything on record by more than the margin, as on *Check a score*."""
    if board.margin is None or not board.values:
        return
    best = board.values[-1] if measure.higher_is_better else board.values[0]
    if (row.score.value - best if measure.higher_is_better else best - row.score.value) > board.margin:
        ends = {name: f"{value:.{measure.decimals}f}" for name, value in (("best", best), ("margin", board.margin))}
        yield _warning(Code.ABOVE_ALL, "signal-above", **ends)


def _of_other_topics(row: ResultRow, board: Board) -> Iterator[Signal]:
    """Yield that the mean is over far fewer or more topics than those of the leaderboard."""
    here, there = row.n_topics_here, board.n_topics
    if here and there and abs(here - there) > _OTHER_TOPICS * there:
        yield _warning(Code.OTHER_TOPICS, "signal-topics", n=here, usual=there)


def signal_of_topics(
    topics: Mapping[str, float], row: ResultRow, labels: Sequence[str], recorded: Sequence[Sequence[float | None]]
) -> Signal:
    """Return the signal of scores by topic: whether the score that they came with is their mean, or why they are left.

    It says, too, whether they are those ``recorded`` for the system, each in the order of the labels.
    """
    reason = why_not_behind(topics, row.score, labels) or "none"
    far: list[float] = []
    if reason in {"none", "mean"} and recorded:
        unit = 100.0 if row.score.unit else 1.0
        gaps = [
            [abs(topics[label] / unit - (score or 0.0)) for label, score in zip(labels, vector, strict=True)]
            for vector in recorded
        ]
        far = min(([gap for gap in vector_gaps if gap > _SAME_TOPIC] for vector_gaps in gaps), key=len)
        reason = "contradict" if far else "agree" if reason == "none" else reason
    most = f"{max(far, default=0.0):.4f}"
    message = say("signal-by-topic", n=len(topics), why=reason, of=len(labels), differ=len(far), most=most)
    severity = Severity.WARNING if reason in {"mean", "contradict"} else Severity.INFO
    return Signal(code=Code.TOPIC_SCORES, severity=severity, message=message)


def signal_of_doubt(cells: Mapping[str, str]) -> Signal:
    """Return the signal of a score that contradicts others of its system, given the cells that its row will have."""
    says, competes = cells["notes"], "no" if "comparability" in cells else "yes"
    return _warning(Code.IMPOSSIBLE, "signal-impossible", says=says[:1].upper() + says[1:], competes=competes)
