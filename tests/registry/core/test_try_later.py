"""What somebody is told when something cannot be done now: people a page, programs JSON, both when to return."""

import pytest
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from registry.core.http import RETRY_AFTER
from registry.core.limits import take
from registry.core.mail import NotSent
from registry.urls import handler404  # noqa: F401 - the addresses of this module take the place of the site's
from registry.urls import urlpatterns as of_the_site

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def limited(request):
    take("test", "somebody", 1, 3600)
    take("test", "somebody", 1, 3600)


def unsent(request):
    raise NotSent


class Limited(APIView):
    def get(self, request: Request) -> Response:
        return limited(request)


urlpatterns = [
    path("limited/", limited),
    path("limited.json", limited),
    path("unsent/", unsent),
    path("api/v1/limited/", Limited.as_view()),
    *of_the_site,
]


def test_people_get_a_page(client):
    response = client.get("/limited/")
    assert response.status_code == 429
    assert b"<h1>Too much at once</h1>" in response.content
    assert b"Try again in 60 minutes." in response.content
    assert 3590 <= int(response["Retry-After"]) <= 3600
    assert response["Cache-Control"] == "no-store"


def test_who_had_too_much_computed_is_told_when_to_come_again(client):
    page = client.get("/limited/?a=1", **{RETRY_AFTER: 90})
    assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (429, "90", "no-store")
    assert "Much was computed for your network just now, and more has to wait." in page.text
    assert "Try again in 2 minutes." in page.text
    program = client.post("/api/v1/compare/topics/", **{RETRY_AFTER: 90})
    assert (program.status_code, program["Retry-After"]) == (429, "90")
    assert program.json()["status"] == 429
    # Nothing that somebody typed is lost.
    form = client.post("/leaderboards/a/b/pairs/1/2/", {"scores": "1 0.5 0.6", "margin": ""}, **{RETRY_AFTER: 90})
    assert form.status_code == 429
    assert "1 0.5 0.6" in form.text
