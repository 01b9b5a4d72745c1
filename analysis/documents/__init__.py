"""What would other documents change?

Average precision of ranked lists and how far it, its mean and differences of it would move on another collection like
this one, the topics being kept; and whether those intervals keep their promise. All of it needs ranked lists.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
