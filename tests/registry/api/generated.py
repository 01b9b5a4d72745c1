"""Requests that are generated from the description, asked of the application itself."""

from collections.abc import Callable, Iterator
from typing import Any

import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from registry.wsgi import application


def uncompressed(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
    """Return the application for a client that asks for compressed answers and does not expand them."""
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    return application(environ, start_response)


def generated_operations() -> Iterator[Any]:
    """Return every operation of the description, as a source of requests."""
    for result in schemathesis.openapi.from_wsgi("/api/v1/schema/", uncompressed).get_all_operations():
        yield result.ok()


def as_many(max_examples: int) -> hypothesis_settings:
    """Ask so many requests, the same ones every time."""
    return hypothesis_settings(
        max_examples=max_examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
