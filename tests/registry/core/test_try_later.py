"""Who had too much computed for them is told when to come again: people by a page, programs by JSON."""

import pytest

from registry.core.http import RETRY_AFTER

pytestmark = pytest.mark.django_db


def test_who_had_too_much_computed_is_told_when_to_come_again(client):
    page = client.get("/collections/?a=1", **{RETRY_AFTER: 90})
    assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (429, "90", "no-store")
    assert "<h1>Too much at once</h1>" in page.text
    assert "Much was computed for your network just now, and more has to wait." in page.text
    assert "Try again in 2 minutes." in page.text
    program = client.post("/api/v1/compare/topics/", **{RETRY_AFTER: 90})
    assert (program.status_code, program["Retry-After"]) == (429, "90")
    assert program.json()["status"] == 429
    # Nothing that somebody typed is lost.
    form = client.post("/leaderboards/a/b/pairs/1/2/", {"scores": "1 0.5 0.6", "margin": ""}, **{RETRY_AFTER: 90})
    assert form.status_code == 429
    assert "1 0.5 0.6" in form.text
