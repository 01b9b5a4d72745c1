"""How much can a collection tell: would other topics say the same, and how many would it take?

What of a score is system, topic and neither; how often an order, or a significant one, reverses on other topics and
where that rate goes with more of them; topics needed and the smallest difference they resolve; two measures against
the work that their judgements cost.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
