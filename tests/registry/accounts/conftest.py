"""What the tests of accounts share."""

import pytest

from registry.accounts.models import User
from tests.registry.accounts.people import make_person


@pytest.fixture
def ada() -> User:
    """Somebody with an account."""
    return make_person()
