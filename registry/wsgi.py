"""The web application, for any WSGI server; ``registry.rsgi`` has it as ours serves it."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
application = get_wsgi_application()

# Every view and what it needs, before the first visitor asks for one.
import_module("registry.urls")

# What is loaded by now stays for good: taking it out of the collector's sight shortens the slowest answers.
gc.collect()
gc.freeze()
# An answer has some ten thousand objects, and nearly none that only the collector frees: it looks seldom.
gc.set_threshold(50_000, 20)
