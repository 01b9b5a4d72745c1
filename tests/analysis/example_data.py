"""Data for the examples of ``public_examples.py``, small and fixed, and shapes that many of them have."""

from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.best import maximum_distribution
from analysis.documents import RankedList, pair_rankings
from analysis.instances import InstanceComponents
from analysis.reliability import swap_rates
from analysis.scores import InstanceScores
from tests.analysis.instance_tables import only_cells
from tests.analysis.public_surface import Example
from tests.analysis.simulated import noisy_matrix

RUN = "".join(f"{topic} Q0 d{number} 1 {90 - number} mine\n" for topic in (1, 2, 3) for number in range(40))
OTHER_RUN = "".join(
    f"{topic} Q0 d{(7 * number + topic) % 40} 1 {90 - number} other\n" for topic in (1, 2, 3) for number in range(40)
)
QRELS = "".join(
    f"{topic} 0 d{number} {int(number % (3 + topic) == 1)}\n" for topic in (1, 2, 3) for number in range(50)
)
TABLE = "topic,a,b\n301,0.25,0.5\n302,0.125,0\n303,0.5,0.75\n"

MEANS = [0.303, 0.296, 0.281, 0.245, 0.239, 0.202, 0.175]
FIRST = [0.31, 0.42, 0.18, 0.55, 0.33, 0.27, 0.61, 0.44, 0.29, 0.38]
SECOND = [0.25, 0.40, 0.19, 0.41, 0.30, 0.28, 0.49, 0.45, 0.21, 0.30]
YEARS = [2000 + number // 2 for number in range(40)]
SCORES_BY_YEAR = [0.2 + 0.002 * number + 0.01 * ((7 * number) % 5) for number in range(40)]
PAPERS = [f"paper {number // 2}" for number in range(40)]
COMPONENTS = InstanceComponents(0.0001, 0.02, 0.0025, 0.0025, ())

#: What is out of range of pairs of score vectors, and of names of algorithms.
PAIRED = {"first": (FIRST[:1],), "second": (SECOND[:-1],)}
ALGORITHMS = {"first": ("C",), "second": ("C", "A")}


def matrix(n_systems: int = 6, n_topics: int = 40, seed: int = 1):
    """Return runs of which three are close to each other and the others clearly worse."""
    means = [0.45, 0.44, 0.43, 0.30, 0.20, 0.10, 0.09, 0.08][:n_systems]
    return noisy_matrix(means, n_topics, seed=seed, residual_sd=0.05)


def instances(absent: bool = False) -> InstanceScores:
    rng = np.random.default_rng(5)
    table = rng.normal(0.4, 0.1, 20) + rng.normal(0, 0.02, (2, 3, 1)) + rng.normal(0, 0.05, (2, 3, 20))
    if not absent:
        return InstanceScores.from_array(table)
    is_present = np.ones(table.shape, dtype=bool)
    is_present[0, 0, 3] = False
    return only_cells(table, is_present)


def lists() -> list[RankedList]:
    return [RankedList([1, 2, 4, 9, 30], 8, 1000), RankedList([3, 5], 4, 1000), RankedList([2, 3, 7], 3, 1000)]


def pairs():
    documents = [f"d{number}" for number in range(40)]
    return [
        pair_rankings(documents, documents[turn:] + documents[:turn], {"d0", "d4", "d5", "d9", "d20"})
        for turn in (3, 5, 8)
    ]


def experiment(design: str = "disjoint"):
    return swap_rates(matrix(8).scores, 1, design=design, sizes=[5, 10, 20], n_splits=5)


def maximum():
    return maximum_distribution(103)


_SETTINGS = ("accepts", "refuses", "noise", "positions", "aligned")


def example(**arguments: Any) -> Example:
    """Return an example of arguments, and of settings of :class:`Example`."""
    settings = {name: arguments.pop(name) for name in _SETTINGS if name in arguments}
    return Example(arguments, **settings)


def method(make: Callable[[], Any], **arguments: Any) -> Example:
    return example(self=make(), **arguments)


def of_matrix(**arguments: Any) -> Example:
    return example(matrix=matrix(), **arguments)


def drawn(**arguments: Any) -> Example:
    return of_matrix(rng=1, n_resamples=2000, **arguments)


def of_means(**arguments: Any) -> Example:
    return example(means=MEANS, n_topics=50, residual_variance=0.012, **arguments)


def of_two(**arguments: Any) -> Example:
    return example(first=FIRST, second=SECOND, **({"refuses": PAIRED} | arguments))


def of_instances(absent: bool = False, **arguments: Any) -> Example:
    return example(scores=instances(absent), first="A", second="B", refuses=ALGORITHMS, **arguments)
