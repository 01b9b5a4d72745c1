"""What holds of every request: its name, and the methods that any address answers to."""

import io
import json
import logging
import re
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.test import Client

from registry.core.env import env_choice
from registry.core.logs import AsJson, WithoutKeys, log_to_console

pytestmark = pytest.mark.django_db


@contextmanager
def logged(form):
    """Yield what is written to the log in this form."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(form)
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)


def test_an_answer_and_the_lines_of_the_log_about_it_carry_one_name(client):
    with logged(WithoutKeys(settings.LOGGING["formatters"]["plain"]["format"])) as lines:
        names = [client.get(f"/nowhere/{number}/")["Request-Id"] for number in range(2)]
    assert len({*names}) == 2
    assert re.findall(r" WARNING (\w{16}) django.request: Not Found: /nowhere/\d/", lines.getvalue()) == names


def test_lines_of_the_log_are_json_where_that_is_set(client, monkeypatch):
    assert log_to_console("WARNING")["formatters"]["plain"]["()"].endswith("WithoutKeys")
    chosen = log_to_console("INFO JSON")
    assert (chosen["formatters"]["plain"]["()"], chosen["root"]["level"]) == ("registry.core.logs.AsJson", "INFO")
    with logged(AsJson()) as lines:
        name = client.get("/nowhere/?token=secret")["Request-Id"]
        try:
            raise LookupError("plumb_secret is gone")
        except LookupError:
            logging.getLogger("django.request").exception("a fault at %s", "/nowhere/")
    first, second = map(json.loads, lines.getvalue().splitlines())
    assert first.keys() == {"time", "level", "request", "logger", "message"}
    assert (first["level"], first["request"], first["logger"]) == ("WARNING", name, "django.request")
    assert second["traceback"].endswith("LookupError: plumb_[key] is gone")
    assert second["message"] == "a fault at /nowhere/"
    monkeypatch.setenv("PLUMBLINE_LOG_LEVEL", "warning json")
    assert env_choice("PLUMBLINE_LOG_LEVEL", "WARNING", ("WARNING", "WARNING JSON")) == "WARNING JSON"


@pytest.mark.parametrize("path", ["/", "/leaderboards/", "/accounts/login/", "/api/v1/collections/"])
def test_a_method_that_nobody_knows_is_refused_as_such(client, path):
    response = client.generic("BREW", path)
    assert response.status_code == 405
    assert "GET" in response["Allow"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/", "/methods/", "/submit/", "/accounts/login/", "/nowhere/", "/admin/"])
def test_a_page_is_not_changed_by_the_method_alone(method, path):
    """Whether a form's token comes along is not asked: there is no such form."""
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
