"""What the tests of submissions share."""

import pytest
from django.test import Client

from registry.catalog.models import Leaderboard
from tests.registry.factory import make_user
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04


@pytest.fixture
def board() -> Leaderboard:
    """TREC 2004 Robust under AP, by its usual names."""
    return make_robust04()


@pytest.fixture
def ada() -> Client:
    """The browser of somebody who is signed in."""
    return signed_in(make_user("ada"))
