"""Systems x topics scores, labelled and aligned: the one way into every statistic that needs topics.

Topics may come in groups, as turns of one conversation or wordings of one need: only groups are independent then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis._validation import FloatArray, check_choice, check_instance, check_labels, check_score_array
from analysis.errors import ArgumentError

MissingTopics = Literal["refuse", "intersect", "zero"]

_POLICIES = ("refuse", "intersect", "zero")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """The scores of several systems on the same topics.

    Parameters
    ----------
    systems : sequence of str
        Labels of the rows, all different.
    topics : sequence of str
        Labels of the columns, all different.
    scores : array_like of float, shape (n_systems, n_topics)
        Finite scores in the unit of the measure. At least one system and two topics. Copied and made read-only.
    missing : {"refuse", "intersect", "zero"}, default "refuse"
        How topics that some systems lacked were treated before this matrix was made; kept so that it can be shown.
    dropped_topics : sequence of str, default ()
        Topics left out by ``missing="intersect"``.

    Raises
    ------
    ArgumentError
        If a label is repeated or counts don't fit, or a score is not finite.

    Examples
    --------
    >>> matrix = ScoreMatrix(["a", "b"], ["301", "302", "303"], [[0.1, 0.2, 0.3], [0.3, 0.2, 0.7]])
    >>> matrix.means.round(3)
    array([0.2, 0.4])
    >>> matrix.select(["b"]).scores.tolist()
    [[0.3, 0.2, 0.7]]
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    scores: FloatArray
    missing: MissingTopics = "refuse"
    dropped_topics: tuple[str, ...] = field(default=())

    def __init__(
        self,
        systems: Sequence[str],
        topics: Sequence[str],
        scores: ArrayLike,
        *,
        missing: MissingTopics = "refuse",
        dropped_topics: Sequence[str] = (),
    ) -> None:
        array = check_score_array(scores)
        for labels, argument, size in ((systems, "systems", array.shape[0]), (topics, "topics", array.shape[1])):
            if len(set(check_labels(labels, argument, size))) != size:
                repeated = sorted({label for label in labels if list(labels).count(label) > 1})
                raise ArgumentError(argument, repeated, "must all be different")
        check_choice(missing, "missing", _POLICIES)
        dropped = check_labels(dropped_topics, "dropped_topics")
        array.setflags(write=False)
        object.__setattr__(self, "systems", tuple(systems))
        object.__setattr__(self, "topics", tuple(topics))
        object.__setattr__(self, "scores", array)
        object.__setattr__(self, "missing", missing)
        object.__setattr__(self, "dropped_topics", dropped)

    @classmethod
    def from_topic_scores(
        cls, topic_scores: Mapping[str, Mapping[str, float]], *, missing: MissingTopics = "refuse"
    ) -> "ScoreMatrix":
        """Return the matrix of {system: {topic: score}}, with topics in order of first appearance.

        Parameters
        ----------
        topic_scores : mapping of str to mapping of str to float
            Scores of each system by topic.
        missing : {"refuse", "intersect", "zero"}, default "refuse"
            What to do when systems don't cover the same topics: refuse, keep the topics that all of them cover, or
            count a missing topic as 0 (trec_eval's ``-c``). Means over different topics are never compared.

        Raises
        ------
        ArgumentError
            If there is no system, systems differ in topics under "refuse", or fewer than two topics are common.
        """
        check_choice(missing, "missing", _POLICIES)
        rows_are_mappings = isinstance(topic_scores, Mapping) and all(
            isinstance(by_topic, Mapping) for by_topic in topic_scores.values()
        )
        if not rows_are_mappings or not topic_scores:
            raise ArgumentError("topic_scores", topic_scores, "must map at least one system to its scores by topic")
        every = list(dict.fromkeys(topic for by_topic in topic_scores.values() for topic in by_topic))
        common = [topic for topic in every if all(topic in by_topic for by_topic in topic_scores.values())]
        dropped: list[str] = []
        if len(common) < len(every):
            if missing == "refuse":
                system, topic = next(
                    (name, topic) for name, by_topic in topic_scores.items() for topic in every if topic not in by_topic
                )
                raise ArgumentError(
                    "topic_scores",
                    {system: topic},
                    f"must cover the same topics for every system, but {system!r} lacks {topic!r}"
                    " (choose missing='intersect' or missing='zero')",
                )
            if missing == "intersect":
                kept = set(common)
                dropped = [topic for topic in every if topic not in kept]
                every = common
        rows = [[by_topic.get(topic, 0.0) for topic in every] for by_topic in topic_scores.values()]
        array = check_score_array(rows, "topic_scores")
        return cls(list(topic_scores), every, array, missing=missing, dropped_topics=dropped)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        system: str | None = None,
        topic: str | None = None,
        score: str | None = None,
        missing: MissingTopics = "refuse",
    ) -> "ScoreMatrix":
        """Return the matrix of a frame of pandas, with the names that it has.

        Parameters
        ----------
        frame : pandas.DataFrame
            A column for each system, indexed by topic; or a row for each score, where the three columns are named.
        system, topic, score : str, optional
            The columns that say whose a score is, on which topic, and the score; all three or none.
        missing : {"refuse", "intersect", "zero"}, default "refuse"
            What to do with absent scores (NaN, or no row), as in :meth:`from_topic_scores`.

        Raises
        ------
        ArgumentError
            If it is no frame, lacks a column, or has a topic, a system, or a score of both twice; or as
            :meth:`from_topic_scores`.
        """
        names = {"system": system, "topic": topic, "score": score}
        cells = frame_rows(frame, names, may_be_wide=True)
        if not any(names.values()):
            rows = zip(frame.index, frame.to_numpy(dtype=float).tolist(), strict=True)
            cells = [
                (str(name), str(on), value) for on, row in rows for name, value in zip(frame.columns, row, strict=True)
            ]
        by_system: dict[str, dict[str, float]] = {}
        seen = set()
        for whose, on, value in cells:
            if (whose, on) in seen:
                raise ArgumentError("frame", (whose, on), "must have one score for each system and topic")
            seen.add((whose, on))
            by_topic = by_system.setdefault(whose, {})
            if not np.isnan(value):
                by_topic[on] = value
        return cls.from_topic_scores(by_system, missing=missing)

    @property
    def n_systems(self) -> int:
        """Return number of rows."""
        return len(self.systems)

    @property
    def n_topics(self) -> int:
        """Return number of columns."""
        return len(self.topics)

    @property
    def means(self) -> FloatArray:
        """Mean score of each system over the topics, shape (n_systems,)."""
        means: FloatArray = self.scores.mean(axis=1)
        return means

    def select(self, systems: Sequence[str]) -> "ScoreMatrix":
        """Return the matrix of the named systems, in the order given.

        Parameters
        ----------
        systems : sequence of str
            Some of ``systems``, at least one, each once.

        Raises
        ------
        ArgumentError
            If a system is unknown or named twice, or none is named.
        """
        position = {system: row for row, system in enumerate(self.systems)}
        unknown = [system for system in check_labels(systems, "systems") if system not in position]
        if unknown or not systems:
            raise ArgumentError("systems", unknown or systems, f"must be among {', '.join(self.systems)[:200]}")
        rows = np.array([position[system] for system in systems])
        return replace(self, systems=tuple(systems), scores=self.scores[rows])


