"""What tests of the registry share."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def no_kept_answers():
    """Rows of two tests have the same ids, so an answer kept by one would be taken for the other's."""
    cache.clear()
