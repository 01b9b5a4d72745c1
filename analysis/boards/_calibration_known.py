"""What other collections say of a board: a variance that is typical of its measure, and one that a model predicts."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from analysis.boards._evidence import DF_TRANSFERRED
from analysis.boards._prediction import predict, stand_in
from analysis.reliability import VarianceObservation, fit_variances
from analysis.reliability._measure_families import measure_family

#: Collections with common topics: what is known of one says something of the others.
_COMMON_TOPICS = (frozenset({"trec-6-adhoc", "trec-7-adhoc", "trec-8-adhoc", "trec-2003-robust", "trec-2004-robust"}),)
#: Collections that no typical value is made of: another task.
_APART = ("clef-tar-",)
#: Degrees of freedom of a typical value where its pools disagree most.
_DF_OF_FAMILY = {"ERR": 4.0}


@dataclass(frozen=True, slots=True)
class Variance:
    """One row of the library of variances: mean square of what system and topic leave."""

    collection: str
    measure: str
    mean_square: float


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A residual variance that other collections tell, with its degrees of freedom."""

    value: float
    degrees_of_freedom: float


#: What other collections tell of a board: from its measure and the mean of its scores; None where nothing.
Known = Callable[[str, float], Elsewhere | None]


def related_to(collection: str) -> frozenset[str]:
    """The collection, and those that share topics with it."""
    return next((group for group in _COMMON_TOPICS if collection in group), frozenset({collection}))


def typical_variance(library: Iterable[Variance], measure: str, without: frozenset[str] = frozenset()) -> float | None:
    """The squared median of the residual standard deviations seen under a measure; None where none was."""
    seen = [
        math.sqrt(one.mean_square)
        for one in library
        if one.measure == measure and one.collection not in without and not one.collection.startswith(_APART)
    ]
    return median(seen) ** 2 if seen else None


def transferred_from(library: Sequence[Variance], stands_in: Mapping[str, str], collection: str) -> Known:
    """What is typical of measures in collections other than this one; ``stands_in`` names measures for others."""
    without = related_to(collection)

    @lru_cache
    def typical(measure: str) -> Elsewhere | None:
        seen = typical_variance(library, stands_in.get(measure, measure), without)
        family = measure_family(measure)
        df = _DF_OF_FAMILY.get(family.name, DF_TRANSFERRED) if family else DF_TRANSFERRED
        return None if seen is None else Elsewhere(seen, df)

    return lambda measure, _mean: typical(measure)


def predicted_from(
    observations: Sequence[VarianceObservation],
    relevant_per_topic: float | None,
    collection: str,
    *,
    is_sparse: bool = False,
) -> Known:
    """What a model predicts that was fitted without this collection, for a mean to three digits.

    Where another measure stands in (:func:`stand_in`), boards are those of sparse collections, and only these.
    """
    without = related_to(collection)
    model = fit_variances([one for one in observations if one.collection not in without])

    @lru_cache
    def predicted(measure: str, mean: float) -> Elsewhere | None:
        if (stand_in(measure, relevant_per_topic) != measure) != is_sparse:
            return None
        found = predict(model, measure, relevant_per_topic, mean)
        # The constant of a set is found once for each number of degrees of freedom.
        return None if found is None else Elsewhere(found.value, round(found.degrees_of_freedom, 1))

    return lambda measure, mean: predicted(measure, round(mean, 3))
