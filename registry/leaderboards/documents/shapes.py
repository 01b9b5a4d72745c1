"""The objects: frozen and typed, as pages, files and the API show them."""

from dataclasses import dataclass
from typing import Literal

from analysis.boards import (
    Caution,
    EqualMeans,
    Verdict,
)
from registry.catalog.documents import (
    CollectionBrief,
    Document,
    MeasureBrief,
)
from registry.cautions.documents import AnswerDocument, DecisionDocument
from registry.core.scores import PrintedScore
from registry.leaderboards.studies import Headline


@dataclass(frozen=True, slots=True, kw_only=True)
class CautionDocument(Caution):
    """Something to know before the verdict is used, with what people say to it.

    Attributes
    ----------
    answers : tuple of AnswerDocument
        What authors and others say to it, in the order of its rows.
    decisions : tuple of DecisionDocument
        What curators decided about it.
    """

    answers: tuple[AnswerDocument, ...] = ()
    decisions: tuple[DecisionDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictDocument(Verdict):
    """The one verdict of a leaderboard, with its words.

    Attributes
    ----------
    cautions : tuple of CautionDocument
    cleared_cautions : tuple of CautionDocument
        Those that a curator cleared for some rows, with the reason; the verdict is found without them.
    sentence : str
        The verdict in a sentence, the same wherever it is told.
    evidence_sentence : str
        What it rests on, in words.
    """

    cautions: tuple[CautionDocument, ...] = ()
    cleared_cautions: tuple[CautionDocument, ...] = ()
    sentence: str
    evidence_sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisState:
    """How the analysis stands to the results.

    Attributes
    ----------
    state : str
        stale: results changed since, it is being made again; queued: never made yet; none: there can't be one; past:
        as of another day.
    obstacle : str
        Why there can't be one; else blank.
    message : str
        The same for people.
    """

    state: Literal["current", "stale", "queued", "none", "past"]
    obstacle: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotBrief:
    """A snapshot as leaderboards mention it.

    Attributes
    ----------
    id : str
        Start of the SHA-256 of its content.
    url : str
    created : str
        When it was made, ISO 8601.
    """

    id: str
    url: str
    created: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSetBrief:
    """A frozen set of systems that z and percentile are taken against.

    Attributes
    ----------
    basis : str
        Published means, or scores by topic (of which topic_z is).
    name : str
    n_systems : int
    frozen : str
        The day.
    """

    basis: Literal["published-means", "topic-scores"]
    name: str
    n_systems: int
    frozen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """What is shown and does not compete, by reason.

    Attributes
    ----------
    reason : str
    n : int
    """

    reason: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDocument:
    """A result on a leaderboard.

    Attributes
    ----------
    id : int
    rank : int or None
        1-2-2-4 among the rows that compete; null for the others.
    rank_low, rank_high : int or None
        The best and the worst rank that it may truly have among them; null where that is not known, and under filters.
    tier : int or None
        1: can't be told from the best; null where there are no tiers.
    can_be_best : bool or None
        Whether it is in the set; null where there is no set, or the row does not compete.
    can_be_best_unflagged : bool or None
        The same without the rows that a caution holds back; null where none is held back.
    behind : float or None
        Distance from the row that decides about it, in the unit of the measure.
    margin : float or None
        From which distance on it would be ruled out.
    rival : int or None
        The row that decides: the best from means, the one that it is most clearly behind with topic scores.
    family : int or None
        Number of its family, 1 for that of the best row; null for rows that do not compete.
    plausible : bool
        In the range that equal systems would cover (Carterette 2015), on the scale asked for.
    is_counted : bool
        Whether it is a counted result of that analysis.
    is_original : bool
        Whether somebody tried a system, rather than a toolkit running a known one.
    why_not_comparable : str
        Why it does not compete; blank where it does.
    system : str
    system_id : int
    team : str
    value : float
    printed : str
        The score exactly as its source gives it.
    unit : str
        Of what is printed, where it is not that of the measure: percent.
    year : int or None
    role : str
    role_label : str
    run_type : str
    provenance : str
        How the score came to be recorded.
    provenance_label : str
    declared_training : str
        Whether a published list of its training data names this collection.
    is_self_reported : bool
        Whether nobody but its maker is known to have run it.
    cautions : tuple of str
        Codes of the cautions that name it.
    is_disputed : bool
        Somebody calls the score into question, and nobody has decided yet.
    z : float or None
        Against the means of the reference set.
    percentile : float or None
        Among the means of the reference set, 0 to 100.
    topic_z : float or None
        Mean of the z-scores by topic, where there are scores by topic.
    paper : str or None
    paper_id : int or None
    source : str
    notes : str
    """

    id: int
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: int | None
    can_be_best: bool | None
    can_be_best_unflagged: bool | None
    behind: float | None
    margin: float | None
    rival: int | None
    family: int | None
    plausible: bool
    is_counted: bool
    is_original: bool
    why_not_comparable: str
    system: str
    system_id: int
    team: str
    value: float
    printed: str
    unit: str
    year: int | None
    role: str
    role_label: str
    run_type: str
    provenance: str
    provenance_label: str
    declared_training: str
    is_self_reported: bool
    cautions: tuple[str, ...]
    is_disputed: bool
    z: float | None
    percentile: float | None
    topic_z: float | None
    paper: str | None
    paper_id: int | None
    source: str
    notes: str

    @property
    def score(self) -> PrintedScore:
        """The score with the digits that are real."""
        return PrintedScore(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDocument:
    """Everything about a leaderboard under the reader's choices.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
    as_of, published_by : str or None
        The day asked for.
    n_undated : int or None
        Results left out because nobody knows when they were published.
    selection : dict of str to str
        The choices that were made in the address.
    analysis : AnalysisState
    verdict : VerdictDocument or None
        What the page leads with.
    n_results : int or None
        Counted results, the N of `best_result`: original, comparable, one a system. The verdict's number of tries is
        `verdict.tries.n_results`, which counts what toolkits reran as well.
    mean, sd, max : float or None
        Of the counted results; sd with ddof 1.
    best_result : EqualMeans or None
        What equal systems would have shown (Carterette 2015), on the scale asked for; null where it is not in `scales`.
    scales : dict of str to EqualMeans
        The same on every scale that there is.
    why_no_best_result : str
        The reason where there is none.
    reference_sets : tuple of ReferenceSetBrief
    n_with_topic_scores : int
        Comparable results with a score on every topic, 0 or at least 2; `pairs.json` compares them topic by topic.
    snapshot : SnapshotBrief or None
    not_comparable : tuple of NotComparable
    facets : dict of str to dict
        How many rows have each role, run type and provenance.
    count : int
        Results under these choices, on all pages.
    next_page : str or None
        Token for `page`; null on the last one.
    results : tuple of RowDocument
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    as_of: str | None
    published_by: str | None
    n_undated: int | None
    selection: dict[str, str]
    analysis: AnalysisState
    verdict: VerdictDocument | None
    n_results: int | None
    mean: float | None
    sd: float | None
    max: float | None
    best_result: EqualMeans | None
    scales: dict[str, EqualMeans]
    why_no_best_result: str
    reference_sets: tuple[ReferenceSetBrief, ...]
    n_with_topic_scores: int
    snapshot: SnapshotBrief | None
    not_comparable: tuple[NotComparable, ...]
    facets: dict[str, dict[str, int]]
    count: int
    next_page: str | None
    results: tuple[RowDocument, ...]

    def by_id(self) -> dict[int, RowDocument]:
        """The rows by result."""
        return {row.id: row for row in self.results}

    @property
    def name(self) -> str:
        """What titles call it."""
        return self.collection["name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A leaderboard in a list, with the headline of its verdict; null where it has none.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
    analysis : AnalysisState
    n_recorded : int or None
        Results, comparable or not, when it was analysed last.
    headline : Headline or None
    snapshot : SnapshotBrief or None
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    analysis: AnalysisState
    n_recorded: int | None
    headline: Headline | None
    snapshot: SnapshotBrief | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDocument:
    """One analysis of one leaderboard, kept for good.

    Attributes
    ----------
    collection : CollectionBrief
    measure : MeasureBrief
    url : str
        Of the leaderboard.
    snapshot : SnapshotBrief
    verdict : VerdictDocument or None
        Null for a snapshot by an earlier release, which alone can read it.
    n_results : int or None
    mean, sd, max : float or None
    best_result : EqualMeans or None
    scales : dict of str to EqualMeans
    why_no_best_result : str
        As of leaderboards.
    content : dict
        Inputs, methods, libraries and findings as they were hashed.
    """

    collection: CollectionBrief
    measure: MeasureBrief
    url: str
    snapshot: SnapshotBrief
    verdict: VerdictDocument | None
    n_results: int | None
    mean: float | None
    sd: float | None
    max: float | None
    best_result: EqualMeans | None
    scales: dict[str, EqualMeans]
    why_no_best_result: str
    content: Document

    @property
    def name(self) -> str:
        """What titles call it."""
        return self.collection["name"]
