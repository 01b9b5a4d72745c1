"""The site with a limit that a browser reaches in few requests."""

from registry.rsgi import application  # isort: skip  (sets Django up)

from registry.core.limits import LIMITS

__all__ = ["application"]

# A browser on a busy machine takes some seconds for a request: fewer come back in that time than it sends.
LIMITS["check: account"] = (8, 72)
