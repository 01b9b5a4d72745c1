"""docs/signals.md names every signal, with the thresholds that hold."""

import re

from django.conf import settings

from registry.submissions.models import Signal
from registry.submissions.pipeline import signals

PAGE = " ".join((settings.BASE_DIR / "docs" / "signals.md").read_text(encoding="utf-8").split())


def test_every_signal_is_documented():
    assert set(re.findall(r"\| `(\w+)` \| [a-z]", PAGE)) == set(Signal.Code.values)


def test_the_thresholds_are_those_that_hold():
    assert f"more than {signals.FAR:g} robust standard deviations" in PAGE
    assert f"at least {signals.MIN_RECORDED} of them" in PAGE
    assert f"{signals.ALIKE:.0%}".replace("%", " %") + " alike" in PAGE
    assert f"{signals.MAD_TO_SD} times the median absolute deviation" in PAGE
