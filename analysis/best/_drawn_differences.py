"""Normal errors of system means on shared topics, drawn; and the largest studentised differences among them.

For every system, sets and ranks need an upper quantile, over the draws, of the largest difference to any other system.
Forming all differences takes n_systems² x n_resamples steps. Most of them can't matter: in a draw, only systems with a
large error can be the rival that sets the largest difference, and of the draws, only the upper few percent set the
quantile. Bounds leave these out, and the quantile is the same.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from analysis._resampling import RandomSource, as_generator, chunks, gaussian_mean_draws
from analysis._validation import FloatArray

Floats = NDArray[np.float32]
Positions = NDArray[np.intp]

#: Up to this many rivals all differences are formed; finding out which matter would take as long.
_FEW = 96

#: How many systems a draw's shortlist holds, and how many rivals of the largest weight are compared in every draw.
_SHORTLIST, _HEAVY = 48, 32


class DrawnDifferences:
    """Draws of the sampling errors of system means, and the largest weighted differences from one system to others.

    The errors are normal with mean 0 and covariance cov(scores) / n_topics (:func:`gaussian_mean_draws`), in single
    precision: its error is 1e-6, that of 10,000 draws 2e-2. They take 4 n_systems n_resamples bytes. They are in the
    power of 2 above all scores as ``unit``, since single precision ends at 3e38.
    """

    def __init__(self, errors: Floats, unit: float = 1.0) -> None:
        self.errors, self.unit = errors, unit
        n_systems, n_resamples = errors.shape
        n_listed = _SHORTLIST if n_systems - 1 > _FEW else 0
        self._listed = np.empty((n_resamples, n_listed), dtype=np.intp)
        self._next: Floats = np.empty(n_resamples, dtype=np.float32)
        if n_listed:
            done = 0
            for step in chunks(n_resamples, n_systems):
                part = slice(done, done + step)
                draws = np.ascontiguousarray(errors[:, part].T)
                # The first of these is the best of those that are not on the list.
                best = np.argpartition(draws, n_systems - n_listed - 1, axis=1)[:, n_systems - n_listed - 1 :]
                self._next[part] = draws[np.arange(step), best[:, 0]]
                self._listed[part] = best[:, 1:]
                done += step
        self._listed_errors: Floats = errors[self._listed, np.arange(n_resamples)[:, None]]
        self._best: Floats = self._listed_errors.max(axis=1, initial=-np.inf)

    @classmethod
    def draw(cls, scores: FloatArray, n_resamples: int, rng: RandomSource) -> "DrawnDifferences":
        """Draw for the systems of a matrix, shape (n_systems, n_topics)."""
        n_systems, n_topics = scores.shape
        generator = as_generator(rng)
        # Less the topics' own means, which cancel in differences and would cost them digits.
        scores = scores - scores.mean(axis=0)
        unit = power_above(scores)
        errors: Floats = np.empty((n_systems, n_resamples), dtype=np.float32)
        done = 0
        for step in chunks(n_resamples, max(n_systems, n_topics)):
            errors[:, done : done + step] = gaussian_mean_draws(scores / unit, step, generator).T
            done += step
        return cls(errors, unit)

    def mirrored(self) -> "DrawnDifferences":
        """Return the same draws with the opposite sign: differences are from others to the system."""
        return DrawnDifferences(-self.errors, self.unit)

    def largest(
        self, row: int, weights: FloatArray, rank: int, offsets: FloatArray | None = None
    ) -> tuple[Floats, Positions]:
        """Return the ``rank`` largest values, over the draws, of max over j != row of (error_j - error_row) w_j + o_j.

        Parameters
        ----------
        row : int
            The system.
        weights : ndarray, shape (n_systems,)
            w, 0 or more.
        rank : int
            How many values: the last of them is an upper quantile.
        offsets : ndarray, shape (n_systems,), optional
            o, 0 or less; -inf leaves a system out. Default: 0.

        Returns
        -------
        values : ndarray, shape (rank,)
            Largest first; -inf where no system is left.
        draws : ndarray of int, shape (rank,)
            The draws that they stem from.
        """
        weight = (weights * self.unit).astype(np.float32)
        offset = np.zeros_like(weight) if offsets is None else offsets.astype(np.float32)
        offset[row] = -np.inf
        rivals = np.flatnonzero(offset > -np.inf)
        if rivals.size > _FEW:
            values = self._bounded(row, rivals, weight, offset, rank)
        elif rivals.size:
            values = self._against(row, rivals, weight, offset)
        else:
            values = np.full(self.errors.shape[1], -np.inf, dtype=np.float32)
        draws = np.argpartition(values, values.size - rank)[values.size - rank :]
        draws = draws[np.argsort(-values[draws], kind="stable")]
        return values[draws], draws

    def _against(
        self, row: int, rivals: Positions, weight: Floats, offset: Floats, draws: Positions | slice = slice(None)
    ) -> Floats:
        """Return the largest difference to one of the rivals, in each of the draws."""
        differences = self.errors[rivals] if isinstance(draws, slice) else self.errors[np.ix_(rivals, draws)]
        differences -= self.errors[row, draws]
        differences *= weight[rivals, None]
        differences += offset[rivals, None]
        largest: Floats = differences.max(axis=0)
        return largest

    def _bounded(self, row: int, rivals: Positions, weight: Floats, offset: Floats, rank: int) -> Floats:
        """Return as :meth:`_against` in the draws with the ``rank`` largest values, and no more than that in others."""
        by_weight = rivals[np.argpartition(weight[rivals], rivals.size - _HEAVY - 1)]
        heavy, heaviest = by_weight[-_HEAVY:], weight[by_weight[-_HEAVY - 1]]
        own = self.errors[row]
        values = self._against(row, heavy, weight, offset)
        # No rival is further ahead than the best of its draw, and none but the heavy ones weighs more.
        ceiling = np.maximum(values, heaviest * (self._best - own))
        beyond = heaviest * np.maximum(self._next - own, 0)
        n_draws, floor = values.size, np.float32(-np.inf)
        is_done = np.zeros(n_draws, dtype=np.bool_)
        waiting = np.argpartition(ceiling, max(0, n_draws - 2 * rank))[max(0, n_draws - 2 * rank) :]
        while waiting.size:
            listed = self._listed[waiting]
            differences = self._listed_errors[waiting] - own[waiting, None]
            differences *= weight[listed]
            differences += offset[listed]
            values[waiting] = np.maximum(values[waiting], differences.max(axis=1))
            unsure = waiting[beyond[waiting] > np.maximum(values[waiting], floor)]
            if unsure.size:
                values[unsure] = self._against(row, rivals, weight, offset, unsure)
            is_done[waiting] = True
            floor = np.partition(values, n_draws - rank)[n_draws - rank]
            waiting = np.flatnonzero(~is_done & (ceiling > floor))
        return values


def power_above(values: FloatArray) -> float:
    """Return the power of 2 just above the largest of the values: divided by it, they lie within ±1 and keep their
    digits."""
    return float(np.ldexp(1.0, np.frexp(np.abs(values).max())[1]))


def upper_value(largest: Iterable[tuple[Floats, Positions]], rank: int, n_resamples: int) -> float:
    """Return the ``rank``-th largest, over the draws, of the maximum of several differences.

    ``largest`` are answers of :meth:`DrawnDifferences.largest` for at least that rank: what is not among them is no
    larger than as many that are.
    """
    maxima = np.full(n_resamples, -np.inf, dtype=np.float32)
    for values, draws in largest:
        np.maximum.at(maxima, draws, values)
    return float(np.partition(maxima, n_resamples - rank)[n_resamples - rank])
