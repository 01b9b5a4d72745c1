"""Do results get better over the years, and are they compared with the best that was known?

Published scores with their times: trends as a whole and at the upper edge, new bests against chance, baselines against
what had been reached before.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
