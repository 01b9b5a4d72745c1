"""Scores put on a scale that reference systems fix topic by topic, so that easy and hard topics count alike.

Historical standardization is the same with factors that were computed once, from a fixed reference set, and stored:
systems of any year are then measured against the same yardstick.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from scipy.special import ndtr

from analysis._validation import (
    FloatArray,
    check_choice,
    check_count,
    check_direction,
    check_instance,
    check_labels,
    check_vector,
    warn_if_all_agree,
)
from analysis.errors import ArgumentError
from analysis.results import Result
from analysis.scores import ScoreMatrix
from analysis.scores._matrix import check_matrix

Transform = Literal["z", "normal", "linear"]

#: The transforms of z, by name.
TRANSFORMS = ("z", "normal", "linear")
_LINEAR_SLOPE, _LINEAR_CENTRE = 0.15, 0.5  # A and B of Sakai (2016).


@dataclass(frozen=True, slots=True, eq=False)
class StandardizationFactors(Result):
    """The mean and the standard deviation of the reference systems on each topic; what a registry stores.

    Parameters
    ----------
    topics : sequence of str
        Labels of the topics, all different, at least two.
    means : array_like of float, shape (n_topics,)
        Mean score of the reference systems on each topic, in the unit of the measure.
    sds : array_like of float, shape (n_topics,)
        Standard deviation of the reference systems on each topic (ddof=1), in the unit of the measure; 0 where all
        of them scored alike.
    n_systems : int
        Number of reference systems, 2 or more.

    Raises
    ------
    ArgumentError
        If the lengths differ, a label is repeated, a number is not finite or an sd is negative.

    Examples
    --------
    >>> factors = StandardizationFactors(["301", "302"], [0.2, 0.5], [0.1, 0.0], 3)
    >>> factors.constant_topics
    ('302',)
    >>> StandardizationFactors.from_dict(factors.to_dict()).to_dict() == factors.to_dict()
    True
    """

    topics: tuple[str, ...]
    means: FloatArray
    sds: FloatArray
    n_systems: int

    def __post_init__(self) -> None:
        means = check_vector(self.means, "means", minimum=2)
        sds = check_vector(self.sds, "sds", minimum=2)
        topics = check_labels(self.topics, "topics")
        for array, argument in ((means, "means"), (sds, "sds")):
            if array.size != len(topics):
                raise ArgumentError(argument, array.size, f"must hold {len(topics)} numbers, one for each topic")
        if len(set(topics)) != len(topics):
            raise ArgumentError("topics", topics, "must all be different")
        if (sds < 0).any():
            raise ArgumentError("sds", self.sds, "must be 0 or more")
        for array in (means, sds):
            array.setflags(write=False)
        object.__setattr__(self, "topics", topics)
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "sds", sds)
        object.__setattr__(self, "n_systems", check_count(self.n_systems, "n_systems", minimum=2))

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "StandardizationFactors":
        """Return the factors that ``to_dict()`` stored.

        Parameters
        ----------
        stored : mapping
            What ``to_dict()`` made, or JSON made of it.

        Raises
        ------
        ArgumentError
            If a key is absent or the content could not have come from ``to_dict()``.
        """
        if not isinstance(stored, Mapping):
            raise ArgumentError("stored", stored, "must be what to_dict() made")
        absent = [name for name in ("topics", "means", "sds", "n_systems") if name not in stored]
        if absent:
            raise ArgumentError("stored", sorted(stored), f"must hold {', '.join(absent)}")
        try:
            return cls(stored["topics"], stored["means"], stored["sds"], stored["n_systems"])
        except ArgumentError as error:
            raise ArgumentError(f"stored.{error.argument}", error.value, error.reason) from error

    @property
    def constant_topics(self) -> tuple[str, ...]:
        """Return topics on which all reference systems scored alike: they can't tell systems apart, every z is 0."""
        return tuple(topic for topic, sd in zip(self.topics, self.sds, strict=True) if sd == 0)


