"""Is the best result really that good, and which others could be the best?

From published means: :func:`analyse_best` (Carterette's extreme-value analysis), :func:`best_set_from_means` and
:func:`corrected_best_from_means`; the last two need a residual variance. From scores by topic, which say more:
:func:`confidence_set_for_best` for which run is the best, :func:`corrected_best` for how good it is. Second opinions
are :func:`model_confidence_set` and :func:`probability_of_best`, :func:`estimate_winner` and
:func:`winner_from_means`. Below them stand the distributions of the largest and smallest of N normals: exact at every
N, without simulation or a Gumbel distribution in their place.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
