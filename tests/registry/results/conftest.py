"""What the tests of results share."""

import pytest

from registry.catalog.models import Leaderboard
from tests.registry.results.loading import make_robust04


@pytest.fixture
def robust04(db: None) -> Leaderboard:
    """TREC 2004 Robust under AP, with aliases."""
    return make_robust04()
