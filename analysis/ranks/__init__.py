"""What is a rank worth?

Whether the leader is better than all others, between which ranks each run lies, the tiers that the data allow, and how
far each run may be from the best.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
