"""The web application, as ``python -m registry.serving`` serves it."""

from wsgiref.types import WSGIApplication

from registry.serving.bodies import Limits
from registry.serving.gateway import Gateway
from registry.wsgi import application as pages

from django.conf import settings  # isort: skip  (set up by the line above)


def behind_gateway(application: WSGIApplication) -> Gateway:
    """The WSGI application, answering whole requests within the limits of the settings."""
    return Gateway(
        application,
        Limits(
            max_bytes=settings.PLUMBLINE_MAX_BODY_BYTES,
            seconds=settings.PLUMBLINE_BODY_SECONDS,
            pause_seconds=settings.PLUMBLINE_BODY_PAUSE_SECONDS,
            bytes_per_second=settings.PLUMBLINE_BODY_BYTES_PER_SECOND,
            max_open=settings.PLUMBLINE_MAX_OPEN_BODIES,
        ),
    )


application = behind_gateway(pages)
