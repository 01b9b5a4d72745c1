"""The inputs of a study of one leaderboard: rows, topics, what is known of variances, what other boards say.

Plain frozen values, readable from JSON (:func:`analysis.boards.read_snapshot`), so that a study can be done again
without the site that asked for it.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from analysis.boards._findings import Evidence, ViewName
from analysis.boards._plain import CAME_LATER
from analysis.errors import ArgumentError
from analysis.scores import MeasureNature, ScoreMatrix, measure_nature
from analysis.scores._matrix import check_matrix

#: Where a residual variance was seen; snapshots of earlier methods know others than a matrix of this collection.
VarianceKind = Literal["own-topics", "own-variance", "transferred", "predicted"]

#: What all statements about a system's training on a collection come to; blank where that was not recorded.
TrainingWord = Literal["", "declares", "declares_none", "not_listed", "says_nothing", "nothing_to_train"]

#: The view beside "all" that a row is in, by what is said of its training.
VIEWS: dict[str, ViewName] = {
    "declares": "trained-here",
    "declares_none": "declared-none",
    "not_listed": "declared-none",
    "nothing_to_train": "declared-none",
    "yes": "trained-here",
    "no": "declared-none",
}


#: Roles of original results: somebody tried a system. Other rows (reference implementations) may be the best too.
ORIGINAL_ROLES = ("trec_run", "leaderboard", "proposed", "baseline")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureFacts:
    """The measure of a board."""

    name: Annotated[str, "ir-measures name, as ``AP`` or ``nDCG@10``."]
    low: Annotated[float | None, "Ends of its range; None where it has none."] = 0.0
    high: Annotated[float | None, "Ends of its range; None where it has none."] = 1.0
    higher_is_better: Annotated[bool, "Direction of the measure."] = True
    decimals: Annotated[int, "Digits after the point that tables show."] = 4
    own_nature: Annotated[MeasureNature | None, "What it is; None where name, range and direction say that."] = field(
        default=None, metadata=CAME_LATER
    )

    def __post_init__(self) -> None:
        # Snapshots are known by what is in them: what the other fields say already must not change their names.
        if self.own_nature is not None and self.own_nature == self._said:
            object.__setattr__(self, "own_nature", None)

    @property
    def nature(self) -> MeasureNature:
        """Return what it is: as recorded, else as the other fields say."""
        return self.own_nature or self._said

    @property
    def _said(self) -> MeasureNature:
        if not self.name:
            return MeasureNature()
        return measure_nature(self.name, low=self.low, higher_is_better=self.higher_is_better)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedElsewhere:
    """A score of a system on another dataset of the suite that is flagged there."""

    dataset: Annotated[str, "As ``Elsewhere.datasets`` has it."]
    score: Annotated[float, "There, in the unit of the measure."]
    z: Annotated[float | None, "Prediction errors above ``predicted``; None of what something else flags."] = None
    predicted: Annotated[float | None, "What the system's other scores predict."] = None
    code: Annotated[
        Literal["outlier-elsewhere", "stands-apart", "contradicts-linked"],
        "What flags it: its system's other scores, its distance from all others there, or a linked board.",
    ] = field(default="outlier-elsewhere", metadata=CAME_LATER)


@dataclass(slots=True, kw_only=True)  # Frozen ones take four times as long to make, and boards have hundreds.
class BoardRow:
    """One result on a board; nobody changes it."""

    id: Annotated[int, "Known by it in findings."]
    system: Annotated[str, "Who; for people. Lineage decides what is one family, not these."]
    printed: Annotated[str, "The score as printed."]
    value: Annotated[float, "The score, in the unit of the measure."]
    unit: Annotated[str, 'Of what is printed, where that is not the measure\'s: "percent".'] = ""
    team: Annotated[str, "Who; for people. Lineage decides what is one family, not these."] = ""
    year: Annotated[int | None, "When it was published; None where nobody says."] = None
    role: Annotated[str, '"trec_run", "leaderboard", "proposed", "baseline" or "reference_implementation".'] = (
        "leaderboard"
    )
    run_type: Annotated[str, '"automatic", "manual" or blank.'] = ""
    provenance: Annotated[str, 'How the score came to be recorded: "transcribed", "double_checked", …'] = "transcribed"
    comparability: Annotated[
        str, '"standard", or how it departs from the board\'s setting; then it is shown and does not compete.'
    ] = "standard"
    replicate_of: Annotated[
        int | None, "Id of the row that this is another execution of; together they are one row, their mean."
    ] = None
    lineage: Annotated[
        tuple[str, ...],
        'Keys such as "team:baidu nlp", "paper:an address", "model:qwen3-embedding", "toolkit:anserini": rows'
        " that share one are of one family, and so on from row to row.",
    ] = ()
    is_self_reported: Annotated[bool, "Whether nobody but the maker ran it."] = False
    declared_training: Annotated[
        Literal["yes", "no", "unknown"],
        "Whether a source says that it was trained on this collection; no: none says so, and its maker says no or the"
        " list of the mteb package leaves it out.",
    ] = "unknown"
    training: Annotated[
        TrainingWord,
        "What all statements about its training on this collection come to; blank where that was not recorded.",
    ] = field(default="", metadata=CAME_LATER)
    training_split: Annotated[
        str, "Of the data that it was trained on, where that is declared: train, unspecified …"
    ] = field(default="", metadata=CAME_LATER)
    flagged_on: Annotated[
        tuple[str, ...], "Names of the members of a mean on which a caution holds back the score of this system."
    ] = field(default=(), metadata=CAME_LATER)
    elsewhere: Annotated[
        tuple[float | None, ...],
        "Scores of the same system on ``BoardInputs.elsewhere.datasets``, in their order; empty where it has none.",
    ] = ()
    flagged_elsewhere: Annotated[
        tuple[FlaggedElsewhere, ...], "On which others of these datasets a score of its system is flagged."
    ] = field(default=(), metadata=CAME_LATER)
    linked: Annotated[
        tuple[float | None, ...],
        "Scores of the same system on ``BoardInputs.linked``, in their order; empty where it has none.",
    ] = field(default=(), metadata=CAME_LATER)
    unjudged: Annotated[
        float | None, "Share of its first ten documents that nobody judged, where its source prints it."
    ] = field(default=None, metadata=CAME_LATER)
    n_tries: Annotated[int | None, "Of how many tries it is the best, where its source says so."] = field(
        default=None, metadata=CAME_LATER
    )

    @property
    def is_original(self) -> bool:
        """Return whether somebody tried a system, rather than a toolkit running a known one."""
        return self.role in ORIGINAL_ROLES

    @property
    def view(self) -> ViewName | None:
        """The view beside "all" that it is in; None where nothing is said of its training."""
        return VIEWS.get(self.training or self.declared_training)

    @property
    def is_counted(self) -> bool:
        """Return whether it is one of the counted results of Carterette's analysis: original, comparable, counted
        once."""
        return self.is_original and self.is_comparable and self.replicate_of is None

    @property
    def is_comparable(self) -> bool:
        """Return whether it was measured in the setting of the board."""
        return self.comparability == "standard"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicScoresInput:
    """The topic scores that entered, by digest; the vectors themselves stand beside the inputs."""

    results: Annotated[tuple[int, ...], "Ids of the rows, in the order of the matrix."]
    n_topics: Annotated[int, "Number of topics."]
    sha256: Annotated[str, "Of the matrix as little-endian doubles, systems × topics, row by row."]

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "TopicScoresInput":
        """Return the topic scores of a study, by digest.

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
        >>> digest = TopicScoresInput.of(matrix)
        >>> digest.results, digest.n_topics, digest.sha256[:8]
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
    """A residual variance that was measured elsewhere."""

    kind: Annotated[VarianceKind, "Where it was seen."]
    value: Annotated[
        float,
        "Per topic, squared unit of the measure, above 0; weighted by families where the matrix names its makers.",
    ]
    degrees_of_freedom: Annotated[float, "By the rules of evidence, :mod:`analysis.boards._evidence`."]
    sources: Annotated[tuple[str, ...], "What it was measured on, for people."]
    n_systems: Annotated[int | None, 'Of the matrix, for "own-variance".'] = None
    n_topics: Annotated[int | None, 'Of the matrix, for "own-variance".'] = None
    n_makers: Annotated[int | None, "Whose systems are in the matrix; None where they have no names."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevantDocuments:
    """The number of documents relevant to a topic, as the measure counts them."""

    mean: Annotated[float, "Over topics, above 0."]
    share_with_one: Annotated[float | None, "Of topics, with exactly one; None where nobody knows."] = None
    known_from: Annotated[str, 'How that is known, for people, as "judgements".'] = ""
    is_of_siblings: Annotated[bool, "Whether it is the geometric mean of other collections of the same track."] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicGroups:
    """That topics come in groups, of which only each is a draw of its own."""

    kind: Annotated[
        Literal["conversation", "need"], "What makes a group: turns of one conversation, wordings of one need."
    ]
    n_groups: Annotated[int | None, "How many; None where nobody knows."] = None
    of_topics: Annotated[
        tuple[str, ...], "The group of each topic, in the order of the topic scores; empty without these."
    ] = ()

    @property
    def widening(self) -> float:
        """Return how many times the residual variance a set from means takes: turns are no independent draws."""
        return 1.0 if self.kind == "need" else _OF_TURNS

    @property
    def in_words(self) -> str:
        """Return what is counted: “turns of 19 conversations”."""
        many = "" if self.n_groups is None else f"{self.n_groups:,} "
        return f"wordings of {many}needs" if self.kind == "need" else f"turns of {many}conversations"


#: Of pairs on CAsT 2021 the mean was 1.13, and nine in ten were below 1.5.
_OF_TURNS = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMember:
    """A collection whose mean is averaged with those of others, with what its verdict rests on."""

    collection: Annotated[str, "Slug."]
    name: Annotated[str, "For people."]
    snapshot: Annotated[str, "Id of the snapshot of its leaderboard that everything here was taken from."]
    n_topics: Annotated[int | None, "That its means are over, else a proven lower bound; None where neither is known."]
    evidence: Annotated[Evidence, "How its scores vary between topics, as its verdict has it."]
    task: Annotated[
        str, "What it shares with members of one task, as languages or lengths of it; blank where it is its own."
    ] = field(default="", metadata=CAME_LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The datasets that the scores of the same systems elsewhere were taken from: fixed, dated, printed."""

    name: Annotated[str, "Of the suite, for people."]
    datasets: Annotated[tuple[str, ...], "Slugs of the other collections."]
    as_of: Annotated[str, "The day of the scores, as YYYY-MM-DD."]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedBoard:
    """A board under the same measure whose collection shares topics or documents with this one's."""

    collection: Annotated[str, "Slug."]
    name: Annotated[str, "Of the collection, for people."]
    kind: Annotated[
        Literal["fewer-documents", "new-version", "other-topics", "new-judgements"],
        "What the second of the two is of the first, which is the larger or older.",
    ]
    is_first: Annotated[bool, "Whether it is the first of the two."]
    has_same_topics: Annotated[bool, "Whether both have the same number of topics."] = False
    is_judged_by_model: Annotated[bool, "Whether a language model alone judged it."] = field(
        default=False, metadata=CAME_LATER
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFactors:
    """A frozen set of reference systems that rows are standardized against."""

    basis: Annotated[Literal["published-means", "topic-scores"], "What they were computed from."]
    name: Annotated[str, "For people."]
    n_systems: Annotated[int, "Number of reference systems."]
    frozen: Annotated[str, "The day, as YYYY-MM-DD."]
    means: Annotated[tuple[float, ...], "Published means of the systems, for the first basis."] = ()
    topics: Annotated[tuple[str, ...], "Labels of the topics, for the second."] = ()
    topic_means: Annotated[tuple[float, ...], "Mean and standard deviation of the systems on each topic."] = ()
    topic_sds: Annotated[tuple[float, ...], "Mean and standard deviation of the systems on each topic."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearedCaution:
    """A caution that a curator looked into and cleared: it is not given again for this row."""

    code: Annotated[str, "One of ``CAUTION_CODES``."]
    result: Annotated[int, "Which row, by its id."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardInputs:
    """Everything that a study of one board rests on."""

    collection: Annotated[str, "Slug of the collection."]
    name: Annotated[str, "Of the collection, for people; blank where it was not recorded."] = field(
        default="", metadata=CAME_LATER
    )
    measure: MeasureFacts
    rows: Annotated[tuple[BoardRow, ...], "Every listed row, best first."]
    n_topics: Annotated[int | None, "Topics that a mean is over; None where nobody knows."] = None
    n_topics_at_least: Annotated[int | None, "A proven lower bound, where ``n_topics`` is None."] = None
    task: Annotated[str, '"known-item" where every topic has one right answer, else "ad-hoc" or blank.'] = ""
    relevant: Annotated[RelevantDocuments | None, "None where nobody knows how many are relevant."] = None
    members: Annotated[
        tuple[SuiteMember, ...] | None,
        "Of a board whose scores are means over collections: these, as far as they are known. None of others.",
    ] = None
    is_zero_shot: Annotated[
        bool,
        "Whether the suite is meant for systems that were not trained on it: the verdict is on those that declare none "
        "then, and on all elsewhere.",
    ] = False
    topic_scores: Annotated[TopicScoresInput | None, "Complete vectors of comparable rows."] = None
    topic_groups: Annotated[TopicGroups | None, "Where topics come in groups; None where each is by itself."] = field(
        default=None, metadata=CAME_LATER
    )
    variances: Annotated[tuple[KnownVariance, ...], "What was measured elsewhere, best first."] = ()
    elsewhere: Annotated[Elsewhere | None, "Where the scores ``elsewhere`` of the rows are from."] = None
    linked: Annotated[tuple[LinkedBoard, ...], "Where the scores ``linked`` of the rows are from."] = field(
        default=(), metadata=CAME_LATER
    )
    references: tuple[ReferenceFactors, ...] = ()
    cleared: tuple[ClearedCaution, ...] = ()
    is_doubtful: Annotated[
        bool,
        "Whether a third of the scores or more are doubtful, and lie apart from the others by more than the margin:"
        " then nothing is said of the best.",
    ] = field(default=False, metadata=CAME_LATER)
    is_judged_by_model: Annotated[
        bool, "Whether a language model alone judged the documents: then no leader is certified."
    ] = field(default=False, metadata=CAME_LATER)
    holders: Annotated[tuple[str, ...], "Keys of who holds a private test: “team:…”, as in ``lineage``."] = field(
        default=(), metadata=CAME_LATER
    )

    @property
    def executions(self) -> dict[int, list[BoardRow]]:
        """The comparable rows, those of one system together under the id of its first execution."""
        comparable = [row for row in self.rows if row.is_comparable]
        ids = {row.id for row in comparable}
        by_system: dict[int, list[BoardRow]] = {}
        for row in comparable:
            first = row.id if row.replicate_of is None or row.replicate_of not in ids else row.replicate_of
            by_system.setdefault(first, []).append(row)
        return by_system

    @property
    def means(self) -> dict[int, float]:
        """The scores that systems compete with, by the same id: the mean of their executions."""
        if all(row.replicate_of is None for row in self.rows):
            return {row.id: row.value for row in self.rows if row.is_comparable}
        return {
            first: group[0].value if len(group) == 1 else float(np.mean([execution.value for execution in group]))
            for first, group in self.executions.items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a board: who may be the best, and how many tries nobody listed."""

    role: Annotated[
        str, "Only rows in this role may be the best; the others were tried all the same. Blank: no limit."
    ] = ""
    run_type: Annotated[str, "The same of the kind of run."] = ""
    provenance: Annotated[str, "The same of how they came to be recorded."] = ""
    counted_roles: Annotated[
        tuple[str, ...], "Whose results Carterette's analysis counts; empty: all original ones."
    ] = field(default=())
    n_multiplier: Annotated[int, "Attempts, published or not, that each counted result stands for there."] = 1
    training: Annotated[
        Literal["", "all", "declared-none", "trained-here"],
        "Only rows of this view of training may be the best; the others were tried all the same. Blank: that of the"
        " board, which :func:`study` says.",
    ] = ""
    only: Annotated[
        tuple[int, ...] | None,
        "Ids of the only rows that may be the best, chosen by what else is known. None: no limit.",
    ] = None

    n_tries: Annotated[
        int,
        "Tries behind each row, of which it is the best, that the value allows for; beyond 1, a row that says its own"
        " has those.",
    ] = 1
    tries_share: Annotated[float, "Share of the residual variance by which tries of one row differ, 0 to 1."] = 0.2
    looks: Annotated[
        Literal["", "weekly"],
        'How the set is read: "weekly" while rows are added, which widens a set from means; blank: once.',
    ] = ""

    @property
    def is_default(self) -> bool:
        """Return whether it asks what a stored analysis answers."""
        return self == Question()

    @property
    def has_filters(self) -> bool:
        """Return whether only some rows may be the best."""
        return bool(self.role or self.run_type or self.provenance) or self.only is not None