@dataclass(frozen=True, slots=True, eq=False)
class StandardizedScores(Result):
    """Standardized scores of some systems."""

    matrix: Annotated[ScoreMatrix, "Standardized, with labels; says how topics that only one side had were treated."]
    means: Annotated[
        FloatArray,
        "ndarray of float, shape (n_systems,). Mean standardized score of each system, in the unit of the "
        'scale: standard deviations of the reference for "z", else 0 to 1.',
    ]
    transform: Annotated[str, '"z", "normal", "linear" or "empirical". The scale.']
    constant_topics: Annotated[tuple[str, ...], "Topics on which all reference systems scored alike: z is 0."]
    clipped_fraction: Annotated[float, "Fraction of the cells that the linear transform cut off at 0 or 1; else 0."]
    n_reference: Annotated[int, "Number of reference systems."]


def reference_factors(reference: ScoreMatrix) -> StandardizationFactors:
    """Return the standardization factors of a set of reference systems: mean and sd (ddof=1) of each topic.

    Parameters
    ----------
    reference : ScoreMatrix
        Reference systems x topics, at least two systems.

    Returns
    -------
    StandardizationFactors
        Frozen factors; ``to_dict()`` stores them and ``StandardizationFactors.from_dict`` reads them back.

    Raises
    ------
    ArgumentError
        If there are fewer than two reference systems.

    Warns
    -----
    DegenerateWarning
        If all reference systems have the same score on every topic.

    References
    ----------
    Webber, Moffat & Zobel, "Score standardization for inter-collection comparison of retrieval systems",
    SIGIR 2008, doi:10.1145/1390334.1390346.
    """
    check_matrix(reference, "reference")
    sds = reference.scores.std(axis=0, ddof=1)
    # The computed sd of equal numbers can be 1e-17, which would turn rounding into enormous z.
    sds[np.ptp(reference.scores, axis=0) == 0] = 0.0
    warn_if_all_agree(reference.scores)
    return StandardizationFactors(reference.topics, reference.scores.mean(axis=0), sds, reference.n_systems)


def standardize(
    matrix: ScoreMatrix,
    reference: StandardizationFactors | ScoreMatrix,
    *,
    transform: Literal["z", "normal", "linear", "empirical"] = "z",
    missing: Literal["refuse", "intersect"] = "refuse",
    higher_is_better: bool = True,
) -> StandardizedScores:
    """Return the scores on the scale of the reference systems: z = (score - topic mean) / topic sd, or a mapping of z.

    Parameters
    ----------
    matrix : ScoreMatrix
        Systems x topics to standardize, in the unit of the factors. May be the reference systems themselves.
    reference : StandardizationFactors or ScoreMatrix
        From :func:`reference_factors`, of today or stored long ago (historical standardization); or the scores of the
        reference systems themselves, at least two, which "empirical" needs.
    transform : {"z", "normal", "linear", "empirical"}, default "z"
        "z" as it is; "normal" the normal distribution function of z, in 0 to 1 (N); "linear" .15 z + .5 clipped to
        0 to 1 (U); "empirical" the fraction of reference systems that scored no better on the topic (E).
    missing : {"refuse", "intersect"}, default "refuse"
        What to do if the topics of the two differ: refuse, or keep the topics that both have and list the others
        in ``matrix.dropped_topics``. Topics are aligned by label, never by position.
    higher_is_better : bool, default True
        Direction of the measure. With False the sign of z is turned, so that more is better on the result.

    Returns
    -------
    StandardizedScores

    Raises
    ------
    ArgumentError
        If the topics differ under "refuse", fewer than two are common, there are fewer than two reference systems, or
        "empirical" is asked of factors.

    Warns
    -----
    DegenerateWarning
        If reference scores are given, and all of them have the same on every topic.

    Notes
    -----
    On the reference systems every topic has mean z 0 and sd 1, so no topic dominates a mean. Standardized scores belong
    to their reference set: another one gives other numbers. A topic on which all reference systems scored alike says
    nothing about systems; z is 0 there. For E ties count in full, so that the best of the reference systems gets 1, and
    where all of them scored alike everyone at that score does.

    References
    ----------
    z and N: Webber, Moffat & Zobel, SIGIR 2008, doi:10.1145/1390334.1390346.
    U: Sakai, "A simple and effective approach to score standardisation", ICTIR 2016, doi:10.1145/2970398.2970399.
    E: Urbano, Lima & Hanjalic, "A new perspective on score standardization", SIGIR 2019, doi:10.1145/3331184.3331315.
    """
    check_choice(transform, "transform", (*TRANSFORMS, "empirical"))
    sign = check_direction(higher_is_better)
    if isinstance(reference, ScoreMatrix):
        check_matrix(reference, "reference")
        if transform == "empirical":
            return _empirical(_align(matrix, reference.topics, missing), reference, sign)
        factors = reference_factors(reference)
    else:
        factors = check_instance(reference, "reference", StandardizationFactors)
        if transform == "empirical":
            raise ArgumentError("reference", "factors", "must be the scores of the reference systems for empirical")
    aligned = _align(matrix, factors.topics, missing)
    columns = _columns(factors.topics, aligned.topics)
    values = transformed_z(sign * aligned.scores, sign * factors.means[columns], factors.sds[columns], transform)
    constant = set(factors.constant_topics)
    return StandardizedScores(
        matrix=replace(aligned, scores=values),
        means=values.mean(axis=1),
        transform=transform,
        constant_topics=tuple(topic for topic in aligned.topics if topic in constant),
        clipped_fraction=float(np.mean((values == 0) | (values == 1))) if transform == "linear" else 0.0,
        n_reference=factors.n_systems,
    )


