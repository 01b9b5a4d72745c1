"""Luck in the best of many scores: of coming first among those listed, and of tries that nobody listed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import numpy as np

from analysis._validation import FloatArray, check_count, check_in_range
from analysis.best._extreme_distribution import maximum_distribution
from analysis.results import Result

#: Fewer results, or results of fewer families, show too little of how results are spread.
MIN_RESULTS, MIN_FAMILIES = 5, 3


class WhyNotCorrected(StrEnum):
    """A reason for giving no corrected score."""

    #: Fewer than 5 results compete.
    TOO_FEW_RESULTS = "too-few-results"
    #: They are of fewer than 3 families.
    TOO_FEW_FAMILIES = "too-few-families"
    #: Fewer than 25 topics.
    TOO_FEW_TOPICS = "too-few-topics"
    #: The variance of the error is 0: nothing says how scores vary.
    NO_VARIATION = "no-variation"


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenTries:
    """Tries that nobody listed, as they are supposed: each row is the best of so many."""

    n_tries: Annotated[int, "Tries behind each row, 1 or more, itself among them."] = 1
    share: Annotated[float, "Share of the residual variance by which tries of one row differ, 0 to 1."] = 0.2

    def __post_init__(self) -> None:
        check_count(self.n_tries, "n_tries")
        check_in_range(np.array([self.share], dtype=float), "share", (0.0, 1.0))

    @property
    def variance_left(self) -> float:
        """The share of the variance that the best of the tries still has."""
        spread = maximum_distribution(self.n_tries).sd() if self.n_tries > 1 else 1.0
        return 1.0 - self.share + self.share * spread**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck(Result):
    """The luck in the best score, and what it was told from."""

    amount: Annotated[float, "0 or more, in the unit of the measure."]
    bound: Annotated[
        Literal["shrinkage", "equal-systems"],
        "Which of two is the smaller: the share of the lead over the mean that luck explains, or what the best of as "
        "many equal systems as may be the best would gain.",
    ]
    mean: Annotated[float, "Of the results, each family counting once, in the unit of the measure."]
    spread: Annotated[float, "Their standard deviation around it, likewise."]
    kept: Annotated[float, "Share of the lead over the mean that luck does not explain, 0 to 1."]
    n_effective: Annotated[float, "As how many results of equal weight these count."]
    n_families: Annotated[int, "Number of families that compete."]
    error_variance: Annotated[float, "Variance of a mean beyond what systems share, in squared units of the measure."]
    of_tries: Annotated[float, "What of the amount is for tries that nobody listed."]


@dataclass(frozen=True, slots=True)
class Field:
    """The scores that compete, oriented so that larger is better: each family weighs the same, and within it each."""

    values: FloatArray
    weights: FloatArray
    n_families: int

    @classmethod
    def of(cls, values: FloatArray, families: Sequence[str] | None) -> "Field":
        """Return the scores weighed by their families; each is one of its own where none are given."""
        labels = np.arange(values.size) if families is None else np.array(families)
        _, places, counts = np.unique(labels, return_inverse=True, return_counts=True)
        return cls(values, 1.0 / (counts.size * counts[places]), counts.size)

    def luck(
        self, variance: float, degrees_of_freedom: float, n_members: int, tries: HiddenTries, sign: float
    ) -> tuple[Luck | None, WhyNotCorrected | None]:
        """Return the luck of the best of them, or why nothing tells how much it is."""
        if self.values.size < MIN_RESULTS:
            return None, WhyNotCorrected.TOO_FEW_RESULTS
        if self.n_families < MIN_FAMILIES:
            return None, WhyNotCorrected.TOO_FEW_FAMILIES
        if variance == 0:
            return None, WhyNotCorrected.NO_VARIATION
        n_effective = 1.0 / float(self.weights @ self.weights)
        mean = float(self.weights @ self.values)
        spread = float(self.weights @ (self.values - mean) ** 2) / (1.0 - 1.0 / n_effective)
        left = variance * tries.variance_left
        explained = (n_effective - 3) / (n_effective - 1) * degrees_of_freedom / (degrees_of_freedom + 2) * left
        kept = max(0.0, 1.0 - explained / spread) if spread > 0 else 0.0
        bounds: dict[Literal["shrinkage", "equal-systems"], float] = {
            "shrinkage": (1.0 - kept) * (float(self.values.max()) - mean),
            "equal-systems": float(np.sqrt(left)) * _expected_maximum(n_members),
        }
        bound = min(bounds, key=lambda name: bounds[name])
        of_tries = _expected_maximum(tries.n_tries) * float(np.sqrt(tries.share * variance))
        luck = Luck(
            amount=max(bounds[bound], 0.0) + of_tries,
            bound=bound,
            mean=sign * mean,
            spread=float(np.sqrt(spread)),
            kept=kept,
            n_effective=n_effective,
            n_families=self.n_families,
            error_variance=variance,
            of_tries=of_tries,
        )
        return luck, None


def _expected_maximum(n: int) -> float:
    """Return the expected largest of so many standard normals; exactly 0 of a single one."""
    return maximum_distribution(n).mean() if n > 1 else 0.0
