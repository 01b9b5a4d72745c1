"""How well five runs tell the variance of their pool, on the pools that ship: what pages say of it, measured."""

import numpy as np
import pytest

from analysis.reliability import family_weighted_variance, near_copies
from analysis.scores import ScoreMatrix
from registry.leaderboards.wording import ENOUGH, FACTOR, SHARE
from tests.analysis.matrices import distinct_matrix
from tests.data.shipped import DATA

POOLS = sorted(path for path in (DATA / "topic_scores" / "unnamed").glob("*.csv") if path.name != "manifest.csv")


def errors(matrix: ScoreMatrix, n_runs: int, n_draws: int, rng: np.random.Generator) -> list[float]:
    """Return logarithms of what so many runs tell over what the pool tells, over so many draws."""
    families = near_copies(matrix).families
    members: dict[str, list[str]] = {}
    for system, family in zip(matrix.systems, families, strict=True):
        members.setdefault(family, []).append(system)
    pool, groups = family_weighted_variance(matrix, families), list(members.values())
    log_ratios = []
    for _ in range(n_draws):
        drawn = [rng.choice(groups[place]) for place in rng.choice(len(groups), n_runs, replace=False)]
        log_ratios.append(float(np.log(family_weighted_variance(matrix.select(drawn)) / pool)))
    return log_ratios


@pytest.mark.parametrize(
    ("n_runs", "n_draws", "off_by", "share"),
    [
        pytest.param(3, 200, 0.29, 0.86, marks=pytest.mark.slow),
        (ENOUGH, 100, 0.20, SHARE),
        pytest.param(10, 200, 0.12, 1.0, marks=pytest.mark.slow),
    ],
)
def test_runs_drawn_at_random_tell_the_variance_of_their_pool(n_runs, n_draws, off_by, share):
    assert len(POOLS) == 19
    rng = np.random.default_rng(2015)
    matrices = [distinct_matrix(path.stem) for path in POOLS]
    log_ratios = np.array([log_ratio for matrix in matrices for log_ratio in errors(matrix, n_runs, n_draws, rng)])
    # A study elsewhere, on other pools: .31, .21 and .14.
    assert np.sqrt(np.square(log_ratios).mean()) == pytest.approx(off_by, abs=0.012)
    assert (np.abs(log_ratios) < np.log(FACTOR)).mean() == pytest.approx(share, abs=0.012)
