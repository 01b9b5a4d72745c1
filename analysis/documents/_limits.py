"""How far AP could move by relevant documents of a kind that these judgements have not seen."""

import numpy as np

from analysis._validation import check_count, check_probability


def unseen_proportion(n_relevant: int, confidence_level: float = 0.95) -> float:
    """Return the largest proportion of a kind of relevant document of which ``n_relevant`` happened to include none.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents in the collection, R, 1 or more.
    confidence_level : float, default 0.95
        One minus the probability allowed for having seen none.

    Returns
    -------
    float
        The solution u of (1 - u)^R = 1 - confidence_level.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262: R = 4 gives .53 (.527129).

    Examples
    --------
    >>> round(unseen_proportion(4), 6)
    0.527129
    """
    check_count(n_relevant, "n_relevant")
    check_probability(confidence_level, "confidence_level")
    return float(-np.expm1(np.log1p(-confidence_level) / n_relevant))


def silver_bullet_limit(n_relevant: int, depth: int, confidence_level: float = 0.95) -> float:
    """Return the AP that a system may be expected to have on like collections although it found nothing here.

    Silver bullets are relevant documents that the system could retrieve but that did not happen to be in this
    collection. At most a proportion u of the relevant documents are silver bullets (:func:`unseen_proportion`); each
    would be retrieved at a rank between 1 and ``depth``, all ranks being equally likely. The limit is the expected AP.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents, R, 1 or more.
    depth : int
        Length of the list, n, 1 or more.
    confidence_level : float, default 0.95
        Level of the limit.

    Returns
    -------
    float
        Upper confidence limit of AP where the AP observed is 0.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    Notes
    -----
    The paper enumerates by dynamic programming. Here the ranks of x bullets are x of n without replacement, so that
    E(AP | x) = x / (R n) * (H_n + (x - 1)(n - H_n) / (n - 1)), with H_n the n-th harmonic number: the document at rank
    i is a bullet with probability x / n, and then expects (i - 1)(x - 1) / (n - 1) others before it. The mean over the
    binomial x is exact.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> round(silver_bullet_limit(4, 1000), 6)
    0.004774
    """
    from scipy.stats import binom  # It takes as long to load as all else.

    check_count(depth, "depth")
    proportion = unseen_proportion(n_relevant, confidence_level)
    bullets = np.arange(n_relevant + 1)
    placed = np.minimum(bullets, depth)
    harmonic = np.sum(1.0 / np.arange(1, depth + 1))
    others = np.maximum(placed - 1, 0) * (depth - harmonic) / max(depth - 1, 1)
    expected = placed / (n_relevant * depth) * (harmonic + others)
    return float(np.sum(binom.pmf(bullets, n_relevant, proportion) * expected))


def lead_balloon_limit(n_relevant: int, confidence_level: float = 0.95) -> float:
    """Return the AP that a system may be expected to have on like collections although it is perfect here.

    Lead balloons are relevant documents that the system can't retrieve, of which none happened to be in this
    collection. At most a proportion u of the relevant documents are lead balloons (:func:`unseen_proportion`); the
    others stay at the top of the list with precision 1, so that the expected AP is 1 - u.

    Parameters
    ----------
    n_relevant : int
        Number of relevant documents, R, 1 or more.
    confidence_level : float, default 0.95
        Level of the limit.

    Returns
    -------
    float
        Lower confidence limit of AP where the AP observed is 1.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Cormack & Lynam (2006), doi:10.1145/1148170.1148262.

    Examples
    --------
    >>> round(lead_balloon_limit(4), 6)
    0.472871
    """
    return 1.0 - unseen_proportion(n_relevant, confidence_level)
