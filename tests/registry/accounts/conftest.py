"""What the tests of accounts share."""

import pytest
from django.test import Client

from registry.accounts.models import User
from tests.registry.accounts.people import browser_of, make_person


@pytest.fixture
def ada() -> User:
    """Somebody with an account."""
    return make_person()


@pytest.fixture
def signed_in(ada: User) -> Client:
    return browser_of(ada)
