"""The variance that a model predicts for a board, from the coefficients that ship, and how far off it is.

The audit that ships sets each variance that was seen beside what the model predicts as fitted without its collection
and those that share topics or systems with it: as if nobody had seen it.
"""

import hashlib
import json
from collections.abc import Sequence
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
MODEL_FILE = "variance_model.json"


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
    """Return the model of this release.

    Raises
    ------
    ArgumentError
        If its file was changed.
    """
    head = json.loads(files("analysis.boards").joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    digest = head.pop("sha256", None)
    shipped = msgspec.convert(head, ShippedModel)
    if shipped.format != FORMAT or shipped.digest != digest:
        raise ArgumentError("text", shipped.format, f"must be a model of the format {FORMAT} that nobody changed")
    return shipped


def model_text(model: ShippedModel) -> str:
    """Return the model as JSON with its digest."""
    return json.dumps({**asdict(model), "sha256": model.digest}, indent=1) + "\n"


def predicted_for(inputs: BoardInputs, competitors: Competitors) -> Evidence | None:
    """Return what the model predicts for a board; None where it may not."""
    measure, relevant = inputs.measure, inputs.relevant
    if (measure.low, measure.high, measure.higher_is_better) != (0.0, 1.0, True):
        return None
    values = [row.value for row in competitors.rows]
    mean, best = float(np.mean(values)), max(values)
    if min(values) < 0.0 or best > 1.0:
        return None
    prediction = predict_variance(
        shipped_model().model,
        measure.nature,
        mean=mean,
        best=best,
        relevant=relevant.mean if relevant else None,
        share_with_one=relevant.share_with_one if relevant else None,
        is_shared_task=2 * sum(row.role == "trec_run" for row in inputs.rows) > len(inputs.rows),
    )
    if prediction is None:
        return None
    kind: EvidenceKind = "predicted"
    source = "the measure and its mean"
    if prediction.variance_class == "unknown":
        kind, source = "predicted-without-density", f"{source} alone: nobody knows how many documents are relevant"
    elif relevant and measure.nature.family not in FIRST:
        kind = "predicted-from-siblings" if relevant.is_of_siblings else "predicted"
        source = f"the measure, its mean and {in_words(relevant)}"
    return Evidence(
        kind=kind,
        residual_variance=prediction.value,
        widening=prediction.widening,
        degrees_of_freedom=prediction.degrees_of_freedom,
        log_sd=prediction.log_sd,
        variance_class=prediction.variance_class,
        sources=(source,),
    )


def in_words(relevant: RelevantDocuments) -> str:
    """Return it in words: “1.1 relevant documents a topic (judgements)”."""
    how = f" ({relevant.known_from})" if relevant.known_from else ""
    mean = f"{relevant.mean:.0f}" if relevant.mean >= 9.95 else f"{relevant.mean:.2g}"
    return f"{mean} relevant document{'' if mean == '1' else 's'} a topic{how}"


AUDIT_FILE = "audit.json"
#: From this factor on, either way, what is predicted on a collection is no basis for a value.
FACTOR = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """The variances measured on one collection under measures of one family, beside those predicted."""

    collection: Annotated[str, "Slug."]
    family: Annotated[str, "Of the measures, as ``AP``."]
    variance_class: Annotated[str, "How many documents the score of a topic hangs on, as predictions say it."]
    n_measures: Annotated[int, "Matrices at hand, one a measure and source."]
    ratio: Annotated[float, "Measured by predicted variance: geometric mean over them."]
    lowest: Annotated[float, "The lowest of their ratios."]
    highest: Annotated[float, "The highest of their ratios."]

    @property
    def is_beyond(self) -> bool:
        """Return whether the prediction is off by more than ``FACTOR``."""
        return not 1 / FACTOR <= self.ratio <= FACTOR


@lru_cache(maxsize=1)
def audit() -> tuple[AuditRow, ...]:
    """Return every collection and family of measures of which a matrix is at hand, by name.

    Returns
    -------
    tuple of AuditRow

    Examples
    --------
    >>> from analysis.boards import audit
    >>> [row.family for row in audit() if row.collection == "trec-7-adhoc"]
    ['AP', 'P', 'RR']
    """
    text = files("analysis.boards").joinpath(AUDIT_FILE).read_text(encoding="utf-8")
    return msgspec.json.decode(text, type=tuple[AuditRow, ...])


def audited(collection: str, family: str) -> float | None:
    """Return the measured variance over the predicted one, where the audit of the collection found the two far
    apart."""
    return next(
        (row.ratio for row in audit() if (row.collection, row.family) == (collection, family) and row.is_beyond), None
    )


def audit_text(rows: Sequence[AuditRow]) -> str:
    """Return the rows as JSON, one a line."""
    return "[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n"
