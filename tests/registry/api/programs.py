"""Programs with a token, for tests of what they write."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.test import Client

from registry.accounts.models import User
from registry.accounts.services import create_token
from tests.registry.accounts.people import make_person
from tests.registry.api.shapes import assert_conforms
from tests.registry.submissions.world import row

LIST = "/api/v1/submissions/"


class Program:
    """Acts for somebody, with a token of these scopes; every answer is compared with the description."""

    def __init__(self, user: User | None = None, scopes: Sequence[str] = ("read", "submit"), **options: Any) -> None:
        self.user = user or make_person(f"ada{User.objects.count()}")
        secret = create_token(user=self.user, name="test", scopes=scopes, days=30).secret
        self.headers = {"authorization": f"Bearer {secret}"}
        self.client = Client(enforce_csrf_checks=True, **options)

    def ask(
        self,
        operation: str,
        address: str,
        body: Any = None,
        *,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        """Ask for an operation, and return the answer; ``body`` is sent as it is where it is text, else as JSON."""
        method = {"list": "get", "get": "get", "update": "patch", "delete": "delete", "remove": "delete"}.get(
            operation.partition("_")[0], "post"
        )
        data = body if isinstance(body, (str, bytes)) else "" if body is None else json.dumps(body)
        response = self.client.generic(
            method.upper(), address, data, content_type=content_type, headers=self.headers | dict(headers or {})
        )
        if response.status_code != 204:
            assert_conforms(response, operation)
        return response

    def create(self, rows: Any = None, *, query: str = "", headers: Any = None, **wishes: Any) -> HttpResponse:
        """Submit one good row, or these."""
        body = {"results": [row()] if rows is None else rows} | wishes
        return self.ask("create_submission", LIST + query, body, headers=headers)

    def change(self, operation: str, submission: Mapping[str, Any], path: str = "", body: Any = None, **options: Any):
        """Change the submission in the version that it was seen in."""
        headers = {"If-Match": f'"{submission["version"]}"'} | options.pop("headers", {})
        return self.ask(operation, f"{LIST}{submission['id']}/{path}", body, headers=headers, **options)

    def get(self, submission: Mapping[str, Any], query: str = "") -> dict[str, Any]:
        """Return the submission as it stands."""
        response = self.ask("get_submission", f"{LIST}{submission['id']}/{query}")
        assert response.status_code == 200, response.content
        return response.json()


def errors(response: HttpResponse, status: int) -> list[tuple[str, str]]:
    """Return field and code of everything that is wrong."""
    assert response.status_code == status, response.content
    return [(error["field"], error["code"]) for error in response.json()["errors"]]


def messages(response: HttpResponse) -> str:
    """Return everything that an error says."""
    body = response.json()
    return "\n".join([body["error"], *(error["message"] for error in body["errors"])])
