"""What if a system scores differently each time it is run?

The linear mixed model of algorithms, instances (executions) and topics: in closed form where every cell is there, by
restricted maximum likelihood where some are absent, by a parametric bootstrap, and as a posterior; and how many
instances and topics an experiment needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
