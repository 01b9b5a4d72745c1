"""What programs send to have two vectors of topic scores compared."""

import msgspec


class Vectors(msgspec.Struct, forbid_unknown_fields=True):
    """The scores of two systems on the same topics, in the same order.

    Attributes
    ----------
    first, second : list of float
    topics : list of str or None
        Names of the topics; without them they are counted.
    margin : float or None
        The largest difference of the means that makes no difference, chosen before the scores were seen.
    """

    first: list[float]
    second: list[float]
    topics: list[str] | None = None
    margin: float | None = None
