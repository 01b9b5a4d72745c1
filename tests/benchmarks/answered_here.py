"""The site with nothing left to a worker: the thread that answers pages checks tables too.

``python -m registry.serving`` serves it as ``tests.benchmarks.answered_here:application``.
"""

from tests.benchmarks.empty_view import application  # isort: skip  (sets Django up)

from registry.accounts.errands import services as errands
from registry.submissions.services import drafting

errands.MAX_ROWS_HERE = drafting.MAX_ROWS_AT_ONCE = 10**9

__all__ = ["application"]
