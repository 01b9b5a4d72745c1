"""The Celery application: tasks are found in each app's ``tasks`` module."""

from celery import Celery

from registry.core.env import require_settings

require_settings()
app = Celery("plumbline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
