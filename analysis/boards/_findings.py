"""What a study of one leaderboard finds: the verdict, and beside it what equal systems would have shown.

Frozen and plain: every name stands here once, and pages, files and the API take it from here. Scores are in the unit
of the measure, results are known by their ids. What can't be said is None, with the reason beside it.
"""

from dataclasses import dataclass
from typing import Literal

from analysis.best import ExtremeValueAnalysis, Sensitivity

__all__ = [
    "BestRow",
    "Caution",
    "Corrected",
    "CountedResults",
    "Coverage",
    "Distance",
    "EqualMeans",
    "Evidence",
    "EvidenceKind",
    "Family",
    "Findings",
    "MayBeBest",
    "SetAtTopics",
    "Standing",
    "Tries",
    "Verdict",
    "WithoutFlagged",
]

EvidenceKind = Literal["own-topics", "own-variance", "transferred", "predicted", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRow:
    """The row with the best score on the board, whoever made it.

    Attributes
    ----------
    result : int
    value : float
        The mean of its executions where it has several.
    is_original : bool
        False for what a toolkit reran.
    n_tied : int
        Rows that share the score, itself among them.
    """

    result: int
    value: float
    is_original: bool
    n_tied: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What the best score is probably worth once the luck of coming first is taken off.

    Attributes
    ----------
    value : float
    luck : float
        Distance from the best score, 0 or more, whichever direction is better.
    decimals : int
        Digits of ``value`` that are worth printing: one less than the measure's, two where its variance is predicted.
    low, high : float or None
        Interval at ``confidence_level``; None where none is honest.
    confidence_level : float or None
        None without an interval.
    method : str
    why_no_interval : str
        The reason where there is none, else blank.
    """

    value: float
    luck: float
    decimals: int
    low: float | None
    high: float | None
    confidence_level: float | None
    method: str
    why_no_interval: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a row is behind, and how far it would have to be to be ruled out.

    Attributes
    ----------
    result : int
    behind : float
        Distance from ``rival`` in the unit of the measure, positive where the row is worse.
    margin : float
        From which distance on it is ruled out: the same for all from means, that of the pair with topic scores.
    rival : int
        The best row; with topic scores the one that this row is most clearly behind.
    """

    result: int
    behind: float
    margin: float
    rival: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MayBeBest:
    """The rows that can't be told from the best.

    Attributes
    ----------
    members : tuple of int
        Best first.
    n_members : int
    confidence_level : float
        Probability that the truly best row is among them.
    margin : float or None
        How far a member may be behind the best; None with topic scores: the set is no interval of scores then.
    method : str
    distances : tuple of Distance
        One for each row that may be the best.
    """

    members: tuple[int, ...]
    n_members: int
    confidence_level: float
    margin: float | None
    method: str
    distances: tuple[Distance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAtTopics:
    """How many rows could not be told from the best if the means were over so many topics.

    Attributes
    ----------
    n_topics, n_members : int
    """

    n_topics: int
    n_members: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How often sets like this one held the truly best system where it was known.

    Attributes
    ----------
    mean : float
        Over boards.
    low : float
        19 of 20 boards reach at least that.
    n_boards, n_collections : int
        Boards that were drawn, and the collections that they are of.
    family : str
        Of the measures that they are under, as "nDCG"; "sparse-nDCG" of boards where one document a topic is right;
        blank where they are under all sorts.
    world : str
        What was true of the systems there, for people.
    row : str
        Of the table of the method page "calibration".
    """

    mean: float
    low: float
    n_boards: int
    n_collections: int
    family: str
    world: str
    row: str

    @property
    def is_sparse(self) -> bool:
        """Whether one document a topic is right there."""
        return self.family.startswith("sparse-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the verdict rests on: how scores vary between topics, who says so, and how surely.

    Attributes
    ----------
    kind : {"own-topics", "own-variance", "transferred", "predicted", "none"}
    residual_variance : float or None
        Per topic, squared unit of the measure.
    degrees_of_freedom : float or None
        How surely it is known.
    sources : tuple of str
        For people.
    n_systems, n_topics : int or None
        Of the matrix that it was measured on, where that is of this collection.
    is_capped : bool
        Whether it was lowered to what scores in [0, 1] with these means can have.
    coverage : Coverage or None
        Of boards like this one.
    """

    kind: EvidenceKind
    residual_variance: float | None = None
    degrees_of_freedom: float | None = None
    sources: tuple[str, ...] = ()
    n_systems: int | None = None
    n_topics: int | None = None
    is_capped: bool = False
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """How many were tried.

    Attributes
    ----------
    n_results : int
        Rows that compete: the k of the set.
    n_families : int
        Families that they come from.
    n_effective : float or None
        Independent systems that they are worth; None without topic scores of all rows.
    """

    n_results: int
    n_families: int
    n_effective: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Rows of one maker and lineage.

    Attributes
    ----------
    results : tuple of int
        Best first.
    keys : tuple of str
        What they share, those of most rows first.
    """

    results: tuple[int, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Something to know before the verdict is used.

    Attributes
    ----------
    code : str
        One of ``CAUTION_CODES``, for programs.
    message : str
        For people.
    results : tuple of int
        The rows meant; empty where it is the board.
    is_flag : bool
        Whether it holds back a certificate: a gap, an outlier among its own scores, training declared on a collection
        that is meant to be unseen.
    """

    code: str
    message: str
    results: tuple[int, ...] = ()
    is_flag: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutFlagged:
    """The same verdict without the flagged rows.

    Attributes
    ----------
    result : int
        The best row then.
    value : float
    corrected : Corrected or None
    set : MayBeBest or None
    n_left_out : int
        How many rows are left out.
    """

    result: int
    value: float
    corrected: Corrected | None
    set: MayBeBest | None
    n_left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The one verdict of a board.

    Attributes
    ----------
    best : BestRow
    best_unflagged : WithoutFlagged or None
        Where the best row, or one that competes with it, is flagged.
    corrected : Corrected or None
    why_no_value : str
        The reason where ``corrected`` is None.
    set : MayBeBest or None
    why_no_set : str
        The reason where ``set`` is None.
    leader_verified : bool
        The best row is alone in a set from its own topics, 25 or more, and not flagged.
    family_verified : bool
        All of several members of such a set are of one family: the best is one of theirs.
    evidence : Evidence
    tries : Tries
    cautions : tuple of Caution
    sets_by_n_topics : tuple of SetAtTopics
        Where the number of topics is not known: the set for several numbers.
    """

    best: BestRow
    best_unflagged: WithoutFlagged | None
    corrected: Corrected | None
    why_no_value: str
    set: MayBeBest | None
    why_no_set: str
    leader_verified: bool
    family_verified: bool
    evidence: Evidence
    tries: Tries
    cautions: tuple[Caution, ...] = ()
    sets_by_n_topics: tuple[SetAtTopics, ...] = ()

    @property
    def shown(self) -> WithoutFlagged:
        """The best on record with its worth and its set, as everything shows them: no row that a caution holds back."""
        if self.best_unflagged is not None:
            return self.best_unflagged
        best = self.best
        return WithoutFlagged(
            result=best.result, value=best.value, corrected=self.corrected, set=self.set, n_left_out=0
        )

    @property
    def flagged(self) -> frozenset[int]:
        """The rows that a flag is about."""
        return frozenset(row for one in self.cautions if one.is_flag for row in one.results)

    @property
    def held_back(self) -> frozenset[int]:
        """The rows that ``shown`` leaves out for a caution."""
        return frozenset() if self.best_unflagged is None else self.flagged

    @property
    def distances(self) -> dict[int, Distance]:
        """How far rows are behind the best as ``shown``, by result; those held back, behind the best of all."""
        sets = [one for one in (self.set, self.shown.set) if one]
        return {one.result: one for found in sets for one in found.distances}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedResults:
    """The counted results of Carterette's analysis.

    Attributes
    ----------
    n_results : int
    mean : float
    sd : float or None
        With ddof 1; None for a single one.
    max, min : float
    """

    n_results: int
    mean: float
    sd: float | None
    max: float
    min: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualMeans(ExtremeValueAnalysis):
    """What equal systems would have shown (Carterette 2015), on one scale.

    Attributes
    ----------
    best_id : int
        The best counted result that may be the best.
    n_above_chance, n_within_chance, n_below_chance : int
        As in :class:`analysis.best.BestResult`.
    plausible : tuple of int
        Ids of those at or beyond the far end of the range.
    n_plausible : int
        Their number.
    sensitivity : tuple of Sensitivity
        For several attempts behind each result.
    """

    best_id: int
    n_above_chance: int
    n_within_chance: int
    n_below_chance: int
    plausible: tuple[int, ...]
    n_plausible: int
    sensitivity: tuple[Sensitivity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a row stands among the frozen reference systems.

    Attributes
    ----------
    result : int
    z : float or None
        Distance from the mean of the reference means, in their standard deviations.
    percentile : float or None
        Share of them that are worse, of equal ones half.
    topic_z : float or None
        Mean of its z by topic.
    """

    result: int
    z: float | None = None
    percentile: float | None = None
    topic_z: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything that a study of one board finds.

    Attributes
    ----------
    verdict : Verdict
    families : tuple of Family
        Of the rows that compete, those with the best row first.
    tiers : tuple of tuple of int
        Tier 1 is the set; lower ones need topic scores of all rows, so that from means there is the first alone.
    counted : CountedResults or None
    equal_means : tuple of EqualMeans
        One a scale; empty where it can't be had, and ``why_no_equal_means`` says why.
    why_no_equal_means : str
    standing : tuple of Standing
    """

    verdict: Verdict
    families: tuple[Family, ...]
    tiers: tuple[tuple[int, ...], ...]
    counted: CountedResults | None
    equal_means: tuple[EqualMeans, ...]
    why_no_equal_means: str
    standing: tuple[Standing, ...]
