"""Answers of a Plumbline as typed records. Keys that a later Plumbline adds are passed over."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import pandas

#: Rows that a notebook shows.
_SHOWN = 20


class Record(msgspec.Struct, frozen=True):
    """An object of the API, by the names that the API has for it."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain Python objects."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class Collection(Record, frozen=True):
    """A test collection; ``n_topics`` is how many topics a mean is an average of. Lists have its ``aliases``,
    and names that mean it or another."""

    slug: str
    name: str
    ir_datasets_id: str | None = None
    n_topics: int | None = None
    aliases: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


class Measure(Record, frozen=True):
    """A measure, named as ir-measures does. Lists have its other names."""

    name: str
    long_name: str = ""
    higher_is_better: bool = True
    decimals: int = 4
    ir_measures: str = ""
    trec_eval: str = ""
    aliases: tuple[str, ...] = ()


class Best(Record, frozen=True):
    """The highest score, whoever made it; ``result`` is the id of its row."""

    result: int
    value: float
    is_original: bool
    n_tied: int = 1


class Corrected(Record, frozen=True):
    """The best score adjusted for luck, ± ``half_width``; ``value`` is None where the interval has no middle."""

    value: float | None = None
    half_width: float | None = None
    low: float | None = None
    high: float | None = None
    confidence_level: float | None = None
    decimals: int = 4


class BestSet(Record, frozen=True):
    """Results tied for first; ``margin`` is None where every row has its own."""

    members: tuple[int, ...]
    n_members: int
    confidence_level: float
    margin: float | None = None


class Evidence(Record, frozen=True):
    """The evidence of a verdict: `kind` as the documentation of the API lists them."""

    kind: str
    residual_variance: float | None = None
    degrees_of_freedom: float | None = None


class Tries(Record, frozen=True):
    """Counts of results that compete, of their makers and lineages, and of the uncorrelated ones they are worth."""

    n_results: int
    n_families: int
    n_effective: float | None = None


class Caution(Record, frozen=True):
    """Something to know before the verdict is used; with ``is_flag`` it holds its results back, else it is a note."""

    code: str
    message: str
    results: tuple[int, ...] = ()
    is_flag: bool = False


class Unflagged(Record, frozen=True):
    """The verdict without the results that are held back."""

    result: int
    value: float
    corrected: Corrected | None = None
    set: BestSet | None = None


class Verdict(Record, frozen=True):
    """The verdict on the best result, and on the results tied for first."""

    sentence: str
    best: Best
    evidence: Evidence
    tries: Tries
    leader_verified: bool
    corrected: Corrected | None = None
    set: BestSet | None = None
    best_unflagged: Unflagged | None = None
    cautions: tuple[Caution, ...] = ()
    why_no_set: str = ""
    why_no_value: str = ""
    view: str = "all"


class Analysis(Record, frozen=True):
    """The state of the analysis: current, stale, queued, none or past; ``message`` says it in words."""

    state: str
    message: str


class Snapshot(Record, frozen=True):
    """A stored analysis, to cite."""

    id: str
    url: str
    created: str


class Row(Record, frozen=True):
    """A result on a leaderboard; ``rank`` is None where it does not compete, ``can_be_best`` where nobody knows.

    ``can_be_best_unflagged`` is the same without those held back, None where nothing is; ``cautions`` are the codes of
    why it is held back and of notes on it, ``training`` is what is said of it.
    """

    id: int
    system: str
    value: float
    printed: str
    system_id: int
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    can_be_best: bool | None = None
    can_be_best_unflagged: bool | None = None
    is_held_back: bool = False
    cautions: tuple[str, ...] = ()
    training: str = ""
    behind: float | None = None
    margin: float | None = None
    team: str = ""
    year: int | None = None
    role: str = ""
    run_type: str = ""
    provenance: str = ""
    z: float | None = None
    percentile: float | None = None
    paper: str | None = None
    source: str = ""
    unit: str = ""


class Leaderboard(Record, frozen=True):
    """The results of a collection under a measure, the best first, with their verdict, None where there is none."""

    collection: Collection
    measure: Measure
    url: str
    analysis: Analysis
    verdict: Verdict | None
    snapshot: Snapshot | None
    results: tuple[Row, ...]
    as_of: str | None = None
    published_by: str | None = None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def _repr_html_(self) -> str:
        """Return the claim and the first rows, as a notebook shows them."""
        claim = self.verdict.sentence if self.verdict else self.analysis.message
        rows = "".join(
            f"<tr><td>{row.rank or ''}</td><td>{escape(row.system)}</td><td>{escape(row.printed)}</td></tr>"
            for row in self.results[:_SHOWN]
        )
        more = f"<p>and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return f"<p>{escape(claim)}</p><table><tr><th>Rank<th>System<th>Score</tr>{rows}</table>{more}"

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row a result, indexed by its id. Needs pandas (``pip install 'plumbline-ir[pandas]'``)."""
        return _frame(self.results, "id")


class SuiteName(Record, frozen=True):
    """A suite of collections; ``is_zero_shot``: it is meant for systems that were not trained on them."""

    slug: str
    name: str
    is_zero_shot: bool = False


class SuiteRow(Record, frozen=True):
    """A system with its mean over the members, None where it lacks some; ``scores`` are in the order of the members."""

    system: str
    value: float | None = None
    rank: int | None = None
    can_be_best: bool | None = None
    can_be_best_unflagged: bool | None = None
    can_be_best_here: bool | None = None
    can_be_best_here_unflagged: bool | None = None
    is_held_back: bool = False
    cautions: tuple[str, ...] = ()
    training: str = ""
    scores: tuple[float | None, ...] = ()


class Suite(Record, frozen=True):
    """The mean over a suite: which system is the best on other collections like these."""

    suite: SuiteName
    measure: Measure
    url: str
    analysis: Analysis
    verdict: Verdict | None
    snapshot: Snapshot | None
    results: tuple[SuiteRow, ...]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row a system, indexed by its name. Needs pandas."""
        return _frame(self.results, "system")


