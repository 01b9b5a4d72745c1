"""What tests share that ask the application itself."""

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from tests.registry.api.programs import Program
from tests.registry.submissions.world import make_robust04


@pytest.fixture
def open_connection():
    """The test's transaction outlives a request that comes in by WSGI, as it does under Django's own test client."""
    signals = request_started, request_finished
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def program(db):
    """A program with a token, where one leaderboard takes its results."""
    make_robust04()
    return Program()
