"""The variance that a model predicts for a board, from the coefficients that ship."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

import msgspec
import numpy as np

from analysis.boards._competitors import Competitors
from analysis.boards._findings import Evidence, EvidenceKind
from analysis.boards._inputs import BoardInputs, RelevantDocuments
from analysis.errors import ArgumentError
from analysis.reliability import VarianceModel, predict_variance
from analysis.reliability._variance_model import FIRST

FORMAT = "plumbline-variance-model/3"
FILE = "variance_model.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedModel:
    """A fitted model with where it is from."""

    format: str
    fitted_on: Annotated[str, "The file that the observations are of."]
    data_sha256: Annotated[str, "Of that file."]
    n_observations: int
    n_groups: Annotated[int, "Groups of collections that share topics, systems or judgements."]
    left_out_log_error: Annotated[float, "Root mean square error of the logarithm for groups that were left out."]
    fitted: Annotated[VarianceModel, "As fitted to these, to four digits."]
    model: Annotated[VarianceModel, "As used: fitted to these and to variances that do not ship, as rounded there."]

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


def predicted_for(inputs: BoardInputs, competitors: Competitors) -> Evidence | None:
    """Return what the model predicts for a board; None where it may not."""
    measure, relevant = inputs.measure, inputs.relevant
    if (measure.low, measure.high, measure.higher_is_better) != (0.0, 1.0, True):
        return None
    values = [row.value for row in competitors.rows]
    mean, best = float(np.mean(values)), max(values)
    if min(values) < 0.0 or best > 1.0:
        return None
    found = predict_variance(
        shipped_model().model,
        measure.nature,
        mean=mean,
        best=best,
        relevant=relevant.mean if relevant else None,
        share_with_one=relevant.share_with_one if relevant else None,
        is_shared_task=2 * sum(row.role == "trec_run" for row in inputs.rows) > len(inputs.rows),
    )
    if found is None:
        return None
    kind: EvidenceKind = "predicted"
    source = "the measure and its mean"
    if found.variance_class == "unknown":
        kind, source = "predicted-without-density", f"{source} alone: nobody knows how many documents are relevant"
    elif relevant and measure.nature.family not in FIRST:
        kind = "predicted-from-siblings" if relevant.is_of_siblings else "predicted"
        source = f"the measure, its mean and {in_words(relevant)}"
    return Evidence(
        kind=kind,
        residual_variance=found.value,
        widening=found.widening,
        degrees_of_freedom=found.degrees_of_freedom,
        log_sd=found.log_sd,
        variance_class=found.variance_class,
        sources=(source,),
    )


def in_words(relevant: RelevantDocuments) -> str:
    """“1.1 relevant documents a topic (judgements)”."""
    how = f" ({relevant.known_from})" if relevant.known_from else ""
    mean = f"{relevant.mean:.0f}" if relevant.mean >= 9.95 else f"{relevant.mean:.2g}"
    return f"{mean} relevant document{'' if mean == '1' else 's'} a topic{how}"
