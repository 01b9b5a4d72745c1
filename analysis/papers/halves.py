"""Collections split in two, again and again: what the intervals of one half say, and what the other half has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, ndtri

from analysis.documents import (
    MapInterval,
    RankedList,
    average_precision_intervals,
    logit_map_interval,
    map_interval,
    split_run,
)
from analysis.papers.paper import JudgedRanking
from analysis.results import Interval

Scale = Literal["linear", "logit"]
Kind = Literal["linear", "logit", "bca", "linear, limited", "logit, limited"]
Mean = tuple[Literal["MAP", "L-MAP"], Literal["bootstrap", "parametric"]]
Limits = NDArray[np.float64]

SEED = 2006
#: The paper's own split, and others by other salts of its hash.
N_SPLITS = 5
SCALES: tuple[Scale, ...] = ("linear", "logit")
MEANS: tuple[Mean, ...] = (
    ("MAP", "bootstrap"), ("L-MAP", "bootstrap"), ("MAP", "parametric"), ("L-MAP", "parametric"),
)  # fmt: skip
#: How many topic sets of a size are drawn of a run in a half.
_N_SETS = 50
#: Half the width of a 95 % interval in standard errors.
_Z = float(ndtri(0.975))


@dataclass(frozen=True, slots=True)
class OneList:
    """A list in one half: AP and its standard error on both scales, and its intervals; None where there is none."""

    n_relevant: int
    values: dict[Scale, float]
    errors: dict[Scale, float]
    intervals: dict[Kind, Interval | None]


@dataclass(frozen=True, slots=True)
class HalfRun:
    """A run in one half of a collection."""

    lists: tuple[OneList, ...]
    means: dict[Mean, MapInterval]


@dataclass(frozen=True, slots=True)
class SplitPair:
    """A run in both halves, on the topics that both can measure; ``split`` 0 is the paper's."""

    collection: str
    system: str
    split: int
    halves: tuple[HalfRun, HalfRun]

    @property
    def directions(self) -> tuple[tuple[HalfRun, HalfRun], tuple[HalfRun, HalfRun]]:
        """Return whose intervals, and whose values: from the first half to the second, and back."""
        first, second = self.halves
        return (first, second), (second, first)


@dataclass(frozen=True, slots=True)
class Shares:
    """Per cent of values below, within and above their intervals, of ``n`` compared."""

    below: float
    within: float
    above: float
    n: int


def measure_halves(runs: Iterable[JudgedRanking], n_splits: int = N_SPLITS) -> list[SplitPair]:
    """Return every run in both halves of every split, with 2,000 resampled collections for each interval.

    Raises
    ------
    ArgumentError
        If a run has no topic that both halves can measure.
    """
    return [_pair(run, split) for run in runs for split in range(n_splits)]


def _pair(run: JudgedRanking, split: int) -> SplitPair:
    split_lists = split_run(run.run, run.judgements, minimum_grade=run.grade, salt=str(split) if split else "")
    return SplitPair(
        run.collection, run.system, split, (measure_half(split_lists.first), measure_half(split_lists.second))
    )


def measure_half(lists: Sequence[RankedList]) -> HalfRun:
    """Return all intervals of lists, one for each topic, and of their means."""
    linear, logits, bca = (
        average_precision_intervals(lists, SEED, method=method, small_sample_correction=False)
        for method in ("linear", "logit", "bca")
    )
    linear_limited, logit_limited = (average_precision_intervals(lists, SEED, method=method) for method in SCALES)
    measured = tuple(
        OneList(
            of_logit.n_relevant,
            {
                "linear": of_logit.estimate,
                "logit": float(logit(np.clip(of_logit.estimate, of_logit.epsilon, 1.0 - of_logit.epsilon))),
            },
            {"linear": of_logit.standard_error, "logit": of_logit.logit_standard_error},
            {
                "linear": of_linear.interval,
                "logit": of_logit.interval,
                "bca": of_bca.interval,
                "linear, limited": of_linear_limited.interval,
                "logit, limited": of_logit_limited.interval,
            },
        )
        for of_logit, of_linear, of_bca, of_linear_limited, of_logit_limited in zip(
            logits, linear, bca, linear_limited, logit_limited, strict=True
        )
    )
    return HalfRun(measured, {kind: _mean(lists, kind) for kind in MEANS})


