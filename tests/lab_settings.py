"""The settings of the site with lower limits: ``LAB_SWEEP_SECONDS=1`` says what ``PLUMBLINE_SWEEP_SECONDS`` is."""

import os

from registry.settings import *  # noqa: F403

_LOWERED = {name.removeprefix("LAB_"): int(text) for name, text in os.environ.items() if name.startswith("LAB_")}
globals().update({f"PLUMBLINE_{name}": limit for name, limit in _LOWERED.items()})