def _empirical(aligned: ScoreMatrix, reference: ScoreMatrix, sign: float) -> StandardizedScores:
    """Return each score as the fraction of reference systems that scored no better on the topic (E)."""
    warn_if_all_agree(reference.scores)
    ranked = np.sort(sign * reference.scores[:, _columns(reference.topics, aligned.topics)], axis=0)
    values = np.empty_like(aligned.scores)
    for column in range(aligned.n_topics):
        values[:, column] = np.searchsorted(ranked[:, column], sign * aligned.scores[:, column], side="right")
    values /= reference.n_systems
    return StandardizedScores(
        matrix=replace(aligned, scores=values),
        means=values.mean(axis=1),
        transform="empirical",
        constant_topics=tuple(np.array(aligned.topics)[np.ptp(ranked, axis=0) == 0].tolist()),
        clipped_fraction=0.0,
        n_reference=reference.n_systems,
    )


def _columns(topics: tuple[str, ...], wanted: tuple[str, ...]) -> list[int]:
    position = {topic: column for column, topic in enumerate(topics)}
    return [position[topic] for topic in wanted]


def _align(matrix: ScoreMatrix, topics: tuple[str, ...], missing: str) -> ScoreMatrix:
    """Return the matrix on the topics that both have, in the order of the matrix."""
    check_choice(missing, "missing", ("refuse", "intersect"))
    check_matrix(matrix, n_systems=1)
    theirs = set(topics)
    common = [topic for topic in matrix.topics if topic in theirs]
    apart = sorted(theirs.symmetric_difference(matrix.topics))
    if not apart:
        return matrix
    if missing == "refuse":
        raise ArgumentError(
            "matrix", apart, "must have the topics of the reference, no more and no less (or missing='intersect')"
        )
    if len(common) < 2:
        raise ArgumentError("matrix", matrix.topics, "must have at least two topics in common with the reference")
    scores = matrix.scores[:, _columns(matrix.topics, tuple(common))]
    dropped = (*matrix.dropped_topics, *apart)
    return replace(matrix, topics=tuple(common), scores=scores, missing="intersect", dropped_topics=dropped)


def transformed_z(scores: FloatArray, means: FloatArray, sds: FloatArray, transform: str) -> FloatArray:
    """Return the transform of z = (score - mean) / sd, with z = 0 where sd is 0. Arrays that broadcast; nothing is
    checked."""
    z: FloatArray = np.where(sds > 0, (scores - means) / np.where(sds > 0, sds, 1.0), 0.0)
    if transform == "normal":
        probability: FloatArray = ndtr(z)
        return probability
    if transform == "linear":
        return np.clip(_LINEAR_SLOPE * z + _LINEAR_CENTRE, 0.0, 1.0)
    return z