class Found(Record, frozen=True):
    """Something that a search found."""

    kind: str
    title: str
    url: str
    detail: str = ""
    n_results: int | None = None


class Finds(Record, frozen=True):
    """The things that a search found; ``searched_for`` is the text as corrected where ``is_corrected``."""

    count: int
    results: tuple[Found, ...]
    searched_for: str = ""
    is_corrected: bool = False


class Ranks(Record, frozen=True):
    """The range in which a score's true rank lies, from 1."""

    low: int
    high: int


class CheckedScore(Record, frozen=True):
    """A score against a leaderboard, as numbers; None where something can't be said."""

    n_results: int
    n_better: int
    behind: float
    margin: float | None = None
    may_be_best: bool | None = None
    may_be_best_unflagged: bool | None = None
    may_be_best_counted: bool | None = None
    ranks: Ranks | None = None
    smallest_difference: float | None = None
    why_unknown: str = ""


class CheckedBoard(Record, frozen=True):
    """The leaderboard that a score is held against."""

    collection: Collection
    measure: Measure
    url: str


class Check(Record, frozen=True):
    """The check of a score that is not on a leaderboard, or of a baseline; ``sentence`` is for a paper."""

    headline: str
    sentence: str
    checked: CheckedScore
    leaderboard: CheckedBoard
    of_score: tuple[str, ...] = ()
    of_baseline: tuple[str, ...] = ()
    of_gain: tuple[str, ...] = ()


class Rejection(Record, frozen=True):
    """The reason why a row is refused, by column."""

    message: str
    code: str = ""
    field: str = ""


class Place(Record, frozen=True):
    """The rank that a score would have."""

    rank: int
    n_results: int


class SubmittedRow(Record, frozen=True):
    """A row that was submitted; its ``outcome`` is new, same, differs or refused."""

    line: int
    outcome: str
    rejections: tuple[Rejection, ...] = ()
    place: Place | None = None


class Submission(Record, frozen=True):
    """Results that were submitted, or of a dry run what would become of them (``id`` is blank then)."""

    counts: dict[str, int]
    results: tuple[SubmittedRow, ...] = ()
    id: str = ""
    url: str = ""
    state: str = ""

    @property
    def refused(self) -> tuple[SubmittedRow, ...]:
        """Return the refused rows, with the reasons."""
        return tuple(row for row in self.results if row.outcome == "refused")


class ReportLine(Record, frozen=True):
    """One way in which a run departs from what a run should be: how often, what was done about it, and where."""

    name: str
    count: int
    policy: str = ""
    where: str = ""


class Agreement(Record, frozen=True):
    """A run's mean beside the printed score that it is said to be behind."""

    measure: str
    printed: str
    mean: float
    is_same: bool


class StandardizedRun(Record, frozen=True):
    """A run on the scale of fixed systems: mean ``z`` over topics with its 95 % interval, ``topics`` with z of each."""

    measure: str
    reference: str
    n_systems: int
    z: float
    low: float
    high: float
    normal: float
    n_better: int
    topics: dict[str, float]
    told_apart: tuple[int, int] | None = None


class Run(Record, frozen=True):
    """A scored run: ``means`` by measure, ``report`` of what to know about it, and until when it is kept.

    ``means_of_answered`` are over the topics that it answers, ``ties`` the least and the most by the order of equal
    scores; one that is not ``is_complete`` answers less than 90 % of the topics and has no rank.

    ``url`` is its page: whoever has it may read it. ``state`` is waiting, done or refused, ``message`` says why.
    """

    url: str
    name: str
    collection: str
    state: str
    means: dict[str, float]
    message: str = ""
    is_failed: bool = False
    is_sealed: bool = False
    forgotten: str = ""
    has_topic_scores: bool = False
    means_of_answered: dict[str, float] = {}
    ties: dict[str, tuple[float, float]] = {}
    is_complete: bool = True
    standardized: tuple[StandardizedRun, ...] = ()
    report: tuple[ReportLine, ...] = ()
    not_computed: tuple[str, ...] = ()
    agreement: Agreement | None = None


class OwnBoard(Record, frozen=True):
    """The board of everything sent under a measure: ``content`` as a snapshot has it, once ``state`` is done.

    ``lacking`` are pages of runs that are not scored under it, ``incomplete`` of those that answer too few topics.
    """

    measure: str
    url: str
    n_entries: int
    topics: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    state: str = ""
    message: str = ""
    content: dict[str, Any] | None = None


class OwnCollection(Record, frozen=True):
    """A collection of one's own; ``sent`` are the pages of its tables and runs."""

    url: str
    name: str
    visibility: str = "private"
    is_private: bool = True
    owner: str = ""
    forgotten: str = ""
    topics: tuple[str, ...] = ()
    is_judged: bool = False
    boards: tuple[OwnBoard, ...] = ()
    sent: tuple[str, ...] = ()


class PublicOwnCollection(Record, frozen=True):
    """A collection that somebody shows to everybody. It is not on record, and nobody reviewed it."""

    url: str
    name: str
    owner: str
    measures: tuple[str, ...] = ()
    n_sent: int = 0
    begun: str = ""


class OwnCollections(Record, frozen=True):
    """One's own collections, the latest first."""

    collections: tuple[OwnCollection, ...]


def _frame(rows: tuple[Record, ...], index: str) -> "pandas.DataFrame":
    import pandas

    frame = pandas.DataFrame([row.to_dict() for row in rows])
    return frame.set_index(index) if len(frame) else frame
