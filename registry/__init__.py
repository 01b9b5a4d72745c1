"""The Django project of Plumbline, and the parent of its apps."""

from registry.celery import app as celery_app

__all__ = ["celery_app"]