def _mean(lists: Sequence[RankedList], kind: Mean) -> MapInterval:
    measure, method = kind
    return (map_interval if measure == "MAP" else logit_map_interval)(lists, SEED, method=method)


def cases(pairs: Iterable[SplitPair], directions: Sequence[int] = (0, 1)) -> list[tuple[OneList, OneList]]:
    """Return lists in one half, each with the same in the other half."""
    return [
        case
        for pair in pairs
        for direction in directions
        for case in zip(*(half.lists for half in pair.directions[direction]), strict=True)
    ]


def list_shares(of: Iterable[tuple[OneList, OneList]], kind: Kind) -> Shares | None:
    """Return where AP lies against the intervals of the other half; None where nothing can be compared.

    A list without an interval has one of no width, as in the paper: the other half's AP must be the same.
    """
    against = [(other.values["linear"], own.intervals[kind], own.values["linear"]) for own, other in of]
    return _shares([(value, own.low if own else at, own.high if own else at) for value, own, at in against])


def mean_shares(pairs: Iterable[SplitPair], kind: Mean, direction: int) -> Shares | None:
    """Return the same of means over topics."""
    means = [tuple(half.means[kind] for half in pair.directions[direction]) for pair in pairs]
    return _shares([(other.estimate, own.interval.low, own.interval.high) for own, other in means])


def _shares(against: Sequence[tuple[float, float, float]]) -> Shares | None:
    if not against:
        return None
    values, low, high = np.array(against).T
    below, above = 100 * np.mean(values < low - 1e-12), 100 * np.mean(values > high + 1e-12)
    return Shares(float(below), float(100 - below - above), float(above), len(against))


def positions(of: Iterable[tuple[OneList, OneList]], kind: Kind) -> list[float]:
    """Return where AP lies against the interval of the other half, from -1 at its lower end to 1 at its upper end."""
    known = [(other.values["linear"], own.intervals[kind]) for own, other in of]
    return [
        (2 * value - own.low - own.high) / (own.high - own.low) for value, own in known if own and own.high > own.low
    ]


def predicted_and_measured(
    of: Iterable[tuple[OneList, OneList]], scale: Scale, n_classes: int = 10
) -> list[tuple[float, float]]:
    """Return standard deviations of the difference of AP between halves, as predicted and as measured, by classes as
    large.

    Root mean squares over the lists of a class; lists whose difference can't vary by the prediction are left out.
    """
    differences = [
        (np.hypot(own.errors[scale], other.errors[scale]), own.values[scale] - other.values[scale]) for own, other in of
    ]
    known = sorted(
        (difference for difference in differences if difference[0] > 0), key=lambda difference: difference[0]
    )
    classes = np.array_split(np.array(known).reshape(-1, 2), n_classes)
    return [tuple(np.sqrt(np.mean(group**2, axis=0)).tolist()) for group in classes if len(group)]


def coverage_by_topics(pairs: Iterable[SplitPair], scale: Scale, sizes: Sequence[int]) -> list[Shares | None]:
    """Return means over so many topics of a run, drawn at random: how many lie in the interval of the other half.

    Topics vary independently of each other, as in the paper, so the standard error of a mean adds up from those of its
    lists.
    """
    rng = np.random.default_rng(SEED)
    by_size: list[list[tuple[float, float, float]]] = [[] for _ in sizes]
    for pair in pairs:
        for own, other in pair.directions:
            of_own = np.array([(ranked.values[scale], ranked.errors[scale]) for ranked in own.lists])
            of_other = np.array([ranked.values[scale] for ranked in other.lists])
            for size, of_size in zip(sizes, by_size, strict=True):
                if size > len(of_own):
                    continue
                for _ in range(_N_SETS):
                    drawn = rng.choice(len(of_own), size, replace=False)
                    mean = float(of_own[drawn, 0].mean())
                    reach = _Z * float(np.sqrt(np.sum(of_own[drawn, 1] ** 2))) / size
                    of_size.append((float(of_other[drawn].mean()), mean - reach, mean + reach))
    return [_shares(of_size) for of_size in by_size]
