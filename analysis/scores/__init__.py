"""Getting scores in: by system and topic, labelled and aligned, from the files that the field has.

:class:`ScoreMatrix` (systems x topics) is the one way into every statistic that needs topics, :class:`InstanceScores`
the same for several executions of a system. The readers take text, bytes or lines, never a path.
:func:`measure_nature` says what a measure is, by its name.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
