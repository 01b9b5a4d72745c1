"""Is one system better than another on the same topics, or as good?

One mean with its interval, two systems (tests and equivalence within a declared margin), families of pairs judged
together, and one answer from several measurements (meta-analysis).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
