"""When two prints of a score contradict each other."""

import pytest

from analysis.readers.scores import PERCENT, PrintedScore


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        (PrintedScore("0.3012"), PrintedScore("0.3012"), False),
        (PrintedScore("0.3012"), PrintedScore("0.3013"), False),
        (PrintedScore("0.3012"), PrintedScore("0.3014"), True),
        (PrintedScore("0.301"), PrintedScore("0.3014"), False),
        (PrintedScore("0.301"), PrintedScore("0.3016"), True),
        (PrintedScore("0.301"), PrintedScore("0.302"), True),
        (PrintedScore("82.15", PERCENT), PrintedScore("82.14", PERCENT), False),
        (PrintedScore("38.0", PERCENT), PrintedScore("38.3", PERCENT), True),
        (PrintedScore("38.0", PERCENT), PrintedScore("0.3804"), False),
        (PrintedScore("0.9068600000000001"), PrintedScore("0.90686"), False),
    ],
)
def test_rounding_and_machines_explain_small_differences(one, other, contradict):
    assert one.contradicts(other) is contradict
    assert other.contradicts(one) is contradict
