"""Variances of boards without topic scores: predicted by a model that was fitted on other collections."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.reliability import VarianceModel, VarianceObservation, predict_variance
from analysis.reliability._variance_fit import fit_variances

FloatArray = NDArray[np.float64]

#: Collections with common topics: what is known of one says something of the others.
_COMMON_TOPICS = (frozenset({"trec-6-adhoc", "trec-7-adhoc", "trec-8-adhoc", "trec-2003-robust", "trec-2004-robust"}),)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A residual variance that is known of a board: its degrees of freedom, how many times it the set takes, and of
    what is predicted how far off its logarithm is."""

    value: float
    degrees_of_freedom: float
    widening: float = 1.0
    variance_class: str = ""
    log_sd: float = 0.0


#: What is known of a board: from its measure and the means of its systems on one draw of topics; None where nothing.
Known = Callable[[str, FloatArray], Elsewhere | None]


def related_to(collection: str) -> frozenset[str]:
    """Return the collection, and those that share topics with it."""
    return next((group for group in _COMMON_TOPICS if collection in group), frozenset({collection}))


def model_without(observations: Sequence[VarianceObservation], collection: str) -> VarianceModel:
    """Return the model fitted without the groups of a collection and of those that share topics with it."""
    related = related_to(collection)
    groups = {observation.group for observation in observations if observation.collection in related}
    return fit_variances([observation for observation in observations if observation.group not in groups])


def with_refit(model: VarianceModel, whole: VarianceModel, refit: Mapping[tuple[str, str], float]) -> VarianceModel:
    """Return the model, changed as variances that do not ship change ``whole``, the model of all that ship.

    ``refit`` has coefficients as fitted with these too, by group and name; those that it lacks stay.
    """

    def changed(group: str) -> dict[str, float]:
        fitted, of_whole = getattr(model, group), getattr(whole, group)
        return {name: fitted[name] * refit.get((group, name), old) / old for name, old in of_whole.items()}

    of_whole = whole.cutoff_exponent
    return VarianceModel(
        first=changed("first"),
        of_one=changed("of_one"),
        of_many=changed("of_many"),
        shared_task=changed("shared_task"),
        cutoff_exponent=model.cutoff_exponent + refit.get(("cutoff_exponent", ""), of_whole) - of_whole,
    )


def predicted_from(
    model: VarianceModel, relevant: float | None, share_with_one: float | None, *, is_shared_task: bool
) -> Known:
    """Return what a model predicts from the means of a board and its collection's relevant documents."""

    def predicted(measure: str, means: FloatArray) -> Elsewhere | None:
        inside = np.clip(means, 0.0, 1.0)
        prediction = predict_variance(
            model,
            measure,
            mean=float(inside.mean()),
            best=float(inside.max()),
            relevant=relevant,
            share_with_one=share_with_one,
            is_shared_task=is_shared_task,
        )
        if prediction is None:
            return None
        # The constant of a set is found once for each number of degrees of freedom.
        df = round(prediction.degrees_of_freedom, 1)
        return Elsewhere(prediction.value, df, prediction.widening, prediction.variance_class, prediction.log_sd)

    return predicted


def all_known(known: Known, measure: str, draws: Iterable[FloatArray]) -> list[Elsewhere]:
    """Return what is known on each draw of topics; none where it is not known on some."""
    variances = [known(measure, means) for means in draws]
    return [variance for variance in variances if variance] if all(variances) else []
