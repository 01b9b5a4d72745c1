"""How do scores of different collections and years compare?

Scores on a scale that reference systems fix topic by topic (standardization), how sure that scale is, and what is left
where only a mean is known.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
