"""Scores of several instances (executions, seeds) of algorithms on topics: what non-deterministic systems leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis._validation import FloatArray, as_array, check_instance, check_label, check_labels, check_vector
from analysis.errors import ArgumentError
from analysis.scores._matrix import ScoreMatrix, check_matrix, frame_rows


@dataclass(frozen=True, slots=True, eq=False)
class InstanceScores:
    """The scores of instances of algorithms on topics, one row an instance; cells may be absent.

    Parameters
    ----------
    algorithm, instance, topic : sequence of str, shape (n_scores,)
        Labels of each score. Instance "1" of one algorithm has nothing to do with instance "1" of another.
    score : array_like of float, shape (n_scores,)
        Finite scores in the unit of the measure.
    deterministic : sequence of str, default ()
        Algorithms that give the same scores whenever they run. They need one instance; several must agree and count
        as one.

    Attributes
    ----------
    algorithms, topics : tuple of str
        Labels, in order of first appearance.
    instances : tuple of (str, str)
        (algorithm, instance) of each row.
    scores : ndarray of float, shape (n_instances, n_topics)
        The scores; 0 where absent, see ``present``. Read-only.
    present : ndarray of bool, shape (n_instances, n_topics)
        Which cells hold a score. Read-only.
    deterministic : tuple of str
        As given.

    Raises
    ------
    ArgumentError
        If the lengths differ, a cell is given twice, there are fewer than two topics, an algorithm that is not named
        in ``deterministic`` has a single instance, or one that is named has instances that differ.

    Examples
    --------
    >>> executions = InstanceScores.from_array([[[0.1, 0.2, 0.3], [0.2, 0.2, 0.4]], [[0.3, 0.1, 0.4], [0.3, 0.2, 0.4]]])
    >>> executions.n_instances_of("A"), executions.n_topics, executions.n_absent
    (2, 3, 0)
    """

    algorithms: tuple[str, ...]
    topics: tuple[str, ...]
    instances: tuple[tuple[str, str], ...]
    scores: FloatArray
    present: NDArray[np.bool_]
    deterministic: tuple[str, ...]

    def __init__(
        self,
        algorithm: Sequence[str],
        instance: Sequence[str],
        topic: Sequence[str],
        score: ArrayLike,
        *,
        deterministic: Sequence[str] = (),
    ) -> None:
        values = check_vector(score, "score")
        size = len(check_labels(algorithm, "algorithm"))
        for labels, argument in ((instance, "instance"), (topic, "topic")):
            check_labels(labels, argument, size)
        if values.size != size:
            raise ArgumentError("score", values.size, f"must hold {size} numbers, one for each label")
        algorithms, topics = tuple(dict.fromkeys(algorithm)), tuple(dict.fromkeys(topic))
        if len(topics) < 2:
            raise ArgumentError("topic", topics, "must name at least two topics")
        fixed = _check_deterministic(deterministic, algorithms)
        instances = tuple(dict.fromkeys(zip(algorithm, instance, strict=True)))
        row = {label: position for position, label in enumerate(instances)}
        column = {label: position for position, label in enumerate(topics)}
        rows = np.array([row[label] for label in zip(algorithm, instance, strict=True)])
        columns = np.array([column[label] for label in topic])
        cells = rows * len(topics) + columns
        if np.unique(cells).size < cells.size:
            first = int(np.flatnonzero(np.bincount(cells) > 1)[0])
            repeated = (*instances[first // len(topics)], topics[first % len(topics)])
            raise ArgumentError("score", repeated, "must be given once for each algorithm, instance and topic")
        table = np.zeros((len(instances), len(topics)))
        present = np.zeros(table.shape, dtype=bool)
        table[rows, columns], present[rows, columns] = values, True
        self._set(algorithms, topics, instances, table, present, fixed)

    def _set(
        self,
        algorithms: tuple[str, ...],
        topics: tuple[str, ...],
        instances: tuple[tuple[str, str], ...],
        table: FloatArray,
        present: NDArray[np.bool_],
        deterministic: tuple[str, ...],
    ) -> None:
        owner = np.array([algorithms.index(name) for name, _ in instances])
        keep = np.ones(len(instances), dtype=bool)
        for code, name in enumerate(algorithms):
            rows = np.flatnonzero(owner == code)
            if name in deterministic:
                table[rows[0]], present[rows[0]] = _agreed(table[rows], present[rows], name)
                keep[rows[1:]] = False
            elif rows.size < 2:
                raise ArgumentError(
                    "algorithm",
                    name,
                    "must have at least two instances, or be named in deterministic: from one execution nobody can"
                    " tell how much executions differ",
                )
        table, present = table[keep], present[keep]
        table.setflags(write=False)
        present.setflags(write=False)
        object.__setattr__(self, "algorithms", algorithms)
        object.__setattr__(self, "topics", topics)
        object.__setattr__(self, "instances", tuple(label for label, kept in zip(instances, keep, strict=True) if kept))
        object.__setattr__(self, "scores", table)
        object.__setattr__(self, "present", present)
        object.__setattr__(self, "deterministic", deterministic)

    @classmethod
    def from_array(
        cls,
        scores: ArrayLike,
        *,
        algorithms: Sequence[str] | None = None,
        topics: Sequence[str] | None = None,
        deterministic: Sequence[str] = (),
    ) -> "InstanceScores":
        """Return the scores of a full (n_algorithms, n_instances, n_topics) array.

        Parameters
        ----------
        scores : array_like of float, shape (n_algorithms, n_instances, n_topics)
            Finite scores, in the unit of the measure.
        algorithms, topics : sequence of str, optional
            Labels; "A", "B", … and "1", "2", … by default.
        deterministic : sequence of str, default ()
            As in the class.

        Raises
        ------
        ArgumentError
            If the array is not three-dimensional, labels don't fit, or what the class refuses.
        """
        wanted = "must be an algorithms x instances x topics array"
        array = as_array(scores, "scores", wanted)
        if array.ndim != 3:
            raise ArgumentError("scores", scores, wanted)
        flat = check_vector(array.ravel(), "scores")
        n_algorithms, n_instances, n_topics = array.shape
        names = check_labels(_letters(n_algorithms) if algorithms is None else algorithms, "algorithms")
        labels = check_labels(list(map(str, range(1, n_topics + 1))) if topics is None else topics, "topics")
        for axis, argument, size in ((names, "algorithms", n_algorithms), (labels, "topics", n_topics)):
            if len(axis) != size or len(set(axis)) != size:
                raise ArgumentError(argument, axis, f"must be {size} different labels")
        if n_topics < 2:
            raise ArgumentError("scores", scores, "must hold at least two topics")
        self = object.__new__(cls)
        rows = tuple((name, str(number + 1)) for name in names for number in range(n_instances))
        table = flat.reshape(len(rows), n_topics)
        fixed = _check_deterministic(deterministic, names)
        self._set(names, labels, rows, table, np.ones(table.shape, dtype=bool), fixed)
        return self

    @classmethod
    def from_matrices(
        cls, matrices: Mapping[str, ScoreMatrix], *, deterministic: Sequence[str] = ()
    ) -> "InstanceScores":
        """Return the scores of {algorithm: matrix of its instances x topics}, topics aligned by label.

        Parameters
        ----------
        matrices : mapping of str to ScoreMatrix
            One for each algorithm; its systems are the instances. A topic that some lack stays, absent there.
        deterministic : sequence of str, default ()
            As in the class.

        Raises
        ------
        ArgumentError
            If there is no matrix, something else is among them, or what the class refuses.
        """
        if not isinstance(matrices, Mapping) or not matrices:
            raise ArgumentError("matrices", matrices, "must map at least one algorithm to its matrix")
        for matrix in matrices.values():
            check_matrix(matrix, "matrices", n_systems=1)
        long = [
            (algorithm, instance, topic, score)
            for algorithm, matrix in matrices.items()
            for instance, row in zip(matrix.systems, matrix.scores.tolist(), strict=True)
            for topic, score in zip(matrix.topics, row, strict=True)
        ]
        algorithm, instance, topic, score = zip(*long, strict=True)
        return cls(algorithm, instance, topic, score, deterministic=deterministic)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        algorithm: str = "algorithm",
        instance: str = "instance",
        topic: str = "topic",
        score: str = "score",
        deterministic: Sequence[str] = (),
    ) -> "InstanceScores":
        """Return the scores of a frame of pandas, with the names that it has.

        Parameters
        ----------
        frame : pandas.DataFrame
            A row for each score; a cell without a row, or of NaN, is absent.
        algorithm, instance, topic, score : str
            The columns that say whose a score is, of which execution, on which topic, and the score.
        deterministic : sequence of str, default ()
            As in the class.

        Raises
        ------
        ArgumentError
            If it is no frame, lacks a column or has no score; or what the class refuses.
        """
        names = {"algorithm": algorithm, "instance": instance, "topic": topic, "score": score}
        rows = [row for row in frame_rows(frame, names) if row[3] == row[3]]
        if not rows:
            raise ArgumentError("frame", frame, "must have a score")
        algorithms, instances, topics, scores = zip(*rows, strict=True)
        return cls(algorithms, instances, topics, scores, deterministic=deterministic)

    @property
    def n_topics(self) -> int:
        """Return number of topics."""
        return len(self.topics)

    @property
    def n_absent(self) -> int:
        """Return number of instance x topic cells without a score."""
        return int(self.present.size - self.present.sum())

    def n_instances_of(self, algorithm: str) -> int:
        """Return number of instances of the algorithm; 1 for a deterministic one.

        Parameters
        ----------
        algorithm : str
            One of ``algorithms``.

        Raises
        ------
        ArgumentError
            If there is no such algorithm.
        """
        return self.rows_of(algorithm).size

    def rows_of(self, algorithm: str) -> NDArray[np.intp]:
        """Return positions of the algorithm's instances among the rows of ``scores``.

        Parameters
        ----------
        algorithm : str
            One of ``algorithms``.

        Returns
        -------
        ndarray of int, shape (n_instances_of_it,)

        Raises
        ------
        ArgumentError
            If there is no such algorithm.
        """
        check_label(algorithm, "algorithm", self.algorithms)
        return np.array([row for row, (name, _) in enumerate(self.instances) if name == algorithm], dtype=np.intp)

    def select(self, algorithms: Sequence[str]) -> "InstanceScores":
        """Return the scores of the named algorithms alone, on the topics that at least one of them has.

        Parameters
        ----------
        algorithms : sequence of str
            Some of ``algorithms``, each once.

        Raises
        ------
        ArgumentError
            If an algorithm is unknown or named twice, or none is named.
        """
        names = [check_label(name, "algorithms", self.algorithms) for name in check_labels(algorithms, "algorithms")]
        if not names or len(set(names)) != len(names):
            raise ArgumentError("algorithms", algorithms, "must be different algorithms, at least one")
        rows = np.concatenate([self.rows_of(name) for name in algorithms])
        columns: NDArray[np.bool_] = np.any(self.present[rows], axis=0)
        return self._part(tuple(algorithms), rows, columns)

    def complete_topics(self) -> "InstanceScores":
        """Return the scores on those topics alone that every instance has.

        Raises
        ------
        ArgumentError
            If fewer than two topics are complete.
        """
        columns: NDArray[np.bool_] = np.all(self.present, axis=0)
        if columns.sum() < 2:
            raise ArgumentError("scores", self.topics, "must have at least two topics that every instance has")
        return self._part(self.algorithms, np.arange(len(self.instances)), columns)

    def with_scores(self, scores: ArrayLike) -> "InstanceScores":
        """Return other scores in the same cells.

        Parameters
        ----------
        scores : array_like of float, shape (n_instances, n_topics)
            Finite scores, in the unit of the measure; what stands where a cell is absent is ignored.

        Raises
        ------
        ArgumentError
            If the shape is another one or a number is not finite.
        """
        table = as_array(scores, "scores", "must hold numbers only, in rows of equal length", np.float64)
        if table.shape != self.scores.shape or not np.isfinite(table[self.present]).all():
            raise ArgumentError("scores", scores, f"must be finite numbers of shape {self.scores.shape}")
        other = object.__new__(InstanceScores)
        table[~self.present] = 0.0
        other._set(self.algorithms, self.topics, self.instances, table, self.present.copy(), self.deterministic)
        return other

    def _part(
        self, algorithms: tuple[str, ...], rows: NDArray[np.intp], columns: NDArray[np.bool_]
    ) -> "InstanceScores":
        part = object.__new__(InstanceScores)
        part._set(
            algorithms,
            tuple(topic for topic, kept in zip(self.topics, columns, strict=True) if kept),
            tuple(self.instances[row] for row in rows),
            self.scores[rows][:, columns],
            self.present[rows][:, columns],
            tuple(name for name in self.deterministic if name in algorithms),
        )
        return part


def select_pair(scores: InstanceScores, first: str, second: str) -> InstanceScores:
    """Return the scores of the two algorithms alone; refuses one compared with itself."""
    check_instance(scores, "scores", InstanceScores)
    check_label(first, "first", scores.algorithms)
    if check_label(second, "second", scores.algorithms) == first:
        raise ArgumentError("second", second, "must be another algorithm than first")
    return scores.select([first, second])


def _check_deterministic(deterministic: Sequence[str], algorithms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        check_label(name, "deterministic", algorithms) for name in check_labels(deterministic, "deterministic")
    )


def _agreed(table: FloatArray, present: NDArray[np.bool_], algorithm: str) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the one row that copies of a deterministic algorithm's scores stand for."""
    highest = np.where(present, table, -np.inf).max(axis=0)
    lowest = np.where(present, table, np.inf).min(axis=0)
    known: NDArray[np.bool_] = np.any(present, axis=0)
    if (highest[known] != lowest[known]).any():
        raise ArgumentError("deterministic", algorithm, "must name algorithms whose instances all have the same scores")
    return np.where(known, highest, 0.0), known


def _letters(count: int) -> list[str]:
    return [chr(ord("A") + number) if count <= 26 else f"A{number + 1}" for number in range(count)]
