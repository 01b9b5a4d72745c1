"""The methods of a study, with their thresholds: the same wherever it is made."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True, kw_only=True)
class Methods:
    """The version and the constants of a study, as every snapshot keeps them."""

    version: Annotated[
        str,
        "Goes up when a number of any study may change: every board is analysed again then. The golden "
        "snapshots of the tests fail where a number changes and this does not.",
    ]
    confidence_level: Annotated[float, "Of the set."]
    n_resamples: Annotated[int, "Of the draws behind a set from topic scores."]
    seed: Annotated[int, "Of the draws behind a set from topic scores."]
    tail: Annotated[float, "Of Carterette's analysis."]
    min_counted: Annotated[int, "Counted results that Carterette's analysis needs."]


METHODS = Methods(version="19", confidence_level=0.95, n_resamples=10_000, seed=2015, tail=0.8, min_counted=5)