def frame_rows(frame: Any, names: Mapping[str, Any], *, may_be_wide: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows of a frame in the columns of these names, labels and a score; none where no column is named."""
    if not all(hasattr(frame, name) for name in ("columns", "index", "to_numpy")):
        raise ArgumentError("frame", frame, "must be a pandas DataFrame")
    for argument, name in names.items():
        if not ((may_be_wide and name is None) or isinstance(name, str)):
            raise ArgumentError(argument, name, "must be the name of a column")
    if not any(name is not None for name in names.values()):
        return []
    if unknown := [name for name in names.values() if name not in frame.columns]:
        raise ArgumentError("frame", list(frame.columns), f"must have columns of {', '.join(names)}; lacks {unknown}")
    rows = frame[list(names.values())].to_numpy().tolist()
    return [(*map(str, labels), float(score)) for *labels, score in rows]


def group_sums(rows: FloatArray, groups: NDArray[np.intp]) -> FloatArray:
    """Return sums of the rows of each group; groups are numbered from 0."""
    sums = np.zeros((int(groups.max(initial=-1)) + 1, *rows.shape[1:]))
    np.add.at(sums, groups, rows)
    return sums


def check_matrix(matrix: Any, argument: str = "matrix", *, n_systems: int = 2) -> ScoreMatrix:
    """Return a :class:`ScoreMatrix` of at least so many systems."""
    checked = check_instance(matrix, argument, ScoreMatrix)
    if checked.n_systems < n_systems:
        raise ArgumentError(argument, checked.systems, f"must hold at least {n_systems} systems")
    return checked


class IndependentScores(NamedTuple):
    """Scores whose columns are independent, and how many columns of equal weight they are worth."""

    matrix: ScoreMatrix
    n: float


def independent_scores(matrix: ScoreMatrix, topic_groups: Sequence[str] | None) -> IndependentScores:
    """Return the scores of a matrix with a column for each group of topics, as :func:`independent_columns` has them;
    the matrix itself without groups."""
    check_matrix(matrix)
    if topic_groups is None:
        return IndependentScores(matrix, float(matrix.n_topics))
    names, columns, n = independent_columns(matrix.scores, topic_groups)
    return IndependentScores(ScoreMatrix(matrix.systems, names, columns), n)


def independent_columns(scores: FloatArray, topic_groups: Sequence[str]) -> tuple[list[str], FloatArray, float]:
    """Return the groups of topics, scores with a column for each, with the same means, and how many these are worth.

    Parameters
    ----------
    scores : ndarray, shape (n_systems, n_topics)
    topic_groups : sequence of str
        The group of each topic; at least two different ones.

    Returns
    -------
    names : list of str
    columns : ndarray, shape (n_systems, n_groups)
        With G groups of n topics, the value of a system in a group is its mean plus G / n times the sum, over the
        topics of the group, of what its scores there differ from its mean.
    n : float
        n² / sum n_c², n_c the topics of a group: G if they are equally large.

    Raises
    ------
    ArgumentError
        If labels don't fit, or all topics are of one group.

    Notes
    -----
    The variance of the difference of two systems over the columns, divided by G, is the cluster-robust one of their
    means, G / (G - 1) sum_c (sum_{t in c} e_t)² / n², e their difference less its mean. So what is computed from the
    columns as from topics allows for the groups; degrees of freedom are those of ``n`` columns.

    References
    ----------
    Liang & Zeger (1986), "Longitudinal data analysis using generalized linear models", Biometrika 73,
    doi:10.1093/biomet/73.1.13.
    """
    labels = check_labels(topic_groups, "topic_groups", scores.shape[1])
    names, group_of = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ArgumentError("topic_groups", labels[:3], "must name at least two different groups")
    means = scores.mean(axis=1, keepdims=True)
    sizes = np.bincount(group_of)
    columns: FloatArray = means + len(names) / scores.shape[1] * group_sums((scores - means).T, group_of).T
    return [str(name) for name in names], columns, n_of_equal_size(sizes)


def n_of_equal_size(sizes: NDArray[np.intp]) -> float:
    """Return how many groups of equal size groups of these sizes are worth."""
    return float(sizes.sum() ** 2 / (sizes**2).sum())
