"""Why there is no set of those that may be the best: what scores by topic and published means share."""

from enum import StrEnum


class WhyNoSet(StrEnum):
    """Why there is no set of those that may be the best."""

    #: Fewer than 10 topics with scores by topic, fewer than 25 behind published means.
    TOO_FEW_TOPICS = "too-few-topics"
    #: Most differences are the same on every topic, or the residual variance is 0: nothing says how scores vary.
    NO_VARIATION = "no-variation"
