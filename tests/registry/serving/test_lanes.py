"""Who has a thread of their own: readers of the record, whatever others submit meanwhile."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.urls import URLPattern, get_resolver

from registry.rsgi import address_of, is_reading, may_be_large
from tests.registry.serving.test_gateway import Headers


@pytest.mark.parametrize(
    ("method", "path", "reads"),
    [
        ("GET", "/", True),
        ("GET", "/static/css/base.css", True),
        ("HEAD", "/api/v1/leaderboards/robust04/AP/", True),
        ("GET", "/collections/submissions/", True),
        ("POST", "/leaderboards/robust/AP/pairs/1/2/", True),
        ("POST", "/api/v1/compare/topics/", True),
        ("POST", "/accounts/login/", False),
        ("PATCH", "/accounts/login/", False),
        ("DELETE", "/accounts/login/", False),
    ],
)
def test_the_record_is_read_and_what_is_answered_and_forgotten_is_computed_in_turn(method, path, reads):
    assert is_reading(SimpleNamespace(method=method, path=path)) is reads


def test_who_is_one_visitor_is_told_by_the_address_alone_or_by_our_proxy(settings):
    headers = Headers([("x-forwarded-for", "203.0.113.5"), ("x-forwarded-for", "2001:db8:1:2::3")])
    scopes = [SimpleNamespace(client=client, headers=headers) for client in ("192.0.2.7:5", "[2001:db8::1]:5")]
    assert [address_of(scope) for scope in scopes] == ["192.0.2.7", "2001:db8::/48"]
    settings.TRUSTED_PROXIES = 1
    assert {address_of(scope) for scope in scopes} == {"2001:db8:1::/48"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "may"),
    [
        ("POST", "/api/v1/runs/", {"authorization": "Bearer plumb_x"}, True),
        ("POST", "/api/v1/runs/", {"authorization": "Basic x"}, False),
        ("POST", "/api/v1/runs/", {}, False),
        ("POST", "/api/v1/submissions/", {"authorization": "Bearer plumb_x"}, False),
        ("GET", "/api/v1/runs/", {"authorization": "Bearer plumb_x"}, False),
        ("POST", "/runs/", {"cookie": "sessionid=x"}, False),
    ],
)
def test_programs_alone_send_large_runs(method, path, headers, may):
    assert may_be_large(SimpleNamespace(method=method, path=path, headers=headers)) == may


def test_every_page_of_contributors_is_answered_beside_the_readers():
    paths = [*paths_of("/", "submissions"), *paths_of("/api/v1/", "api")]
    theirs = [path for path in paths if "/submi" in path or "/moderation/" in path]
    assert len(theirs) > 15
    assert not [path for path in theirs if is_reading(SimpleNamespace(method="GET", path=path))]
    assert set(paths_of("/", "submissions")) <= set(theirs)


def paths_of(prefix: str, namespace: str) -> Iterator[str]:
    """Return the addresses of an app, with their converters as they are declared."""
    for app in get_resolver().url_patterns:
        if getattr(app, "app_name", "") == namespace:
            for pattern in app.url_patterns:
                assert isinstance(pattern, URLPattern)
                yield prefix + str(pattern.pattern)
