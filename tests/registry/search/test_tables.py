"""The tables of what is found."""

import pytest

from tests.registry.tables import assert_made_by_migrations

pytestmark = pytest.mark.django_db


def test_migrations_make_what_the_models_describe():
    assert_made_by_migrations("search")
