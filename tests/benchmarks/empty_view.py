"""The site with one more address that answers nothing, behind the same middleware: what a page is compared with.

``python -m registry.serving`` serves it as ``tests.benchmarks.empty_view:application``; ``tests.benchmarks.empty_view``
is its Celery application. One person and one address may submit, and have computed, as much as they like.
"""

import os

import django
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup()
settings.ROOT_URLCONF = __name__
settings.PLUMBLINE_COMPUTE_SECONDS = 10**9


def empty(request: HttpRequest) -> HttpResponse:
    """Answer with nothing, with status 200."""
    return HttpResponse(b"")


urlpatterns = [path("-/empty/", empty), path("", include("registry.urls"))]

from registry.celery import app  # noqa: E402
from registry.core.limits import LIMITS  # noqa: E402  (Django must be set up first)
from registry.rsgi import application  # noqa: E402  (the addresses above come first)

LIMITS |= {name: (10**9, 1) for name in LIMITS if name.startswith(("submission", "check", "draft"))}

__all__ = ["app", "application", "urlpatterns"]
