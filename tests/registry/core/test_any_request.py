"""What holds of every request: its name, and the methods that any address answers to."""

import io
import logging
import re

import pytest
from django.conf import settings

from registry.core.logs import WithoutKeys

pytestmark = pytest.mark.django_db


def test_an_answer_and_the_lines_of_the_log_about_it_carry_one_name(client):
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(WithoutKeys(settings.LOGGING["formatters"]["plain"]["format"]))
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        names = [client.get(f"/nowhere/{number}/")["Request-Id"] for number in range(2)]
    finally:
        logger.removeHandler(handler)
    assert len({*names}) == 2
    assert re.findall(r" WARNING (\w{16}) django.request: Not Found: /nowhere/\d/", lines.getvalue()) == names


@pytest.mark.parametrize("path", ["/", "/leaderboards/", "/accounts/login/", "/api/v1/collections/"])
def test_a_method_that_nobody_knows_is_refused_as_such(client, path):
    response = client.generic("BREW", path)
    assert response.status_code == 405
    assert "GET" in response["Allow"]
