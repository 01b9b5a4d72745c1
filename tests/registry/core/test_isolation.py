"""Tests write to a home of their own and reach no machine but this one."""

import socket
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from pytest_socket import SocketConnectBlockedError


def test_the_home_is_a_throw_away() -> None:
    assert Path(tempfile.gettempdir()).resolve() in settings.HOME.resolve().parents


def test_other_machines_cannot_be_reached() -> None:
    # The refusal warns first, and warnings are errors.
    with socket.socket() as connection, pytest.raises((SocketConnectBlockedError, UserWarning), match="tried to use"):
        connection.connect(("192.0.2.1", 80))
