"""The variance that a model predicts for a board, from the coefficients that ship."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

import msgspec
import numpy as np

from analysis.boards._competitors import Competitors
from analysis.boards._inputs import BoardInputs, KnownVariance
from analysis.errors import ArgumentError
from analysis.reliability import PredictedVariance, VarianceModel, predict_variance
from analysis.reliability._measure_families import measure_family

FORMAT = "plumbline-variance-model/1"
FILE = "variance_model.json"

#: With fewer relevant documents a topic, or an unknown number, recall is taken for what it is with one: a matter of
#: the first, which varies as reciprocal rank does, and more than recall of many.
_MANY_RELEVANT = 10.0
#: Recall of one document is 0 or 1 on each topic, and varies more than reciprocal rank with the same mean: in 1.4 to
#: 1.9 times the variance at lists of 1, 10 and 100, by the ranks of the first right document in four pools; the
#: geometric mean.
_ALL_OR_NOTHING = 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedModel:
    """A fitted model with where it is from."""

    format: str
    fitted_on: Annotated[str, "The file that the observations are of."]
    data_sha256: Annotated[str, "Of that file."]
    left_out_log_error: Annotated[float, "Root mean square error of the logarithm for collections that were left out."]
    left_out_within_factor_2: Annotated[float, "Share of them within a factor of 2."]
    model: VarianceModel

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@lru_cache(maxsize=1)
def shipped_model() -> ShippedModel:
    """The model of this release.

    Raises
    ------
    ArgumentError
        If its file was changed.
    """
    head = json.loads(files("analysis.boards").joinpath(FILE).read_text(encoding="utf-8"))
    digest = head.pop("sha256", None)
    found = msgspec.convert(head, ShippedModel)
    if found.format != FORMAT or found.digest != digest:
        raise ArgumentError("text", found.format, f"must be a model of the format {FORMAT} that nobody changed")
    return found


def model_text(found: ShippedModel) -> str:
    """The model as JSON with its digest."""
    return json.dumps({**asdict(found), "sha256": found.digest}, indent=1) + "\n"


def predicted_for(inputs: BoardInputs, competitors: Competitors) -> KnownVariance | None:
    """What the model predicts for a board; None where it may not."""
    if inputs.task == "known-item" or (inputs.measure.low, inputs.measure.high) != (0.0, 1.0):
        return None
    mean = float(np.mean([row.value for row in competitors.rows]))
    measure = stand_in(inputs.measure.name, inputs.relevant_per_topic)
    found = predict(shipped_model().model, inputs.measure.name, inputs.relevant_per_topic, mean)
    if found is None:
        return None
    return KnownVariance(
        kind="predicted",
        value=found.value,
        degrees_of_freedom=found.degrees_of_freedom,
        sources=(f"variances seen in {found.n_collections} collections",),
        measure="" if measure == inputs.measure.name else measure,
    )


def predict(
    model: VarianceModel, measure: str, relevant_per_topic: float | None, mean: float
) -> PredictedVariance | None:
    """What a model predicts of a measure, or of the one that stands in for it; None where it may not."""
    wanted = stand_in(measure, relevant_per_topic)
    found = predict_variance(model, wanted, mean) if wanted and 0.0 < mean < 1.0 else None
    return found if found is None or wanted == measure else replace(found, value=_ALL_OR_NOTHING * found.value)


def stand_in(measure: str, relevant_per_topic: float | None) -> str:
    """The measure whose variance is predicted in place of this one; blank for none."""
    family = measure_family(measure)
    if family is None:
        return ""
    if family.name != "R" or (relevant_per_topic is not None and relevant_per_topic >= _MANY_RELEVANT):
        return measure
    return f"RR@{family.cutoff}" if family.cutoff and family.cutoff <= 100 else ""
