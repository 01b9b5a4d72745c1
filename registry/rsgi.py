"""The web application, as ``python -m registry.serving`` serves it."""

from registry.wsgi import application as pages  # isort: skip  (sets Django up)

import os
import re
from dataclasses import replace
from wsgiref.types import WSGIApplication

from django.conf import settings

from registry.core.http import max_body_bytes, neighbourhood
from registry.serving.bodies import Limits
from registry.serving.fairness import Budget
from registry.serving.gateway import Gateway
from registry.serving.scopes import Scope

#: Addresses where results are submitted and checked; who waits there waits only for others there.
_OF_CONTRIBUTORS = re.compile(r"(/api/v1)?/(submit|review-table|submissions|moderation)/")
#: What is sent to these addresses is answered and forgotten.
_FORGOTTEN = re.compile(r"/api/v1/compare/topics/$|/leaderboards/.+/pairs/\d+/\d+/$")


def is_reading(scope: Scope) -> bool:
    """Return whether somebody only asks for something, of the record or of what they send, and is to wait for nobody
    who writes."""
    if scope.method == "POST":
        return bool(_FORGOTTEN.match(scope.path))
    return scope.method in {"GET", "HEAD", "OPTIONS"} and not _OF_CONTRIBUTORS.match(scope.path)


#: Seconds until a used-up budget is whole again.
_BUDGET_PERIOD = 300
#: Each takes some 60 MB more.
_MOST_DESKS = 4


def address_of(scope: Scope) -> str:
    """Return who counts as one visitor."""
    forwarded = [value for name, value in scope.headers.items() if name == "x-forwarded-for"]
    return neighbourhood(scope.client.rpartition(":")[0].strip("[]"), ",".join(forwarded))


def may_be_large(scope: Scope) -> bool:
    """Return whether a body larger than all others is taken."""
    authorization = scope.headers.get("authorization") or ""
    return max_body_bytes(scope.method, scope.path, authorization) > settings.PLUMBLINE_MAX_BODY_BYTES


def is_asked(scope: Scope) -> bool:
    """Return whether who sends a body may be known by its headers, or has to be."""
    cookies = scope.headers.get("cookie") or ""
    return scope.path.startswith("/api/") or f"{settings.SESSION_COOKIE_NAME}=" in cookies


def n_desks() -> int:
    """Return how many processes compute for readers: as many as there are cores, within reason."""
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(n_cores, _MOST_DESKS)


def behind_gateway(application: WSGIApplication) -> Gateway:
    """Return the WSGI application, answering whole requests within the limits of the settings."""
    limits = Limits(
        max_bytes=settings.PLUMBLINE_MAX_BODY_BYTES,
        seconds=settings.PLUMBLINE_BODY_SECONDS,
        pause_seconds=settings.PLUMBLINE_BODY_PAUSE_SECONDS,
        bytes_per_second=settings.PLUMBLINE_BODY_BYTES_PER_SECOND,
        max_open=settings.PLUMBLINE_MAX_OPEN_BODIES,
    )
    large = replace(limits, max_bytes=settings.PLUMBLINE_MAX_RUN_BYTES, max_open=settings.PLUMBLINE_MAX_OPEN_RUNS)
    return Gateway(
        application,
        limits,
        is_reading=is_reading,
        address_of=address_of,
        budget=Budget(settings.PLUMBLINE_COMPUTE_SECONDS, _BUDGET_PERIOD),
        large=large,
        may_be_large=may_be_large,
        is_asked=is_asked,
        n_desks=n_desks(),
    )


application = behind_gateway(pages)
