"""What a study of one leaderboard is made from: rows, topics, what is known of variances, what other boards say.

Plain frozen values, readable from JSON (:func:`analysis.boards.snapshots.read`), so that a study can be done again
without the site that asked for it.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from analysis.errors import ArgumentError
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix

__all__ = [
    "BoardInputs",
    "BoardRow",
    "ClearedCaution",
    "Elsewhere",
    "KnownVariance",
    "MeasureFacts",
    "Question",
    "ReferenceFactors",
    "TopicScoresInput",
    "VarianceKind",
]

#: How good a residual variance is: this board's own topics; a matrix of this collection and measure that does not
#: hold every row; what is typical of the measure in other collections; what a model of the measure's family predicts.
VarianceKind = Literal["own-topics", "own-variance", "transferred", "predicted"]

#: Roles of original results: somebody tried a system. Other rows (reference implementations) may be the best too.
ORIGINAL_ROLES = ("trec_run", "leaderboard", "proposed", "baseline")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureFacts:
    """The measure of a board.

    Attributes
    ----------
    name : str
        ir-measures name, as ``AP`` or ``nDCG@10``.
    low, high : float or None
        Ends of its range; None where it has none.
    higher_is_better : bool
    decimals : int
        Digits after the point that tables show.
    """

    name: str
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True
    decimals: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One result on a board.

    Attributes
    ----------
    id : int
        Known by it in findings.
    system, team : str
        Who; for people. Lineage decides what is one family, not these.
    printed : str
        The score as printed.
    unit : str
        Of what is printed, where that is not the measure's: "percent".
    value : float
        The score, in the unit of the measure.
    year : int or None
    role : str
        "trec_run", "leaderboard", "proposed", "baseline" or "reference_implementation".
    run_type : str
        "automatic", "manual" or blank.
    provenance : str
        How the score came to be recorded: "transcribed", "double_checked", …
    comparability : str
        "standard", or how it departs from the board's setting; then it is shown and does not compete.
    replicate_of : int or None
        Id of the row of which this is another execution; together they are one row, their mean.
    lineage : tuple of str
        Keys such as "team:baidu nlp", "paper:an address", "model:qwen3-embedding", "toolkit:anserini": rows that
        share one are of one family, and so on from row to row.
    is_self_reported : bool
        Whether nobody but the maker ran it.
    declared_training : {"yes", "no", "unknown"}
        Whether the maker's published list of training data names this collection.
    elsewhere : tuple of float or None
        Scores of the same system on ``BoardInputs.elsewhere.datasets``, in their order; empty where it has none.
    """

    id: int
    system: str
    printed: str
    value: float
    unit: str = ""
    team: str = ""
    year: int | None = None
    role: str = "leaderboard"
    run_type: str = ""
    provenance: str = "transcribed"
    comparability: str = "standard"
    replicate_of: int | None = None
    lineage: tuple[str, ...] = ()
    is_self_reported: bool = False
    declared_training: Literal["yes", "no", "unknown"] = "unknown"
    elsewhere: tuple[float | None, ...] = ()

    @property
    def is_original(self) -> bool:
        """Whether somebody tried a system, rather than a toolkit running a known one."""
        return self.role in ORIGINAL_ROLES

    @property
    def is_counted(self) -> bool:
        """Whether it is one of the counted results of Carterette's analysis: original, comparable, counted once."""
        return self.is_original and self.is_comparable and self.replicate_of is None

    @property
    def is_comparable(self) -> bool:
        """Whether it was measured in the setting of the board."""
        return self.comparability == "standard"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicScoresInput:
    """The topic scores that entered, by digest; the vectors themselves stand beside the inputs.

    Attributes
    ----------
    results : tuple of int
        Ids of the rows, in the order of the matrix.
    n_topics : int
    sha256 : str
        Of the matrix as little-endian doubles, systems × topics, row by row.
    """

    results: tuple[int, ...]
    n_topics: int
    sha256: str

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "TopicScoresInput":
        """The topic scores of a study, by digest.

        Parameters
        ----------
        matrix : ScoreMatrix
            Systems labelled by result id.

        Returns
        -------
        TopicScoresInput

        Raises
        ------
        ArgumentError
            If ``matrix`` is no ScoreMatrix, or a label no result id.

        Examples
        --------
        >>> matrix = ScoreMatrix(["7", "9"], ["301", "302"], [[0.1, 0.5], [0.2, 0.4]])
        >>> found = TopicScoresInput.of(matrix)
        >>> found.results, found.n_topics, found.sha256[:8]
        ((7, 9), 2, 'f9a4e74c')
        """
        check_matrix(matrix)
        if not all(system.isdecimal() for system in matrix.systems):
            raise ArgumentError("matrix", matrix.systems[:3], "must have result ids as labels of its systems")
        scores = np.ascontiguousarray(matrix.scores, dtype="<f8")
        results = tuple(int(system) for system in matrix.systems)
        return cls(results=results, n_topics=matrix.n_topics, sha256=hashlib.sha256(scores.tobytes()).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownVariance:
    """A residual variance that was measured elsewhere.

    Attributes
    ----------
    kind : {"own-variance", "transferred"}
    value : float
        Per topic, squared unit of the measure, above 0; weighted by families where the matrix names its makers.
    degrees_of_freedom : float
        By the rules of :mod:`analysis.boards.evidence`.
    sources : tuple of str
        What it was measured on, for people.
    n_systems, n_topics : int or None
        Of the matrix, for "own-variance".
    measure : str
        The measure that it was measured under, where that is not the board's.
    """

    kind: VarianceKind
    value: float
    degrees_of_freedom: float
    sources: tuple[str, ...]
    n_systems: int | None = None
    n_topics: int | None = None
    measure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Which datasets the scores of the same systems elsewhere were taken from: fixed, dated, printed.

    Attributes
    ----------
    name : str
        Of the suite, for people.
    datasets : tuple of str
        Slugs of the other collections.
    as_of : str
        The day of the scores, as YYYY-MM-DD.
    """

    name: str
    datasets: tuple[str, ...]
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFactors:
    """A frozen set of reference systems that rows are standardized against.

    Attributes
    ----------
    basis : {"published-means", "topic-scores"}
    name : str
        For people.
    n_systems : int
    frozen : str
        The day, as YYYY-MM-DD.
    means : tuple of float
        Published means of the systems, for the first basis.
    topics : tuple of str
        Labels of the topics, for the second.
    topic_means, topic_sds : tuple of float
        Mean and standard deviation of the systems on each topic.
    """

    basis: Literal["published-means", "topic-scores"]
    name: str
    n_systems: int
    frozen: str
    means: tuple[float, ...] = ()
    topics: tuple[str, ...] = ()
    topic_means: tuple[float, ...] = ()
    topic_sds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearedCaution:
    """A caution that a curator looked into and cleared: it is not given again for this row.

    Attributes
    ----------
    code : str
        One of ``CAUTION_CODES``.
    result : int
    """

    code: str
    result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardInputs:
    """Everything that a study of one board rests on.

    Attributes
    ----------
    collection : str
        Slug of the collection.
    measure : MeasureFacts
    rows : tuple of BoardRow
        Every listed row, best first.
    n_topics : int or None
        Topics that a mean is over; None where nobody knows.
    n_topics_at_least : int or None
        A proven lower bound, where ``n_topics`` is None.
    task : str
        "known-item" where every topic has one right answer, else "ad-hoc" or blank.
    relevant_per_topic : float or None
        Relevant documents, on average; None where nobody knows.
    is_zero_shot : bool
        Whether the suite is meant for systems that were not trained on it: training declared is a caution then,
        and a fact of the row elsewhere.
    topic_scores : TopicScoresInput or None
        Complete vectors of comparable rows.
    variances : tuple of KnownVariance
        What was measured elsewhere, best first.
    elsewhere : Elsewhere or None
        Where the scores ``elsewhere`` of the rows are from.
    references : tuple of ReferenceFactors
    cleared : tuple of ClearedCaution
    """

    collection: str
    measure: MeasureFacts
    rows: tuple[BoardRow, ...]
    n_topics: int | None = None
    n_topics_at_least: int | None = None
    task: str = ""
    relevant_per_topic: float | None = None
    is_zero_shot: bool = False
    topic_scores: TopicScoresInput | None = None
    variances: tuple[KnownVariance, ...] = ()
    elsewhere: Elsewhere | None = None
    references: tuple[ReferenceFactors, ...] = ()
    cleared: tuple[ClearedCaution, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Who may be the best, and how many attempts each counted result stands for.

    Attributes
    ----------
    role, run_type, provenance : str
        Only rows that have these may be the best; the others were tried all the same, so the number of tries stays.
        Blank: no limit.
    counted_roles : tuple of str
        Whose results Carterette's analysis counts; empty: all original ones.
    n_multiplier : int
        Attempts, published or not, that each counted result stands for there.
    """

    role: str = ""
    run_type: str = ""
    provenance: str = ""
    counted_roles: tuple[str, ...] = field(default=())
    n_multiplier: int = 1

    @property
    def is_default(self) -> bool:
        """Whether it asks what a stored analysis answers."""
        return self == Question()

    @property
    def has_filters(self) -> bool:
        """Whether only some rows may be the best."""
        return bool(self.role or self.run_type or self.provenance)
