"""What declaring training on a member of a suite goes with: scores there beyond what the system's others suggest."""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis.boards._suite_inputs import SuiteInputs, SuiteUplift, UpliftOnMember, complete_rows
from analysis.comparisons import meta_analysis

FloatArray = NDArray[np.float64]

#: So many systems that declare training on a member, and as many that don't, give it an uplift of its own.
MIN_EACH = 8
#: Fewer families say too little about others.
MIN_FAMILIES = 10
LEVEL = 0.9


def study_uplift(inputs: SuiteInputs, families: Mapping[int, int]) -> SuiteUplift | None:
    """The uplift of declared training over the members, and on each where enough declare it and enough do not.

    Of systems with a score on every member and something said of their training on each. None with fewer than ten
    families, two members, or where nobody, or everybody, declares training. ``families`` has the number of each
    system's family.
    """
    rows = [row for row in complete_rows(inputs) if row.training and not {"", "says_nothing"} & set(row.training)]
    labels = np.array([families[row.id] for row in rows], dtype=np.intp)
    trained = np.array([[said == "declares" for said in row.training] for row in rows], dtype=np.float64)
    if len(set(labels.tolist())) < MIN_FAMILIES or len(inputs.members) < 2:
        return None
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    scores = _centred(sign * np.array([row.scores for row in rows], dtype=np.float64))
    whole = _centred(trained)
    if np.square(whole).sum() < 1.0:
        return None
    (estimate,), (error,) = _fit(scores, [whole], labels)
    counts = trained.sum(axis=0)
    own = [place for place, n in enumerate(counts) if min(n, len(rows) - n) >= MIN_EACH]
    return SuiteUplift(
        estimate=estimate,
        standard_error=error,
        n_systems=len(rows),
        n_families=len(set(labels.tolist())),
        members=_by_member(scores, trained, labels, own) if len(own) > 1 else (),
    )


def _by_member(
    scores: FloatArray, trained: FloatArray, labels: NDArray[np.intp], own: Sequence[int]
) -> tuple[UpliftOnMember, ...]:
    parts = [_centred(np.where(np.arange(trained.shape[1]) == place, trained, 0.0)) for place in own]
    rest = trained.copy()
    rest[:, list(own)] = 0.0
    estimates, errors = _fit(scores, [*parts, _centred(rest)] if rest.any() else parts, labels)
    estimates, errors = estimates[: len(own)], errors[: len(own)]
    found = meta_analysis(estimates, errors, estimator="PM", inference="normal")
    between, width = found.tau_squared, float(-ndtri((1 - LEVEL) / 2))
    members = []
    for place, estimate, error in zip(own, estimates, errors, strict=True):
        weight = between / (between + error**2)
        value = found.estimate + weight * (estimate - found.estimate)
        half = width * sqrt(weight * error**2 + ((1 - weight) * found.standard_error) ** 2)
        members.append(
            UpliftOnMember(
                member=place,
                value=value,
                low=value - half,
                high=value + half,
                n_declare=int(trained[:, place].sum()),
                n_others=int(len(trained) - trained[:, place].sum()),
            )
        )
    return tuple(members)


def _centred(table: FloatArray) -> FloatArray:
    return np.asarray(table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean())


def _fit(scores: FloatArray, parts: Sequence[FloatArray], labels: NDArray[np.intp]) -> tuple[list[float], list[float]]:
    """Least squares with standard errors that let a family's systems and scores err together."""
    columns = np.stack([part.ravel() for part in parts], axis=1)
    inverse = np.linalg.pinv(columns.T @ columns)
    slopes = inverse @ columns.T @ scores.ravel()
    errors = scores - sum(slope * part for slope, part in zip(slopes, parts, strict=True))
    per_system = np.stack([(part * errors).sum(axis=1) for part in parts], axis=1)
    per_family = np.stack([per_system[labels == label].sum(axis=0) for label in np.unique(labels)])
    n = len(per_family)
    covariance = n / (n - 1) * inverse @ per_family.T @ per_family @ inverse
    return slopes.tolist(), np.sqrt(np.diag(covariance)).tolist()
