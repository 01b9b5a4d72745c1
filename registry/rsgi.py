"""The web application, as ``python -m registry.serving`` serves it."""

import re
from dataclasses import replace
from wsgiref.types import WSGIApplication

from registry.core.http import max_body_bytes
from registry.serving.bodies import Limits
from registry.serving.gateway import Gateway
from registry.serving.rsgi import Scope
from registry.wsgi import application as pages

from django.conf import settings  # isort: skip  (set up by the line above)

#: Where results are handed in and checked, by people and by programs; whoever waits there waits for others there.
_OF_CONTRIBUTORS = re.compile(r"(/api/v1)?/(submit|review-table|errands|submissions|moderation)/")


def is_reading(scope: Scope) -> bool:
    """Whether somebody only reads what stands on the record, and is to wait for nobody who writes."""
    return scope.method in {"GET", "HEAD", "OPTIONS"} and not _OF_CONTRIBUTORS.match(scope.path)


def may_be_large(scope: Scope) -> bool:
    """Whether a body larger than all others is taken."""
    authorization = scope.headers.get("authorization") if "authorization" in scope.headers else ""
    return max_body_bytes(scope.method, scope.path, authorization) > settings.PLUMBLINE_MAX_BODY_BYTES


def behind_gateway(application: WSGIApplication) -> Gateway:
    """The WSGI application, answering whole requests within the limits of the settings."""
    limits = Limits(
        max_bytes=settings.PLUMBLINE_MAX_BODY_BYTES,
        seconds=settings.PLUMBLINE_BODY_SECONDS,
        pause_seconds=settings.PLUMBLINE_BODY_PAUSE_SECONDS,
        bytes_per_second=settings.PLUMBLINE_BODY_BYTES_PER_SECOND,
        max_open=settings.PLUMBLINE_MAX_OPEN_BODIES,
    )
    large = replace(limits, max_bytes=settings.PLUMBLINE_MAX_RUN_BYTES, max_open=settings.PLUMBLINE_MAX_OPEN_RUNS)
    return Gateway(application, limits, is_reading=is_reading, large=large, may_be_large=may_be_large)


application = behind_gateway(pages)
