"""How reliable is a comparison: would other topics say the same, and how many topics would it take?

The parts, each with its own file and its own page under ``docs/methods/``:

- :func:`swap_rates`: how often an order, or a significant one, reverses on other topics; :func:`pool_swap_rates` over
  several collections; :func:`reversal_profile` and :func:`significant_shares` look behind the rates.
- :func:`project_error_rate`: where a rate would go with more topics.
- :func:`compare_effort`: two measures against the work that their judgements cost; :func:`equal_effort_topics`,
  :func:`pool_sizes`.
- :func:`topics_needed`, :func:`smallest_resolvable_difference`, :func:`precision_of_means`: topic-set size.
"""

from analysis._swap_profiles import ReversalProfile, SignificantShares, reversal_profile, significant_shares
from analysis.assessor_effort import (
    EffortComparison,
    EffortPoint,
    EqualError,
    PoolSizes,
    compare_effort,
    equal_effort_topics,
    pool_sizes,
)
from analysis.error_projection import ErrorProjection, project_error_rate
from analysis.swap_rates import DifferenceNeeded, ErrorRate, SwapRates, pool_swap_rates, swap_rates
from analysis.topic_set_size import (
    MeanPrecision,
    ResolvableDifference,
    TopicsNeeded,
    precision_of_means,
    smallest_resolvable_difference,
    topics_needed,
)

__all__ = [
    "DifferenceNeeded",
    "EffortComparison",
    "EffortPoint",
    "EqualError",
    "ErrorProjection",
    "ErrorRate",
    "MeanPrecision",
    "PoolSizes",
    "ResolvableDifference",
    "ReversalProfile",
    "SignificantShares",
    "SwapRates",
    "TopicsNeeded",
    "compare_effort",
    "equal_effort_topics",
    "pool_sizes",
    "pool_swap_rates",
    "precision_of_means",
    "project_error_rate",
    "reversal_profile",
    "significant_shares",
    "smallest_resolvable_difference",
    "swap_rates",
    "topics_needed",
]
